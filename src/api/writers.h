#ifndef PRVCUT_API_WRITERS_H
#define PRVCUT_API_WRITERS_H

#include "base/folder.h"
#include "model/writer.h"

/** What writes a format; NULL: nothing does. */
const struct prvcut_writer *writers_named(const char *format);

/**
 * Refuse a format whose writer cannot add calls (prvcut_writer.adds_calls). errors: PRVCUT_EUSAGE
 *
 * shape   writer: NULL counts as none; shown: what the message begins with
 */
enum prvcut_status writers_add_calls(const struct prvcut_writer *writer, const char *shown,
                                     struct prvcut_error *err);

/** Where something is written that nobody is to see; zeroed: nowhere. */
struct writers_apart {
    struct prvcut_folder *folder; /**< goes with all that is in it; NULL: the output's own place */
    char *path;                   /**< as of the output, in it */
};

/**
 * A folder beside an output; of a dry run, which finds out by writing, where temporary files are,
 * for the output's own folder may not be there.
 *
 * owns    out is initialised here, released with writers_apart_end, also after a failure
 */
enum prvcut_status writers_apart_begin(struct writers_apart *out, const char *path, bool dry_run,
                                       struct prvcut_error *err);
void writers_apart_end(struct writers_apart *a);

/** The folder of an output, where there is room for what does not fit into memory, rather than in
    /tmp; the caller's, NULL: no memory. */
char *writers_scratch(const char *path);

/**
 * Can a whole trace be written anew there, in its own format, from what a second reading brings?
 *
 * shape   what: "an ideal run", for people; halves: also of formats that keep the ends of messages
 *         apart, else Paraver traces only
 * errors  PRVCUT_EUSAGE: a pipe, another format, a name of something else; PRVCUT_EEXIST
 */
enum prvcut_status writers_again(const struct prvcut_trace *t,
                                 const struct prvcut_convert_options *to, const char *what,
                                 bool halves, struct prvcut_error *err);

#endif
