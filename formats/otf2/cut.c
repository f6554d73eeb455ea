#include "otf2/mark.h"
#include "otf2/sieve.h"

#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>
#include <string.h>

/* --- Locations in parallel ---------------------------------------------------------------- */

static enum prvcut_status cut_take(void *ctx, unsigned worker, void **item,
                                   struct prvcut_error *err)
{
    struct o2_cutter *c = ctx;

    (void)worker;
    (void)err;
    if (c->next == c->locations)
        return PRVCUT_END;
    *item = &c->place[c->next++];
    return PRVCUT_OK;
}

static enum prvcut_status cut_open_writer(struct o2_place *p, struct prvcut_error *err)
{
    const struct o2_cutter *c = p->cutter;

    if (!c->writing || !c->archive)
        return PRVCUT_OK;
    o2_library_clear();
    p->writer = OTF2_Archive_GetEvtWriter(c->archive, c->trace->defs.location[p->thread].id);
    return p->writer ? PRVCUT_OK : o2_write_fail(c, OTF2_ERROR_INVALID, err);
}

static enum prvcut_status cut_close_writer(struct o2_place *p, struct prvcut_error *err)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (p->writer)
        code = o2_written(OTF2_Archive_CloseEvtWriter(p->cutter->archive, p->writer));
    p->writer = NULL;
    return code == OTF2_SUCCESS ? PRVCUT_OK : o2_write_fail(p->cutter, code, err);
}

static enum prvcut_status cut_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct o2_cutter *c = ctx;
    struct o2_place *p = item;
    enum prvcut_status st = cut_open_writer(p, err), closed;

    if (st == PRVCUT_OK && c->writing)
        st = o2_place_write(p, &c->reader[worker], err);
    else if (st == PRVCUT_OK)
        st = o2_place_survey(c->row, c->rows, p->thread, &c->reader[worker], err);
    if (st < 0)
        o2_library_clear();
    closed = cut_close_writer(p, err);
    return st < 0 ? st : closed;
}

static bool cut_join_used(struct o2_cutter *c, struct o2_place *p)
{
    for (size_t i = 0; i < p->used.put.count; i++)
        if (!o2_map_put(&c->used, o2_map_at(&p->used, i)->key, 1))
            return false;
    o2_map_fini(&p->used);
    o2_map_fini(&p->sends);
    o2_state_fini(&p->state);
    return true;
}

static enum prvcut_status cut_join(void *ctx, void *item, enum prvcut_status failed,
                                   struct prvcut_error *err)
{
    struct o2_cutter *c = ctx;
    struct o2_place *p = item;

    if (failed < 0 || !c->writing)
        return failed;
    c->sum->events += p->events;
    c->sum->messages += p->messages;
    c->sum->dropped_messages += p->dropped;
    c->sum->kept_messages += p->kept;
    c->sum->reopened += p->reopened;
    c->sum->closed += p->closed;
    c->sum->clipped_states += p->clipped;
    c->unknown += p->unknown;
    if (!cut_join_used(c, p))
        return prvcut_no_memory(err, "definitions");
    return PRVCUT_OK;
}

static void cut_drop(void *ctx, void *item)
{
    (void)ctx;
    (void)item;
}

/* A reader takes the local definitions of a location only once. */
static void cut_close_readers(struct o2_cutter *c)
{
    for (unsigned i = 0; i < c->workers && c->reader; i++) {
        if (c->reader[i])
            o2_reader_close(c->reader[i]);
        c->reader[i] = NULL;
    }
}

static enum prvcut_status cut_read_all(struct o2_cutter *c, bool writing, struct prvcut_error *err)
{
    const struct prvcut_ordered o = {
        .ctx = c, .take = cut_take, .work = cut_work, .join = cut_join, .drop = cut_drop
    };

    enum prvcut_status st;

    c->writing = writing;
    c->next = 0;
    st = prvcut_ordered_run(&o, c->workers, err);
    cut_close_readers(c);
    return st;
}

/* --- Before and after --------------------------------------------------------------------- */

