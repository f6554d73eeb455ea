#include "model/roles.h"

#include <string.h>

static const char *const words[PRVCUT_ROLES] = {
    [PRVCUT_ROLE_OTHER] = "other",
    [PRVCUT_ROLE_P2P] = "p2p",
    [PRVCUT_ROLE_COLLECTIVE] = "collective",
    [PRVCUT_ROLE_MPI_OTHER] = "mpi",
    [PRVCUT_ROLE_FLUSH] = "flush",
    [PRVCUT_ROLE_TRACING] = "tracing",
    [PRVCUT_ROLE_REGION] = "region",
    [PRVCUT_ROLE_INSTRUCTIONS] = "instructions",
    [PRVCUT_ROLE_CYCLES] = "cycles",
    [PRVCUT_ROLE_FLOPS] = "flops",
    [PRVCUT_ROLE_COUNTER] = "counter",
    [PRVCUT_ROLE_CALLER] = "caller",
    [PRVCUT_ROLE_CALLER_LINE] = "caller-line",
    [PRVCUT_ROLE_SAMPLE] = "sample",
    [PRVCUT_ROLE_SIZE] = "size",
    [PRVCUT_ROLE_ROOT] = "root",
    [PRVCUT_ROLE_COMMUNICATOR] = "communicator",
};

const char *prvcut_role_text(unsigned role)
{
    return words[role < PRVCUT_ROLES ? role : PRVCUT_ROLE_OTHER];
}

bool prvcut_role_of_text(const char *text, enum prvcut_role *out)
{
    for (unsigned i = 0; i < PRVCUT_ROLES; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = (enum prvcut_role)i;
            return true;
        }
    }
    return false;
}

bool prvcut_role_is_region(uint32_t role)
{
    const uint32_t regions =
        PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION);

    return (regions >> role & 1) != 0;
}

bool prvcut_role_nests(uint32_t role)
{
    const uint32_t strict = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH);

    return (strict >> role & 1) == 0;
}

bool prvcut_role_is_counter(uint32_t role)
{
    return (PRVCUT_ROLES_COUNTED >> role & 1) != 0;
}

bool prvcut_role_is_caller(uint32_t role)
{
    return (PRVCUT_ROLES_CALLERS >> role & 1) != 0;
}

bool prvcut_role_tells_collective(uint32_t role)
{
    return (PRVCUT_ROLES_OF_COLLECTIVE >> role & 1) != 0;
}
