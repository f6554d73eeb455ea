#ifndef PRVCUT_REPORT_SIZE_H
#define PRVCUT_REPORT_SIZE_H

#include "report/lines.h"

#include "model/made.h"

/** What a trace and its cut take on disk: the main file, or all of an archive. Where nothing is
    written, the cut's size is an estimate or that of its text. */
struct report_sizes {
    double before, after;
    bool uncompressed; /**< after is of the text of a cut that will be compressed: say so */
    bool about;        /**< after is an estimate: say so */
};

struct report_sizes report_sizes_of(const struct made_reduction *r, const struct made_chop *c);

/** The line "Size" of what one command wrote: bytes of text, of the main file and of all files. */
void report_put_written(struct report_lines *l, uint64_t text, uint64_t disk, uint64_t all);

#endif
