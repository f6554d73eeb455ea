/* realpath is of POSIX.1-2008, but only with the XSI extensions. */
#define _XOPEN_SOURCE 700

#include "base/journal.h"
#include "base/bytes.h"
#include "base/io.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SET   "prvcut set 1"
#define PART  "prvcut part 1"
#define ENTRY "entry"
#define END   "end"

/* A set of a hundred thousand files, such as an archive brings one for each thread. */
#define JOURNAL_MOST ((uint64_t)64 << 20)

struct prvcut_known prvcut_known_of(const struct stat *s)
{
    const bool folder = S_ISDIR(s->st_mode);
    struct prvcut_known k;

    snprintf(k.text, sizeof k.text, "%ju:%ju:%jd:%jd.%ld", (uintmax_t)s->st_dev,
             (uintmax_t)s->st_ino, folder ? 0 : (intmax_t)s->st_size,
             folder ? 0 : (intmax_t)s->st_mtim.tv_sec, folder ? 0 : s->st_mtim.tv_nsec);
    return k;
}

/* --- Writing ------------------------------------------------------------------------------ */

static void jour_put(struct prvcut_put *p, const char *text)
{
    prvcut_put_bytes(p, text, strlen(text) + 1);
}

/* A path that leads there from anywhere. */
static void jour_put_path(struct prvcut_put *p, const char *path)
{
    char *real = realpath(path, NULL);

    if (real)
        jour_put(p, real);
    else if (p->st == PRVCUT_OK)
        p->st = prvcut_fail_errno(p->err, PRVCUT_EIO, "%s: cannot be found", path);
    free(real);
}

static void jour_put_entry(struct prvcut_put *p, const struct prvcut_journal_entry *e,
                           const struct prvcut_work *home)
{
    jour_put(p, ENTRY);
    jour_put(p, e->stood ? "1" : "0");
    jour_put(p, e->known.text);
    if (e->work == home) {
        jour_put(p, "");
        jour_put(p, "");
    } else {
        jour_put_path(p, e->work->place);
        jour_put_path(p, e->work->path);
    }
    jour_put(p, e->name);
}

static bool jour_sync_all(const struct prvcut_work *w, int journal, int folder)
{
    return prvcut_io_sync(journal, false) == 0 && prvcut_io_sync(w->lock_fd, false) == 0 &&
           prvcut_io_sync(folder, true) == 0 &&
           (w->place_fd < 0 || prvcut_io_sync(w->place_fd, true) == 0);
}

/* Before anything is set aside, the way back must be on disk. */
static int jour_write_journal(const struct prvcut_work *w, const struct prvcut_buffer *b, bool sync)
{
    const int fd =
        prvcut_io_open(w->journal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    const int folder =
        fd >= 0 ? prvcut_io_open(w->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) : -1;
    bool good = fd >= 0 && folder >= 0 && prvcut_io_write(fd, b->at, b->count, NULL) == 0;
    int number;

    good = good && (!sync || jour_sync_all(w, fd, folder));
    number = errno;
    if (fd >= 0 && close(fd) != 0 && errno != EINTR && good) {
        number = errno;
        good = false;
    }
    if (folder >= 0)
        close(folder);
    errno = number;
    return good ? 0 : -1;
}

static enum prvcut_status jour_write_one(const struct prvcut_work *w, const struct prvcut_buffer *b,
                                         bool sync, struct prvcut_error *err)
{
    return jour_write_journal(w, b, sync) == 0
               ? PRVCUT_OK
               : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be written", w->journal);
}

static enum prvcut_status jour_write_part(const struct prvcut_work *w,
                                          const struct prvcut_work *home, bool sync,
                                          struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };

    jour_put(&p, PART);
    jour_put_path(&p, home->path);
    jour_put(&p, END);
    if (p.st == PRVCUT_OK)
        p.st = jour_write_one(w, &p.b, sync, err);
    prvcut_buffer_fini(&p.b);
    return p.st;
}

enum prvcut_status prvcut_journal_write(struct prvcut_work *const *work, size_t works,
                                        const struct prvcut_journal_entry *entry, size_t entries,
                                        struct prvcut_error *err)
{
    struct prvcut_put p = { .err = err };
    bool old = false;

