/* Which iterations are worth a look? Those that are unlike the others, and why they are. */
#include <prvcut/patterns.h>

#include <inttypes.h>
#include <stdio.h>

static void print(const struct prvcut_patterns *p)
{
    for (size_t i = 0; i < p->classes; i++) {
        const struct prvcut_pattern_class *c = prvcut_patterns_class(p, i);

        printf("%zu threads: %" PRIu64 " iterations of %" PRIu64 " calls\n", c->threads, c->count,
               c->iteration_calls);
    }
    for (size_t i = 0; i < p->points; i++) {
        const struct prvcut_point *at = prvcut_patterns_point(p, i);

        if (at->iteration > 0)
            printf("iteration %" PRIu64, at->iteration);
        else
            printf("one at %.2f ms, beside those of the structure,", (double)at->start_ns / 1e6);
        printf(" takes %.2f times as long as usual", at->factor);
        if (at->cause != PRVCUT_POINT_UNTOLD)
            printf(": %s %s on thread %s, %.2f ms more", prvcut_point_cause_text(at->cause),
                   at->call, prvcut_patterns_thread_name(p, at->cause_thread),
                   (double)at->excess_ns / 1e6);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct prvcut_patterns_options options = { .size = sizeof options, .points = true };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = NULL;
    struct prvcut_patterns *p = NULL;
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    st = prvcut_trace_open(&trace, argv[1], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_patterns_make(trace, NULL, &options, &p, &err);
    if (st == PRVCUT_OK)
        print(p);
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_patterns_free(p);
    prvcut_trace_close(trace);
    return st < 0;
}
