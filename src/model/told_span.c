#include "model/told_span.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Later than any trace ends. */
#define TSP_MOST (UINT64_C(1) << 62)

const char *prvcut_span_told(char out[PRVCUT_SPAN_ROOM], uint64_t tick, uint64_t ns)
{
    snprintf(out, PRVCUT_SPAN_ROOM, "%" PRIu64 " %" PRIu64, tick, ns);
    return out;
}

static bool tsp_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool prvcut_span_take(const char *text, uint64_t *tick, uint64_t *ns)
{
    char *end;

    if (!tsp_is_digit(text[0]))
        return false;
    errno = 0;
    *tick = strtoull(text, &end, 10);
    if (errno != 0 || end[0] != ' ' || !tsp_is_digit(end[1]))
        return false;
    *ns = strtoull(end + 1, &end, 10);
    return errno == 0 && (*end == '\0' || *end == '"') && *ns < TSP_MOST;
}
