#include "truth.h"

#include "traces.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of truth.tsv. */
enum {
    NAME,
    FORMAT,
    FILE_,
    EXPECT,
    LOW,
    HIGH,
    ALSO,
    ITERATIONS,
    START,
    END,
    INNER,
    CV,
    RANKS,
    NOTE,
    COLUMNS
};

static size_t split(char *line, char **column, size_t most)
{
    size_t n = 0;

    line[strcspn(line, "\r\n")] = '\0';
    while (n < most) {
        column[n++] = line;
        line = strchr(line, '\t');
        if (!line)
            break;
        *line++ = '\0';
    }
    return n;
}

/* "x10,x20" or "-". */
static void read_factors(struct truth *t, const char *text)
{
    t->factor[0] = 1;
    t->factors = 1;
    for (; (text = strchr(text, 'x')) && t->factors < TRUTH_FACTORS; text++)
        t->factor[t->factors++] = (unsigned)strtoul(text + 1, NULL, 10);
}

/* Planes of the grid that a sweep of LU goes through: all but the two outermost ones. */
static double planes_of(const char *name)
{
    static const struct {
        const char *class;
        double planes;
    } grids[] = { { "lu.S.", 10 }, { "lu.W.", 31 }, { "lu.A.", 62 }, { "lu.B.", 100 } };

    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (strstr(name, grids[i].class))
            return grids[i].planes;
    return 0;
}

/*
 * Shares of the outer iteration. CG: 25 iterations and a residual that costs about one more, so
 * 25 / 26, and what is between them. A set of HPCG: nothing but its 50 iterations. LU: one of two
 * sweeps, beside which there is the right-hand side; a sweep is never more than a half, and may be
 * next to nothing on a process that need not wait for the others. A clock of 10 us does not tell
 * planes of 5 us apart (GTG).
 *
 * The table counts the sets of HPCG from one start to the next; the program's own marks tell of one
 * more, the last.
 */
static void read_inner(struct truth *t, const char *text)
{
    const double planes = planes_of(t->name);

    if (strncmp(text, "25 equal", 8) == 0)
        t->inner = (struct truth_inner){ 24, 26, 0.97 * 25 / 27, 1 };
    else if (strncmp(text, "50 CG", 5) == 0)
        t->inner = (struct truth_inner){ 49, 51, 0.94, 1.03 };
    else if (strncmp(text, "z planes", 8) == 0 && planes > 0 && strncmp(t->name, "gtg-", 4) != 0)
        t->inner = (struct truth_inner){ planes - 1, planes + 1, 0, 0.53 };
}

/* "loops NAME(rank 0):LOW-HIGH*COUNT NAME ..." at the end of a note. */
static void read_loops(struct truth *t, const char *note)
{
    note = strstr(note, "loops ");
    while (note && (note = strstr(note, "):")) && t->loops < TRUTH_LOOPS) {
        struct truth_loop *l = &t->loop[t->loops];

        t->loops += sscanf(note += 2, "%lf-%lf*%lf", &l->low, &l->high, &l->iterations) == 3;
    }
}

static bool read_line(struct truth *t, char *line)
{
    char *column[COLUMNS] = { NULL };

    memset(t, 0, sizeof *t);
    if (split(line, column, COLUMNS) <= INNER || strcmp(column[NAME], "name") == 0)
        return false;
    snprintf(t->format, sizeof t->format, "%.15s", column[FORMAT]);
    snprintf(t->name, sizeof t->name, "%.63s", column[NAME]);
    t->kind = strcmp(column[EXPECT], "periodic") == 0    ? TRUTH_PERIODIC
              : strcmp(column[EXPECT], "aperiodic") == 0 ? TRUTH_APERIODIC
              : strcmp(column[EXPECT], "any") == 0       ? TRUTH_ANY
                                                         : TRUTH_MIXED;
    t->low = strtod(column[LOW], NULL);
    t->high = strtod(column[HIGH], NULL);
    t->iterations = strtod(column[ITERATIONS], NULL);
    t->start = strtod(column[START], NULL);
    t->end = strtod(column[END], NULL);
    snprintf(t->file, sizeof t->file, "%.127s", column[FILE_]);
    read_factors(t, column[ALSO]);
    if (column[NOTE])
        read_loops(t, column[NOTE]);
    read_inner(t, column[INNER]);
    if (strncmp(column[INNER], "50 CG", 5) == 0)
        t->iterations++;
    return true;
}

/* "mark first last own ...": when it was told, and by the first rank, or by the one that told. */
static bool read_mark(const char *line, unsigned *number, double *at)
{
    char first[32], own[32];

    if (sscanf(line, "%u %31s %*s %31s", number, first, own) != 3)
        return false;
    *at = strtod(*first == '-' ? own : first, NULL);
    return true;
}

/* Programs that tell when a step is done: the first one begins before the first mark. */
static bool tells_ends(const char *name)
{
    return strcmp(name, "cp.omp") == 0; /* 50 steps, of which 49 lie between marks */
}

void truth_begin_by_marks(struct truth *t, const char *prv)
{
    char path[4096], line[4096];
    bool timed = false, begins = false; /* 0 is when timing begins, and here it was the last mark */
    double at, first = 0;
    unsigned number;
    FILE *file;

    snprintf(path, sizeof path, "%.*s.truth.tsv", (int)strlen(prv) - 4, prv);
    file = strcmp(t->format, "paraver") == 0 ? fopen(path, "r") : NULL;
    while (file && fgets(line, sizeof line, file)) {
        timed = timed || strstr(line, "0 = timed loop start");
        if (*line == '#' || !read_mark(line, &number, &at))
            continue;
        if (begins)
            t->start = at;
        begins = timed && number == 0;
        if (number == 0)
            first = at;
        if (number == 1 && tells_ends(t->name))
            t->start = first - (at - first);
    }
    if (file)
        fclose(file);
}

