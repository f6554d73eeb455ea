#ifndef PRVCUT_PARAVER_ROLES_H
#define PRVCUT_PARAVER_ROLES_H

#include "paraver/labels.h"

/** An event type that Extrae numbers itself. */
struct prv_known_type {
    uint32_t number;
    enum prvcut_role role;
    bool region;
    const char *text; /**< NULL ends the table */
};

extern const struct prv_known_type prv_known_types[];

/** Labels of the states that Extrae numbers from 0 on; NULL-ended. */
extern const char *const prv_known_states[];

/**
 * Role that a label tells; PRVCUT_ROLE_OTHER where it tells none. Of the types of one role only
 * those of the highest rank count.
 */
enum prvcut_role prv_role_of_label(const char *text, int *rank);

/** Role that a number tells, whatever its label; PRVCUT_ROLE_OTHER where it tells none. */
enum prvcut_role prv_role_of_number(uint32_t number);

/** Role of a type whose label tells none: by its number, else by its values. */
enum prvcut_role prv_role_of_values(const struct prv_type *t);

/* What labels.c, label_types.c and settings.c share. */

enum prvcut_status prv_labels_add(struct prv_labels *l, size_t *room, const struct prv_type *type,
                                  struct prvcut_error *err);

/** Sort the types by number and drop repeated ones. */
void prv_labels_sort(struct prv_labels *l);

/** Number of a state by its label; false where no state has it. */
bool prv_labels_state(const struct prv_labels *l, const char *name, uint32_t *out);

/** Apply one "name=number[,number]"; the types are sorted again. */
enum prvcut_status prv_labels_set(struct prv_labels *l, size_t *room, const char *setting,
                                  struct prvcut_error *err);

#endif
