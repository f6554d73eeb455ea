#ifndef PRVCUT_MODEL_REGIONS_H
#define PRVCUT_MODEL_REGIONS_H

#include "model/writer.h"

/** Of what no event tells; less than 0. */
#define PRVCUT_UNTOLD INT64_MIN

/** A call that begins, held back until what is known of its collective has followed. */
struct prvcut_held_call {
    uint64_t time;
    int64_t value;
    int64_t sent, received, communicator; /**< PRVCUT_UNTOLD: not known */
    int64_t root;                         /**< 1: the call's own task */
    uint32_t told_root;                   /**< as of the communicator's item */
    uint32_t thread, type;
    bool held;
};

void prvcut_held_call_begin(struct prvcut_held_call *c, const struct prvcut_item *begin);

/** Does the item tell of the call that is held? Then c knows it now. */
bool prvcut_held_call_take(struct prvcut_held_call *c, const struct prvcut_item *item);

static inline bool prvcut_item_begins_collective(const struct prvcut_item *i)
{
    return i->kind == PRVCUT_ITEM_EVENT && i->role == PRVCUT_ROLE_COLLECTIVE && i->event.value != 0;
}

/** All that is told of a call that a line begins: in it, and in lines of its time behind it, up to
   the next begin or end of a call. Of a line that begins several collectives, what stands behind
   one is its own, what stands before the first is that one's. line: [count] the items of that time
   from there on; at: the call's among those of the line */
void prvcut_held_call_of(struct prvcut_held_call *c, const struct prvcut_item *line, size_t count,
                         size_t at);

/** Is enough told for a record of a collective of its own? *root: a task + 1; 0: not known */
bool prvcut_held_call_is_collective(const struct prvcut_held_call *c, uint32_t own_task,
                                    uint32_t *root);

/** The MPI call that a value is. Its label (t may be NULL) counts more than its number, for not
   every tracer numbers as Extrae does; NULL: none that is known. */
const struct prvcut_mpi_call *prvcut_event_call(const struct prvcut_type_name *t, uint32_t type,
                                                int64_t value);

/** How an event is to be shown. */
enum prvcut_shape {
    PRVCUT_SHAPE_REGION, /**< a value other than 0 begins something, 0 ends it */
    PRVCUT_SHAPE_NUMBER, /**< a counter's difference, or a level */
    PRVCUT_SHAPE_SINGLE, /**< something that happened */
};

/** By role, else by what the dictionary says of the type. */
enum prvcut_shape prvcut_event_shape(const struct prvcut_dictionary *d, enum prvcut_role role,
                                     uint32_t type);

/** The name of a value: its label, else that of the MPI call which the number stands for (a .prv
   without labels tells numbers alone); NULL: neither. */
const char *prvcut_value_text(const struct prvcut_dictionary *d, uint32_t type, int64_t value);

/**
 * What a person calls a value of an event type: its label, else the type's and the number.
 *
 * shape   returns out or a text of the dictionary
 */
const char *prvcut_event_text(char *out, size_t room, const struct prvcut_dictionary *d,
                              uint32_t type, int64_t value);

/** What a person calls an event type; returns out or a text of the dictionary. */
const char *prvcut_type_text(char *out, size_t room, const struct prvcut_dictionary *d,
                             uint32_t type);

/** What a person calls a state; returns out or a text of the dictionary. */
const char *prvcut_state_number_text(char *out, size_t room, const struct prvcut_dictionary *d,
                                     uint32_t number);

#endif
