#ifndef PRVCUT_CUT_H
#define PRVCUT_CUT_H

#include "prvcut/structure.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prvcut_filter; /* prvcut/filter.h */

/** How to write a cut; zeroed but for path is valid. */
struct prvcut_cut_options {
    size_t size; /**< sizeof this struct; 0: the fields up to max_bytes */
    /** Of the main file; its companions (.pcf, .row) stand beside it. NULL: beside the trace
        (in the present folder where the trace's own takes no files),
        NAME.chop1.EXT from prvcut_reduce, NAME.cut.EXT from prvcut_cut; of OTF2 and OTF in
        folders NAME.chop1, NAME.cut. */
    const char *path;
    /** "none", "gz" or "zst": decides the suffix where path is NULL; NULL: as the input is.
        A path's own suffix always wins. */
    const char *compress;
    bool force;           /**< may replace existing files */
    bool keep_time;       /**< keep the original's times instead of starting at 0 */
    bool keep_messages;   /**< keep messages with one end outside, that end moved to the border */
    bool dry_run;         /**< find out and count everything, write nothing */
    bool own_clocks;      /**< each process keeps the times that it recorded, also where they
                               contradict each other; else they are brought together */
    bool all_definitions; /**< keep definitions that nothing in the cut refers to, too */
    const char *command;  /**< provenance: the command in one line; may be NULL */
    /** [filters], all of the size that the first one tells: what the cut has is written only where
        all of them keep it; what an archive cannot give is refused, as of prvcut_filter_trace. */
    const struct prvcut_filter *filter;
    size_t filters;
    uint64_t max_bytes; /**< end the cut before it gets larger, not compressed; 0: any size;
                             prvcut_cut and prvcut_cut_as_paraver of Paraver traces only */
    /** [threads], as many as the trace has: where each thread is cut, inside the window; empty: it
        is left out. NULL: all at the window's borders. prvcut_cut only, without max_bytes; such
        windows are what a chop tells (prvcut_chop.thread). */
    const struct prvcut_span *thread;
    uint32_t threads;
    uint32_t reserved; /**< 0 */
    bool for_scalasca; /**< of OTF2 archives: the cut is written again as prvcut_convert writes it
                            with its option of that name; records that the library does not know
                            are left out */
    /** One archive (prvcut/archive.h) in place of the files, with report.json; they are told as
        "ARCHIVE:NAME"; path is NULL then. Not of prvcut_reduce, which has a function of its own.
        NULL: none. */
    const char *archive;
    /** Of Paraver traces: NAME.cfg beside NAME.prv, with which Paraver opens it: MPI calls with
       their messages, or states where none are recorded. */
    bool view;
};

/** What a cut holds. A view. */
struct prvcut_cut_summary {
    struct prvcut_span window;         /**< ns, in the original's time */
    uint64_t states, events, messages; /**< lines written */
    uint64_t clipped_states;           /**< at either border */
    uint64_t reopened, closed;         /**< lines added at the left, at the right border */
    uint64_t zeroed_counters;          /**< first values that had counted from before the window */
    uint64_t dropped_messages;         /**< one end outside the window */
    uint64_t kept_messages;            /**< one end outside, kept by option */
    uint64_t split_collectives;        /**< collectives of which only some calls are inside */
    uint64_t bytes;                    /**< of the main file, not compressed */
    uint64_t disk; /**< on disk: the main file, or all of an archive; 0 in a dry run */
    uint64_t size; /**< on disk, all files; 0 in a dry run */
    char **file;   /**< [files]: paths; owned by the summary */
    size_t files;
    char **note; /**< [notes]: what in the filters had no effect, what was done to clocks; owned by
                     the summary */
    size_t notes;
};

/** Release; accepts NULL; never one that belongs to a chop. */
PRVCUT_API void prvcut_cut_summary_free(struct prvcut_cut_summary *s);

/**
 * Cut a window given by hand.
 *
 * owns    *out is the caller's, released with prvcut_cut_summary_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: empty window, or the input is a pipe; PRVCUT_EEXIST; PRVCUT_EIO;
 *         PRVCUT_EFORMAT; nothing is left behind
 */
PRVCUT_API enum prvcut_status prvcut_cut(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_span *window,
                                         const struct prvcut_cut_options *options,
                                         struct prvcut_cut_summary **out, struct prvcut_error *err);

/**
 * Refuse what prvcut_cut would refuse before it reads anything.
 *
 * errors  PRVCUT_EUSAGE, PRVCUT_EEXIST, PRVCUT_EIO
 */
PRVCUT_API enum prvcut_status prvcut_cut_check(const struct prvcut_trace *trace,
                                               const struct prvcut_cut_options *options,
                                               struct prvcut_error *err);

/**
 * Cut what has a name: these iterations, or all of a region. Threads are cut at their own borders,
 * as prvcut_reduce would, but for max_bytes. options->path NULL: NAME.it60-63.EXT, NAME.1.4.EXT.
 *
 * owns    *out is the caller's, released with prvcut_cut_summary_free; NULL after a failure
 * errors  PRVCUT_NONE: there is no loop, err->text says why; PRVCUT_EUSAGE: no such region or
 *         iteration; else as prvcut_cut
 */
PRVCUT_API enum prvcut_status prvcut_cut_named(struct prvcut_trace *trace,
                                               const struct prvcut_run *run,
                                               const struct prvcut_selection *what,
                                               const struct prvcut_cut_options *options,
                                               struct prvcut_cut_summary **out,
                                               struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
