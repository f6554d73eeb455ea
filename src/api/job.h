#ifndef PRVCUT_API_JOB_H
#define PRVCUT_API_JOB_H

#include "model/made.h"

#include "analysis/proof.h"
#include "base/bytes.h"
#include "base/commit.h"
#include "pass/pass.h"
#include "report/tag.h"
#include "signal/collect.h"
#include "structure/align.h"
#include "structure/choose.h"
#include "structure/known.h"
#include "structure/mask.h"
#include "structure/vote.h"

/** A loop of which a cut reaches from one part into the next. */
struct job_joined {
    struct prvcut_known_loop loop;
    struct job_joined *next;
};

/** Windows that were measured (job_windows.h). */
struct job_windows;

/** Kinds of iterations (job_kinds.h). */
struct job_kinds;

/** A page that is wanted without a cut (job_view.h). */
struct job_view;

/** How well processors are used, as it listens to the reading of the proof (job_efficiency.h). */
struct job_factors;

/** Borders of threads that were read (job_borders.h). */
struct job_kept;

/** Timelines that listen to the reading of the proof. */
struct job_drawings;

/** A loop of threads that do not repeat the run's. Zeroed: there is none. */
struct job_others {
    uint64_t followers, compared; /**< threads */
    double iterations, period_ns;
};

/** A reduction, or a search for the structure, under way: what has been read, seen, decided so far.
 */
struct job {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_structure_options wish;
    const struct prvcut_reduce_options *options; /**< NULL: only the structure is wanted */
    struct made_reduction *out;
    const char *told;    /**< stands before the names of files ("ARCHIVE:"); NULL: where they are */
    const char *archive; /**< that all files will be in; NULL: in none */
    const char *like;    /**< what the files in it are named after; NULL: no archive */
    struct job_view *view; /**< NULL: cuts are wanted; borrowed */
    bool looks;            /**< nothing is ever cut: where a cut would stand is nobody's matter */
    struct prvcut_commit *set; /**< that the page appears with; NULL: alone */
    double began;              /**< s, as prvcut_seconds told it */
    uint64_t end_ns;           /**< of the header or of the last record, whichever is later */
    struct prvcut_collection data;
    uint32_t metrics;                                  /**< bits: those that are asked for loops */
    bool ask_calls;                                    /**< so are the calls */
    bool calls_are_regions;                            /**< of a trace without MPI */
    bool calls_are_states;                             /**< of one without either */
    struct prvcut_witness witness[PRVCUT_SIGNALS + 1]; /**< what they say of the whole run */
    size_t witnesses;
    struct prvcut_loop loop; /**< that was found over all of the run, or of the given period */
    struct prvcut_masks masks;
    struct prvcut_span *mask; /**< their union */
    size_t mask_spans;
    struct prvcut_known_loops known; /**< of out->structure */
    struct job_others others;        /**< that regions do not tell of */
    struct job_windows *windows;     /**< NULL: none were measured; owned */
    struct job_kinds *kinds;         /**< of the loop that is cut; NULL: nobody asked; owned */
    struct job_drawings *drawings;   /**< of the page; NULL: none has listened; owned */
    struct job_factors *factors;     /**< of the page; NULL: none has listened; owned */
    struct made_wait_states *waits;  /**< of the page, where the proof has told of them; owned */
    struct job_kept *kept;           /**< NULL: none are kept; owned */
    struct api_comm_hearing *comm;   /**< of the page, told with the waits (comm.h); NULL; owned */
    bool waits_asked;                /**< for both, before the page is made (job_waits.h) */
    const struct prvcut_listener *beside; /**< to the first reading; NULL: nobody, or it is over */
    struct prvcut_put *measured; /**< where what is measured is kept for an index; NULL: nowhere */
    struct prvcut_put *whys;     /**< where it is kept why iterations are long; NULL: nowhere */
    struct job_joined *joined;   /**< loops whose parts are one; owned, the last made first */
    struct job_lain *lain;       /**< [lain_count] windows that were laid without being cut
                                      (job_align.c); owned */
    size_t lain_count, lain_room;
};

/** Where something is to be cut. */
struct job_place {
    const struct prvcut_known_loop *loop;
    struct prvcut_choice choice;   /**< the window, with the freedom of its borders */
    unsigned iterations;           /**< that the window holds */
    unsigned steps;                /**< of an iteration, which `loop` tells one by one; 0: it tells
                                        iterations */
    struct prvcut_cut_options cut; /**< path is set */
};

/** A chop that shall be made. */
struct job_planned {
    size_t region;                 /**< index in the structure */
    bool unusual;                  /**< one unusual iteration, not typical ones */
    struct prvcut_outlier outlier; /**< it, in that region */
    unsigned kind;                 /**< of the loop's iterations, from 1; 0: of any */
    bool of_loop;                  /**< chosen in the whole loop, not in that region alone */
    uint64_t lead_ns;              /**< where its first iteration begins on the thread that leads */
    bool widest; /**< all of the loop may compete for it, though it was planned in that region */
    struct job_place place;
    struct report_tag tag; /**< what it is called for */
    char *path;            /**< where it shall stand; owned */
};

