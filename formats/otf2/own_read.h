#ifndef PRVCUT_OTF2_OWN_READ_H
#define PRVCUT_OTF2_OWN_READ_H

#include "otf2/own.h"

/* How the strings of a conversion of ours are read: own_words.c each of them, own.c all. */

/** The strings while they are read. */
struct o2_own_reading {
    struct o2_trace *trace;
    struct o2_own *own;
    /* Types, states and values grow; at the end they get their place in the dictionary. */
    struct prvcut_type_name *type;
    size_t types, type_room;
    struct prvcut_state_name *state;
    size_t states, state_room;
    struct o2_ids text_at;
    const char **text; /* all strings, in the dictionary's arena */
    size_t texts, text_room;
    enum prvcut_status status;
    struct prvcut_error *err;
};

/** What a string tells, where it begins with a word of ours; the status is set. */
void o2_own_take(struct o2_own_reading *r, const char *text);

/** One more element of a table; NULL with the status set. */
void *o2_own_more(struct o2_own_reading *r, void *table, size_t *count, size_t *room, size_t size);

/** A text in the dictionary; NULL with the status set. */
char *o2_own_copy(struct o2_own_reading *r, const char *text);

#endif
