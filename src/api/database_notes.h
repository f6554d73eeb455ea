#ifndef PRVCUT_API_DATABASE_NOTES_H
#define PRVCUT_API_DATABASE_NOTES_H

#include "database/database.h"
#include "model/made.h"

/**
 * What the commands print as notes, warnings and doubts of their answers, into the table of notes.
 *
 * errors  as dbs_end; PRVCUT_ENOMEM
 */
enum prvcut_status api_note_structure(struct dbs *d, const struct made_reduction *r,
                                      struct prvcut_error *err);
enum prvcut_status api_note_profile(struct dbs *d, const struct prvcut_profile *p,
                                    struct prvcut_error *err);
enum prvcut_status api_note_waits(struct dbs *d, const struct prvcut_wait_states *w,
                                  struct prvcut_error *err);
enum prvcut_status api_note_patterns(struct dbs *d, const struct prvcut_patterns *p,
                                     struct prvcut_error *err);

#endif
