#ifndef ACCURACY_ANSWER_H
#define ACCURACY_ANSWER_H

#include "truth.h"

/** What is said of a trace. */
struct answer {
    double period, mean; /**< ns, as told and over the whole phase; 0: none */
    double start, end;   /**< ns, of the loop */
    double iterations, confidence;
    bool absent; /**< the trace has nothing of the only metric that was asked */
    char why[256];
};

/** By default. A false one could not be asked; `why` says what happened. */
bool answer_ask(struct answer *a, const char *trace);

/** By some metrics, as the option --metric takes them; NULL: by default. */
bool answer_ask_metrics(struct answer *a, const char *trace, const char *metrics);

/**
 * By the rule of the traces' own page: so many iterations, within a tenth or one, of a period that
 * is accepted with so much room on either side; for a run without a loop: none.
 */
bool answer_is_right(const struct truth *t, const struct answer *a, double room);

/**
 * Loops that are right in a run of prvhard, by its CASE.truth; their periods are made wider, since
 * the first and the last iteration of a few weigh more. A false one could not be read.
 */
bool answer_read_truth(struct truth *t, const char *path);

/** Wrong, and more sure than not. */
bool answer_is_confidently_wrong(const struct answer *a, bool right);

#define SCORE_BINS 5

/** How many are right, and how many of about a confidence. */
struct score {
    unsigned all, right, confident, failed;
    /** periods reported; right ones among them; the sum of their confidence */
    unsigned told[SCORE_BINS], held[SCORE_BINS];
    double sum[SCORE_BINS];
};

void score_count(struct score *s, const struct answer *a, bool right);
void score_add(struct score *to, const struct score *s);
/** Prints how many are right of each confidence. */
void score_print_bins(const struct score *s);
/** Are nine in ten right of those that are surest? Prints it. */
bool score_is_reliable(const struct score *s);

#endif
