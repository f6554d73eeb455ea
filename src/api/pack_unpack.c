#include "api/members.h"
#include "api/pack_stream.h"

#include "base/buffer.h"
#include "base/io.h"
#include "base/memory.h"
#include "base/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* errno tells why. Nobody knows the folder's name, but where it stands can be chosen. */
static enum prvcut_status pku_not_written(const struct pack_stream *u, const char *name,
                                          struct prvcut_error *err)
{
    return prvcut_fail_errno(
        err, PRVCUT_EIO, "%s: archive: '%s' cannot be unpacked into a temporary folder (TMPDIR)",
        u->path, name);
}

/* errno tells why; what another entry is in the way of is the archive's fault, not the disk's. */
static enum prvcut_status pku_not_created(const struct pack_stream *u, const char *name,
                                          struct prvcut_error *err)
{
    if (errno == EEXIST || errno == ENOTDIR)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: archive: '%s' is there twice, or inside of a file", u->path, name);
    return pku_not_written(u, name, err);
}

/* Make the folders that a file needs; path is changed and restored on the way. */
static enum prvcut_status pku_make_folders(const struct pack_stream *u, char *path,
                                           const char *name, struct prvcut_error *err)
{
    for (char *at = path + strlen(path) - strlen(name); (at = strchr(at, '/')); at++) {
        int failed;

        *at = '\0';
        failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *at = '/';
        if (failed)
            return pku_not_created(u, name, err);
    }
    return PRVCUT_OK;
}

static enum prvcut_status pku_copy_out(struct pack_stream *u, int fd, const char *name,
                                       struct prvcut_error *err)
{
    char *room = prvcut_unset(1, PACK_ROOM, "an archive", err);
    enum prvcut_status st = room ? PRVCUT_OK : PRVCUT_ENOMEM;
    size_t got = 1;

    while (st == PRVCUT_OK && got > 0) {
        st = pack_stream_read(u, room, &got, err);
        if (st == PRVCUT_OK && prvcut_io_write(fd, room, got, NULL) != 0)
            st = pku_not_written(u, name, err);
    }
    free(room);
    return st;
}

static enum prvcut_status pku_unpack_file(struct pack_stream *u, const char *folder,
                                          const char *name, struct prvcut_error *err)
{
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st = pack_stream_plain(u, name, err);
    int fd;

    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&path, err, "%s/%s", folder, name);
    if (st == PRVCUT_OK)
        st = pku_make_folders(u, path.at, name, err);
    if (st == PRVCUT_OK) {
        fd = prvcut_io_open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        st = fd < 0 ? pku_not_created(u, name, err) : pku_copy_out(u, fd, name, err);
        if (fd >= 0 && close(fd) != 0 && errno != EINTR && st == PRVCUT_OK)
            st = pku_not_written(u, name, err);
    }
    prvcut_buffer_fini(&path);
    return st;
}

/* Once more where a call failed: the system may have been short of something for a moment. */
static void pku_remove_all(const char *folder)
{
    if (prvcut_tree_remove(AT_FDCWD, folder) != 0)
        (void)prvcut_tree_remove(AT_FDCWD, folder);
}

