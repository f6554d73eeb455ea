#ifndef PRVCUT_REPORT_MARKED_H
#define PRVCUT_REPORT_MARKED_H

#include "prvcut/mark.h"

/** "Marks 1,234 events of type 666001 on 8 threads: FILE": what was written beside an answer. */
enum prvcut_status report_marked(const struct prvcut_marking *m, unsigned type, char **text,
                                 struct prvcut_error *err);

#endif
