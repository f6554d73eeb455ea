#ifndef PAJE_PAJE_H
#define PAJE_PAJE_H

#include "model/view.h"
#include "paje/names.h"

/** Numbers of the event kinds that the header defines. */
enum paje_event {
    PAJE_CONTAINER_TYPE = 0,
    PAJE_STATE_TYPE = 1,
    PAJE_EVENT_TYPE = 2,
    PAJE_VARIABLE_TYPE = 3,
    PAJE_LINK_TYPE = 4,
    PAJE_VALUE = 5,
    PAJE_CREATE = 6,
    PAJE_DESTROY = 7,
    PAJE_CREATE_TRACE = 8, /**< CREATE with where it is from */
    PAJE_SET_STATE = 10,
    PAJE_PUSH_STATE = 11,
    PAJE_POP_STATE = 12,
    PAJE_PUSH_COLLECTIVE = 13, /**< PUSH_STATE with what is known of a collective */
    PAJE_NEW_EVENT = 20,
    PAJE_SET_VARIABLE = 30,
    PAJE_START_LINK = 40,
    PAJE_END_LINK = 41,
};

/** Names of the types that every file has. */
#define PAJE_TYPE_TRACE   "T_trace"
#define PAJE_TYPE_PROGRAM "T_program"
#define PAJE_TYPE_NODE    "T_node"
#define PAJE_TYPE_TASK    "T_task"
#define PAJE_TYPE_THREAD  "T_thread"
#define PAJE_TYPE_ROW     "T_states"
#define PAJE_TYPE_CALL    "S_call"
#define PAJE_TYPE_STATE   "S_state"
#define PAJE_TYPE_MESSAGE "L_message"
#define PAJE_TRACE        "_trace"
#define PAJE_MESSAGE      "_message"

struct paje_writing {
    struct prvcut_view view;
    struct prvcut_table names; /**< of struct paje_name */
    uint64_t links;            /**< so far */
};

/** Event kinds, types, and a container for everybody. */
void paje_write_head(struct paje_writing *w);

/** All containers end, the inner ones first. */
void paje_write_tail(struct paje_writing *w);

/** Begin a record: kind and time. */
void paje_print_record(struct paje_writing *w, enum paje_event kind, uint64_t time);

/** One field in quotes; a text of the trace, without what would end the field or the line. */
void paje_print_quoted(struct paje_writing *w, const char *text);

/** A field that is a name of ours: prefix and number. */
void paje_print_alias(struct paje_writing *w, const char *prefix, uint64_t number);

/** "0.5 0.25 1.0" of 0xRRGGBB. */
void paje_print_colour(struct paje_writing *w, uint32_t colour);

#endif
