#ifndef PRVCUT_MODEL_MADE_H
#define PRVCUT_MODEL_MADE_H

#include "prvcut/archive.h"
#include "prvcut/comm.h"
#include "prvcut/convert.h"
#include "prvcut/database.h"
#include "prvcut/diff.h"
#include "prvcut/efficiency.h"
#include "prvcut/find.h"
#include "prvcut/mark.h"
#include "prvcut/patterns.h"
#include "prvcut/predict.h"
#include "prvcut/profile.h"
#include "prvcut/reduce.h"
#include "prvcut/sample.h"
#include "prvcut/signals.h"
#include "prvcut/structure.h"
#include "prvcut/view.h"
#include "prvcut/waits.h"

#include "model/program.h"

/*
 * Answers as the library makes them: first the view that a program sees, then what the program
 * reaches by functions, and what is nobody else's. The arrays lie as the views are today; a program
 * neither knows how far apart they are, nor how large a view is.
 */

struct made_region {
    struct prvcut_region is;
    struct prvcut_vote *vote;       /**< [is.votes]; owned */
    struct prvcut_outlier *outlier; /**< [is.outliers]; owned */
    char **cause; /**< [is.outliers] why each is long, in a sentence; NULL: nobody asked, or that
                     one is not longer; owned */
    struct prvcut_departure *departure; /**< [is.departures]; owned */
    bool unlike; /**< its iterations make other calls each: none can depart; an index does not keep
                    it */
    char *nest;  /**< is.nest; owned */
};

struct made_structure {
    struct prvcut_structure is;
    struct made_region *region;       /**< [is.regions]; owned */
    struct prvcut_stretch *stretch;   /**< [is.stretches]; owned */
    struct prvcut_mask *mask;         /**< [is.masks]; owned */
    char *typed;                      /**< the trace as a shell takes it; owned; NULL: unknown */
    char *cuts;                       /**< as prvcut_output_pattern; owned */
    bool empty;                       /**< the trace has no records */
    bool strays;                      /**< of the beginning of a run: calls behind the end of its
                                         main loop are none of the loop's */
    const char *unexplained;          /**< constant: why no causes were looked for; NULL: they were,
                                         or nobody asked */
    const struct prvcut_again *again; /**< as the run has it; may be NULL */
    void *texts; /**< what the constant texts point into, where the structure was taken from an
                    index; owned; else NULL */
};

struct made_proof {
    struct prvcut_proof is;
    struct prvcut_proof_row *row;  /**< [is.rows]; owned */
    struct prvcut_proof_row *wait; /**< [is.waits]; owned */
    const char *unknown;           /**< why nothing can be told of calls, a constant; or NULL */
};

/** Most causes of one slow iteration. */
#define MADE_CAUSES 6

/** May a call take so long by more to transfer: in the iteration, in it alone? Or is none shown? */
enum made_bigger { MADE_BIGGER_NO, MADE_BIGGER_ITERATION, MADE_BIGGER_CALL, MADE_BIGGER_UNTOLD };

struct made_chop {
    struct prvcut_chop is;
    struct prvcut_slow_cause cause[MADE_CAUSES]; /**< [is.causes] */
    bool as_usual[MADE_CAUSES]; /**< [is.causes] whom it concerns computes as usual */
    bool in_a_row[MADE_CAUSES]; /**< [is.causes] so many threads do it one after the other, and
                                     explain the share together */
    enum made_bigger bigger[MADE_CAUSES]; /**< [is.causes] */
    bool before_usual[MADE_CAUSES]; /**< [is.causes] its partner computed no longer than usual, and
                                         why it was late is not known */
    struct prvcut_cut_summary cut;
    struct made_proof proof;
    double usual_ns;     /**< median length of the windows that its verdict is beside; 0: of none */
    bool of_clear;       /**< its verdict is beside the undisturbed windows alone: there are few */
    uint64_t clear;      /**< undisturbed iterations of what it stands for, where of_clear */
    size_t efficiency;   /**< a run of made_reduction.efficiency; 0: none */
    unsigned kinds_held; /**< bits: of made_reduction.kind, those it holds; 0: not known */
    unsigned beside_kind; /**< its verdict is beside that kind alone, from 1; 0: all */
    uint32_t callers;     /**< shares of its verdict are of the time of so many threads, which make
                             calls;  0: of all that do anything in the loop */
};

