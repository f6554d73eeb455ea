#ifndef PRVCUT_REPORT_PAGE_SAID_H
#define PRVCUT_REPORT_PAGE_SAID_H

#include "report/svg.h"

/**
 * A text report's first lines, up to an empty one, as HTML: a line without a heading that comes
 * first is the answer, the others are a list of headings and what they say. text is changed while
 * it is read, and as before then.
 */
void page_said(struct report_lines *out, char *text);

#endif
