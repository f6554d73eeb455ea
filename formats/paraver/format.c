#include "model/formats.h"

static const struct prvcut_format_file files[] = {
    { PRVCUT_PART_COMPANION, ".pcf", "the labels of a Paraver trace", "labels" },
    { PRVCUT_PART_COMPANION, ".row", "the object names of a Paraver trace", "names of threads" },
    { PRVCUT_PART_OTHER, ".cfg", "a configuration of Paraver", NULL },
    { .part = PRVCUT_PART_END }
};

const struct prvcut_format prvcut_paraver_format = {
    .name = "paraver",
    .title = "Paraver",
    .what = "a Paraver trace",
    .suffix = ".prv",
    .packs = true,
    .numbered = true,
    .beside = { ".pcf", ".row" },
    .file = files,
    .viewer = "wxparaver",
    .known_by = "a Paraver .prv starts with '#Paraver ('",
};
