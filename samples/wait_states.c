/* Where do ranks wait, and whose doing is it? The worst kind, its call path, and the first cause.
 */
#include <prvcut/waits.h>

#include <inttypes.h>
#include <stdio.h>

static void print_path(const struct prvcut_wait_states *w, size_t path)
{
    const char *name;

    if (!prvcut_waits_frame(w, path, 0))
        printf(" outside of calls");
    for (size_t k = 0; (name = prvcut_waits_frame(w, path, k)) != NULL; k++)
        printf("%s%s", k > 0 ? "/" : " ", name);
    printf("\n");
}

static void print(const struct prvcut_wait_states *w)
{
    const struct prvcut_waits_metric *m, *worst = NULL;
    const struct prvcut_waits_cost *cause = prvcut_waits_cost(w, 0);

    for (size_t i = 0; (m = prvcut_waits_metric(w, i)) != NULL; i++)
        if (!m->reason && m->severity_ns > (worst ? worst->severity_ns : 0))
            worst = m;
    if (!worst)
        return;
    printf("%s: %" PRIu64 " ns in %" PRIu64 " calls, most on rank %" PRIu32 ",", worst->name,
           worst->severity_ns, worst->instances, worst->worst_rank);
    print_path(w, worst->worst_path);
    if (cause) {
        printf("%.0f ns of %s because of rank %" PRIu32 ",", cause->short_ns + cause->long_ns,
               prvcut_delay_text(cause->kind), cause->rank);
        print_path(w, cause->path);
    }
}

int main(int argc, char **argv)
{
    const struct prvcut_waits_options options = { .size = sizeof options, .causes = true };
    struct prvcut_trace *trace = NULL;
    struct prvcut_wait_states *w = NULL;
    struct prvcut_error err = { 0 };
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    st = prvcut_trace_open(&trace, argv[1], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_waits_make(trace, NULL, &options, &w, &err);
    if (st == PRVCUT_OK)
        print(w);
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_wait_states_free(w);
    prvcut_trace_close(trace);
    return st < 0;
}
