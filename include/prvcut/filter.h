#ifndef PRVCUT_FILTER_H
#define PRVCUT_FILTER_H

#include "prvcut/cut.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Which records of a trace stay; zeroed keeps everything. Of several filters, a record stays only
 * where each of them keeps it.
 *
 * Lists are NULL-ended; NULL: no such rule. An item of a list may hold several, separated by
 * commas; what the trace labels with a comma in its name is found by the whole item. Names are
 * compared without regard to case.
 *
 * owns    all texts are borrowed
 */
struct prvcut_filter {
    size_t size; /**< sizeof this struct; 0: the fields up to lenient_names */
    bool drop_states, drop_events, drop_messages; /**< all of that kind */

    const char *const *states;         /**< keep only these: numbers, N-M, or names */
    const char *const *states_dropped; /**< all but these */
    uint64_t min_state_ns;             /**< least duration of a state */

    /** Keep only these event types: a number, N-M, or a label; each with or without a list of
        values, numbers or names: "TYPE=VALUE/VALUE". */
    const char *const *events;
    const char *const *events_dropped; /**< all but these */

    uint64_t min_message_bytes; /**< least size of a communication */

    /** "1-4,7": records of these tasks only, numbered as in the trace, of any application; a
        communication where one of its ends is. NULL: all. */
    const char *tasks;
    /** "1.1,2-4.*": records of these threads only, TASK.THREAD or APPLICATION.TASK.THREAD, each a
        number, N-M or *; a communication where one of its ends is. NULL: all. */
    const char *threads;

    /** A state or a label that the trace does not have is noted (see the summary) and keeps or
        drops nothing; else it is an error. */
    bool lenient_names;
};

/** What a filter left and what it took away. A view. */
struct prvcut_filter_summary {
    uint64_t states, events, pairs, messages; /**< lines written; type:value pairs in them */
    uint64_t dropped_states, dropped_events, dropped_pairs, dropped_messages;
    uint64_t skipped; /**< damaged lines left out, of a lenient trace */
    uint64_t bytes;   /**< of the main file, not compressed */
    uint64_t disk;    /**< of the main file, on disk; 0 in a dry run */
    uint64_t size;    /**< on disk, all files; 0 in a dry run */
    char **file;      /**< [files]: paths; owned by the summary */
    size_t files;
    char **note; /**< [notes]: names that the trace does not have; owned by the summary */
    size_t notes;
};

/** Release; accepts NULL. */
PRVCUT_API void prvcut_filter_summary_free(struct prvcut_filter_summary *s);

/**
 * Copy the records of a trace that all filters of the options keep, in its format: Paraver, OTF2 or
 * OTF. Of archives states are not recorded, the end of a call goes with its begin, and what tells
 * of a collective with its call (man prvcut-filter); events count records. OTF2 archives that
 * prvcut_convert made are filtered as what they were made of.
 *
 * A Paraver trace is read once, and may be a pipe. Lines that stay are copied as they are, in their
 * order; event lines lose the pairs that go, and go when none is left. The end of a filtered trace
 * is that of the original.
 *
 * shape   of the options path, compress, force, dry_run, command and the filters count; path NULL:
 *         NAME.filtered.EXT beside the trace, of an archive the folder NAME.filtered
 * owns    *out is the caller's, released with prvcut_filter_summary_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: a filter cannot be understood, or asks for what the format cannot give;
 *         PRVCUT_EFORMAT, PRVCUT_EEXIST, PRVCUT_EIO: nothing is left behind
 */
PRVCUT_API enum prvcut_status prvcut_filter_trace(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_cut_options *options,
                                                  struct prvcut_filter_summary **out,
                                                  struct prvcut_error *err);

/**
 * Refuse what prvcut_filter_trace would refuse before it reads any record.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_EEXIST, PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_filter_check(const struct prvcut_trace *trace,
                                                  const struct prvcut_cut_options *options,
                                                  struct prvcut_error *err);

/** The summary for a person, or as JSON (schema "prvcut-filter", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_filter_summary_text(const struct prvcut_filter_summary *s,
                                                         char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_filter_summary_json(const struct prvcut_filter_summary *s,
                                                         char **text, struct prvcut_error *err);

/** What Paraver's cutter is told; zeroed but for a window is valid. */
struct prvcut_cutter {
    size_t size;                             /**< sizeof this struct; 0: the fields up to tasks */
    bool by_time;                            /**< the window is in ns; else in percent */
    uint64_t minimum_ns, maximum_ns;         /**< closed: both times belong to it */
    double minimum_percent, maximum_percent; /**< of the trace's duration */
    bool original_time; /**< keep the original's times (then states are never broken) */
    bool break_states;  /**< clip states that cross a border */
    bool keep_events;   /**< keep the events in states that cross a border, where these are whole */
    bool remove_first_states, remove_last_states; /**< drop states that cross a border */
    const char *tasks;                            /**< "1-4,7"; NULL: all */
};

/**
 * Cut as Paraver's own cutter does, record for record; man prvcut-cut lists the differences.
 *
 * shape   of the options path, compress, force, dry_run, command, max_bytes and the filters count;
 *         out: counters of clipped states, closed regions and zeroed counters are those of this cut
 * errors  as prvcut_cut; PRVCUT_EUSAGE: the window ends before it begins, or nothing lies in it
 */
PRVCUT_API enum prvcut_status prvcut_cut_as_paraver(struct prvcut_trace *trace,
                                                    const struct prvcut_run *run,
                                                    const struct prvcut_cutter *cutter,
                                                    const struct prvcut_cut_options *options,
                                                    struct prvcut_cut_summary **out,
                                                    struct prvcut_error *err);

/** What a file of Paraver's dialogs (XML) says. A view. */
struct prvcut_config {
    const struct prvcut_cutter *cutter; /**< NULL: there is none */
    uint64_t cutter_max_bytes;          /**< max_trace_size; 0: no limit */
    const struct prvcut_filter *filter; /**< NULL: there is none */
    char **note; /**< [notes]: what in the file is not understood, and has no effect; owned */
    size_t notes;
};

/**
 * Read a file as Paraver's dialogs for cutter and filter save it.
 *
 * owns    *out is the caller's, released with prvcut_config_free; NULL after a failure
 * errors  PRVCUT_EFORMAT: it is no XML, or a value is not what it must be, with its line;
 *         PRVCUT_ELIMIT: above 1 MiB, or 64 attributes of an element; PRVCUT_EIO. Entities and
 * anything outside the file are never looked up
 */
PRVCUT_API enum prvcut_status prvcut_config_read(struct prvcut_config **out, const char *path,
                                                 struct prvcut_error *err);
/** Release; accepts NULL. */
PRVCUT_API void prvcut_config_free(struct prvcut_config *c);

#ifdef __cplusplus
}
#endif

#endif
