#include "api/pack_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An archive of less than this may unpack to anything up to it. */
#define MOST_ANYHOW ((uint64_t)256 << 20)
#define MOST_TIMES  2000

bool pack_probe(const char *head, size_t count)
{
    return count >= 265 && memcmp(head + 257, "ustar", 5) == 0;
}

static la_ssize_t unpacking_get(struct archive *tar, void *ctx, const void **bytes)
{
    struct pack_stream *u = ctx;
    size_t got = 0;

    *bytes = u->room;
    if (prvcut_source_read(u->source, u->room, PACK_ROOM, &got, &u->err) < 0) {
        archive_set_error(tar, -1, "%s", u->err.text);
        return -1;
    }
    return (la_ssize_t)got;
}

static enum prvcut_status unpacking_fail(struct pack_stream *u, struct prvcut_error *err)
{
    const char *text = archive_error_string(u->tar);

    if (u->err.status < 0)
        return prvcut_fail(err, u->err.status, "%s", u->err.text);
    if (u->tar && archive_errno(u->tar) == ENOMEM)
        return prvcut_fail(err, PRVCUT_ENOMEM, "%s: archive: %s", u->path,
                           text ? text : "out of memory");
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s: archive: %s", u->path, text ? text : "is damaged");
}

enum prvcut_status pack_stream_open(struct pack_stream *u, const char *path,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    *u = (struct pack_stream){ .path = path };
    st = prvcut_source_open(&u->source, path, err);
    if (st < 0)
        return st;
    u->most = prvcut_source_size(u->source) * MOST_TIMES;
    u->most = u->most < MOST_ANYHOW ? MOST_ANYHOW : u->most;
    u->room = malloc(PACK_ROOM);
    u->tar = archive_read_new();
    if (!u->room || !u->tar)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: an archive");
    if (archive_read_support_format_tar(u->tar) != ARCHIVE_OK ||
        archive_read_open(u->tar, u, NULL, unpacking_get, NULL) != ARCHIVE_OK)
        return unpacking_fail(u, err);
    return PRVCUT_OK;
}

void pack_stream_close(struct pack_stream *u)
{
    if (u->tar)
        archive_read_free(u->tar);
    prvcut_source_close(u->source);
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

/* The next file of the archive; folders are passed over. END: there are no more. */
enum prvcut_status pack_stream_next(struct pack_stream *u, struct archive_entry **entry,
                                    struct prvcut_error *err)
{
    for (;;) {
        const int r = archive_read_next_header(u->tar, entry);
        const char *name;

        if (r == ARCHIVE_EOF)
            return PRVCUT_END;
        if (r != ARCHIVE_OK && r != ARCHIVE_WARN)
            return unpacking_fail(u, err);
        name = archive_entry_pathname(*entry);
        if (!pack_is_tame(name))
            return prvcut_fail(err, PRVCUT_EFORMAT,
                               "%s: archive: an entry leads out of its folder: '%s'", u->path,
                               name ? name : "");
        if (archive_entry_filetype(*entry) == AE_IFDIR)
            continue;
        if (archive_entry_filetype(*entry) != AE_IFREG || archive_entry_hardlink(*entry))
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s: archive: '%s' is no plain file", u->path,
                               name);
        return PRVCUT_OK;
    }
}

/* Some bytes of the present file; *got == 0 at its end. */
enum prvcut_status pack_stream_read(struct pack_stream *u, void *room, size_t *got,
                                    struct prvcut_error *err)
{
    const la_ssize_t n = archive_read_data(u->tar, room, PACK_ROOM);

    if (n < 0)
        return unpacking_fail(u, err);
    *got = (size_t)n;
    u->bytes += *got;
    if (u->bytes > u->most)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: archive: unpacks to more than %llu bytes, the limit", u->path,
                           (unsigned long long)u->most);
    return PRVCUT_OK;
}
