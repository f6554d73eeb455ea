/* What does the program repeat? Divides a run into its regions and prints the loops. */
#include <prvcut/structure.h>

#include <stdio.h>

static void print(const struct prvcut_structure *s)
{
    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(s, i);
        char period[32];

        if (r->iterations > 0)
            printf("level %u: %.0f iterations of %s, confidence %.2f (%s)\n", r->level,
                   r->iterations, prvcut_time_text(period, r->period_ns), r->confidence,
                   r->found_by == PRVCUT_FOUND_BY_SIGNAL ? r->metric
                                                         : prvcut_found_by_text(r->found_by));
    }
}

static enum prvcut_status run(const char *path, struct prvcut_error *err)
{
    const struct prvcut_structure_options options = { .levels = 0 };
    const struct prvcut_run all_processors = { .threads = 0 };
    struct prvcut_structure *structure = NULL;
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, err);

    if (st < 0)
        return st;
    st = prvcut_structure_find(trace, &all_processors, &options, &structure, err);
    if (st == PRVCUT_OK)
        print(structure);
    else if (st == PRVCUT_NONE)
        printf("no loop: %s\n", structure->reason);
    prvcut_structure_free(structure);
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
