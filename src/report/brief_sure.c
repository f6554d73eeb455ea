#include "report/brief.h"

#include "report/loop.h"

#include <math.h>
#include <string.h>

/* How sure the loop is, and by what. */

static const struct prvcut_vote *brs_vote(const struct report_loop *l, enum prvcut_stand status)
{
    for (size_t i = 0; i < l->votes; i++)
        if (l->vote[i].status == status)
            return &l->vote[i];
    return NULL;
}

/* "3 of 5 signals agree" */
static void brs_add_signals(struct brief_text *t, const struct report_loop *l, bool others,
                            bool terse)
{
    size_t agree = 0, all = 0;

    for (size_t i = 0; i < l->votes; i++) {
        if (strcmp(l->vote[i].metric, "calls") == 0 || l->vote[i].status == PRVCUT_STAND_ABSENT ||
            l->vote[i].status == PRVCUT_STAND_CHOSEN)
            continue;
        all++;
        agree += l->vote[i].status == PRVCUT_STAND_AGREES;
    }
    if (all == 0)
        return;
    if (terse && agree == 0)
        brief_add(t, ", not by signals");
    else if (terse)
        brief_add(t, " and %zu of %zu signal%s", agree, all, all == 1 ? "" : "s");
    else if (agree == 0)
        brief_add(t, ", no %ssignal agrees", others ? "other " : "");
    else
        brief_add(t, ", %zu of %zu %ssignal%s agree%s", agree, all, others ? "other " : "",
                  all == 1 ? "" : "s", agree == 1 ? "s" : "");
}

/* "calls", "regions", "call sites" */
static const char *brs_called(const struct made_reduction *r)
{
    const char *are = r->is.calls_are ? r->is.calls_are : "calls";

    return strncmp(are, "MPI ", 4) == 0 ? are + 4 : are;
}

/* "the MPI calls of all 4 ranks"; of many, only some are compared. */
static void brs_add_calls(struct brief_text *t, const struct made_reduction *r,
                          const struct made_region *p, bool terse)
{
    const char *who = r->is.tasks == r->is.threads ? "rank" : "thread";

    if (terse)
        brief_add(t, "by %s of ", brs_called(r));
    else
        brief_add(t, "by the %s of ", r->is.calls_are ? r->is.calls_are : "calls");
    if (!p || p->is.followers == 0)
        brief_add(t, "the %ss", who);
    else if (p->is.followers == r->is.threads && r->is.threads < 3)
        brief_add(t, r->is.threads == 1 ? "the %s" : "both %ss", who);
    else if (p->is.followers == r->is.threads)
        brief_add(t, "all %u %ss", r->is.threads, who);
    else if (p->is.followers >= p->is.examined && p->is.followers == 1)
        brief_add(t, "the one compared %s", who);
    else if (p->is.followers >= p->is.examined && p->is.followers == 2)
        brief_add(t, "both compared %ss", who);
    else if (p->is.followers >= p->is.examined)
        brief_add(t, "all %u compared %ss", p->is.followers, who);
    else
        brief_add(t, "%u of %u %s%ss", p->is.followers, p->is.examined,
                  p->is.examined < r->is.threads ? "compared " : "", who);
}

/* Do the calls tell where the iterations begin, though the period was given? */
static bool brs_by_calls(const struct made_reduction *r)
{
    const struct made_structure *s = &r->structure;

    return s->is.main < s->is.regions && s->region[s->is.main].is.found_by == PRVCUT_FOUND_BY_CALLS;
}

/* The period is the user's; what the run shows stands beside it. */
static void brs_put_given(struct brief *b, const struct prvcut_vote *chosen)
{
    const struct made_reduction *r = b->r;
    const bool calls = chosen && strcmp(chosen->metric, "calls") == 0;
    const char *what = !calls ? "" : r->is.calls_are ? r->is.calls_are : "calls";
    const bool borders = chosen && brs_by_calls(r);
    char given[32], shown[32];

    prvcut_time_text(given, (double)r->is.given_ns);
    prvcut_time_text(shown, chosen ? chosen->period_ns : 0);
    if (!chosen)
        brief_line(b, "Sure", "given: %s (--period)", given);
    else if (borders && b->terse >= BRIEF_SHORT_SURE)
        brief_line(b, "Sure", "given: %s (--period); borders by the %s, every %s", given, what,
                   shown);
    else
        brief_line(b, "Sure", "given: %s (--period); the %s repeat%s every %s%s", given,
                   calls ? what : chosen->metric, calls ? "" : " signal", shown,
                   borders ? " and tell where each iteration begins" : "");
}

/* The region that tells how sure a loop is: the cut may be of another one of the same loop. */
static const struct made_region *brs_region(const struct made_reduction *r,
                                            const struct report_loop *loop)
{
    const struct made_structure *s = &r->structure;

    return loop->main && s->is.main < s->is.regions ? &s->region[s->is.main] : loop->region;
}

/* "high (0.93): by the MPI calls of all 4 ranks, 3 of 5 signals agree" */
static void brs_add_sure(struct brief_text *t, const struct made_reduction *r,
                         const struct report_loop *loop, enum brief_terse how)
{
    const struct prvcut_vote *chosen = brs_vote(loop, PRVCUT_STAND_CHOSEN);
    const bool calls = chosen && strcmp(chosen->metric, "calls") == 0;
    const struct made_region *told = brs_region(r, loop);
    const bool terse = how >= BRIEF_SHORT_SURE;
    char rounds[REPORT_ROUNDS];

    brief_add(t, "%s (%.2f): ", report_sure_word(loop->confidence), loop->confidence);
    /* What it is doubted for comes before who agrees. */
    if (calls && how >= BRIEF_ONE_LINE && *report_rounds_least(rounds, told)) {
        brief_add(t, "by %s; %s", brs_called(r), rounds);
        return;
    }
    if (calls)
        brs_add_calls(t, r, told, terse);
    else if (chosen)
        brief_add(t, "by the signal '%s'", chosen->metric);
    else
        brief_add(t, "seen in parts of the run only");
    brs_add_signals(t, loop, !calls, terse);
    brief_add(t, "%s", report_rounds_short(rounds, told));
}

void brief_put_sure(struct brief *b)
{
    const struct report_loop loop = report_loop_cut(b->r);
    struct brief_text t = { .count = 0 };
    char counted[REPORT_COUNTED];

    if (isnan(loop.confidence)) {
        brs_put_given(b, brs_vote(&loop, PRVCUT_STAND_CHOSEN));
        return;
    }
    brs_add_sure(&t, b->r, &loop, b->terse);
    brief_line(b, "Sure", "%s", t.at);
    if (*report_counted(counted, brs_region(b->r, &loop)))
        brief_line(b, "Counted", "%s", counted);
}

void report_put_sure(struct report_lines *l, const struct made_reduction *r)
{
    const struct report_loop loop = report_loop_main(r);
    struct brief_text t = { .count = 0 };
    char counted[REPORT_COUNTED];

    if (!loop.region || isnan(loop.confidence))
        return;
    brs_add_sure(&t, r, &loop, BRIEF_ALL);
    report_put(l, "note: sure: %s\n", t.at);
    if (*report_counted(counted, loop.region))
        report_put(l, "note: counted: %s\n", counted);
}
