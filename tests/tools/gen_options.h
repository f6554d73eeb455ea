#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define GEN_LEVELS       4
#define GEN_APPLICATIONS 64

/** What the trace shall be; filled from the command line, read by all parts of the generator. */
struct gen_options {
    const char *name; /**< output path without suffix */
    uint64_t applications, tasks, threads, nodes;
    uint64_t short_lived, silent; /**< further tasks of an application, after its tasks */
    uint64_t iterations;
    uint64_t size; /**< bytes wanted; 0: iterations decide */
    uint64_t inner[GEN_LEVELS];
    uint64_t levels; /**< entries of inner */
    uint64_t period_ns, skew_ns, init_ns, end_ns;
    uint64_t application_period[GEN_APPLICATIONS]; /**< instead of period_ns */
    uint64_t application_periods;
    double jitter, drift, imbalance;
    uint64_t flush_every, flush_ns;
    uint64_t preempt, clog;
    double clog_factor;
    double change_at; /**< fraction of the loop; 0: one loop only */
    uint64_t change_period_ns;
    uint64_t every_k;
    uint64_t callers;
    uint64_t seed;
    bool pipeline, aperiodic, lean, counters, no_states, no_calls, burst_mode, microseconds, crlf;
    bool realistic;
};

/** Tasks of an application: those of the loop, then the bystanders. */
uint64_t gen_options_all_tasks(const struct gen_options *o);
/** Wanted period of an application, from 0. */
uint64_t gen_options_period(const struct gen_options *o, uint64_t application);

/**
 * Read the command line.
 *
 * returns -1 to go on, else the exit status: 0 after --help, 2 after a mistake (said on stderr)
 */
int gen_options_read(struct gen_options *out, int argc, char **argv);

#endif
