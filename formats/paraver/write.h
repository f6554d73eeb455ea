#ifndef PRVCUT_PARAVER_WRITE_H
#define PRVCUT_PARAVER_WRITE_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/writer.h"
#include "paraver/cut_files.h"

/** A message that stands later in the file than where it was sent: at its physical send. */
struct prv_later {
    uint64_t number; /**< in order of arrival, for equal times */
    struct prvcut_item item;
};

/** A .prv on its way out. */
struct prv_writing {
    struct prvcut_writing base;
    struct prvcut_outline outline;
    struct prv_files files;
    struct prvcut_output *main; /**< of files */
    char *text;                 /**< lines not written yet */
    size_t count;
    enum prvcut_status st; /**< of the first write that failed; the text goes nowhere since then */
    struct prvcut_error *err; /**< of the present call */
    char *prefix;             /**< "cpu:application:task:thread:" of all threads */
    size_t *prefix_at;        /**< [threads + 1] */
    uint64_t bytes;
    bool counted; /**< communicators that cannot be written */
    /* the event line that may get further pairs */
    bool open;
    uint32_t thread, pairs;
    uint64_t time;
    /* messages by physical send, a heap */
    struct prv_later *later;
    size_t laters, later_room;
    uint64_t numbers;
    struct prvcut_table nameless; /**< types of events that the dictionary does not have */
    uint32_t *met;                /**< types that were looked up, each at its place */
};

/** Header line, communicators and provenance; sum counts what they cannot tell. */
void prv_write_header(struct prvcut_put *to, const struct prvcut_outline *o);

/** What stands at the beginning of each thread's lines; owned by the caller, also on failure. */
enum prvcut_status prv_write_prefixes(const struct prvcut_objects *o, char **prefix,
                                      size_t **prefix_at, struct prvcut_error *err);

/** The .pcf and the .row. */
void prv_write_pcf(struct prvcut_put *to, const struct prvcut_dictionary *d);
/** Types that have no name, at the end of the .pcf: for readers that want each to be listed. */
void prv_write_nameless(struct prvcut_put *to, const uint32_t *type, size_t types);
void prv_write_row(struct prvcut_put *to, const struct prvcut_outline *o);

#endif