/** Most kinds of iterations that are told apart. */
#define MADE_KINDS 4

/** Most things that are added up over a loop. */
#define MADE_TOTALS 16

/** How long threads computed in iterations, in rows and columns that a page can show. */
struct made_heat {
    size_t columns, rows;                 /**< 0: not known */
    size_t iterations_each, threads_each; /**< as many at most are one column, one row */
    size_t iterations;                    /**< that are in it */
    uint32_t threads;
    uint64_t *number; /**< [2 * columns] the first and the last iteration of each; owned */
    double *ns;       /**< [rows * columns] row by row: the mean; owned */
};

struct made_reduction {
    struct prvcut_reduction is;
    struct prvcut_clock_report clocks;
    struct prvcut_vote *vote; /**< [is.votes]; owned */
    struct made_structure structure;
    char *note[16];                         /**< [is.notes]; owned */
    struct prvcut_kind kind[MADE_KINDS];    /**< [is.kinds] */
    size_t kinds_region;                    /**< of the loop that is.kinds tells of */
    struct prvcut_total total[MADE_TOTALS]; /**< [is.totals]; names owned */
    uint32_t asides;                        /**< bits: notes that are of no use to most */
    struct made_chop *chop;                 /**< [is.chops]; owned */
    struct made_heat heat;
    /** Of the run and its loop's program, of cuts and theirs, of the run and all other programs;
        owned; NULL: nobody asked */
    struct made_efficiency *efficiency;
    size_t efficiency_others; /**< the first run of these */
    char *typed;              /**< the trace as a shell takes it; owned; NULL: no name, or piped */
    bool piped;               /**< it came through a pipe */
    char *cuts;               /**< as prvcut_output_pattern; owned */
    const struct prvcut_again *again; /**< as the run has it; may be NULL */
    /** [whos] "rank 3 (thread 1.4.2)" of each thread, where causes name threads of ranks that have
        several; owned */
    char **who;
    size_t whos;
    char *leader; /**< "rank 0", whose the iterations' lengths are; owned; NULL: unsaid */
};

struct made_marking {
    struct prvcut_marking is;
    struct made_structure structure;
    struct prvcut_vote timeline;
    char **file; /**< [is.files]; owned */
};

/** What a copy with marks came to; the names of its files are the marking's from now on. */
static inline void made_marking_take(struct made_marking *out, uint64_t marks,
                                     const struct prvcut_cut_summary *copy)
{
    out->is.marks = marks;
    out->is.bytes = copy->bytes;
    out->is.disk = copy->disk;
    out->is.size = copy->size;
    out->is.files = copy->files;
    out->file = copy->file;
}

struct made_convert_summary {
    struct prvcut_convert_summary is;
    uint64_t lost[PRVCUT_CARRIES]; /**< records (of tables: entries) */
};

struct made_signals {
    struct prvcut_signals is;
    struct prvcut_signal *at; /**< [is.count]; owned, with their values */
    char *column;             /**< of a series: what one of them is called; owned */
};

/** Most things that a profile does not tell. */
#define MADE_REASONS 14

/** Why an iteration is slow. */
struct made_slow {
    struct prvcut_profile_slow is;
    struct prvcut_slow_cause cause[MADE_CAUSES]; /**< [is.causes] */
    char region[24];
    char *text; /**< is.text; owned */
};

struct made_profile {
    struct prvcut_profile is;
    struct made_slow *slow;         /**< [is.slow]; owned, with their causes */
    struct prvcut_profile_row *row; /**< [is.rows]; owned, with names in text */
    struct prvcut_profile_row total;
    uint64_t *count; /**< [is.rows + 1][is.counters]: of rows, then of the total; owned */
    char **counter;  /**< [is.counters]; owned */
    uint64_t *rest;  /**< [is.rows + 1][is.rests]; owned */
    char **state;    /**< [is.rests]; owned */
    char **text;     /**< [texts] names of calls, states, threads; owned */
    size_t texts;
    struct prvcut_profile_reason reason[MADE_REASONS]; /**< [is.reasons] */
    char *called;                                      /**< is.name; owned */
    char *typed;    /**< the trace as a shell takes it; owned; NULL: unknown */
    char *no_loop;  /**< is.no_loop; owned */
    char *leader;   /**< "rank 0": whose lengths those of iterations are; owned; NULL: there is only
                       one   thread, or none leads */
    bool disturbed; /**< some of is.unusual are there as they are disturbed */
    bool open;      /**< no call tells where the loop's last iteration ends */
    uint32_t applications;
    uint64_t counted_from; /**< ns: regions and iterations count from there; 0: through the run */
    struct prvcut_waits_clock clock;  /**< checked 0: nothing was compared */
    const struct prvcut_again *again; /**< as the run has it; may be NULL */
};

