#include "prvcut/find.h"
#include "api/answers.h"
#include "api/entries.h"

#include "analysis/patterns/seek.h"
#include "api/called.h"
#include "api/find_pattern.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/patterns_ask.h"
#include "api/profile_stretches.h"
#include "base/memory.h"
#include "base/search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One question. */
struct afd_asked {
    struct prvcut_trace *in, *query; /* may be the same */
    struct api_find_pattern pattern; /* where one is asked for */
    const struct prvcut_run *run;
    const struct prvcut_find_options *options;
    enum pat_alphabet alphabet;
    struct made_find *out;
    struct pat_rows rows[2];     /* of in, of query; [1] is not used where these are the same */
    const struct pat_rows *from; /* the query's */
    struct pat_excerpt *piece;   /* [from->rows] */
    struct pat_sought sought;
};

static enum prvcut_status find_symbols(struct afd_asked *a, struct prvcut_error *err)
{
    a->out->is.symbols = a->options->symbols != PRVCUT_SYMBOLS_AUTO ? a->options->symbols
                         : a->options->pattern > 0                  ? a->pattern.symbols
                                                                    : PRVCUT_SYMBOLS_PARTNER;
    if (!prvcut_symbols_text(a->out->is.symbols))
        return prvcut_fail(err, PRVCUT_EUSAGE, "unknown symbols");
    a->alphabet = (enum pat_alphabet)(a->out->is.symbols - 1);
    return PRVCUT_OK;
}

static enum prvcut_status find_check(const struct afd_asked *a, struct prvcut_error *err)
{
    const struct prvcut_find_options *o = a->options;

    if (o->window.end > 0 && o->window.end <= o->window.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->window.start, o->window.end);
    if ((o->window.end > 0) + (o->iteration > 0) + (o->pattern > 0) > 1)
        return prvcut_fail(err, PRVCUT_EUSAGE, "a window, an iteration or a pattern: which one?");
    if (o->by_share && !(o->share >= 0 && o->share < 1))
        return prvcut_fail(err, PRVCUT_EUSAGE, "edits of %.3f of the calls; from 0 to below 1",
                           o->share);
    return o->window.start > 0 ? prvcut_window_begins_within(o->window.start, a->query->end_ns, err)
                               : PRVCUT_OK;
}

/* --- The query -------------------------------------------------------------------------------- */

static bool find_not_before(const void *ctx, size_t i)
{
    const struct prvcut_ordered_keys *k = ctx;

    return ((const uint64_t *)(const void *)k->at)[i] >= k->value;
}

/* The calls of each row that begin in its own part of a window. */
static void find_pieces(struct afd_asked *a, const struct prvcut_window *w)
{
    for (size_t i = 0; i < a->from->rows; i++) {
        const struct pat_row *r = &a->from->row[i];
        const struct prvcut_span own = prvcut_window_own(w, r->thread);
        struct prvcut_ordered_keys k = { .at = (const char *)r->begin, .value = own.start };

        a->piece[i].first = prvcut_first(0, r->calls, find_not_before, &k);
        k.value = own.end;
        a->piece[i].end = prvcut_first(a->piece[i].first, r->calls, find_not_before, &k);
    }
}

/* Calls of a row are in the query. */
static void find_take(struct afd_asked *a, size_t row, struct pat_excerpt piece)
{
    const struct pat_row *r = &a->from->row[row];
    struct prvcut_span *span = &a->out->is.span;

    if (span->end == 0 || r->begin[piece.first] < span->start)
        span->start = r->begin[piece.first];
    if (r->end[piece.end - 1] > span->end)
        span->end = r->end[piece.end - 1];
    a->piece[row] = piece;
}

/* Where the run has no loop that its threads have in common: each thread's own, as its nest tells
   it. PRVCUT_NONE: they have none either. */
static enum prvcut_status find_nests(struct afd_asked *a, struct prvcut_error *err)
{
    const uint64_t nth = a->options->iteration;
    struct api_find_nests n;
    enum prvcut_status st = api_find_nests(&n, a->query, a->run, nth, err);
    size_t k = 0;

