#include "base/kept.h"

#include "base/buffer.h"
#include "base/bytes.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* The head: these bytes, the layout, the length and the checksum of what follows. */
static const char magic[8] = { '\x89', 'P', 'R', 'V', 'X', '\r', '\n', '\x1a' };
#define LAYOUT        UINT32_C(1)
#define PREFIX        (sizeof magic + 12)

#define EDGE          ((size_t)1 << 20) /* bytes of a file that its identity looks at, either end */
#define NAME          16                /* bytes of a section's name with its final zero */
#define HEAD_MOST     ((size_t)1 << 16)
#define SECTION_MOST  ((uint64_t)1 << 30)
#define SECTION_BYTES 40 /* of the head, a section */
#define LEVEL         3

struct prvcut_keeper_section {
    char name[NAME];
    void *packed; /* owned */
    uint64_t packed_size, size;
    uint32_t crc; /* of the packed bytes */
};

/* What a head tells of a section. */
struct place {
    const char *name;
    uint64_t offset, packed_size, size;
    uint32_t crc;
};

struct prvcut_kept {
    int fd;
    char *head; /* names stand in it; owned */
    struct place *at;
    size_t count;
};

static uint32_t kept_checksum(const void *bytes, size_t count)
{
    return (uint32_t)crc32_z(crc32(0, NULL, 0), bytes, count);
}

/* All of [offset, offset + count) of a file; false: it is not there. */
static bool kept_read_all(int fd, uint64_t offset, char *out, size_t count)
{
    size_t got;

    errno = 0;
    return prvcut_io_read_at(fd, offset, out, count, &got) == 0 && got == count;
}

static bool kept_sum_edges(struct prvcut_identity *out, int fd)
{
    const size_t edge = out->size < EDGE ? (size_t)out->size : EDGE;
    char *room = prvcut_unset(1, edge + 1, "an index", NULL);
    bool sound = room && kept_read_all(fd, 0, room, edge);

    if (sound)
        out->first = kept_checksum(room, edge);
    sound = sound && kept_read_all(fd, out->size - edge, room, edge);
    if (sound)
        out->last = kept_checksum(room, edge);
    free(room);
    return sound;
}

struct prvcut_identity prvcut_identity_of(const struct stat *s)
{
    return (struct prvcut_identity){ .size = (uint64_t)s->st_size,
                                     .seconds = (int64_t)s->st_mtim.tv_sec,
                                     .nanoseconds = (uint32_t)s->st_mtim.tv_nsec };
}

uint32_t prvcut_identity_sum(uint32_t sum, const struct prvcut_identity *next)
{
    const uint64_t seen[] = { sum,         next->size, (uint64_t)next->seconds, next->nanoseconds,
                              next->first, next->last };

    return kept_checksum(seen, sizeof seen);
}

enum prvcut_status prvcut_identify(struct prvcut_identity *out, const char *path,
                                   struct prvcut_error *err)
{
    const int fd = prvcut_io_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    struct stat s;
    bool sound = fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode);

    if (sound) {
        *out = prvcut_identity_of(&s);
        sound = kept_sum_edges(out, fd);
    }
    if (fd >= 0)
        close(fd);
    return sound ? PRVCUT_OK
                 : prvcut_fail(err, PRVCUT_EIO, "%s: cannot be read, or is no plain file", path);
}

bool prvcut_identity_same(const struct prvcut_identity *a, const struct prvcut_identity *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->first == b->first && a->last == b->last;
}

enum prvcut_status prvcut_keeper_add(struct prvcut_keeper *k, const char *name, const void *bytes,
                                     size_t count, struct prvcut_error *err)
{
    struct prvcut_keeper_section *s;
    const size_t room = ZSTD_compressBound(count);
    size_t packed;

    if (count > SECTION_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT, "section %s takes %zu bytes, more than %llu", name,
                           count, (unsigned long long)SECTION_MOST);
    if (prvcut_grow((void **)&k->at, &k->room, k->count + 1, sizeof *k->at, err) < 0)
        return PRVCUT_ENOMEM;
    s = &k->at[k->count];
    memset(s, 0, sizeof *s);
    memcpy(s->name, name, strnlen(name, NAME - 1));
    s->packed = prvcut_unset(1, room + 1, "a section", err);
    if (!s->packed)
        return PRVCUT_ENOMEM;
    k->count++;
    packed = ZSTD_compress(s->packed, room, bytes, count, LEVEL);
    if (ZSTD_isError(packed))
        return prvcut_fail(err, PRVCUT_ENOMEM, "section %s cannot be compressed: %s", name,
                           ZSTD_getErrorName(packed));
    s->size = count;
    s->packed_size = packed;
    s->crc = kept_checksum(s->packed, packed);
    return PRVCUT_OK;
}

