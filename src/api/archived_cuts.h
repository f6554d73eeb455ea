#ifndef PRVCUT_API_ARCHIVED_CUTS_H
#define PRVCUT_API_ARCHIVED_CUTS_H

#include "model/made.h"
#include "model/trace.h"

#include "prvcut/convert.h"
#include "prvcut/filter.h"

/*
 * Cuts, filtered copies and conversions whose options name an archive: each is made by the function
 * of the same name without it, in the working folder of the archive (archived.h).
 */

enum prvcut_status archived_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                                const struct prvcut_span *window,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err);
enum prvcut_status archived_cut_named(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_selection *what,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_cut_summary *out, struct prvcut_error *err);
enum prvcut_status archived_cut_as_paraver(struct prvcut_trace *trace, const struct prvcut_run *run,
                                           const struct prvcut_cutter *cutter,
                                           const struct prvcut_cut_options *options,
                                           struct prvcut_cut_summary *out,
                                           struct prvcut_error *err);
enum prvcut_status archived_filter(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_filter_summary *out, struct prvcut_error *err);
enum prvcut_status archived_convert(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_convert_options *options,
                                    struct made_convert_summary *out, struct prvcut_error *err);

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
