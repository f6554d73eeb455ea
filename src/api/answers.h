#ifndef PRVCUT_API_ANSWERS_H
#define PRVCUT_API_ANSWERS_H

#include "model/made.h"

/** Release what an answer owns; all of it becomes zero. */
void api_reduction_fini(struct made_reduction *r);

/** Room for one, zeroed; released with prvcut_reduction_free. */
enum prvcut_status api_reduction_new(struct made_reduction **out, struct prvcut_error *err);

/**
 * Hand an answer to the program: its views lead to each other from now on, so it may not move.
 *
 * shape   st: how the work ended
 * owns    made is taken; *out is NULL, and made is released, where the work failed
 */
enum prvcut_status api_reduction_tell(struct prvcut_reduction **out, struct made_reduction *made,
                                      enum prvcut_status st);

#endif
