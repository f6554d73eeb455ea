#ifndef PRVCUT_MODEL_WORDS_H
#define PRVCUT_MODEL_WORDS_H

#include "prvcut/reduce.h"

#include <stdbool.h>

/*
 * Numbers of the public headers by their words: prvcut_x_text backwards. False: no such word.
 */

bool prvcut_stand_find(enum prvcut_stand *out, const char *word);
bool prvcut_cause_find(enum prvcut_cause *out, const char *word);
bool prvcut_region_kind_find(enum prvcut_region_kind *out, const char *word);
bool prvcut_outlier_why_find(enum prvcut_outlier_why *out, const char *word);
bool prvcut_align_find(enum prvcut_align *out, const char *word);
bool prvcut_found_by_find(enum prvcut_found_by *out, const char *word);

/** What told of a loop, in one word: a signal's is its metric; and backwards. */
const char *prvcut_found_by_word(enum prvcut_found_by by, const char *metric);
enum prvcut_found_by prvcut_found_by_of(const char *word, const char **metric);

#endif
