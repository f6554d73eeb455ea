#ifndef PRVCUT_REPORT_SVG_H
#define PRVCUT_REPORT_SVG_H

#include "report/lines.h"

/** A piece of a text that is markup already, whatever its length. */
void svg_put_raw(struct report_lines *l, const char *text);

/**
 * A text from outside, fit for content and quoted attributes of HTML and XML alike: markup is
 * escaped, control characters and bytes that are no UTF-8 become U+FFFD.
 */
void svg_put_text(struct report_lines *l, const char *text);

/** The same with its markup as it is, for who escapes it. */
void svg_put_plain(struct report_lines *l, const char *text);

/** As svg_put_text, cut short after `most` characters with an ellipsis. */
void svg_put_short(struct report_lines *l, const char *text, size_t most);

/** Characters of a text as svg_put_text prints it. */
size_t svg_length(const char *text);

/** A number with at most `decimals` (0 to 6) of them, none at its end, with a point whatever the
    locale says; what is no number becomes 0. */
void svg_put_number(struct report_lines *l, double x, int decimals);

/** The same with a fixed count of decimals; returns out. */
char *svg_fixed(char out[32], double x, int decimals);

/** JSON fit for a <script> element: '<' is escaped as JSON does it. */
void svg_put_json(struct report_lines *l, const char *json);

#endif
