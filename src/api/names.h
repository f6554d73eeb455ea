#ifndef PRVCUT_API_NAMES_H
#define PRVCUT_API_NAMES_H

#include "model/trace.h"
#include "report/tag.h"

/**
 * Name of an output beside the trace: NAME.prv.zst and "chop1" give NAME.chop1.prv.zst, and an
 * archive of many files a folder of its own (api/own_folder.h); in the present folder where the
 * trace's own takes no files.
 *
 * compress: "none", "gz", "zst", or NULL for the input's own suffix.
 *
 * owns    *out, freed by the caller
 * errors  PRVCUT_EUSAGE: another compression, or one that the format does not know; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_output_name(char **out, const struct prvcut_reader *reader,
                                      const char *path, const char *tag, const char *compress,
                                      struct prvcut_error *err);

/**
 * What cuts of a trace are called where no name is given, with REPORT_TAG_PLACE where their tags
 * stand.
 *
 * shape   *out NULL: it cannot be cut
 * owns    *out, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_output_pattern(char **out, const struct prvcut_trace *t,
                                         struct prvcut_error *err);

/**
 * Name of one output of several: out.prv.zst and "level1-region2" give out.level1-region2.prv.zst,
 * whatever folder that is in.
 *
 * owns    *out, freed by the caller
 * errors  as prvcut_output_name
 */
enum prvcut_status prvcut_output_sibling(char **out, const struct prvcut_reader *reader,
                                         const char *path, const char *tag, const char *compress,
                                         struct prvcut_error *err);

/**
 * A path that was given for a trace in the reader's own format, with its suffix: out gives out.prv.
 * Added is, too, that of `compress`, or else of the trace's own compression.
 *
 * owns    *out, freed by the caller
 * errors  PRVCUT_EUSAGE: the name of something else; as prvcut_output_name
 */
enum prvcut_status prvcut_output_named(char **out, const struct prvcut_trace *t, const char *path,
                                       const char *compress, struct prvcut_error *err);

/** Can it be cut so, whatever the cut is called? errors: PRVCUT_EUSAGE (cut_can.c) */
enum prvcut_status prvcut_cut_can(const struct prvcut_trace *trace,
                                  const struct prvcut_cut_options *options,
                                  struct prvcut_error *err);

/**
 * Where a cut goes: the options' path with its suffix, or the trace's name with the kind's tag;
 * refused as prvcut_output_check and prvcut_output_set_is_free do, also in a dry run.
 *
 * owns    *out, freed by the caller, also after a failure
 */
enum prvcut_status prvcut_output_settle(char **out, const struct prvcut_trace *t,
                                        const struct prvcut_cut_options *o,
                                        enum report_tag_kind kind, struct prvcut_error *err);

/**
 * Refuse what a cut of a trace cannot be called, or could destroy, whatever force says: a name of
 * another format, one of the trace's own files, a name whose companions (.pcf, .row) are such.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_output_check(const struct prvcut_trace *t, const char *path,
                                       struct prvcut_error *err);

/** Refuse one of the trace's own files as an output. errors: PRVCUT_EUSAGE */
enum prvcut_status prvcut_output_spares(const struct prvcut_trace *t, const char *path,
                                        struct prvcut_error *err);

/**
 * Refuse a name in the trace's own format beside which one of the trace's own files would be
 * written.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_output_companions_spare(const struct prvcut_trace *t, const char *path,
                                                  struct prvcut_error *err);

/**
 * Refuse a name for another output that a cut called `main`, or a file beside it, has.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_output_keeps_off(const struct prvcut_trace *t, const char *main,
                                           const char *path, struct prvcut_error *err);

/**
 * Refuse a name that a file has, unless it may be replaced, and one in a folder that takes no
 * files.
 *
 * errors  PRVCUT_EEXIST, PRVCUT_EIO
 */
enum prvcut_status prvcut_output_is_free(const char *path, bool force, struct prvcut_error *err);

/**
 * The same of a trace's main file and of what appears beside it; like: as far as this trace has it,
 * NULL: all that its format has.
 */
enum prvcut_status prvcut_output_set_is_free(const char *path, const struct prvcut_trace *like,
                                             bool force, struct prvcut_error *err);

/** The same of a cut of t with these options, which may have a folder of its own. */
enum prvcut_status prvcut_output_cut_is_free(const char *path, const struct prvcut_trace *t,
                                             const struct prvcut_cut_options *o,
                                             struct prvcut_error *err);

/** Refuse a window from `start` on in a trace that ends at or before it. errors: PRVCUT_EUSAGE */
enum prvcut_status prvcut_window_begins_within(uint64_t start, uint64_t end,
                                               struct prvcut_error *err);

#endif
