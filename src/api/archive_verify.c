#include "api/digest.h"
#include "api/pack_stream.h"
#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

#define SUMS_MOST ((size_t)16 << 20)
#define SUMS      "SHA256SUMS"

/* A verification under way. */
struct verifying {
    struct prvcut_archive_result *out;
    struct digest_text *sum; /* [entries] */
    size_t room, sum_room;
    struct prvcut_buffer sums; /* SHA256SUMS */
    bool listed;
};

static enum prvcut_status add_entry(struct verifying *v, const char *name, const char *verdict,
                                    struct prvcut_error *err)
{
    struct prvcut_archive_result *r = v->out;
    enum prvcut_status st =
        prvcut_grow((void **)&r->entry, &v->room, r->entries + 1, sizeof *r->entry, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&v->sum, &v->sum_room, r->entries + 1, sizeof *v->sum, err);
    if (st < 0)
        return st;
    r->entry[r->entries] = (struct prvcut_archive_entry){ strdup(name), verdict, 0 };
    if (!r->entry[r->entries].name)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: a name");
    r->entries++;
    return PRVCUT_OK;
}

/* The name within the archive's one folder. */
static const char *inner(const char *name)
{
    const char *slash = strchr(name, '/');

    return slash ? slash + 1 : name;
}

static enum prvcut_status digest_entry(struct verifying *v, struct pack_stream *u, const char *name,
                                       struct prvcut_error *err)
{
    const bool sums = strcmp(inner(name), SUMS) == 0;
    uint8_t *room = malloc(PACK_ROOM);
    struct sha256_ctx ctx;
    size_t got = 1;
    enum prvcut_status st =
        room ? PRVCUT_OK : prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: an archive");

    sha256_init(&ctx);
    if (st == PRVCUT_OK && !sums)
        st = add_entry(v, name, "not listed", err);
    while (st == PRVCUT_OK && got > 0) {
        st = pack_stream_read(u, room, &got, err);
        if (st < 0)
            break;
        sha256_update(&ctx, got, room);
        if (sums && v->sums.count + got <= SUMS_MOST)
            st = prvcut_buffer_append(&v->sums, room, got, err);
        else if (!sums)
            v->out->entry[v->out->entries - 1].bytes += got;
    }
    if (st == PRVCUT_OK && !sums)
        v->sum[v->out->entries - 1] = digest_finish(&ctx);
    v->listed = v->listed || sums;
    free(room);
    return st;
}

/* One line of the list: 64 digits, two blanks, a name. */
static enum prvcut_status compare_line(struct verifying *v, const char *line,
                                       struct prvcut_error *err)
{
    const size_t digits = 2 * SHA256_DIGEST_SIZE;

    if (strlen(line) < digits + 3 || line[digits] != ' ')
        return add_entry(v, line, "damaged", err);
    for (size_t i = 0; i < v->out->entries; i++) {
        struct prvcut_archive_entry *e = &v->out->entry[i];

        if (strcmp(inner(e->name), line + digits + 2) != 0)
            continue;
        e->verdict = memcmp(v->sum[i].at, line, digits) == 0 ? "sound" : "damaged";
        return PRVCUT_OK;
    }
    return add_entry(v, line + digits + 2, "missing", err);
}

static enum prvcut_status compare(struct verifying *v, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_buffer_append(&v->sums, "", 1, err);
    char *rest = NULL;

    for (char *line = st < 0 ? NULL : strtok_r(v->sums.at, "\n", &rest); line && st == PRVCUT_OK;
         line = strtok_r(NULL, "\n", &rest))
        st = compare_line(v, line, err);
    for (size_t i = 0; i < v->out->entries; i++)
        v->out->wrong += strcmp(v->out->entry[i].verdict, "sound") != 0;
    return st < 0 ? st : v->out->wrong > 0 ? PRVCUT_END : PRVCUT_OK;
}

enum prvcut_status prvcut_archive_verify(const char *path, const struct prvcut_run *run,
                                         struct prvcut_archive_result *out,
                                         struct prvcut_error *err)
{
    struct verifying v = { .out = out };
    struct pack_stream u;
    struct archive_entry *entry;
    enum prvcut_status st = pack_stream_open(&u, path, err);

    memset(out, 0, sizeof *out);
    while (st == PRVCUT_OK && (st = pack_stream_next(&u, &entry, err)) == PRVCUT_OK) {
        if (run && run->stop && run->stop(run->ctx))
            st = prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
        else
            st = digest_entry(&v, &u, archive_entry_pathname(entry), err);
    }
    if (st == PRVCUT_END)
        st = v.listed
                 ? compare(&v, err)
                 : prvcut_fail(err, PRVCUT_ENOTRACE,
                               "%s: is an archive without a list of checksums (" SUMS ")", path);
    pack_stream_close(&u);
    prvcut_buffer_fini(&v.sums);
    free(v.sum);
    return st;
}

void prvcut_archive_result_fini(struct prvcut_archive_result *r)
{
    for (size_t i = 0; i < r->entries; i++)
        free(r->entry[i].name);
    free(r->entry);
    memset(r, 0, sizeof *r);
}