struct job_plan {
    struct job_planned *at; /**< [count] in the order of the report; owned */
    size_t count, room;
};

/** All of a reduction: what prvcut_reduce promises (reduce.c). shape: j: trace, run, options, out,
   told are set, the rest is zero */
enum prvcut_status job_reduce(struct job *j, struct prvcut_error *err);

/** Where the first pass saw neither calls nor anything else that shows loops, counters are asked:
    then true, and their signals are wanted, too (job_collect.c). */
bool job_ask_counters(struct job *j);

/**
 * Which metrics are asked for loops, into the job, and which are to be collected (job_metrics.c).
 *
 * errors  PRVCUT_EUSAGE: an unknown metric
 */
enum prvcut_status job_metrics(struct job *j, uint32_t *metrics, bool *calls,
                               struct prvcut_error *err);

/** How many bins signals have over what is analysed, where these metrics are collected, and calls
   or not (job_metrics.c). */
size_t job_bins(const struct job *j, uint32_t metrics, bool calls);

/** The same of a trace that was read: it has so many bytes of text, and tells a clock or not. No
    more than job_bins but of a compressed text that is much longer than it looked (job_metrics.c).
 */
size_t job_bins_read(const struct job *j, bool calls, uint64_t bytes, bool clock);

/** What was read, into the result: counts and notes (job_collect.c). */
enum prvcut_status job_tell_input(struct job *j, struct prvcut_error *err);

/** Is a page to be made (page.c)? */
static inline bool job_wants_page(const struct job *j)
{
    return j->options->report && (j->view || !j->options->cut->dry_run);
}

/** Note that something does not fit, in place of PRVCUT_ELIMIT: it is left out of the page
    (job_report.c). */
enum prvcut_status job_page_without(struct job *j, enum prvcut_status st, const char *what,
                                    struct prvcut_error *err);

/** Events of these roles tell what a thread calls. */
#define JOB_CALLING (PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION))

/** Does the trace define event types of one of these roles (bits)? */
bool job_has_roles(const struct prvcut_trace *t, uint32_t roles);

/** How many records the trace has, as it was read. */
uint64_t job_records(const struct job *j);

/** job_collect and job_divide, or what an index beside the trace keeps of them (index_job.c). */
enum prvcut_status job_analyse(struct job *j, struct prvcut_error *err);

/** Read the trace: counts, signals, calls; set up the witnesses (job_collect.c). */
enum prvcut_status job_collect(struct job *j, struct prvcut_error *err);

/** What is analysed: the whole run, or the window that the options give (job_data.c). */
struct prvcut_span job_span(const struct job *j);

/** A signal by its metric's name; NULL where it was not asked for (job_data.c). */
const struct prvcut_signal *job_signal(const struct job *j, const char *name);

/**
 * Divide the run: out->structure and known, masks; the main loop's numbers go into out
 * (job_search.c).
 *
 * errors  PRVCUT_NONE: there is no loop; out->structure is filled all the same
 */
enum prvcut_status job_divide(struct job *j, struct prvcut_error *err);

/** Note that other threads repeat another loop, where they do (job_search.c). */
void job_tell_others(struct job *j);

/** A given period that leaves no region of a loop is refused, in place of st (structure.c). */
enum prvcut_status job_refuse_period(const struct job *j, enum prvcut_status st,
                                     struct prvcut_error *err);

/** Is a region named, not "all" or "longest"? */
bool job_names_region(const char *regions);

/** Is the run's loop seen twice only? Then what is inside it is cut by default. */
bool job_has_loop_of_two(const struct job *j);

/** The deepest level that is cut at; 0: all. */
unsigned job_deepest(const struct prvcut_reduce_options *o);

/**
 * Decide what is to be cut, and what each chop is called (job_plan.c).
 *
 * owns    plan is initialised here, released with job_plan_fini, also after a failure
 * errors  PRVCUT_NONE: nothing repeats at that level (a note tells); PRVCUT_EUSAGE: no such region,
 *         fewer iterations than asked for
 */
enum prvcut_status job_plan_make(struct job *j, struct job_plan *plan, struct prvcut_error *err);

/** Other iterations of the same loop, as many, in place of what was planned; joins parts of the
    loop where they lie in several. errors  PRVCUT_ENOMEM */
enum prvcut_status job_plan_retake(struct job *j, struct job_planned *p, size_t region,
                                   struct prvcut_span window, struct prvcut_error *err);

