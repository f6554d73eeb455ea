#ifndef PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_MAKER_H
#define PRVCUT_ANALYSIS_EFFICIENCY_EFFICIENCY_MAKER_H

#include "analysis/efficiency/efficiency_programs.h"
#include "analysis/efficiency/efficiency_runs.h"

/** One run that is made of one stretch of a program. */
struct efr_maker {
    struct made_efficiency *out;
    const struct prvcut_efficiency_read_of *in;
    const struct prvcut_efficiency_found *found;
    const struct prvcut_efficiency_programs *programs;
    struct prvcut_efficiency_program is; /* the program that it is of */
    struct made_efficiency_run *run;
    size_t program, stretch;
    bool outside; /* threads that make calls compute where they are not in any */
    bool computes;
    bool apart;             /* the stretch is an iteration of others */
    const char *unreplayed; /* why the ideal network tells nothing; NULL: it does */
};

/** What a thread did in the stretch; is it of the program, or a task; its window. */
const struct prvcut_efficiency_sum *prvcut_efr_sum(const struct efr_maker *m, uint32_t thread);
bool prvcut_efr_has(const struct efr_maker *m, uint32_t thread);
bool prvcut_efr_has_task(const struct efr_maker *m, uint32_t task);
struct prvcut_span prvcut_efr_window(const struct efr_maker *m, uint32_t thread);

/** ns that a thread computed; outside: not in calls, nor, in an archive, in a wait of OpenMP. */
uint64_t prvcut_efr_computing(const struct efr_maker *m, uint32_t thread);
uint64_t prvcut_efr_outside(const struct efr_maker *m, uint32_t thread);

/** What part of the time no recorded state tells of: of the run, or of all its regions or
    iterations. 0 also where what threads compute is not told by states. */
double prvcut_efr_unstated(const struct efr_maker *m);

/** What a counter counted in a thread; NAN: none did. */
double prvcut_efr_counted(const struct efr_maker *m, uint32_t thread, unsigned counter);

/** No thread counts as much: a counter that went wrong, or a value that stands for none. */
bool prvcut_efr_is_beyond(const struct efr_maker *m, uint32_t thread, unsigned counter);

/** Why sums of a counter tell nothing: it did not count in all that threads computed. NULL: it did.
 *share: of the computing, in which it counted */
const char *prvcut_efr_uncovered(const struct efr_maker *m, unsigned counter, double *share);

/** Why things are not told of the run (efficiency_told.c). */
void prvcut_efr_reasons(struct efr_maker *m);

/** What else is to be known of it. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_efr_notes(struct efr_maker *m, struct prvcut_error *err);

#endif
