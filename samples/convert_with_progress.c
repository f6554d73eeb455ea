/* Convert a trace, show how far it is, and stop cleanly on Ctrl-C. */
#include <prvcut/convert.h>

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

/* Asked for often, from any thread. */
static bool stop(void *ctx)
{
    (void)ctx;
    return stopped != 0;
}

/* Never called by two threads at once. */
static void progress(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    unsigned *shown = ctx;
    const unsigned percent = total > 0 ? (unsigned)(100.0 * (double)done / (double)total) : 0;

    if (percent == *shown)
        return;
    *shown = percent;
    fprintf(stderr, "\r%s %u %%", prvcut_phase_text(phase), percent);
}

static enum prvcut_status run(const char *in, const char *out, struct prvcut_error *err)
{
    const struct prvcut_convert_options options = { .path = out };
    struct prvcut_convert_summary *summary = NULL;
    struct prvcut_trace *trace = NULL;
    unsigned shown = 101;
    const struct prvcut_run run = { .stop = stop, .progress = progress, .ctx = &shown };
    char *text = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, in, NULL, err);

    if (st < 0)
        return st;
    st = prvcut_convert(trace, &run, &options, &summary, err);
    fputs("\n", stderr);
    if (st == PRVCUT_OK)
        st = prvcut_convert_summary_text(summary, &text, err);
    if (st == PRVCUT_OK)
        fputs(text, stdout);
    free(text);
    prvcut_convert_summary_free(summary);
    prvcut_trace_close(trace);
    return st;
}

int main(int argc, char **argv)
{
    const struct sigaction action = { .sa_handler = on_signal };
    struct prvcut_error err = { 0 };

    if (argc != 3) {
        fprintf(stderr, "usage: %s IN OUT\n", argv[0]);
        return 2;
    }
    sigaction(SIGINT, &action, NULL);
    if (run(argv[1], argv[2], &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
