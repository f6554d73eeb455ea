#define _DEFAULT_SOURCE /* madvise and sbrk, which POSIX does not have */

#include "heap.h"
#include "cli.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>

/* Rooms from here on are mapped each by itself. */
#define HEAP_ROOM ((size_t)4 << 20)
/* Addresses, not memory: a page is laid where something is written. */
#define HEAP_AHEAD ((size_t)128 << 20)
#define HEAP_PAGE  ((uintptr_t)2 << 20)

/* The heap reaches this far at once, for what it grows by later would be asked for anew; without
   that many addresses it grows as it always does. */
static void heap_ask_large_pages(void)
{
    void *first;
    uintptr_t from, to;

    mallopt(M_TOP_PAD, (int)HEAP_AHEAD);
    first = cli_room(HEAP_ROOM / 2);
    from = ((uintptr_t)first + HEAP_PAGE - 1) & ~(HEAP_PAGE - 1);
    to = (uintptr_t)sbrk(0) & ~(HEAP_PAGE - 1);
    if (first && from < to && to - from <= 2 * HEAP_AHEAD)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
    free(first);
    mallopt(M_TOP_PAD, (int)HEAP_ROOM);
}
#endif

void cli_heap_settle(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, (int)HEAP_ROOM);
    mallopt(M_TRIM_THRESHOLD, (int)(HEAP_AHEAD + 4 * HEAP_ROOM));
    /* Threads that ask for memory seldom can ask at one place. */
    mallopt(M_ARENA_MAX, 1);
    heap_ask_large_pages();
#endif
}