/** Most things to be known of a comparison. */
#define MADE_NOTES 12

struct made_diff {
    struct prvcut_diff is;
    struct prvcut_diff_row *row;                 /**< [is.rows]; owned, with calls in text */
    size_t *change;                              /**< [is.changes] indices of rows; owned */
    struct prvcut_slow_cause cause[MADE_CAUSES]; /**< [is.causes]; calls are the rows' */
    bool in_a_row[MADE_CAUSES];                  /**< as of made_chop */
    struct prvcut_diff_note note[MADE_NOTES];    /**< [is.notes]; with texts in text */
    char **text;                                 /**< [texts]; owned */
    size_t texts;
    char **thread_name;                 /**< [thread_names] of A; owned */
    uint32_t *rank;                     /**< [thread_names]; owned */
    size_t thread_names;                /**< 0: threads are not compared one by one */
    bool by_number;                     /**< names are numbers, as 1.4.1 */
    struct prvcut_waits_clock clock[2]; /**< checked 0: nothing was compared */
    const struct prvcut_again *again;   /**< as the run has it; may be NULL */
    char *typed[2]; /**< the traces as a shell takes them; owned; NULL: unknown */
};

/** Kinds of factors that there are; forms of fits, of the factors and of the speedup itself. */
#define MADE_FACTORS 8
#define MADE_FORMS   9

struct made_prediction_run {
    struct prvcut_prediction_run is;
    double factor[MADE_FACTORS]; /**< NAN: not told */
    double speedup;              /**< as it was read; NAN: not told */
    const char *computing;       /**< constant, of a trace: what counts as it; NULL: not told */
    uint32_t tasks;              /**< of a trace; 0: not told */
    uint32_t application;        /**< of several that its trace holds, from 1; 0: of the only one */
    struct prvcut_program *program; /**< of a trace; owned; NULL: not told */
    enum prvcut_loops loops;        /**< beside that of the run on the fewest processes */
    char *other; /**< why it is not of the first fitted run's program; owned; NULL: it may be */
    bool scaled; /**< its times and instructions are those of as many iterations as the
                      run on the fewest processes has */
    char *name;  /**< is.name; owned */
};

struct made_prediction_point {
    struct prvcut_prediction_point is;
    struct prvcut_prediction_factor factor[MADE_FACTORS]; /**< [factors] */
    double fitted[MADE_FACTORS];                          /**< before they are capped */
    struct prvcut_prediction_form form[MADE_FORMS];       /**< [forms] */
};

struct made_prediction {
    struct prvcut_prediction is;
    struct made_prediction_run *run;         /**< [is.runs]; owned */
    struct made_prediction_point *point;     /**< [is.points]; owned */
    char **warning;                          /**< [is.warnings]; owned */
    enum prvcut_factor factor[MADE_FACTORS]; /**< [is.factors] */
};

/** Most factors that a run does not tell. */
#define MADE_UNTOLD 24

struct made_efficiency_run {
    struct prvcut_efficiency_run is;
    double factor[PRVCUT_POPS];
    double processed;                    /**< ns, sum over tasks of their thread with most */
    double ideal_most;                   /**< ns, what serialization is of */
    struct prvcut_efficiency_rank *rank; /**< [is.ranks]; owned, with their names */
    struct prvcut_efficiency_reason reason[MADE_UNTOLD]; /**< [is.reasons] */
    char **note;                                         /**< [is.notes]; owned */
    char *name, *region;                                 /**< is.name, is.region; owned */
    size_t group;                                        /**< of made_efficiency.asked_group */
    bool base;                                           /**< it was named as its group's */
    bool replayed;   /**< who waits for whom is known: is.ideal_ns is no lower bound */
    double unstated; /**< part of the time that is in no state; 0: too little to tell */
    struct prvcut_program *program; /**< owned */
    char *other; /**< why it is not of its base's program; owned; NULL: it may be */
    char *loops; /**< that its loop goes round more or less often than its base's; owned; NULL */
    const char *unlike; /**< why it is not compared with its base; constant, or other; NULL */
};

