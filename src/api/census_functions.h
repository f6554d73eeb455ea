#ifndef PRVCUT_API_CENSUS_FUNCTIONS_H
#define PRVCUT_API_CENSUS_FUNCTIONS_H

#include "api/census.h"
#include "follow/part.h"

/* Calls of functions and the time in them, followed thread by thread. */

/** What a part leaves behind; zeroed but for its table is none. */
struct functions_part {
    struct prvcut_follow_part threads;
    struct prvcut_table table; /**< of census_entry */
};

enum prvcut_status functions_event(struct prvcut_rows *w, struct functions_part *p,
                                   const struct prvcut_event *e, struct prvcut_error *err);
void functions_part_empty(struct functions_part *p);
void functions_part_fini(struct functions_part *p);

/** All parts together, in the order of the input. */
struct functions {
    struct prvcut_follow_carry threads;
    struct prvcut_table table; /**< of census_entry */
    uint64_t others;
    bool followed;
};

enum prvcut_status functions_init(struct functions *f, uint32_t threads, struct prvcut_error *err);
enum prvcut_status functions_join(struct functions *f, struct functions_part *p,
                                  struct prvcut_error *err);

/** Hand over what was found; what is open counts up to its thread's last event. */
enum prvcut_status functions_end(struct functions *f, struct census *out, struct prvcut_error *err);
void functions_fini(struct functions *f);

#endif
