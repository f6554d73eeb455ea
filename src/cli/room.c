#include "cli.h"

#include <stdlib.h>

void *cli_room(size_t bytes)
{
    return calloc(1, bytes > 0 ? bytes : 1);
}
