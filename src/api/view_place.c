/* realpath is of X/Open. */
#define _XOPEN_SOURCE 700

#include "api/view_place.h"

#include "api/called.h"
#include "api/digest.h"
#include "api/locate.h"
#include "base/buffer.h"
#include "base/io.h"
#include "base/memory.h"
#include "report/page.h"
#include "structure/parameters.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Pages that a folder keeps: of 2 MB at most each, 200 MB. */
#define VIEW_PAGES  100
#define NAME_MOST   100 /* bytes of a page's name that are the trace's */
#define DIGITS      16  /* of the trace's path */
#define HEAD        4096
#define SUFFIX      ".html"
#define CACHE       "/prvcut"
#define NANOSECONDS INT64_C(1000000000)

/* --- The folder ----------------------------------------------------------------------------- */

/* A relative one counts for none, as the specification of XDG has it. */
static const char *vpl_variable(const char *name)
{
    const char *value = getenv(name);

    return value && value[0] == '/' ? value : NULL;
}

static enum prvcut_status vpl_cache(struct prvcut_buffer *out, struct prvcut_error *err)
{
    const char *cache = vpl_variable("XDG_CACHE_HOME"), *home = vpl_variable("HOME");

    if (cache)
        return prvcut_buffer_printf(out, err, "%s" CACHE, cache);
    if (home)
        return prvcut_buffer_printf(out, err, "%s/.cache" CACHE, home);
    prvcut_instead(err, "prvcut --report page.html TRACE");
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "there is no cache folder for the page: neither HOME nor XDG_CACHE_HOME is "
                       "the path of a folder");
}

/* With all folders above it; of the user alone, as XDG has it. */
static enum prvcut_status vpl_make(char *folder, struct prvcut_error *err)
{
    struct stat s;

    for (char *at = strchr(folder + 1, '/');; at = strchr(at + 1, '/')) {
        bool failed;

        if (at)
            *at = '\0';
        failed = mkdir(folder, S_IRWXU) != 0 && (stat(folder, &s) != 0 || !S_ISDIR(s.st_mode));
        if (failed && errno != ENOMEM)
            prvcut_instead(err, "prvcut --report page.html TRACE");
        if (failed)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: the folder cannot be made", folder);
        if (!at)
            return PRVCUT_OK;
        *at = '/';
    }
}

/* --- The name ------------------------------------------------------------------------------- */

/* The path on disk, of an archive with its member. */
static enum prvcut_status vpl_put_path(struct prvcut_buffer *out, const struct prvcut_trace *t,
                                       struct prvcut_error *err)
{
    const char *told = prvcut_trace_told(t);
    const size_t archive = t->unpacked ? prvcut_told_archive(t) : strlen(t->path);
    char *given = prvcut_copied(t->unpacked ? told : t->path, archive, "a name", NULL), *real;
    enum prvcut_status st = PRVCUT_OK;

    if (!given)
        return prvcut_no_memory(err, "a file name");
    real = realpath(given, NULL);
    if (!real)
        st = prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be found", given);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(out, err, "%s%s", real, t->unpacked ? told + archive : "");
    free(real);
    free(given);
    return st;
}

static struct digest_text vpl_digest(const struct prvcut_buffer *b)
{
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, b->count, (const uint8_t *)b->at);
    return digest_finish(&ctx);
}

/* A name that nobody need quote. */
static void vpl_plain(char *name)
{
    static const char taken[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    for (char *at = name; *at; at++)
        if (!strchr(taken, *at) || (at == name && *at != '_' && strchr(".-", *at)))
            *at = '_';
}

static enum prvcut_status vpl_name(char **out, const struct prvcut_trace *t, const char *folder,
                                   struct prvcut_error *err)
{
    struct prvcut_buffer path = { 0 }, name = { 0 };
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, t, err);

    if (st == PRVCUT_OK)
        st = vpl_put_path(&path, t, err);
    if (st == PRVCUT_OK) {
        const struct digest_text sum = vpl_digest(&path);

        vpl_plain(called);
        st = prvcut_buffer_printf(&name, err, "%s/%.*s.%.*s" SUFFIX, folder, NAME_MOST, called,
                                  DIGITS, sum.at);
    }
    free(called);
    prvcut_buffer_fini(&path);
    *out = name.at;
    return st;
}

