#include "api/index.h"
#include "api/suffix.h"
#include "base/exchange.h"
#include "base/kept.h"
#include "base/memory.h"
#include "prvcut/index.h"

#include <stdlib.h>
#include <string.h>

static bool ifn_has_suffix(const char *path, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);

    return length > n && memcmp(path + length - n, suffix, n) == 0;
}

enum prvcut_status index_name(char **out, const struct prvcut_trace *t, struct prvcut_error *err)
{
    const char *const suffixes[] = { ".zst", t->reader->format->suffix };
    size_t stem = strlen(t->path);

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (suffixes[i] && ifn_has_suffix(t->path, stem, suffixes[i]))
            stem -= strlen(suffixes[i]);
    *out = prvcut_unset(1, stem + sizeof INDEX_SUFFIX, "a name", err);
    if (!*out)
        return PRVCUT_ENOMEM;
    memcpy(*out, t->path, stem);
    strcpy(*out + stem, INDEX_SUFFIX);
    return PRVCUT_OK;
}

bool index_can_keep(const struct prvcut_trace *t)
{
    return t->reader->keep && t->seekable && !t->once;
}

/* What the index was made with is what the trace was opened with. */
static bool ifn_same_shape(const struct prvcut_trace *t, const struct prvcut_kept *kept)
{
    struct prvcut_put now = { .err = NULL };
    char *bytes = NULL;
    size_t count;
    bool same;

    t->reader->shape(t, &now);
    same = now.st == PRVCUT_OK && prvcut_kept_load(kept, "shape", &bytes, &count) &&
           count == now.b.count && memcmp(bytes, now.b.at, count) == 0;
    free(bytes);
    prvcut_buffer_fini(&now.b);
    return same;
}

static void ifn_look_for(struct prvcut_trace *t)
{
    char *path = NULL;

    if (index_name(&path, t, NULL) < 0)
        return;
    prvcut_kept_open(&t->kept, &t->kept_why, path, prvcut_version(), t->path);
    free(path);
    if (!t->kept || ifn_same_shape(t, t->kept))
        return;
    prvcut_kept_close(t->kept);
    t->kept = NULL;
    t->kept_why = "labels or options are others than when it was made";
}

const struct prvcut_kept *index_of(struct prvcut_trace *t)
{
    if (!t->kept_asked) {
        t->kept_asked = true;
        if (index_can_keep(t))
            ifn_look_for(t);
    }
    return t->kept;
}

/* --- By several ranks ------------------------------------------------------------------------- */

static void ifn_put(void *ctx, struct prvcut_put *out)
{
    prvcut_put_u32(out, *(uint32_t *)ctx);
}

static void ifn_add(void *ctx, struct prvcut_get *in)
{
    *(uint32_t *)ctx += prvcut_get_u32(in);
}

static void ifn_clear(void *ctx)
{
    *(uint32_t *)ctx = 0;
}

enum prvcut_status index_agree(struct prvcut_trace *t, const struct prvcut_run *run,
                               struct prvcut_error *err)
{
    const struct prvcut_exchange *x = run ? run->exchange : NULL;
    uint32_t lacking;
    const struct prvcut_shares all = { &lacking, ifn_put, ifn_add, ifn_clear };
    enum prvcut_status st;

    if (!prvcut_exchange_is_shared(x) || t->kept_asked || !index_can_keep(t))
        return PRVCUT_OK;
    lacking = index_of(t) ? 0 : 1;
    st = x->meet(x->ctx, "looking for an index", err);
    if (st == PRVCUT_OK)
        st = prvcut_exchange_sum(x, &all, st, err);
    if (st < 0 || lacking == 0 || !t->kept)
        return st;
    prvcut_kept_close(t->kept);
    /* Nothing is wrong with it. */
    t->kept = NULL;
    return PRVCUT_OK;
}

void index_give_up(struct prvcut_trace *t)
{
    prvcut_kept_close(t->kept);
    t->kept = NULL;
    t->kept_why = "it is damaged";
}

const char *prvcut_index_note(const struct prvcut_trace *trace)
{
    return trace->kept_why;
}
