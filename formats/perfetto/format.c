#include "model/formats.h"

const struct prvcut_format prvcut_perfetto_format = {
    .name = "perfetto",
    .title = "Perfetto",
    .what = "a JSON file",
    .suffix = ".json",
    .packs = true,
};
