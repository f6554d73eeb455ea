#include "window_marks.h"

#include "traces.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of marks. */
struct line {
    uint32_t rank;
    uint64_t number; /* of the iteration, from 1; 0: the end */
    double at;
    char loop[24];
};

static struct window_run *run_of(struct window_marks *m, const struct line *l)
{
    struct window_run *more;

    for (size_t i = 0; i < m->runs; i++)
        if (m->run[i].rank == l->rank && strcmp(m->run[i].loop, l->loop) == 0)
            return &m->run[i];
    more = realloc(m->run, (m->runs + 1) * sizeof *more);
    if (!more)
        return NULL;
    m->run = more;
    more += m->runs++;
    *more = (struct window_run){ .rank = l->rank };
    memcpy(more->loop, l->loop, sizeof more->loop);
    return more;
}

static void add(struct window_marks *m, const struct line *l)
{
    struct window_run *run = run_of(m, l);
    double *more = run ? realloc(run->mark.at, (run->mark.count + 1) * sizeof *more) : NULL;

    if (!more)
        return;
    run->mark.at = more;
    more[run->mark.count++] = l->at;
}

/* A loop begins: what was before it was to warm up. */
static void forget(struct window_marks *m, const struct line *l)
{
    struct window_run *run = run_of(m, l);

    if (run)
        run->mark.count = 0;
}

/* "rank location iteration start_tick loop" */
static bool read_own(struct line *l, const char *text)
{
    char number[32];

    l->loop[0] = '\0';
    if (sscanf(text, "%" SCNu32 " %*u %31s %lf %23s", &l->rank, number, &l->at, l->loop) < 3)
        return false;
    l->number = strtoull(number, NULL, 10);
    return true;
}

/* "mark first last own duration loop"; where only one rank told, two of them are "-". */
static bool read_common(struct line *l, const char *text)
{
    char first[32], last[32], own[32], loop[24] = "";

    if (sscanf(text, "%" SCNu64 " %31s %31s %31s %*s %23s", &l->number, first, last, own, loop) < 4)
        return false;
    l->rank = WINDOW_ALL_RANKS;
    l->at = first[0] == '-' ? strtod(own, NULL) : (strtod(first, NULL) + strtod(last, NULL)) / 2;
    snprintf(l->loop, sizeof l->loop, "%s", isalpha((unsigned char)loop[0]) ? loop : "");
    return true;
}

/* "task step time" */
static bool read_steps(struct line *l, const char *text)
{
    uint32_t task;

    l->loop[0] = '\0';
    if (sscanf(text, "%" SCNu32 " %" SCNu64 " %lf", &task, &l->number, &l->at) < 3)
        return false;
    l->rank = task - 1;
    return true;
}

/* sets: only the marks where counting begins anew, and the end. */
static bool read_file(struct window_marks *m, const char *path, bool sets,
                      bool (*read)(struct line *l, const char *text))
{
    FILE *file = fopen(path, "r");
    char text[4096];
    bool begins = false; /* a mark 0 is when the loop begins, before its first iteration */
    struct line l;

    if (!file)
        return false;
    while (fgets(text, sizeof text, file)) {
        begins = begins || strstr(text, "0 = timed loop start");
        if (text[0] == '#' || !read(&l, text) || (sets && l.number > 1))
            continue;
        if (begins && l.number == 0)
            forget(m, &l);
        else
            add(m, &l);
    }
    fclose(file);
    return m->runs > 0;
}

void window_marks_read(struct window_marks *m, const struct truth *t, const char *path)
{
    const char *name = strrchr(path, '/');
    const int folder = (int)(name ? name + 1 - path : 0);
    const int bare = (int)strlen(path) - 4;
    const bool sets = strncmp(t->name, "hpcg", 4) == 0;
    char own[4096], common[4096], steps[4096];

    *m = (struct window_marks){ .runs = 0 };
    if (strcmp(t->format, "paraver") != 0)
        snprintf(own, sizeof own, "%.*siterations.tsv", folder, path);
    else
        snprintf(own, sizeof own, "%.*s.iterations.tsv", bare, path);
    snprintf(common, sizeof common, "%.*s.truth.tsv", bare, path);
    snprintf(steps, sizeof steps, "%s/../reference/%s.marks.tsv", traces_folder(), t->name);
    if (!read_file(m, own, sets, read_own) && !read_file(m, common, sets, read_common))
        read_file(m, steps, sets, read_steps);
}

void window_marks_take(struct window_marks *m, const double *at, size_t count)
{
    struct line l = { .rank = WINDOW_ALL_RANKS };

    for (size_t i = 0; i < count; i++) {
        l.at = at[i];
        add(m, &l);
    }
}

void window_marks_fini(struct window_marks *m)
{
    for (size_t i = 0; i < m->runs; i++)
        marks_free(&m->run[i].mark);
    free(m->run);
    *m = (struct window_marks){ .runs = 0 };
}
