#include "api/pack_stream.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An archive of less than this may unpack to anything up to it. */
#define MOST_ANYHOW PRVCUT_ROOM((uint64_t)256 << 20)
#define MOST_TIMES  2000

/* Of a tar file: its blocks, and the zeros at its end. */
#define BLOCK     512
#define END_ZEROS ((uint64_t)2 * BLOCK)

bool pack_probe(const char *head, size_t count)
{
    return count >= 265 && memcmp(head + 257, "ustar", 5) == 0;
}

static enum prvcut_status pcs_too_much(const struct pack_stream *u, struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_ELIMIT,
                       "%s: archive: unpacks to more than %llu bytes, the limit", u->path,
                       (unsigned long long)u->most);
}

/* Some bytes of the tar file; *got == 0 at its end. */
static enum prvcut_status pcs_pull(struct pack_stream *u, size_t *got, struct prvcut_error *err)
{
    enum prvcut_status st;
    size_t filled;

    *got = 0;
    if (pack_stopped(&u->stop))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    st = prvcut_source_read(u->source, u->room, PACK_ROOM, got, err);
    for (filled = *got; filled > 0 && u->room[filled - 1] == 0;)
        filled--;
    if (filled > 0)
        u->filled = u->text + filled;
    u->text += *got;
    return st < 0 ? st : u->text > u->most ? pcs_too_much(u, err) : PRVCUT_OK;
}

static la_ssize_t pcs_unpacking_get(struct archive *tar, void *ctx, const void **bytes)
{
    struct pack_stream *u = ctx;
    size_t got;

    *bytes = u->room;
    if (pcs_pull(u, &got, &u->err) < 0) {
        archive_set_error(tar, -1, "%s", u->err.text);
        return -1;
    }
    return (la_ssize_t)got;
}

static enum prvcut_status pcs_unpacking_fail(struct pack_stream *u, struct prvcut_error *err)
{
    const char *text = archive_error_string(u->tar);

    if (u->err.status < 0)
        return prvcut_fail(err, u->err.status, "%s", u->err.text);
    /* Of what is damaged libarchive says how; of a lack of memory not always. */
    if (!text || archive_errno(u->tar) == ENOMEM)
        return prvcut_no_memory(err, "an archive");
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s: archive: %s", u->path, text);
}

enum prvcut_status pack_stream_open(struct pack_stream *u, const char *path, struct pack_stop stop,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    *u = (struct pack_stream){ .path = path, .stop = stop };
    st = prvcut_source_open(&u->source, path, err);
    if (st < 0)
        return st;
    prvcut_source_watch(u->source, stop.asked, stop.ctx);
    u->most = prvcut_source_size(u->source) * MOST_TIMES;
    u->most = u->most < MOST_ANYHOW ? MOST_ANYHOW : u->most;
    u->room = prvcut_unset(1, PACK_ROOM, "an archive", err);
    u->tar = archive_read_new();
    if (!u->room || !u->tar)
        return prvcut_no_memory(err, "an archive");
    if (archive_read_support_format_tar(u->tar) != ARCHIVE_OK ||
        archive_read_open(u->tar, u, NULL, pcs_unpacking_get, NULL) != ARCHIVE_OK)
        return pcs_unpacking_fail(u, err);
    return PRVCUT_OK;
}

void pack_stream_close(struct pack_stream *u)
{
    if (u->tar)
        archive_read_free(u->tar);
    prvcut_source_close(u->source);
    prvcut_buffer_fini(&u->name);
    free(u->room);
}

bool pack_is_tame(const char *name)
{
    if (!name || !*name || *name == '/' || strlen(name) >= PACK_NAME_MOST)
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strcmp(at, "..") == 0 || strncmp(at, "../", 3) == 0)
            return false;
    }
    return true;
}

