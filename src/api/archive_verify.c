#include "api/digest.h"
#include "api/entries.h"
#include "api/pack_stream.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SUMS_MOST ((size_t)16 << 20)
#define SUMS      "SHA256SUMS"
#define DIGITS    ((size_t)2 * SHA256_DIGEST_SIZE)

/* Of a line that is none, so much is told. */
#define TOLD 80

/* An entry of the archive by its name within the archive's one folder. */
struct named {
    const char *name; /* borrowed from the entry */
    size_t at;
    bool listed;
};

/* A verification under way. */
struct verifying {
    const struct prvcut_run *run;
    const char *path;
    struct made_archive_result *out;
    struct digest_text *sum; /* [entries] */
    size_t room, sum_room;
    struct prvcut_buffer sums; /* SHA256SUMS */
    bool listed;
    char
        within[PACK_NAME_MOST]; /* [folder] of SHA256SUMS, slash included, which its names are in */
    size_t folder;
    uint8_t *bytes;      /* [PACK_ROOM] of a file */
    struct named *named; /* [names] by name, then place in the archive */
    size_t names;
};

static enum prvcut_status avf_add_entry(struct verifying *v, const char *name,
                                        enum prvcut_archive_verdict verdict,
                                        struct prvcut_error *err)
{
    struct made_archive_result *r = v->out;
    enum prvcut_status st =
        prvcut_grow((void **)&r->entry, &v->room, r->is.entries + 1, sizeof *r->entry, err);

    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&v->sum, &v->sum_room, r->is.entries + 1, sizeof *v->sum, err);
    if (st < 0)
        return st;
    r->entry[r->is.entries] =
        (struct prvcut_archive_entry){ prvcut_copied_text(name, "a name", NULL), verdict, 0 };
    if (!r->entry[r->is.entries].name)
        return prvcut_no_memory(err, "a name");
    r->is.entries++;
    return PRVCUT_OK;
}

/* The name within the archive's one folder. */
static const char *avf_inner(const char *name)
{
    const char *slash = strchr(name, '/');

    return slash ? slash + 1 : name;
}

static bool avf_stopped(const struct prvcut_run *run)
{
    return run && run->stop && run->stop(run->ctx);
}

static enum prvcut_status avf_keep_sums(struct verifying *v, size_t count, struct prvcut_error *err)
{
    if (count > SUMS_MOST - v->sums.count)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: the list of checksums has more than %zu bytes, the limit", v->path,
                           SUMS_MOST);
    return prvcut_buffer_append(&v->sums, v->bytes, count, err);
}

/* Only the first list counts; another one is a file that no list names. */
static enum prvcut_status avf_digest_entry(struct verifying *v, struct pack_stream *u,
                                           const char *name, struct prvcut_error *err)
{
    const bool sums = !v->listed && strcmp(avf_inner(name), SUMS) == 0;
    struct sha256_ctx ctx;
    size_t got = 1;
    enum prvcut_status st =
        sums ? PRVCUT_OK : avf_add_entry(v, name, PRVCUT_ARCHIVE_NOT_LISTED, err);

    v->listed = v->listed || sums;
    if (sums)
        v->folder = (size_t)(avf_inner(name) - name);
    if (sums && v->folder > 0)
        memcpy(v->within, name, v->folder);
    sha256_init(&ctx);
    while (st == PRVCUT_OK && got > 0) {
        if (avf_stopped(v->run))
            return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
        st = pack_stream_read(u, v->bytes, &got, err);
        if (st < 0)
            break;
        sha256_update(&ctx, got, v->bytes);
        if (sums)
            st = avf_keep_sums(v, got, err);
        else
            v->out->entry[v->out->is.entries - 1].bytes += got;
    }
    if (st == PRVCUT_OK && !sums)
        v->sum[v->out->is.entries - 1] = digest_finish(&ctx);
    return st;
}

static int avf_by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* Whoever unpacks has the last file of several with one name. */
static enum prvcut_status avf_sort_names(struct verifying *v, struct prvcut_error *err)
{
    v->names = v->out->is.entries;
    v->named = prvcut_unset(v->names + 1, sizeof *v->named, "names", err);
    if (!v->named)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < v->names; i++)
        v->named[i] = (struct named){ .name = avf_inner(v->out->entry[i].name), .at = i };
    qsort(v->named, v->names, sizeof *v->named, avf_by_name);
    for (size_t i = 1; i < v->names; i++)
        if (strcmp(v->named[i - 1].name, v->named[i].name) == 0)
            v->out->entry[v->named[i].at].verdict = PRVCUT_ARCHIVE_REPEATED;
    return PRVCUT_OK;
}

static int avf_is_named(const void *name, const void *named)
{
    return strcmp(name, ((const struct named *)named)->name);
}

/* The first file of that name; NULL: none. */
static struct named *avf_find_name(const struct verifying *v, const char *name)
{
    const size_t at = prvcut_index_by(name, v->named, v->names, sizeof *v->named, avf_is_named);

    return at < v->names ? &v->named[at] : NULL;
}

/* 64 digits, two blanks (or a blank and an asterisk), a name that a file may have. */
static bool avf_is_sum(const char *line, size_t length)
{
    return strlen(line) == length && length > DIGITS + 2 &&
           strspn(line, "0123456789abcdefABCDEF") == DIGITS && line[DIGITS] == ' ' &&
           (line[DIGITS + 1] == ' ' || line[DIGITS + 1] == '*') &&
           length - DIGITS - 2 < PACK_NAME_MOST;
}

