#include "base/commit.h"
#include "base/buffer.h"
#include "base/io.h"
#include "base/journal.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All may read and write, less what the process's umask takes away. */
#define FILE_MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH)

/* An entry of a set, and what has been done about it. */
struct member {
    struct prvcut_work *work;
    char *name, *shown;
    char *final; /* where it appears */
    char *fresh; /* where it was made; NULL: it brings nothing */
    char *old;   /* where what stands there is set aside */
    bool force, folder;
    bool stood;  /* something is to be set aside */
    bool aside;  /* it is, or has a second name there */
    bool linked; /* it has a second name there, and the first one until that is taken */
    bool moved;  /* the new one stands in its place */
    struct prvcut_known known;
};

struct prvcut_commit {
    struct member *at;
    size_t count, room;
    struct prvcut_work **work;
    size_t works, work_room;
};

static enum prvcut_status commit_nomem(struct prvcut_error *err)
{
    return prvcut_no_memory(err, "a file name");
}

enum prvcut_status prvcut_commit_new(struct prvcut_commit **out, struct prvcut_error *err)
{
    *out = prvcut_zeroed(1, sizeof **out, "outputs", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static struct prvcut_work *commit_find(const struct prvcut_commit *c, const char *place)
{
    struct stat s;

    for (size_t i = 0; i < c->works && stat(place, &s) == 0; i++)
        if (c->work[i]->device == s.st_dev && c->work[i]->inode == s.st_ino)
            return c->work[i];
    return NULL;
}

void prvcut_commit_recover(const struct prvcut_commit *c, const char *place)
{
    if (!commit_find(c, place))
        prvcut_journal_recover(place);
}

enum prvcut_status prvcut_commit_work(struct prvcut_commit *c, const char *place, const char *name,
                                      const char *shown, struct prvcut_work **out,
                                      struct prvcut_error *err)
{
    enum prvcut_status st;

    *out = commit_find(c, place);
    if (*out)
        return PRVCUT_OK;
    st = prvcut_grow((void **)&c->work, &c->work_room, c->works + 1, sizeof(struct prvcut_work *),
                     err);
    if (st == PRVCUT_OK)
        st = prvcut_work_open(out, place, name, shown, err);
    if (st == PRVCUT_OK)
        c->work[c->works++] = *out;
    return st;
}

static void commit_member_fini(struct member *m)
{
    free(m->name);
    free(m->shown);
    free(m->final);
    free(m->fresh);
    free(m->old);
}

enum prvcut_status prvcut_commit_join(struct prvcut_commit *c, const struct prvcut_joining *j,
                                      struct prvcut_error *err)
{
    struct member m = { .work = j->work, .force = j->force };
    enum prvcut_status st;

    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].work == j->work && strcmp(c->at[i].name, j->name) == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE, "%s: two outputs have this name", j->shown);
    m.name = prvcut_copied_text(j->name, "a file name", err);
    m.shown = prvcut_copied_text(j->shown, "a file name", err);
    m.final = prvcut_path_join(j->work->place, j->name);
    m.old = prvcut_path_join(j->work->old, j->name);
    m.fresh = j->fresh ? prvcut_copied_text(j->fresh, "a file name", err) : NULL;
    st = m.name && m.shown && m.final && m.old && (m.fresh || !j->fresh) ? PRVCUT_OK
                                                                         : commit_nomem(err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&c->at, &c->room, c->count + 1, sizeof *c->at, err);
    if (st == PRVCUT_OK)
        c->at[c->count++] = m;
    else
        commit_member_fini(&m);
    return st;
}

/* keep: what could not be put back stays, for the next run. */
static void commit_free(struct prvcut_commit *c, bool keep)
{
    for (size_t i = c->works; i-- > 0;)
        (keep ? prvcut_work_leave : prvcut_work_close)(c->work[i]);
    for (size_t i = 0; i < c->count; i++)
        commit_member_fini(&c->at[i]);
    free(c->work);
    free(c->at);
    free(c);
}

void prvcut_commit_abandon(struct prvcut_commit *c)
{
    if (c)
        commit_free(c, false);
}

/* --- Before the first change -------------------------------------------------------------- */

static enum prvcut_status commit_member_examine(struct member *m, struct prvcut_error *err)
{
    struct stat s;

