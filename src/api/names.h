#ifndef PRVCUT_API_NAMES_H
#define PRVCUT_API_NAMES_H

#include "model/trace.h"

/**
 * Name of an output beside the trace: NAME.prv.zst and "chop1" give NAME.chop1.prv.zst; in the
 * present folder where the trace's own takes no files.
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

/** Refuse a name that a file has, unless it may be replaced. errors: PRVCUT_EEXIST */
enum prvcut_status prvcut_output_is_free(const char *path, bool force, struct prvcut_error *err);

/** Refuse a window from `start` on in a trace that ends at or before it. errors: PRVCUT_EUSAGE */
enum prvcut_status prvcut_window_begins_within(uint64_t start, uint64_t end,
                                               struct prvcut_error *err);

#endif
