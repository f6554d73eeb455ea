#ifndef PRVCUT_ANALYSIS_PROOF_ROWS_H
#define PRVCUT_ANALYSIS_PROOF_ROWS_H

#include "analysis/proof_pass.h"
#include "model/made.h"

/** A chop beside its region, as far as no key is concerned. */
struct prvcut_proof_pair {
    const struct prvcut_proof_found *found;
    const struct prvcut_dictionary *names;
    uint32_t threads;
    bool states;             /**< the trace records when threads run */
    size_t region, chop;     /**< slots */
    double iterations[2];    /**< of the region, of the chop; masks left out */
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
