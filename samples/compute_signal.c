/* A bar chart of how many threads compute, over 20 equal parts of the run. */
#include <prvcut/signals.h>

#include <stdio.h>

static void print(const struct prvcut_signal *s)
{
    if (s->absent) {
        printf("no %s: %s\n", s->name, s->absent);
        return;
    }
    for (size_t i = 0; i < s->bins; i++) {
        printf("%10.3f ms %7.2f %-8s ", (double)(s->start + i * s->width) / 1e6, s->at[i], s->unit);
        for (double x = 0.5; x <= s->at[i]; x++)
            putchar('#');
        putchar('\n');
    }
}

static enum prvcut_status run(const char *path, struct prvcut_error *err)
{
    const struct prvcut_run all_processors = { .threads = 0 };
    const struct prvcut_span whole = { 0, 0 };
    struct prvcut_signals *signals = NULL;
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    if (st < 0)
        return st;
    st = prvcut_signals_compute(trace, &all_processors, "computing", &whole, 20, &signals, err);
    if (st == PRVCUT_OK)
        print(prvcut_signals_at(signals, 0));
    prvcut_signals_free(signals);
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
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
