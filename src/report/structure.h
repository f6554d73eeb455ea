#ifndef PRVCUT_REPORT_STRUCTURE_H
#define PRVCUT_REPORT_STRUCTURE_H

#include "model/made.h"
#include "report/lines.h"

#include <jansson.h>

/** The object of schema "prvcut-structure"; NULL without memory. */
json_t *report_json_structure(const struct made_structure *s);

/** ", +4.9": how far an unusual iteration is from its region's median, in spreads, or why that is
    not to be said. */
void report_put_from_median(struct report_lines *l, const struct made_region *r,
                            const struct prvcut_outlier *o);

/** How far an unusual iteration's length is from the median of its region, in the spread of the
    lengths there; INFINITY where these do not differ. */
double report_from_median(const struct made_region *r, const struct prvcut_outlier *o);

/** Arrays of votes and of masks; NULL without memory. */
json_t *report_json_votes(const struct prvcut_vote *vote, size_t votes);
json_t *report_json_masks(const struct made_structure *s);

/** What each witness said, as a table under a heading; nothing where there are no votes. */
void report_put_votes(struct report_lines *l, const char *heading, const struct prvcut_vote *vote,
                      size_t votes);

/** See prvcut_iterations_text and prvcut_iterations_csv; limits are of this library's size. */
enum prvcut_status report_iterations_text(const struct made_structure *s,
                                          const struct prvcut_limits *limits, char **text,
                                          struct prvcut_error *err);
enum prvcut_status report_iterations_csv(const struct made_structure *s,
                                         const struct prvcut_limits *limits, char **text,
                                         struct prvcut_error *err);

/** The iterations that it was limited to, one by one; null: to none. */
json_t *report_json_iterations(const struct made_structure *s);

/** The regions from a level on, one table for all pieces of the run or of one iteration. */
void report_put_levels(struct report_lines *l, const struct made_structure *s, unsigned from);

/** A line of what of the parameters was set; none where nothing was. */
void report_put_set(struct report_lines *l, const struct made_structure *s);

/** How many masks each cause has laid, and for how long: "12 in all: flushing 12 (3.4 s)". */
void report_put_mask_sums(struct report_lines *l, const struct made_structure *s);

/**
 * Several regions that a table or a tree shows as one, or a single one.
 *
 * In a run that is spoilt again and again the pieces of one loop and the masks between them would
 * fill pages.
 */
struct report_fold {
    size_t first, last; /**< indices in the structure */
    size_t regions;     /**< of the loop, or 1 */
    size_t masks;       /**< between them */
    struct prvcut_span span;
    double iterations; /**< undisturbed ones */
    double all;        /**< those in the span, disturbed ones, too */
    double period_ns;  /**< mean: the span over all of them; 0: not periodic */
    uint64_t masked;   /**< ns */
};

/** More pieces of one whole than this are shown folded. */
#define PIECES_SHOWN 16

/** The pieces of one whole (the run, or an iteration of `parent`) are shown one by one: there are
    at most so many, or all were asked for. */
bool report_fold_none(const struct made_structure *s, size_t parent, size_t most);

/** The next piece, or pieces, of the whole at or after index *at; false at the end. */
bool report_fold_next(const struct made_structure *s, size_t parent, bool single, size_t *at,
                      struct report_fold *out);

/** What a region without a loop is: "start", "no loop", "disturbed", "end"; constant. */
const char *report_region_kind(const struct made_region *r);

/** What disturbs, in words: "trace flushes", "preemption", "slow messages"; the cause itself where
   it is none of these. */
const char *report_cause(enum prvcut_cause cause);

/** "A" to "Z", then "27" and so on; returns out. */
char *report_loop_letter(char out[16], unsigned loop);

/** "1.2", "1.2-1.9", "disturbed", "end", ... */
void report_fold_name(const struct made_structure *s, const struct report_fold *f, char out[40]);

/** Options that say what is shown, not what is found. */
#define REPORT_SHOWN "region,regions,level,iteration"

/** What the threads of a region call: "8 of 9 threads: 200×(6×Irecv Waitall)", cut after so many
    bytes. shape: r->nest is there */
void report_region_nest(struct report_lines *l, const struct prvcut_region *r, size_t most);

/** "by its calls it runs 400 times"; shape: r->nest_differs */
void report_region_differs(struct report_lines *l, const struct prvcut_region *r);

/** Most unusual iterations that are explained. */
#define REPORT_CAUSES 3

/** Why the longest unusual iterations are long, wrapped; most: at most so many.
    Returns how many. */
size_t report_put_causes(struct report_lines *l, const struct made_structure *s, size_t most);

/** Why that was not looked for, where there are unusual iterations, and what tells it. */
void report_put_unexplained(struct report_lines *l, const struct made_structure *s);

#endif
