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

#endif
