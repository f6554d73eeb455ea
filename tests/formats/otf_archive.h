#ifndef TESTS_FORMATS_OTF_ARCHIVE_H
#define TESTS_FORMATS_OTF_ARCHIVE_H

#include "model/formats.h"

#include <check.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A folder of its own with an archive in it; removed with all that is in it. */
struct archive {
    char folder[200];
    char path[256]; /* of its master, "a.otf" */
};

static inline void archive_make(struct archive *a)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(a->folder, sizeof a->folder, "%.150s/check_otf.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(a->folder));
    snprintf(a->path, sizeof a->path, "%s/a.otf", a->folder);
}

static inline void archive_remove(struct archive *a)
{
    DIR *d = opendir(a->folder);
    struct dirent *e;
    char path[600];

    while (d && (e = readdir(d)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", a->folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    ck_assert_int_eq(rmdir(a->folder), 0);
}

/* Write a file of the archive; a name that ends in .z is packed as OTF packs: without an end. */
static inline void archive_put(const struct archive *a, const char *name, const char *text,
                               size_t count)
{
    char path[600];
    const bool packed = strcmp(name + strlen(name) - 2, ".z") == 0;
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", a->folder, name);
    f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    if (packed) {
        z_stream z = { .next_in = (unsigned char *)(uintptr_t)text, .avail_in = (unsigned)count };
        const size_t room = count + count / 100 + 1000;
        unsigned char *out = malloc(room);

        ck_assert_int_eq(deflateInit(&z, 4), Z_OK);
        z.next_out = out;
        z.avail_out = (unsigned)room;
        ck_assert_int_eq(deflate(&z, Z_FULL_FLUSH), Z_OK);
        fwrite(out, 1, room - z.avail_out, f);
        deflateEnd(&z);
        free(out);
    } else {
        fwrite(text, 1, count, f);
    }
    ck_assert_int_eq(fclose(f), 0);
}

static inline void archive_text(const struct archive *a, const char *name, const char *text)
{
    archive_put(a, name, text, strlen(text));
}

/* Whole content of a file, unpacked; free it. */
static inline char *archive_get(const struct archive *a, const char *name)
{
    char path[600];
    char *text = malloc(1 << 22);
    unsigned char *in = malloc(1 << 22);
    size_t count;
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", a->folder, name);
    f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s is there", name);
    count = fread(in, 1, (1 << 22) - 1, f);
    fclose(f);
    if (strcmp(name + strlen(name) - 2, ".z") == 0) {
        z_stream z = { .next_in = in, .avail_in = (unsigned)count };

        ck_assert_int_eq(inflateInit(&z), Z_OK);
        z.next_out = (unsigned char *)text;
        z.avail_out = (1 << 22) - 1;
        inflate(&z, Z_SYNC_FLUSH);
        count = (size_t)((char *)z.next_out - text);
        inflateEnd(&z);
    } else {
        memcpy(text, in, count);
    }
    free(in);
    text[count] = '\0';
    return text;
}

/* What a scan delivered, as text: events and states and halves apart. */
struct read_text {
    enum prvcut_status status;
    struct prvcut_error err;
    struct prvcut_counts counts;
    FILE *file[3];
    char *text[3];
    size_t size[3];
};

struct read_part {
    FILE *file[3];
    char *text[3];
    size_t size[3];
};

static inline enum prvcut_status read_begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                            struct prvcut_error *err)
{
    struct read_part *p = calloc(1, sizeof *p);

    (void)ctx, (void)worker, (void)part, (void)err;
    for (int k = 0; k < 3; k++)
        p->file[k] = open_memstream(&p->text[k], &p->size[k]);
    *state = p;
    return PRVCUT_OK;
}

static inline enum prvcut_status read_batch(void *ctx, unsigned worker, void *state,
                                            const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct read_part *p = state;

    (void)ctx, (void)worker, (void)err;
    for (size_t i = 0; i < b->events; i++)
        fprintf(p->file[0], "%s%u %" PRIu64 " %u=%" PRId64 "\n", b->event[i].head ? "" : "+",
                b->event[i].thread, b->event[i].time, b->event[i].type, b->event[i].value);
    for (size_t i = 0; i < b->states; i++)
        fprintf(p->file[1], "%u %" PRIu64 "-%" PRIu64 " %u%s\n", b->state[i].thread,
                b->state[i].begin, b->state[i].end, b->state[i].number,
                b->state[i].running ? " running" : "");
    for (size_t i = 0; i < b->halves; i++)
        fprintf(p->file[2], "%u%s%d %" PRIu64 " comm %u tag %" PRId64 " size %" PRIu64 "\n",
                b->half[i].thread, b->half[i].receive ? "<" : ">",
                b->half[i].peer == PRVCUT_NOBODY ? -1 : (int)b->half[i].peer, b->half[i].time,
                b->half[i].communicator, b->half[i].tag, b->half[i].size);
    return PRVCUT_OK;
}

static inline enum prvcut_status read_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct read_text *r = ctx;
    struct read_part *p = state;

    (void)err;
    for (int k = 0; k < 3; k++) {
        fflush(p->file[k]);
        fwrite(p->text[k], 1, p->size[k], r->file[k]);
    }
    return PRVCUT_OK;
}

