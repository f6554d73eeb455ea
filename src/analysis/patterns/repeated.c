#include "analysis/patterns/repeated.h"

#include "analysis/patterns/nest.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

/* Occurrences of all repeats of a thread that are looked at one by one: so many, and as many times
   its calls. */
#define LOOKS_FEW  (UINT64_C(1) << 20)
#define LOOKS_EACH 64

struct rpd_known {
    uint64_t key;
    size_t place;
};

struct rpd_search {
    struct pat_repeated_found *out;
    const struct pat_repeated_options *options;
    struct prvcut_table known; /* of rpd_known */
    const struct pat_thread *thread;
    uint32_t *symbol, *at; /* [count] of the present thread: the row, and its calls' places */
    size_t count, symbol_room, at_room;
    uint32_t *place; /* [place_room] */
    size_t place_room;
    struct prvcut_error *err;
};

/* --- The row ---------------------------------------------------------------------------------- */

static enum prvcut_status rpd_put(void *ctx, uint32_t symbol, uint64_t at, struct prvcut_error *err)
{
    struct rpd_search *s = ctx;

    (void)err;
    s->symbol[s->count] = symbol;
    s->at[s->count++] = (uint32_t)at;
    return PRVCUT_OK;
}

static enum prvcut_status rpd_room(struct rpd_search *s)
{
    const size_t calls = s->thread->calls + 1;

    s->count = 0;
    if (prvcut_grow((void **)&s->symbol, &s->symbol_room, calls, sizeof *s->symbol, s->err) < 0 ||
        prvcut_grow((void **)&s->at, &s->at_room, calls, sizeof *s->at, s->err) < 0 ||
        prvcut_grow((void **)&s->place, &s->place_room, calls, sizeof *s->place, s->err) < 0)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

/* Every loop's body once. */
static enum prvcut_status rpd_fold(struct rpd_search *s)
{
    const struct pat_walker walker = { .symbol = rpd_put, .ctx = s };
    struct pat_nest nest;
    enum prvcut_status st;

    pat_nest_init(&nest);
    st = pat_nest_make(&nest, s->symbol, s->thread->calls, s->err);
    if (st == PRVCUT_OK)
        st = pat_nest_walk(&nest, &walker, s->err);
    pat_nest_fini(&nest);
    return st;
}

static enum prvcut_status rpd_row(struct rpd_search *s)
{
    enum prvcut_status st = rpd_room(s);

    if (st < 0)
        return st;
    if (s->thread->calls > PAT_SUFFIX_MOST)
        return prvcut_fail(s->err, PRVCUT_ELIMIT, "%zu calls of a thread; the limit is %zu",
                           s->thread->calls, PAT_SUFFIX_MOST);
    for (size_t i = 0; i < s->thread->calls; i++) {
        s->symbol[i] = pat_symbol_of(s->thread, i, s->options->alphabet);
        s->at[i] = (uint32_t)i;
    }
    s->count = s->thread->calls;
    if (s->options->raw)
        return PRVCUT_OK;
    s->count = 0;
    return rpd_fold(s);
}

/* --- What is found ---------------------------------------------------------------------------- */

static const struct pat_symbol *rpd_symbol(const struct rpd_search *s, uint32_t place)
{
    return &s->thread->symbol[s->thread->call[s->at[place]].symbol];
}

static uint64_t rpd_key(const struct rpd_search *s, enum pat_repeat_kind kind, uint32_t first,
                        uint32_t length)
{
    uint64_t key = pat_mix(kind == PAT_TANDEM, length);

    for (uint32_t i = 0; i < length; i++)
        key = pat_mix(key, rpd_symbol(s, first + i)->key[s->options->alphabet]);
    return key;
}

static enum prvcut_status rpd_calls(struct rpd_search *s, struct pat_repeated *r, uint32_t first)
{
    r->call = prvcut_zeroed(r->length, sizeof *r->call, "calls", s->err);
    if (!r->call)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < r->length; i++) {
        const struct pat_symbol *symbol = rpd_symbol(s, first + i);

        r->call[i] = (struct pat_called){ symbol->type, symbol->value };
    }
    return PRVCUT_OK;
}

/* place: [count] ascending, of the row. */
static enum prvcut_status rpd_make(struct rpd_search *s, struct pat_repeated *r,
                                   const uint32_t *place)
{
    r->positions = r->count < PAT_POSITIONS_MOST ? r->count : PAT_POSITIONS_MOST;
    r->position = prvcut_zeroed(r->positions + (size_t)1, sizeof *r->position, "places", s->err);
    if (!r->position)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < r->positions; i++)
        r->position[i] = s->at[place[i]];
    r->first_ns = s->thread->call[s->at[place[0]]].begin;
    return rpd_calls(s, r, place[0]);
}

/* The stretch of that key; made where there is none, and *made is true then. */
static struct pat_repeated *rpd_find(struct rpd_search *s, uint64_t key, bool *made)
{
    struct pat_repeated_found *out = s->out;
    const size_t before = s->known.count;
    struct rpd_known *k = prvcut_table_make(&s->known, &key, s->err);

    *made = k && s->known.count > before;
    if (!k)
        return NULL;
    if (!*made)
        return &out->at[k->place];
    if (prvcut_grow((void **)&out->at, &out->room, out->count + 1, sizeof *out->at, s->err) < 0)
        return NULL;
    k->place = out->count;
    out->at[out->count] = (struct pat_repeated){ .key = key };
    return &out->at[out->count++];
}

