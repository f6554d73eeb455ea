#ifndef PRVCUT_API_OBJECTS_H
#define PRVCUT_API_OBJECTS_H

#include "model/dictionary.h"

/** Names of a trace, as programs hold them. */
struct prvcut_names {
    struct prvcut_dictionary dictionary;
    uint32_t threads, tasks, nodes; /**< that names may stand for */
};

#endif
