/* A metric of one's own (bytes sent per bin), and the period that it shows. */
#include <prvcut/records.h>
#include <prvcut/signals.h>

#include <stdio.h>
#include <stdlib.h>

#define BINS 8192

static enum prvcut_status take(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct prvcut_signal *s = ctx;

    for (size_t i = 0; i < count; i++) {
        const size_t bin = (size_t)(record[i].begin / s->width);

        if (bin < s->bins)
            s->at[bin] += (double)record[i].size;
    }
    return PRVCUT_OK;
}

static enum prvcut_status search(struct prvcut_trace *trace, struct prvcut_signal *s,
                                 struct prvcut_error *err)
{
    const struct prvcut_records_wish wish = { .kinds = PRVCUT_RECORD_MESSAGE | PRVCUT_RECORD_SEND,
                                              .ctx = s,
                                              .take = take };
    struct prvcut_vote *found = NULL;
    char period[32];
    enum prvcut_status st = prvcut_records_read(trace, NULL, &wish, err);

    if (st == PRVCUT_OK)
        st = prvcut_signal_period(s, &found, err);
    if (st == PRVCUT_OK)
        printf("%.0f iterations of %s, strength %.2f\n", found->iterations,
               prvcut_time_text(period, found->period_ns), found->strength);
    else if (st == PRVCUT_NONE)
        printf("no period: %s\n", found->why);
    prvcut_vote_free(found);
    return st;
}

static enum prvcut_status run(const char *path, struct prvcut_error *err)
{
    struct prvcut_signal signal = {
        .size = sizeof signal, .name = "sent", .unit = "bytes", .bins = BINS
    };
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    if (st < 0)
        return st;
    signal.width = prvcut_trace_end(trace) / BINS + 1;
    signal.at = calloc(BINS, sizeof *signal.at);
    st = signal.at ? search(trace, &signal, err) : PRVCUT_ENOMEM;
    free(signal.at);
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
