#include "base/memory.h"
#include "base/table.h"
#include "otf/otf.h"

#include <stdlib.h>
#include <string.h>

/* Texts that share a hash are told apart by their turn. */
struct word {
    uint64_t hash, turn;
    char *text;
};

struct otf_words {
    struct prvcut_table words; /* of struct word, by number */
};

enum prvcut_status otf_words_new(struct otf_words **out, struct prvcut_error *err)
{
    struct otf_words *w = prvcut_zeroed(1, sizeof *w, "list of names", err);

    *out = w;
    if (!w)
        return PRVCUT_ENOMEM;
    w->words = (struct prvcut_table)PRVCUT_TABLE(struct word, text, "names");
    return PRVCUT_OK;
}

static uint64_t words_hash(const char *text, size_t length)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool words_is_text(const struct word *w, const char *text, size_t length)
{
    return strncmp(w->text, text, length) == 0 && w->text[length] == '\0';
}

/* The word of a text, made where there is none. */
static struct word *word_of(struct otf_words *w, const char *text, size_t length,
                            struct prvcut_error *err)
{
    struct word key = { .hash = words_hash(text, length) };
    struct word *at;

    while ((at = prvcut_table_make(&w->words, &key, err)) && at->text &&
           !words_is_text(at, text, length))
        key.turn++;
    if (!at || at->text)
        return at;
    at->text = prvcut_copied(text, length, "a name", err);
    if (at->text)
        return at;
    prvcut_table_drop(&w->words, &key);
    return NULL;
}

enum prvcut_status otf_word(struct otf_words *w, const char *text, size_t length, const char **copy,
                            size_t *number, struct prvcut_error *err)
{
    /* A name ends where a zero byte stands in it. */
    const struct word *at = word_of(w, text, strnlen(text, length), err);

    if (!at)
        return PRVCUT_ENOMEM;
    if (number)
        *number = (size_t)(at - (const struct word *)w->words.at);
    if (copy)
        *copy = at->text;
    return PRVCUT_OK;
}

size_t otf_words_count(const struct otf_words *w)
{
    return w->words.count;
}

const char *otf_word_text(const struct otf_words *w, size_t number)
{
    return ((const struct word *)w->words.at)[number].text;
}

void otf_words_free(struct otf_words *w)
{
    for (size_t i = 0; w && i < w->words.count; i++)
        free(((struct word *)w->words.at)[i].text);
    if (w)
        prvcut_table_fini(&w->words);
    free(w);
}
