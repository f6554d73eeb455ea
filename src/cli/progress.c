#include "progress.h"

#include "prvcut/trace.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Six times a second is as fast as anybody reads. */
#define INTERVAL 0.17
/* A rate means something only after a while. */
#define SETTLED 0.5
/* Narrower than any terminal, so that a line never wraps and can be erased. */
#define COLUMNS 78

static double prg_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void prg_line(struct cli_progress *p, const char *text)
{
    const int n = fprintf(stderr, "\r%.*s", COLUMNS, text) - 1;

    if (p->width > n)
        fprintf(stderr, "%*s\r%.*s", p->width - n, "", COLUMNS, text);
    p->width = n;
    fflush(stderr);
}

/* Bytes a second; 0 while that means nothing yet. */
static double prg_speed(const struct cli_progress *p, double seconds)
{
    return seconds > SETTLED ? (double)p->bytes / seconds : 0;
}

/* What the present phase says of its pass: of one that the plan does not name, nothing. */
static void prg_share(struct cli_progress *p, double now)
{
    const bool named = p->total > 0 && p->passes > 0 && p->pass[p->state.at].phase == p->phase;
    const bool whole = named && !p->again;

    p->state.share = whole ? (double)p->bytes / (double)p->total : -1;
    p->state.seconds = now - p->pass_begin;
}

static double prg_left(const struct cli_progress *p)
{
    return p->passes > 0 ? cli_passes_left(p->pass, p->passes, &p->state) : -1;
}

/* The phases of a pass follow each other without a gap. */
static void prg_turn(struct cli_progress *p, double now)
{
    const unsigned at = cli_passes_at(p->pass, p->passes, p->state.at, p->phase);

    if (p->pass_begin <= 0)
        p->pass_begin = now;
    if (at > p->state.at && p->begin > 0) {
        p->state.before += now - p->pass_begin;
        p->state.before_weight += p->pass[p->state.at].weight;
        p->pass_begin = now;
        p->again = false;
    }
    p->state.at = at;
}

/* The names of phases are for programs; a person reads what is done. */
static const char *prg_words(enum prvcut_phase phase)
{
    return phase == PRVCUT_PHASE_FOCUSING ? "reading again" : prvcut_phase_text(phase);
}

static void prg_show(struct cli_progress *p, double seconds)
{
    const double speed = prg_speed(p, seconds), left = prg_left(p);
    char line[160], text[32], all[32];
    int n = 0;

    if (p->passes > 1)
        n = snprintf(line, sizeof line, "pass %u of %u, ", p->state.at + 1, p->passes);
    n += snprintf(line + n, sizeof line - (size_t)n, "%s", prg_words(p->phase));
    if (p->bytes > 0 || p->total > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %s",
                      prvcut_size_text(text, (double)p->bytes));
    if (p->total > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, " of %s, %.0f %%",
                      prvcut_size_text(all, (double)p->total),
                      100.0 * (double)p->bytes / (double)p->total);
    if (speed > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %s/s", prvcut_size_text(text, speed));
    if (left > 0)
        snprintf(line + n, sizeof line - (size_t)n, "  %s left", cli_whole_seconds(text, left));
    prg_line(p, line);
}

/* "key":number, or null where there is none. */
static void prg_member(const char *key, double value, bool known)
{
    if (known)
        fprintf(stderr, ",\"%s\":%.3f", key, value);
    else
        fprintf(stderr, ",\"%s\":null", key);
}

/* One object on one line, flushed; the names of phases are plain words. */
static void prg_object(const struct cli_progress *p, double seconds, bool over)
{
    const double speed = prg_speed(p, seconds);

    fprintf(stderr, "{\"phase\":\"%s\",\"bytes\":%llu", prvcut_phase_text(p->phase),
            (unsigned long long)p->bytes);
    if (p->total > 0)
        fprintf(stderr, ",\"total\":%llu", (unsigned long long)p->total);
    else
        fputs(",\"total\":null", stderr);
    prg_member("seconds", seconds, true);
    prg_member("rate", speed, speed > 0);
    prg_member("left", speed > 0 ? (double)(p->total - p->bytes) / speed : 0,
               speed > 0 && p->total >= p->bytes && p->total > 0);
    if (p->passes > 0)
        fprintf(stderr, ",\"pass\":%u,\"passes\":%u", p->state.at + 1, p->passes);
    prg_member("all_left_s", prg_left(p), prg_left(p) >= 0);
    fprintf(stderr, ",\"over\":%s}\n", over ? "true" : "false");
    fflush(stderr);
}

/* The phase is over: -v tells it in words, a program reads it as the last object of the phase. */
static void prg_tell(struct cli_progress *p)
{
    char size[32], time[32];

    if (p->phase == PRVCUT_PHASE_NONE)
        return;
    if (p->json)
        prg_object(p, prg_now() - p->begin, true);
    if (p->width > 0 && p->verbose)
        prg_line(p, "");
    if (!p->verbose)
        return;
    prvcut_size_text(size, (double)p->bytes);
    prvcut_time_text(time, (prg_now() - p->begin) * 1e9);
    fprintf(stderr, "prvcut: %s: %s%s%s\n", prg_words(p->phase), p->bytes > 0 ? size : "",
            p->bytes > 0 ? " in " : "", time);
}

/* Has the phase that begins its pass been in it, and something else after it? */
static bool prg_came_before(struct cli_progress *p)
{
    const bool names = p->passes > 0 && p->pass[p->state.at].phase == p->phase;
    const bool before = names && p->named == p->state.at + 1;

    if (names)
        p->named = p->state.at + 1;
    return before;
}

void cli_progress_at(struct cli_progress *p, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    double now;
    bool turned;

    if (!p->shown && !p->verbose && !p->json)
        return;
    now = prg_now();
    turned = p->phase != phase;
    if (turned) {
        prg_tell(p);
        p->phase = phase;
        if (p->passes > 0)
            prg_turn(p, now);
        p->begin = now;
    }
    /* What begins once more in its pass says nothing of how far that is. */
    p->again = p->again || (!turned && done < p->bytes) || (turned && prg_came_before(p));
    /* Blocks are counted whole, and the last one seldom is. */
    p->bytes = total > 0 && done > total ? total : done;
    p->total = total;
    if (!p->shown && !p->json)
        return;
    prg_share(p, now);
    /* A phase may say no more than that it began. */
    if (now - p->last < INTERVAL && !(turned && p->shown))
        return;
    p->last = now;
    if (p->json)
        prg_object(p, now - p->begin, false);
    else
        prg_show(p, now - p->begin);
}

void cli_progress_end(struct cli_progress *p)
{
    prg_tell(p);
    if (p->width > 0)
        prg_line(p, "");
    *p = (struct cli_progress){ 0 };
}
