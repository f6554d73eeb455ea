#ifndef PRVCUT_BASE_CSV_H
#define PRVCUT_BASE_CSV_H

#include "base/error.h"

/**
 * A table that people or programs wrote as text: lines of fields with ';', ',' or tabs between
 * them. The first line with any, but for such as begin with '#', says which: ';' where it has one,
 * else the more frequent one. A mark of UTF-8 may stand before all. Fields lose blanks around them;
 * in quotes they keep all, and "" is a quote. Zeroed is empty.
 */
struct prvcut_csv {
    const char *path; /**< borrowed */
    char *text;       /**< owned */
    char *rest;       /**< from the line after */
    uint64_t line;    /**< from 1, of the present fields */
    char separator;   /**< ';', ',' or a tab; '\0': no line had one yet */
    char **field;     /**< [fields], of the present line; owned, its texts stand in text */
    size_t fields, room;
};

/**
 * Read a file whole, decompressed on the way; "-" is standard input.
 *
 * owns    c is initialised here, released with prvcut_csv_close, also after a failure
 * errors  as prvcut_source_slurp_text
 */
enum prvcut_status prvcut_csv_open(struct prvcut_csv *c, const char *path,
                                   struct prvcut_error *err);

/** The next line that is not empty, as fields; PRVCUT_END after the last one. */
enum prvcut_status prvcut_csv_next(struct prvcut_csv *c, struct prvcut_error *err);

/** A number that fills the whole text; "nan" in any case is one. */
bool prvcut_csv_number(const char *text, double *out);

/** The same of a field of c, in which the decimal point may be a comma where none separates fields.
 */
bool prvcut_csv_value(const struct prvcut_csv *c, const char *text, double *out);

/** Refuse the present line: "FILE:LINE: TEXT". Returns PRVCUT_EFORMAT. */
enum prvcut_status prvcut_csv_fail(const struct prvcut_csv *c, struct prvcut_error *err,
                                   const char *format, ...) __attribute__((format(printf, 3, 4)));

void prvcut_csv_close(struct prvcut_csv *c);

#endif
