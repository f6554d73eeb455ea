#ifndef PRVCUT_BASE_WORK_H
#define PRVCUT_BASE_WORK_H

#include "base/error.h"

#include <sys/stat.h>

/**
 * A working folder beside the files that are made in it: PLACE/.NAME.prvcut-XXXXXX. It holds
 *
 *   lock@HOST  locked while its process, which runs on that host, lives
 *   new/     files that appear, with their names
 *   set/     entries of a set that a folder brings, likewise
 *   old/     what they replace, until all is done
 *   journal  what is to be undone if the process dies; there while entries change (base/journal.h)
 *
 * What a process that was killed left behind is put right by the next one that works in PLACE.
 */
struct prvcut_work {
    char *place; /**< the folder that the files appear in */
    char *path;  /**< the working folder */
    char *lock, *fresh, *set, *old, *journal;
    int place_fd; /**< -1: it may not be read */
    int lock_fd;
    dev_t device; /**< of the place */
    ino_t inode;
};

/** The names in it. */
#define PRVCUT_WORK_NEW     "new"
#define PRVCUT_WORK_SET     "set"
#define PRVCUT_WORK_OLD     "old"
#define PRVCUT_WORK_JOURNAL "journal"

/**
 * Make a working folder, and new/ in it.
 *
 * shape   name: of what will appear, for the folder's name; shown: that with its folder, as given
 * owns    *out is the caller's, released with prvcut_work_close; NULL after a failure
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_work_open(struct prvcut_work **out, const char *place, const char *name,
                                    const char *shown, struct prvcut_error *err);

/** Remove the working folder with all in it, and release w; needs no memory; accepts NULL. */
void prvcut_work_close(struct prvcut_work *w);

/** Release w, but leave its folder to whoever comes next: it holds what could not be put back. */
void prvcut_work_leave(struct prvcut_work *w);

/** Is it the name of a working folder? */
bool prvcut_work_is_name(const char *name);

/** Names of files in working folders become those of where they will stand, in a text for people.
 */
void prvcut_work_forget(char *text);

/**
 * Take over the working folder of a process that lives no more.
 *
 * shape   the lock; -1: it is no working folder, its process lives, or nobody can tell (ENOENT:
 *         it is gone)
 */
int prvcut_work_take(const char *path);

/** Remove a working folder and all that is in it, as far as that can be done; needs no memory. */
void prvcut_work_remove(const char *path);

/**
 * Have a file that stands elsewhere appear in a working folder, as a symbolic link.
 *
 * shape   from: as given, also from the present folder; to: its path in the working folder
 * errors  PRVCUT_EEXIST: there is one of that name; PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_work_link(const char *from, const char *to, struct prvcut_error *err);

/** folder/name; NULL when out of memory. */
char *prvcut_path_join(const char *folder, const char *name);

/** The folder that a path's last name is in, "." where the path names none; owned; NULL: no memory.
 */
char *prvcut_path_folder(const char *path, struct prvcut_error *err);

#endif
