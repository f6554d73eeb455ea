/* prvgen: Paraver traces with known truth. prvgen --help says what it can do. */
#include "gen_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)4 << 20)

static void set_name(struct gen_name *n, uint64_t cpu, const uint64_t who[3])
{
    char *at = n->text;

    *at++ = ':';
    at = gen_digits(at, cpu);
    for (int i = 0; i < 3; i++) {
        *at++ = ':';
        at = gen_digits(at, who[i]);
    }
    *at++ = ':';
    n->count = (uint32_t)(at - n->text);
}

static void set_tasks(struct gen *g)
{
    const struct gen_options *o = g->o;
    const uint64_t all = gen_options_all_tasks(o);

    for (uint64_t i = 0; i < o->applications * all; i++) {
        g->task[i] = (struct gen_task){ .application = (uint32_t)(i / all),
                                        .task = (uint32_t)(i % all),
                                        .thread = (uint32_t)(i * o->threads) };
        g->task[i].pace = 1 + o->imbalance * gen_uniform(g);
        for (uint64_t k = 0; k < o->threads; k++)
            set_name(&g->name[i * o->threads + k], i * o->threads + k + 1,
                     (uint64_t[3]){ i / all + 1, i % all + 1, k + 1 });
    }
    /* The grid that is nearest to a square. */
    g->width = 1;
    for (uint32_t w = 1; (uint64_t)w * w <= o->tasks; w++)
        if (o->tasks % w == 0)
            g->width = w;
    g->height = (uint32_t)(o->tasks / g->width);
}

static void gen_init(struct gen *g, const struct gen_options *o)
{
    uint64_t tasks = o->applications * gen_options_all_tasks(o);

    *g = (struct gen){ .o = o, .random = o->seed * 7919, .growth = 1 };
    g->tick = o->microseconds ? 1000 : 1;
    g->task = gen_room(NULL, tasks, sizeof *g->task);
    g->name = gen_room(NULL, tasks * o->threads, sizeof *g->name);
    g->part = gen_room(NULL, o->threads, sizeof *g->part);
    set_tasks(g);
    gen_truth_init(&g->truth);
}

static void gen_fini(struct gen *g)
{
    gen_truth_fini(&g->truth);
    gen_lines_fini(&g->lines);
    free(g->task);
    free(g->name);
    free(g->part);
}

static size_t digits(uint64_t value)
{
    char text[20];

    return (size_t)(gen_digits(text, value) - text);
}

/* Digits that the duration will have, if all goes as wished. */
static size_t guess_digits(const struct gen *g)
{
    const struct gen_options *o = g->o;
    uint64_t n = o->size > 0 ? o->size / 60 / (o->tasks * o->applications) / 60 + 1 : o->iterations;

    return digits((o->init_ns + o->end_ns + n * gen_options_period(o, 0)) / g->tick);
}

/* Move the tail of the file that begins at `from` to begin at `to`. */
static void move_tail(int file, off_t from, off_t to, off_t end)
{
    char *chunk = gen_room(NULL, CHUNK, 1);
    off_t left = end - from, done = 0;

    while (done < left) {
        size_t n = left - done < (off_t)CHUNK ? (size_t)(left - done) : CHUNK;
        off_t at = to > from ? left - done - (off_t)n : done;

        if (pread(file, chunk, n, from + at) != (ssize_t)n ||
            pwrite(file, chunk, n, to + at) != (ssize_t)n)
            gen_die("moving the body behind the header");
        done += (off_t)n;
    }
    free(chunk);
    if (to < from && ftruncate(file, to + left) != 0)
        gen_die("truncate");
}

/* The duration is known last; where its length was misjudged, the body moves. */
static void write_header(struct gen *g, const struct gen_header *h, size_t guessed)
{
    char text[20];
    size_t n = (size_t)(gen_digits(text, g->truth.duration / g->tick) - text);
    off_t end = (off_t)g->lines.written + (off_t)(h->count + guessed);

    if (n != guessed)
        move_tail(g->lines.file, (off_t)(h->count + guessed), (off_t)(h->count + n), end);
    if (lseek(g->lines.file, 0, SEEK_SET) != 0)
        gen_die("seek");
    gen_write(g->lines.file, h->text, h->duration_at);
    gen_write(g->lines.file, text, n);
    gen_write(g->lines.file, h->text + h->duration_at, h->count - h->duration_at);
    g->lines.written += h->count + n;
}

static int open_trace(const char *name)
{
    char path[4096];
    int file;

    snprintf(path, sizeof path, "%s.prv", name);
    file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0)
        gen_die(path);
    return file;
}

int main(int argc, char **argv)
{
    struct gen_options o;
    struct gen g;
    struct gen_header h;
    size_t guessed;
    int status = gen_options_read(&o, argc, argv);

    if (status >= 0)
        return status;
    gen_init(&g, &o);
    gen_lines_init(&g.lines, open_trace(o.name), g.tick, o.crlf);
    h = gen_header_make(&g);
    guessed = guess_digits(&g);
    if (lseek(g.lines.file, (off_t)(h.count + guessed), SEEK_SET) < 0)
        gen_die("seek");
    gen_program(&g);
    gen_lines_finish(&g.lines);
    write_header(&g, &h, guessed);
    if (close(g.lines.file) != 0)
        gen_die("close");
    gen_labels_write(&g);
    gen_truth_write(&g.truth, &o, &g.lines, argc, argv);
    free(h.text);
    gen_fini(&g);
    return 0;
}