    for (size_t i = 0; i < a->from->rows && st == PRVCUT_OK; i++) {
        while (k < n.threads && n.at[k].thread < a->from->row[i].thread)
            k++;
        if (k < n.threads && n.at[k].thread == a->from->row[i].thread)
            find_take(a, i, (struct pat_excerpt){ n.at[k].first, n.at[k].end });
    }
    if (st == PRVCUT_OK && n.most > 0 && n.threads == 0)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "--iteration %" PRIu64 ": the loops of threads run %" PRIu64
                         " times at most",
                         nth, n.most);
    else if (st == PRVCUT_OK && a->out->is.span.end == 0)
        st = PRVCUT_NONE;
    api_find_nests_fini(&n);
    return st;
}

static enum prvcut_status find_iteration(struct afd_asked *a, struct prvcut_error *err)
{
    const struct prvcut_profile_options which = { .region = a->options->region,
                                                  .first = a->options->iteration,
                                                  .last = a->options->iteration };
    struct api_stretches s;
    enum prvcut_status st = api_stretches_find(&s, a->query, a->run, &which, false, err);

    a->out->is.counted_by = PRVCUT_NUMBERING_STRUCTURE;
    if (st == PRVCUT_OK && s.count > 0) {
        find_pieces(a, &s.at[0].window);
        a->out->is.span = s.part[0].span;
    }
    if (st == PRVCUT_NONE && !a->options->region) {
        st = find_nests(a, err);
        a->out->is.counted_by = PRVCUT_NUMBERING_NEST;
    }
    if (st == PRVCUT_NONE) {
        a->out->is.no_loop = a->out->no_loop = s.reason;
        s.reason = NULL;
    }
    api_stretches_fini(&s);
    return st;
}

/* The first occurrence of a pattern on each of its threads. */
static enum prvcut_status find_by_pattern(struct afd_asked *a, struct prvcut_error *err)
{
    const struct api_find_pattern *p = &a->pattern;
    size_t k = 0;

    if (a->options->pattern > p->patterns) {
        prvcut_instead(err, "prvcut patterns TRACE");
        return prvcut_fail(err, PRVCUT_EUSAGE, "there is no pattern %" PRIu64 "; patterns has %zu",
                           a->options->pattern, p->patterns);
    }
    a->out->is.body = a->out->body = a->pattern.body;
    a->pattern.body = NULL;
    for (size_t i = 0; i < a->from->rows; i++) {
        const struct pat_row *r = &a->from->row[i];

        while (k < p->threads && p->thread[k] < r->thread)
            k++;
        if (k == p->threads || p->thread[k] != r->thread)
            continue;
        find_take(a, i, (struct pat_excerpt){ p->at[k], p->at[k] + p->calls });
    }
    if (a->out->is.span.end > 0)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "pattern %" PRIu64
                       " is of threads that make no MPI calls; where others make some, only those "
                       "are searched",
                       a->options->pattern);
}

static enum prvcut_status find_query(struct afd_asked *a, struct prvcut_error *err)
{
    const struct prvcut_find_options *o = a->options;
    const struct prvcut_window window = { .from = o->window.start,
                                          .to = o->window.end > 0 ? o->window.end : UINT64_MAX };

    a->piece = prvcut_zeroed(a->from->rows + 1, sizeof *a->piece, "threads", err);
    if (!a->piece)
        return PRVCUT_ENOMEM;
    a->out->is.iteration = o->iteration;
    a->out->is.pattern = o->pattern;
    if (o->pattern > 0)
        return find_by_pattern(a, err);
    if (o->iteration > 0)
        return find_iteration(a, err);
    find_pieces(a, &window);
    a->out->is.span.start = window.from;
    a->out->is.span.end = window.to < a->query->end_ns ? window.to : a->query->end_ns;
    return PRVCUT_OK;
}

/* --- The answer ------------------------------------------------------------------------------- */

