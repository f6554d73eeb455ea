#include "prvcut/index.h"
#include "api/answers.h"
#include "api/entries.h"

#include "api/able.h"
#include "api/index.h"
#include "api/job_unusual.h"
#include "api/job_why.h"
#include "api/names.h"
#include "base/buffer.h"
#include "base/exchange.h"
#include "base/kept.h"
#include "prvcut/inspect.h"
#include "report/json.h"
#include "report/lines.h"
#include "signal/keep.h"

#include <stdlib.h>
#include <string.h>

/* More bytes than this are not kept: very many threads. */
#define MEASURED_MOST ((size_t)16 << 20)

/* What the job without options cuts. */
#define ITERATIONS 2

static enum prvcut_status idx_usable(const struct prvcut_trace *t, struct prvcut_error *err)
{
    if (!able_is(t->reader, PRVCUT_ABLE_INDEX))
        return able_refuse(t, PRVCUT_ABLE_INDEX, err);
    if (t->unpacked) {
        prvcut_instead(err, "tar -xf ARCHIVE");
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: an index is kept beside its trace, and this one is in an archive; "
                           "unpack it first",
                           prvcut_trace_told(t));
    }
    if (!index_can_keep(t)) {
        able_propose(err, PRVCUT_ABLE_INDEX);
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "%s: an index is for traces that can be read from anywhere: a plain file, "
            "or zstd as prvcut writes it",
            t->path);
    }
    return PRVCUT_OK;
}

/* Adds a section and starts the next one; p keeps the first failure. */
static enum prvcut_status idx_close_section(struct prvcut_keeper *k, const char *name,
                                            struct prvcut_put *p)
{
    if (p->st == PRVCUT_OK)
        p->st = prvcut_keeper_add(k, name, p->b.at, p->b.count, p->err);
    prvcut_buffer_fini(&p->b);
    return p->st;
}

static enum prvcut_status idx_add_census(struct prvcut_keeper *k, const struct census *c,
                                         struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };

    index_put_census(&p, c);
    return idx_close_section(k, "census", &p);
}

/* What is in the trace is told by the reading that collects signals; not where that is shared with
   other processes, each of which would have to read all of it then. */
static enum prvcut_status idx_collect(struct job *j, struct census *c, struct prvcut_error *err)
{
    struct census_taker *t;
    enum prvcut_status st;

    if (j->run->exchange) {
        st = job_collect(j, err);
        return st == PRVCUT_OK ? census_take(j->trace, j->run, c, err) : st;
    }
    st = census_taker_new(&t, j->trace, c, err);
    j->beside = t ? census_taker_listener(t) : NULL;
    if (st == PRVCUT_OK)
        st = job_collect(j, err);
    if (st == PRVCUT_OK)
        st = census_taker_finish(t, &j->data.counts, err);
    census_taker_free(t);
    return st;
}

static enum prvcut_status idx_add_collection(struct prvcut_keeper *k, const struct job *j,
                                             struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };

    j->trace->reader->shape(j->trace, &p);
    idx_close_section(k, "shape", &p);
    if (p.st == PRVCUT_OK)
        p.st = j->trace->reader->keep(j->trace, &p);
    idx_close_section(k, "blocks", &p);
    index_put_input(&p, j);
    idx_close_section(k, "input", &p);
    prvcut_calls_put(&p, &j->data);
    idx_close_section(k, "calls", &p);
    prvcut_calls_beyond_put(&p, &j->data);
    idx_close_section(k, "beyond", &p);
    for (unsigned i = 0; i < PRVCUT_METRICS; i++) {
        if (!j->data.signal[i].name)
            continue;
        prvcut_signal_put(&p, &j->data.signal[i]);
        idx_close_section(k, j->data.signal[i].name, &p);
    }
    return p.st;
}

/* What the search without options tells of the longest iterations; both divisions, which may have
   the same loop, add to one section. */
