#ifndef PRVCUT_ANALYSIS_MEASURE_H
#define PRVCUT_ANALYSIS_MEASURE_H

#include "analysis/proof_cells.h"
#include "analysis/proof_pass.h"

/**
 * What threads did in some stretches of a run, in one reading: an iteration, a region, a cut. What
 * counts where is told in proof.h.
 */
struct prvcut_measure {
    struct prvcut_proof_cells cells; /**< a slot a stretch */
    struct prvcut_proof_found found;
    struct prvcut_dictionary names;
    uint32_t threads;
    bool states; /**< the trace records when threads run */
};

/** Several stretches, disjoint on each thread, as one. */
struct prvcut_column {
    struct prvcut_proof_sum *sum;       /**< [found.sums.key.count]; owned */
    struct prvcut_proof_thread *thread; /**< [threads]; owned; NULL: they are not told apart */
    uint64_t *length;                   /**< [threads] ns, without what is masked; owned */
    double part;                        /**< 0..1 of all its time that no mask hides */
};

/**
 * Read a trace and measure; twice where it has no MPI calls, but regions. only: parts that hold all
 * of the stretches, of a trace that can be entered anywhere; NULL: all is read.
 *
 * shape   stretch: [stretches], borrowed until prvcut_measure_fini, as is what it points to
 * owns    *m is initialised here, released with prvcut_measure_fini, also after a failure
 * errors  those of the reader, PRVCUT_ENOMEM, PRVCUT_ELIMIT
 */
enum prvcut_status prvcut_measure_make(struct prvcut_measure *m, struct prvcut_trace *t,
                                       const struct prvcut_run *run,
                                       const struct prvcut_proof_region *stretch, size_t stretches,
                                       const struct prvcut_proof_only *only,
                                       const struct prvcut_proof_beside *beside,
                                       struct prvcut_error *err);

/** The same in two steps around what is found: before, when nothing is yet; after it. owns: as
    prvcut_measure_make */
enum prvcut_status prvcut_measure_lay(struct prvcut_measure *m, struct prvcut_trace *t,
                                      const struct prvcut_proof_region *stretch, size_t stretches,
                                      struct prvcut_error *err);
void prvcut_measure_settle(struct prvcut_measure *m);

void prvcut_measure_fini(struct prvcut_measure *m);

/** The name of a key of its sums; returns out, or a constant. shape: out: [room], 0 < room */
const char *prvcut_measure_key_text(char *out, size_t room, const struct prvcut_measure *m,
                                    size_t key);

/** owns: *c is initialised here, zeros, released with prvcut_column_fini, also after a failure */
enum prvcut_status prvcut_column_init(struct prvcut_column *c, const struct prvcut_measure *m,
                                      struct prvcut_error *err);

/** Set it to what these stretches hold. shape: slot: [slots] */
void prvcut_column_set(struct prvcut_column *c, const struct prvcut_measure *m, const size_t *slot,
                       size_t slots);

/** What a measure of the same trace found is known by keys of m from then on, each with sums of 0
    where it is new; columns of m grow (prvcut_column_grow). errors  PRVCUT_ENOMEM */
enum prvcut_status prvcut_measure_adopt(struct prvcut_measure *m, const struct prvcut_measure *more,
                                        struct prvcut_error *err);

/** Room for keys that m has by now, where it had that many when the column was made. */
enum prvcut_status prvcut_column_grow(struct prvcut_column *c, const struct prvcut_measure *m,
                                      size_t keys, struct prvcut_error *err);

/** Set a column of m to what a stretch of an adopted measure holds. */
void prvcut_column_set_adopted(struct prvcut_column *c, const struct prvcut_measure *m,
                               const struct prvcut_measure *more, size_t slot);

void prvcut_column_fini(struct prvcut_column *c);

/** ns that a thread computes: as its states tell, or what it spends outside calls. */
double prvcut_column_computing(const struct prvcut_column *c, const struct prvcut_measure *m,
                               uint32_t thread);

/** Does the thread compute or call there? Always where threads are not told apart. */
bool prvcut_column_has(const struct prvcut_column *c, uint32_t thread);

#endif
