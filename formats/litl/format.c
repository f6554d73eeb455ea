#include "model/formats.h"

const struct prvcut_format prvcut_litl_format = { .name = "litl",
                                                  .title = "EZTrace log (LiTL)",
                                                  .what = "an EZTrace log" };