struct made_efficiency_group {
    struct prvcut_efficiency_group is;
    char *name;           /**< is.name; owned; NULL: there is one, which has none */
    size_t asked;         /**< of made_efficiency.asked_group */
    uint32_t application; /**< as of its runs */
};

struct made_efficiency {
    struct prvcut_efficiency is;
    struct made_efficiency_run *run; /**< [is.runs]; owned */
    size_t room;
    struct prvcut_efficiency_options options; /**< what it points to is not kept */
    bool alone;                               /**< runs are compared with none */
    char *no_loop;                            /**< is.no_loop; owned */
    char **asked_group;                       /**< [asked_groups], names; owned; NULL: the only
                                                   one, which has none */
    size_t asked_groups, asked_room;
    size_t traces;                       /**< that were read */
    struct made_efficiency_group *group; /**< [groups]; owned; of each program of a group that was
                                              asked for one; as made when runs were compared */
    size_t groups, group_room;
    uint64_t counted_from; /**< ns: regions and iterations count from there; 0: through the run */
};

#define MADE_TECHNIQUES 3

struct made_sample_length {
    struct prvcut_sample_length is;
    struct prvcut_sample_choice choice[MADE_TECHNIQUES];
    struct prvcut_sample_pick *pick[MADE_TECHNIQUES]; /**< [choice.picks]; owned */
    double *start; /**< [picks of MSP] instructions before the interval; owned */
};

struct made_comm_matrix {
    struct prvcut_comm_matrix is;
    struct prvcut_comm_edge *edge;             /**< [is.edges]; owned, as all that follows */
    struct prvcut_comm_rank *rank;             /**< [is.ranks] */
    struct prvcut_comm_bin *bin;               /**< [is.bins] */
    struct prvcut_comm_shape *tie;             /**< [is.ties] */
    struct prvcut_comm_collective *collective; /**< [is.collectives], with names in text */
    char region[32];                           /**< is.region */
};

/** Most things that are not told of who talks to whom. */
#define MADE_COMM_REASONS 8

struct made_comm {
    struct prvcut_comm is;
    struct made_comm_matrix *matrix; /**< [is.matrices]; owned */
    struct prvcut_comm_reason reason[MADE_COMM_REASONS];
    bool sizeless;    /**< some messages have a size that none can have */
    uint64_t endless; /**< calls of collectives whose end is not recorded */
    char **text;      /**< [texts] names of calls; owned */
    size_t texts, texts_room;
    char *called;          /**< is.name; owned */
    char *typed;           /**< the trace as a shell takes it; owned; NULL: unknown */
    char *no_loop;         /**< is.no_loop; owned */
    uint64_t counted_from; /**< ns: regions and iterations count from there; 0: through the run */
};

struct made_find {
    struct prvcut_find is;
    struct prvcut_find_query *query; /**< [is.queries]; owned, as all that follows */
    struct prvcut_find_match *match; /**< [is.matches] */
    size_t *first;                   /**< [is.matches] a match's parts are part[first ..] */
    struct prvcut_find_part *part;   /**< [parts], with names of threads */
    size_t parts;
    char **thread_name; /**< [thread_names] */
    uint32_t thread_names;
    char *called, *query_called; /**< is.name, is.query */
    char *typed; /**< the trace that the command names, as a shell takes it; NULL: unknown */
    char *cut;   /**< what a cut of the best match may be called; NULL: there is none */
    const struct prvcut_again *again; /**< as the run has it; may be NULL */
    char *no_loop;                    /**< is.no_loop */
    char *body;                       /**< is.body */
};

struct made_sample {
    struct prvcut_sample is;
    struct made_sample_length *length;           /**< [is.lengths]; owned */
    char **warning;                              /**< [is.warnings]; owned */
    struct prvcut_sample_plan *plan;             /**< [is.planned]; owned, with names */
    char *called, *chosen, *predicted, *no_loop; /**< is.name, choose_by, predict, no_loop; owned */
};

