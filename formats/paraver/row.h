#ifndef PRVCUT_PARAVER_ROW_H
#define PRVCUT_PARAVER_ROW_H

#include "base/error.h"

/** The names of one kind of object: `LEVEL NODE SIZE 2`, then a line each. */
struct prv_row_level {
    const char *kind; /**< CPU, NODE, THREAD, TASK, APPL as the file spells it */
    uint64_t size;    /**< as the LEVEL line promises */
    size_t first;     /**< its names: name[first .. first + count) */
    size_t count;     /**< names that there are; never more than size */
    uint64_t line;    /**< of the LEVEL line, 1-based */
};

/** A .row: the names of the objects. */
struct prv_row {
    struct prv_row_level *level;
    size_t levels, level_room;
    const char **name;
    size_t names, name_room;
    char *text;            /**< owns all strings */
    uint64_t damaged_line; /**< first line that could not be understood, 0 = none */
};

/**
 * Take a .row apart; lines may end in LF, CRLF or CR.
 *
 * owns    out is initialised here and released with prv_row_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prv_row_parse(struct prv_row *out, const char *text, size_t count,
                                 struct prvcut_error *err);

/** The same from a file, which may be compressed. Errors: PRVCUT_EIO, PRVCUT_EFORMAT, too. */
enum prvcut_status prv_row_read(struct prv_row *out, const char *path, struct prvcut_error *err);

/** A level by its kind; NULL where the file has none. */
const struct prv_row_level *prv_row_find(const struct prv_row *r, const char *kind);

void prv_row_fini(struct prv_row *r);

#endif
