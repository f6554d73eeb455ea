#ifndef PRVCUT_MODEL_FORMATS_H
#define PRVCUT_MODEL_FORMATS_H

#include "model/trace.h"

/** Every format that is built in defines its descriptor in its own folder under formats/. */
extern const struct prvcut_reader prvcut_paraver_reader;

/** All of them; NULL-ended (formats/registry.c). */
extern const struct prvcut_reader *const prvcut_readers[];

#endif
