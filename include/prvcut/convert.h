#ifndef PRVCUT_CONVERT_H
#define PRVCUT_CONVERT_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a format can carry. */
enum prvcut_carry {
    PRVCUT_CARRY_STATES,        /**< what each thread does, with numbers of the trace's own */
    PRVCUT_CARRY_COLOURS,       /**< of states */
    PRVCUT_CARRY_REGIONS,       /**< calls and functions with begin and end */
    PRVCUT_CARRY_EVENTS,        /**< single named values */
    PRVCUT_CARRY_COUNTERS,      /**< hardware counters */
    PRVCUT_CARRY_MESSAGES,      /**< point-to-point messages */
    PRVCUT_CARRY_TAGS,          /**< their size and tag */
    PRVCUT_CARRY_PHYSICAL,      /**< their physical times beside the logical ones */
    PRVCUT_CARRY_COLLECTIVES,   /**< sizes, roots and communicators of collectives */
    PRVCUT_CARRY_COMMUNICATORS, /**< who belongs to which */
    PRVCUT_CARRY_NODES,         /**< nodes and their processors */
    PRVCUT_CARRY_APPLICATIONS,  /**< several programs in one trace */
    PRVCUT_CARRIES
};

#define PRVCUT_CARRY_BIT(what) (UINT64_C(1) << (what))

/** Counts of records by what they are. Closed. */
struct prvcut_record_counts {
    uint64_t states, regions /* begins */, events, counters, messages, sends, receives;
};

/** How to convert; zeroed is valid but for path. */
struct prvcut_convert_options {
    size_t size;             /**< sizeof this struct; 0: the fields up to scratch */
    const char *path;        /**< what is written; its format's suffix is added where it has none */
    const char *format;      /**< "paraver", "otf2", "otf", "paje", "perfetto"; NULL: by suffix */
    struct prvcut_span only; /**< of the trace; end 0 = everything */
    const char *tasks;       /**< "1-4,7": tasks, 1-based in each application; NULL: all */
    bool strict;             /**< refuse to lose anything */
    bool force;              /**< may replace existing files */
    bool dry_run;            /**< read and count everything, write nothing; what the output needs on
                                  disk is needed meanwhile */
    const char *command;     /**< provenance; may be NULL */
    size_t memory;           /**< bytes for sorting before it goes to disk; 0 = 64 MiB */
    const char *scratch;     /**< folder for what does not fit; NULL: that of path */
    bool for_scalasca;       /**< OTF2: add an MPI_Init and an MPI_Finalize, of no time, to each
                                  process that has none, for Scalasca refuses archives without; they
                                  are left out when the archive is read back */
    /** One archive (prvcut/archive.h) with what is written, and report.json: path is a name in it
        without a folder, files are told as "ARCHIVE:NAME"; NULL: none. */
    const char *archive;
};

/** What a conversion read, wrote and lost. A view. */
struct prvcut_convert_summary {
    const char *from, *to; /**< formats */
    struct prvcut_record_counts read, written;
    uint64_t unmatched; /**< sends and receives without their other end, left out */
    /** Ends of calls that did not begin; kept as single values where not left out. */
    uint64_t unpaired, unpaired_left_out;
    char **note; /**< [notes]: what was taken otherwise than it stands; owned by the summary */
    size_t notes;
    uint64_t bytes; /**< on disk */
    char **file;    /**< [files]: what appeared; owned by the summary */
    size_t files;
    double elapsed_s;
};

/** Records (of tables: entries) that the target cannot carry. */
PRVCUT_API uint64_t prvcut_convert_summary_lost(const struct prvcut_convert_summary *s,
                                                enum prvcut_carry what);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_convert_summary_free(struct prvcut_convert_summary *s);

/** The format that a name's suffix stands for, built in or not; NULL: none. */
PRVCUT_API const char *prvcut_convert_format(const char *path);

/** What files of the i-th format that can be written are called (".prv"); NULL beyond the last. */
PRVCUT_API const char *prvcut_convert_suffix(size_t i);

/** What the target cannot carry of what this trace's format may hold: lines for a person; free it.
    Empty where nothing can be lost. What prvcut_convert refuses without reading is refused here,
    too. */
PRVCUT_API enum prvcut_status prvcut_convert_losses(struct prvcut_trace *trace,
                                                    const struct prvcut_convert_options *options,
                                                    char **text, struct prvcut_error *err);

/** The same as JSON (schema "prvcut-losses"). */
PRVCUT_API enum prvcut_status prvcut_convert_losses_json(
    struct prvcut_trace *trace, const struct prvcut_convert_options *options, char **text,
    struct prvcut_error *err);

/**
 * Write a trace in another format.
 *
 * owns    *out is the caller's, released with prvcut_convert_summary_free; NULL after a failure,
 * but for PRVCUT_ELOSS errors  PRVCUT_EUSAGE: unknown format, empty window, no such task;
 * PRVCUT_ELOSS: strict, and something would be lost (*out tells); PRVCUT_EEXIST; PRVCUT_EIO;
 * PRVCUT_EFORMAT; nothing is left behind
 */
PRVCUT_API enum prvcut_status prvcut_convert(struct prvcut_trace *trace,
                                             const struct prvcut_run *run,
                                             const struct prvcut_convert_options *options,
                                             struct prvcut_convert_summary **out,
                                             struct prvcut_error *err);

/** The summary for a person, or as JSON (schema "prvcut-conversion", version 2). Free *text. */
PRVCUT_API enum prvcut_status prvcut_convert_summary_text(const struct prvcut_convert_summary *s,
                                                          char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_convert_summary_json(const struct prvcut_convert_summary *s,
                                                          char **text, struct prvcut_error *err);

/** What each format can: read, cut, write, carry; as a table or as JSON. Free *text. */
PRVCUT_API enum prvcut_status prvcut_formats_text(char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_formats_csv(char **text, struct prvcut_error *err);
PRVCUT_API enum prvcut_status prvcut_formats_json(char **text, struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