/** A function or call on a call path. */
struct made_frame {
    char *name;      /**< owned; NULL: of the root */
    uint64_t parent; /**< 0: the root */
};

/** Calls that may wait for others, in a way that no metric tells. */
struct made_unsought {
    char name[48];
    uint64_t ns; /**< in all of them */
};
#define MADE_UNSOUGHT 3

struct made_waits_metric {
    struct prvcut_waits_metric is;
    char why[120];
    bool absent;                    /**< what it is about is not in the trace */
    struct prvcut_waits_path *path; /**< [is.paths]; owned */
    uint64_t *rank_ns;              /**< [ranks], in room */
    char *name, *title;             /**< owned */
};

struct made_wait_states {
    struct prvcut_wait_states is;
    struct made_waits_metric *metric; /**< [is.metrics]; owned */
    uint64_t *room;                   /**< owned */
    struct made_frame *frame;         /**< [frames]; owned */
    size_t frames;
    struct prvcut_waits_instance instance[10];
    struct prvcut_waits_part *part; /**< [is.parts]; owned */
    uint64_t *part_ns;              /**< [is.parts][is.metrics]; owned */
    char **region;                  /**< [is.parts] part.region; owned */
    struct prvcut_waits_clock clock;
    struct prvcut_waits_offset *offset; /**< [clock.offsets]; owned */
    struct prvcut_waits_delay delay[PRVCUT_DELAYS];
    struct prvcut_waits_cost *cost;           /**< [is.costs]; owned */
    struct prvcut_waits_stretch *stretch;     /**< [is.stretches]; owned */
    struct prvcut_waits_imbalance *imbalance; /**< [is.imbalances]; owned */
    char *called, *no_loop;                   /**< is.name, is.no_loop; owned */
    uint8_t *looked;                          /**< is.looked; owned */
    struct prvcut_mark_list *mark; /**< [marked] threads; NULL: none were asked for; owned */
    uint32_t marked;
    bool wants_each;            /**< said before it is made */
    struct prvcut_sorter *each; /**< analysis/waits/waits.h; NULL: it was not wanted; owned */
    char no_path[120];
    struct made_unsought unsought[MADE_UNSOUGHT]; /**< most first; no name: there are no more */
    uint64_t counted_from; /**< ns: regions and iterations count from there; 0: through the run */
};

struct pat_found;  /* analysis/patterns/patterns.h */
struct pat_points; /* analysis/patterns/points.h */

struct made_pattern {
    struct prvcut_pattern is;
    struct prvcut_pattern_peak *peak;         /**< [is.peaks]; owned */
    struct prvcut_pattern_function *function; /**< [is.functions]; owned, with their names */
};

/** What the iteration of a point is called. */
struct made_point_number {
    uint64_t own, first, last; /**< as prvcut_point.iteration, first and last */
};

struct made_patterns {
    struct prvcut_patterns is;
    struct prvcut_pattern_class *class; /**< [is.classes]; owned */
    struct made_pattern *pattern;       /**< [is.patterns]; owned */
    struct prvcut_point *point;         /**< [is.points]; owned, with calls in text */
    struct made_point_number *number;   /**< [is.points]; owned */
    char **thread_name;                 /**< [thread_names] all of the trace; owned */
    uint32_t thread_names;
    char **text; /**< [texts]; owned */
    size_t texts;
    struct pat_found *found;   /**< what all of it was made of; owned */
    struct pat_points *chosen; /**< NULL: they were not asked for; owned */
    char *called;              /**< is.name; owned */
    char *typed;               /**< the trace as a shell takes it; owned; NULL: unknown */
    uint32_t *rank;            /**< [thread_names] of their application, from 0; owned */
    bool each_thread;          /**< as asked for */
    bool part;                 /**< of the run: the cutter's numbers are others */
    bool by_number;            /**< threads have no names but "1.4.1" */
    const struct prvcut_again *again_with; /**< as the run has it; may be NULL */
    struct pat_repeated_found *again;      /**< NULL: repeats were not asked for; owned */
    struct prvcut_repeat *repeat;          /**< [is.repeats]; owned */
    const char ***repeat_call; /**< [is.repeats] of each [length] names; owned; in text */
    uint64_t counted_from; /**< ns: regions and iterations count from there; 0: through the run */
};

