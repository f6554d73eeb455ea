#include "analysis/patterns/seek.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- Rows ------------------------------------------------------------------------------------- */

struct sek_reading {
    struct pat_rows *out;
    const struct prvcut_objects *objects;
    const struct prvcut_dictionary *names;
    enum pat_alphabet alphabet;
    bool mpi;  /* some thread makes MPI calls */
    bool busy; /* of those that are kept */
};

static enum prvcut_status sek_keep(struct pat_row *to, const struct pat_thread *one,
                                   enum pat_alphabet alphabet, struct prvcut_error *err)
{
    to->key = prvcut_unset(one->calls, sizeof *to->key, "calls", err);
    to->begin = prvcut_unset(one->calls, sizeof *to->begin, "calls", err);
    to->end = prvcut_unset(one->calls, sizeof *to->end, "calls", err);
    if (!to->key || !to->begin || !to->end)
        return PRVCUT_ENOMEM;
    to->calls = one->calls;
    for (size_t i = 0; i < one->calls; i++) {
        to->key[i] = one->symbol[one->call[i].symbol].key[alphabet];
        to->begin[i] = one->call[i].begin;
        to->end[i] = one->call[i].end;
    }
    return PRVCUT_OK;
}

static void sek_row_fini(struct pat_row *r)
{
    free(r->key);
    free(r->begin);
    free(r->end);
}

/* Does a thread make other calls than those that begin and end MPI? */
static bool sek_is_busy(const struct pat_thread *t, const struct prvcut_dictionary *names)
{
    static const char *const end[] = { "Init", "Init_thread", "Finalize" };
    char name[32];

    for (size_t i = 0; i < t->symbols; i++) {
        const struct pat_symbol *s = &t->symbol[i];
        size_t k = 0;

        pat_name(name, sizeof name, names, s->type, s->value);
        while (k < sizeof end / sizeof *end && strcmp(name, end[k]) != 0)
            k++;
        if (k == sizeof end / sizeof *end)
            return true;
    }
    return false;
}

static enum prvcut_status sek_thread(void *ctx, struct pat_thread *one, struct prvcut_error *err)
{
    struct sek_reading *r = ctx;
    struct pat_rows *out = r->out;
    struct pat_row *to;

    if (one->calls == 0 || (one->regions && r->mpi))
        return PRVCUT_OK;
    /* Regions of threads before the first one that makes MPI calls are forgotten. */
    for (; !one->regions && !r->mpi && out->rows > 0; out->rows--)
        sek_row_fini(&out->row[out->rows - 1]);
    r->busy &= r->mpi || one->regions;
    r->mpi |= !one->regions;
    r->busy |= sek_is_busy(one, r->names);
    if (prvcut_grow((void **)&out->row, &out->room, out->rows + 1, sizeof *out->row, err) < 0)
        return PRVCUT_ENOMEM;
    to = &out->row[out->rows++];
    *to = (struct pat_row){ .thread = one->thread,
                            .task = one->task,
                            .number = one->thread - r->objects->task_first_thread[one->task] };
    return sek_keep(to, one, r->alphabet, err);
}

enum prvcut_status pat_rows_read(struct pat_rows *r, struct prvcut_trace *t,
                                 const struct prvcut_run *run, struct prvcut_span only,
                                 enum pat_alphabet alphabet, struct prvcut_error *err)
{
    const struct pat_sequences_options options = { .only = only };
    struct prvcut_dictionary names;
    struct sek_reading reading = {
        .out = r, .objects = &t->objects, .names = &names, .alphabet = alphabet
    };
    enum prvcut_status st;

    *r = (struct pat_rows){ .row = NULL };
    st = t->reader->describe(t, &names, err);
    if (st == PRVCUT_OK)
        st = pat_sequences_read(t, run, &names, &options, sek_thread, &reading, err);
    prvcut_dictionary_fini(&names);
    r->regions = !reading.mpi;
    r->bare = !reading.busy;
    return st;
}

void pat_rows_fini(struct pat_rows *r)
{
    for (size_t i = 0; i < r->rows; i++)
        sek_row_fini(&r->row[i]);
    free(r->row);
    *r = (struct pat_rows){ .row = NULL };
}