    if (m->fresh && lstat(m->fresh, &s) != 0)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: was not written", m->shown);
    m->folder = m->fresh && S_ISDIR(s.st_mode);
    if (m->fresh)
        m->known = prvcut_known_of(&s);
    m->stood = m->force && lstat(m->final, &s) == 0;
    if (!m->stood && m->force && errno != ENOENT)
        return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be replaced", m->shown);
    return PRVCUT_OK;
}

static enum prvcut_status commit_member_place_for_old(const struct member *m,
                                                      struct prvcut_error *err)
{
    if (!m->stood || mkdir(m->work->old, S_IRWXU) == 0 || errno == EEXIST)
        return PRVCUT_OK;
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be replaced", m->shown);
}

static enum prvcut_status commit_examine(struct prvcut_commit *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < c->count && st == PRVCUT_OK; i++)
        st = commit_member_examine(&c->at[i], err);
    for (size_t i = 0; i < c->count && st == PRVCUT_OK; i++)
        st = commit_member_place_for_old(&c->at[i], err);
    return st;
}

/* The main entry's working folder, which has the journal, is the first. */
static void commit_lead(struct prvcut_commit *c)
{
    size_t i = 0;

    while (c->work[i] != c->at[c->count - 1].work)
        i++;
    c->work[i] = c->work[0];
    c->work[0] = c->at[c->count - 1].work;
}

static enum prvcut_status commit_journal(struct prvcut_commit *c, struct prvcut_error *err)
{
    struct prvcut_journal_entry *e = prvcut_zeroed(c->count, sizeof *e, "outputs", err);
    enum prvcut_status st;

    if (!e)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < c->count; i++) {
        const struct member *m = &c->at[i];

        e[i] = (struct prvcut_journal_entry){ m->name, m->work, m->known, m->stood };
    }
    commit_lead(c);
    st = prvcut_journal_write(c->work, c->works, e, c->count, err);
    free(e);
    return st;
}

/*
 * A single file needs no journal: what it replaces gets a second name first, and one call replaces
 * it. Where there are no second names, it goes aside as those of a set do.
 */
static bool commit_is_one_step(struct prvcut_commit *c)
{
    struct member *m = &c->at[0];

    if (c->count > 1)
        return false;
    if (m->stood)
        m->aside = m->linked = !m->folder && link(m->final, m->old) == 0;
    return m->aside || !m->stood;
}

/* --- Changes ------------------------------------------------------------------------------ */

/* Give the file its name if that is free, on file systems that have no hard links. */
static int commit_member_claim(const struct member *m)
{
    const int claim = prvcut_io_open(m->final, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);
    int number;

    if (claim < 0)
        return -1;
    close(claim);
    if (rename(m->fresh, m->final) == 0)
        return 0;
    number = errno;
    unlink(m->final);
    errno = number;
    return -1;
}

/*
 * rename replaces what is there, link never does: without force nothing can be lost, in any race.
 * Folders have no second link, but rename replaces none that holds something.
 */
static int commit_member_enter(const struct member *m)
{
    if (m->force || m->folder)
        return rename(m->fresh, m->final);
    if (link(m->fresh, m->final) == 0)
        return 0;
    if (errno == EPERM || errno == ENOTSUP || errno == EOPNOTSUPP || errno == ENOSYS ||
        errno == EMLINK)
        return commit_member_claim(m);
    return -1;
}

static enum prvcut_status commit_member_refused(const struct member *m, struct prvcut_error *err)
{
    if (!m->force && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR))
        return prvcut_fail(err, PRVCUT_EEXIST,
                           "%s: has appeared meanwhile; it is replaced only with --force",
                           m->shown);
    return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be given its name", m->shown);
}