static enum prvcut_status rpd_add(struct rpd_search *s, const struct pat_repeated *like,
                                  const uint32_t *place)
{
    bool made;
    struct pat_repeated *r = rpd_find(s, rpd_key(s, like->kind, place[0], like->length), &made);

    if (!r)
        return PRVCUT_ENOMEM;
    if (made) {
        r->kind = like->kind;
        r->length = like->length;
        r->count = like->count;
        r->apart = like->apart;
        if (rpd_make(s, r, place) < 0)
            return PRVCUT_ENOMEM;
    }
    r->coverage += (uint64_t)like->length * like->apart;
    /* One run after the other may be of the same calls. */
    if (r->threads > 0 && r->thread[r->threads - 1] == s->thread->thread)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&r->thread, &r->thread_room, r->threads + 1, sizeof *r->thread,
                    s->err) < 0)
        return PRVCUT_ENOMEM;
    r->thread[r->threads++] = s->thread->thread;
    return PRVCUT_OK;
}

static enum prvcut_status rpd_repeats(struct rpd_search *s)
{
    uint64_t looks = LOOKS_FEW + LOOKS_EACH * (uint64_t)s->count;
    struct pat_repeats found;
    enum prvcut_status st = pat_repeats_make(&found, s->symbol, s->count,
                                             (uint32_t)s->thread->different[s->options->alphabet],
                                             s->options->least_length, s->err);

    for (size_t i = 0; i < found.repeats && st == PRVCUT_OK; i++) {
        const struct pat_repeat *r = &found.repeat[i];
        struct pat_repeated like = { .kind = r->super ? PAT_SUPERMAXIMAL : PAT_MAXIMAL,
                                     .length = r->length,
                                     .count = r->count };

        if (!pat_repeat_is_apart(r))
            continue;
        if (looks < r->count + (uint64_t)r->length) {
            s->out->left++;
            continue;
        }
        looks -= r->count + (uint64_t)r->length;
        pat_repeat_places(&found, r, s->place);
        like.apart = pat_repeat_apart(r, s->place);
        st = rpd_add(s, &like, s->place);
    }
    pat_repeats_fini(&found);
    return st;
}

static enum prvcut_status rpd_runs(struct rpd_search *s)
{
    uint64_t looks = LOOKS_FEW + LOOKS_EACH * (uint64_t)s->count, steps;
    struct pat_run *run = NULL;
    size_t runs = 0;
    enum prvcut_status st =
        pat_runs_make(&run, &runs, s->symbol, s->count,
                      (uint32_t)s->thread->different[s->options->alphabet], &steps, s->err);

    for (size_t i = 0; i < runs && st == PRVCUT_OK; i++) {
        const struct pat_run *r = &run[i];
        const struct pat_repeated like = { .kind = PAT_TANDEM,
                                           .length = r->period,
                                           .count = r->length / r->period,
                                           .apart = r->length / r->period };

        if (r->period < s->options->least_length)
            continue;
        if (looks < r->length) {
            s->out->left++;
            continue;
        }
        looks -= r->length;
        for (uint32_t k = 0; k < like.count; k++)
            s->place[k] = r->start + k * r->period;
        st = rpd_add(s, &like, s->place);
    }
    free(run);
    return st;
}

static enum prvcut_status rpd_thread(void *ctx, struct pat_thread *one, struct prvcut_error *err)
{
    struct rpd_search *s = ctx;
    enum prvcut_status st = PRVCUT_OK;

    s->thread = one;
    s->err = err;
    if (one->calls > 0)
        st = rpd_row(s);
    if (st == PRVCUT_OK && one->calls > 0)
        st = rpd_repeats(s);
    return st == PRVCUT_OK && one->calls > 0 ? rpd_runs(s) : st;
}

/* --- All of it -------------------------------------------------------------------------------- */

static int rpd_most(const void *x, const void *y)
{
    const struct pat_repeated *a = x, *b = y;

    if (a->coverage != b->coverage)
        return a->coverage > b->coverage ? -1 : 1;
    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    if (a->thread[0] != b->thread[0])
        return a->thread[0] < b->thread[0] ? -1 : 1;
    if (a->position[0] != b->position[0])
        return a->position[0] < b->position[0] ? -1 : 1;
    return (int)a->kind - (int)b->kind;
}

enum prvcut_status pat_repeated_find(struct pat_repeated_found *out, struct pat_store *store,
                                     const struct pat_repeated_options *options,
                                     struct prvcut_error *err)
{
    struct rpd_search s = { .out = out,
                            .options = options,
                            .known = PRVCUT_TABLE(struct rpd_known, place, "repeats"),
                            .err = err };
    enum prvcut_status st;

    *out = (struct pat_repeated_found){ .at = NULL };
    st = pat_store_each(store, rpd_thread, &s, err);
    if (st == PRVCUT_OK && out->count > 0)
        qsort(out->at, out->count, sizeof *out->at, rpd_most);
    prvcut_table_fini(&s.known);
    free(s.symbol);
    free(s.at);
    free(s.place);
    return st;
}

void pat_repeated_fini(struct pat_repeated_found *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->at[i].thread);
        free(f->at[i].call);
        free(f->at[i].position);
    }
    free(f->at);
    *f = (struct pat_repeated_found){ .at = NULL };
}
