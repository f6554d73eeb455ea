#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of truth.tsv. */
enum { NAME, FORMAT, FILE_, EXPECT, LOW, HIGH, ALSO, ITERATIONS, COLUMNS };

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

static bool read_line(struct truth *t, char *line)
{
    char *column[COLUMNS];

    memset(t, 0, sizeof *t);
    if (split(line, column, COLUMNS) < COLUMNS || strcmp(column[FORMAT], "paraver") != 0)
        return false;
    snprintf(t->name, sizeof t->name, "%.63s", column[NAME]);
    t->kind = strcmp(column[EXPECT], "periodic") == 0    ? TRUTH_PERIODIC
              : strcmp(column[EXPECT], "aperiodic") == 0 ? TRUTH_APERIODIC
                                                         : TRUTH_MIXED;
    t->low = strtod(column[LOW], NULL);
    t->high = strtod(column[HIGH], NULL);
    t->iterations = strtod(column[ITERATIONS], NULL);
    read_factors(t, column[ALSO]);
    return true;
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
        double *more;

        if (sscanf(line, "%*u %lf %lf", &first, &last) != 2)
            continue;
        more = realloc(m->at, (m->count + 1) * sizeof *more);
        if (!more)
            break;
        m->at = more;
        m->at[m->count++] = (first + last) / 2;
    }
    fclose(file);
}

void marks_free(struct marks *m)
{
    free(m->at);
    *m = (struct marks){ NULL, 0 };
}

/* Number of the iteration that runs at a time, with its fraction; straight on at both ends. */
static double position(const struct marks *m, double t)
{
    size_t i = 1;

    while (i + 1 < m->count && m->at[i] < t)
        i++;
    return (double)(i - 1) + (t - m->at[i - 1]) / (m->at[i] - m->at[i - 1]);
}

double marks_between(const struct marks *m, double from, double to)
{
    return m->count < 2 ? 0 : position(m, to) - position(m, from);
}
