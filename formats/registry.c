#include "model/formats.h"

const struct prvcut_reader *const prvcut_readers[] = {
    &prvcut_paraver_reader,
#ifdef PRVCUT_OTF2
    &prvcut_otf2_reader,
#endif
    &prvcut_otf_reader,     &prvcut_litl_reader, NULL,
};

const struct prvcut_writer *const prvcut_writers[] = {
    &prvcut_paraver_writer,
#ifdef PRVCUT_OTF2
    &prvcut_otf2_writer,
#endif
    &prvcut_otf_writer,     &prvcut_paje_writer, &prvcut_perfetto_writer, NULL,
};

const char *const prvcut_left_out[] = {
#ifndef PRVCUT_OTF2
    "otf2 (built without the OTF2 library)",
#endif
    NULL,
};

/* Archives first: their main files are what a stem is looked for as. */
const struct prvcut_format *const prvcut_formats[] = {
    &prvcut_otf2_format,
    &prvcut_otf_format,
    &prvcut_paraver_format,
    &prvcut_litl_format,
    &prvcut_paje_format,
    &prvcut_perfetto_format,
    NULL,
};
