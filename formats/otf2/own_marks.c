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
                                   OTF2_MetricRef metric)
{
    char type[160], values[80];
    const char *const texts[] = { PRVCUT_MARK_ENDS, PRVCUT_MARK_BEGINS, type, values };
    OTF2_ErrorCode code = OTF2_SUCCESS;

    snprintf(type, sizeof type,
             O2_OWN_TYPE "\t%d\t%s\tgauge\t%" PRIu32 "\t-\t-\t-\t-\t#\tmarks\t%s", PRVCUT_MARK_TYPE,
             prvcut_role_text(PRVCUT_ROLE_OTHER), metric, PRVCUT_MARK_NAME);
    snprintf(values, sizeof values, O2_OWN_VALUES "\t%d\t%" PRIu32 "\t0,1", PRVCUT_MARK_TYPE,
             string);
    for (uint32_t i = 0; i < 4 && code == OTF2_SUCCESS; i++)
        code = OTF2_GlobalDefWriter_WriteString(w, string + i, texts[i]);
    return code;
}