static enum prvcut_status idx_put_why(struct prvcut_put *p, struct job *j, struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK };
    /* Texts tell of ranks, or of threads. */
    enum prvcut_status st = job_tell_input(j, err);

    if (st == PRVCUT_OK)
        st = job_unusual_settle(j, err);
    if (st < 0)
        return st;
    j->whys = p;
    st = job_why_structure(j, &why);
    j->whys = NULL;
    /* What cannot be told is not kept. */
    if (st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT)
        return PRVCUT_OK;
    if (st < 0 && err)
        *err = why;
    return st < 0 ? st : PRVCUT_OK;
}

/* What the job without options measures to choose its windows; j, whose structure is found, has
   other options and windows afterwards. */
static enum prvcut_status idx_put_measured(struct prvcut_put *p, struct job *j,
                                           struct prvcut_error *err)
{
    static const struct prvcut_cut_options cut = { .dry_run = true };
    static const struct prvcut_reduce_options options = { .iterations = ITERATIONS,
                                                          .cheap_proof = true,
                                                          .cut = &cut };
    struct prvcut_error why = { .status = PRVCUT_OK };
    struct job_plan plan;
    enum prvcut_status st;

    if (!j->out->is.periodic)
        return PRVCUT_OK;
    j->options = &options;
    j->looks = true;
    j->measured = p;
    st = job_plan_make(j, &plan, &why);
    job_plan_fini(&plan);
    j->measured = NULL;
    if (p->b.count > MEASURED_MOST)
        p->b.count = 0;
    /* What cannot be cut is not kept. */
    if (st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT)
        return PRVCUT_OK;
    if (st < 0 && err)
        *err = why;
    return st < 0 ? st : PRVCUT_OK;
}

/* Divide as a search without options would; the first pass is borrowed. */
static enum prvcut_status idx_add_division(struct prvcut_keeper *k, const struct job *first,
                                           unsigned levels, struct prvcut_put *whys,
                                           struct prvcut_error *err)
{
    struct made_reduction out = { .is.reason = "" };
    struct job j = { .trace = first->trace,
                     .run = first->run,
                     .wish = { .levels = levels, .causes = PRVCUT_STRUCTURE_CAUSES },
                     .out = &out,
                     .end_ns = first->end_ns,
                     .data = first->data,
                     .calls_are_regions = first->calls_are_regions,
                     .calls_are_states = first->calls_are_states };
    struct prvcut_put p = { .err = err };
    uint32_t metrics;
    bool calls;
    enum prvcut_status st = job_metrics(&j, &metrics, &calls, err);

    if (st == PRVCUT_OK) {
        job_ask_counters(&j);
        st = job_divide(&j, err);
    }
    if (st >= 0) {
        index_put_division(&p, &j);
        st = idx_close_section(k, index_division_name(&j), &p);
    }
    if (st >= 0 && levels == 1)
        st = index_put_profile(&p, &j, err);
    if (st >= 0 && levels == 1)
        st = idx_close_section(k, "profile", &p);
    if (st >= 0)
        st = idx_put_why(whys, &j, err);
    if (st >= 0 && levels == 1)
        st = idx_put_measured(&p, &j, err);
    if (st >= 0 && levels == 1)
        st = idx_close_section(k, "measured", &p);
    j.data = (struct prvcut_collection){ .sequences = 0 };
    job_fini(&j);
    api_reduction_fini(&out);
    return st;
}

/* All metrics, and the calls. */
static void idx_name_metrics(struct prvcut_put *p)
{
    for (unsigned i = 0; i < PRVCUT_METRICS; i++) {
        prvcut_put_bytes(p, prvcut_metric_table[i].name, strlen(prvcut_metric_table[i].name));
        prvcut_put_bytes(p, ",", 1);
    }
    prvcut_put_bytes(p, "calls", sizeof "calls");
}

