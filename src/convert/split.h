#ifndef PRVCUT_CONVERT_SPLIT_H
#define PRVCUT_CONVERT_SPLIT_H

#include "base/table.h"
#include "match/crossing.h"
#include "model/batch.h"
#include "model/trace.h"
#include "model/writer.h"

/*
 * A window of a conversion has a collective with all its members or not at all (model/crossing.h):
 * they are counted while the trace is read, and what tells of those that are split is left out.
 */

/** What the events of a line tell of a collective. */
struct cnv_split_line {
    uint64_t time;
    uint32_t thread;
    bool any;
    uint32_t begins; /**< how many blocking ones: where one begins, one before it has ended */
    int64_t id;      /**< of the communicator; 0: not told */
};

/** Collectives of a part, while it is read; zeroed is empty and valid. */
struct cnv_split_list {
    struct prvcut_table rows;  /**< of struct cnv_split_row */
    struct prvcut_table opens; /**< of struct cnv_split_open */
    struct cnv_split_line now;
    struct prvcut_span window; /**< ns */
    const struct prvcut_objects *objects;
};

/** All of them; zeroed is empty and valid: nothing is split. */
struct cnv_split {
    struct prvcut_table rows, opens;
    const struct prvcut_objects *objects;
};

/** l is zeroed before; the window may reach to UINT64_MAX. */
void cnv_split_begin(struct cnv_split_list *l, const struct prvcut_objects *o,
                     struct prvcut_span window);

/** The events of a batch, in order; errors: PRVCUT_ENOMEM */
enum prvcut_status cnv_split_note(struct cnv_split_list *l, const struct prvcut_batch *b,
                                  struct prvcut_error *err);
void cnv_split_list_fini(struct cnv_split_list *l);

/** All of a part, after all of the parts before it. */
enum prvcut_status cnv_split_add(struct cnv_split *s, struct cnv_split_list *l,
                                 struct prvcut_error *err);

/** Everything has been read. */
enum prvcut_status cnv_split_settle(struct cnv_split *s, const struct prvcut_objects *o,
                                    struct prvcut_error *err);

/** Does an event begin one that is counted? What tells of it stands behind it in its line. */
bool cnv_split_begins(const struct prvcut_item *event);

/** Bit of the k-th that begins in a line; those beyond share the last one. */
static inline uint32_t cnv_split_bit(uint32_t k)
{
    return UINT32_C(1) << (k < 31 ? k : 31);
}

/**
 * Which collectives are split that a line inside the window begins? Counts them: each thread's
 * lines come in order.
 *
 * shape   item: [count] events
 */
uint32_t cnv_split_of(struct cnv_split *s, const struct prvcut_item *item, size_t count);

/** The same of a line before the window, whose call is open at its start; counts nothing. */
bool cnv_split_has_open(const struct cnv_split *s, const struct prvcut_item *item, size_t count);

void cnv_split_fini(struct cnv_split *s);

#endif
