#ifndef ACCURACY_COUNTED_RUN_H
#define ACCURACY_COUNTED_RUN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Random runs as sampled counters show them, with truth: a trace of Paraver that holds nothing but
 * a reading of instructions, cycles and cache misses every 10^6 to 10^7 instructions of a thread.
 * One thread, or four that meet at the end of each iteration. Before the loop is a start-up, which
 * may do the work of an iteration's parts or repeat something shorter; behind it may be an end.
 */

struct counted_run {
    unsigned threads;
    double each;       /**< instructions a reading */
    double jitter;     /**< of a part's instructions, share of them */
    double iterations; /**< of the loop */
    double median;     /**< length of one, ns */
    double start, end; /**< of it, ns */
    double all;        /**< of the run, ns */
    double readings;   /**< in an iteration of a thread, on average */
};

/** Write NAME.prv and NAME.pcf: another run for each seed. A false one could not be written. */
bool counted_run_make(struct counted_run *out, uint64_t seed, const char *name);

#endif