struct truth_ends truth_ends_of(const struct truth *t, double start, double end, double period)
{
    struct truth_ends e = { .known = t->end > t->start && period > 0 &&
                                     strcmp(t->format, "paraver") == 0 };

    if (!e.known)
        return e;
    e.start = (start - t->start) / period;
    e.end = (end - t->end) / period;
    e.far = fabs(e.start) > TRUTH_FAR || fabs(e.end) > TRUTH_FAR;
    return e;
}

bool truth_unpack(const char *folder, const struct truth *t, char *path, size_t room)
{
    if (*folder)
        return traces_unpack_file(folder, t->file, path, room);
    if (strcmp(t->format, "paraver") == 0)
        return traces_unpack(t->name, path, room);
    return traces_unpack_archive(t->format, t->name, path, room);
}

struct truth *truth_read(const char *folder, size_t *count)
{
    char path[4096], line[4096];
    struct truth *all = NULL, one;
    FILE *file;

    *count = 0;
    snprintf(path, sizeof path, "%s/truth.tsv", folder);
    file = fopen(path, "r");
    if (!file)
        return NULL;
    while (fgets(line, sizeof line, file)) {
        struct truth *more;

        if (!read_line(&one, line))
            continue;
        more = realloc(all, (*count + 1) * sizeof *all);
        if (!more)
            break;
        all = more;
        all[(*count)++] = one;
    }
    fclose(file);
    return all;
}

static bool add_mark(struct marks *m, double at)
{
    double *more = realloc(m->at, (m->count + 1) * sizeof *more);

    if (!more)
        return false;
    m->at = more;
    m->at[m->count++] = at;
    return true;
}

/* Just before the first iteration a program may have marked that its loop begins. */
static void drop_begin(struct marks *m)
{
    if (m->count > 2 &&
        m->at[1] - m->at[0] < 0.2 * (m->at[m->count - 1] - m->at[0]) / (double)(m->count - 1))
        memmove(m->at, m->at + 1, --m->count * sizeof *m->at);
}

void marks_read(struct marks *m, const char *prv)
{
    char path[4096], line[4096];
    double first, last;
    FILE *file;

    *m = (struct marks){ NULL, 0 };
    snprintf(path, sizeof path, "%.*s.truth.tsv", (int)strlen(prv) - 4, prv);
    file = fopen(path, "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%*u %lf %lf", &first, &last) == 2 && !add_mark(m, (first + last) / 2))
            break;
    }
    fclose(file);
    drop_begin(m);
}

void marks_free(struct marks *m)
{
    free(m->at);
    *m = (struct marks){ NULL, 0 };
}

/* The marks of a rank; lines of one rank stand together. */
static struct rank_marks *of_rank(struct rank_marks **all, size_t *count, uint64_t rank,
                                  uint64_t location)
{
    struct rank_marks *more;

    if (*count > 0 && (*all)[*count - 1].rank == rank)
        return &(*all)[*count - 1];
    more = realloc(*all, (*count + 1) * sizeof *more);
    if (!more)
        return NULL;
    *all = more;
    more[*count] = (struct rank_marks){ .rank = rank, .location = location };
    return &more[(*count)++];
}

struct rank_marks *rank_marks_read(const char *archive, size_t *count)
{
    const char *name = strrchr(archive, '/');
    char path[4096], line[4096];
    struct rank_marks *all = NULL;
    uint64_t rank, location;
    double at;
    FILE *file;

    *count = 0;
    snprintf(path, sizeof path, "%.*siterations.tsv", (int)(name ? name - archive + 1 : 0),
             archive);
    file = fopen(path, "r");
    if (!file)
        return NULL;
    while (fgets(line, sizeof line, file)) {
        struct rank_marks *m;

        /* The third column is the number of an iteration, or "end". */
        if (sscanf(line, "%" SCNu64 " %" SCNu64 " %*s %lf", &rank, &location, &at) != 3)
            continue;
        m = of_rank(&all, count, rank, location);
        if (!m || !add_mark(&m->marks, at))
            break;
    }
    fclose(file);
    return all;
}

void rank_marks_free(struct rank_marks *m, size_t count)
{
    for (size_t i = 0; i < count; i++)
        marks_free(&m[i].marks);
    free(m);
}

size_t marks_inside(const struct marks *m, double from, double to, size_t *first)
{
    size_t n = 0;

    *first = m->count;
    for (size_t i = 0; i < m->count; i++) {
        if (m->at[i] < from || m->at[i] > to)
            continue;
        if (n++ == 0)
            *first = i;
    }
    return n;
}

/* Number of the iteration that runs at a time, with its fraction; at both ends as they are on
   average, because the first and the last one may be of any length. */
static double position(const struct marks *m, double t)
{
    const double first = m->at[0], last = m->at[m->count - 1];
    const double mean = (last - first) / (double)(m->count - 1);
    size_t i = 1;

    if (t < first)
        return (t - first) / mean;
    if (t > last)
        return (double)(m->count - 1) + (t - last) / mean;
    while (i + 1 < m->count && m->at[i] < t)
        i++;
    return (double)(i - 1) + (t - m->at[i - 1]) / (m->at[i] - m->at[i - 1]);
}

double marks_between(const struct marks *m, double from, double to)
{
    return m->count < 2 ? 0 : position(m, to) - position(m, from);
}
