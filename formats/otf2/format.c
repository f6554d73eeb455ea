#include "model/formats.h"

#include <string.h>

/* Built without the library of the format, too: files are called so all the same. */

static const struct prvcut_format_file files[] = {
    { PRVCUT_PART_OF_ARCHIVE, ".def", "the definitions of an archive", NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".evt", "the events of an OTF2 archive", NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".snap", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".marker", NULL, NULL },
    { PRVCUT_PART_OF_ARCHIVE, ".thumb", NULL, NULL },
    { .part = PRVCUT_PART_END }
};

/* Those of Score-P and EZTrace. */
static const char *const generic[] = { "eztrace_log", "traces", "trace", NULL };

static const char *format_untaken(const char *head, size_t count)
{
    static const char anchor[] = "\x03"
                                 "BOTF2";

    if (count >= 6 && memcmp(head, anchor, 6) == 0)
        return "is an OTF2 archive, but this prvcut was built without the OTF2 library";
    if (count >= 3 && head[0] == 3 && (head[1] == 'B' || head[1] == '#') && head[2] == 1)
        return "is a part of an OTF2 archive, and its anchor file (NAME.otf2) is not there";
    return NULL;
}

const struct prvcut_format prvcut_otf2_format = {
    .name = "otf2",
    .title = "OTF2",
    .what = "an OTF2 archive",
    .suffix = ".otf2",
    .archive = true,
    .beside = { ".def", "" },
    .file = files,
    .generic = generic,
    .viewer = "vampir",
    .known_by = "an OTF2 anchor is called NAME.otf2",
    .untaken = format_untaken,
};
