#ifndef PRVCUT_CONVERT_SELECTION_H
#define PRVCUT_CONVERT_SELECTION_H

#include "model/dictionary.h"
#include "model/objects.h"

/** Which threads are converted, and what they are called then. */
struct cnv_selection {
    bool all;                      /**< every thread; thread is NULL then */
    uint32_t *thread;              /**< [threads of the trace] new index; PRVCUT_NOBODY: left out */
    struct prvcut_objects objects; /**< the selected ones, numbered anew; empty where all */
};

/**
 * Read "1-4,7": tasks, 1-based in each application; NULL: all.
 *
 * owns    *out is initialised here, released with cnv_selection_fini
 * errors  PRVCUT_EUSAGE: not such a list, or no such task
 */
enum prvcut_status cnv_selection_init(struct cnv_selection *out, const struct prvcut_objects *o,
                                      const char *tasks, struct prvcut_error *err);

void cnv_selection_fini(struct cnv_selection *s);

/** Are these tasks? errors: as cnv_selection_init */
enum prvcut_status cnv_tasks_check(const struct prvcut_objects *o, const char *tasks,
                                   struct prvcut_error *err);

/** Leave only the names of the selected threads and tasks in a dictionary. */
void cnv_selection_names(const struct cnv_selection *s, const struct prvcut_objects *o,
                         struct prvcut_dictionary *d);

/** New index of a thread; PRVCUT_NOBODY: left out, or unknown. */
static inline uint32_t cnv_selected(const struct cnv_selection *s, uint32_t thread)
{
    return s->all || thread == PRVCUT_NOBODY ? thread : s->thread[thread];
}

#endif
