#ifndef PRVCUT_REPORT_SIZE_H
#define PRVCUT_REPORT_SIZE_H

#include "report/lines.h"

#include "prvcut/reduce.h"

/** What a trace and its cut take. A size is that on disk, of the main file or of all of an archive;
    where nothing is written and compression is not known, both are of the text. */
struct report_sizes {
    double before, after;
    bool uncompressed; /**< they are of the text of a compressed trace: say so */
    bool about;        /**< more than the events will be written: definitions, an anchor */
};

struct report_sizes report_sizes_of(const struct prvcut_reduction *r, const struct prvcut_chop *c);

/** The line "Size" of what one command wrote: bytes of text, of the main file and of all files. */
void report_put_written(struct report_lines *l, uint64_t text, uint64_t disk, uint64_t all);

#endif
