#ifndef PRVCUT_MODEL_VIEW_H
#define PRVCUT_MODEL_VIEW_H

#include "base/print.h"
#include "model/pending.h"
#include "model/regions.h"
#include "model/stack.h"
#include "model/writer.h"

/*
 * What writers of one text file that viewers show have in common: items by time, a stack of regions
 * for each thread, ends that are written when their time has come.
 */

/** What a thread is in. */
struct prvcut_view_thread {
    struct prvcut_stack open;
    uint64_t state; /**< number of its latest state */
    bool in_state;
};

struct prvcut_view;

/** How a format writes it; failures to write are kept by the print. */
struct prvcut_view_format {
    /** Bring all that is due up to the time of the next item. */
    void (*advance)(struct prvcut_view *v, uint64_t time);
    /** A region begins, with what is known of its collective. */
    void (*call)(struct prvcut_view *v, const struct prvcut_held_call *call);
    /** A region that was interrupted for one outside it goes on. */
    void (*resume)(struct prvcut_view *v, uint64_t time, uint32_t thread,
                   const struct prvcut_frame *region);
    /** The innermost region ends. */
    void (*leave)(struct prvcut_view *v, uint64_t time, uint32_t thread);
    void (*number)(struct prvcut_view *v, const struct prvcut_item *i);
    void (*single)(struct prvcut_view *v, const struct prvcut_item *i);
    enum prvcut_status (*state)(struct prvcut_view *v, const struct prvcut_item *i,
                                struct prvcut_error *err);
    enum prvcut_status (*message)(struct prvcut_view *v, const struct prvcut_item *i,
                                  struct prvcut_error *err);
    /** All that is still open ends with the trace. */
    void (*finish)(struct prvcut_view *v);
    /** Release what the format itself holds, and v. */
    void (*release)(struct prvcut_view *v);
};

/** A file under way; formats put their own struct around it. */
struct prvcut_view {
    struct prvcut_writing base;
    const struct prvcut_view_format *format;
    const struct prvcut_outline *outline;
    struct prvcut_print out;
    char *path;
    struct prvcut_view_thread *thread; /**< [threads] */
    struct prvcut_pending ends;
    struct prvcut_held_call call;
    uint64_t states; /**< so far; a state's number is how many came before it */
};

/** v: zeroed but for base, format and outline. owns: v passes to the call, also on failure */
enum prvcut_status prvcut_view_open(struct prvcut_view *v, const char *path, bool force,
                                    struct prvcut_error *err);

/** Write the call that is held back, if any. */
void prvcut_view_release_call(struct prvcut_view *v);

/** All regions that are open end at `time`. */
void prvcut_view_leave_all(struct prvcut_view *v, uint64_t time);

/** Release all but v itself; no file is left behind unless it has been committed. */
void prvcut_view_fini(struct prvcut_view *v);

/* As a writer's functions. */

enum prvcut_status prvcut_view_put(struct prvcut_writing *w, const struct prvcut_item *item,
                                   size_t count, struct made_convert_summary *sum,
                                   struct prvcut_error *err);
enum prvcut_status prvcut_view_commit(struct prvcut_writing *w, struct made_convert_summary *sum,
                                      struct prvcut_error *err);
void prvcut_view_abandon(struct prvcut_writing *w);

#endif
