#ifndef PRVCUT_API_ANSWERS_H
#define PRVCUT_API_ANSWERS_H

#include "model/made.h"

/*
 * An answer of the library is made in room for one, zeroed, and then handed to the program.
 */

/** Release what an answer owns; all of it becomes zero. */
void api_reduction_fini(struct made_reduction *r);
void api_structure_fini(struct made_structure *s);
void api_marking_fini(struct made_marking *m);
void api_cut_fini(struct prvcut_cut_summary *s);
void api_slow_cause_fini(struct prvcut_slow_cause *c);
void api_chop_fini(struct made_chop *c);

/**
 * Hand an answer to the program: its views lead to each other from now on, so it may not move.
 *
 * shape   made: allocated, or NULL where there was no memory for it; st: how the work ended,
 *         which is returned
 * owns    made is taken; *out is NULL, and made is released, where the work failed
 */
enum prvcut_status api_reduction_tell(struct prvcut_reduction **out, struct made_reduction *made,
                                      enum prvcut_status st);
enum prvcut_status api_structure_tell(struct prvcut_structure **out, struct made_structure *made,
                                      enum prvcut_status st);
enum prvcut_status api_marking_tell(struct prvcut_marking **out, struct made_marking *made,
                                    enum prvcut_status st);

#endif