/* Different calls of a row, counted. */
struct sek_counted {
    uint64_t key;
    uint32_t number;
};

enum prvcut_status pat_row_outermost(struct pat_outermost *out, const struct pat_row *r,
                                     struct prvcut_error *err)
{
    struct prvcut_table known = PRVCUT_TABLE(struct sek_counted, number, "calls");
    uint32_t *symbol = prvcut_unset(r->calls + 1, sizeof *symbol, "calls", err);
    enum prvcut_status st = symbol ? PRVCUT_OK : PRVCUT_ENOMEM;
    struct pat_nest nest;

    pat_nest_init(&nest);
    for (size_t i = 0; i < r->calls && st == PRVCUT_OK; i++) {
        const size_t before = known.count;
        struct sek_counted *c = prvcut_table_make(&known, &r->key[i], err);

        if (c && known.count > before)
            c->number = (uint32_t)before;
        st = c ? PRVCUT_OK : PRVCUT_ENOMEM;
        symbol[i] = c ? c->number : 0;
    }
    if (st == PRVCUT_OK)
        st = pat_nest_make(&nest, symbol, r->calls, err);
    if (st == PRVCUT_OK)
        *out = pat_nest_outermost(&nest);
    pat_nest_fini(&nest);
    prvcut_table_fini(&known);
    free(symbol);
    return st;
}

/* --- One thread ------------------------------------------------------------------------------- */

struct sek_known {
    uint64_t key;
    uint32_t symbol;
};

struct sek_search {
    struct pat_sought *out;
    const struct pat_nearness *near;
    struct prvcut_table known; /* of sek_known: the query's */
    uint32_t *query, *row;     /* symbols */
    size_t query_room, row_room;
    struct prvcut_error *err;
};

/* The query's calls as numbers from 0. */
static enum prvcut_status sek_number(struct sek_search *s, const struct pat_row *q,
                                     struct pat_excerpt piece)
{
    const size_t count = piece.end - piece.first;

