/* prvrepeat: a long Paraver trace of real records, whole pieces of a real trace in random order. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 13 /* of a record, as far as a time stands in one */

/* Some iterations of a real trace, cut out; times from 0. */
struct piece {
    char *text;
    size_t size, records; /* where these begin */
    uint64_t length;      /* ns, by the header */
    unsigned iterations;
};

static unsigned long long state;

/* xorshift64*: the same file from the same seed everywhere */
static size_t draw(size_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (size_t)((state * 2685821657736338717ULL) >> 33) % below;
}

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "prvrepeat: %s: %s\n", name, what);
    exit(1);
}

static char *read_all(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text;
    long end = -1;

    if (!f || fseek(f, 0, SEEK_END) != 0 || (end = ftell(f)) < 0)
        stop(strerror(errno), path);
    rewind(f);
    text = malloc((size_t)end + 1);
    if (!text || fread(text, 1, (size_t)end, f) != (size_t)end)
        stop("cannot be read", path);
    fclose(f);
    text[end] = '\0';
    *size = (size_t)end;
    return text;
}

/* Behind the header, the communicators and comments. */
static size_t first_record(const char *text)
{
    const char *at = text;

    while (*at == '#' || *at == 'c') {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return (size_t)(at - text);
}

/* PIECE.prv=N */
static void piece_load(struct piece *p, char *argument)
{
    char *equals = strrchr(argument, '=');
    const char *time;

    if (!equals || (p->iterations = (unsigned)strtoul(equals + 1, NULL, 10)) == 0)
        stop("how many iterations? write PIECE.prv=4", argument);
    *equals = '\0';
    p->text = read_all(argument, &p->size);
    time = strstr(p->text, "):");
    if (strncmp(p->text, "#Paraver", 8) != 0 || !time)
        stop("no Paraver trace", argument);
    p->length = strtoull(time + 2, NULL, 10);
    p->records = first_record(p->text);
    if (p->length == 0 || p->records == p->size)
        stop("no records", argument);
}

static bool is_time(char kind, unsigned field)
{
    switch (kind) {
    case '1':
        return field == 5 || field == 6;
    case '2':
        return field == 5;
    case '3':
        return field == 5 || field == 6 || field == 11 || field == 12;
    default:
        return false;
    }
}

/* One record, so much later. */
static const char *put_record(FILE *out, const char *line, uint64_t later)
{
    const char *at = line;

    for (unsigned field = 0; field < FIELDS && *at != '\n' && *at != '\0'; field++) {
        const size_t length = strcspn(at, ":\n");

        if (is_time(*line, field))
            fprintf(out, "%" PRIu64, (uint64_t)strtoull(at, NULL, 10) + later);
        else
            fwrite(at, 1, length, out);
        at += length;
        if (*at == ':')
            putc(*at++, out);
    }
    fwrite(at, 1, strcspn(at, "\n"), out);
    putc('\n', out);
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

static void put_piece(FILE *out, const struct piece *p, uint64_t later)
{
    for (const char *at = p->text + p->records; *at;) {
        if (*at == '#')
            at += strcspn(at, "\n") + 1;
        else
            at = put_record(out, at, later);
    }
}

static void put_head(FILE *out, const struct piece *p, uint64_t length)
{
    const char *time = strstr(p->text, "):") + 2, *rest = time + strspn(time, "0123456789");
    const char *end = rest + strcspn(rest, "\n") + 1;

    fwrite(p->text, 1, (size_t)(time - p->text), out);
    fprintf(out, "%" PRIu64, length);
    fwrite(rest, 1, (size_t)(end - rest), out);
    for (const char *at = end; at < p->text + p->records; at += strcspn(at, "\n") + 1)
        if (*at == 'c')
            fwrite(at, 1, strcspn(at, "\n") + 1, out);
}

/* The same order twice: once for the length that the header tells, once to write. */
static void repeat(FILE *out, const struct piece *piece, size_t pieces, double size,
                   unsigned long long seed)
{
    uint64_t length = 0, iterations = 0, later = 0;
    size_t count = 0;
    double bytes = 0;

    state = seed;
    for (; bytes < size; count++) {
        const struct piece *p = &piece[draw(pieces)];

        bytes += (double)(p->size - p->records);
        length += p->length;
        iterations += p->iterations;
    }
    put_head(out, piece, length);
    state = seed;
    for (size_t i = 0; i < count; i++) {
        const struct piece *p = &piece[draw(pieces)];

        put_piece(out, p, later);
        later += p->length;
    }
    printf("%" PRIu64 " %" PRIu64 "\n", iterations, length);
}

int main(int argc, char **argv)
{
    unsigned long long seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const double size = argc > 1 ? strtod(argv[1], NULL) : 0;
    struct piece *piece;
    FILE *out;

    if (argc < 5 || size <= 0 || seed == 0) {
        fputs(
            "usage: prvrepeat BYTES SEED OUT.prv PIECE.prv=N...\n"
            "Write pieces of one trace, each of N iterations, one after the other in random order\n"
            "until there are BYTES of records; print how many iterations that are, and their ns.\n",
            stderr);
        return 2;
    }
    piece = calloc((size_t)argc, sizeof *piece);
    if (!piece)
        stop("no memory", argv[3]);
    for (int i = 4; i < argc; i++)
        piece_load(&piece[i - 4], argv[i]);
    out = fopen(argv[3], "wb");
    if (!out)
        stop(strerror(errno), argv[3]);
    repeat(out, piece, (size_t)argc - 4, size, seed);
    if (ferror(out) || fclose(out) != 0)
        stop("cannot be written", argv[3]);
    for (int i = 4; i < argc; i++)
        free(piece[i - 4].text);
    free(piece);
    return 0;
}
