#ifndef PRVCUT_MODEL_TOLD_SPAN_H
#define PRVCUT_MODEL_TOLD_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Copies from which something was taken tell where their original began and ended: "TICK NS", the
 * first tick of its clock, and ns from there to its end.
 */

#define PRVCUT_SPAN_WORD "PRVCUT::SPAN"

#define PRVCUT_SPAN_ROOM 48

/** As text behind that word; returns out. */
const char *prvcut_span_told(char out[PRVCUT_SPAN_ROOM], uint64_t tick, uint64_t ns);

/** Backwards, up to the text's end or a quotation mark; false: it is not that. */
bool prvcut_span_take(const char *text, uint64_t *tick, uint64_t *ns);

#endif
