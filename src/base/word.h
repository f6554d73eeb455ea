#ifndef PRVCUT_BASE_WORD_H
#define PRVCUT_BASE_WORD_H

#include <stdbool.h>

/** Does a word stand in a text, in capitals or not: PAPI_TOT_INS in "PAPI_TOT_INS [Instr
    completed]"? Words are of letters, digits and _. */
bool prvcut_has_word(const char *text, const char *word);

#endif