static enum prvcut_status avf_tell_line(struct verifying *v, size_t number, const char *line,
                                        struct prvcut_error *err)
{
    char text[TOLD + 64];

    snprintf(text, sizeof text, SUMS ", line %zu: %.*s%s", number, TOLD, line,
             strnlen(line, TOLD + 1) > TOLD ? "..." : "");
    return avf_add_entry(v, text, PRVCUT_ARCHIVE_DAMAGED, err);
}

/* What stands in the list but not as it should, by its name in the archive. */
static enum prvcut_status avf_add_listed(struct verifying *v, const char *name,
                                         enum prvcut_archive_verdict verdict,
                                         struct prvcut_error *err)
{
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st =
        prvcut_buffer_printf(&path, err, "%.*s%s", (int)v->folder, v->within, name);

    if (st == PRVCUT_OK)
        st = avf_add_entry(v, path.at, verdict, err);
    prvcut_buffer_fini(&path);
    return st;
}

static enum prvcut_status avf_compare_line(struct verifying *v, size_t number, const char *line,
                                           size_t length, struct prvcut_error *err)
{
    const char *name = line + DIGITS + 2;
    struct named *n;

    if (length == 0)
        return PRVCUT_OK;
    if (!avf_is_sum(line, length))
        return avf_tell_line(v, number, line, err);
    if (!pack_is_tame(name))
        return avf_add_entry(v, name, PRVCUT_ARCHIVE_OUTSIDE, err);
    n = avf_find_name(v, name);
    if (!n)
        return avf_add_listed(v, name, PRVCUT_ARCHIVE_MISSING, err);
    if (n->listed)
        return avf_add_listed(v, name, PRVCUT_ARCHIVE_TWO_SUMS, err);
    n->listed = true;
    v->out->entry[n->at].verdict = strncasecmp(v->sum[n->at].at, line, DIGITS) == 0
                                       ? PRVCUT_ARCHIVE_SOUND
                                       : PRVCUT_ARCHIVE_DAMAGED;
    return PRVCUT_OK;
}

static enum prvcut_status avf_compare(struct verifying *v, struct prvcut_error *err)
{
    const char *end;
    size_t number = 0;
    enum prvcut_status st = prvcut_buffer_append(&v->sums, "\n", 1, err);

    if (st == PRVCUT_OK)
        st = avf_sort_names(v, err);
    for (char *line = v->sums.at, *next; st == PRVCUT_OK; line = next + 1) {
        end = v->sums.at + v->sums.count;
        next = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
        if (!next)
            break;
        *next = '\0';
        st = avf_stopped(v->run) ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted")
                                 : avf_compare_line(v, ++number, line, (size_t)(next - line), err);
    }
    for (size_t i = 0; i < v->out->is.entries; i++)
        v->out->is.wrong += v->out->entry[i].verdict != PRVCUT_ARCHIVE_SOUND;
    return st < 0 ? st : v->out->is.wrong > 0 ? PRVCUT_UNSOUND : PRVCUT_OK;
}

enum prvcut_status api_archive_verify(const char *path, const struct prvcut_run *run,
                                      struct made_archive_result *out, struct prvcut_error *err)
{
    struct verifying v = { .run = run,
                           .path = path,
                           .out = out,
                           .bytes = prvcut_unset(1, PACK_ROOM, "an archive", NULL) };
    struct pack_stream u;
    const struct pack_stop stop = { .asked = run ? run->stop : NULL, .ctx = run ? run->ctx : NULL };
    const char *name;
    enum prvcut_status st = pack_stream_open(&u, path, stop, err);

    if (st == PRVCUT_OK && !v.bytes)
        st = prvcut_no_memory(err, "an archive");
    while (st == PRVCUT_OK && (st = pack_stream_next(&u, &name, err)) == PRVCUT_OK) {
        st = pack_stream_plain(&u, name, err);
        if (st == PRVCUT_OK)
            st = avf_digest_entry(&v, &u, name, err);
    }
    /* Without a single entry it is none. */
    if (st == PRVCUT_EFORMAT && u.entries == 0) {
        st = PRVCUT_ENOTRACE;
        if (err)
            err->status = st;
    }
    if (st == PRVCUT_END && !v.listed)
        st = prvcut_fail(err, PRVCUT_ENOTRACE,
                         "%s: is an archive without a list of checksums (" SUMS ")", path);
    if (st == PRVCUT_END)
        st = pack_stream_end(&u, err);
    if (st == PRVCUT_OK)
        st = prvcut_source_ends(u.source, err);
    if (st == PRVCUT_OK)
        st = avf_compare(&v, err);
    pack_stream_close(&u);
    prvcut_buffer_fini(&v.sums);
    free(v.sum);
    free(v.bytes);
    free(v.named);
    return st;
}

void prvcut_archive_result_free(struct prvcut_archive_result *r)
{
    struct made_archive_result *made = (struct made_archive_result *)r;

    for (size_t i = 0; made && i < made->is.entries; i++)
        free(made->entry[i].name);
    if (made)
        free(made->entry);
    free(made);
}

const struct prvcut_archive_entry *prvcut_archive_result_entry(
    const struct prvcut_archive_result *r, size_t i)
{
    return i < r->entries ? &made_archive_result_of(r)->entry[i] : NULL;
}
