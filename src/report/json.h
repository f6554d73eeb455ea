#ifndef PRVCUT_REPORT_JSON_H
#define PRVCUT_REPORT_JSON_H

#include "base/error.h"

#include "prvcut/json.h"
#include "prvcut/trace.h"

#include <jansson.h>

/** A key and its value; NULL where there was no memory for the value. */
struct report_field {
    const char *key;
    json_t *value;
};

/** The first fields of every JSON; the command is told by prvcut_json_command. */
#define REPORT_JSON_HEAD(schema)                                                                   \
    { "schema", report_json_text(schema) },                                                        \
        { "version", report_json_integer(PRVCUT_JSON_VERSION) },                                   \
        { "program", report_json_text("prvcut " PRVCUT_VERSION) },                                 \
    {                                                                                              \
        "command", json_null()                                                                     \
    }

/** Digits of reals: as many as any decimal number keeps in a double: parts of a ns, and ratios
   whose products are those that are told, too. */
#define REPORT_JSON_DIGITS 15

/** An object with these fields in this order; takes the values over; NULL without memory. */
json_t *report_json_object(const struct report_field *field, size_t fields);

#define REPORT_JSON_OBJECT(field) report_json_object(field, sizeof(field) / sizeof *(field))

/** value, or NULL (and value released) where bad is not 0: what appending to arrays added up. */
json_t *report_json_keep(json_t *value, int bad);

/** A whole number; beyond 2^63 - 1 a real, which is less exact. */
json_t *report_json_integer(uint64_t n);

/** A time or count that was computed: rounded to a whole number; null unless it is above 0. */
json_t *report_json_rounded(double x);

/** A real; null where it is not a number. */
json_t *report_json_real(double x);

/** A text; null for NULL; what is no UTF-8 is taken for Latin 1. */
json_t *report_json_text(const char *text);

/** Set what a name of the trace's own stands for, which is a text like these; takes value over,
    also when it fails: not 0. */
int report_json_put(json_t *object, const char *key, json_t *value);

/** An array of texts. */
json_t *report_json_texts(const char *const *text, size_t count);

/** {start_ns, end_ns}. */
json_t *report_json_span(const struct prvcut_span *span);

/** A value as text, with flags of json_dumps(); the caller's; NULL without memory. */
char *report_json_print(const json_t *value, size_t flags);

/** Print an object with a line end and release it; NULL counts as out of memory. */
enum prvcut_status report_json_take(json_t *value, char **text, struct prvcut_error *err);

#endif