static enum prvcut_status vpl_is_free(char **path, struct prvcut_error *err)
{
    struct stat s;
    enum prvcut_status st;

    if (stat(*path, &s) != 0 || !S_ISDIR(s.st_mode))
        return PRVCUT_OK;
    prvcut_instead(err, "prvcut --report page.html TRACE");
    st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: is a folder, not a file", *path);
    free(*path);
    *path = NULL;
    return st;
}

enum prvcut_status view_place(char **out, const struct prvcut_trace *t, const char *folder,
                              struct prvcut_error *err)
{
    struct prvcut_buffer place = { 0 };
    enum prvcut_status st =
        folder ? prvcut_buffer_printf(&place, err, "%s", folder) : vpl_cache(&place, err);

    *out = NULL;
    if (st == PRVCUT_OK)
        st = vpl_make(place.at, err);
    if (st == PRVCUT_OK)
        st = vpl_name(out, t, place.at, err);
    if (st == PRVCUT_OK)
        st = vpl_is_free(out, err);
    prvcut_buffer_fini(&place);
    return st;
}

/* --- The key -------------------------------------------------------------------------------- */

/* Files in any order. */
struct vpl_files {
    uint64_t files, sum;
    bool failed;
};

static void vpl_add(struct vpl_files *f, const char *name, uint64_t bytes, uint64_t ns)
{
    struct prvcut_buffer b = { 0 };
    struct digest_text sum;
    char digits[17];

    if (prvcut_buffer_printf(&b, NULL, "%s %" PRIu64 " %" PRIu64, name, bytes, ns) < 0) {
        f->failed = true;
        return;
    }
    sum = vpl_digest(&b);
    snprintf(digits, sizeof digits, "%.16s", sum.at);
    f->sum += strtoull(digits, NULL, 16);
    f->files++;
    prvcut_buffer_fini(&b);
}

/* Folders change whenever something is made in them. */
static bool vpl_take(void *ctx, const char *name, const struct stat *s)
{
    if (S_ISREG(s->st_mode))
        vpl_add(ctx, name, (uint64_t)s->st_size,
                (uint64_t)(s->st_mtim.tv_sec * NANOSECONDS + s->st_mtim.tv_nsec));
    return false;
}

static void vpl_take_path(struct vpl_files *f, const char *path)
{
    struct stat s;

    if (path && stat(path, &s) == 0)
        vpl_take(f, path, &s);
}

static void vpl_files(struct vpl_files *f, const struct prvcut_trace *t)
{
    if (t->unpacked) {
        vpl_add(f, prvcut_trace_told(t), t->packed_bytes, t->packed_ns);
        return;
    }
    vpl_take_path(f, t->path);
    for (unsigned i = 0; i < t->companions; i++)
        vpl_take_path(f, t->companion[i].path);
    prvcut_trace_each_part(t->path, vpl_take, f);
}