struct made_archive_result {
    struct prvcut_archive_result is;
    struct prvcut_archive_entry *entry; /**< [is.entries]; owned */
};

#define MADE_TABLES 20

struct made_database {
    struct prvcut_database is;
    struct prvcut_database_table table[MADE_TABLES]; /**< [is.tables] */
    char *called, *path, *no_loop;                   /**< is.name, is.path, is.no_loop; owned */
};

struct made_view_page {
    struct prvcut_view_page is;
    char *called, *path; /**< is.name, is.path; owned */
};

struct made_query {
    struct prvcut_query is;
    char **column; /**< [columns]; owned */
    size_t columns;
    struct prvcut_cell *cell; /**< [is.rows][is.columns]; owned */
    size_t room;
    char **text;                    /**< [texts] of cells; owned */
    size_t texts, text_room, bytes; /**< bytes: of all of them */
    char *no_loop;                  /**< is.no_loop; owned */
};

/*
 * The answer that a view is of: each was made by this library.
 */

static inline const struct made_region *made_region_of(const struct prvcut_region *view)
{
    return (const struct made_region *)(const void *)view;
}

static inline const struct made_structure *made_structure_of(const struct prvcut_structure *view)
{
    return (const struct made_structure *)(const void *)view;
}

static inline const struct made_marking *made_marking_of(const struct prvcut_marking *view)
{
    return (const struct made_marking *)(const void *)view;
}

static inline const struct made_chop *made_chop_of(const struct prvcut_chop *view)
{
    return (const struct made_chop *)(const void *)view;
}

static inline const struct made_proof *made_proof_of(const struct prvcut_proof *view)
{
    return (const struct made_proof *)(const void *)view;
}

static inline const struct made_signals *made_signals_of(const struct prvcut_signals *view)
{
    return (const struct made_signals *)(const void *)view;
}

static inline const struct made_profile *made_profile_of(const struct prvcut_profile *view)
{
    return (const struct made_profile *)(const void *)view;
}

static inline const struct made_patterns *made_patterns_of(const struct prvcut_patterns *view)
{
    return (const struct made_patterns *)(const void *)view;
}

static inline const struct made_diff *made_diff_of(const struct prvcut_diff *view)
{
    return (const struct made_diff *)(const void *)view;
}

static inline const struct made_prediction *made_prediction_of(const struct prvcut_prediction *view)
{
    return (const struct made_prediction *)(const void *)view;
}

static inline const struct made_efficiency_run *made_efficiency_run_of(
    const struct prvcut_efficiency_run *view)
{
    return (const struct made_efficiency_run *)(const void *)view;
}

static inline const struct made_efficiency *made_efficiency_of(const struct prvcut_efficiency *view)
{
    return (const struct made_efficiency *)(const void *)view;
}

static inline const struct made_comm_matrix *made_comm_matrix_of(
    const struct prvcut_comm_matrix *view)
{
    return (const struct made_comm_matrix *)(const void *)view;
}

static inline const struct made_comm *made_comm_of(const struct prvcut_comm *view)
{
    return (const struct made_comm *)(const void *)view;
}

static inline const struct made_find *made_find_of(const struct prvcut_find *view)
{
    return (const struct made_find *)(const void *)view;
}

static inline const struct made_sample *made_sample_of(const struct prvcut_sample *view)
{
    return (const struct made_sample *)(const void *)view;
}

static inline const struct made_wait_states *made_wait_states_of(
    const struct prvcut_wait_states *view)
{
    return (const struct made_wait_states *)(const void *)view;
}

static inline const struct made_archive_result *made_archive_result_of(
    const struct prvcut_archive_result *view)
{
    return (const struct made_archive_result *)(const void *)view;
}

static inline const struct made_convert_summary *made_convert_summary_of(
    const struct prvcut_convert_summary *view)
{
    return (const struct made_convert_summary *)(const void *)view;
}

static inline const struct made_database *made_database_of(const struct prvcut_database *view)
{
    return (const struct made_database *)(const void *)view;
}

static inline const struct made_query *made_query_of(const struct prvcut_query *view)
{
    return (const struct made_query *)(const void *)view;
}

static inline const struct made_reduction *made_reduction_of(const struct prvcut_reduction *view)
{
    return (const struct made_reduction *)(const void *)view;
}

#endif
