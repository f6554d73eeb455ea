#ifndef PRVCUT_SIGNAL_CALL_MARKS_H
#define PRVCUT_SIGNAL_CALL_MARKS_H

#include "base/bytes.h"

/** Calls of a thread that are not kept, in the order of the input: how many, and when every so many
    of them begins. Zeroed is none. */
struct prvcut_call_marks {
    uint64_t *time; /**< [count] ns, ascending: the first, and each `every`th from there; owned */
    size_t count, room;
    uint64_t calls; /**< all of them */
    uint64_t every;
    uint64_t last; /**< ns, when the last begins; valid with calls > 0 */
    bool lost;     /**< there are more, of which not even this is known */
};

/** One more. errors: PRVCUT_ENOMEM */
enum prvcut_status prvcut_call_marks_add(struct prvcut_call_marks *m, uint64_t time,
                                         struct prvcut_error *err);

/** How many begin before a time, to within `every`: evenly between two marks. */
double prvcut_call_marks_before(const struct prvcut_call_marks *m, uint64_t time);

void prvcut_call_marks_put(struct prvcut_put *p, const struct prvcut_call_marks *m);
/** owns: m is filled here and released by the caller, also where g is bad */
void prvcut_call_marks_get(struct prvcut_get *g, struct prvcut_call_marks *m);

void prvcut_call_marks_fini(struct prvcut_call_marks *m);

#endif