static inline void read_discard(void *ctx, void *state)
{
    struct read_part *p = state;

    (void)ctx;
    for (int k = 0; k < 3; k++) {
        fclose(p->file[k]);
        free(p->text[k]);
    }
    free(p);
}

static inline struct prvcut_consumer read_all(struct read_text *r)
{
    for (int k = 0; k < 3; k++)
        r->file[k] = open_memstream(&r->text[k], &r->size[k]);
    return (struct prvcut_consumer){ .roles = UINT32_MAX,
                                     .states = true,
                                     .messages = true,
                                     .ctx = r,
                                     .begin = read_begin,
                                     .batch = read_batch,
                                     .join = read_join,
                                     .discard = read_discard };
}

static inline struct prvcut_trace *open_otf(const char *path,
                                            const struct prvcut_open_options *options,
                                            struct prvcut_error *err)
{
    struct prvcut_source *source;
    struct prvcut_trace *t = NULL;
    enum prvcut_status st = prvcut_source_open(&source, path, err);

    if (st == PRVCUT_OK)
        st = prvcut_otf_reader.open(&t, source, options, err);
    ck_assert((st == PRVCUT_OK) == (t != NULL));
    return t;
}

static inline struct read_text read_otf(const char *path, int threads, bool lenient)
{
    const struct prvcut_open_options options = { .lenient = lenient };
    const struct prvcut_run run = { .threads = threads };
    struct read_text r = { 0 };
    const struct prvcut_consumer c = read_all(&r);
    struct prvcut_trace *t = open_otf(path, &options, &r.err);

    r.status = r.err.status;
    if (t) {
        r.status = t->reader->scan(t, &run, &c, &r.counts, &r.err);
        t->reader->close(t);
    }
    for (int k = 0; k < 3; k++)
        fclose(r.file[k]);
    ck_assert(r.status >= 0 || (r.err.status == r.status && r.err.text[0] != '\0'));
    ck_assert_ptr_null(strchr(r.err.text, '\n'));
    return r;
}

static inline void read_fini(struct read_text *r)
{
    for (int k = 0; k < 3; k++)
        free(r->text[k]);
}

#define ARCHIVE_MASTER "1:1\n2:2\n"

/* Two ranks; clock of 1 ns. */
#define ARCHIVE_DEF                                                                                \
    "DV1.c.5\"salmon\"\nDTR3b9aca00\n"                                                             \
    "DP1NM\"rank 0\"\nDP2NM\"rank 1\"\n"                                                           \
    "DFG1NM\"Application\"\nDFG2NM\"MPI\"\n"                                                       \
    "DF1G1NM\"main\"\nDF2G2NM\"MPI_Send\"\nDF3G2NM\"MPI_Recv\"\n"                                  \
    "DF4G2NM\"MPI_Allreduce\"\nDF5G1NM\"fwrite\"\nDF6G2NM\"MPI_Quux\"\n"                           \
    "DPG1M1,2,NM\"MPI_COMM_WORLD\"\nDCO1NM\"MPI_Allreduce\"Y4\n"                                   \
    "DCNT1G1NM\"PAPI_TOT_INS\"P0U\"#\"\nDCNT2G1NM\"power\"P121U\"W\"\n"

/* 0x64 = 100 */
#define ARCHIVE_ONE                                                                                \
    "64\n*1\nPB\nE1\n6e\n*1\nE2\n70\n*1\nS2L10T7C1\n78\n*1\nL2\n8c\n*1\nE4\n"                      \
    "8d\n*1\nCOPB1H1C1RT0S8R8\n96\n*1\nCOPE1\n97\n*1\nL4\na0\n*1\nL1\nPE\n"

#define ARCHIVE_TWO                                                                                \
    "64\n*2\nPB\nE1\n6e\n*2\nE3\n7d\n*2\nR1L10T7C1\nL3\n8c\n*2\nE4\n"                              \
    "8d\n*2\nCOPB1H1C1RT0S8R8\n96\n*2\nCOPE1\n97\n*2\nL4\na0\n*2\nL1\nPE\n"

static inline void archive_small(struct archive *a)
{
    archive_make(a);
    archive_text(a, "a.otf", ARCHIVE_MASTER);
    archive_text(a, "a.0.def", ARCHIVE_DEF);
    archive_text(a, "a.1.events", ARCHIVE_ONE);
    archive_text(a, "a.2.events", ARCHIVE_TWO);
}

#endif
