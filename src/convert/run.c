#include "convert/flow.h"

#include <string.h>
#include <sys/stat.h>

/* Seconds since 1970 at `from`. Where the trace does not tell, it is when it was written: nothing
   better is known. */
static int64_t wall_clock(const struct prvcut_trace *t, uint64_t from)
{
    struct stat info;

    if (t->wall_clock != INT64_MIN)
        return t->wall_clock + (int64_t)(from / 1000000000);
    return stat(t->path, &info) == 0 ? (int64_t)info.st_mtime : INT64_MIN;
}

/* Records that the writer counted as lost were not written. */
static void settle_counts(struct prvcut_convert_summary *sum, const uint64_t *before,
                          const struct prvcut_writer *writer)
{
    const struct {
        uint64_t *count;
        enum prvcut_carry what;
    } kind[] = {
        { &sum->written.states, PRVCUT_CARRY_STATES },
        { &sum->written.regions, PRVCUT_CARRY_REGIONS },
        { &sum->written.events, PRVCUT_CARRY_EVENTS },
        { &sum->written.counters, PRVCUT_CARRY_COUNTERS },
        { &sum->written.messages, PRVCUT_CARRY_MESSAGES },
    };

    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        const uint64_t lost = sum->lost[kind[i].what] - before[kind[i].what];

        if (kind[i].what == PRVCUT_CARRY_MESSAGES && !writer->whole_messages)
            continue;
        *kind[i].count -= lost < *kind[i].count ? lost : *kind[i].count;
    }
}

/* What the writer as a whole cannot carry is counted here, unless it did so itself. */
static void count_losses(struct cnv_flow *f, const struct prvcut_outline *o)
{
    const struct prvcut_trace *t = f->job->trace;
    const bool states = !t->reader->by_thread || t->states_recorded;
    uint64_t *had = f->extra;

    for (size_t i = 0; i < o->dictionary->states && states; i++)
        had[PRVCUT_CARRY_COLOURS] += o->dictionary->state[i].colour >= 0;
    had[PRVCUT_CARRY_COMMUNICATORS] += o->objects->communicators;
    had[PRVCUT_CARRY_NODES] += o->objects->nodes;
    had[PRVCUT_CARRY_APPLICATIONS] += o->objects->applications > 1 ? o->objects->applications : 0;
    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        if (!(f->job->writer->carries >> i & 1) && f->sum->lost[i] == 0)
            f->sum->lost[i] = had[i];
}

static enum prvcut_status refuse_losses(const struct cnv_job *job,
                                        const struct prvcut_convert_summary *sum,
                                        struct prvcut_error *err)
{
    uint64_t lost = sum->unmatched + sum->unpaired_left_out;

    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        lost += sum->lost[i];
    if (!job->options->strict || lost == 0)
        return PRVCUT_OK;
    return prvcut_fail(
        err, PRVCUT_ELOSS,
        "%s: %s has no room for %llu of the records and definitions; nothing was written "
        "(--strict)",
        prvcut_trace_told(job->trace), job->writer->format->name, (unsigned long long)lost);
}

static enum prvcut_status write_all(struct cnv_flow *f, const struct prvcut_outline *outline,
                                    struct prvcut_error *err)
{
    const struct cnv_job *job = f->job;
    const struct prvcut_writer *writer = job->writer;
    uint64_t before[PRVCUT_CARRIES];
    struct prvcut_writing *w = NULL;
    enum prvcut_status st = writer->open(&w, job->options->path, outline, job->options, err);

    if (st < 0)
        return st;
    memcpy(before, f->sum->lost, sizeof before);
    st = cnv_deliver(f, w, err);
    settle_counts(f->sum, before, writer);
    count_losses(f, outline);
    if (st == PRVCUT_OK)
        st = refuse_losses(job, f->sum, err);
    if (st < 0 || job->options->dry_run) {
        writer->abandon(w);
        return st;
    }
    return writer->commit(w, f->sum, err);
}

static enum prvcut_status convert(struct cnv_flow *f, struct prvcut_dictionary *d,
                                  struct prvcut_error *err)
{
    const struct cnv_job *job = f->job;
    struct prvcut_outline outline = { .source = prvcut_trace_told(job->trace),
                                      .format = job->trace->reader->format->name,
                                      .command = job->options->command,
                                      .dictionary = d,
                                      .wall_clock = wall_clock(job->trace, f->from),
                                      .threads = job->run->threads,
                                      .run = job->run };
    enum prvcut_status st = cnv_gather(f, err);

    if (st == PRVCUT_OK)
        st = cnv_pair(f, err);
    if (st == PRVCUT_OK)
        st = job->trace->reader->describe(job->trace, d, err);
    if (st < 0)
        return st;
    cnv_selection_names(&f->selection, &job->trace->objects, d);
    outline.objects = f->selection.all ? &job->trace->objects : &f->selection.objects;
    outline.end_ns = cnv_flow_length(f);
    return write_all(f, &outline, err);
}

enum prvcut_status cnv_run(const struct cnv_job *job, struct prvcut_convert_summary *sum,
                           struct prvcut_error *err)
{
    struct prvcut_dictionary d = { 0 };
    struct cnv_flow f;
    enum prvcut_status st = cnv_flow_init(&f, job, sum, err);

    if (st == PRVCUT_OK)
        st = convert(&f, &d, err);
    prvcut_dictionary_fini(&d);
    cnv_flow_fini(&f);
    return st;
}
