#ifndef PRVCUT_FOLLOW_PART_H
#define PRVCUT_FOLLOW_PART_H

#include "base/bytes.h"
#include "base/rows.h"
#include "model/batch.h"
#include "model/stack.h"
#include "prvcut/trace.h"

/**
 * What threads are in, followed in each part of the input by itself and put together where parts
 * are joined in their order. Whoever follows calls prvcut_follow_step in its own batch, with rules
 * that are constant there: all of it is compiled into the caller's loop. follow.h is for those who
 * have no loop of their own.
 */

/** What an event ends. */
enum prvcut_follow_how {
    /** Frames nest: 0 ends the innermost of its type, any other value begins one inside. */
    PRVCUT_FOLLOW_NESTED,
    /** A type has one value at a time, as in Paraver: each event ends the one before it, and those
        that lost their end do not pile up. Types are below 32. */
    PRVCUT_FOLLOW_VALUES,
    /** A thread is in one thing at a time: its next event ends it, whatever its type, but for the
        end of something of another type. */
    PRVCUT_FOLLOW_SINGLE,
};

/** What was open and is not any more. */
struct prvcut_followed {
    uint32_t thread, type;
    int64_t value;           /**< 0: its begin was not seen */
    struct prvcut_span span; /**< ns; end < start where a thread's records are out of order; empty
                                  where the begin was not seen */
    uint64_t own;   /**< ns of it in which nothing inside it was open; 0 unless asked for */
    uint64_t note;  /**< as its frame has it, where own times are not asked for */
    uint32_t depth; /**< how many were open where it began; 0 unless followed in order */
    uint8_t role;   /**< 0: its begin was not seen */
    bool no_begin;  /**< before what was read, or lost */
    bool no_end;    /**< the run ended first, and it with it */
};

struct prvcut_follow_rules {
    enum prvcut_follow_how how;
    bool own;      /**< is wanted */
    bool in_order; /**< all events come in the order of the input: there are no parts */
    enum prvcut_status (*closed)(void *ctx, const struct prvcut_followed *f,
                                 struct prvcut_error *err);
};

/** An event of what is followed. */
struct prvcut_step {
    uint64_t time;
    int64_t value;
    uint32_t type;
    uint32_t thread;
    uint8_t role;
};

static inline struct prvcut_step prvcut_step_of(const struct prvcut_event *e)
{
    return (struct prvcut_step){
        .time = e->time, .value = e->value, .type = e->type, .thread = e->thread, .role = e->role
    };
}

/** One thread, in a part or between parts. */
struct prvcut_follow_thread {
    struct prvcut_stack open;
    uint64_t first;  /**< ns, its first event */
    uint64_t before; /**< ns since the latest end of what had begun before the part, as far as
                          nothing was open that began in it */
    uint32_t thread;
    uint32_t values; /**< bits: types that had an event, or bit 0: it had one; not if nested */
    bool begun;
};

/** An event that ends what began before its part, if anything did. */
struct prvcut_follow_early {
    uint64_t time;
    uint64_t before; /**< as of prvcut_follow_thread, up to here */
    uint32_t type;
    uint32_t seen; /**< index of the thread */
    bool is_end;   /**< its value is 0: something must have begun */
};

/** A part, zeroed to begin with; its memory is used again. */
struct prvcut_follow_part {
    struct prvcut_follow_thread *seen; /**< [count], in order of first sight */
    size_t count, made, room;          /**< made: of those whose stacks may have memory */
    struct prvcut_follow_early *early; /**< [earlies] */
    size_t earlies, early_room;
};

/** What is open between parts. */
struct prvcut_follow_carry {
    struct prvcut_follow_thread *thread; /**< [threads] */
    uint32_t threads;
};

enum prvcut_status prvcut_follow_carry_init(struct prvcut_follow_carry *c, uint32_t threads,
                                            struct prvcut_error *err);
void prvcut_follow_carry_fini(struct prvcut_follow_carry *c);

/** For another process, and what one sent in place of what is open; bad: not of so many threads, or
    no memory. */
void prvcut_follow_carry_put(struct prvcut_put *p, const struct prvcut_follow_carry *c);
void prvcut_follow_carry_get(struct prvcut_get *g, struct prvcut_follow_carry *c);

/** The thread's first event in this part. */
enum prvcut_status prvcut_follow_enter(struct prvcut_rows *w, struct prvcut_follow_part *part,
                                       uint32_t thread, uint64_t time, struct prvcut_error *err);

enum prvcut_status prvcut_follow_early(struct prvcut_follow_part *part,
                                       struct prvcut_follow_thread *t, const struct prvcut_step *e,
                                       struct prvcut_error *err);

void prvcut_follow_part_clear(struct prvcut_follow_part *part);
void prvcut_follow_part_fini(struct prvcut_follow_part *part);

static inline enum prvcut_status prvcut_follow_tell(const struct prvcut_follow_rules *r, void *ctx,
                                                    uint32_t thread,
                                                    const struct prvcut_frame *frame, uint64_t end,
                                                    struct prvcut_error *err)
{
    return r->closed(ctx,
                     &(struct prvcut_followed){ .thread = thread,
                                                .type = frame->type,
                                                .value = frame->value,
                                                .span = { frame->begin, end },
                                                .own = r->own ? frame->own : 0,
                                                .note = r->own ? 0 : frame->note,
                                                .depth = r->in_order ? frame->depth : 0,
                                                .role = frame->role },
                     err);
}

