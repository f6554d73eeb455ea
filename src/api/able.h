#ifndef PRVCUT_API_ABLE_H
#define PRVCUT_API_ABLE_H

#include "model/trace.h"
#include "prvcut/trace.h"

/** Can traces of that format be taken so? */
bool able_is(const struct prvcut_reader *reader, enum prvcut_ability what);

/** What can be typed instead: a conversion into the format whose traces can be taken so. */
void able_propose(struct prvcut_error *err, enum prvcut_ability what);

/** The same for a part of a trace: its conversion by time. */
void able_propose_part(struct prvcut_error *err);

/** PRVCUT_EUSAGE, told with what goes on from there: the trace's format is none that can. */
enum prvcut_status able_refuse(const struct prvcut_trace *trace, enum prvcut_ability what,
                               struct prvcut_error *err);

#endif
