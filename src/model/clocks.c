#include "model/clocks.h"

#include <stdlib.h>
#include <string.h>

void prvcut_clocks_fini(struct prvcut_clocks *c)
{
    free(c->offset);
    memset(c, 0, sizeof *c);
}