    jour_put(&p, SET);
    for (size_t i = 0; i < entries; i++) {
        jour_put_entry(&p, &entry[i], work[0]);
        old = old || entry[i].stood;
    }
    jour_put(&p, END);
    for (size_t i = 1; i < works && p.st == PRVCUT_OK; i++)
        p.st = jour_write_part(work[i], work[0], old, err);
    if (p.st == PRVCUT_OK)
        p.st = jour_write_one(work[0], &p.b, old, err);
    prvcut_buffer_fini(&p.b);
    return p.st;
}

/* --- Reading ------------------------------------------------------------------------------ */

struct journal {
    char *bytes; /* NULL: there is none, or it was not written to its end */
    size_t count, at;
};

static const char *jour_next(struct journal *j)
{
    const char *text = j->bytes + j->at, *end = memchr(text, '\0', j->count - j->at);

    if (!end)
        return "";
    j->at = (size_t)(end - j->bytes) + 1;
    return text;
}

/* false: nobody can tell what it says. */
static bool journal_read(struct journal *j, const char *work)
{
    char *path = prvcut_path_join(work, PRVCUT_WORK_JOURNAL);
    const int fd =
        path ? prvcut_io_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0) : -1;
    bool told = path && (fd >= 0 || errno == ENOENT);
    struct stat s;

    *j = (struct journal){ .at = 0 };
    if (fd >= 0) {
        told = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && (uint64_t)s.st_size < JOURNAL_MOST;
        j->bytes = told ? prvcut_unset(1, (size_t)s.st_size + 1, "a journal", NULL) : NULL;
        told = j->bytes && prvcut_io_read_at(fd, 0, j->bytes, (size_t)s.st_size, &j->count) == 0;
        close(fd);
    }
    free(path);
    if (!told || (fd >= 0 && (j->count < sizeof END ||
                              memcmp(j->bytes + j->count - sizeof END, END, sizeof END) != 0))) {
        free(j->bytes);
        j->bytes = NULL;
    }
    return told;
}

/* An entry as the journal tells it, with the paths that lead to it. */
struct past {
    bool stood;
    const char *known;  /* in the journal */
    char *place, *work; /* its folder and its working folder */
    char *final, *old, *gone;
};

static void jour_past_fini(struct past *p)
{
    free(p->place);
    free(p->work);
    free(p->final);
    free(p->old);
    free(p->gone);
}

/* work/folder/name; NULL when out of memory. */
static char *jour_inside(const char *work, const char *folder, const char *name)
{
    char *path = work ? prvcut_path_join(work, folder) : NULL;
    char *out = path ? prvcut_path_join(path, name) : NULL;

    free(path);
    return out;
}

static const char *jour_or_own(const char *text, const char *own)
{
    return *text ? text : own;
}

static bool jour_past_read(struct past *p, struct journal *j, const char *place, const char *work)
{
    const char *name;

    *p = (struct past){ .stood = strcmp(jour_next(j), "1") == 0 };
    p->known = jour_next(j);
    p->place = prvcut_copied_text(jour_or_own(jour_next(j), place), "a file name", NULL);
    p->work = prvcut_copied_text(jour_or_own(jour_next(j), work), "a file name", NULL);
    name = jour_next(j);
    p->final = p->place ? prvcut_path_join(p->place, name) : NULL;
    p->old = jour_inside(p->work, PRVCUT_WORK_OLD, name);
    p->gone = jour_inside(p->work, PRVCUT_WORK_SET, name);
    return *name && !strchr(name, '/') && p->final && p->old && p->gone;
}

struct pasts {
    struct past *at;
    size_t count, room;
};

static void jour_pasts_fini(struct pasts *all)
{
    for (size_t i = 0; i < all->count; i++)
        jour_past_fini(&all->at[i]);
    free(all->at);
}

/* false: no memory, or it is no journal of this version. */
static bool jour_pasts_read(struct pasts *all, struct journal *j, const char *work)
{
    char *place = prvcut_path_folder(work, NULL);
    bool good = place != NULL;
    const char *text;

    while (good && strcmp(text = jour_next(j), END) != 0) {
        good = strcmp(text, ENTRY) == 0 &&
               prvcut_grow((void **)&all->at, &all->room, all->count + 1, sizeof *all->at, NULL) ==
                   PRVCUT_OK;
        if (good)
            good = jour_past_read(&all->at[all->count++], j, place, work);
    }
    free(place);
    return good;
}

/* --- Putting right ------------------------------------------------------------------------ */

