#ifndef PRVCUT_OTF2_SIEVE_H
#define PRVCUT_OTF2_SIEVE_H

#include "model/rule_sends.h"
#include "model/rules.h"
#include "model/stack.h"
#include "otf2/cut.h"
#include "otf2/ids.h"

/*
 * Filters of an archive: the cutter copies all of it, and asks of each record whether it stays. The
 * rules speak of event types, values and messages as the reader delivers them; what a record is to
 * these is told here.
 */

/** What all locations share; nothing of it changes once it is made. */
struct o2_sieve {
    const struct o2_trace *trace;
    struct prvcut_rules rules;
    struct prvcut_dictionary dictionary;
    struct o2_ids region_at;
    bool *member;     /**< [members_of] of metric classes: stays */
    bool collectives; /**< what tells of them stays */
    bool others;      /**< what is no event of the model stays */
    bool messages;    /**< some stay */
    bool by_size;     /**< which, their sizes tell */
    bool by_thread;   /**< which, their ends tell */
};

struct o2_sift_post {
    uint64_t request; /**< the key */
    uint64_t number;
};

/** What the filters do to one location. */
struct o2_sift {
    const struct o2_sieve *sieve;
    bool thread;              /**< its events stay */
    struct prvcut_stack open; /**< regions; type: place in the table, value: whether it stays */
    size_t mpi;               /**< MPI calls among them */
    bool in_collective, collective; /**< one is under way, and stays */
    struct prvcut_sends sends;
    struct prvcut_table posts; /**< of struct o2_sift_post: receives under way */
    uint8_t *gone;             /**< [gone_room] a bit for each post: its receive goes */
    size_t gone_room;
    uint64_t post;                    /**< number of the next one */
    struct prvcut_filter_summary sum; /**< its counts */
    OTF2_Type type[UINT8_MAX];
    OTF2_MetricValue value[UINT8_MAX];
};

/**
 * Look the filters up.
 *
 * owns    out is initialised here, released with o2_sieve_fini, also after a failure
 * errors  PRVCUT_EUSAGE: they ask for what an archive cannot give
 */
enum prvcut_status o2_sieve_init(struct o2_sieve *out, const struct o2_trace *t,
                                 const struct prvcut_cut_options *options,
                                 struct prvcut_notes *notes, struct prvcut_error *err);
void o2_sieve_fini(struct o2_sieve *s);

/** NULL: out of memory. */
struct o2_sift *o2_sift_new(const struct o2_sieve *s, uint32_t thread);
void o2_sift_free(struct o2_sift *s);

/** Add what it counted; f may be NULL. */
void o2_sift_add(struct prvcut_filter_summary *sum, const struct o2_sift *f);

/** What a copy of an archive is to be other than the original. */
struct o2_change {
    const struct o2_sieve *sieve;         /**< takes away; NULL: nothing */
    struct prvcut_filter_summary *counts; /**< of the sieve */
    struct o2_marker *marker;             /**< puts in; NULL: nothing */
};

/** Copy all of an archive, with its times and definitions, but for a change (cut.c); scanned or
    not. */
enum prvcut_status o2_copy(struct o2_trace *t, const struct prvcut_run *run,
                           const struct o2_change *change, const struct prvcut_cut_options *options,
                           struct prvcut_cut_summary *out, struct prvcut_error *err);

/* Of each kind of record: does it stay? All count it; where nothing is sifted, all stays. */

bool o2_stays_enter(struct o2_place *p, OTF2_RegionRef region);
bool o2_stays_leave(struct o2_place *p, OTF2_RegionRef region);
bool o2_stays_context_enter(struct o2_place *p, OTF2_CallingContextRef context);
bool o2_stays_context_leave(struct o2_place *p, OTF2_CallingContextRef context);
/** Of a metric's values those that go are taken out. */
bool o2_stays_metric(struct o2_place *p, OTF2_MetricRef metric, uint8_t *count,
                     const OTF2_Type **types, const OTF2_MetricValue **values);
bool o2_stays_parameter(struct o2_place *p, OTF2_ParameterRef parameter, int64_t value);
bool o2_stays_flush(struct o2_place *p);
bool o2_stays_switch(struct o2_place *p);
bool o2_stays_collective(struct o2_place *p, bool begins);
bool o2_stays_nonblocking(struct o2_place *p);
/** A request of a message or of anything. */
bool o2_stays_request(struct o2_place *p);
/** Begin and end of a program or thread: always. */
bool o2_stays_frame(struct o2_place *p);
bool o2_stays_other(struct o2_place *p);

/** A message of the k-th place in its channel; the survey notes the sizes of sends, and which posts
    are of receives that go. */
bool o2_stays_message(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size);
bool o2_stays_isend(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size,
                    uint64_t request);
bool o2_stays_post(struct o2_place *p);
void o2_sift_note(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size,
                  const uint64_t *request);
void o2_sift_note_post(struct o2_place *p, uint64_t request);

/** The members of a metric class that stay: the k-th of them. */
bool o2_sieve_member(const struct o2_sieve *s, OTF2_MetricRef metric, uint8_t k);

#endif
