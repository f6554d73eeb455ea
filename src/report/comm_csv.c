#include "report/comm.h"

#include <inttypes.h>

static void cmc_edge(struct report_lines *l, const struct prvcut_comm *c,
                     const struct prvcut_comm_matrix *m, const struct prvcut_comm_edge *e)
{
    if (c->by != PRVCUT_COMM_BY_RUN)
        report_put(l, "%s,", m->region ? m->region : "");
    if (c->by != PRVCUT_COMM_BY_RUN && m->iteration > 0)
        report_put(l, "%" PRIu64, m->iteration);
    if (c->by != PRVCUT_COMM_BY_RUN)
        report_put(l, ",");
    if (c->applications > 1)
        report_put(l, "%" PRIu32 ",", m->application);
    report_put(l, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",", e->from, e->to, e->messages,
               e->bytes);
    if (report_comm_told(m->ns))
        report_put(l, "%" PRIu64, e->ns);
    report_put(l, "\n");
}

enum prvcut_status prvcut_comm_csv(const struct prvcut_comm *c, char **text,
                                   struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "%s%sfrom,to,messages,bytes,time_ns\n",
               c->by != PRVCUT_COMM_BY_RUN ? "region,iteration," : "",
               c->applications > 1 ? "application," : "");
    for (size_t i = 0; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);

        for (size_t k = 0; k < m->edges; k++)
            cmc_edge(&l, c, m, prvcut_comm_edge(m, k));
    }
    return report_take(&l, text);
}

/* "# 1.4 iteration 62 application 2" */
static void cmc_name(struct report_lines *l, const struct prvcut_comm *c,
                     const struct prvcut_comm_matrix *m)
{
    report_put(l, "#%s%s", m->region ? " region " : " all", m->region ? m->region : "");
    if (m->iteration > 0)
        report_put(l, " iteration %" PRIu64, m->iteration);
    if (c->applications > 1)
        report_put(l, " application %" PRIu32, m->application);
    report_put(l, "\n");
}

enum prvcut_status prvcut_comm_triplets(const struct prvcut_comm *c, char **text,
                                        struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    for (size_t i = 0; i < c->matrices; i++) {
        const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, i);

        if (report_comm_is_several(c))
            cmc_name(&l, c, m);
        for (size_t k = 0; k < m->edges; k++) {
            const struct prvcut_comm_edge *e = prvcut_comm_edge(m, k);

            report_put(&l, "%" PRIu32 "\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\n", e->from, e->to,
                       e->messages, e->bytes);
        }
    }
    return report_take(&l, text);
}
