#include "api/follow_input.h"

#include "base/io.h"
#include "base/memory.h"
#include "base/place.h"
#include "base/room.h"
#include "base/seconds.h"
#include "model/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Between two looks at a file's size: ms. */
#define FIN_PATIENCE 100
/* Bytes that are taken from a pipe at once. */
#define FIN_ROOM PRVCUT_ROOM((size_t)256 * 1024)
/* Bytes of a file that are compared at each look at its size. */
#define FIN_SEEN ((size_t)4 * 1024)
/* Where nothing else is said: s without anything new, bytes of a pipe. */
#define FIN_LULL 60.0
#define FIN_MOST ((uint64_t)16 << 30)
/* Where the disk is full, that part of what was kept makes room for the cut, which stands beside
   it: two of eight iterations. */
#define FIN_SPARE 4

static bool fin_is_pipe(const char *path)
{
    struct stat s;

    return strcmp(path, "-") == 0 ||
           (stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
}

/* --- The process that writes ------------------------------------------------------------------ */

/* A process that has ended but was not waited for is there still: its state tells, behind its name,
   which may hold anything. */
static bool fin_is_dead(int64_t pid)
{
    char path[64], text[1024];
    const char *state;
    size_t got = 0;
    int fd;

    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    fd = prvcut_io_open(path, O_RDONLY, 0);
    if (fd < 0)
        return false;
    if (prvcut_io_read_at(fd, 0, text, sizeof text - 1, &got) != 0)
        got = 0;
    close(fd);
    text[got] = '\0';
    state = strrchr(text, ')');
    return state && state[1] == ' ' && (state[2] == 'Z' || state[2] == 'X');
}

static bool fin_process_ended(const struct follow_input *in)
{
    const int64_t pid = in->how->pid;

    if (pid <= 0)
        return false;
    return (kill((pid_t)pid, 0) != 0 && errno == ESRCH) || fin_is_dead(pid);
}

/* --- A file ----------------------------------------------------------------------------------- */

static enum prvcut_status fin_grow(struct follow_input *in, uint64_t size)
{
    if (size > in->size)
        in->grew = prvcut_seconds();
    in->size = size;
    return PRVCUT_OK;
}

/* The bytes before size, as many as are kept of them; false: they cannot be read. */
static bool fin_read_seen(const struct follow_input *in, char *out, size_t count)
{
    const int fd = prvcut_io_open(in->path, O_RDONLY | O_CLOEXEC, 0);
    size_t got = 0;
    const bool sound = fd >= 0 && prvcut_io_read_at(fd, in->size - count, out, count, &got) == 0;

    if (fd >= 0)
        close(fd);
    return sound && got == count;
}

/* A file that was emptied and is longer again by now has the size and the number of one that grew,
   but other bytes. The first line may be another: writers put the duration there at last. */
static bool fin_is_anew(const struct follow_input *in)
{
    const bool whole = in->seen_count == in->size;
    const char *line =
        whole && in->seen_count > 0 ? memchr(in->seen, '\n', in->seen_count) : in->seen;
    const size_t from = line ? (size_t)(line - in->seen) : in->seen_count;
    char now[FIN_SEEN];

    return in->seen_count > from && fin_read_seen(in, now, in->seen_count) &&
           memcmp(now + from, in->seen + from, in->seen_count - from) != 0;
}

static enum prvcut_status fin_keep_seen(struct follow_input *in, struct prvcut_error *err)
{
    if (!in->seen)
        in->seen = prvcut_unset(1, FIN_SEEN, "bytes of a file", err);
    if (!in->seen)
        return PRVCUT_ENOMEM;
    in->seen_count = in->size < FIN_SEEN ? (size_t)in->size : FIN_SEEN;
    if (!fin_read_seen(in, in->seen, in->seen_count))
        in->seen_count = 0;
    return PRVCUT_OK;
}

static enum prvcut_status fin_measure(struct follow_input *in, struct prvcut_error *err)
{
    struct stat s;
    uint64_t before;

    if (stat(in->path, &s) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: was there and is followed, but now",
                                 in->path);
    if (s.st_dev != in->device || s.st_ino != in->inode)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: another file took its place while it was followed", in->path);
    if ((uint64_t)s.st_size < in->size)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: got shorter while it was followed: %llu bytes, after %llu",
                           in->path, (unsigned long long)s.st_size, (unsigned long long)in->size);
    if (fin_is_anew(in))
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%s: was written anew while it was followed: its first %llu bytes are "
                           "not what they were",
                           in->path, (unsigned long long)in->size);
    before = in->size;
    fin_grow(in, (uint64_t)s.st_size);
    return in->size > before ? fin_keep_seen(in, err) : PRVCUT_OK;
}