    prvcut_table_clear(&s->known);
    if (prvcut_grow((void **)&s->query, &s->query_room, count + 1, sizeof *s->query, s->err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const size_t before = s->known.count;
        struct sek_known *k = prvcut_table_make(&s->known, &q->key[piece.first + i], s->err);

        if (!k)
            return PRVCUT_ENOMEM;
        if (s->known.count > before)
            k->symbol = (uint32_t)before;
        s->query[i] = k->symbol;
    }
    return PRVCUT_OK;
}

/* The row's: what the query does not have is one number beyond. returns whether it has any. */
static enum prvcut_status sek_translate(struct sek_search *s, const struct pat_row *r, bool *any)
{
    *any = false;
    if (prvcut_grow((void **)&s->row, &s->row_room, r->calls + 1, sizeof *s->row, s->err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < r->calls; i++) {
        const struct sek_known *k = prvcut_table_find(&s->known, &r->key[i]);

        s->row[i] = k ? k->symbol : (uint32_t)s->known.count;
        *any |= k != NULL;
    }
    return PRVCUT_OK;
}

static enum prvcut_status sek_add(struct sek_search *s, const struct pat_row *r, uint32_t row,
                                  const struct pat_match *m)
{
    struct pat_sought *out = s->out;

    if (out->spots >= UINT32_MAX)
        return prvcut_fail(s->err, PRVCUT_ELIMIT, "more than %" PRIu32 " matches", UINT32_MAX);
    if (prvcut_grow((void **)&out->spot, &out->spot_room, out->spots + 1, sizeof *out->spot,
                    s->err) < 0)
        return PRVCUT_ENOMEM;
    out->spot[out->spots++] =
        (struct pat_spot){ .row = row,
                           .first = m->start,
                           .end = m->end,
                           .edits = m->edits,
                           .begin_ns = r->begin[m->start],
                           .end_ns = r->end[m->end - 1],
                           .until_ns = m->end < r->calls ? r->begin[m->end] : UINT64_MAX };
    return PRVCUT_OK;
}

static enum prvcut_status sek_find(struct sek_search *s, const struct pat_row *r, uint32_t row,
                                   size_t count, uint64_t most)
{
    struct pat_match *match = NULL;
    struct pat_query q;
    size_t matches = 0;
    enum prvcut_status st = pat_query_init(&q, s->query, count, (uint32_t)s->known.count, s->err);

    if (st == PRVCUT_OK)
        st = pat_query_find(&q, s->row, r->calls, (uint32_t)most, &match, &matches, s->err);
    for (size_t i = 0; i < matches && st == PRVCUT_OK; i++)
        st = sek_add(s, r, row, &match[i]);
    pat_query_fini(&q);
    free(match);
    return st;
}

static enum prvcut_status sek_thread_row(struct sek_search *s, const struct pat_row *q,
                                         struct pat_excerpt piece, const struct pat_row *r,
                                         uint32_t row)
{
    const size_t count = piece.end - piece.first;
    const uint64_t most =
        s->near->by_share ? (uint64_t)(s->near->share * (double)count) : s->near->edits;
    bool any = false;
    enum prvcut_status st;

    if (most >= count) {
        prvcut_instead(s->err, "--max-distance 10%%");
        return prvcut_fail(s->err, PRVCUT_EUSAGE,
                           "%" PRIu64 " edits of a query of %zu calls: everything would be found",
                           most, count);
    }
    s->out->most[row] = most;
    s->out->asked[row] = count;
    s->out->asked_rows++;
    st = sek_number(s, q, piece);
    if (st == PRVCUT_OK)
        st = sek_translate(s, r, &any);
    return st == PRVCUT_OK && any ? sek_find(s, r, row, count, most) : st;
}

/* --- All threads ------------------------------------------------------------------------------ */

/* The row of the same thread; NULL: it makes no calls, or there is none. */
static size_t sek_same(const struct pat_rows *query, const struct pat_row *r)
{
    size_t i = 0;

    while (i < query->rows && (query->row[i].task != r->task || query->row[i].number != r->number))
        i++;
    return i;
}

static enum prvcut_status sek_rows(struct sek_search *s, const struct pat_rows *query,
                                   const struct pat_excerpt *piece, const struct pat_rows *rows)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows->rows && st == PRVCUT_OK; i++) {
        /* Mostly they are the same. */
        const size_t q = query == rows ? i : sek_same(query, &rows->row[i]);

        s->out->of[i] = s->out->spots;
        if (q < query->rows && piece[q].end > piece[q].first)
            st = sek_thread_row(s, &query->row[q], piece[q], &rows->row[i], (uint32_t)i);
        s->out->of[i + 1] = s->out->spots;
    }
    return st;
}

enum prvcut_status pat_seek(struct pat_sought *s, const struct pat_rows *query,
                            const struct pat_excerpt *piece, const struct pat_rows *rows,
                            const struct pat_nearness *near, struct prvcut_trace *t,
                            const struct prvcut_run *run, struct prvcut_error *err)
{
    struct sek_search search = {
        .out = s, .near = near, .known = PRVCUT_TABLE(struct sek_known, symbol, "calls"), .err = err
    };
    enum prvcut_status st = PRVCUT_OK;

    *s = (struct pat_sought){ .rows = rows->rows };
    s->of = prvcut_zeroed(rows->rows + 1, sizeof *s->of, "threads", err);
    s->most = prvcut_zeroed(rows->rows + 1, sizeof *s->most, "threads", err);
    s->asked = prvcut_zeroed(rows->rows + 1, sizeof *s->asked, "threads", err);
    if (!s->of || !s->most || !s->asked)
        return PRVCUT_ENOMEM;
    st = sek_rows(&search, query, piece, rows);
    if (st == PRVCUT_OK && s->asked_rows == 0) {
        prvcut_instead(err, "prvcut patterns TRACE");
        st = prvcut_fail(err, PRVCUT_EUSAGE, "there are no calls to look for");
    }
    if (st == PRVCUT_OK && s->spots > 0)
        st = pat_seek_join(s, rows, t, run, err);
    prvcut_table_fini(&search.known);
    free(search.query);
    free(search.row);
    return st;
}

void pat_sought_fini(struct pat_sought *s)
{
    free(s->spot);
    free(s->of);
    free(s->part);
    free(s->place);
    free(s->most);
    free(s->asked);
    *s = (struct pat_sought){ .spot = NULL };
}
