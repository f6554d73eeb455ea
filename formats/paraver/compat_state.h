#ifndef PRVCUT_PARAVER_COMPAT_STATE_H
#define PRVCUT_PARAVER_COMPAT_STATE_H

#include "base/bytes.h"
#include "model/stack.h"
#include "paraver/filter_pass.h"

struct prv_compat_thread {
    bool known;               /**< something of it was seen that counts */
    bool finished;            /**< a state that crosses the end was met */
    bool in_state;            /**< begin and end are those of a state */
    uint64_t begin, end;      /**< ns, of the last state that was kept, as it was */
    uint64_t cpu;             /**< of the last event, or of the first state */
    struct prvcut_stack open; /**< a frame a type; note: opened more often than closed */
};

/** A cut by Paraver's rules. */
struct prv_compat {
    struct prv_trace *trace;
    struct prv_parse_plan plan;
    const char *eol;                  /**< of the trace */
    struct prvcut_cutter rule;        /**< as they work: what contradicts is resolved */
    uint64_t from, to;                /**< ns, closed, on ticks */
    uint8_t *selected;                /**< [threads]; NULL: all */
    struct prv_compat_thread *thread; /**< [threads] */
    uint32_t *counter;                /**< [counters], ascending: counter types of the .pcf */
    size_t counters;
    uint8_t *counted; /**< [threads * counters]: bit 0: seen; bit 1: its first value is through */
    bool any;         /**< something was kept */
    bool passed;      /**< a state was met that begins after the window */
    uint64_t first, last; /**< ns, of all that was kept */
    uint64_t bytes;       /**< of the lines that were kept, before times are moved; with a limit */
    uint64_t limit;       /**< of bytes; 0: none */
    uint64_t lines;       /**< that were looked at */
    uint64_t stop;        /**< how many of them are taken; UINT64_MAX: all */
    uint64_t base;        /**< ns that times are moved back by */
    uint64_t clipped, zeroed, closed, states, events, messages;
};

enum prvcut_status prv_compat_init(struct prv_compat *c, struct prv_trace *trace,
                                   const struct prvcut_cutter *cutter, struct prvcut_error *err);
void prv_compat_fini(struct prv_compat *c);

/** Forget what one reading left behind; what it found of the trace's times and size stays. */
void prv_compat_again(struct prv_compat *c);

/** Is the record worth a look? Depends on nothing but itself. */
bool prv_compat_candidate(const struct prv_compat *c, const struct prv_pass_line *l);

/** Is the record kept? Follows its thread. */
bool prv_compat_keep(struct prv_compat *c, const struct prv_pass_line *l);

/** Append a record that is kept, times moved back by base. */
void prv_compat_put(struct prv_compat *c, struct prvcut_put *to, const struct prv_pass_line *l,
                    uint64_t base);

/** Where the closing zeros stand, ns. */
uint64_t prv_compat_end(const struct prv_compat *c);

/** Append the closing zeros of one thread; *comment: the line that announces them is written. */
void prv_compat_close(struct prv_compat *c, struct prvcut_put *to, uint32_t thread, bool *comment);

#endif
