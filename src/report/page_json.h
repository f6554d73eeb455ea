#ifndef PRVCUT_REPORT_PAGE_JSON_H
#define PRVCUT_REPORT_PAGE_JSON_H

#include "report/page.h"

/**
 * The page's one block of data: the object that the JSON report is, without how long it took, and
 * in its field "drawn" what only the page draws. Where the report is very long its lists keep ever
 * fewer items; a field "abridged" then tells how many a list may have.
 *
 * owns    *json, ASCII in one line, freed by the caller
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status page_json(const struct prvcut_page *page, char **json, struct prvcut_error *err);

#endif
