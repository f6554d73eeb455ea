/* How long is each thread in each state? Reads a trace record by record. */
#include <prvcut/records.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define STATES 32

struct times {
    uint64_t (*of)[STATES]; /* [threads] ns */
    uint32_t threads;
};

static enum prvcut_status take(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct times *t = ctx;

    for (size_t i = 0; i < count; i++)
        if (record[i].value >= 0 && record[i].value < STATES)
            t->of[record[i].thread][record[i].value] += record[i].end - record[i].begin;
    return PRVCUT_OK;
}

static void print(const struct times *t, const struct prvcut_names *names)
{
    for (uint32_t i = 0; i < t->threads; i++)
        for (unsigned k = 0; k < STATES; k++) {
            const char *name = prvcut_names_state(names, k);

            if (t->of[i][k] > 0)
                printf("thread %" PRIu32 "  %-24s %12" PRIu64 " ns\n", i + 1, name ? name : "?",
                       t->of[i][k]);
        }
}

static enum prvcut_status run(const char *path, struct prvcut_error *err)
{
    struct prvcut_trace *trace = NULL;
    struct prvcut_names *names = NULL;
    struct times times = { 0 };
    const struct prvcut_records_wish wish = { .kinds = PRVCUT_RECORD_STATE,
                                              .ctx = &times,
                                              .take = take };
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    if (st < 0)
        return st;
    times.threads = prvcut_trace_threads(trace);
    times.of = calloc(times.threads, sizeof *times.of);
    if (!times.of)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = prvcut_records_read(trace, NULL, &wish, err);
    if (st == PRVCUT_OK)
        st = prvcut_names_new(&names, trace, err);
    if (st == PRVCUT_OK)
        print(&times, names);
    prvcut_names_free(names);
    free(times.of);
    prvcut_trace_close(trace);
    return st;
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { 0 };

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    if (run(argv[1], &err) < 0) {
        fprintf(stderr, "%s\n", err.text[0] ? err.text : "out of memory");
        return 1;
    }
    return 0;
}
