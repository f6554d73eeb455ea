/*
 * prvlines: read a Paraver trace and do nothing with it but take its lines apart, as fast as a loop
 * over its bytes lets: what any program that wants the numbers must pay.
 *
 * Each worker takes pieces of 1 MiB, in any order, into a buffer of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_WORKERS 64
#define PIECE        ((size_t)1 << 20)
#define LONGEST      ((size_t)1 << 16) /* a line that begins in a piece may end so far behind it */

struct bare {
    int file;
    uint64_t bytes;
    atomic_ullong next, lines, sum;
    atomic_bool failed;
};

/* All numbers of a line that begins at `at`; returns what is behind it. */
static const char *take_line(const char *at, const char *end, uint64_t *sum)
{
    uint64_t number = 0;

    for (; at < end && *at != '\n'; at++) {
        const unsigned digit = (unsigned char)*at - (unsigned)'0';

        if (digit < 10) {
            number = 10 * number + digit;
        } else {
            *sum += number;
            number = 0;
        }
    }
    *sum += number;
    return at + 1;
}

/* The lines that begin in a piece. */
static void take_piece(struct bare *b, uint64_t from, char *room)
{
    const uint64_t before = from > 0;
    const ssize_t got = pread(b->file, room, PIECE + LONGEST, (off_t)(from - before));
    const char *at = room, *end, *stop;
    uint64_t sum = 0, lines = 0;

    if (got < 0) {
        atomic_store(&b->failed, true);
        return;
    }
    end = room + got;
    stop = (uint64_t)got > PIECE + before ? room + PIECE + before : end;
    if (before) {
        at = memchr(room, '\n', (size_t)got);
        at = at ? at + 1 : end;
    }
    for (; at < stop; lines++)
        at = take_line(at, end, &sum);
    atomic_fetch_add(&b->lines, lines);
    atomic_fetch_add(&b->sum, sum);
}

static void *work(void *ctx)
{
    struct bare *b = ctx;
    char *room = malloc(PIECE + LONGEST);
    uint64_t from;

    if (!room)
        atomic_store(&b->failed, true);
    while (!atomic_load(&b->failed) && (from = atomic_fetch_add(&b->next, PIECE)) < b->bytes)
        take_piece(b, from, room);
    free(room);
    return NULL;
}

static void fail(const char *name, const char *what)
{
    fprintf(stderr, "prvlines: %s: %s\n", name, what);
    exit(1);
}

int main(int argc, char **argv)
{
    struct bare b = { .file = -1 };
    pthread_t worker[MOST_WORKERS];
    int workers = 1, option;
    struct stat is;

    while ((option = getopt(argc, argv, "T:")) != -1)
        workers = option == 'T' ? atoi(optarg) : 0;
    if (optind != argc - 1 || workers < 1 || workers > MOST_WORKERS) {
        fputs("usage: prvlines [-T WORKERS] TRACE.prv\n"
              "Print how many lines a file has, and the sum of all numbers in them, modulo 2^64.\n",
              stderr);
        return 2;
    }
    b.file = open(argv[optind], O_RDONLY);
    if (b.file < 0 || fstat(b.file, &is) < 0)
        fail(argv[optind], strerror(errno));
    b.bytes = (uint64_t)is.st_size;
    for (int i = 0; i < workers; i++)
        if (pthread_create(&worker[i], NULL, work, &b) != 0)
            fail(argv[optind], "there is no thread");
    for (int i = 0; i < workers; i++)
        pthread_join(worker[i], NULL);
    close(b.file);
    if (b.failed)
        fail(argv[optind], "cannot be read");
    printf("%llu lines, %llu\n", (unsigned long long)b.lines, (unsigned long long)b.sum);
    return 0;
}
