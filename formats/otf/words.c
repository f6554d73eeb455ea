#include "otf/otf.h"

#include <stdlib.h>
#include <string.h>

struct otf_words {
    char **text; /* [count] by number */
    size_t count, room;
    size_t *slot; /* [slots]: number + 1; 0 = free */
    size_t slots;
};

enum prvcut_status otf_words_new(struct otf_words **out, struct prvcut_error *err)
{
    struct otf_words *w = calloc(1, sizeof *w);

    *out = w;
    if (w) {
        w->slots = 256;
        w->slot = calloc(w->slots, sizeof *w->slot);
    }
    if (!w || !w->slot)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for names");
    return PRVCUT_OK;
}

static size_t hash(const char *text, size_t length)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32);
}

static size_t find(const struct otf_words *w, const char *text, size_t length)
{
    size_t i = hash(text, length) & (w->slots - 1);

    for (; w->slot[i] > 0; i = (i + 1) & (w->slots - 1)) {
        const char *have = w->text[w->slot[i] - 1];

        if (strncmp(have, text, length) == 0 && have[length] == '\0')
            break;
    }
    return i;
}

static enum prvcut_status grow(struct otf_words *w, struct prvcut_error *err)
{
    const size_t slots = 2 * w->slots;
    size_t *old = w->slot;

    w->slot = calloc(slots, sizeof *w->slot);
    if (!w->slot) {
        w->slot = old;
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu names", w->count);
    }
    free(old);
    w->slots = slots;
    for (size_t n = 0; n < w->count; n++)
        w->slot[find(w, w->text[n], strlen(w->text[n]))] = n + 1;
    return PRVCUT_OK;
}

enum prvcut_status otf_word(struct otf_words *w, const char *text, size_t length, const char **copy,
                            size_t *number, struct prvcut_error *err)
{
    size_t at;
    void *list = w->text;
    enum prvcut_status st;

    /* A name ends where a zero byte stands in it. */
    length = strnlen(text, length);
    at = find(w, text, length);
    if (w->slot[at] == 0) {
        st = prvcut_grow(&list, &w->room, w->count + 1, sizeof *w->text, err);
        w->text = list;
        if (st < 0)
            return st;
        w->text[w->count] = strndup(text, length);
        if (!w->text[w->count])
            return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for names");
        w->slot[at] = ++w->count;
        if (w->count > w->slots / 2) {
            st = grow(w, err);
            if (st < 0)
                return st;
            at = find(w, text, length);
        }
    }
    if (number)
        *number = w->slot[at] - 1;
    if (copy)
        *copy = w->text[w->slot[at] - 1];
    return PRVCUT_OK;
}

size_t otf_words_count(const struct otf_words *w)
{
    return w->count;
}

const char *otf_word_text(const struct otf_words *w, size_t number)
{
    return w->text[number];
}

void otf_words_free(struct otf_words *w)
{
    for (size_t i = 0; w && i < w->count; i++)
        free(w->text[i]);
    if (w) {
        free(w->text);
        free(w->slot);
    }
    free(w);
}
