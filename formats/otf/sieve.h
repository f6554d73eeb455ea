#ifndef PRVCUT_OTF_SIEVE_H
#define PRVCUT_OTF_SIEVE_H

#include "model/rule_sends.h"
#include "model/rules.h"
#include "otf/cut_track.h"

/*
 * Filters of a trace: the cutter copies all of it, and asks of each record whether it stays. What a
 * record is to the rules, which speak of event types, values and messages, is told here.
 */

/** What all streams share; nothing of it changes once it is made. */
struct otf_sieve {
    struct prvcut_rules rules;
    struct prvcut_dictionary dictionary;
    struct prvcut_sends sends; /**< where sizes decide: which sends stay */
    bool collectives;          /**< what tells of them stays */
    bool others;               /**< what is no event of the model stays */
    bool by_size;
};

/** A channel's receives. */
struct otf_sift_channel {
    struct prvcut_sends_key key;
    uint64_t next;
};

/** What the filters do to one stream. */
struct otf_sift {
    const struct otf_sieve *sieve;
    struct prvcut_table receives; /**< of struct otf_sift_channel */
    struct prvcut_filter_summary sum;
};

/** NULL: out of memory. */
struct otf_sift *otf_sift_new(const struct otf_sieve *s);
void otf_sift_free(struct otf_sift *f);

/** Add what it counted; both may be NULL. */
void otf_sift_add(struct prvcut_filter_summary *sum, const struct otf_sift *f);

/** Does the record stay? It has been followed; text is that with its key values, and may become
    another one. */
enum prvcut_status otf_sift_record(struct otf_stream_cut *s, const struct otf_record *r,
                                   const char **text, size_t *count, bool *stays,
                                   struct prvcut_error *err);

/** A function is left that was entered: it goes or stays with its begin. */
bool otf_sift_leave(struct otf_stream_cut *s, const struct prvcut_frame *gone);

enum prvcut_status otf_filter_check(const struct prvcut_trace *t,
                                    const struct prvcut_cut_options *options,
                                    struct prvcut_error *err);
enum prvcut_status otf_filter(struct prvcut_trace *t, const struct prvcut_run *run,
                              const struct prvcut_cut_options *options,
                              struct prvcut_filter_summary *out, struct prvcut_error *err);

/** What a copy of a trace is to be other than the original. */
struct otf_change {
    const struct otf_sieve *sieve;        /**< takes away; NULL: nothing */
    struct prvcut_filter_summary *counts; /**< of the sieve */
    struct otf_marker *marker;            /**< puts in; NULL: nothing */
};

/** Copy all of a trace, with its times, but for a change (cut.c). */
enum prvcut_status otf_copy(struct otf_trace *t, const struct prvcut_run *run,
                            const struct otf_change *change,
                            const struct prvcut_cut_options *options,
                            struct prvcut_cut_summary *out, struct prvcut_error *err);

#endif
