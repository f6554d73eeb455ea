#include "analysis/patterns/occurrences.h"

#include "base/memory.h"

#include <stdlib.h>

struct occ_walk {
    struct pat_occurrences *out;
    const struct pat_nest *nest;
    const struct pat_thread *thread;
    uint32_t *place;  /* [bodies] of the nest: + 1 among the occurrences */
    uint64_t *filled; /* [count] */
    unsigned level;
};

/* --- How many, how long ----------------------------------------------------------------------- */

/* First only count. */
static enum prvcut_status occ_count(void *ctx, uint64_t element, uint64_t at, bool begins,
                                    struct prvcut_error *err)
{
    struct occ_walk *w = ctx;
    uint32_t *place = &w->place[pat_inner(element)];
    struct pat_occurrence *o;

    (void)at;
    (void)err;
    if (!begins) {
        w->level--;
        return PRVCUT_OK;
    }
    w->level++;
    if (*place == 0) {
        *place = (uint32_t)++w->out->count;
        w->out->at[*place - 1] =
            (struct pat_occurrence){ .body = pat_inner(element), .level = w->level };
    }
    o = &w->out->at[*place - 1];
    o->count += pat_count(element);
    o->level = w->level < o->level ? w->level : o->level;
    return PRVCUT_OK;
}

static enum prvcut_status occ_note_function(struct occ_walk *w, uint32_t body, uint64_t at,
                                            struct prvcut_error *err)
{
    const struct pat_in key = { .body = body, .function = w->thread->call[at].function };
    struct pat_in *in = prvcut_table_make(&w->out->in, &key, err);

    if (!in)
        return PRVCUT_ENOMEM;
    in->count++;
    return PRVCUT_OK;
}

static enum prvcut_status occ_fill(void *ctx, uint64_t element, uint64_t at, bool begins,
                                   struct prvcut_error *err)
{
    struct occ_walk *w = ctx;
    const uint32_t body = pat_inner(element), place = w->place[body] - 1;
    const uint64_t calls = w->nest->bodies.body[body].calls;
    struct pat_occurrence *o = &w->out->at[place];
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; begins && i < pat_count(element) && st == PRVCUT_OK; i++) {
        const uint64_t from = pat_border(w->thread, at + i * calls);
        const uint64_t to = pat_border(w->thread, at + (i + 1) * calls);
        const uint64_t length = to > from ? to - from : 0;

        if (w->filled[place] == 0) {
            o->begin_ns = from;
            o->at = at + i * calls;
        }
        w->out->length[o->first + w->filled[place]++] = length;
        o->total_ns += length;
        o->least_ns = length < o->least_ns ? length : o->least_ns;
        o->most_ns = length > o->most_ns ? length : o->most_ns;
        st = occ_note_function(w, body, at + i * calls, err);
    }
    return st;
}

static enum prvcut_status occ_all(struct occ_walk *w, struct prvcut_error *err)
{
    struct pat_occurrences *out = w->out;
    struct pat_walker walker = { .loop = occ_count, .ctx = w, .unrolled = true };
    uint64_t all = 0;
    enum prvcut_status st = pat_nest_walk(w->nest, &walker, err);

    for (size_t i = 0; i < out->count; i++) {
        out->at[i].first = all;
        out->at[i].least_ns = UINT64_MAX;
        all += out->at[i].count;
    }
    out->length = prvcut_unset(all, sizeof *out->length, "lengths", err);
    w->filled = prvcut_zeroed(out->count, sizeof *w->filled, "patterns", err);
    if (!out->length || !w->filled)
        return PRVCUT_ENOMEM;
    walker.loop = occ_fill;
    if (st == PRVCUT_OK)
        st = pat_nest_walk(w->nest, &walker, err);
    for (size_t i = 0; i < out->count && st == PRVCUT_OK; i++)
        st = pat_peaks_find(&out->at[i].peaks, out->length + out->at[i].first, out->at[i].count,
                            err);
    return st;
}

/* --- What is kept ----------------------------------------------------------------------------- */

struct occ_keep {
    const struct pat_occurrences *o;
    const struct pat_nest *nest;
    const struct pat_thread *thread;
    const struct pat_kept *to;
    uint32_t *place;     /* as of occ_walk */
    uint64_t *flag;      /* [count] where the flags of its peaks begin */
    bool *done;          /* [peaks of all] one is kept */
    uint64_t from, upto; /* the stretch so far */
};

