#ifndef PRVCUT_CLI_HEAP_H
#define PRVCUT_CLI_HEAP_H

/**
 * Set up the heap of the program, once, before it is used.
 *
 * The analyses take rooms of a MiB or two and give them back, again and again; each time the system
 * would lay fresh pages, which takes a tenth to a quarter of the time of a small trace. So rooms up
 * to 4 MiB stay in the heap, and the system is asked for large pages there, which some give only to
 * who asks (`madvise` in /sys/kernel/mm/transparent_hugepage/enabled). Larger rooms, which grow
 * with the trace, still go back at once.
 */
void cli_heap_settle(void);

#endif
