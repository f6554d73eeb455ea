#include "paraver_cut.h"

#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_windows(const struct paraver_cut *c, const char *path)
{
    FILE *file = fopen(path, "w");
    bool good = file != NULL;

    for (uint32_t i = 0; good && i < c->threads; i++)
        good = fprintf(file, "%" PRIu32 " %" PRIu64 " %" PRIu64 "\n", i, c->thread[i].start,
                       c->thread[i].end) > 0;
    return file && fclose(file) == 0 && good;
}

const char *paraver_cut_compare(const struct paraver_cut *c)
{
    char window[512], scratch[512];

    snprintf(scratch, sizeof scratch, "%s/windows", c->folder);
    if (c->thread && !write_windows(c, scratch))
        return "has windows that cannot be written";
    if (c->thread)
        snprintf(window, sizeof window, "--windows '%.480s'", scratch);
    else
        snprintf(window, sizeof window, "--from %" PRIu64 " --to %" PRIu64, c->window.start,
                 c->window.end);
    snprintf(scratch, sizeof scratch, "%s/scratch", c->folder);
    return traces_same_cut(PRVBRUTE, window, c->original, c->cut, scratch)
               ? ""
               : "differs from the reference's";
}

/* When the first, the last and the first process came to a mark, ns. */
struct mark {
    double first, last, own;
};

struct marks {
    struct mark *at;
    size_t count;
};

static bool add(struct marks *m, struct mark one)
{
    struct mark *more = realloc(m->at, (m->count + 1) * sizeof *more);

    if (!more)
        return false;
    m->at = more;
    m->at[m->count++] = one;
    return true;
}

/* NAME.truth.tsv beside NAME.prv. */
static struct marks read_marks(const char *prv)
{
    struct marks m = { NULL, 0 };
    char path[4096], line[4096];
    struct mark one;
    FILE *file;

    snprintf(path, sizeof path, "%.*s.truth.tsv", (int)strlen(prv) - 4, prv);
    file = fopen(path, "r");
    if (!file)
        return m;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%*u %lf %lf %lf", &one.first, &one.last, &one.own) == 3 && !add(&m, one))
            break;
    fclose(file);
    /* Just before the first iteration a program may have marked that its loop begins. */
    if (m.count > 2 &&
        m.at[1].own - m.at[0].own < 0.2 * (m.at[m.count - 1].own - m.at[0].own) / (double)m.count)
        memmove(m.at, m.at + 1, --m.count * sizeof *m.at);
    return m;
}

/* Can a thread with this window hold these marks and no others? */
static bool may_hold(const struct marks *m, size_t begin, size_t end, const struct prvcut_span *w)
{
    const double from = (double)w->start, to = (double)w->end;

    for (size_t k = begin; k < end; k++)
        if (m->at[k].last < from || m->at[k].first > to)
            return false;
    return (begin == 0 || m->at[begin - 1].first <= from) &&
           (end == m->count || m->at[end].last >= to);
}

static const char *count_marks(const struct paraver_cut *c, const struct marks *m, size_t *held)
{
    const struct prvcut_span *own = &c->thread[0];
    size_t begin = 0, end;

    while (begin < m->count && m->at[begin].own < (double)own->start)
        begin++;
    for (end = begin; end < m->count && m->at[end].own < (double)own->end;)
        end++;
    *held = end - begin;
    for (uint32_t i = 1; i < c->threads; i++)
        if (c->thread[i].start < c->thread[i].end && !may_hold(m, begin, end, &c->thread[i]))
            return "keeps other iterations of some threads";
    return "";
}

const char *paraver_cut_count(const struct paraver_cut *c, size_t *held)
{
    struct marks m = { NULL, 0 };
    const char *wrong = "";

    *held = 0;
    if (c->thread && c->threads > 0)
        m = read_marks(c->original);
    if (m.count > 2)
        wrong = count_marks(c, &m, held);
    free(m.at);
    return wrong;
}
