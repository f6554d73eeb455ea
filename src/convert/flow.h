#ifndef PRVCUT_CONVERT_FLOW_H
#define PRVCUT_CONVERT_FLOW_H

#include "base/sorter.h"
#include "base/table.h"
#include "convert/convert.h"
#include "convert/records.h"
#include "convert/roots.h"
#include "convert/selection.h"

/** Sends and receives that were seen of one communicator. */
struct cnv_use {
    uint64_t communicator; /**< the key of a table of uses */
    uint64_t sends, receives;
};

/** A worker's room for one batch. */
struct cnv_worker {
    struct cnv_small *small;
    struct cnv_large *large;
    struct cnv_end *end[2]; /**< sends, receives */
    size_t small_room, large_room, end_room[2];
    struct prvcut_table uses; /**< of cnv_use */
};

/** A conversion on its way from the reader to the writer. */
struct cnv_flow {
    const struct cnv_job *job;
    struct prvcut_convert_summary *sum;
    struct cnv_selection selection;
    bool windowed;
    uint64_t from, to;              /**< ns; 0 and UINT64_MAX unless windowed */
    uint64_t last_ns;               /**< latest time of any record that was taken */
    uint64_t extra[PRVCUT_CARRIES]; /**< what the items had of it, where it is no kind of item */
    bool pair;                      /**< ends of messages have to be brought together */
    struct cnv_roots roots;         /**< where the writer wants them */
    unsigned workers;
    struct cnv_worker *worker; /**< [workers] */
    struct prvcut_sorter *small, *large;
    struct prvcut_sorter *end[2]; /**< sends, receives; where pair */
};

/** Make the sorters and what workers need (flow.c). */
enum prvcut_status cnv_flow_init(struct cnv_flow *f, const struct cnv_job *job,
                                 struct prvcut_convert_summary *sum, struct prvcut_error *err);
void cnv_flow_fini(struct cnv_flow *f);

/** Length of what is written, ns; known once all has been read. */
uint64_t cnv_flow_length(const struct cnv_flow *f);

/** Read the trace into the sorters (gather.c). */
enum prvcut_status cnv_gather(struct cnv_flow *f, struct prvcut_error *err);

/** Bring sends and receives together (pair.c). */
enum prvcut_status cnv_pair(struct cnv_flow *f, struct prvcut_error *err);

/** Does a message lie inside the window? */
bool cnv_message_inside(const struct cnv_flow *f, const struct prvcut_message *m);

/** Of one that does not: is one of its ends inside, so that something is lost? */
bool cnv_message_crosses(const struct cnv_flow *f, const struct prvcut_message *m);

/** Hand all items to the writer, in its order (deliver.c). */
enum prvcut_status cnv_deliver(struct cnv_flow *f, struct prvcut_writing *w,
                               struct prvcut_error *err);

/** An empty table of uses. */
struct prvcut_table cnv_uses(void);

/** Note a use; add up another table. */
enum prvcut_status cnv_uses_note(struct prvcut_table *uses, uint32_t communicator, bool receive,
                                 struct prvcut_error *err);
enum prvcut_status cnv_uses_add(struct prvcut_table *to, const struct prvcut_table *from,
                                struct prvcut_error *err);

#endif
