#include "model/marks.h"
#include "model/roles.h"
#include "otf2/own.h"

#include <inttypes.h>
#include <stdio.h>

bool o2_own_has_type(const struct o2_own *own, uint32_t number)
{
    return o2_ids_get(&own->by_number, number) != O2_NOWHERE;
}

OTF2_ErrorCode o2_own_define_marks(OTF2_GlobalDefWriter *w, OTF2_StringRef string,
                                   OTF2_MetricRef metric, const struct prvcut_mark_kind *kind)
{
    char type[160], values[240];
    int length;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    snprintf(type, sizeof type,
             O2_OWN_TYPE "\t%" PRIu32 "\t%s\tgauge\t%" PRIu32 "\t-\t-\t-\t-\t#\tmarks\t%s",
             kind->type, prvcut_role_text(PRVCUT_ROLE_OTHER), metric, kind->name);
    length = snprintf(values, sizeof values, O2_OWN_VALUES "\t%" PRIu32 "\t%" PRIu32 "\t",
                      kind->type, string);
    for (int i = 0; i < kind->values && code == OTF2_SUCCESS; i++) {
        length +=
            snprintf(values + length, sizeof values - (size_t)length, i > 0 ? ",%d" : "%d", i);
        code = OTF2_GlobalDefWriter_WriteString(w, string++, prvcut_mark_value(kind, i));
    }
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteString(w, string++, type);
    return code == OTF2_SUCCESS ? OTF2_GlobalDefWriter_WriteString(w, string, values) : code;
}