static enum prvcut_status fin_open_file(struct follow_input *in, const char *path,
                                        struct prvcut_error *err)
{
    struct stat s;

    if (stat(path, &s) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be opened", path);
    if (S_ISDIR(s.st_mode))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: is a folder: an archive is complete only when it is closed, and "
                           "cannot be followed",
                           path);
    in->device = s.st_dev;
    in->inode = s.st_ino;
    in->path = prvcut_copied_text(path, "a file name", err);
    return in->path ? fin_measure(in, err) : PRVCUT_ENOMEM;
}

static enum prvcut_status fin_step_file(struct follow_input *in, struct prvcut_error *err)
{
    const struct timespec patience = { .tv_nsec = FIN_PATIENCE * 1000000L };
    const double lull = in->how->idle_s > 0 ? in->how->idle_s : FIN_LULL;
    /* What a process wrote before it ended is there when it has. */
    const bool ended = fin_process_ended(in);
    const uint64_t before = in->size;
    enum prvcut_status st = fin_measure(in, err);

    if (st < 0 || in->size > before)
        return st;
    if (ended)
        in->over = PRVCUT_FOLLOW_PROCESS;
    else if (follow_input_quiet(in) >= lull)
        in->over = PRVCUT_FOLLOW_IDLE;
    else
        nanosleep(&patience, NULL);
    return PRVCUT_OK;
}

/* --- A pipe ----------------------------------------------------------------------------------- */

/* The folder of what is kept: one that a killed run leaves is removed by the next one. */
static enum prvcut_status fin_make_folder(struct follow_input *in, struct prvcut_error *err)
{
    const char *wish = getenv("TMPDIR");
    const char *place = in->how->scratch ? in->how->scratch : wish && *wish ? wish : "/tmp";
    char *shown = prvcut_path_join(place, "followed");
    const enum prvcut_status st = shown ? prvcut_work_open(&in->work, place, "followed", shown, err)
                                        : prvcut_no_memory(err, "a file name");

    free(shown);
    return st;
}

/* How many bytes of a name are before that suffix, or all. */
static int fin_stem(const char *name, const char *suffix)
{
    const size_t length = strlen(name), end = suffix ? strlen(suffix) : 0;

    return (int)(length > end && end > 0 && strcmp(name + length - end, suffix) == 0 ? length - end
                                                                                     : length);
}

/* One of what may stand beside the pipe stands beside what is kept of it, too. */
static enum prvcut_status fin_link(const struct follow_input *in, const char *own,
                                   const char *suffix, const char *packed, struct prvcut_error *err)
{
    char *from = prvcut_printed("a file name", err, "%.*s%s%s", fin_stem(in->told, own), in->told,
                                suffix, packed);
    char *to = from ? prvcut_printed("a file name", err, "%.*s%s%s", fin_stem(in->path, own),
                                     in->path, suffix, packed)
                    : NULL;
    const enum prvcut_status st = to ? prvcut_work_link(from, to, err) : PRVCUT_ENOMEM;

    free(from);
    free(to);
    /* Two formats may call theirs alike. */
    return st == PRVCUT_EEXIST ? PRVCUT_OK : st;
}

/* A pipe with a name may have labels beside it, as a file has; as there, they may come later. */
static enum prvcut_status fin_link_labels(const struct follow_input *in, struct prvcut_error *err)
{
    static const char *const packed[] = { "", ".zst", ".gz" };
    enum prvcut_status st = PRVCUT_OK;

    if (strcmp(in->told, "-") == 0)
        return PRVCUT_OK;
    for (size_t i = 0; prvcut_formats[i]; i++)
        for (const struct prvcut_format_file *f = prvcut_formats[i]->file;
             f && f->part != PRVCUT_PART_END; f++)
            for (size_t k = 0; k < sizeof packed / sizeof *packed && st == PRVCUT_OK; k++)
                if (f->part == PRVCUT_PART_COMPANION)
                    st = fin_link(in, prvcut_formats[i]->suffix, f->suffix, packed[k], err);
    return st;
}

static enum prvcut_status fin_make_room(struct follow_input *in, struct prvcut_error *err)
{
    const char *name = strrchr(in->told, '/');
    const enum prvcut_status st = fin_make_folder(in, err);