/* Ticks of the location's own clock that bring it to the common one. */
static uint64_t cut_shift_of(const struct o2_cutter *c, uint32_t thread)
{
    const struct prvcut_clocks *k = &c->trace->base.clocks;
    const uint32_t task = c->trace->defs.location[thread].task;
    const uint64_t second = UINT64_C(1000000000);
    uint64_t ns;

    if (c->options->own_clocks || !k->offset || task >= k->tasks || k->offset[task] <= 0)
        return 0;
    ns = (uint64_t)k->offset[task];
    return ns / second * c->trace->defs.resolution +
           (uint64_t)((long double)(ns % second) * c->trace->defs.resolution / second);
}

/* The last instant belongs to a window that reaches the trace's end. */
static void cut_place_init(struct o2_cutter *c, uint32_t thread)
{
    const struct prvcut_span own = prvcut_window_own(c->window, thread);
    struct o2_place *p = &c->place[thread];

    *p = (struct o2_place){ .cutter = c,
                            .thread = thread,
                            .shift = cut_shift_of(c, thread),
                            .channels = PRVCUT_TABLE(struct o2_channel, before, "channels"),
                            .pending = PRVCUT_TABLE(struct o2_posted, post, "requests") };
    p->from = own.start > 0 ? o2_tick(c->trace, thread, own.start) : 0;
    p->to = own.end < c->trace->base.end_ns ? o2_tick(c->trace, thread, own.end) : UINT64_MAX;
    if (p->to < p->from)
        p->to = p->from;
    c->whole = c->whole && p->from == 0 && p->to == UINT64_MAX && p->shift == 0;
}

static enum prvcut_status cut_init(struct o2_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    c->locations = c->trace->defs.locations;
    c->workers = prvcut_workers(c->run->threads);
    if (c->workers > c->locations)
        c->workers = c->locations > 0 ? c->locations : 1;
    c->whole = true;
    c->place = prvcut_zeroed((size_t)c->locations + 1, sizeof *c->place, "locations", err);
    c->reader = prvcut_zeroed(c->workers, sizeof(OTF2_Reader *), "locations", err);
    if (!c->place || !c->reader)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < c->locations && st == PRVCUT_OK; i++) {
        cut_place_init(c, i);
        c->place[i].sift = c->sieve ? o2_sift_new(c->sieve, i) : NULL;
        if (c->sieve && !c->place[i].sift)
            return prvcut_no_memory(err, "locations");
        if (c->marker)
            st = o2_due_new(&c->place[i].due, c->marker, c->trace, i, err);
    }
    return st;
}

static void cut_place_fini(struct o2_place *p)
{
    o2_state_fini(&p->state);
    o2_sift_free(p->sift);
    o2_due_free(p->due);
    prvcut_table_fini(&p->pending);
    free(p->posts);
    for (size_t i = 0; i < p->channels.count; i++)
        o2_order_free(((struct o2_channel *)p->channels.at)[i].order);
    o2_map_fini(&p->sends);
    o2_map_fini(&p->used);
    prvcut_table_fini(&p->channels);
    free(p->calls);
    free(p->stretch);
    free(p->repost);
}

/* All but the archive: it is written, or it never will be. */
static void cut_rest(struct o2_cutter *c)
{
    for (uint32_t i = 0; i < c->locations && c->place; i++)
        cut_place_fini(&c->place[i]);
    cut_close_readers(c);
    o2_map_fini(&c->used);
    free(c->reader);
    free(c->place);
    c->reader = NULL;
    c->place = NULL;
}

static void cut_o2_fini(struct o2_cutter *c)
{
    o2_archive_drop(c);
    cut_rest(c);
    pthread_mutex_destroy(&c->lock);
}

/* First tick and length of what is written: those of the window, as far as the trace reaches. */
static void cut_span(struct o2_cutter *c)
{
    const struct o2_trace *t = c->trace;
    uint64_t first = UINT64_MAX, last = 0;

    for (uint32_t i = 0; i < c->locations; i++) {
        const struct o2_place *p = &c->place[i];
        const uint64_t from = p->from > 0 ? p->from : t->defs.offset;
        const uint64_t to = p->to < UINT64_MAX ? p->to : o2_tick(t, i, t->base.end_ns);

        if (p->from < p->to) {
            first = from + p->shift < first ? from + p->shift : first;
            last = to + p->shift > last ? to + p->shift : last;
        }
        if (p->events > 0) {
            first = p->first < first ? p->first : first;
            last = p->last > last ? p->last : last;
        }
    }
    if (first > last)
        first = last = t->defs.offset;
    c->offset = c->options->keep_time && t->defs.offset <= first ? t->defs.offset : first;
    c->length = last - c->offset;
}

