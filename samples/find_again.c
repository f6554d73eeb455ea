/* Where else does what the third iteration does happen? */
#include <prvcut/find.h>

#include <inttypes.h>
#include <stdio.h>

static void print(const struct prvcut_find *f)
{
    const struct prvcut_find_match *best = prvcut_find_match(f, f->best);

    printf("%zu places, %" PRIu64 " of them exact\n", f->matches, f->exact);
    if (best)
        printf("the best from %" PRIu64 " to %" PRIu64 " ns, %zu threads, %" PRIu64 " edits\n",
               best->span.start, best->span.end, best->parts, best->edits);
}

int main(int argc, char **argv)
{
    const struct prvcut_find_options options = {
        .size = sizeof options, .iteration = 3, .share = 0.1, .by_share = true
    };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = NULL;
    struct prvcut_find *found = NULL;
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    st = prvcut_trace_open(&trace, argv[1], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_find_make(trace, NULL, NULL, &options, &found, &err);
    if (st == PRVCUT_OK)
        print(found);
    else
        fprintf(stderr, "%s\n", st < 0 ? err.text : found->no_loop);
    prvcut_find_free(found);
    prvcut_trace_close(trace);
    return st == PRVCUT_OK ? 0 : 1;
}
