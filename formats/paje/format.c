#include "model/formats.h"

const struct prvcut_format prvcut_paje_format = {
    .name = "paje",
    .title = "Paje",
    .what = "a Paje trace",
    .suffix = ".paje",
    .also = ".trace",
    .packs = true,
};
