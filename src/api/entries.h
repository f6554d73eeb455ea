#ifndef PRVCUT_API_ENTRIES_H
#define PRVCUT_API_ENTRIES_H

#include "model/made.h"
#include "prvcut/archive.h"
#include "prvcut/convert.h"
#include "prvcut/diff.h"
#include "prvcut/efficiency.h"
#include "prvcut/filter.h"
#include "prvcut/index.h"
#include "prvcut/inspect.h"
#include "prvcut/mark.h"
#include "prvcut/patterns.h"
#include "prvcut/predict.h"
#include "prvcut/profile.h"
#include "prvcut/records.h"
#include "prvcut/reduce.h"
#include "prvcut/sample.h"
#include "prvcut/signals.h"
#include "prvcut/structure.h"
#include "prvcut/trace.h"
#include "prvcut/waits.h"

/*
 * What the public functions of these names do, once entries.c has taken what the program filled in:
 * all structs are of this library's size, none is NULL, and options within options are there.
 */

enum prvcut_status api_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                              const struct prvcut_reduce_options *options,
                              struct made_reduction *out, struct prvcut_error *err);
/** The same of a dry run that nobody asked for: what would be cut matters, not where it would
 * stand.
 */
enum prvcut_status api_reduce_look(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_reduce_options *options,
                                   struct made_reduction *out, struct prvcut_error *err);
enum prvcut_status api_reduce_check(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_reduce_options *options,
                                    const char *archive, struct prvcut_error *err);
enum prvcut_status api_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                           const struct prvcut_span *window,
                           const struct prvcut_cut_options *options, struct prvcut_cut_summary *out,
                           struct prvcut_error *err);
enum prvcut_status api_cut_check(const struct prvcut_trace *trace,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_error *err);
enum prvcut_status api_cut_named(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_selection *what,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_cut_summary *out, struct prvcut_error *err);
enum prvcut_status api_structure_find(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_structure_options *options,
                                      struct made_structure *out, struct prvcut_error *err);
enum prvcut_status api_structure_select(const struct made_structure *s,
                                        const struct prvcut_selection *what,
                                        struct prvcut_span *span, size_t *region,
                                        struct prvcut_error *err);
enum prvcut_status api_structure_limit(struct made_structure *s, const struct prvcut_limits *limits,
                                       struct prvcut_error *err);
enum prvcut_status api_signals_step(const struct prvcut_signals *in, const char *step,
                                    const struct prvcut_parameters *set, struct made_signals *out,
                                    struct prvcut_error *err);
enum prvcut_status api_trace_add_signal(struct prvcut_trace *trace, const struct prvcut_signal *s,
                                        struct prvcut_error *err);
enum prvcut_status api_signals_compute(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const char *metrics, const struct prvcut_span *window,
                                       size_t bins, struct made_signals *out,
                                       struct prvcut_error *err);
enum prvcut_status api_profile_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_profile_options *options,
                                    struct made_profile *out, struct prvcut_error *err);
enum prvcut_status api_profile_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_profile_options *options, const char *path,
                                    bool force, struct prvcut_error *err);
enum prvcut_status api_diff_make(struct prvcut_trace *a, struct prvcut_trace *b,
                                 const struct prvcut_run *run,
                                 const struct prvcut_diff_options *options, struct made_diff *out,
                                 struct prvcut_error *err);
enum prvcut_status api_predict_make(const char *const *file, size_t files,
                                    const struct prvcut_run *run,
                                    const struct prvcut_predict_options *options,
                                    struct made_prediction *out, struct prvcut_error *err);
enum prvcut_status api_efficiency_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_efficiency_options *options,
                                       struct made_efficiency *out, struct prvcut_error *err);
enum prvcut_status api_efficiency_add(struct made_efficiency *e, struct prvcut_trace *trace,
                                      const struct prvcut_run *run, bool base,
                                      struct prvcut_error *err);
enum prvcut_status api_efficiency_loop(struct made_efficiency *e, size_t read,
                                       struct prvcut_trace *trace, const struct prvcut_run *run,
                                       struct prvcut_error *err);

/** The loop of a run, at the first level; without iterations: there is none. */
enum prvcut_status api_loop_of(struct prvcut_program_loop *out, struct prvcut_trace *trace,
                               const struct prvcut_run *run, struct prvcut_error *err);
enum prvcut_status api_efficiency_ideal(struct prvcut_trace *trace, const struct prvcut_run *run,
                                        const struct prvcut_efficiency_options *how,
                                        const struct prvcut_convert_options *to,
                                        struct made_convert_summary *out, struct prvcut_error *err);
enum prvcut_status api_find_make(struct prvcut_trace *in, struct prvcut_trace *query,
                                 const struct prvcut_run *run,
                                 const struct prvcut_find_options *options, struct made_find *out,
                                 struct prvcut_error *err);
enum prvcut_status api_structure_nests(struct made_structure *s, struct prvcut_trace *trace,
                                       const struct prvcut_run *run, struct prvcut_error *err);
