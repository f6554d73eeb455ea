#include "report/profile.h"

#include "report/why.h"

#include <inttypes.h>
#include <stdio.h>

struct made_reduction report_profile_who(const struct prvcut_profile *p)
{
    return (struct made_reduction){ .is = { .applications = made_profile_of(p)->applications,
                                            .tasks = p->tasks,
                                            .threads = p->threads } };
}

/* "lu.S.8.prv: 50 iterations of 2.24ms on rank 0" */
static void pfw_title(struct report_lines *l, const struct prvcut_profile *p)
{
    const char *leader = made_profile_of(p)->leader;
    char text[32];

    report_put_foreign(l, p->name);
    report_put(l, ": ");
    if (p->iterations == 0) {
        report_put(l, "no loop was found: %s\n", p->no_loop ? p->no_loop : "");
        return;
    }
    report_put(l, "%s iteration%s of ", report_count(text, p->iterations),
               p->iterations == 1 ? "" : "s");
    report_put(l, "%s", prvcut_time_text(text, p->median_ns));
    if (leader) {
        report_put(l, " on ");
        report_put_foreign(l, leader);
    }
    if (p->unusual > p->slow)
        report_put(l, "; the longest %zu of %" PRIu64 " %s ones (-v: all)", p->slow, p->unusual,
                   made_profile_of(p)->disturbed ? "unusual or disturbed" : "unusual");
    report_put(l, "\n");
}

void report_profile_why(struct report_lines *l, const struct prvcut_profile *p)
{
    char length[32];

    pfw_title(l, p);
    if (p->iterations > 0 && p->slow == 0 && p->reasons == 0)
        report_put(l, "nothing unusual: each iteration is as long as its like%s\n",
                   made_profile_of(p)->open ? "; no call tells where the last one ends" : "");
    for (size_t i = 0; i < p->slow; i++) {
        const struct prvcut_profile_slow *s = prvcut_profile_slow(p, i);

        report_put(l, "iteration %" PRIu64 ", %s%s: ", s->iteration,
                   prvcut_time_text(length, (double)(s->span.end - s->span.start)),
                   s->disturbed ? ", disturbed" : "");
        report_put_foreign(l, s->text);
        report_put(l, "\n");
    }
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void pfw_cause(struct report_lines *l, const struct prvcut_profile *p, size_t i, size_t k)
{
    const struct prvcut_slow_cause *c = prvcut_profile_cause(p, i, k);
    const struct made_reduction who = report_profile_who(p);

    if (!c) {
        report_put(l, ",,,,,,,,\n");
        return;
    }
    report_put(l, "%s,", prvcut_slow_text(c->what));
    if (c->what == PRVCUT_SLOW_UNKNOWN) {
        report_put(l, ",,,,,,,\n");
        return;
    }
    if (report_by_rank(&who))
        report_put(l, "%" PRIu32, c->thread);
    report_put(l, ",%" PRIu32 ",%" PRIu32 ",", c->thread + 1, c->threads);
    if (c->call)
        report_put_value(l, c->call);
    report_put(l, ",%.0f,%.6f,%s,", c->ns, c->share,
               c->late == PRVCUT_LATE_UNKNOWN ? "" : prvcut_late_text(c->late));
    if (c->late == PRVCUT_LATE_PARTNER ||
        (c->what == PRVCUT_SLOW_ORDER && c->partner != UINT32_MAX))
        report_put(l, "%" PRIu32, report_by_rank(&who) ? c->partner : c->partner + 1);
    report_put(l, "\n");
}

void report_profile_why_csv(struct report_lines *l, const struct prvcut_profile *p)
{
    report_put(l, "iteration,region,start_ns,end_ns,disturbed,excess_ns,cause,rank,thread,threads,"
                  "call,ns,share,late,partner\n");
    for (size_t i = 0; i < p->slow; i++) {
        const struct prvcut_profile_slow *s = prvcut_profile_slow(p, i);
        size_t k = 0;

        do {
            report_put(l, "%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%d,%.0f,", s->iteration,
                       s->region ? s->region : "", s->span.start, s->span.end, s->disturbed,
                       s->excess_ns);
            pfw_cause(l, p, i, k);
        } while (++k < s->causes);
    }
}
