#ifndef PRVCUT_MATCH_LONE_H
#define PRVCUT_MATCH_LONE_H

#include "base/table.h"
#include "model/batch.h"
#include "model/objects.h"

/*
 * Messages of which the trace holds one end alone: in each channel, sends beyond its receives, or
 * receives beyond its sends, of the whole run.
 */

/** Of one sender, receiver, communicator and tag. Any thread of a process may receive what was sent
    to it, so both are tasks. */
struct prvcut_lone_channel {
    int64_t tag;
    uint32_t sender, receiver;     /**< tasks */
    uint32_t communicator, unused; /**< 0; the key ends here */
    uint64_t sends, receives;
};

struct prvcut_lone {
    const struct prvcut_objects *objects; /**< borrowed */
    struct prvcut_table channels;         /**< of struct prvcut_lone_channel */
    size_t most; /**< with more of them nothing is counted any more; 0: there is no limit */
};

struct prvcut_lone prvcut_lone_none(const struct prvcut_objects *o, size_t most);
void prvcut_lone_fini(struct prvcut_lone *l);

/** So many ends of one channel; those of nobody known at the other end do not count. */
enum prvcut_status prvcut_lone_note(struct prvcut_lone *l, const struct prvcut_half *half,
                                    uint64_t count, struct prvcut_error *err);

/** The channels, [*count]; none where there were too many. */
const struct prvcut_lone_channel *prvcut_lone_channels(const struct prvcut_lone *l, size_t *count);

/** How many ends of a channel have no other one; they are sends, or else receives. */
static inline uint64_t prvcut_lone_ends(const struct prvcut_lone_channel *c, bool *sends)
{
    *sends = c->sends > c->receives;
    return *sends ? c->sends - c->receives : c->receives - c->sends;
}

#endif
