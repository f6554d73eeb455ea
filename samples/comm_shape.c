/* Who talks to whom: the shape of a run's messages, and the pair that sends most. */
#include <prvcut/comm.h>

#include <inttypes.h>
#include <stdio.h>

static void print(const struct prvcut_comm_matrix *m)
{
    const struct prvcut_comm_edge *most = NULL;

    printf("%s", prvcut_topology_text(m->shape.topology));
    for (uint32_t i = 0; i < m->shape.dimensions; i++)
        printf("%s%" PRIu32, i > 0 ? " x " : " ", m->shape.dim[i]);
    printf("%s\n", m->wavefront == PRVCUT_COMM_HOLDS_TRUE ? ", a wavefront" : "");
    for (size_t i = 0; i < m->edges; i++) {
        const struct prvcut_comm_edge *e = prvcut_comm_edge(m, i);

        if (!most || e->bytes > most->bytes)
            most = e;
    }
    if (most)
        printf("most: rank %" PRIu32 " to %" PRIu32 ", %" PRIu64 " messages, %" PRIu64 " bytes\n",
               most->from, most->to, most->messages, most->bytes);
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = NULL;
    struct prvcut_comm *found = NULL;
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TRACE\n", argv[0]);
        return 2;
    }
    st = prvcut_trace_open(&trace, argv[1], NULL, &err);
    if (st == PRVCUT_OK)
        st = prvcut_comm_make(trace, NULL, NULL, &found, &err);
    if (st >= 0)
        print(prvcut_comm_matrix(found, 0));
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_comm_free(found);
    prvcut_trace_close(trace);
    return st < 0 ? 1 : 0;
}
