#ifndef PRVCUT_OTF2_OWN_RULES_H
#define PRVCUT_OTF2_OWN_RULES_H

#include "model/rules.h"
#include "otf2/otf2.h"
#include "prvcut/cut.h"

/**
 * A conversion of ours has all that a Paraver trace has, so that all rules suit it; only names can
 * be wrong.
 *
 * errors  PRVCUT_EUSAGE
 */
enum prvcut_status o2_own_rules_suit(const struct o2_trace *t,
                                     const struct prvcut_cut_options *options,
                                     struct prvcut_notes *notes, struct prvcut_error *err);

#endif
