#ifndef PRVCUT_MODEL_TOLD_WINDOWS_H
#define PRVCUT_MODEL_TOLD_WINDOWS_H

#include "model/trace.h"

/*
 * A cut in which each thread has a window of its own tells these windows: a list of "ID:FROM-TO",
 * with blanks between them, in ticks as written, of locations or processes by their ids. Where
 * threads have no ids it is "FROM-TO" of one after the other.
 */

#define PRVCUT_WINDOWS_WORD "PRVCUT::WINDOWS"

struct prvcut_buffer;

/** One more of a list. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_told_windows_append(struct prvcut_buffer *list, uint64_t id,
                                              struct prvcut_span ticks, struct prvcut_error *err);

/**
 * The list's next window; *text goes on behind it. *id: goes up by one where none is told.
 *
 * returns false: there is none
 */
bool prvcut_told_windows_take(const char **text, uint64_t *id, struct prvcut_span *ticks);

/** A thread's window, ns. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_told_windows_set(struct prvcut_trace *t, uint32_t thread,
                                           struct prvcut_span ns, struct prvcut_error *err);

/** All that are told have been set: where one is missing, none is. */
void prvcut_told_windows_settle(struct prvcut_trace *t);

/** Has a thread come no farther than where the trace begins for it? What it has counted by then it
    counted before. time: ns */
static inline bool prvcut_told_windows_begin(const struct prvcut_trace *t, uint32_t thread,
                                             uint64_t time)
{
    return time <= (t->own_window ? t->own_window[thread].start : 0);
}

#endif
