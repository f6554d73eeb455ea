#ifndef PRVCUT_VIEW_H
#define PRVCUT_VIEW_H

#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The page of a trace without a cut, kept in the user's cache folder: $XDG_CACHE_HOME/prvcut, else
 * $HOME/.cache/prvcut. One page a trace; it is found again as long as the trace's files (size, time
 * of last change), the options, the folder and the version of prvcut stay the same.
 */

/** How to make a page; zeroed is valid. */
struct prvcut_view_page_options {
    size_t size;        /**< sizeof this struct; 0: the fields up to typed */
    const char *folder; /**< where the page goes, which is made where it is not there; NULL: the
                             user's cache folder */
    bool force;         /**< make it anew */
    /** What the page could do without (efficiency, messages, wait states, what threads call) is
        left out where it is not there after that time, from the begin on; 0: 60 */
    double seconds;
    const char *typed; /**< the command as it was typed, for the page; may be NULL */
};

/** A page. A view, which grows at its end. */
struct prvcut_view_page {
    const char *name; /**< the trace, as people call it */
    const char *path; /**< of the page */
    uint64_t bytes;
    bool made;      /**< now; else it was there */
    bool complete;  /**< nothing was left out; the page's notes tell what was */
    double seconds; /**< the time that was given */
    double elapsed_s;
};

/**
 * Have the page of a trace: make it, or find the one that was made before. A trace without a loop
 * is no failure: its page tells why.
 *
 * owns    *out is the caller's, released with prvcut_view_page_free; NULL after a failure
 * errors  PRVCUT_EUSAGE: a pipe, no cache folder (neither HOME nor XDG_CACHE_HOME tells one);
 *         PRVCUT_EIO: the folder cannot be made; else as prvcut_reduce
 */
PRVCUT_API enum prvcut_status prvcut_view_page_make(struct prvcut_trace *trace,
                                                    const struct prvcut_run *run,
                                                    const struct prvcut_view_page_options *options,
                                                    struct prvcut_view_page **out,
                                                    struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_view_page_free(struct prvcut_view_page *v);

/** For a person. Free *text. */
PRVCUT_API enum prvcut_status prvcut_view_page_text(const struct prvcut_view_page *v, char **text,
                                                    struct prvcut_error *err);
/** Schema "prvcut-view". Free *text. */
PRVCUT_API enum prvcut_status prvcut_view_page_json(const struct prvcut_view_page *v, char **text,
                                                    struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
