#ifndef PRVCUT_STREAM_USES_H
#define PRVCUT_STREAM_USES_H

#include "base/table.h"

/** Sends and receives that were seen of one communicator. */
struct stm_use {
    uint64_t communicator; /**< the key of a table of uses */
    uint64_t sends, receives;
};

/** An empty table of uses. */
struct prvcut_table stm_uses(void);

/** Note a use; add up another table. */
enum prvcut_status stm_uses_note(struct prvcut_table *uses, uint32_t communicator, bool receive,
                                 struct prvcut_error *err);
enum prvcut_status stm_uses_add(struct prvcut_table *to, const struct prvcut_table *from,
                                struct prvcut_error *err);
/** Do sends and receives agree on their communicators? Some tracers note a wrong one. */
bool stm_uses_agree(const struct prvcut_table *uses);

#endif