/** An end whose begin was not seen. */
static inline enum prvcut_status prvcut_follow_tell_end(const struct prvcut_follow_rules *r,
                                                        void *ctx,
                                                        const struct prvcut_follow_thread *t,
                                                        uint32_t type, uint64_t time,
                                                        struct prvcut_error *err)
{
    return r->closed(ctx,
                     &(struct prvcut_followed){ .thread = t->thread,
                                                .type = type,
                                                .span = { time, time },
                                                .depth = r->in_order ? (uint32_t)t->open.count : 0,
                                                .no_begin = true },
                     err);
}

/** What an event ends of what is open, is_end: by being an end itself; it is to be removed. */
static inline bool prvcut_follow_ends(const struct prvcut_follow_rules *r,
                                      const struct prvcut_stack *open, uint32_t type, bool is_end,
                                      size_t *index)
{
    if (r->how != PRVCUT_FOLLOW_SINGLE || is_end)
        return prvcut_stack_find(open, type, index);
    *index = 0;
    return open->count > 0;
}

/* What began before the part may end here: that is known where parts are joined. */
static inline enum prvcut_status prvcut_follow_unmatched(struct prvcut_follow_part *part,
                                                         struct prvcut_follow_thread *t,
                                                         const struct prvcut_follow_rules *r,
                                                         void *ctx, const struct prvcut_step *e,
                                                         struct prvcut_error *err)
{
    const uint32_t bit = UINT32_C(1) << (r->how == PRVCUT_FOLLOW_VALUES ? e->type & 31 : 0);

    if (r->how == PRVCUT_FOLLOW_NESTED && t->open.beyond > 0) {
        t->open.beyond--;
        return PRVCUT_OK;
    }
    if (!r->in_order && (r->how == PRVCUT_FOLLOW_NESTED || !(t->values & bit))) {
        /* An end may be of another type than what has begun before. */
        if (r->how != PRVCUT_FOLLOW_SINGLE || e->value != 0)
            t->values |= bit;
        return prvcut_follow_early(part, t, e, err);
    }
    return e->value == 0 ? prvcut_follow_tell_end(r, ctx, t, e->type, e->time, err) : PRVCUT_OK;
}

static inline enum prvcut_status prvcut_follow_end(struct prvcut_follow_part *part,
                                                   struct prvcut_follow_thread *t,
                                                   const struct prvcut_follow_rules *r, void *ctx,
                                                   const struct prvcut_step *e,
                                                   struct prvcut_error *err)
{
    struct prvcut_frame frame;
    size_t index;

    if ((r->how == PRVCUT_FOLLOW_NESTED && t->open.beyond > 0) ||
        !prvcut_follow_ends(r, &t->open, e->type, e->value == 0, &index))
        return prvcut_follow_unmatched(part, t, r, ctx, e, err);
    if (r->how == PRVCUT_FOLLOW_SINGLE) {
        t->open.count = 0;
        return prvcut_follow_tell(r, ctx, t->thread, t->open.at, e->time, err);
    }
    frame = t->open.at[index];
    prvcut_stack_remove(&t->open, index);
    return prvcut_follow_tell(r, ctx, t->thread, &frame, e->time, err);
}

/** Time since the thread's latest event: whose it was, if that began before the part, is known
   where parts are joined. */
static inline void prvcut_follow_spend(struct prvcut_follow_thread *t, uint64_t time)
{
    if (t->open.count == 0 && time > t->open.since)
        t->before += time - t->open.since;
    prvcut_stack_spend(&t->open, time);
}

/** Follow one event of a thread; part: NULL in order. */
static inline enum prvcut_status prvcut_follow_on(struct prvcut_follow_part *part,
                                                  struct prvcut_follow_thread *t,
                                                  const struct prvcut_follow_rules *r, void *ctx,
                                                  const struct prvcut_step *e,
                                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (r->own)
        prvcut_follow_spend(t, e->time);
    if (r->how != PRVCUT_FOLLOW_NESTED || e->value == 0)
        st = prvcut_follow_end(part, t, r, ctx, e, err);
    if (e->value == 0 || st < 0)
        return st;
    st = prvcut_stack_enter(
        &t->open,
        &(struct prvcut_frame){
            .begin = e->time, .value = e->value, .type = e->type, .role = e->role },
        err);
    return st < 0 ? st : PRVCUT_OK;
}

/** Follow one event of a part; rules: constant; ctx: for what is told. */
static inline enum prvcut_status prvcut_follow_step(struct prvcut_rows *w,
                                                    struct prvcut_follow_part *part,
                                                    const struct prvcut_follow_rules *r, void *ctx,
                                                    const struct prvcut_step *e,
                                                    struct prvcut_error *err)
{
    if (!prvcut_rows_has(w, e->thread) && prvcut_follow_enter(w, part, e->thread, e->time, err) < 0)
        return PRVCUT_ENOMEM;
    return prvcut_follow_on(part, &part->seen[prvcut_rows_at(w, e->thread)], r, ctx, e, err);
}

/** What crosses into this part; parts come in their order, one at a time. */
enum prvcut_status prvcut_follow_join(struct prvcut_follow_carry *c,
                                      const struct prvcut_follow_part *part,
                                      const struct prvcut_follow_rules *r, void *ctx,
                                      struct prvcut_error *err);

/** What is open in one thread ends, the innermost first. */
enum prvcut_status prvcut_follow_thread_ends(struct prvcut_follow_thread *t, uint64_t end,
                                             const struct prvcut_follow_rules *r, void *ctx,
                                             struct prvcut_error *err);

/** The run ends, and with it all that is open; nothing is spent if it ended before its last event.
 */
enum prvcut_status prvcut_follow_run_ends(struct prvcut_follow_carry *c, uint64_t end,
                                          const struct prvcut_follow_rules *r, void *ctx,
                                          struct prvcut_error *err);

/** Parts were left out: what was open is not known any more, and not told. */
void prvcut_follow_forget(struct prvcut_follow_carry *c);

#endif
