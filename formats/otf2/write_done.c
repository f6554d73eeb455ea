#include "otf2/write.h"

enum prvcut_status o2w_done(const struct o2w *w, OTF2_ErrorCode code, const char *what,
                            struct prvcut_error *err)
{
    const char *said = o2_library_said();
    enum prvcut_status status = PRVCUT_EIO;

    if (code == OTF2_SUCCESS)
        return PRVCUT_OK;
    if (said[0] == '\0')
        said = OTF2_Error_GetDescription(code);
    if (code == OTF2_ERROR_MEM_ALLOC_FAILED || code == OTF2_ERROR_MEM_FAULT)
        status = PRVCUT_ENOMEM;
    if (!w->at.events)
        return prvcut_fail(err, status, "%s: %s cannot be written: %s", w->path, what, said);
    return prvcut_fail(err, status, "%s: thread %u: %s cannot be written: %s", w->path,
                       w->at.thread + 1, what, said);
}

enum prvcut_status o2w_mark(struct o2w *w, enum o2_mark_attribute attribute, OTF2_Type type,
                            uint64_t value, struct prvcut_error *err)
{
    OTF2_AttributeValue v = { 0 };

    if (type == OTF2_TYPE_UINT8)
        v.uint8 = (uint8_t)value;
    else if (type == OTF2_TYPE_UINT32)
        v.uint32 = (uint32_t)value;
    else
        v.uint64 = value;
    return o2w_done(w, OTF2_AttributeList_AddAttribute(w->attributes, attribute, type, v),
                    "an attribute", err);
}
