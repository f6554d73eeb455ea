#include "model/formats.h"

static const struct prvcut_format_file files[] = {
    { PRVCUT_PART_OF_ARCHIVE, ".def", "the definitions of an archive", NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".def.z", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".events", "the events of an OTF trace", NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".events.z", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".snaps", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".snaps.z", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".stats", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".stats.z", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".marker", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".marker.z", NULL, NULL },
    { .part = PRVCUT_PART_END }
};

/* Those of VampirTrace and EZTrace. */
static const char *const generic[] = { "eztrace_log", "traces", "trace", NULL };

const struct prvcut_format prvcut_otf_format = {
    .name = "otf",
    .title = "OTF",
    .what = "an OTF trace",
    .suffix = ".otf",
    .archive = true,
    .beside = { ".0.def", ".1.events" },
    .file = files,
    .generic = generic,
    .viewer = "vampir",
    .known_by = "an OTF master NAME.otf",
};