static void kept_put_identity(struct prvcut_put *p, const struct prvcut_identity *i)
{
    prvcut_put_u64(p, i->size);
    prvcut_put_u64(p, (uint64_t)i->seconds);
    prvcut_put_u32(p, i->nanoseconds);
    prvcut_put_u32(p, i->first);
    prvcut_put_u32(p, i->last);
}

static struct prvcut_identity kept_get_identity(struct prvcut_get *g)
{
    struct prvcut_identity i;

    i.size = prvcut_get_u64(g);
    i.seconds = (int64_t)prvcut_get_u64(g);
    i.nanoseconds = prvcut_get_u32(g);
    i.first = prvcut_get_u32(g);
    i.last = prvcut_get_u32(g);
    return i;
}

/* Offsets count from the end of the head. */
static void kept_put_head(struct prvcut_put *p, const struct prvcut_keeper *k, const char *version,
                          const struct prvcut_identity *of)
{
    uint64_t offset = 0;

    prvcut_put_text(p, version);
    kept_put_identity(p, of);
    prvcut_put_u64(p, k->count);
    for (size_t i = 0; i < k->count; i++) {
        const struct prvcut_keeper_section *s = &k->at[i];

        prvcut_put_text(p, s->name);
        prvcut_put_u64(p, offset);
        prvcut_put_u64(p, s->packed_size);
        prvcut_put_u64(p, s->size);
        prvcut_put_u32(p, s->crc);
        offset += s->packed_size;
    }
}

static enum prvcut_status kept_write_all(const struct prvcut_keeper *k,
                                         const struct prvcut_put *head, struct prvcut_output *o,
                                         struct prvcut_error *err)
{
    struct prvcut_put prefix = { .err = err };
    enum prvcut_status st;

    prvcut_put_bytes(&prefix, magic, sizeof magic);
    prvcut_put_u32(&prefix, LAYOUT);
    prvcut_put_u32(&prefix, (uint32_t)head->b.count);
    prvcut_put_u32(&prefix, kept_checksum(head->b.at, head->b.count));
    st = prefix.st == PRVCUT_OK ? prvcut_output_write(o, prefix.b.at, prefix.b.count, err)
                                : prefix.st;
    if (st == PRVCUT_OK)
        st = prvcut_output_write(o, head->b.at, head->b.count, err);
    for (size_t i = 0; i < k->count && st == PRVCUT_OK; i++)
        st = prvcut_output_write(o, k->at[i].packed, (size_t)k->at[i].packed_size, err);
    prvcut_buffer_fini(&prefix.b);
    return st;
}

