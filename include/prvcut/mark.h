#ifndef PRVCUT_MARK_H
#define PRVCUT_MARK_H

#include "prvcut/cut.h"
#include "prvcut/signals.h"
#include "prvcut/structure.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Event type of the marks: the one that Paraver's periodicity.cfg shows. */
#define PRVCUT_MARK_TYPE 666001
/** Event type of the marks of wait states (prvcut_waits_mark). */
#define PRVCUT_MARK_WAIT_TYPE 666002

/** What prvcut_mark is told; zeroed is valid. */
struct prvcut_mark_options {
    size_t size; /**< sizeof this struct; 0: the fields up to output */
    const struct prvcut_structure_options
        *find; /**< the search; levels are of no use here; NULL: zeroed */
    /** One's own view of the run, such as prvcut_signals_of_paraver reads: it is asked, too,
        inside find->only; where that is empty, only the timeline's span is analysed. Where nothing
        else shows a loop, its own is taken. Borrowed; NULL: none. */
    const struct prvcut_signal *timeline;
    /** path, compress, force, dry_run, command count; path NULL: NAME.iterations.EXT beside the
        trace, of an archive the folder NAME.iterations; NULL: zeroed */
    const struct prvcut_cut_options *output;
};

/** What was marked: a view, which grows at its end. */
struct prvcut_marking {
    const struct prvcut_structure *structure; /**< level 1; each periodic region of it is marked */
    const struct prvcut_vote
        *timeline;      /**< what the timeline alone says; metric NULL: none given */
    bool by_timeline;   /**< the loop is the timeline's */
    uint32_t tasks;     /**< marked, on their first thread */
    uint32_t own_tasks; /**< of these, those whose own calls tell where their iterations begin */
    uint64_t marks;     /**< events written */
    uint64_t bytes;     /**< of the main file, not compressed */
    uint64_t disk;      /**< of the main file, on disk; 0 in a dry run */
    uint64_t size;      /**< on disk, all files; 0 in a dry run */
    size_t files;       /**< of prvcut_marking_file */
    /** The most typical iterations in a row, so many and where: see prvcut_marking_set_typical. */
    unsigned typical;
    struct prvcut_span typical_span;
};

/**
 * Copy a whole Paraver, OTF2 or OTF trace with an event of type PRVCUT_MARK_TYPE where each
 * iteration of its outermost loop begins: value 1, and 0 where the last one of a region ends. All
 * other records, and the labels, stay as they are. In OTF2 the marks are a metric, in OTF a
 * counter; a conversion makes that type of them.
 *
 * A task whose calls were examined (up to 8 threads, spread over the run) is marked at its own
 * first call of each iteration; other tasks where the nearest such task is. Threads that were
 * examined and do not follow the loop, and applications without one that does, are not marked.
 * Where a metric or the timeline told the loop, all tasks are marked at the same times.
 *
 * owns    *out is the caller's, released with prvcut_marking_free; NULL after a failure
 * errors  PRVCUT_NONE: sound trace, no loop; nothing was written, *out is there all the same;
 * PRVCUT_EUSAGE: a format that is only read, a pipe; PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_EFORMAT:
 * nothing is left behind
 */
PRVCUT_API enum prvcut_status prvcut_mark(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_mark_options *options,
                                          struct prvcut_marking **out, struct prvcut_error *err);

/** Release, with all that it led to; accepts NULL. */
PRVCUT_API void prvcut_marking_free(struct prvcut_marking *m);

/** Paths of what was written; NULL beyond the last. */
PRVCUT_API const char *prvcut_marking_file(const struct prvcut_marking *m, size_t i);

/** Have the report say that so many iterations in a row, there, are the most typical ones:
    prvcut_mark does not look for them. */
PRVCUT_API void prvcut_marking_set_typical(struct prvcut_marking *m, unsigned iterations,
                                           const struct prvcut_span *span);

/** The report for a person, or as JSON (schema "prvcut-mark", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_marking_text(const struct prvcut_marking *m, char **text,
                                                  struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_marking_json(const struct prvcut_marking *m, char **text,
                                                  struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
