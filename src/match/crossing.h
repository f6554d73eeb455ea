#ifndef PRVCUT_MATCH_CROSSING_H
#define PRVCUT_MATCH_CROSSING_H

#include "model/batch.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * What a window does with the messages at its borders, in every format: a message is in it that is
 * sent in it and complete by its end. A receive that was posted before is posted at the border. One
 * that is complete at the very end is in, as is the end of the call that it is complete in; but not
 * one that is posted only there. Where posts are not told, the call's begin counts for it.
 *
 * Each end has the window of its own thread: sender, receiver.
 *
 * A collective is in it with all its members or not at all: the k-th of one member of a
 * communicator is the k-th of all others, and what is left of one that some have outside would be
 * taken for a part of another one. The calls themselves stay, as functions.
 */

/** ns; a receive is complete when its call is over and its data are there. */
static inline uint64_t prvcut_message_complete(const struct prvcut_message *m)
{
    return m->logical_receive > m->physical_receive ? m->logical_receive : m->physical_receive;
}

static inline bool prvcut_send_inside(uint64_t time, struct prvcut_span sender)
{
    return time >= sender.start && time < sender.end;
}

static inline bool prvcut_receive_inside(const struct prvcut_message *m,
                                         struct prvcut_span receiver)
{
    const uint64_t complete = prvcut_message_complete(m);

    if (complete < receiver.start || receiver.start >= receiver.end)
        return false;
    return complete < receiver.end ||
           (complete == receiver.end &&
            (m->logical_receive < receiver.end || m->physical_receive < receiver.end));
}

static inline bool prvcut_message_inside(const struct prvcut_message *m, struct prvcut_span sender,
                                         struct prvcut_span receiver)
{
    return prvcut_send_inside(m->logical_send, sender) && prvcut_receive_inside(m, receiver);
}

/** Of one that is not: is one of its ends inside, so that something is lost? */
static inline bool prvcut_message_crosses(const struct prvcut_message *m, struct prvcut_span sender,
                                          struct prvcut_span receiver)
{
    return prvcut_send_inside(m->logical_send, sender) || prvcut_receive_inside(m, receiver);
}

static inline uint64_t prvcut_into(uint64_t time, struct prvcut_span span)
{
    return time < span.start ? span.start : time > span.end ? span.end : time;
}

/** The times that lie outside are at the borders. */
static inline void prvcut_message_clamp(struct prvcut_message *m, struct prvcut_span sender,
                                        struct prvcut_span receiver)
{
    m->logical_send = prvcut_into(m->logical_send, sender);
    m->physical_send = prvcut_into(m->physical_send, sender);
    m->logical_receive = prvcut_into(m->logical_receive, receiver);
    m->physical_receive = prvcut_into(m->physical_receive, receiver);
}

/** What one member of a communicator has of its collectives, or one end of a channel of its
    messages. */
struct prvcut_taking {
    uint64_t before, inside; /**< how many came before the window, and in it */
    bool done;               /**< none comes behind it: it takes none of the others away */
};

/** Those of these ordinals are whole. */
struct prvcut_whole {
    uint64_t low, high; /**< [low, high) */
};

#define PRVCUT_ALL_WHOLE ((struct prvcut_whole){ 0, UINT64_MAX })

static inline bool prvcut_whole_has(const struct prvcut_whole *whole, uint64_t ordinal)
{
    return ordinal >= whole->low && ordinal < whole->high;
}

/**
 * Which messages of a channel stay at one end (sends, receives), told from what the other end has:
 * the k-th of one is the k-th of the other, counted from the run's beginning. Where the other end
 * was not recorded so often, they stay as they are: the original has no more of them.
 */
static inline struct prvcut_whole prvcut_partners_inside(const struct prvcut_taking *other)
{
    return (struct prvcut_whole){ other->before,
                                  other->done ? UINT64_MAX : other->before + other->inside };
}

/** How many of those that are inside are whole. */
static inline uint64_t prvcut_whole_count(const struct prvcut_whole *whole,
                                          const struct prvcut_taking *taking)
{
    const uint64_t end = taking->before + taking->inside;
    const uint64_t low = taking->before > whole->low ? taking->before : whole->low;
    const uint64_t high = end < whole->high ? end : whole->high;

    return high > low ? high - low : 0;
}

/**
 * shape   taking: [count], in the order of `before`: those that have any, and those that have none
 *         and are not done
 * returns how many that somebody has inside are not whole: not all have them there
 */
uint64_t prvcut_all_inside(const struct prvcut_taking *taking, size_t count,
                           struct prvcut_whole *out);

#endif