static enum prvcut_status occ_keep_call(struct occ_keep *k, uint64_t at, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (k->upto != at && k->upto > k->from)
        st = k->to->stretch(k->to->ctx, k->from, k->upto, err);
    if (k->upto != at || k->upto == k->from)
        k->from = at;
    k->upto = at + 1;
    return st;
}

static bool occ_keeps(struct occ_keep *k, uint32_t body, uint64_t length)
{
    const uint32_t place = k->place[body] - 1;
    const size_t peak = pat_peaks_of(&k->o->at[place].peaks, length);
    bool *done;

    if (peak == SIZE_MAX)
        return true;
    done = &k->done[k->flag[place] + peak];
    if (*done)
        return false;
    *done = true;
    return true;
}

static enum prvcut_status occ_keep_row(struct occ_keep *k, const uint64_t *row, size_t count,
                                       uint64_t at, struct prvcut_error *err)
{
    const struct pat_bodies *b = &k->nest->bodies;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const uint32_t inner = pat_inner(row[i]);

        if (!pat_is_loop(row[i])) {
            st = occ_keep_call(k, at++, err);
            continue;
        }
        for (uint32_t n = 0; n < pat_count(row[i]) && st == PRVCUT_OK; n++) {
            const uint64_t next = at + b->body[inner].calls;
            const uint64_t from = pat_border(k->thread, at), to = pat_border(k->thread, next);

            if (occ_keeps(k, inner, to > from ? to - from : 0))
                st = occ_keep_row(k, pat_body_row(b, inner), b->body[inner].length, at, err);
            at = next;
        }
    }
    return st;
}

enum prvcut_status pat_occurrences_keep(const struct pat_occurrences *o, const struct pat_nest *n,
                                        const struct pat_thread *t, const struct pat_kept *to,
                                        struct prvcut_error *err)
{
    struct occ_keep k = { .o = o, .nest = n, .thread = t, .to = to };
    uint64_t peaks = 0;
    enum prvcut_status st = PRVCUT_ENOMEM;

    k.place = prvcut_zeroed(n->bodies.count, sizeof *k.place, "patterns", err);
    k.flag = prvcut_zeroed(o->count, sizeof *k.flag, "patterns", err);
    for (size_t i = 0; i < o->count && k.place && k.flag; i++) {
        k.place[o->at[i].body] = (uint32_t)i + 1;
        k.flag[i] = peaks;
        peaks += o->at[i].peaks.count;
    }
    k.done = prvcut_zeroed(peaks, sizeof *k.done, "patterns", err);
    if (k.place && k.flag && k.done)
        st = occ_keep_row(&k, n->top, n->count, 0, err);
    if (st == PRVCUT_OK && k.upto > k.from)
        st = to->stretch(to->ctx, k.from, k.upto, err);
    free(k.place);
    free(k.flag);
    free(k.done);
    return st;
}

static enum prvcut_status occ_add(void *ctx, uint64_t from, uint64_t to, struct prvcut_error *err)
{
    (void)err;
    *(uint64_t *)ctx += to - from;
    return PRVCUT_OK;
}

enum prvcut_status pat_occurrences_find(struct pat_occurrences *out, const struct pat_nest *n,
                                        const struct pat_thread *t, struct prvcut_error *err)
{
    struct occ_walk w = { .out = out, .nest = n, .thread = t };
    const struct pat_kept kept = { occ_add, &out->kept };
    enum prvcut_status st = PRVCUT_ENOMEM;

    *out = (struct pat_occurrences){ .in = PRVCUT_TABLE(struct pat_in, count, "functions") };
    out->at = prvcut_zeroed(n->bodies.count, sizeof *out->at, "patterns", err);
    w.place = prvcut_zeroed(n->bodies.count, sizeof *w.place, "patterns", err);
    if (out->at && w.place)
        st = occ_all(&w, err);
    if (st == PRVCUT_OK)
        st = pat_occurrences_keep(out, n, t, &kept, err);
    free(w.place);
    free(w.filled);
    return st;
}

void pat_occurrences_fini(struct pat_occurrences *o)
{
    for (size_t i = 0; o->at && i < o->count; i++)
        pat_peaks_fini(&o->at[i].peaks);
    free(o->at);
    free(o->length);
    prvcut_table_fini(&o->in);
}
