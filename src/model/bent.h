#ifndef PRVCUT_MODEL_BENT_H
#define PRVCUT_MODEL_BENT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Habits of writers: what stands in a trace against the rules of its format and can be understood
 * all the same. A reader takes it as the table says, and counts it.
 */
enum prvcut_bent {
    PRVCUT_BENT_COMMUNICATOR, /**< definition of a communicator */
    PRVCUT_BENT_NODE,         /**< task on a node that there is not */
    PRVCUT_BENT_FORM,         /**< record with blanks or a '+' at a number */
    PRVCUT_BENT_CPU,          /**< record on a cpu that there is not */
    PRVCUT_BENT_STATE,        /**< state that ends before it begins */
    PRVCUT_BENT_VALUE,        /**< record with a number of 2^63 to 2^64 - 1 */
    PRVCUT_BENTS
};

#define PRVCUT_BENT_BIT(kind) (UINT32_C(1) << (kind))

/** How often, and in which line first (1-based; 0: none). */
struct prvcut_bent_count {
    uint64_t count, line;
};

/** What is always true of one kind. */
struct prvcut_bent_info {
    const char *name;          /**< that of the finding in a check; never changes */
    const char *one, *several; /**< for a person, behind a number */
    const char *taken;         /**< how it is taken */
};

extern const struct prvcut_bent_info prvcut_bent_infos[PRVCUT_BENTS];

/** Count one more of each kind in `bits`, seen in that line. */
void prvcut_bent_add(struct prvcut_bent_count *to, uint32_t bits, uint64_t line);

/** Add what a later part of the input counted; its lines begin behind `lines` others. */
void prvcut_bent_join(struct prvcut_bent_count *to, const struct prvcut_bent_count *part,
                      uint64_t lines);

/** "24 states end before they begin, taken as ..., the first one in line 7"; returns out. */
const char *prvcut_bent_text(char *out, size_t room, enum prvcut_bent kind,
                             const struct prvcut_bent_count *c);

#endif
