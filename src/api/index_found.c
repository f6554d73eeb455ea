#include "api/index.h"
#include "api/suffix.h"
#include "base/exchange.h"
#include "base/kept.h"
#include "base/memory.h"
#include "prvcut/index.h"
#include "scan/scan.h"

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

/* Of the indices that ranks see: the least and the most of their sums, and of how many there is
   none. */
struct ifn_seen {
    uint32_t lacking, least, most;
};

static void ifn_put(void *ctx, struct prvcut_put *out)
{
    const struct ifn_seen *s = ctx;

    prvcut_put_u32(out, s->lacking);
    prvcut_put_u32(out, s->least);
    prvcut_put_u32(out, s->most);
}

static void ifn_add(void *ctx, struct prvcut_get *in)
{
    struct ifn_seen *s = ctx;
    uint32_t least, most;

    s->lacking += prvcut_get_u32(in);
    least = prvcut_get_u32(in);
    most = prvcut_get_u32(in);
    s->least = least < s->least ? least : s->least;
    s->most = most > s->most ? most : s->most;
}

static void ifn_clear(void *ctx)
{
    *(struct ifn_seen *)ctx = (struct ifn_seen){ .least = UINT32_MAX };
}

/* What is damaged in one of them is found by that rank alone, and late: so all bytes count. */
static struct ifn_seen ifn_see(struct prvcut_trace *t)
{
    struct ifn_seen s;
    const struct prvcut_kept *kept = index_of(t);

    ifn_clear(&s);
    if (!kept || !prvcut_kept_sum(kept, &s.least))
        s.lacking = 1;
    else
        s.most = s.least;
    return s;
}

enum prvcut_status index_agree(struct prvcut_trace *t, const struct prvcut_run *run,
                               struct prvcut_error *err)
{
    const struct prvcut_exchange *x = run ? run->exchange : NULL;
    struct ifn_seen seen;
    const struct prvcut_shares all = { &seen, ifn_put, ifn_add, ifn_clear };
    enum prvcut_status st = PRVCUT_OK;

    if (!prvcut_exchange_is_shared(x))
        return PRVCUT_OK;
    /* What each reads by itself is told by one of them: it must be what all see. */
    if (strcmp(t->path, "-") != 0 && !t->unpacked)
        st = prvcut_scan_meet(t, x, err);
    if (st < 0 || t->kept_asked || !index_can_keep(t))
        return st;
    seen = ifn_see(t);
    st = x->meet(x->ctx, "looking for an index", err);
    if (st == PRVCUT_OK)
        st = prvcut_exchange_sum(x, &all, st, err);
    if (st < 0 || (seen.lacking == 0 && seen.least == seen.most) || !t->kept)
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
