#include "api/efficiency_borders.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As a timeline. */
#define BORDERS_TEXT_MOST ((size_t)192 << 20)

/* One line. */
struct bor_line {
    uint64_t task, time; /* from 0; ns */
};

struct bor_file {
    const char *path;
    struct bor_line *line; /* [lines] */
    size_t lines, room;
    uint64_t number; /* of the line that is read */
};

void api_borders_fini(struct api_borders *b)
{
    free(b->window);
    free(b->bound);
    memset(b, 0, sizeof *b);
}

static enum prvcut_status bor_bad(const struct bor_file *f, struct prvcut_error *err,
                                  const char *what)
{
    const enum prvcut_status st = prvcut_fail(
        err, PRVCUT_EFORMAT,
        "%.300s:%" PRIu64 ": %s; a line is task, iteration and ns, such as '1 1 250000'", f->path,
        f->number, what);

    if (err)
        err->line = f->number;
    return st;
}

/* Three whole numbers; at stands on the first. */
static bool bor_numbers(const char *at, uint64_t out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        char *end;

        at += strspn(at, " \t,;");
        if (*at < '0' || *at > '9')
            return false;
        out[i] = strtoull(at, &end, 10);
        at = end;
    }
    at += strspn(at, " \t\r");
    return *at == '\0';
}

static enum prvcut_status bor_line(struct bor_file *f, const struct prvcut_trace *t, char *text,
                                   struct prvcut_error *err)
{
    uint64_t number[3];

    f->number++;
    if (*text == '#' || text[strspn(text, " \t\r")] == '\0')
        return PRVCUT_OK;
    if (!bor_numbers(text, number))
        return bor_bad(f, err, "not three whole numbers");
    if (number[0] < 1 || number[0] > t->objects.tasks)
        return bor_bad(f, err, "the trace has no such task");
    if (prvcut_grow((void **)&f->line, &f->room, f->lines + 1, sizeof *f->line, err) < 0)
        return PRVCUT_ENOMEM;
    f->line[f->lines++] = (struct bor_line){ number[0] - 1, number[2] };
    return PRVCUT_OK;
}

static enum prvcut_status bor_lines(struct bor_file *f, const struct prvcut_trace *t, char *text,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (*text && st == PRVCUT_OK) {
        char *end = text + strcspn(text, "\n");
        const bool last = *end == '\0';

        *end = '\0';
        st = bor_line(f, t, text, err);
        text = last ? end : end + 1;
    }
    return st;
}

/* Every task has the same number of borders, in order of time: [borders][tasks]. */
static enum prvcut_status bor_sort(const struct bor_file *f, const struct prvcut_trace *t,
                                   uint64_t **out, size_t *borders, struct prvcut_error *err)
{
    const uint32_t tasks = t->objects.tasks;
    size_t *have = prvcut_zeroed((size_t)tasks + 1, sizeof *have, "tasks", err);
    const size_t each = tasks > 0 ? f->lines / tasks : 0;
    enum prvcut_status st = have ? PRVCUT_OK : PRVCUT_ENOMEM;

    *borders = each;
    *out = prvcut_zeroed(each * tasks + 1, sizeof **out, "borders", err);
    if (!*out)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && (each < 2 || each * tasks != f->lines))
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "%.300s: %zu borders of %" PRIu32 " tasks: each wants as many as the "
                         "others, and two at least",
                         f->path, f->lines, tasks);
    for (size_t i = 0; i < f->lines && st == PRVCUT_OK; i++) {
        const struct bor_line *l = &f->line[i];
        const size_t n = have[l->task]++;

        if (n >= each || (n > 0 && (*out)[(n - 1) * tasks + l->task] > l->time))
            st = prvcut_fail(err, PRVCUT_EUSAGE,
                             n >= each ? "%.300s: task %" PRIu64 " has more borders than others"
                                       : "%.300s: the borders of task %" PRIu64 " go back in time",
                             f->path, l->task + 1);
        else
            (*out)[n * tasks + l->task] = l->time;
    }
    free(have);
    return st;
}

static enum prvcut_status bor_windows(struct api_borders *b, const struct prvcut_trace *t,
                                      const uint64_t *border, size_t borders,
                                      struct prvcut_error *err)
{
    const struct prvcut_objects *o = &t->objects;

    b->iterations = borders - 1;
    b->window = prvcut_zeroed(borders, sizeof *b->window, "iterations", err);
    b->bound = prvcut_zeroed(borders * ((size_t)o->threads + 1), sizeof *b->bound, "borders", err);
    if (!b->window || !b->bound)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < borders; i++)
        for (uint32_t k = 0; k < o->threads; k++)
            b->bound[i * o->threads + k] = border[i * o->tasks + o->thread_task[k]];
    for (size_t i = 0; i < b->iterations; i++) {
        const uint64_t *from = b->bound + i * o->threads;

        b->window[i] = (struct prvcut_window){ from[0], from[o->threads], from, from + o->threads };
    }
    return PRVCUT_OK;
}

enum prvcut_status api_borders_read(struct api_borders *b, const struct prvcut_trace *trace,
                                    const char *path, struct prvcut_error *err)
{
    struct bor_file f = { .path = path };
    uint64_t *border = NULL;
    char *text = NULL;
    size_t count, borders = 0;
    enum prvcut_status st = prvcut_source_slurp_text(path, BORDERS_TEXT_MOST, &text, &count, err);

    memset(b, 0, sizeof *b);
    if (st == PRVCUT_OK)
        st = bor_lines(&f, trace, text, err);
    if (st == PRVCUT_OK)
        st = bor_sort(&f, trace, &border, &borders, err);
    if (st == PRVCUT_OK)
        st = bor_windows(b, trace, border, borders, err);
    free(text);
    free(f.line);
    free(border);
    return st;
}

enum prvcut_status api_efficiency_own(struct prvcut_window *w, uint64_t **bounds,
                                      const struct prvcut_trace *t, struct prvcut_error *err)
{
    const uint32_t threads = t->objects.threads;

    if (!t->own_window)
        return PRVCUT_OK;
    *bounds = prvcut_zeroed(2 * (size_t)threads + 1, sizeof **bounds, "threads", err);
    if (!*bounds)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++) {
        (*bounds)[i] = t->own_window[i].start;
        (*bounds)[threads + i] = t->own_window[i].end;
    }
    w->thread_from = *bounds;
    w->thread_to = *bounds + threads;
    return PRVCUT_OK;
}

uint64_t api_efficiency_end(const struct prvcut_trace *t)
{
    uint64_t end = t->end_ns;

    for (uint32_t i = 0; t->own_window && i < t->objects.threads; i++)
        end = t->own_window[i].end > end ? t->own_window[i].end : end;
    return t->end_told ? end : UINT64_MAX;
}