static enum prvcut_status find_names(struct made_find *out, const struct prvcut_trace *t,
                                     struct prvcut_dictionary *names, struct prvcut_error *err)
{
    char text[48];

    out->thread_name =
        prvcut_zeroed((size_t)t->objects.threads + 1, sizeof *out->thread_name, "threads", err);
    if (!out->thread_name)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        const bool own = t->reader->by_thread && names->thread && names->thread[i];

        out->thread_name[i] = prvcut_copied_text(
            own ? names->thread[i] : prvcut_objects_number_text(&t->objects, i, text), "a name",
            err);
        if (!out->thread_name[i])
            return PRVCUT_ENOMEM;
        out->thread_names = i + 1;
    }
    return PRVCUT_OK;
}

static enum prvcut_status find_queries(struct afd_asked *a, struct prvcut_error *err)
{
    const struct pat_sought *s = &a->sought;
    struct made_find *out = a->out;

    out->query = prvcut_zeroed(s->rows + 1, sizeof *out->query, "threads", err);
    if (!out->query)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->rows; i++)
        if (s->asked[i] > 0)
            out->query[out->is.queries++] =
                (struct prvcut_find_query){ .thread = a->rows[0].row[i].thread,
                                            .rank = a->rows[0].row[i].task,
                                            .calls = s->asked[i],
                                            .edits = s->most[i],
                                            .found = s->of[i + 1] - s->of[i] };
    return PRVCUT_OK;
}

/* Is a part of a match where the query was taken from? */
static bool find_is_own(const struct afd_asked *a, const struct pat_spot *s)
{
    return a->from == &a->rows[0] && s->first == a->piece[s->row].first &&
           s->end == a->piece[s->row].end;
}

static void find_match(struct afd_asked *a, const struct pat_place *p, struct prvcut_find_match *m)
{
    struct made_find *out = a->out;
    bool own = true;

    *m = (struct prvcut_find_match){ .span = { p->begin_ns, p->end_ns },
                                     .edits = p->edits,
                                     .parts = p->count,
                                     .whole = p->count == a->sought.asked_rows };
    for (size_t i = 0; i < p->count; i++) {
        const struct pat_spot *s = &a->sought.spot[a->sought.part[p->first + i]];
        const struct pat_row *r = &a->rows[0].row[s->row];

        own &= find_is_own(a, s);
        out->part[out->parts++] =
            (struct prvcut_find_part){ .thread = r->thread,
                                       .rank = r->task,
                                       .thread_name = out->thread_name[r->thread],
                                       .span = { s->begin_ns, s->end_ns },
                                       .calls = s->end - s->first,
                                       .edits = s->edits };
    }
    m->own = own;
    out->is.exact += m->edits == 0;
    out->is.whole += m->whole;
}

/* The iteration of a thread's outermost loop that a match is a part of, from 1; 0: none. */
static uint64_t find_inside(const struct pat_outermost *o, const struct pat_spot *s)
{
    uint64_t k;

    if (o->at == SIZE_MAX || s->first < o->first || s->end - s->first >= o->calls)
        return 0;
    k = (s->first - o->first) / o->calls;
    return k < o->count && s->end <= o->first + (k + 1) * o->calls ? k + 1 : 0;
}

/* As the structure counts, where it tells iterations; a match in none of them is in none. */
static enum prvcut_status find_number(struct afd_asked *a, struct prvcut_error *err)
{
    struct api_patterns_asked asked = { .trace = a->in, .run = a->run };
    const struct pat_sought *s = &a->sought;
    struct pat_numbered known;
    const enum prvcut_status st = api_patterns_look(&asked, &known, err);

    for (size_t i = 0; i < s->places && st == PRVCUT_OK; i++) {
        const struct pat_spot *spot = &s->spot[s->part[s->place[i].first]];
        const struct prvcut_span span = { spot->begin_ns, spot->end_ns };
        struct prvcut_find_match *m = &a->out->match[i];
        uint64_t first, last;

        if (m->inside == 0)
            continue;
        pat_numbers_within(&known, a->rows[0].row[spot->row].thread, span, &first, &last);
        m->inside = first == last ? first : 0;
    }
    a->out->is.numbering = st == PRVCUT_OK ? PRVCUT_NUMBERING_STRUCTURE : PRVCUT_NUMBERING_NEST;
    api_patterns_asked_fini(&asked);
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}

