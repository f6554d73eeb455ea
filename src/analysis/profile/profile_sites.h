#ifndef PRVCUT_ANALYSIS_PROFILE_PROFILE_SITES_H
#define PRVCUT_ANALYSIS_PROFILE_PROFILE_SITES_H

#include "analysis/proof_keys.h"
#include "base/table.h"

/**
 * Source lines that calls are made from. Tracers number them anew for each process and image, so
 * that several numbers may be one line: they are one by what they are called.
 */

#define PRVCUT_PROFILE_SITE_TEXT 160

/** "init_comm.f:38": what stands before the full path in brackets. shape: out: [room]; returns out
    or a constant */
const char *prvcut_profile_site_text(char *out, size_t room, const struct prvcut_proof_key *line,
                                     const struct prvcut_dictionary *names);

/** Which number stands for a line. */
struct prvcut_profile_sites {
    struct prvcut_table text;   /**< the least number of a text */
    struct prvcut_table number; /**< which text a number has */
};

void prvcut_profile_sites_init(struct prvcut_profile_sites *s);

/** One more line, or one that is known. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_profile_sites_add(struct prvcut_profile_sites *s,
                                            const struct prvcut_proof_key *line,
                                            const struct prvcut_dictionary *names,
                                            struct prvcut_error *err);

/** Of all that were added, the least that is called as this one; itself where it was not. */
int64_t prvcut_profile_sites_number(const struct prvcut_profile_sites *s, int64_t number);

void prvcut_profile_sites_fini(struct prvcut_profile_sites *s);

#endif
