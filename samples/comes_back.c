/* Which stretches of calls come back, be they in a loop or not? */
#include <prvcut/patterns.h>

#include <inttypes.h>
#include <stdio.h>

static void print(const struct prvcut_patterns *p)
{
    for (size_t i = 0; i < p->repeats && i < 3; i++) {
        const struct prvcut_repeat *r = prvcut_patterns_repeat(p, i);

        printf("%" PRIu64 " calls, %" PRIu64 " times without overlap, first at %" PRIu64 " ns:",
               r->length, r->disjoint, r->first_ns);
        for (size_t k = 0; k < r->length && k < 8; k++)
            printf(" %s", prvcut_repeat_call(p, i, k));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct prvcut_patterns_options options = { .size = sizeof options, .repeats = true };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = NULL;
    struct prvcut_patterns *found = NULL;
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    st = prvcut_trace_open(&trace, argv[1], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_patterns_make(trace, NULL, &options, &found, &err);
    if (st == PRVCUT_OK)
        print(found);
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_patterns_free(found);
    prvcut_trace_close(trace);
    return st == PRVCUT_OK ? 0 : 1;
}