static enum prvcut_status idx_make(struct prvcut_keeper *k, struct prvcut_trace *t,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_put names = { .err = err }, whys = { .err = err };
    struct made_reduction input = { .is.reason = "" };
    struct job j = { .trace = t, .run = run, .out = &input };
    struct census c = { .threads = 0 };
    enum prvcut_status st;

    idx_name_metrics(&names);
    j.wish.metrics = names.b.at;
    st = names.st == PRVCUT_OK ? idx_collect(&j, &c, err) : names.st;
    if (st == PRVCUT_OK)
        st = idx_add_collection(k, &j, err);
    if (st == PRVCUT_OK)
        st = idx_add_division(k, &j, 1, &whys, err);
    if (st == PRVCUT_OK)
        st = idx_add_division(k, &j, 0, &whys, err);
    if (st == PRVCUT_OK)
        st = idx_close_section(k, "why", &whys);
    if (st == PRVCUT_OK)
        st = idx_add_census(k, &c, err);
    census_fini(&c);
    job_fini(&j);
    api_reduction_fini(&input);
    prvcut_buffer_fini(&names.b);
    prvcut_buffer_fini(&whys.b);
    return st;
}

static enum prvcut_status idx_make_and_write(struct prvcut_trace *t, const struct prvcut_run *run,
                                             const struct prvcut_index_options *options,
                                             struct prvcut_index_result *out,
                                             struct prvcut_error *err)
{
    struct prvcut_identity before, after;
    struct prvcut_keeper k = { 0 };
    enum prvcut_status st = prvcut_identify(&before, t->path, err);

    if (st == PRVCUT_OK)
        st = idx_make(&k, t, run, err);
    if (st == PRVCUT_OK)
        st = prvcut_identify(&after, t->path, err);
    if (st == PRVCUT_OK && (!prvcut_identity_same(&before, &after) || before.size != t->bytes))
        st = prvcut_fail(err, PRVCUT_EIO, "%s: was changed while it was read", t->path);
    if (st == PRVCUT_OK && !options->dry_run)
        st = prvcut_keeper_write(&k, out->path, options->force, prvcut_version(), &before,
                                 &out->bytes, err);
    prvcut_keeper_fini(&k);
    return st;
}

/* An index has the one name, so there is no other to give. */
static enum prvcut_status idx_is_free(const char *path, bool force, struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK };
    const enum prvcut_status st = prvcut_output_is_free(path, force, &why);

    if (st == PRVCUT_EEXIST) {
        prvcut_instead(err, "%s", why.instead);
        return prvcut_fail(err, st, "%s exists: -f replaces it", path);
    }
    if (st < 0)
        *err = why;
    return st;
}

enum prvcut_status api_index_write(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_index_options *options,
                                   struct prvcut_index_result *out, struct prvcut_error *err)
{
    enum prvcut_status st = idx_usable(trace, err);

    if (st == PRVCUT_OK)
        st = index_name(&out->path, trace, err);
    if (st == PRVCUT_OK)
        st = idx_is_free(out->path, options->force, err);
    out->trace_bytes = trace->bytes;
    /* One that shares the reading reads its piece for the one that writes. */
    if (st < 0 || (options->dry_run && !prvcut_exchange_is_shared(run->exchange)))
        return st;
    /* The new one is made from the trace, not from the old one. */
    prvcut_kept_close(trace->kept);
    trace->kept = NULL;
    trace->kept_why = NULL;
    trace->kept_asked = true;
    return idx_make_and_write(trace, run, options, out, err);
}

void prvcut_index_result_free(struct prvcut_index_result *r)
{
    if (r)
        free(r->path);
    free(r);
}

enum prvcut_status prvcut_index_result_text(const struct prvcut_index_result *r, bool json,
                                            char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char size[32];

    *text = NULL;
    if (json) {
        const struct report_field fields[] = {
            REPORT_JSON_HEAD("prvcut-index"),
            { "path", report_json_text(r->path) },
            { "bytes", r->bytes > 0 ? report_json_integer(r->bytes) : json_null() },
            { "trace_bytes", report_json_integer(r->trace_bytes) },
        };

        return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
    }
    report_head(&l, "Index");
    report_put_foreign(&l, r->path);
    report_put(&l, ", %s",
               r->bytes > 0 ? prvcut_size_text(size, (double)r->bytes) : "not written,");
    report_put(&l, " for a trace of %s\n", prvcut_size_text(size, (double)r->trace_bytes));
    return report_take(&l, text);
}
