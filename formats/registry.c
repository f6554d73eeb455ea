#include "model/formats.h"

const struct prvcut_reader *const prvcut_readers[] = {
    &prvcut_paraver_reader,
    NULL,
};

const struct prvcut_writer *const prvcut_writers[] = {
    NULL,
};
