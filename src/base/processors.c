/* For sched_getaffinity(), which POSIX does not have. */
#define _GNU_SOURCE
#include "base/processors.h"

#include <sched.h>
#include <unistd.h>

/* The system refuses a set that is smaller than its own. */
#define PROCESSORS_MOST 65536

/* owns: the set is the caller's (CPU_FREE()); NULL: the system does not tell. */
static cpu_set_t *processors_set(size_t *places)
{
    for (size_t n = CPU_SETSIZE; n <= PROCESSORS_MOST; n *= 2) {
        cpu_set_t *set = CPU_ALLOC(n);

        if (!set)
            return NULL;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE(n), set) == 0) {
            *places = n;
            return set;
        }
        CPU_FREE(set);
    }
    return NULL;
}

static unsigned processors_online(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (unsigned)n;
}

unsigned prvcut_processors(void)
{
    size_t places;
    cpu_set_t *set = processors_set(&places);
    const int n = set ? CPU_COUNT_S(CPU_ALLOC_SIZE(places), set) : 0;

    CPU_FREE(set);
    return n < 1 ? processors_online() : (unsigned)n;
}

void prvcut_processors_mark(unsigned *used, size_t room)
{
    size_t places = processors_online();
    cpu_set_t *set = processors_set(&places);

    for (size_t p = 0; p < places && p < room; p++)
        if (!set || CPU_ISSET_S(p, CPU_ALLOC_SIZE(places), set))
            used[p]++;
    CPU_FREE(set);
}
