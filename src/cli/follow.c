#include "follow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for the name of a folder. */
#define FLW_FOLDER 4096

/* A share of the whole, "93 %". */
static const char *flw_share(char out[16], double share)
{
    if (isnan(share))
        snprintf(out, 16, "not known");
    else
        snprintf(out, 16, "%.0f %%", 100 * share);
    return out;
}

static void flw_tell(const struct cli *c, const struct prvcut_look *l)
{
    char text[400], size[32], run[32], loop[120], period[32], balance[16], communication[16];

    snprintf(loop, sizeof loop, "no loop yet");
    prvcut_time_text(period, l->period_ns);
    if (l->periodic && l->sure)
        snprintf(loop, sizeof loop, "%.0f iterations of %s, sure", l->iterations, period);
    else if (l->periodic)
        snprintf(loop, sizeof loop, "perhaps %.0f iterations of %s", l->iterations, period);
    snprintf(text, sizeof text,
             "so far %s, %s of the run: %s%s; load balance %s, communication efficiency %s",
             prvcut_size_text(size, (double)l->bytes), prvcut_time_text(run, (double)l->end_ns),
             loop, l->was_sure && !l->sure ? ", not as before" : "",
             flw_share(balance, l->load_balance), flw_share(communication, l->communication));
    if (c->log >= CLI_WARNINGS)
        cli_words(text);
}

/* "key":number, or null where it is none. */
static void flw_member(const char *key, double value, bool known)
{
    if (known && !isnan(value))
        fprintf(stderr, ",\"%s\":%.*f", key, (int)(strstr(key, "_ns") ? 0 : 6), value);
    else
        fprintf(stderr, ",\"%s\":null", key);
}

static void flw_object(const struct prvcut_look *l)
{
    fprintf(stderr, "{\"phase\":\"%s\",\"bytes\":%llu,\"end_ns\":%llu",
            prvcut_phase_text(PRVCUT_PHASE_FOLLOWING), (unsigned long long)l->bytes,
            (unsigned long long)l->end_ns);
    flw_member("period_ns", l->period_ns, l->periodic);
    flw_member("iterations", l->iterations, l->periodic);
    flw_member("calls_per_iteration", l->calls_per_iteration, l->calls_per_iteration > 0);
    flw_member("confidence", l->confidence, l->periodic);
    flw_member("load_balance", l->load_balance, true);
    flw_member("communication_efficiency", l->communication, true);
    fprintf(stderr, ",\"sure\":%s}\n", l->sure ? "true" : "false");
    fflush(stderr);
}

static void flw_look(void *ctx, const struct prvcut_look *l)
{
    const struct cli_session *s = ctx;

    if (s->progress.json)
        flw_object(l);
    else if (!s->cli->quiet)
        flw_tell(s->cli, l);
}

/* What a pipe brings is kept beside the cut, where there is room for it. */
static const char *flw_scratch(char *out, size_t room, const struct cli *c)
{
    const char *beside = c->output ? c->output : c->archive;
    const char *slash = beside ? strrchr(beside, '/') : NULL;

    if (!beside || strcmp(beside, "-") == 0 || (slash && (size_t)(slash - beside) >= room))
        return NULL;
    snprintf(out, room, "%.*s", slash > beside ? (int)(slash - beside) : 1, slash ? beside : ".");
    return out;
}

/* The outermost level that is cut at. */
static unsigned flw_level(const struct cli *c)
{
    unsigned least = 0;

    for (const char *at = c->level; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const unsigned level = (unsigned)strtoul(at, NULL, 10);

        least = least == 0 || level < least ? level : least;
    }
    return least;
}

/* The period that is given; 0: none is, or it is a share of a run that nobody knows the length of
   yet. What is none is told when the trace is there. */
static uint64_t flw_period(const struct cli *c)
{
    uint64_t ns = 0;

    return c->period && prvcut_time_parse(c->period, 0, &ns, NULL) == PRVCUT_OK ? ns : 0;
}

enum prvcut_status cli_follow_open(struct cli_session *s, const struct prvcut_open_options *options)
{
    const struct cli *c = s->cli;
    const uint64_t period_ns = flw_period(c);
    /* Of a share of the run nothing is sure before its end. */
    const bool until_found = c->follow.until_found && (!c->period || period_ns > 0);
    char folder[FLW_FOLDER];
    const struct prvcut_follow_options how = { .size = sizeof how,
                                               .idle_s = c->follow.idle,
                                               .pid = c->follow.pid,
                                               .until_found = until_found,
                                               .metrics = c->metrics,
                                               .period_ns = period_ns,
                                               .most = c->follow.spool,
                                               .scratch = flw_scratch(folder, sizeof folder, c),
                                               .look = flw_look,
                                               .ctx = s,
                                               .iterations = c->iterations,
                                               .last_iteration = c->iteration[1],
                                               .level = flw_level(c),
                                               .regions = c->region };
    const enum prvcut_status st =
        prvcut_follow_open(&s->follow, c->operand[0], options, &how, &s->err);

    s->trace = st == PRVCUT_OK ? prvcut_follow_trace(s->follow) : NULL;
    return st;
}

/* Why it is over. */
static void flw_tell_over(const struct cli *c, enum prvcut_follow_over over)
{
    static const char *const text[] = { [PRVCUT_FOLLOW_DURATION] = "its duration is reached",
                                        [PRVCUT_FOLLOW_CLOSED] = "the pipe has ended",
                                        [PRVCUT_FOLLOW_PROCESS] = "the process has ended",
                                        [PRVCUT_FOLLOW_IDLE] = "nothing new came" };
    char words[80];

    if (over == PRVCUT_FOLLOW_FULL)
        cli_warn(c,
                 "the pipe brought more than could be kept: the rest of the run is not looked at");
    /* Of a pause that lasts long nobody else tells that it was taken for the end. */
    if (c->quiet || over >= sizeof text / sizeof *text || !text[over] ||
        c->log < (over == PRVCUT_FOLLOW_IDLE ? CLI_WARNINGS : CLI_STEPS))
        return;
    snprintf(words, sizeof words, "the trace is over: %s", text[over]);
    cli_words(words);
}

enum cli_exit cli_follow_run(struct cli_session *s, const struct prvcut_reduce_options *o,
                             const char *archive)
{
    enum prvcut_status st = prvcut_reduce_check(s->trace, &s->run, o, archive, &s->err);

    if (st == PRVCUT_OK)
        st = prvcut_follow_run(s->follow, &s->run, &s->err);
    s->trace = prvcut_follow_trace(s->follow);
    if (st == PRVCUT_OK)
        flw_tell_over(s->cli, prvcut_follow_why(s->follow));
    return cli_session_outcome(s, st);
}
