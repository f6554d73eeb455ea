#ifndef PRVCUT_PARAVER_HEADER_CURSOR_H
#define PRVCUT_PARAVER_HEADER_CURSOR_H

#include "base/error.h"
#include "paraver/header.h"

/* The lines of a header are read number by number. */

/** Where the parser stands: [at, end) is the rest of the line. */
struct prv_cursor {
    const char *path;
    const char *at, *end;
    uint64_t line;   /* 1-based */
    uint64_t offset; /* of the line */
    const char *line_at;
    uint64_t most; /* threads that are believed, and nodes */
    struct prvcut_error *err;
};

/** Fail at the cursor, with the line. */
enum prvcut_status prv_cursor_fail(struct prv_cursor *c, enum prvcut_status status,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

/** A number that a field may hold. */
struct prv_field {
    const char *what;
    uint64_t least, most;
    enum prvcut_status beyond; /* status of a value above `most` */
};

static inline char prv_cursor_peek(const struct prv_cursor *c)
{
    return c->at < c->end ? *c->at : '\0';
}

static inline bool prv_cursor_take(struct prv_cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

/** The text up to the next separator, for messages. */
const char *prv_cursor_word(const struct prv_cursor *c, char *word, size_t room);

/** Blanks before it are passed over. errors: PRVCUT_EFORMAT, and the field's */
enum prvcut_status prv_cursor_number(struct prv_cursor *c, const struct prv_field *f,
                                     uint64_t *out);
enum prvcut_status prv_cursor_separator(struct prv_cursor *c, char wanted, const char *after);

/** One more in a table. errors: PRVCUT_ENOMEM */
enum prvcut_status prv_cursor_append(uint32_t **at, size_t *room, uint32_t count, uint32_t value,
                                     struct prvcut_error *err);

/* --- header_communicators.c --------------------------------------------------------------- */

/** Arrays of the communicators, while they grow. */
struct prv_communicator_room {
    size_t communicator, member;
};

/**
 * A line that begins with 'c' or 'i'. Paraver takes any line for a communicator and does not look
 * into it: what cannot be understood is no reason to refuse the trace.
 *
 * errors  PRVCUT_ELIMIT, PRVCUT_ENOMEM
 */
enum prvcut_status prv_communicator_parse(struct prv_cursor *c, struct prv_header *h,
                                          struct prv_communicator_room *room);

#endif