enum prvcut_status api_waits_mark(const struct made_wait_states *w, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, const struct prvcut_cut_options *to,
                                  struct made_marking *out, struct prvcut_error *err);
enum prvcut_status api_find_mark(const struct made_find *f, struct prvcut_trace *in,
                                 const struct prvcut_run *run, const struct prvcut_cut_options *to,
                                 struct made_marking *out, struct prvcut_error *err);
enum prvcut_status api_find_cut(const struct made_find *f, struct prvcut_trace *in,
                                const struct prvcut_run *run, size_t match,
                                const struct prvcut_cut_options *options,
                                struct prvcut_cut_summary *out, struct prvcut_error *err);
enum prvcut_status api_comm_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_comm_options *options, struct made_comm *out,
                                 struct prvcut_error *err);
enum prvcut_status api_trace_open_series(struct prvcut_trace **out, const char *path,
                                         const char *metric,
                                         const struct prvcut_open_options *options,
                                         struct prvcut_series_told *told, struct prvcut_error *err);
enum prvcut_status api_trace_open_instructions(struct prvcut_trace **out, struct prvcut_trace *of,
                                               const struct prvcut_run *run, uint64_t step,
                                               const char *metric, struct prvcut_clock_told *told,
                                               struct prvcut_error *err);
enum prvcut_status api_sample_series(const char *path, const struct prvcut_run *run,
                                     const struct prvcut_sample_options *options,
                                     struct made_sample *out, struct prvcut_error *err);
enum prvcut_status api_sample_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_sample_options *options,
                                    struct made_sample *out, struct prvcut_error *err);
enum prvcut_status api_waits_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                  const struct prvcut_waits_options *options,
                                  struct made_wait_states *out, struct prvcut_error *err);
enum prvcut_status api_patterns_filter(const struct made_patterns *p, struct prvcut_trace *trace,
                                       const struct prvcut_run *run,
                                       const struct prvcut_convert_options *to,
                                       struct made_convert_summary *out, struct prvcut_error *err);
enum prvcut_status api_waits_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                  const struct prvcut_waits_options *options, const char *path,
                                  bool force, struct prvcut_error *err);
enum prvcut_status api_patterns_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_patterns_options *options,
                                     struct made_patterns *out, struct prvcut_error *err);
enum prvcut_status api_signal_period(const struct prvcut_signal *s, struct prvcut_vote *out,
                                     struct prvcut_error *err);
enum prvcut_status api_records_read(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_records_wish *wish,
                                    struct prvcut_error *err);
enum prvcut_status api_mark(struct prvcut_trace *trace, const struct prvcut_run *run,
                            const struct prvcut_mark_options *options, struct made_marking *out,
                            struct prvcut_error *err);
enum prvcut_status api_index_write(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_index_options *options,
                                   struct prvcut_index_result *out, struct prvcut_error *err);
enum prvcut_status api_filter_check(const struct prvcut_trace *trace,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err);
enum prvcut_status api_filter_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_filter_summary *out, struct prvcut_error *err);
enum prvcut_status api_cut_as_paraver(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_cutter *cutter,
                                      const struct prvcut_cut_options *options,
                                      struct prvcut_cut_summary *out, struct prvcut_error *err);
enum prvcut_status api_convert_losses(struct prvcut_trace *trace,
                                      const struct prvcut_convert_options *options, char **text,
                                      struct prvcut_error *err);
enum prvcut_status api_convert_losses_json(struct prvcut_trace *trace,
                                           const struct prvcut_convert_options *options,
                                           char **text, struct prvcut_error *err);
enum prvcut_status api_convert(struct prvcut_trace *trace, const struct prvcut_run *run,
                               const struct prvcut_convert_options *options,
                               struct made_convert_summary *out, struct prvcut_error *err);
enum prvcut_status api_reduce_to_archive(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_reduce_options *options,
                                         const char *path, struct made_reduction *out,
                                         struct prvcut_error *err);
enum prvcut_status api_archive_traces(const char *const *trace, size_t traces,
                                      const struct prvcut_run *run,
                                      const struct prvcut_open_options *open,
                                      const struct prvcut_archive_options *options, char **told,
                                      struct prvcut_error *err);
enum prvcut_status api_archive_verify(const char *path, const struct prvcut_run *run,
                                      struct made_archive_result *out, struct prvcut_error *err);
enum prvcut_status api_info(struct prvcut_trace *trace, const struct prvcut_run *run,
                            enum prvcut_form form, char **text, struct prvcut_error *err);
enum prvcut_status api_check(const char *path, const struct prvcut_run *run,
                             const struct prvcut_open_options *options, enum prvcut_form form,
                             char **text, struct prvcut_error *err);
enum prvcut_status api_trace_open(struct prvcut_trace **out, const char *path,
                                  const struct prvcut_open_options *options,
                                  struct prvcut_error *err);

#endif