void pack_remove(char *folder)
{
    sigset_t all, old;

    if (!folder)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pku_remove_all(folder);
    free(folder);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* --- The temporary folder ------------------------------------------------------------------- */

/* Names of folders that are locked while they are in use. */
#define SCRATCH       "prvcut-unpacked-"
#define SCRATCH_WILDS "XXXXXX"

/* The lock of a folder; -1: somebody uses it, or it cannot be locked. */
static int pku_lock_folder(int at, const char *name)
{
    const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* One that is new may not be locked yet. */
#define YOUNG 60

static bool pku_is_left_over(int fd)
{
    struct stat s;

    return fstat(fd, &s) == 0 && s.st_uid == geteuid() && time(NULL) - s.st_mtime > YOUNG;
}

/* Remove what runs before left, because they were killed. */
static void pku_remove_left_overs(const char *base)
{
    DIR *dir = opendir(base);
    const struct dirent *d;

    while (dir && (d = readdir(dir))) {
        struct prvcut_buffer path = { 0 };
        int fd;

        if (strncmp(d->d_name, SCRATCH, strlen(SCRATCH)) != 0 ||
            strlen(d->d_name) != strlen(SCRATCH SCRATCH_WILDS))
            continue;
        fd = pku_lock_folder(dirfd(dir), d->d_name);
        if (fd < 0)
            continue;
        if (pku_is_left_over(fd) &&
            prvcut_buffer_printf(&path, NULL, "%s/%s", base, d->d_name) == PRVCUT_OK)
            pku_remove_all(path.at);
        close(fd);
        prvcut_buffer_fini(&path);
    }
    if (dir)
        closedir(dir);
}

enum prvcut_status pack_scratch(struct pack_inside *out, struct prvcut_error *err)
{
    const char *wish = getenv("TMPDIR"), *base = wish && *wish ? wish : "/tmp";
    struct prvcut_buffer path = { 0 };
    enum prvcut_status st;

    pku_remove_left_overs(base);
    st = prvcut_buffer_printf(&path, err, "%s/" SCRATCH SCRATCH_WILDS, base);
    if (st == PRVCUT_OK && !mkdtemp(path.at))
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: no temporary folder can be made", path.at);
    if (st < 0) {
        prvcut_buffer_fini(&path);
        return st;
    }
    out->folder = path.at;
    out->lock = pku_lock_folder(AT_FDCWD, out->folder);
    return PRVCUT_OK;
}

/* --- Unpacking ------------------------------------------------------------------------------ */

static enum prvcut_status pku_list(struct members *m, const char *path, bool lenient,
                                   struct pack_stop stop, struct prvcut_error *err)
{
    struct pack_stream u;
    const char *name;
    enum prvcut_status st = pack_stream_open(&u, path, stop, err);

    m->archive = path;
    while (st == PRVCUT_OK && (st = pack_stream_next(&u, &name, err)) == PRVCUT_OK)
        st = members_add(m, name, err);
    if (st == PRVCUT_END)
        st = lenient ? PRVCUT_OK : pack_stream_end(&u, err);
    pack_stream_close(&u);
    return st;
}

/* Files lie in the folder under the names that mean them in the archive. */
static enum prvcut_status pku_unpack_parts(struct pack_inside *out, const struct members *m,
                                           const struct member_trace *t, struct pack_stop stop,
                                           struct prvcut_error *err)
{
    const size_t from = (size_t)(members_name(m, t) - t->main);
    struct pack_stream u;
    const char *name;
    enum prvcut_status st = pack_stream_open(&u, m->archive, stop, err);

    while (st == PRVCUT_OK && (st = pack_stream_next(&u, &name, err)) == PRVCUT_OK) {
        if (pack_stopped(&stop))
            st = prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
        else if (members_is_part(m, t, name))
            st = pku_unpack_file(&u, out->folder, name + from, err);
    }
    pack_stream_close(&u);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static enum prvcut_status pku_name_run(struct pack_inside *out, const struct member_trace *t,
                                       struct prvcut_error *err)
{
    const size_t end = t->folder > 0 ? t->folder - 1 : 0;
    size_t begin = end;

    while (begin > 0 && t->main[begin - 1] != '/')
        begin--;
    out->run = prvcut_copied(t->main + begin, end - begin, "a name", err);
    return out->run ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status pku_name_inside(struct pack_inside *out, const char *path,
                                          const struct members *m, const struct member_trace *t,
                                          struct prvcut_error *err)
{
    const char *member = members_name(m, t);
    struct prvcut_buffer main = { 0 }, told = { 0 };
    enum prvcut_status st = prvcut_buffer_printf(&main, err, "%s/%s", out->folder, member);

    out->main = main.at;
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(&told, err, "%s:%s", path, member);
    out->told = told.at;
    if (st == PRVCUT_OK)
        st = pku_name_run(out, t, err);
    return st;
}

enum prvcut_status pack_unpack(struct pack_inside *out, const char *path, const char *member,
                               bool lenient, struct pack_stop stop, struct prvcut_error *err)
{
    struct members m = { .count = 0 };
    struct member_trace t;
    enum prvcut_status st = pku_list(&m, path, lenient, stop, err);

    *out = (struct pack_inside){ .lock = -1 };
    if (st == PRVCUT_OK)
        st = members_choose(&m, member, &t, err);
    if (st == PRVCUT_OK)
        st = pack_scratch(out, err);
    if (st == PRVCUT_OK)
        st = pku_unpack_parts(out, &m, &t, stop, err);
    if (st == PRVCUT_OK)
        st = pku_name_inside(out, path, &m, &t, err);
    members_fini(&m);
    if (st < 0)
        pack_inside_fini(out);
    return st;
}

void pack_inside_fini(struct pack_inside *p)
{
    const bool used = p->folder != NULL;

    pack_remove(p->folder);
    if (used && p->lock >= 0)
        close(p->lock);
    free(p->main);
    free(p->told);
    free(p->run);
    *p = (struct pack_inside){ .lock = -1 };
}
