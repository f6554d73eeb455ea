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

static double pro_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void pro_line(struct cli_progress *p, const char *text)
{
    const int n = fprintf(stderr, "\r%.*s", COLUMNS, text) - 1;

    if (p->width > n)
        fprintf(stderr, "%*s\r%.*s", p->width - n, "", COLUMNS, text);
    p->width = n;
    fflush(stderr);
}

/* Bytes a second; 0 while that means nothing yet. */
static double pro_speed(const struct cli_progress *p, double seconds)
{
    return seconds > SETTLED ? (double)p->bytes / seconds : 0;
}

static void pro_show(struct cli_progress *p, double seconds)
{
    char line[128], done[32], all[32], rate[32], left[32];
    const double speed = pro_speed(p, seconds);
    int n =
        snprintf(line, sizeof line, "%s  %s", p->phase, prvcut_size_text(done, (double)p->bytes));

    if (p->total > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, " of %s, %.0f %%",
                      prvcut_size_text(all, (double)p->total),
                      100.0 * (double)p->bytes / (double)p->total);
    if (speed > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %s/s", prvcut_size_text(rate, speed));
    if (speed > 0 && p->total > p->bytes)
        snprintf(line + n, sizeof line - (size_t)n, "  %s left",
                 prvcut_time_text(left, (double)(p->total - p->bytes) / speed * 1e9));
    pro_line(p, line);
}

/* "key":number, or null where there is none. */
static void pro_member(const char *key, double value, bool known)
{
    if (known)
        fprintf(stderr, ",\"%s\":%.3f", key, value);
    else
        fprintf(stderr, ",\"%s\":null", key);
}

/* One object on one line, flushed; the names of phases are plain words. */
static void pro_object(const struct cli_progress *p, double seconds, bool over)
{
    const double speed = pro_speed(p, seconds);

    fprintf(stderr, "{\"phase\":\"%s\",\"bytes\":%llu", p->phase, (unsigned long long)p->bytes);
    if (p->total > 0)
        fprintf(stderr, ",\"total\":%llu", (unsigned long long)p->total);
    else
        fputs(",\"total\":null", stderr);
    pro_member("seconds", seconds, true);
    pro_member("rate", speed, speed > 0);
    pro_member("left", speed > 0 ? (double)(p->total - p->bytes) / speed : 0,
               speed > 0 && p->total >= p->bytes && p->total > 0);
    fprintf(stderr, ",\"over\":%s}\n", over ? "true" : "false");
    fflush(stderr);
}

/* The phase is over: -v tells it in words, a program reads it as the last object of the phase. */
static void pro_tell(struct cli_progress *p)
{
    char size[32], time[32];

    if (!p->phase[0])
        return;
    if (p->json)
        pro_object(p, pro_now() - p->begin, true);
    if (p->width > 0 && p->verbose)
        pro_line(p, "");
    if (!p->verbose)
        return;
    prvcut_size_text(size, (double)p->bytes);
    prvcut_time_text(time, (pro_now() - p->begin) * 1e9);
    fprintf(stderr, "prvcut: %s: %s%s%s\n", p->phase, p->bytes > 0 ? size : "",
            p->bytes > 0 ? " in " : "", time);
}

void cli_progress_at(struct cli_progress *p, const char *phase, uint64_t done, uint64_t total)
{
    double now;

    if (!p->shown && !p->verbose && !p->json)
        return;
    now = pro_now();
    if (strncmp(p->phase, phase, sizeof p->phase - 1) != 0) {
        pro_tell(p);
        snprintf(p->phase, sizeof p->phase, "%s", phase);
        p->begin = now;
    }
    /* Blocks are counted whole, and the last one seldom is. */
    p->bytes = total > 0 && done > total ? total : done;
    p->total = total;
    if ((!p->shown && !p->json) || now - p->last < INTERVAL)
        return;
    p->last = now;
    if (p->json)
        pro_object(p, now - p->begin, false);
    else
        pro_show(p, now - p->begin);
}

void cli_progress_end(struct cli_progress *p)
{
    pro_tell(p);
    if (p->width > 0)
        pro_line(p, "");
    *p = (struct cli_progress){ 0 };
}