/* Matches mostly begin with the same thread. */
static enum prvcut_status find_insides(struct afd_asked *a, struct prvcut_error *err)
{
    const struct pat_sought *s = &a->sought;
    struct pat_outermost loop = { .at = SIZE_MAX };
    size_t row = SIZE_MAX;
    bool any = false;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->places && st == PRVCUT_OK; i++) {
        const struct pat_spot *spot = &s->spot[s->part[s->place[i].first]];

        if (spot->row != row)
            st = pat_row_outermost(&loop, &a->rows[0].row[spot->row], err);
        row = spot->row;
        if (st == PRVCUT_OK)
            a->out->match[i].inside = find_inside(&loop, spot);
        any |= a->out->match[i].inside > 0;
    }
    return st == PRVCUT_OK && any ? find_number(a, err) : st;
}

static bool find_is_better(const struct prvcut_find_match *a, const struct prvcut_find_match *b)
{
    return a->edits != b->edits ? a->edits < b->edits : a->parts > b->parts;
}

static enum prvcut_status find_matches(struct afd_asked *a, struct prvcut_error *err)
{
    const struct pat_sought *s = &a->sought;
    struct made_find *out = a->out;

    out->match = prvcut_zeroed(s->places + 1, sizeof *out->match, "matches", err);
    out->first = prvcut_zeroed(s->places + 1, sizeof *out->first, "matches", err);
    out->part = prvcut_zeroed(s->parts + 1, sizeof *out->part, "matches", err);
    if (!out->match || !out->first || !out->part)
        return PRVCUT_ENOMEM;
    out->is.best = SIZE_MAX;
    for (size_t i = 0; i < s->places; i++) {
        struct prvcut_find_match *m = &out->match[i];

        out->first[i] = out->parts;
        find_match(a, &s->place[i], m);
        if (!m->own && (out->is.best == SIZE_MAX || find_is_better(m, &out->match[out->is.best])))
            out->is.best = i;
    }
    out->is.matches = s->places;
    out->is.messages_inside = s->inside;
    out->is.messages_across = s->across;
    return PRVCUT_OK;
}

static enum prvcut_status find_seek(struct afd_asked *a, struct prvcut_error *err)
{
    const struct pat_nearness near = { .edits = a->options->edits,
                                       .share = a->options->share,
                                       .by_share = a->options->by_share };
    struct prvcut_dictionary names;
    enum prvcut_status st;

    st = pat_seek(&a->sought, a->from, a->piece, &a->rows[0], &near, a->in, a->run, err);
    if (st < 0)
        return st;
    st = a->in->reader->describe(a->in, &names, err);
    if (st == PRVCUT_OK)
        st = find_names(a->out, a->in, &names, err);
    prvcut_dictionary_fini(&names);
    if (st == PRVCUT_OK)
        st = find_queries(a, err);
    if (st == PRVCUT_OK)
        st = find_matches(a, err);
    return st == PRVCUT_OK ? find_insides(a, err) : st;
}

/* Does the command name the trace that the query is from, the searched one as --in? */
static bool find_names_query(const struct prvcut_find_options *o)
{
    return o->window.end > 0 || o->iteration + o->pattern > 0;
}

/* Beside the trace; of an archive, which cuts have a folder of their own for, in the present one.
 */
static enum prvcut_status find_name_cut(char **out, const struct prvcut_trace *in,
                                        struct prvcut_error *err)
{
    const char *shown = prvcut_trace_shown(in), *slash = strrchr(shown, '/');

    if (in->reader->format->packs)
        return prvcut_output_name(out, in->reader, shown, "found", NULL, err);
    return prvcut_output_sibling(out, in->reader, slash && slash[1] ? slash + 1 : shown, "found",
                                 NULL, err);
}