/* What the program was told of the trace, and what commands on the page call it. */
static enum prvcut_status vpl_put_options(struct prvcut_buffer *out, const struct prvcut_trace *t,
                                          const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_again *again = run->again;
    char *options = again ? again->options(again->ctx, "", "") : NULL, *typed = NULL;
    const char *set = NULL;
    enum prvcut_status st = prvcut_parameters_told(&set, run->set, err);

    if (st == PRVCUT_OK)
        st = prvcut_trace_typed(&typed, t, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_printf(out, err, "\n%s\n%s\n%s\n%d", options ? options : "",
                                  set ? set : "", typed ? typed : "", t->raw_clocks);
    free(typed);
    free(options);
    return st;
}

enum prvcut_status view_key(char out[VIEW_KEY], const struct prvcut_trace *t,
                            const struct prvcut_run *run, struct prvcut_error *err)
{
    struct vpl_files f = { .files = 0 };
    struct prvcut_buffer b = { 0 };
    struct digest_text sum;
    enum prvcut_status st;

    vpl_files(&f, t);
    if (f.failed)
        return prvcut_no_memory(err, "a file name");
    st = prvcut_buffer_printf(&b, err, PRVCUT_VERSION " %" PRIu64 " %" PRIx64, f.files, f.sum);
    if (st == PRVCUT_OK)
        st = vpl_put_options(&b, t, run, err);
    if (st == PRVCUT_OK) {
        sum = vpl_digest(&b);
        memcpy(out, sum.at, VIEW_KEY);
    }
    prvcut_buffer_fini(&b);
    return st;
}

/* --- Pages that are there ------------------------------------------------------------------- */

/* A copy of a home or a full disk may have cut a page short. */
static bool vpl_ends(int fd, uint64_t bytes)
{
    char tail[sizeof PRVCUT_PAGE_END - 1];
    size_t got = 0;

    return bytes >= sizeof tail &&
           prvcut_io_read_at(fd, bytes - sizeof tail, tail, sizeof tail, &got) == 0 &&
           got == sizeof tail && memcmp(tail, PRVCUT_PAGE_END, sizeof tail) == 0;
}

bool view_mark(char *out, size_t room, const char *path, uint64_t *bytes)
{
    static const char before[] = "<meta name=\"" PRVCUT_PAGE_MARK "\" content=\"";
    const int fd = prvcut_io_open(path, O_RDONLY | O_NONBLOCK, 0);
    char head[HEAD + 1];
    const char *at = NULL;
    struct stat s;
    size_t got = 0, n = 0;

    if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) &&
        prvcut_io_read_at(fd, 0, head, HEAD, &got) == 0) {
        head[got] = '\0';
        *bytes = (uint64_t)s.st_size;
        at = vpl_ends(fd, *bytes) ? strstr(head, before) : NULL;
    }
    if (fd >= 0)
        close(fd);
    if (!at)
        return false;
    at += sizeof before - 1;
    n = strcspn(at, "\"");
    if (n >= room || at[n] != '"')
        return false;
    memcpy(out, at, n);
    out[n] = '\0';
    return true;
}

/* NAME.0123456789abcdef.html, as they are called here. */
static bool vpl_is_page(const char *name)
{
    const size_t n = strlen(name), end = DIGITS + sizeof SUFFIX - 1;

    return n > end + 1 && strcmp(name + n - (sizeof SUFFIX - 1), SUFFIX) == 0 &&
           name[n - end - 1] == '.' && strspn(name + n - end, "0123456789abcdef") >= DIGITS;
}

/* The oldest of them in an open folder, if there are more than are kept. */
static bool vpl_oldest(DIR *dir, struct prvcut_buffer *oldest)
{
    const struct dirent *d;
    struct timespec first = { 0 };
    size_t pages = 0;
    struct stat s;

    rewinddir(dir);
    while ((d = readdir(dir))) {
        if (!vpl_is_page(d->d_name) ||
            fstatat(dirfd(dir), d->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode))
            continue;
        if (pages++ > 0 &&
            (s.st_mtim.tv_sec > first.tv_sec ||
             (s.st_mtim.tv_sec == first.tv_sec && s.st_mtim.tv_nsec >= first.tv_nsec)))
            continue;
        first = s.st_mtim;
        oldest->count = 0;
        if (prvcut_buffer_printf(oldest, NULL, "%s", d->d_name) < 0)
            return false;
    }
    return pages > VIEW_PAGES;
}

void view_prune(const char *path)
{
    struct prvcut_buffer oldest = { 0 };
    const char *slash = strrchr(path, '/');
    char *folder = prvcut_copied(path, slash ? (size_t)(slash - path) : 0, "a name", NULL);
    DIR *dir = folder ? opendir(folder) : NULL;

    while (dir && vpl_oldest(dir, &oldest))
        if (unlinkat(dirfd(dir), oldest.at, 0) != 0)
            break;
    if (dir)
        closedir(dir);
    free(folder);
    prvcut_buffer_fini(&oldest);
}
