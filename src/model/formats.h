#ifndef PRVCUT_MODEL_FORMATS_H
#define PRVCUT_MODEL_FORMATS_H

#include "model/format.h"
#include "model/trace.h"
#include "model/writer.h"

/** Every format defines its names in its own folder under formats/, and those that are built in
    how they are read and written. */
extern const struct prvcut_format prvcut_paraver_format;
extern const struct prvcut_format prvcut_otf2_format;
extern const struct prvcut_format prvcut_otf_format;
extern const struct prvcut_format prvcut_litl_format;
extern const struct prvcut_format prvcut_paje_format;
extern const struct prvcut_format prvcut_perfetto_format;

extern const struct prvcut_reader prvcut_paraver_reader;
extern const struct prvcut_reader prvcut_otf2_reader;
extern const struct prvcut_reader prvcut_otf_reader;
extern const struct prvcut_reader prvcut_litl_reader;

extern const struct prvcut_writer prvcut_paraver_writer;
extern const struct prvcut_writer prvcut_otf2_writer;
extern const struct prvcut_writer prvcut_otf_writer;
extern const struct prvcut_writer prvcut_paje_writer;
extern const struct prvcut_writer prvcut_perfetto_writer;

/** All of them; NULL-ended (formats/registry.c). */
extern const struct prvcut_reader *const prvcut_readers[];
extern const struct prvcut_writer *const prvcut_writers[];

/** What was left out when this was built, and why; NULL-ended. */
extern const char *const prvcut_left_out[];

#endif
