#include "model/words.h"

#include "prvcut/comm.h"
#include "prvcut/follow.h"
#include "prvcut/patterns.h"
#include "prvcut/predict.h"
#include "prvcut/records.h"
#include "prvcut/sample.h"
#include "prvcut/stream.h"
#include "prvcut/waits.h"

#include <string.h>

#define COUNT(words) (sizeof(words) / sizeof *(words))

static const char *wrd_of(const char *const *words, size_t count, unsigned number)
{
    return number < count ? words[number] : NULL;
}

static bool wrd_find(const char *const *words, size_t count, const char *word, unsigned *number)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) {
            *number = i;
            return true;
        }
    return false;
}

/* The words of an enum whose numbers have no gap: its text, and the way back. */
#define TEXTS(name, ...)                                                                           \
    static const char *const wrd_##name[] = { __VA_ARGS__ };                                       \
    const char *prvcut_##name##_text(enum prvcut_##name number)                                    \
    {                                                                                              \
        return wrd_of(wrd_##name, COUNT(wrd_##name), (unsigned)number);                            \
    }

#define FINDS(name)                                                                                \
    bool prvcut_##name##_find(enum prvcut_##name *out, const char *word)                           \
    {                                                                                              \
        unsigned number = 0;                                                                       \
        const bool found = wrd_find(wrd_##name, COUNT(wrd_##name), word, &number);                 \
                                                                                                   \
        *out = (enum prvcut_##name)number;                                                         \
        return found;                                                                              \
    }

/* clang-format off */
TEXTS(stand,
      [PRVCUT_STAND_NONE] = "none",
      [PRVCUT_STAND_CHOSEN] = "chosen",
      [PRVCUT_STAND_AGREES] = "agrees",
      [PRVCUT_STAND_INNER] = "inner",
      [PRVCUT_STAND_MULTIPLE] = "multiple",
      [PRVCUT_STAND_DIFFERS] = "differs",
      [PRVCUT_STAND_ABSENT] = "absent")
TEXTS(phase,
      [PRVCUT_PHASE_NONE] = "",
      [PRVCUT_PHASE_READING] = "reading",
      [PRVCUT_PHASE_ANALYSING] = "analysing",
      [PRVCUT_PHASE_FOCUSING] = "focusing",
      [PRVCUT_PHASE_CUTTING] = "cutting",
      [PRVCUT_PHASE_COMPARING] = "comparing",
      [PRVCUT_PHASE_DRAWING] = "drawing",
      [PRVCUT_PHASE_WRITING] = "writing",
      [PRVCUT_PHASE_FILTERING] = "filtering",
      [PRVCUT_PHASE_MARKING] = "marking",
      [PRVCUT_PHASE_CHECKING] = "checking",
      [PRVCUT_PHASE_CHECKSUM] = "checksum",
      [PRVCUT_PHASE_CHOOSING] = "choosing",
      [PRVCUT_PHASE_FOLLOWING] = "following")
TEXTS(follow_over,
      [PRVCUT_FOLLOW_GOES_ON] = "",
      [PRVCUT_FOLLOW_FOUND] = "found",
      [PRVCUT_FOLLOW_DURATION] = "duration",
      [PRVCUT_FOLLOW_CLOSED] = "closed",
      [PRVCUT_FOLLOW_PROCESS] = "process",
      [PRVCUT_FOLLOW_IDLE] = "idle",
      [PRVCUT_FOLLOW_FULL] = "full")
TEXTS(cause,
      [PRVCUT_CAUSE_NONE] = "",
      [PRVCUT_CAUSE_FLUSHING] = "flushing",
      [PRVCUT_CAUSE_PREEMPTION] = "preemption",
      [PRVCUT_CAUSE_CLOGGED] = "clogged")
TEXTS(region_kind,
      [PRVCUT_REGION_INITIALISATION] = "initialisation",
      [PRVCUT_REGION_PERIODIC] = "periodic",
      [PRVCUT_REGION_APERIODIC] = "aperiodic",
      [PRVCUT_REGION_MASKED] = "masked",
      [PRVCUT_REGION_END] = "end")
TEXTS(outlier_why,
      [PRVCUT_OUTLIER_LONG] = "long",
      [PRVCUT_OUTLIER_SHORT] = "short")
TEXTS(align,
      [PRVCUT_ALIGN_AUTO] = "auto",
      [PRVCUT_ALIGN_CALLS] = "calls",
      [PRVCUT_ALIGN_STRAIGHT] = "straight")
TEXTS(chop_kind,
      [PRVCUT_CHOP_TYPICAL] = "typical",
      [PRVCUT_CHOP_OUTLIER] = "outlier",
      [PRVCUT_CHOP_GIVEN] = "given")
TEXTS(proof_group,
      [PRVCUT_PROOF_OF_EFFICIENCY] = "efficiency",
      [PRVCUT_PROOF_OF_CALL] = "call",
      [PRVCUT_PROOF_OF_STATE] = "state",
      [PRVCUT_PROOF_OF_TRAFFIC] = "traffic",
      [PRVCUT_PROOF_OF_COUNTER] = "counter", [PRVCUT_PROOF_OF_WAIT] = "wait")
TEXTS(proof_unit,
      [PRVCUT_PROOF_IN_SHARE] = "share",
      [PRVCUT_PROOF_IN_COUNT] = "1/iteration",
      [PRVCUT_PROOF_IN_BYTES] = "B/iteration",
      [PRVCUT_PROOF_IN_PER_CYCLE] = "instr/cycle")
TEXTS(faith,
      [PRVCUT_FAITH_UNASKED] = "",
      [PRVCUT_FAITH_FAITHFUL] = "faithful",
      [PRVCUT_FAITH_FAIR] = "fair",
      [PRVCUT_FAITH_DOUBTFUL] = "doubtful",
      [PRVCUT_FAITH_UNKNOWN] = "unknown")
TEXTS(factor,
      [PRVCUT_FACTOR_LOAD_BALANCE] = "load_balance",
      [PRVCUT_FACTOR_SERIALIZATION] = "serialization",
      [PRVCUT_FACTOR_TRANSFER] = "transfer",
      [PRVCUT_FACTOR_COMMUNICATION] = "communication",
      [PRVCUT_FACTOR_IPC] = "ipc",
      [PRVCUT_FACTOR_FREQUENCY] = "frequency_ghz",
      [PRVCUT_FACTOR_INSTRUCTIONS] = "instructions",
      [PRVCUT_FACTOR_COMPUTING] = "computing_ns")
TEXTS(fit,
      [PRVCUT_FIT_LOGLINEAR] = "loglinear",
      [PRVCUT_FIT_SEMILOG] = "semilog",
      [PRVCUT_FIT_POWER] = "power",
      [PRVCUT_FIT_LINEAR] = "linear",
      [PRVCUT_FIT_QUADRATIC] = "quadratic")
TEXTS(repeat_kind,
      [PRVCUT_REPEAT_MAXIMAL] = "maximal",
      [PRVCUT_REPEAT_SUPERMAXIMAL] = "supermaximal",
      [PRVCUT_REPEAT_TANDEM] = "tandem")
TEXTS(topology,
      [PRVCUT_TOPOLOGY_NONE] = "none",
      [PRVCUT_TOPOLOGY_IRREGULAR] = "irregular",
      [PRVCUT_TOPOLOGY_PAIRS] = "pairs",
      [PRVCUT_TOPOLOGY_CHAIN] = "chain",
      [PRVCUT_TOPOLOGY_RING] = "ring",
      [PRVCUT_TOPOLOGY_MESH2D] = "mesh2d",
      [PRVCUT_TOPOLOGY_MESH3D] = "mesh3d",
      [PRVCUT_TOPOLOGY_TORUS2D] = "torus2d",
      [PRVCUT_TOPOLOGY_TORUS3D] = "torus3d",
      [PRVCUT_TOPOLOGY_BUTTERFLY] = "butterfly",
      [PRVCUT_TOPOLOGY_TRANSPOSE] = "transpose",
      [PRVCUT_TOPOLOGY_TRANSPOSE_BUTTERFLY] = "transpose+butterfly",
      [PRVCUT_TOPOLOGY_MULTIPARTITION] = "multipartition",
      [PRVCUT_TOPOLOGY_MESH2D8] = "mesh2d8",
      [PRVCUT_TOPOLOGY_MESH3D26] = "mesh3d26",
      [PRVCUT_TOPOLOGY_TORUS2D8] = "torus2d8",
      [PRVCUT_TOPOLOGY_TORUS3D26] = "torus3d26",
      [PRVCUT_TOPOLOGY_STAR] = "star",
      [PRVCUT_TOPOLOGY_TREE] = "tree",
      [PRVCUT_TOPOLOGY_ALLTOALL] = "alltoall")
TEXTS(technique,
      [PRVCUT_TECHNIQUE_SSP] = "SSP",
      [PRVCUT_TECHNIQUE_LSP] = "LSP",
      [PRVCUT_TECHNIQUE_MSP] = "MSP")
TEXTS(wait,
      [PRVCUT_WAIT_LATE_SENDER] = "late_sender",
      [PRVCUT_WAIT_WRONG_ORDER_DIFF] = "ls_wrong_order_diff",
      [PRVCUT_WAIT_WRONG_ORDER_SAME] = "ls_wrong_order_same",
      [PRVCUT_WAIT_LATE_RECEIVER] = "late_receiver",
      [PRVCUT_WAIT_BARRIER] = "wait_barrier",
      [PRVCUT_WAIT_BARRIER_COMPLETION] = "barrier_completion",
      [PRVCUT_WAIT_NXN] = "wait_nxn",
      [PRVCUT_WAIT_NXN_COMPLETION] = "nxn_completion",
      [PRVCUT_WAIT_EARLY_REDUCE] = "early_reduce",
      [PRVCUT_WAIT_LATE_BCAST] = "late_bcast",
      [PRVCUT_WAIT_EARLY_SCAN] = "early_scan",
      [PRVCUT_WAIT_INIT_COMPLETION] = "init_completion",
      [PRVCUT_WAIT_FINALIZE] = "finalize_wait",
      [PRVCUT_WAIT_NXN_V] = "wait_nxn_v",
      [PRVCUT_WAIT_NB_BARRIER] = "nb_wait_barrier",
      [PRVCUT_WAIT_NB_NXN] = "nb_wait_nxn",
      [PRVCUT_WAIT_NB_LATE_BCAST] = "nb_late_bcast",
      [PRVCUT_WAIT_NB_EARLY_REDUCE] = "nb_early_reduce",
      [PRVCUT_WAIT_OMP_FORK] = "omp_fork",
      [PRVCUT_WAIT_OMP_IBARRIER] = "omp_ibarrier_wait",
      [PRVCUT_WAIT_OMP_EBARRIER] = "omp_ebarrier_wait",
      [PRVCUT_WAIT_OMP_IDLE] = "omp_idle",
      [PRVCUT_WAIT_OMP_CRITICAL] = "omp_critical_wait",
      [PRVCUT_WAIT_OMP_LOCK] = "omp_lock_wait")
TEXTS(delay,
      [PRVCUT_DELAY_LATE_SENDER] = "late_sender",
      [PRVCUT_DELAY_LATE_RECEIVER] = "late_receiver",
      [PRVCUT_DELAY_BARRIER] = "barrier",
      [PRVCUT_DELAY_N2N] = "n2n",
      [PRVCUT_DELAY_12N] = "12n",
      [PRVCUT_DELAY_N21] = "n21")
TEXTS(waits_by,
      [PRVCUT_WAITS_BY_METRIC] = "metric",
      [PRVCUT_WAITS_BY_RANK] = "rank",
      [PRVCUT_WAITS_BY_PATH] = "path",
      [PRVCUT_WAITS_BY_REGION] = "region",
      [PRVCUT_WAITS_BY_ITERATION] = "iteration")
TEXTS(waits_clocks,
      [PRVCUT_WAITS_CLOCKS_PIECEWISE] = "piecewise",
      [PRVCUT_WAITS_CLOCKS_CONSTANT] = "constant")
TEXTS(found_by,
      [PRVCUT_FOUND_BY_NOTHING] = "",
      [PRVCUT_FOUND_BY_CALLS] = "calls",
      [PRVCUT_FOUND_BY_SIGNAL] = "signal",
      [PRVCUT_FOUND_BY_PERIOD] = "given",
      [PRVCUT_FOUND_BY_WINDOWS] = "windows",
      [PRVCUT_FOUND_BY_TIMELINE] = "timeline")
TEXTS(chop_why,
      [PRVCUT_CHOP_WHY_UNKNOWN] = "",
      [PRVCUT_CHOP_WHY_ALIKE] =
          "most alike and of nearly median length among the undisturbed ones",
      [PRVCUT_CHOP_WHY_ALIKE_OF_ALL] =
          "no undisturbed region holds that many iterations: taken from all",
      [PRVCUT_CHOP_WHY_GIVEN] = "as given",
      [PRVCUT_CHOP_WHY_REGION] = "all of the region",
      [PRVCUT_CHOP_WHY_NAMED] = "named by their numbers",
      [PRVCUT_CHOP_WHY_LONG] = "long",
      [PRVCUT_CHOP_WHY_SHORT] = "short",
      [PRVCUT_CHOP_WHY_NEAREST] = "nearest to the median in all that was compared",
      [PRVCUT_CHOP_WHY_NEAREST_OF_ALL] =
          "nearest to the median of all, as so many are never undisturbed")
TEXTS(quantity,
      [PRVCUT_QUANTITY_LENGTH] = "length",
      [PRVCUT_QUANTITY_LOAD_BALANCE] = "load balance",
      [PRVCUT_QUANTITY_USEFUL] = "useful share",
      [PRVCUT_QUANTITY_COMMUNICATION_EFFICIENCY] = "communication efficiency",
      [PRVCUT_QUANTITY_BYTES] = "bytes",
      [PRVCUT_QUANTITY_INSTRUCTIONS] = "instructions",
      [PRVCUT_QUANTITY_CALL] = "call")
TEXTS(align_why,
      [PRVCUT_ALIGN_WHY_UNKNOWN] = "",
      [PRVCUT_ALIGN_WHY_FIRST_CALL] =
          "each thread is cut at its own first call of the iterations",
      [PRVCUT_ALIGN_WHY_OWN_CALL] = "each thread is cut at a call of its own in the window",
      [PRVCUT_ALIGN_WHY_ASKED] = "as was asked for",
      [PRVCUT_ALIGN_WHY_NO_CALLS] = "no calls are recorded around the window",
      [PRVCUT_ALIGN_WHY_TOO_MANY] = "too many calls around the window",
      [PRVCUT_ALIGN_WHY_UNLIKE] = "the calls around the window do not repeat",
      [PRVCUT_ALIGN_WHY_INEXACT] =
          "borders at calls would be at other distances than the given --period",
      [PRVCUT_ALIGN_WHY_NO_BETTER] =
          "one time for all threads splits no more than borders of their own would")
TEXTS(chop_verdict,
      [PRVCUT_CHOP_UNASKED] = "",
      [PRVCUT_CHOP_IS_TYPICAL] = "typical",
      [PRVCUT_CHOP_IS_ORDINARY] = "ordinary",
      [PRVCUT_CHOP_IS_UNUSUAL] = "unusual",
      [PRVCUT_CHOP_IS_FEW] = "few",
      [PRVCUT_CHOP_IS_UNKNOWN] = "unknown")
TEXTS(slow,
      [PRVCUT_SLOW_UNKNOWN] = "unknown",
      [PRVCUT_SLOW_FLUSH] = "flush",
      [PRVCUT_SLOW_OFF] = "off",
      [PRVCUT_SLOW_PREEMPTION] = "preemption",
      [PRVCUT_SLOW_INSTRUCTIONS] = "instructions",
      [PRVCUT_SLOW_IPC] = "ipc",
      [PRVCUT_SLOW_CLOCK] = "clock",
      [PRVCUT_SLOW_COMPUTING] = "computing",
      [PRVCUT_SLOW_CALL] = "call",
      [PRVCUT_SLOW_ORDER] = "order")
TEXTS(late,
      [PRVCUT_LATE_UNKNOWN] = "unknown",
      [PRVCUT_LATE_PARTNER] = "partner",
      [PRVCUT_LATE_NOBODY] = "nobody")
TEXTS(total_unit,
      [PRVCUT_TOTAL_NS] = "ns",
      [PRVCUT_TOTAL_COUNT] = "count",
      [PRVCUT_TOTAL_BYTES] = "bytes")
TEXTS(clock_source,
      [PRVCUT_CLOCK_SOURCE_NONE] = "",
      [PRVCUT_CLOCK_SOURCE_MESSAGES] = "messages",
      [PRVCUT_CLOCK_SOURCE_COLLECTIVES] = "collectives",
      [PRVCUT_CLOCK_SOURCE_BOTH] = "messages and collectives")
TEXTS(fate,
      [PRVCUT_FATE_WHOLE] = "whole",
      [PRVCUT_FATE_CROSSES] = "crosses",
      [PRVCUT_FATE_ALONE] = "alone",
      [PRVCUT_FATE_UNLIKE] = "unlike")
TEXTS(symbols,
      [PRVCUT_SYMBOLS_AUTO] = "auto",
      [PRVCUT_SYMBOLS_CALL] = "call",
      [PRVCUT_SYMBOLS_PARTNER] = "partner",
      [PRVCUT_SYMBOLS_SIZE] = "size",
      [PRVCUT_SYMBOLS_SITE] = "site",
      [PRVCUT_SYMBOLS_ALL] = "all")
TEXTS(tolerant,
      [PRVCUT_TOLERANT_AUTO] = "auto",
      [PRVCUT_TOLERANT_NEVER] = "never",
      [PRVCUT_TOLERANT_ALWAYS] = "always")
TEXTS(nest_source,
      [PRVCUT_NEST_EXACT] = "exact",
      [PRVCUT_NEST_TOLERANT] = "tolerant",
      [PRVCUT_NEST_STRUCTURE] = "structure")
TEXTS(numbering, [PRVCUT_NUMBERING_NEST] = "nest", [PRVCUT_NUMBERING_STRUCTURE] = "structure")
TEXTS(point_cause,
      [PRVCUT_POINT_UNTOLD] = NULL,
      [PRVCUT_POINT_COMPUTATION] = "computation",
      [PRVCUT_POINT_CALL] = "call")
/* clang-format on */

const char *prvcut_record_kind_text(enum prvcut_record_kind kind)
{
    switch (kind) {
    case PRVCUT_RECORD_STATE:
        return "state";
    case PRVCUT_RECORD_EVENT:
        return "event";
    case PRVCUT_RECORD_MESSAGE:
        return "message";
    case PRVCUT_RECORD_SEND:
        return "send";
    case PRVCUT_RECORD_RECEIVE:
        return "receive";
    }
    return NULL;
}

FINDS(stand)
FINDS(cause)
FINDS(region_kind)
FINDS(outlier_why)
FINDS(align)
FINDS(found_by)

const char *prvcut_found_by_word(enum prvcut_found_by by, const char *metric)
{
    return by == PRVCUT_FOUND_BY_SIGNAL ? metric : prvcut_found_by_text(by);
}

enum prvcut_found_by prvcut_found_by_of(const char *word, const char **metric)
{
    enum prvcut_found_by by;
    const bool signal = !prvcut_found_by_find(&by, word);

    *metric = signal ? word : "";
    return signal ? PRVCUT_FOUND_BY_SIGNAL : by;
}
