#ifndef PRVCUT_MODEL_ASKED_H
#define PRVCUT_MODEL_ASKED_H

#include "model/rules.h"
#include "prvcut/signals.h"

/*
 * Metrics that a user asks for by what the trace calls a thing: event:TYPE[=VALUE], counter:NAME,
 * state:NAME, region:NAME. They are the trace's, for as long as it is open, so that whoever
 * collects signals finds them by their number.
 */

enum prvcut_asked_kind {
    PRVCUT_ASKED_EVENT,   /**< how many per ns */
    PRVCUT_ASKED_COUNTER, /**< its rate, or its level where it is a measured one, over all threads
                           */
    PRVCUT_ASKED_STATE,   /**< threads in it */
    PRVCUT_ASKED_REGION,  /**< threads inside it: a call or a function */
    PRVCUT_ASKED_KINDS,
    PRVCUT_ASKED_GIVEN = PRVCUT_ASKED_KINDS /**< a signal that a program has, under its own name */
};

struct prvcut_asked_metric {
    const char *name; /**< "counter:PAPI_L1_DCM", without quotes; lasts as long as the process */
    enum prvcut_asked_kind kind;
    struct prvcut_rule_list of;  /**< event types with their values, or states; owned */
    uint32_t roles;              /**< bits: those that the types have */
    bool level;                  /**< a counter whose value holds until the next one */
    struct prvcut_signal *given; /**< of a given one: owned, with its values; else NULL */
};

/** At most so many of one trace. */
#define PRVCUT_ASKED_MOST 8

struct prvcut_asked {
    struct prvcut_asked_metric at[PRVCUT_ASKED_MOST];
    unsigned count;
};

struct prvcut_trace;

/** Does a metric's name begin as one of these does ("event:")? */
bool prvcut_asked_is(const char *name, size_t length);

/** What such a name may look like, and how one is written: "event:TYPE[=VALUE]". Constant; NULL
    beyond the last. */
const char *prvcut_asked_form(size_t i);
const char *prvcut_asked_help(size_t i);

/**
 * The number of a metric of the trace; it is added where it is new.
 *
 * shape   name: without quotes
 * errors  PRVCUT_EUSAGE: the trace has nothing of that name, or there are too many; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_asked_add(struct prvcut_trace *trace, const char *name, unsigned *number,
                                    struct prvcut_error *err);

/**
 * A signal becomes a metric of the trace, under its name; one of that name is replaced.
 *
 * owns    s is copied
 * errors  PRVCUT_EUSAGE: there are too many; PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_asked_give(struct prvcut_trace *trace, const struct prvcut_signal *s,
                                     struct prvcut_error *err);

/** The number of a given one of that name; PRVCUT_ASKED_MOST: there is none. */
unsigned prvcut_asked_given(const struct prvcut_trace *trace, const char *name);

/** The given ones, as bits. */
uint32_t prvcut_asked_all_given(const struct prvcut_trace *trace);

/** Release all of them; accepts NULL. */
void prvcut_asked_free(struct prvcut_asked *asked);

#endif
