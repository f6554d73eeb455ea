#include "api/pack_stream.h"

#include "base/buffer.h"
#include "base/io.h"
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* errno tells why; what another entry is in the way of is the archive's fault, not the disk's. */
static enum prvcut_status not_created(const struct pack_stream *u, const char *path,
                                      const char *name, struct prvcut_error *err)
{
    if (errno == EEXIST || errno == ENOTDIR)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: archive: '%s' is there twice, or inside of a file", u->path, name);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be created", path);
}

/* Make the folders that a file needs; path is changed and restored on the way. */
static enum prvcut_status make_folders(const struct pack_stream *u, char *path, const char *name,
                                       struct prvcut_error *err)
{
    for (char *at = path + strlen(path) - strlen(name); (at = strchr(at, '/')); at++) {
        int failed;

        *at = '\0';
        failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *at = '/';
        if (failed)
            return not_created(u, path, name, err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status copy_out(struct pack_stream *u, int fd, const char *path,
                                   struct prvcut_error *err)
{
    char *room = malloc(PACK_ROOM);
    enum prvcut_status st =
        room ? PRVCUT_OK : prvcut_fail(err, PRVCUT_ENOMEM, "out of memory: an archive");
    size_t got = 1;

    while (st == PRVCUT_OK && got > 0) {
        st = pack_stream_read(u, room, &got, err);
        if (st == PRVCUT_OK && prvcut_io_write(fd, room, got, NULL) != 0)
            st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", path);
    }
    free(room);
    return st;
}

static enum prvcut_status unpack_file(struct pack_stream *u, const char *folder, const char *name,
                                      struct prvcut_error *err)
{
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st = prvcut_buffer_printf(&path, err, "%s/%s", folder, name);
    int fd;

    if (st == PRVCUT_OK)
        st = make_folders(u, path.at, name, err);
    if (st == PRVCUT_OK) {
        fd = prvcut_io_open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
        st = fd < 0 ? not_created(u, path.at, name, err) : copy_out(u, fd, path.at, err);
        if (fd >= 0 && close(fd) != 0 && errno != EINTR && st == PRVCUT_OK)
            st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", path.at);
    }
    prvcut_buffer_fini(&path);
    return st;
}

static enum prvcut_status make_scratch(char **folder, struct prvcut_error *err)
{
    const char *base = getenv("TMPDIR");
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st =
        prvcut_buffer_printf(&path, err, "%s/prvcut-XXXXXX", base && *base ? base : "/tmp");

    if (st == PRVCUT_OK && !mkdtemp(path.at))
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: no temporary folder can be made", path.at);
    if (st < 0)
        prvcut_buffer_fini(&path);
    *folder = path.at;
    return st;
}

enum prvcut_status pack_unpack(char **folder, const char *path, struct prvcut_error *err)
{
    struct pack_stream u;
    struct archive_entry *entry;
    enum prvcut_status st = pack_stream_open(&u, path, err);

    *folder = NULL;
    if (st == PRVCUT_OK)
        st = make_scratch(folder, err);
    while (st == PRVCUT_OK && (st = pack_stream_next(&u, &entry, err)) == PRVCUT_OK)
        st = unpack_file(&u, *folder, archive_entry_pathname(entry), err);
    pack_stream_close(&u);
    if (st == PRVCUT_END)
        return PRVCUT_OK;
    pack_remove(*folder);
    *folder = NULL;
    return st;
}

/* Once more where a call failed: the system may have been short of something for a moment. */
static void remove_all(const char *folder)
{
    if (prvcut_tree_remove(AT_FDCWD, folder) != 0)
        (void)prvcut_tree_remove(AT_FDCWD, folder);
}

void pack_remove(char *folder)
{
    if (folder)
        remove_all(folder);
    free(folder);
}