/** The same along the borders of a loop that is known beside the structure's: steps of one. */
enum prvcut_status job_plan_retake_in(struct job *j, struct job_planned *p,
                                      const struct prvcut_known_loop *loop, size_t region,
                                      struct prvcut_span window, struct prvcut_error *err);

/** How many borders of its loop a window holds, but for the first. */
unsigned job_place_borders(const struct job_place *place);

void job_plan_fini(struct job_plan *plan);

/** Are regions to be cut whole, not some iterations of them? */
bool job_wants_whole(const struct job *j);

/** Did nobody say at which level to cut (job_asked.c)? */
bool job_is_by_default(const struct prvcut_reduce_options *o);

/** The level that is cut at where none is named: iterations of a loop that is seen twice stand for
    nothing, those of the loop inside do. */
unsigned job_default_level(const struct job *j);

/** Are named iterations called by their numbers, as these count through the whole loop? */
bool job_names_iterations(const struct prvcut_reduce_options *o);

/** What each chop of a plan is called and where it goes; what exists is refused (job_names.c). */
enum prvcut_status job_plan_name(struct job *j, struct job_plan *plan, struct prvcut_error *err);

/**
 * Choose windows in the regions that the options name, cut them, prove them, write the page:
 * out->chop, out->page (job_chops.c). Files appear once all of that is done, or not at all.
 *
 * errors  as job_plan_make, job_lay, job_cut, job_proofs, job_page
 */
enum prvcut_status job_chops(struct job *j, struct prvcut_error *err);

/** Whether the chops are compared with their regions, for which all of the trace may be read once
    more (job_asked.c). */
bool job_proves(const struct job *j);

/** Or at least with other windows of their loops, as far as these can be read alone. */
bool job_compares(const struct job *j);

/** Compare the chops with the windows of their loops, and with what they stand for, if that is
    wanted: their verdict, their proof (job_proof.c). */
enum prvcut_status job_proofs(struct job *j, const struct job_plan *plan, struct prvcut_error *err);

/** The same for some cuts, made or only laid: the proof of each; beside: NULL for nobody
    (job_proof.c). */
enum prvcut_status job_prove(struct job *j, struct made_chop *chop, size_t chops,
                             const struct prvcut_proof_beside *beside, struct prvcut_error *err);

/** Where the one cut is not typical: would one of more iterations stand for the loop? Its better,
    better_verdict (job_better.c). */
enum prvcut_status job_better(struct job *j, struct prvcut_error *err);

/** Write the page, if one is wanted and this is no dry run: out->page, out->archive (page.c). */
enum prvcut_status job_page(struct job *j, struct prvcut_error *err);

/** What is known of a chop before it is cut (job_chops.c). */
void job_chop_start(struct made_chop *chop, const struct job *j, const struct job_planned *p);

/** The borders of a window, as they were laid. Zeroed is none. */
struct job_laid {
    struct prvcut_alignment alignment; /**< its arrays are the window's, where it is aligned */
    struct prvcut_window window;
};

/** Lay the borders of one window, aligned or straight: the chop's align*, crossing, thread, follow
    (job_align.c). owns: out is zeroed before, released with job_laid_fini, also after a failure */
enum prvcut_status job_lay(struct job_laid *out, struct job *j, const struct job_place *place,
                           struct made_chop *chop, struct prvcut_error *err);
void job_laid_fini(struct job_laid *l);

/** Cut all windows, in one reading as far as that goes: each chop's cut, and its crossing
    (job_align.c). shape: sub, chop: [count] */
enum prvcut_status job_cut(struct job *j, const struct prvcut_subtrace *sub, struct made_chop *chop,
                           size_t count, struct prvcut_error *err);

/** Where a cut would lay the threads' borders, and what it would do there. */
struct job_laying {
    uint64_t *from, *to; /**< [threads]; the caller's */
    bool straight;       /**< one time for all */
    uint64_t harm;       /**< messages that are split; a collective counts as several; 0 also where
                              too much would have to be read to tell */
};

/** Lay without cutting (job_align.c); what was found is kept, and job_lay takes it: around a window
    is read once. shape: out: from and to are set */
enum prvcut_status job_would_lay(struct job *j, const struct job_place *place,
                                 struct job_laying *out, struct prvcut_error *err);

/** Of what job_would_lay found since the last such call only this window's is kept
    (job_align.c); NULL: none. */
void job_keep_laid(struct job *j, const struct job_place *place);

void job_lain_free(struct job *j);

/** Add a line to the result's notes; dropped when there is no room or no memory (job_report.c). */
void job_note(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The same for what is of no use to most: the full report and the JSON have it (job_report.c). */
void job_aside(struct job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** A chop's window, as readers take it; border: room for two a thread (job_report.c). */
struct prvcut_window job_window(const struct made_chop *chop, uint64_t *border);

void job_fini(struct job *j);

#endif