    if (st < 0)
        return st;
    /* Called as the pipe is: so it is told where a line of it is damaged. */
    in->path = prvcut_path_join(in->work->fresh, name ? name + 1 : in->told);
    in->room = prvcut_unset(1, FIN_ROOM, "bytes of a pipe", err);
    if (!in->path || !in->room)
        return prvcut_no_memory(err, "a pipe");
    in->kept = prvcut_io_open(in->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    return in->kept >= 0 ? fin_link_labels(in, err)
                         : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be made", in->path);
}

/* Asked while the pipe has nothing to read. */
static bool fin_waits_no_more(void *ctx)
{
    struct follow_input *in = ctx;
    const uint64_t came = prvcut_source_consumed(in->source);
    const double now = prvcut_seconds();

    if (came != in->came)
        in->since = now;
    in->came = came;
    return (in->stop && in->stop(in->stop_ctx)) ||
           (in->how->idle_s > 0 && now - in->since >= in->how->idle_s);
}

static enum prvcut_status fin_open_pipe(struct follow_input *in, const char *path,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    in->told = prvcut_copied_text(path, "a file name", err);
    if (!in->told)
        return PRVCUT_ENOMEM;
    /* A place that takes nothing is told before its writer can begin; while we wait for that, there
       is nothing to be removed. */
    st = fin_make_folder(in, err);
    prvcut_work_close(in->work);
    in->work = NULL;
    if (st == PRVCUT_OK)
        st = prvcut_source_open(&in->source, path, err);
    if (st == PRVCUT_OK)
        prvcut_source_watch(in->source, fin_waits_no_more, in);
    return st == PRVCUT_OK ? fin_make_room(in, err) : st;
}

/* The end of what was kept goes; size may then be in the middle of a line, which so_far leaves. */
static enum prvcut_status fin_spare(struct follow_input *in, struct prvcut_error *err)
{
    in->full = true;
    in->size -= in->size / FIN_SPARE;
    if (ftruncate(in->kept, (off_t)in->size) == 0)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: what it brings cannot be kept in %s", in->told,
                             in->work->place);
}

/* Keep what came, as far as there is room for it: who has followed a run for hours shall not lose
   all of it because the disk is full. */
static enum prvcut_status fin_keep(struct follow_input *in, size_t got, struct prvcut_error *err)
{
    const uint64_t most = in->how->most > 0 ? in->how->most : FIN_MOST;

    in->full = got >= most - in->size;
    if (in->full)
        got = (size_t)(most - in->size);
    if (prvcut_io_write(in->kept, in->room, got, NULL) == 0)
        return fin_grow(in, in->size + got);
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        return fin_spare(in, err);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: what it brings cannot be kept in %s", in->told,
                             in->work->place);
}

/* What is not kept is let pass: its writer goes on. */
static enum prvcut_status fin_step_pipe(struct follow_input *in, uint64_t bytes,
                                        struct prvcut_error *err)
{
    const uint64_t wanted = bytes - in->size;
    const size_t room = in->full || wanted >= FIN_ROOM ? FIN_ROOM : (size_t)wanted;
    size_t got = 0;
    struct prvcut_error why = { .status = PRVCUT_OK };
    enum prvcut_status st;
    bool idle;

    in->since = prvcut_seconds();
    st = prvcut_source_read(in->source, in->room, room, &got, &why);
    idle = st == PRVCUT_EINTERRUPTED && !(in->stop && in->stop(in->stop_ctx));
    if (st == PRVCUT_END || idle) {
        in->over = in->full ? PRVCUT_FOLLOW_FULL : idle ? PRVCUT_FOLLOW_IDLE : PRVCUT_FOLLOW_CLOSED;
        return PRVCUT_OK;
    }
    if (st < 0)
        return prvcut_fail_as(err, st, &why);
    return st == PRVCUT_OK && !in->full ? fin_keep(in, got, err) : st;
}

/* --- Either ----------------------------------------------------------------------------------- */

double follow_input_quiet(const struct follow_input *in)
{
    return prvcut_seconds() - in->grew;
}

enum prvcut_status follow_input_open(struct follow_input *in, const char *path,
                                     struct prvcut_error *err)
{
    in->kept = -1;
    in->grew = prvcut_seconds();
    return fin_is_pipe(path) ? fin_open_pipe(in, path, err) : fin_open_file(in, path, err);
}

enum prvcut_status follow_input_step(struct follow_input *in, uint64_t bytes,
                                     struct prvcut_error *err)
{
    if (in->stop && in->stop(in->stop_ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return in->source ? fin_step_pipe(in, bytes, err) : fin_step_file(in, err);
}

enum prvcut_status follow_input_same(struct follow_input *in, struct prvcut_error *err)
{
    return in->source ? PRVCUT_OK : fin_measure(in, err);
}

void follow_input_close(struct follow_input *in)
{
    if (in->kept >= 0)
        close(in->kept);
    prvcut_source_close(in->source);
    prvcut_work_close(in->work);
    free(in->path);
    free(in->told);
    free(in->room);
    free(in->seen);
    *in = (struct follow_input){ .kept = -1 };
}
