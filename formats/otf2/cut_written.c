#include "otf2/cut.h"

OTF2_ErrorCode o2_written(OTF2_ErrorCode code)
{
    return code == OTF2_SUCCESS && o2_library_said()[0] != '\0' ? OTF2_ERROR_INVALID : code;
}

enum prvcut_status o2_write_fail(const struct o2_cutter *c, OTF2_ErrorCode code,
                                 struct prvcut_error *err)
{
    const char *said = o2_library_said();
    const enum prvcut_status st =
        prvcut_fail(err, PRVCUT_EIO, "%.500s: cannot be written: %.400s", c->options->path,
                    said[0] ? said : OTF2_Error_GetDescription(code));

    o2_library_clear();
    return st;
}