/* What the set brought goes out of the way; what anybody else did stays. */
static bool jour_past_leave(const struct past *p)
{
    char *set;
    struct stat s;

    if (lstat(p->final, &s) != 0)
        return errno == ENOENT;
    if (strcmp(prvcut_known_of(&s).text, p->known) != 0)
        return true;
    if (!S_ISDIR(s.st_mode))
        return unlink(p->final) == 0;
    set = prvcut_path_join(p->work, PRVCUT_WORK_SET);
    if (set)
        (void)mkdir(set, S_IRWXU);
    free(set);
    return rename(p->final, p->gone) == 0;
}

static bool jour_past_restore(const struct past *p)
{
    struct stat s;

    if (!p->stood || lstat(p->old, &s) != 0)
        return !p->stood || errno == ENOENT;
    return lstat(p->final, &s) != 0 && errno == ENOENT && rename(p->old, p->final) == 0;
}

static bool jour_past_sync(const struct past *p)
{
    const int fd = prvcut_io_open(p->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    const bool good = fd < 0 || prvcut_io_sync(fd, true) == 0;

    if (fd >= 0)
        close(fd);
    return good;
}

/* The main entry is the last one: it goes first and comes last. */
static bool jour_pasts_undo(const struct pasts *all)
{
    bool good = true;

    for (size_t i = all->count; i-- > 0;)
        good = jour_past_leave(&all->at[i]) && good;
    for (size_t i = 0; i < all->count && good; i++)
        good = jour_past_restore(&all->at[i]);
    for (size_t i = 0; i < all->count && good; i++)
        good = jour_past_sync(&all->at[i]);
    return good;
}

/* A set that was not finished, whose lock is ours; false: some of it could not be put right. */
static bool jour_undo_set(struct journal *j, const char *work)
{
    struct pasts all = { 0 };
    const bool good = jour_pasts_read(&all, j, work) && jour_pasts_undo(&all);

    for (size_t i = 0; i < all.count && good; i++)
        if (strcmp(all.at[i].work, work) != 0)
            prvcut_work_remove(all.at[i].work);
    jour_pasts_fini(&all);
    return good;
}

/* Where the journal is gone, all was finished or put right; but nothing old goes for an empty
 * place. */
static bool jour_restore_missing(const char *work)
{
    char *old = prvcut_path_join(work, PRVCUT_WORK_OLD), *place = prvcut_path_folder(work, NULL);
    DIR *dir = old && place ? opendir(old) : NULL;
    bool good = dir || (old && place && errno == ENOENT);
    const struct dirent *d;

    while (good && dir && (errno = 0, d = readdir(dir))) {
        char *from = prvcut_path_join(old, d->d_name), *to = prvcut_path_join(place, d->d_name);
        struct stat s;

        good = from && to;
        if (good && lstat(to, &s) != 0)
            good = errno == ENOENT && rename(from, to) == 0;
        free(from);
        free(to);
    }
    if (dir)
        closedir(dir);
    free(old);
    free(place);
    return good;
}

/* A working folder whose journal lies in another one. */
static bool jour_undo_part(const char *home, const char *work)
{
    struct journal j;
    const int lock = prvcut_work_take(home);
    bool good = lock >= 0;

    if (lock < 0)
        return errno == ENOENT && jour_restore_missing(work);
    good = journal_read(&j, home);
    if (good && j.bytes) {
        good = strcmp(jour_next(&j), SET) == 0 && jour_undo_set(&j, home);
        if (good)
            prvcut_work_remove(home);
    }
    free(j.bytes);
    close(lock);
    return good;
}

static void jour_recover(const char *work)
{
    const int lock = prvcut_work_take(work);
    struct journal j = { 0 };
    const char *kind;
    bool good;

    if (lock < 0)
        return;
    good = journal_read(&j, work);
    if (good && j.bytes) {
        kind = jour_next(&j);
        if (strcmp(kind, SET) == 0)
            good = jour_undo_set(&j, work);
        else
            good = strcmp(kind, PART) == 0 && jour_undo_part(jour_next(&j), work);
    }
    if (good)
        prvcut_work_remove(work);
    free(j.bytes);
    close(lock);
}

void prvcut_journal_recover(const char *place)
{
    DIR *dir = opendir(place);
    const struct dirent *d;

    while (dir && (d = readdir(dir))) {
        char *work = prvcut_work_is_name(d->d_name) ? prvcut_path_join(place, d->d_name) : NULL;

        if (work)
            jour_recover(work);
        free(work);
    }
    if (dir)
        closedir(dir);
}
