/* Which rank computes most, how much less than it the others do on average, and for whom do ranks
 * wait most? Of a trace of any format. */
#include <prvcut/profile.h>

#include <inttypes.h>
#include <stdio.h>

static enum prvcut_status rows(struct prvcut_profile **out, struct prvcut_trace *trace, uint32_t by,
                               struct prvcut_error *err)
{
    const struct prvcut_profile_options options = { .size = sizeof options, .by = by };

    return prvcut_profile_make(trace, NULL, &options, out, err);
}

static enum prvcut_status tell_busiest(struct prvcut_trace *trace, struct prvcut_error *err)
{
    struct prvcut_profile *p;
    enum prvcut_status st = rows(&p, trace, PRVCUT_PROFILE_BY_RANK, err);
    const struct prvcut_profile_row *most = NULL;
    double sum = 0;

    for (size_t i = 0; st == PRVCUT_OK && i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        if (r->computing_ns == PRVCUT_PROFILE_UNTOLD)
            continue;
        sum += (double)r->computing_ns;
        most = !most || r->computing_ns > most->computing_ns ? r : most;
    }
    if (most)
        printf("rank %" PRIu32 " computes %" PRIu64 " ns, load balance %.1f %%\n", most->rank,
               most->computing_ns, 100 * sum / (double)p->rows / (double)most->computing_ns);
    prvcut_profile_free(p);
    return st;
}

static enum prvcut_status tell_waited_for(struct prvcut_trace *trace, struct prvcut_error *err)
{
    struct prvcut_profile *p;
    enum prvcut_status st = rows(&p, trace, PRVCUT_PROFILE_BY_PEER, err);

    /* Those that wait longest come first. */
    if (st == PRVCUT_OK && p->rows > 0) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, 0);

        printf("rank %" PRIu32 " waits %" PRIu64 " ns for messages of rank %" PRIu32 "\n",
               r->receiver, r->waiting_ns, r->sender);
    }
    prvcut_profile_free(p);
    return st;
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { .text = "usage: busiest_rank TRACE" };
    struct prvcut_trace *trace = NULL;
    int st = argc == 2 ? prvcut_trace_open(&trace, argv[1], NULL, &err) : PRVCUT_EUSAGE;

    if (st == PRVCUT_OK)
        st = tell_busiest(trace, &err);
    if (st == PRVCUT_OK)
        st = tell_waited_for(trace, &err);
    if (st < 0)
        fprintf(stderr, "%s\n", err.text);
    prvcut_trace_close(trace);
    return st < 0;
}
