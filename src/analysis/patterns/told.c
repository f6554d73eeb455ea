#include "analysis/patterns/told.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TEXT_ROOM 240

/* Symbols of one call, and what all of them have as the first. */
struct tld_group {
    uint64_t call;
    size_t symbols, first;
    bool peer, messages, tag, bytes, root;
};

/* Symbols whose texts read the same, so far. */
struct tld_same {
    uint64_t key;
    uint64_t count;
};

struct tld {
    const struct pat_argued *argued;
    const struct prvcut_dictionary *names;
    struct prvcut_table group; /* of tld_group */
    struct prvcut_table same;  /* of tld_same */
    struct prvcut_error *err;
};

/* Has a symbol partners to tell, one at the least that is known? */
static bool tld_has_peer(const struct pat_argued *a)
{
    return a->peer && a->first->partner != UINT32_MAX;
}

static enum prvcut_status tld_count(struct tld *t, size_t i)
{
    const struct pat_argued *a = &t->argued[i];
    const size_t before = t->group.count;
    struct tld_group *g = prvcut_table_make(&t->group, &a->first->key[PAT_CALL], t->err);
    const struct pat_argued *f;

    if (!g)
        return PRVCUT_ENOMEM;
    if (t->group.count > before)
        *g = (struct tld_group){ .call = g->call,
                                 .first = i,
                                 .peer = true,
                                 .messages = true,
                                 .tag = true,
                                 .bytes = true,
                                 .root = true };
    f = &t->argued[g->first];
    g->symbols++;
    g->peer &= tld_has_peer(a) == tld_has_peer(f) && a->first->receive == f->first->receive &&
               a->first->partner == f->first->partner;
    g->messages &= a->first->messages == f->first->messages;
    g->tag &= a->peer == f->peer && a->first->tag == f->first->tag;
    g->bytes &= a->bytes == f->bytes && a->first->bytes == f->first->bytes;
    g->root &= a->first->root == f->first->root;
    return PRVCUT_OK;
}

/* "(to 3, 10240 B)": what the others of the call do not have; tag and communicator where they are
   not those of the first. */
static void tld_arguments(char *out, size_t room, const struct tld_group *g,
                          const struct pat_argued *a, const struct pat_symbol *first)
{
    const struct pat_symbol *s = a->first;
    char part[6][48];
    unsigned parts = 0;
    size_t used = 0;

    if (!g->peer && tld_has_peer(a))
        snprintf(part[parts++], sizeof *part, "%s %" PRIu32, s->receive ? "from" : "to",
                 s->partner);
    if (!g->messages)
        snprintf(part[parts++], sizeof *part, "%" PRIu32 " message%s", s->messages,
                 s->messages == 1 ? "" : "s");
    if (!g->bytes && a->sized && a->bytes && s->bytes != PAT_UNTOLD)
        snprintf(part[parts++], sizeof *part, "%" PRIu64 " B", s->bytes);
    if (!g->tag && a->peer && s->tag != first->tag)
        snprintf(part[parts++], sizeof *part, "tag %" PRId64, s->tag);
    if (!g->root && s->root)
        snprintf(part[parts++], sizeof *part, "root");
    if (s->communicator != first->communicator && s->communicator != UINT32_MAX)
        snprintf(part[parts++], sizeof *part, "communicator %" PRIu32, s->communicator);
    for (unsigned i = 0; i < parts && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%s%s", i == 0 ? "(" : ", ", part[i],
                                 i + 1 == parts ? ")" : "");
    if (parts == 0)
        *out = '\0';
}

static enum prvcut_status tld_name(struct tld *t, size_t i, char **out)
{
    const struct pat_argued *a = &t->argued[i];
    const struct tld_group *g = prvcut_table_find(&t->group, &a->first->key[PAT_CALL]);
    char name[TEXT_ROOM], text[2 * TEXT_ROOM];
    struct tld_same key = { .key = a->first->key[PAT_CALL] }, *same;
    size_t length;

    if (g->symbols == 1)
        return PRVCUT_OK;
    pat_name(name, sizeof name, t->names, a->first->type, a->first->value);
    length = (size_t)snprintf(text, sizeof text, "%s", name);
    tld_arguments(text + length, sizeof text - length, g, a, t->argued[g->first].first);
    for (const char *c = text; *c; c++)
        key.key = pat_mix(key.key, (unsigned char)*c);
    same = prvcut_table_make(&t->same, &key.key, t->err);
    if (!same)
        return PRVCUT_ENOMEM;
    if (++same->count > 1) {
        length = strlen(text);
        snprintf(text + length, sizeof text - length, "#%" PRIu64, same->count);
    }
    *out = prvcut_copied_text(text, "a name", t->err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status pat_told(char **out, bool *any, const struct pat_argued *argued, size_t symbols,
                            const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    struct tld t = { .argued = argued,
                     .names = names,
                     .group = PRVCUT_TABLE(struct tld_group, symbols, "names"),
                     .same = PRVCUT_TABLE(struct tld_same, count, "names"),
                     .err = err };
    enum prvcut_status st = PRVCUT_OK;

    *any = false;
    for (size_t i = 0; i < symbols; i++)
        out[i] = NULL;
    for (size_t i = 0; i < symbols && st == PRVCUT_OK; i++)
        st = tld_count(&t, i);
    for (size_t i = 0; i < symbols && st == PRVCUT_OK; i++) {
        st = tld_name(&t, i, &out[i]);
        *any |= out[i] != NULL;
    }
    prvcut_table_fini(&t.group);
    prvcut_table_fini(&t.same);
    return st;
}
