#include "otf2/mark.h"
#include "otf2/own_rules.h"
#include "otf2/sieve.h"

#include "model/made.h"

enum prvcut_status o2_filter_check(const struct prvcut_trace *t,
                                   const struct prvcut_cut_options *options,
                                   struct prvcut_error *err)
{
    const struct o2_trace *trace = (const struct o2_trace *)t;
    struct prvcut_notes notes = { 0 };
    struct o2_sieve sieve = { 0 };
    const enum prvcut_status st = trace->own ? o2_own_rules_suit(trace, options, &notes, err)
                                             : o2_sieve_init(&sieve, trace, options, &notes, err);

    o2_sieve_fini(&sieve);
    prvcut_notes_fini(&notes);
    return st;
}

enum prvcut_status o2_filter(struct prvcut_trace *t, const struct prvcut_run *run,
                             const struct prvcut_cut_options *options,
                             struct prvcut_filter_summary *out, struct prvcut_error *err)
{
    struct prvcut_cut_summary sum = { 0 };
    struct prvcut_notes notes = { 0 };
    struct o2_sieve sieve;
    enum prvcut_status st = o2_sieve_init(&sieve, (const struct o2_trace *)t, options, &notes, err);

    if (st == PRVCUT_OK)
        st = o2_copy((struct o2_trace *)t, run,
                     &(struct o2_change){ .sieve = &sieve, .counts = out }, options, &sum, err);
    if (st == PRVCUT_OK)
        st = prvcut_rules_tell_unmet(&sieve.rules, prvcut_trace_part(t), &notes, err);
    prvcut_rules_hand_over(out, &notes, &sum);
    o2_sieve_fini(&sieve);
    return st;
}

enum prvcut_status o2_mark_trace(struct prvcut_trace *t, const struct prvcut_run *run,
                                 const struct prvcut_marks *marks,
                                 const struct prvcut_cut_options *options, struct made_marking *out,
                                 struct prvcut_error *err)
{
    struct o2_trace *trace = (struct o2_trace *)t;
    struct prvcut_cut_options own = *options;
    struct prvcut_cut_summary sum = { 0 };
    struct o2_marker marker;
    enum prvcut_status st = o2_marker_init(&marker, trace, marks, err);

    /* All messages stay: who reads the copy brings the clocks together as in the original. */
    own.own_clocks = true;
    if (st == PRVCUT_OK)
        st = o2_copy(trace, run, &(struct o2_change){ .marker = &marker }, &own, &sum, err);
    made_marking_take(out, marker.written, &sum);
    return st;
}
