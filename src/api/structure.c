#include "prvcut/structure.h"

#include <stdlib.h>
#include <string.h>

void prvcut_structure_fini(struct prvcut_structure *s)
{
    for (size_t i = 0; i < s->regions; i++) {
        free(s->region[i].vote);
        free(s->region[i].border);
        free(s->region[i].outlier);
        free(s->region[i].departure);
    }
    for (size_t i = 0; i < s->masks; i++)
        free(s->mask[i].thread);
    free(s->region);
    free(s->mask);
    memset(s, 0, sizeof *s);
}
