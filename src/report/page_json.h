#ifndef PRVCUT_REPORT_PAGE_JSON_H
#define PRVCUT_REPORT_PAGE_JSON_H

#include "base/error.h"

#include <stddef.h>

/**
 * Bring a JSON object down to at most `most` bytes, if it is longer: without indentation, then with
 * ever fewer items in its lists; a field "abridged" then tells how many items a list may have.
 *
 * owns    *json is replaced; it is the caller's before and after
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status page_json_abridge(char **json, size_t most, struct prvcut_error *err);

#endif
