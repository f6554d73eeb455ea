/*
 * prvhard: runs of random programs whose iteration is hard to find.
 *
 * usage   prvhard CLASS SEED NAME [BUSY]   writes NAME.prv and NAME.truth
 *         prvhard                          lists the classes, those without a loop with a '-'
 *         BUSY: other programs use the machine, too: spread of the logarithm of how long the same
 *         work takes from time to time (0)
 *
 * NAME.truth: a line 'N LOW HIGH' for each loop that is right: iterations, the smaller and the
 * larger of their mean and median length (ns); none where the run has no loop. The first line is
 * the run's loop, followed by its start and end (ns).
 */
#include "hard.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRETCH 2e4 /* ns that a machine is held up for, at least */

static const struct hard_class *class_named(const char *name)
{
    for (unsigned i = 0; i < hard_class_count; i++)
        if (strcmp(hard_classes[i].name, name) == 0)
            return &hard_classes[i];
    return NULL;
}

static void set_names(struct hard *h)
{
    unsigned all[HARD_RANKS];

    for (unsigned i = 0; i < h->ranks; i++) {
        h->name[i].count = (uint32_t)snprintf(h->name[i].text, sizeof h->name[i].text,
                                              ":%u:1:%u:1:", i + 1, i + 1);
        h->now[i] = h->open[i] = 1000.0 * i;
        all[i] = i;
    }
    hard_group_add(h, all, h->ranks);
}

/* The rest of the file stands behind the header; its length does not change with the duration. */
static size_t header(const struct hard *h, uint64_t duration, char *text, size_t room)
{
    size_t n = (size_t)snprintf(text, room,
                                "#Paraver (20/11/2026 at 12:00):%015" PRIu64 "_ns:1(%u)"
                                ":1:%u(",
                                duration, h->ranks, h->ranks);

    for (unsigned i = 0; i < h->ranks; i++)
        n += (size_t)snprintf(text + n, room - n, "%s1:1", i > 0 ? "," : "");
    n += (size_t)snprintf(text + n, room - n, "),%u\n", h->groups);
    for (unsigned i = 0; i < h->groups; i++) {
        n += (size_t)snprintf(text + n, room - n, "c:1:%u:%u", i + 1, h->group[i].count);
        for (unsigned k = 0; k < h->group[i].count; k++)
            n += (size_t)snprintf(text + n, room - n, ":%u", h->group[i].rank[k] + 1);
        n += (size_t)snprintf(text + n, room - n, "\n");
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void write_loop(FILE *f, const struct hard_loop *l, unsigned k, bool borders)
{
    const unsigned n = (l->count - 1) / k;
    double *length = gen_room(NULL, n + 1, sizeof *length), mean, median;

    for (unsigned i = 0; i < n; i++)
        length[i] = l->mark[(i + 1) * k] - l->mark[i * k];
    mean = (l->mark[n * k] - l->mark[0]) / n;
    qsort(length, n, sizeof *length, by_value);
    median = n % 2 == 1 ? length[n / 2] : (length[n / 2 - 1] + length[n / 2]) / 2;
    fprintf(f, "%u %.0f %.0f", n, mean < median ? mean : median, mean < median ? median : mean);
    if (borders)
        fprintf(f, " %.0f %.0f", l->mark[0], l->mark[l->count - 1]);
    fprintf(f, "\n");
    free(length);
}

static void write_truth(const struct hard *h, const char *name)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s.truth", name);
    f = fopen(path, "w");
    if (!f)
        gen_die(path);
    for (unsigned i = 0; i < h->loops; i++) {
        write_loop(f, &h->loop[i], 1, i == 0);
        for (unsigned k = 0; k < h->loop[i].multiples; k++)
            if (h->loop[i].count > h->loop[i].multiple[k])
                write_loop(f, &h->loop[i], h->loop[i].multiple[k], false);
    }
    if (fclose(f) != 0)
        gen_die(path);
}

static void write_trace(struct hard *h, const char *name)
{
    char path[4096], *text = gen_room(NULL, HARD_GROUPS, 64);
    double last = 0;
    size_t n;

    for (unsigned i = 0; i < h->ranks; i++)
        last = h->now[i] > last ? h->now[i] : last;
    n = header(h, (uint64_t)last + 1, text, (size_t)HARD_GROUPS * 64);
    snprintf(path, sizeof path, "%s.prv", name);
    h->lines.file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (h->lines.file < 0)
        gen_die(path);
    gen_write(h->lines.file, text, n);
    gen_lines_finish(&h->lines);
    if (close(h->lines.file) != 0)
        gen_die(path);
    free(text);
}

static void draw_machine(struct hard *h)
{
    h->ranks = hard_between(h, 4, HARD_RANKS);
    h->pace = 1;
    h->noise = hard_chance(h, 0.5) ? 0.05 : 0.2;
    h->sites = hard_chance(h, 0.5);
    h->moved = hard_chance(h, 0.5);
}

int main(int argc, char **argv)
{
    const struct hard_class *c = argc == 4 || argc == 5 ? class_named(argv[1]) : NULL;
    struct hard h = { .next_site = 0 };

    for (unsigned i = 0; argc == 1 && i < hard_class_count; i++)
        printf("%s%s\n", hard_classes[i].name, hard_classes[i].periodic ? "" : " -");
    if (argc == 1)
        return 0;
    if (!c) {
        fprintf(stderr, "usage: prvhard CLASS SEED NAME [BUSY]\n");
        return 2;
    }
    h.random = strtoull(argv[2], NULL, 10) * UINT64_C(7919);
    h.group = gen_room(NULL, HARD_GROUPS, sizeof *h.group);
    h.loop = gen_room(NULL, HARD_LOOPS, sizeof *h.loop);
    memset(h.loop, 0, HARD_LOOPS * sizeof *h.loop);
    draw_machine(&h);
    h.busy = argc == 5 ? strtod(argv[4], NULL) : 0;
    h.stretch = STRETCH * (double)(1 + h.random % 64);
    set_names(&h);
    gen_lines_init(&h.lines, -1, 1, false);
    c->run(&h);
    write_trace(&h, argv[3]);
    write_truth(&h, argv[3]);
    gen_lines_fini(&h.lines);
    free(h.group);
    free(h.loop);
    return 0;
}