/* The main entry goes first: while the others change, nobody takes them for a set. */
static enum prvcut_status commit_set_aside(struct prvcut_commit *c, struct prvcut_error *err)
{
    for (size_t i = c->count; i-- > 0;) {
        struct member *m = &c->at[i];

        if (!m->stood || m->aside)
            continue;
        if (rename(m->final, m->old) != 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be replaced", m->shown);
        m->aside = true;
    }
    return PRVCUT_OK;
}

static enum prvcut_status commit_enter(struct prvcut_commit *c, struct prvcut_error *err)
{
    for (size_t i = 0; i < c->count; i++) {
        struct member *m = &c->at[i];

        if (!m->fresh)
            continue;
        if (commit_member_enter(m) != 0)
            return commit_member_refused(m, err);
        m->moved = true;
    }
    return PRVCUT_OK;
}

static enum prvcut_status commit_sync_places(const struct prvcut_commit *c,
                                             struct prvcut_error *err)
{
    for (size_t i = 0; i < c->works; i++)
        if (c->work[i]->place_fd >= 0 && prvcut_io_sync(c->work[i]->place_fd, true) != 0)
            return prvcut_fail_errno(err, PRVCUT_EIO, "%s: its folder cannot be flushed to disk",
                                     c->at[c->count - 1].shown);
    return PRVCUT_OK;
}

/* From here on what was set aside may go: nothing brings it back. */
static enum prvcut_status commit_close_journal(const struct prvcut_commit *c,
                                               struct prvcut_error *err)
{
    const struct member *main = &c->at[c->count - 1];
    bool old = false;
    int fd, failed;

    for (size_t i = 0; i < c->count; i++)
        old = old || c->at[i].aside;
    if (unlink(main->work->journal) != 0)
        return errno == ENOENT
                   ? PRVCUT_OK
                   : prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be finished", main->shown);
    if (!old)
        return PRVCUT_OK;
    fd = prvcut_io_open(main->work->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    failed = fd >= 0 ? prvcut_io_sync(fd, true) : -1;
    if (failed != 0)
        prvcut_fail_errno(err, PRVCUT_EIO, "%s: cannot be finished", main->shown);
    if (fd >= 0)
        close(fd);
    return failed == 0 ? PRVCUT_OK : PRVCUT_EIO;
}

/* --- Back --------------------------------------------------------------------------------- */

/* The new one out of the way. */
static bool commit_member_leave(const struct member *m)
{
    if (!m->moved)
        return true;
    return m->folder || m->force ? rename(m->final, m->fresh) == 0 : unlink(m->final) == 0;
}

static bool commit_member_restore(const struct member *m)
{
    return !m->aside || rename(m->old, m->final) == 0;
}

/* One file is brought back in one call; of a set, the main entry goes first and comes last. */
static bool commit_undo(struct prvcut_commit *c)
{
    const bool one = c->count == 1 && c->at[0].aside && !c->at[0].folder;
    bool all = true;

    /* It still has its name beside the second one. */
    if (one && !c->at[0].moved && c->at[0].linked)
        return true;
    for (size_t i = c->count; i-- > 0 && !one;)
        all = commit_member_leave(&c->at[i]) && all;
    for (size_t i = 0; i < c->count; i++)
        all = commit_member_restore(&c->at[i]) && all;
    return all;
}

/* The next run tries again where there is a journal; else without a lock nobody removes it. */
static void commit_keep(const struct prvcut_commit *c, struct prvcut_error *err)
{
    const struct prvcut_work *w = c->at[c->count - 1].work;
    const size_t used = err ? strlen(err->text) : 0;
    char quoted[300];

    if (access(w->journal, F_OK) != 0)
        (void)unlink(w->lock);
    if (err)
        snprintf(err->text + used, sizeof err->text - used,
                 "; the old file could not be put back: it is in %s",
                 prvcut_quote(quoted, sizeof quoted, w->path, strlen(w->path)));
}

enum prvcut_status prvcut_commit_all(struct prvcut_commit *c, struct prvcut_error *err)
{
    enum prvcut_status st;
    bool changed = false, back = true;

    /* Standard output, devices and pipes have no place. */
    if (c->count == 0) {
        commit_free(c, false);
        return PRVCUT_OK;
    }
    st = commit_examine(c, err);
    if (st == PRVCUT_OK && !commit_is_one_step(c))
        st = commit_journal(c, err);
    if (st == PRVCUT_OK) {
        changed = true;
        st = commit_set_aside(c, err);
    }
    if (st == PRVCUT_OK)
        st = commit_enter(c, err);
    if (st == PRVCUT_OK)
        st = commit_sync_places(c, err);
    if (st == PRVCUT_OK)
        st = commit_close_journal(c, err);
    if (st < 0 && changed)
        back = commit_undo(c);
    if (!back)
        commit_keep(c, err);
    commit_free(c, !back);
    return st;
}
