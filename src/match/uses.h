#ifndef PRVCUT_MATCH_USES_H
#define PRVCUT_MATCH_USES_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/batch.h"

/** Sends and receives that were seen of one communicator, or of one size. */
struct stm_use {
    uint64_t of; /**< the key of a table of uses */
    uint64_t sends, receives;
};

/** What the two ends of messages have in common, over the whole trace. */
struct stm_uses {
    struct prvcut_table communicators, sizes; /**< of struct stm_use */
};

/** None yet. */
struct stm_uses stm_uses_none(void);
void stm_uses_fini(struct stm_uses *uses);

/** Note an end; add up others. */
enum prvcut_status stm_uses_note(struct stm_uses *uses, const struct prvcut_half *half,
                                 struct prvcut_error *err);
enum prvcut_status stm_uses_add(struct stm_uses *to, const struct stm_uses *from,
                                struct prvcut_error *err);

/** For another process, which adds them. */
void stm_uses_put(struct prvcut_put *out, const struct stm_uses *uses);
void stm_uses_get(struct prvcut_get *in, struct stm_uses *uses);

/** Do sends and receives agree on their communicators? Some tracers note a wrong one. */
bool stm_uses_agree(const struct stm_uses *uses);

/** And on their sizes? Then a message has one size, which tells it from others of its channel where
    no post tells their order; not where there are more than 4096 sizes (bytes), for memory. */
bool stm_uses_sizes_agree(const struct stm_uses *uses);

#endif
