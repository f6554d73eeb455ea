/* Has a run become slower? What changed in an iteration of its loop, and on which rank. */
#include <prvcut/diff.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_changes(const struct prvcut_diff *d)
{
    const struct prvcut_diff_row *r;

    for (size_t i = 0; (r = prvcut_diff_change(d, i)) != NULL; i++) {
        const int mean = r->way == PRVCUT_DIFF_MEAN;

        printf("%s %s%s: %g instead of %g, %s", r->call ? r->call : "all",
               prvcut_diff_quantity_text(r->quantity), mean ? " on average" : "",
               mean ? r->mean[1] : r->median[1], mean ? r->mean[0] : r->median[0],
               prvcut_diff_turn_text(r->turn));
        if (r->rank != UINT32_MAX)
            printf(", most on rank %" PRIu32, r->rank);
        printf("\n");
    }
    if (d->changes == 0)
        printf("nothing changed\n");
}

/* Exits with 1 if something costs more by 5 % and more, as a test of each commit would. */
int main(int argc, char **argv)
{
    const struct prvcut_diff_options options = { .size = sizeof options,
                                                 .limited = true,
                                                 .above = 0.05 };
    struct prvcut_error err = { .text = "usage: compare_runs TRACE TRACE" };
    struct prvcut_trace *before = NULL, *after = NULL;
    struct prvcut_diff *diff = NULL;
    int st = argc == 3 ? prvcut_trace_open(&before, argv[1], NULL, &err) : PRVCUT_EUSAGE;
    int worse = 0;

    if (st == PRVCUT_OK)
        st = prvcut_trace_open(&after, argv[2], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_diff_make(before, after, NULL, &options, &diff, &err);
    if (st >= 0) {
        print_changes(diff);
        worse = diff->exceeded;
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    prvcut_diff_free(diff);
    prvcut_trace_close(before);
    prvcut_trace_close(after);
    return st < 0 ? 2 : worse;
}
