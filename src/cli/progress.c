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

static void pro_show(struct cli_progress *p, uint64_t total, double seconds)
{
    char line[128], done[32], all[32], rate[32], left[32];
    const double speed = seconds > SETTLED ? (double)p->bytes / seconds : 0;
    int n =
        snprintf(line, sizeof line, "%s  %s", p->phase, prvcut_size_text(done, (double)p->bytes));

    if (total > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, " of %s, %.0f %%",
                      prvcut_size_text(all, (double)total),
                      100.0 * (double)p->bytes / (double)total);
    if (speed > 0)
        n += snprintf(line + n, sizeof line - (size_t)n, "  %s/s", prvcut_size_text(rate, speed));
    if (speed > 0 && total > p->bytes)
        snprintf(line + n, sizeof line - (size_t)n, "  %s left",
                 prvcut_time_text(left, (double)(total - p->bytes) / speed * 1e9));
    pro_line(p, line);
}

/* In words, once a phase is over: -v. */
static void pro_tell(struct cli_progress *p)
{
    char size[32], time[32];

    if (!p->verbose || !p->phase[0])
        return;
    if (p->width > 0)
        pro_line(p, "");
    prvcut_size_text(size, (double)p->bytes);
    prvcut_time_text(time, (pro_now() - p->begin) * 1e9);
    fprintf(stderr, "prvcut: %s: %s%s%s\n", p->phase, p->bytes > 0 ? size : "",
            p->bytes > 0 ? " in " : "", time);
}

void cli_progress_at(struct cli_progress *p, const char *phase, uint64_t done, uint64_t total)
{
    double now;

    if (!p->shown && !p->verbose)
        return;
    now = pro_now();
    if (strncmp(p->phase, phase, sizeof p->phase - 1) != 0) {
        pro_tell(p);
        snprintf(p->phase, sizeof p->phase, "%s", phase);
        p->begin = now;
    }
    p->bytes = done;
    if (!p->shown || now - p->last < INTERVAL)
        return;
    p->last = now;
    pro_show(p, total, now - p->begin);
}

void cli_progress_end(struct cli_progress *p)
{
    pro_tell(p);
    if (p->width > 0)
        pro_line(p, "");
    *p = (struct cli_progress){ 0 };
}
