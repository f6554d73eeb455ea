#ifndef PRVCUT_REPORT_BRIEF_H
#define PRVCUT_REPORT_BRIEF_H

#include "report/lines.h"

#include "model/made.h"

/** A cut's iterations that differ from the median by a smaller share are as long as that. */
#define LONGER_LEAST 0.01
/** Where less of the loop is undisturbed, what is undisturbed is not what is usual. */
#define CLEAR_MOST 0.5

/** A cut that is less often smaller than this is not said to be so. */
#define SMALLER_LEAST 1.1

/** What is left out one after the other, until the report of one cut has no more than 10 lines. */
enum brief_terse {
    BRIEF_ALL,
    BRIEF_NO_WAY_BACK, /**< options that would have it otherwise */
    BRIEF_SHORT_SURE,  /**< "by A and 3 of 5 signals" */
    BRIEF_ONE_ROW,     /**< of what differs most, only the first */
    BRIEF_ONE_CAUSE,   /**< of what disturbs, only what does it most often */
    BRIEF_ONE_NEXT,    /**< command */
    BRIEF_MEDIANS,     /**< of groups of lengths, without the ranges */
    BRIEF_NO_SPAN,     /**< of the loop */
    BRIEF_ONE_LINE,    /**< of each heading: the clauses that fit it */
    BRIEF_ONE_NOTE,    /**< and how many more there are */
    BRIEF_NO_FACTORS,  /**< the line "Efficiency" */
    BRIEF_LEAST = BRIEF_NO_FACTORS
};

/** A report on one screen: lines with a heading, wrapped at its width. */
struct brief {
    struct report_lines l;
    const struct made_reduction *r;
    unsigned width;
    enum brief_terse terse;
};

/** Columns that are left for a text behind its heading, on one line. */
#define BRIEF_HEADING 12u

/** A heading and what it says, wrapped at blanks. */
void brief_line(struct brief *b, const char *heading, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** What is said piece by piece; zeroed is empty. */
struct brief_text {
    char at[1024];
    size_t count;
};

void brief_add(struct brief_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Does anything disturb the cut, on some thread between its own borders? */
bool brief_disturbed(const struct made_reduction *r, const struct made_chop *c);

/** What disturbs, and the iterations of a cut. An iteration is disturbed where something falls into
    it on the rank that leads; others may be behind. */
enum brief_touch {
    BRIEF_CLEAR,  /**< nothing touches the cut */
    BRIEF_BESIDE, /**< it falls into other iterations, of which other ranks still make a part */
    BRIEF_INSIDE  /**< some iterations are disturbed */
};

/** count: of disturbed iterations; 0 also where they are not known one by one. */
enum brief_touch brief_touched(const struct made_reduction *r, const struct made_chop *c,
                               unsigned *count);

/** Does the cut not stand for its loop, by its proof or by the lengths of its iterations? What was
    asked for because it is unusual does not. */
bool brief_misleads(const struct made_reduction *r, const struct made_chop *c);

/** Does it stand for its region, whose iterations have another length than the loop's? */
bool brief_is_local(const struct made_reduction *r, const struct made_chop *c);

/** "iterations 2-3": numbered through the whole loop; "" where that is unknown. */
void brief_add_numbers(struct brief_text *t, const struct made_chop *c);

/** The line "Sure" (brief_sure.c). */
void brief_put_sure(struct brief *b);
/** The same of the main loop, as notes; none where there is none (brief_sure.c). */
void report_put_sure(struct report_lines *l, const struct made_reduction *r);

/** Is a row of a proof a share of time, none of the factors of efficiency? (brief_time.c) */
bool brief_is_time(const struct prvcut_proof_row *r);

/** Are two rows one thing: the time in a call and in the state that it makes? (brief_time.c) */
bool brief_same_time(const struct prvcut_proof_row *a, const struct prvcut_proof_row *b);

/** The line "Time" of a cut (brief_time.c). */
void brief_put_time(struct brief *b, const struct made_chop *c);

/** The lines "Cut", "Stands for", "Time", "Why" and "Efficiency" of a cut (brief_cut.c). */
void brief_put_cut(struct brief *b, const struct made_chop *c);

/** Why its one iteration is slow, if that is known; several: which one, too (brief_cut.c). */
void brief_put_why(struct brief *b, const struct made_chop *c, bool several);

/** The line "Efficiency" of a cut: what of its time is computing, and what takes the rest; none
    where that is not known (brief_efficiency.c). */
void brief_put_efficiency(struct brief *b, const struct made_chop *c);

/** Commands that go on from here (brief_next.c). */
void brief_put_next(struct brief *b);

#endif
