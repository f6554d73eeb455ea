#ifndef PRVCUT_API_MEMBERS_H
#define PRVCUT_API_MEMBERS_H

#include "base/error.h"

/** Names of the files in an archive. */
struct members {
    const char *archive; /**< its path, for messages */
    char **name;         /**< [count] in the order of the alphabet once they are sorted; owned */
    size_t count, room;
    size_t bytes; /**< of all names */
};

/** errors: PRVCUT_ELIMIT: names of more than 64 MiB; PRVCUT_ENOMEM */
enum prvcut_status members_add(struct members *m, const char *name, struct prvcut_error *err);

void members_fini(struct members *m);

/** A trace in an archive. */
struct member_trace {
    const char *main; /**< its main file's name in the archive; borrowed from the members */
    size_t folder;    /**< bytes of that name up to the last slash, included */
    size_t stem;      /**< bytes of it without the suffix */
};

/**
 * Sort the names and find the trace that is meant.
 *
 * shape   wanted: name of its main file, with or without its suffix and the archive's one folder;
 *         NULL: the only one that is no cut of another one: at the top, else in the one folder at
 *         the top, else anywhere
 * errors  PRVCUT_EUSAGE: several, or none of that name; PRVCUT_ENOTRACE: none; PRVCUT_ENOMEM
 */
enum prvcut_status members_choose(struct members *m, const char *wanted, struct member_trace *out,
                                  struct prvcut_error *err);

/** What names a trace in its archive, suffix included: short where no other one is meant by that.
 */
const char *members_name(const struct members *m, const struct member_trace *t);

/** Does a file belong to that trace: its main file, its labels, its parts? */
bool members_is_part(const struct members *m, const struct member_trace *t, const char *name);

#endif