/* The name's bytes without "./" and doubled slashes. */
static enum prvcut_status pcs_plain_name(struct prvcut_buffer *out, const char *name,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    out->count = 0;
    while (*name && st == PRVCUT_OK) {
        const size_t length = strcspn(name, "/");

        if (length > 0 && !(length == 1 && *name == '.')) {
            if (out->count > 0)
                st = prvcut_buffer_append(out, "/", 1, err);
            if (st == PRVCUT_OK)
                st = prvcut_buffer_append(out, name, length, err);
        }
        name += length + (name[length] == '/');
    }
    return st == PRVCUT_OK ? prvcut_buffer_append(out, "", 1, err) : st;
}

/* One more entry; where the last one ended is known once the next one is asked for. */
static enum prvcut_status pcs_next_header(struct pack_stream *u, struct archive_entry **entry,
                                          struct prvcut_error *err)
{
    int r = u->entries > 0 ? archive_read_data_skip(u->tar) : ARCHIVE_OK;
    uint64_t at;

    if (r == ARCHIVE_OK || r == ARCHIVE_WARN) {
        at = (uint64_t)archive_filter_bytes(u->tar, 0);
        u->end = (at + BLOCK - 1) / BLOCK * BLOCK;
        r = archive_read_next_header(u->tar, entry);
    }
    if (r == ARCHIVE_EOF)
        return PRVCUT_END;
    /* Warned of is a name that is not in the locale's letters; it is taken as it is. */
    if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
        return pcs_unpacking_fail(u, err);
    if (++u->entries > PACK_ENTRIES_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: archive: holds more than %zu entries, the limit", u->path,
                           PACK_ENTRIES_MOST);
    return PRVCUT_OK;
}

enum prvcut_status pack_stream_next(struct pack_stream *u, const char **name,
                                    struct prvcut_error *err)
{
    struct archive_entry *entry;
    enum prvcut_status st;

    while ((st = pcs_next_header(u, &entry, err)) == PRVCUT_OK) {
        const char *given = archive_entry_pathname(entry);

        if (!given)
            given = archive_entry_pathname_utf8(entry);
        if (!pack_is_tame(given))
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%s: archive: an entry leads out of its folder: '%s'", u->path,
                               given ? given : "");
        if (archive_entry_filetype(entry) == AE_IFDIR)
            continue;
        u->plain = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry);
        st = pcs_plain_name(&u->name, given, err);
        *name = u->name.at;
        return st;
    }
    return st;
}

enum prvcut_status pack_stream_plain(const struct pack_stream *u, const char *name,
                                     struct prvcut_error *err)
{
    return u->plain ? PRVCUT_OK
                    : prvcut_fail(err, PRVCUT_EFORMAT, "%s: archive: '%s' is no plain file",
                                  u->path, name);
}

/* Some bytes of the present file; *got == 0 at its end. */
enum prvcut_status pack_stream_read(struct pack_stream *u, void *room, size_t *got,
                                    struct prvcut_error *err)
{
    const la_ssize_t n = archive_read_data(u->tar, room, PACK_ROOM);

    if (n < 0)
        return pcs_unpacking_fail(u, err);
    *got = (size_t)n;
    u->bytes += *got;
    return u->bytes > u->most ? pcs_too_much(u, err) : PRVCUT_OK;
}

enum prvcut_status pack_stream_end(struct pack_stream *u, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t got = 1;

    while (st == PRVCUT_OK && got > 0)
        st = pcs_pull(u, &got, err);
    if (st < 0)
        return st;
    if (u->filled > u->end)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s: the archive goes on behind its last entry",
                           u->path);
    if (u->text % BLOCK != 0)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s: archive: ends inside of a block", u->path);
    if (u->text < u->end + END_ZEROS)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: archive: ends early: %llu of the %llu zeros at its end are missing",
                           u->path, (unsigned long long)(u->end + END_ZEROS - u->text),
                           (unsigned long long)END_ZEROS);
    return PRVCUT_OK;
}
