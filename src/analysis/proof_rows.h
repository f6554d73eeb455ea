#ifndef PRVCUT_ANALYSIS_PROOF_ROWS_H
#define PRVCUT_ANALYSIS_PROOF_ROWS_H

#include "analysis/measure.h"
#include "model/made.h"

/** A chop beside its region, as far as no key is concerned: [0] is the region's, [1] the chop's. */
struct prvcut_proof_pair {
    const struct prvcut_measure *measure;
    const struct prvcut_column *column[2];
    bool states;             /**< the trace records when threads run */
    double iterations[2];    /**< masks left out */
    double time[2];          /**< ns of all threads that did something */
    double calls[2];         /**< MPI calls that begin, of all threads */
    double mpi[2];           /**< ns in MPI calls, of all threads */
    double efficiency[2][3]; /**< parallel efficiency, load balance, communication efficiency */
};

/**
 * All rows of a proof, worst first, and its verdict.
 *
 * owns    out is initialised by the caller, also what is in it after a failure
 */
enum prvcut_status prvcut_proof_rows(struct made_proof *out, const struct prvcut_proof_pair *p,
                                     struct prvcut_error *err);

#endif