static enum prvcut_status find_called(const struct afd_asked *a, struct made_find *out,
                                      struct prvcut_error *err)
{
    struct prvcut_trace *in = a->in, *query = a->query;
    enum prvcut_status st = prvcut_trace_called(&out->called, in, err);

    if (st == PRVCUT_OK)
        st = prvcut_trace_called(&out->query_called, query, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_typed(&out->typed, find_names_query(a->options) ? query : in, err);
    if (st == PRVCUT_OK && out->is.best != SIZE_MAX && in->reader->cut)
        st = find_name_cut(&out->cut, in, err);
    out->again = a->run ? a->run->again : NULL;
    out->is.name = out->called;
    out->is.query = out->query_called;
    return st;
}

enum prvcut_status api_find_make(struct prvcut_trace *in, struct prvcut_trace *query,
                                 const struct prvcut_run *run,
                                 const struct prvcut_find_options *options, struct made_find *out,
                                 struct prvcut_error *err)
{
    const struct prvcut_span all = { 0, 0 };
    struct afd_asked a = {
        .in = in, .query = query ? query : in, .run = run, .options = options, .out = out
    };
    const bool elsewhere = a.query != in;
    enum prvcut_status st = find_check(&a, err), asked;

    out->is.best = SIZE_MAX;
    out->is.elsewhere = elsewhere;
    if (st == PRVCUT_OK && options->pattern > 0)
        st = api_find_pattern(&a.pattern, a.query, run, options->pattern, options->symbols, err);
    if (st == PRVCUT_OK)
        st = find_symbols(&a, err);
    if (st == PRVCUT_OK)
        st = pat_rows_read(&a.rows[0], in, run, all, a.alphabet, err);
    if (st == PRVCUT_OK && elsewhere)
        st = pat_rows_read(&a.rows[1], query, run, all, a.alphabet, err);
    a.from = &a.rows[elsewhere];
    if (st == PRVCUT_OK && a.from->bare)
        out->is.no_calls = a.from->rows > 0 ? "no calls but Init and Finalize" : "no calls";
    asked = st = st == PRVCUT_OK && !out->is.no_calls ? find_query(&a, err) : st;
    if (st == PRVCUT_OK && !out->is.no_calls)
        st = find_seek(&a, err);
    if (st >= 0 && find_called(&a, out, err) < 0)
        st = PRVCUT_ENOMEM;
    out->is.skipped = in->skipped + (elsewhere ? query->skipped : 0);
    api_find_pattern_fini(&a.pattern);
    pat_sought_fini(&a.sought);
    pat_rows_fini(&a.rows[0]);
    pat_rows_fini(&a.rows[1]);
    free(a.piece);
    return prvcut_trace_outcome(in, asked == PRVCUT_NONE && st >= 0 ? asked : st, err);
}

void prvcut_find_free(struct prvcut_find *f)
{
    struct made_find *m = (struct made_find *)f;

    for (uint32_t i = 0; m && i < m->thread_names; i++)
        free(m->thread_name[i]);
    if (m) {
        free(m->thread_name);
        free(m->query);
        free(m->match);
        free(m->first);
        free(m->part);
        free(m->called);
        free(m->query_called);
        free(m->typed);
        free(m->cut);
        free(m->no_loop);
        free(m->body);
    }
    free(m);
}

const struct prvcut_find_query *prvcut_find_query(const struct prvcut_find *f, size_t i)
{
    return i < f->queries ? &made_find_of(f)->query[i] : NULL;
}

const struct prvcut_find_match *prvcut_find_match(const struct prvcut_find *f, size_t i)
{
    return i < f->matches ? &made_find_of(f)->match[i] : NULL;
}

const struct prvcut_find_part *prvcut_find_part(const struct prvcut_find *f, size_t match, size_t i)
{
    const struct made_find *m = made_find_of(f);

    return match < f->matches && i < m->match[match].parts ? &m->part[m->first[match] + i] : NULL;
}