/* What the events would take up, by what the original's take up. */
static void cut_forecast(struct o2_cutter *c)
{
    for (uint32_t i = 0; i < c->locations; i++) {
        const struct o2_marks *m = &c->trace->marks[i];
        const uint64_t size = c->trace->size[i];

        if (m->events > 0 && size != UINT64_MAX)
            c->sum->bytes +=
                (uint64_t)((double)size * (double)c->place[i].events / (double)m->events);
    }
}

/* The second reading. */
static enum prvcut_status cut_write(struct o2_cutter *c, struct prvcut_error *err)
{
    const bool dry = c->options->dry_run;
    enum prvcut_status st = o2_match(c, err);

    for (uint32_t i = 0; c->sieve && i < c->locations; i++)
        c->place[i].sift->post = 0;
    if (st == PRVCUT_OK && !dry)
        st = o2_archive_open(c, err);
    if (st == PRVCUT_OK)
        st = cut_read_all(c, true, err);
    if (st < 0)
        return st;
    cut_span(c);
    if (!dry)
        return o2_archive_finish(c, err);
    cut_forecast(c);
    return PRVCUT_OK;
}

static void cut_tell(struct o2_cutter *c, struct prvcut_filter_summary *counts)
{
    for (uint32_t i = 0; c->place && i < c->locations; i++) {
        if (counts)
            o2_sift_add(counts, c->place[i].sift);
        if (c->marker)
            c->marker->written += o2_due_written(c->place[i].due);
    }
}

/* All are surveyed in one reading, and written before the first one appears. */
static enum prvcut_status cut_row(struct o2_cutter *row, size_t rows,
                                  struct prvcut_filter_summary *counts, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++) {
        row[i].row = row;
        row[i].rows = rows;
        st = cut_init(&row[i], err);
        if (st == PRVCUT_OK && !row[i].options->dry_run)
            st = o2_archive_prepare(&row[i], err);
    }
    if (st == PRVCUT_OK)
        st = cut_read_all(row, false, err);
    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++) {
        st = cut_write(&row[i], err);
        cut_tell(&row[i], counts);
        cut_rest(&row[i]);
    }
    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        if (!row[i].options->dry_run)
            st = o2_archive_commit(&row[i], err);
    return st;
}

static enum prvcut_status cut_perform(struct o2_cutter *row, size_t rows,
                                      struct prvcut_filter_summary *counts,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t locks = 0;

    while (locks < rows && pthread_mutex_init(&row[locks].lock, NULL) == 0)
        locks++;
    st = locks == rows ? cut_row(row, rows, counts, err) : prvcut_no_memory(err, "a lock");
    for (size_t i = 0; i < locks; i++)
        cut_o2_fini(&row[i]);
    return st;
}

enum prvcut_status o2_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                          const struct prvcut_subtrace *sub, size_t count, struct prvcut_error *err)
{
    struct o2_cutter *row = prvcut_zeroed(count, sizeof *row, "cuts", err);
    enum prvcut_status st;

    if (!row)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        row[i] = (struct o2_cutter){ .trace = (struct o2_trace *)t,
                                     .run = run,
                                     .window = sub[i].window,
                                     .options = sub[i].options,
                                     .sum = sub[i].out };
        sub[i].out->window = prvcut_window_within(sub[i].window, t->end_ns);
    }
    st = cut_perform(row, count, NULL, err);
    free(row);
    return st;
}

enum prvcut_status o2_copy(struct o2_trace *t, const struct prvcut_run *run,
                           const struct o2_change *change, const struct prvcut_cut_options *options,
                           struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const struct prvcut_window all = { .from = 0, .to = UINT64_MAX };
    struct prvcut_cut_options whole = *options;
    struct o2_cutter c = { .trace = t,
                           .run = run,
                           .window = &all,
                           .options = &whole,
                           .sum = out,
                           .copies = change->sieve != NULL,
                           .sieve = change->sieve,
                           .marker = change->marker };

    whole.keep_time = whole.keep_messages = whole.all_definitions = true;
    return cut_perform(&c, 1, change->counts, err);
}
