#ifndef PRVCUT_MODEL_DICTIONARY_H
#define PRVCUT_MODEL_DICTIONARY_H

#include "model/batch.h"

/** A named value of an event type. */
struct prvcut_value_name {
    int64_t value;
    const char *text;
    const char *detail; /**< source file, "" where unknown */
    uint32_t line;      /**< source line; 0 unknown */
};

/** A file alone may be the program (EZTrace names it for every region): only a line makes it a
   place in the source. */
static inline bool prvcut_value_has_source(const struct prvcut_value_name *v)
{
    return v->line > 0 && v->detail && v->detail[0] != '\0';
}

/** What an event type means to a reader of the trace. */
struct prvcut_type_name {
    uint32_t number;
    enum prvcut_role role;
    bool region;       /**< a value holds until 0; a region inside a region of the same type ends
                            with its own 0 */
    bool gauge;        /**< a measured level, not a count since the last reading */
    const char *text;  /**< "MPI Point-to-point" */
    const char *group; /**< what it belongs to: "MPI", "OpenMP", "user", "counter"; "" unknown */
    const char *unit;  /**< of a counter; "#" for plain numbers, "" unknown */
    const struct prvcut_value_name *value; /**< [values], ascending; NULL where none */
    size_t values;
};

struct prvcut_state_name {
    uint32_t number;
    const char *text;
    int32_t colour; /**< 0xRRGGBB; -1: none given */
};

/** Names of all that a trace speaks of. Texts and tables live in the dictionary's arena. */
struct prvcut_dictionary {
    struct prvcut_type_name *type; /**< [types], ascending numbers */
    size_t types;
    struct prvcut_state_name *state; /**< [states], ascending numbers */
    size_t states;
    uint32_t running;    /**< number of the running state */
    const char **thread; /**< [threads]; NULL, or an entry NULL: no name of its own */
    const char **task;   /**< [tasks]; as thread */
    const char **node;   /**< [nodes]; as thread */
    void *arena;         /**< owned */
};

/** Memory that lives as long as the dictionary; NULL with err filled where there is none. */
void *prvcut_dictionary_room(struct prvcut_dictionary *d, size_t bytes, struct prvcut_error *err);

/** A copy of text in the dictionary; NULL with err filled where there is no memory. */
const char *prvcut_dictionary_text(struct prvcut_dictionary *d, const char *text,
                                   struct prvcut_error *err);

/** NULL where the dictionary does not know it. */
const struct prvcut_type_name *prvcut_dictionary_type(const struct prvcut_dictionary *d,
                                                      uint32_t number);
const struct prvcut_value_name *prvcut_type_value(const struct prvcut_type_name *t, int64_t value);
const struct prvcut_state_name *prvcut_dictionary_state(const struct prvcut_dictionary *d,
                                                        uint32_t number);

void prvcut_dictionary_fini(struct prvcut_dictionary *d);

#endif
