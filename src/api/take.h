#ifndef PRVCUT_API_TAKE_H
#define PRVCUT_API_TAKE_H

#include "api/filled.h"
#include "base/memory.h"

/* How entries take what a program filled in, and make room for what they hand back. */

/** api_take_NAME: the struct as this library knows it; last: the last field that it had when it
    first had a size. */
#define TAKER(name, last)                                                                          \
    static enum prvcut_status api_take_##name(                                                     \
        struct prvcut_##name *out, const struct prvcut_##name *given, struct prvcut_error *err)    \
    {                                                                                              \
        return prvcut_filled_take(out, sizeof *out, PRVCUT_FILLED_UP_TO(prvcut_##name, last),      \
                                  given, "prvcut_" #name, err);                                    \
    }

/** Room for an answer, if all is well so far. */
#define MAKE(made, st, err)                                                                        \
    ((st) < 0                                                             ? (st)                   \
     : ((made) = prvcut_zeroed(1, sizeof *(made), "an answer", err)) != 0 ? PRVCUT_OK              \
                                                                          : PRVCUT_ENOMEM)

/** What is handed over: the answer's view; NULL of one that failed, which is released, or was never
    made. */
#define HAND_OVER(made, failed, release)                                                           \
    ((made) && (failed) ? (release(&(made)->is), NULL) : (made) ? &(made)->is : NULL)

#endif
