#ifndef PRVCUT_MATCH_USES_H
#define PRVCUT_MATCH_USES_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/batch.h"

/** Sends and receives that were seen of one communicator, or of one size. */
struct prvcut_use {
    uint64_t of; /**< the key of a table of uses */
    uint64_t sends, receives;
};

/** What the two ends of messages have in common, over the whole trace. */
struct prvcut_uses {
    struct prvcut_table communicators, sizes; /**< of struct prvcut_use */
};

/** None yet. */
struct prvcut_uses prvcut_uses_none(void);
void prvcut_uses_fini(struct prvcut_uses *uses);

/** Note an end; add up others. */
enum prvcut_status prvcut_uses_note(struct prvcut_uses *uses, const struct prvcut_half *half,
                                    struct prvcut_error *err);
enum prvcut_status prvcut_uses_add(struct prvcut_uses *to, const struct prvcut_uses *from,
                                   struct prvcut_error *err);

/** For another process, which adds them. */
void prvcut_uses_put(struct prvcut_put *out, const struct prvcut_uses *uses);
void prvcut_uses_get(struct prvcut_get *in, struct prvcut_uses *uses);

/** Do sends and receives agree on their communicators? Some tracers note a wrong one. */
bool prvcut_uses_agree(const struct prvcut_uses *uses);

/** And on their sizes? Then a message has one size, which tells it from others of its channel where
    no post tells their order; not where there are more than 4096 sizes (bytes), for memory. */
bool prvcut_uses_sizes_agree(const struct prvcut_uses *uses);

#endif
