#ifndef PRVCUT_API_ARCHIVED_CUTS_H
#define PRVCUT_API_ARCHIVED_CUTS_H

#include "model/made.h"
#include "model/trace.h"

#include "prvcut/convert.h"
#include "prvcut/filter.h"

/*
 * Cuts, filtered copies and conversions whose options name an archive: each is made in the working
 * folder of the archive (archived.h), by a function that is given the options without it.
 */

/** A cut or a filtered copy; one of out and copy is set. All is borrowed. */
struct archived_cut {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    enum prvcut_status (*make)(const void *ctx, const struct prvcut_cut_options *o,
                               struct prvcut_error *err); /**< fills in out, or copy */
    const void *ctx;
    struct prvcut_cut_summary *out;
    struct prvcut_filter_summary *copy;
};
enum prvcut_status archived_cut(const struct archived_cut *what,
                                const struct prvcut_cut_options *options, struct prvcut_error *err);

struct archived_conversion {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    enum prvcut_status (*make)(const void *ctx, const struct prvcut_convert_options *o,
                               struct prvcut_error *err); /**< fills in out */
    const void *ctx;
    struct made_convert_summary *out;
};
enum prvcut_status archived_convert(const struct archived_conversion *what,
                                    const struct prvcut_convert_options *options,
                                    struct prvcut_error *err);

/** Refuse an archive that cannot be written, and files that are named beside it. errors:
 * PRVCUT_EUSAGE, PRVCUT_EEXIST, PRVCUT_EIO */
enum prvcut_status archived_cut_check(const struct prvcut_trace *trace,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_error *err);

/** Refuse what a conversion in an archive cannot be called, too. */
enum prvcut_status archived_convert_check(const struct prvcut_trace *trace,
                                          const struct prvcut_convert_options *options,
                                          struct prvcut_error *err);

#endif
