#include "model/formats.h"

static const struct prvcut_format_file files[] = {
    { PRVCUT_PART_UNREAD, ".pallas", NULL,
      "is a Pallas trace, which prvcut does not read; EZTrace writes OTF2 instead if it is built "
      "with the OTF2 library" },
    { .part = PRVCUT_PART_END }
};

const struct prvcut_format prvcut_litl_format = {
    .name = "litl", .title = "EZTrace log (LiTL)", .what = "an EZTrace log", .file = files
};