enum prvcut_status prvcut_keeper_write(const struct prvcut_keeper *k, const char *path, bool force,
                                       const char *version, const struct prvcut_identity *of,
                                       uint64_t *size, struct prvcut_error *err)
{
    struct prvcut_put head = { .err = err };
    struct prvcut_output *o = NULL;
    enum prvcut_status st;

    kept_put_head(&head, k, version, of);
    st = head.st;
    if (st == PRVCUT_OK)
        st = prvcut_output_open(&o, path, PRVCUT_PLAIN, force, err);
    if (st == PRVCUT_OK)
        st = kept_write_all(k, &head, o, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_commit(o, size, err);
    else
        prvcut_output_abandon(o);
    prvcut_buffer_fini(&head.b);
    return st;
}

void prvcut_keeper_fini(struct prvcut_keeper *k)
{
    for (size_t i = 0; i < k->count; i++)
        free(k->at[i].packed);
    free(k->at);
    *k = (struct prvcut_keeper){ 0 };
}

/* The head's bytes, as its checksum says they were; NULL: they are not. */
static char *kept_load_head(int fd, size_t *count, const char **why)
{
    char prefix[PREFIX];
    struct prvcut_get g = { prefix + sizeof magic, PREFIX - sizeof magic, false };
    uint32_t layout, crc;
    char *head;

    *why = "it is damaged";
    if (!kept_read_all(fd, 0, prefix, PREFIX) || memcmp(prefix, magic, sizeof magic) != 0)
        return NULL;
    layout = prvcut_get_u32(&g);
    *count = prvcut_get_u32(&g);
    crc = prvcut_get_u32(&g);
    if (layout != LAYOUT) {
        *why = "another version of prvcut made it";
        return NULL;
    }
    head = *count <= HEAD_MOST ? prvcut_unset(1, *count + 1, "an index", NULL) : NULL;
    if (head && kept_read_all(fd, PREFIX, head, *count) && kept_checksum(head, *count) == crc)
        return head;
    free(head);
    return NULL;
}

static bool kept_read_places(struct prvcut_kept *k, struct prvcut_get *g, uint64_t start)
{
    k->count = prvcut_get_count(g, SECTION_BYTES / 2);
    k->at = prvcut_get_room(g, k->count, sizeof *k->at);
    for (size_t i = 0; k->at && i < k->count; i++) {
        struct place *p = &k->at[i];

        p->name = prvcut_get_text(g);
        p->offset = prvcut_get_u64(g);
        p->packed_size = prvcut_get_u64(g);
        p->size = prvcut_get_u64(g);
        p->crc = prvcut_get_u32(g);
        prvcut_get_check(g, p->name && p->offset <= INT64_MAX - start - SECTION_MOST);
        prvcut_get_check(g, p->size <= SECTION_MOST && p->packed_size <= 2 * SECTION_MOST);
        p->offset += start;
    }
    return !g->bad && g->left == 0;
}

/* Why it is not to be used; NULL: it is. */
static const char *kept_read_head(struct prvcut_kept *k, const char *version, const char *of)
{
    struct prvcut_identity made, now;
    struct prvcut_get g = { 0 };
    const char *why, *maker;

    k->head = kept_load_head(k->fd, &g.left, &why);
    if (!k->head)
        return why;
    g.at = k->head;
    const uint64_t start = PREFIX + g.left;

    maker = prvcut_get_text(&g);
    if (!maker || g.bad)
        return "it is damaged";
    if (strcmp(maker, version) != 0)
        return "another version of prvcut made it";
    made = kept_get_identity(&g);
    if (!kept_read_places(k, &g, start))
        return "it is damaged";
    if (prvcut_identify(&now, of, NULL) < 0 || !prvcut_identity_same(&made, &now))
        return "the trace was changed since it was made";
    return NULL;
}

void prvcut_kept_open(struct prvcut_kept **out, const char **why, const char *path,
                      const char *version, const char *of)
{
    struct prvcut_kept *k;
    struct stat s;
    int fd;

    *out = NULL;
    *why = NULL;
    if (stat(path, &s) != 0)
        return;
    *why = "it cannot be read";
    fd = S_ISREG(s.st_mode) ? prvcut_io_open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
    k = fd >= 0 ? prvcut_zeroed(1, sizeof *k, "an index", NULL) : NULL;
    if (!k) {
        if (fd >= 0)
            close(fd);
        return;
    }
    k->fd = fd;
    *why = kept_read_head(k, version, of);
    if (!*why)
        *out = k;
    else
        prvcut_kept_close(k);
}

static const struct place *kept_find(const struct prvcut_kept *k, const char *name)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->at[i].name, name) == 0)
            return &k->at[i];
    return NULL;
}

bool prvcut_kept_has(const struct prvcut_kept *k, const char *name)
{
    return kept_find(k, name) != NULL;
}

static bool kept_unpack(char *out, size_t count, const char *packed, size_t packed_size)
{
    return ZSTD_getFrameContentSize(packed, packed_size) == count &&
           ZSTD_decompress(out, count, packed, packed_size) == count;
}

bool prvcut_kept_load(const struct prvcut_kept *k, const char *name, char **bytes, size_t *count)
{
    const struct place *p = kept_find(k, name);
    char *packed = NULL, *out = NULL;
    struct stat s;
    bool sound;

    *bytes = NULL;
    *count = 0;
    /* Nothing is allocated for what the file cannot hold. */
    if (!p || fstat(k->fd, &s) != 0 || p->offset + p->packed_size > (uint64_t)s.st_size)
        return false;
    packed = prvcut_unset(1, (size_t)p->packed_size + 1, "an index", NULL);
    sound = packed && kept_read_all(k->fd, p->offset, packed, (size_t)p->packed_size) &&
            kept_checksum(packed, (size_t)p->packed_size) == p->crc;
    out = sound ? prvcut_unset(1, (size_t)p->size + 1, "an index", NULL) : NULL;
    sound = out && kept_unpack(out, (size_t)p->size, packed, (size_t)p->packed_size);
    free(packed);
    if (!sound) {
        free(out);
        return false;
    }
    *bytes = out;
    *count = (size_t)p->size;
    return true;
}

bool prvcut_kept_sum(const struct prvcut_kept *k, uint32_t *sum)
{
    char *room = prvcut_unset(1, EDGE, "bytes of an index", NULL);
    uint64_t at = 0;
    size_t got = EDGE;
    bool sound = room != NULL;

    *sum = 0;
    for (; sound && got == EDGE; at += got) {
        sound = prvcut_io_read_at(k->fd, at, room, EDGE, &got) == 0;
        if (sound)
            *sum = (uint32_t)crc32_z(*sum, (const unsigned char *)room, got);
    }
    free(room);
    return sound;
}

void prvcut_kept_close(struct prvcut_kept *k)
{
    if (!k)
        return;
    close(k->fd);
    free(k->head);
    free(k->at);
    free(k);
}
