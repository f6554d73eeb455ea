#ifndef PRVCUT_STRUCTURE_SEARCH_H
#define PRVCUT_STRUCTURE_SEARCH_H

#include "model/trace.h"
#include "signal/metrics.h"
#include "structure/nested.h"
#include "structure/separate.h"
#include "structure/vote.h"

/** Where a loop is looked for: a run, a gap between two loops, one iteration. All is borrowed. */
struct prvcut_search_input {
    struct prvcut_span span;
    const struct prvcut_signal *signal; /**< [PRVCUT_SIGNALS], by metric; only what lies in the span
                                           is looked at */
    uint32_t metrics;                   /**< bits: those that are asked */
    bool calls;                         /**< the calls are asked, too */
    bool separate;                      /**< and what separates iterations that are not alike */
    const struct prvcut_call_sequence *sequence; /**< [sequences] */
    size_t sequences;
    /** [sequences]: of each, calls [from, to) belong here; NULL: all of them. Threads that are
       apart reach the same place at different times, so it is not the span that decides. */
    const size_t *from, *to;
    bool table;     /**< the signals are those of a table, whose iterations keep their time */
    bool cut_short; /**< the calls are those of the beginning only */
    bool to_end;    /**< the span ends with the run, or with the iteration that is divided: no more
                       calls follow those that are given */
    const struct prvcut_span *mask; /**< [masks] not to be looked at; ascending, disjoint */
    size_t masks;
    uint64_t period_ns;                  /**< given: not to be searched; 0: to be searched */
    const struct prvcut_parameters *set; /**< NULL: as usual */
    prvcut_nested_tell *nested;          /**< who writes calls as nested loops; NULL: not asked */
};

/** What was found there. */
struct prvcut_search {
    struct prvcut_witness witness[PRVCUT_SIGNALS + 1];
    size_t witnesses;
    struct prvcut_call_loop calls; /**< start: indices into the input's sequences */
    struct prvcut_signal_borders border[PRVCUT_SIGNALS + 1]; /**< [witnesses], of signals */
    struct prvcut_separation separation;                     /**< what separators tell */
    struct prvcut_verdict verdict;
    struct prvcut_loop loop; /**< chosen, or of the given period */
    double confidence;       /**< 0..1; NAN: the period was given, and the calls do not tell it */
    bool groups; /**< the calls' loop is that of some threads; others repeat one of their own */
    uint64_t counted_ns;         /**< iterations behind it are estimated; 0: none are */
    struct prvcut_rounds rounds; /**< of a loop inside, by which its iterations may be something
                                    that comes at any distances */
    bool by_calls;               /**< the calls tell where the iterations of this loop begin */
    const struct prvcut_parameters *set; /**< of the input */
};

/**
 * Ask all witnesses for the outermost loop, and choose.
 *
 * owns    out is initialised here, released with prvcut_search_fini, also after a failure
 * errors  PRVCUT_ENOMEM, PRVCUT_EINTERRUPTED, PRVCUT_EUSAGE: a given period repeats too often; "no
 *         loop" is PRVCUT_OK with out->loop.found false
 */
enum prvcut_status prvcut_search_find(struct prvcut_search *out,
                                      const struct prvcut_search_input *in,
                                      const struct prvcut_run *run, struct prvcut_error *err);

/** Are there calls that are asked, and enough of them on any thread to say something? */
bool prvcut_search_calls_speak(const struct prvcut_search_input *in);

void prvcut_search_fini(struct prvcut_search *s);

/**
 * Forget the loops of calls and separators that threads do not go through in step: workers that
 * happen to do as many tasks have no iteration in common.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_leave_apart(struct prvcut_search *s, struct prvcut_error *err);

/** The same of one loop: was it left? */
enum prvcut_status prvcut_search_leave_loop(bool *left, struct prvcut_call_loop *l,
                                            struct prvcut_error *err);

/** Where nothing follows a loop, its last iteration ends with what is looked at. errors:
    PRVCUT_ENOMEM */
enum prvcut_status prvcut_search_close(struct prvcut_call_loop *l,
                                       const struct prvcut_search_input *in,
                                       struct prvcut_error *err);

/** A loop becomes the calls', and what was found; *loop is what the calls' was. Signals are asked
    again how they stand to it; the confidence is as it was. */
void prvcut_search_take(struct prvcut_search *s, struct prvcut_call_loop *loop);

/**
 * Join what the witnesses chose with what separators tell: out->loop, verdict, confidence, and the
 * calls' loop where the separators' is taken: then true (search_join.c).
 */
bool prvcut_search_join(struct prvcut_search *s);

/**
 * Where a period was given: is one of the loops that calls or separators tell of that period? Then
 * that is the loop, as by prvcut_search_join; else nothing changes.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_join_given(bool *same, struct prvcut_search *s, uint64_t given_ns,
                                            struct prvcut_error *err);

/**
 * Do threads that do not follow the calls' loop repeat another one? To s->groups (groups.c).
 *
 * shape   part: [parts] the sequences that the calls' loop was sought in
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_groups(struct prvcut_search *s,
                                        const struct prvcut_call_sequence *part, size_t parts,
                                        struct prvcut_error *err);

/**
 * Is it the loop of a group of threads: two at least, which repeat it often and in step?
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_search_is_group(bool *is, const struct prvcut_call_loop *l,
                                          struct prvcut_error *err);

/** What only a group of threads repeats is no sure answer for the run: its confidence
    (search_join.c). */
void prvcut_search_group_sure(struct prvcut_search *s);

/** The metric that shows the loop best; NULL: none does. */
const struct prvcut_signal *prvcut_search_reference(const struct prvcut_search *s,
                                                    const struct prvcut_search_input *in);

/** The bins of a signal that lie in a span; borrows its values. */
struct prvcut_signal prvcut_signal_within(const struct prvcut_signal *s, struct prvcut_span span);

#endif
