#ifndef TESTS_EFFICIENCY_READ_H
#define TESTS_EFFICIENCY_READ_H

#include "analysis/efficiency/efficiency.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/** A trace that must open. */
static inline struct prvcut_trace *open_sound(const char *path)
{
    struct prvcut_error error = { .text = "" };
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

/** Replay a window of a trace, or all of it (end 0); cap as of prvcut_replay_options. */
static inline void read_run(struct prvcut_efficiency_found *f, struct prvcut_trace *t,
                            struct prvcut_span only, enum prvcut_replay_model model, size_t cap,
                            int workers)
{
    const struct prvcut_window window = { .from = only.start,
                                          .to = only.end > 0 ? only.end : t->end_ns };
    const struct prvcut_efficiency_asked asked = { .stretch = &window,
                                                   .stretches = 1,
                                                   .only = { window.from, window.to },
                                                   .model = model,
                                                   .eager = PRVCUT_REPLAY_EAGER,
                                                   .cap = cap };
    const struct prvcut_run run = { .threads = workers };
    struct prvcut_error error = { .text = "" };

    ck_assert_msg(prvcut_efficiency_read(f, t, &run, &asked, &error) == PRVCUT_OK, "%s",
                  error.text);
}

/** How long it takes on the ideal network. */
static inline uint64_t longest(const struct prvcut_efficiency_found *f)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < f->lanes; i++)
        most = f->ideal[i] > most ? f->ideal[i] : most;
    return most;
}

#endif
