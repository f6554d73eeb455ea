#ifndef PRVCUT_MODEL_FORMATS_H
#define PRVCUT_MODEL_FORMATS_H

#include "model/trace.h"
#include "model/writer.h"

/** Every format that is built in defines its descriptors in its own folder under formats/. */
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
