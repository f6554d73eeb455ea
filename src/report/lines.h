#ifndef PRVCUT_REPORT_LINES_H
#define PRVCUT_REPORT_LINES_H

#include "base/buffer.h"

#include "prvcut/trace.h"

/** Columns of a line, where nothing else is said. */
#define REPORT_WIDTH 80

/** A text that grows; after the first failure nothing more is added. Zeroed but for err. */
struct report_lines {
    struct prvcut_buffer out;
    enum prvcut_status st;
    struct prvcut_error *err;
    size_t width; /**< columns of a line; 0: REPORT_WIDTH */
};

void report_put(struct report_lines *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Start a line with a heading (or "" under one) in its own column. */
void report_head(struct report_lines *l, const char *heading);

/** What a terminal shows of a text: its characters, not its bytes. */
size_t report_columns(const char *text);

/** Lines of a report that fits one screen, and those that a text has. */
#define REPORT_LINES 10u
unsigned report_count_lines(const char *text);

/** The rest of a line behind its heading, wrapped at blanks so that it ends before that column. */
void report_put_wrapped(struct report_lines *l, size_t width, const char *text);

/** A line without a heading, wrapped as if its rest stood behind one. */
void report_put_whole(struct report_lines *l, size_t width, const char *text);

/** A text that stands behind so many columns of its line; it goes on under itself. */
void report_put_tail(struct report_lines *l, const char *tail, size_t before);

/** Wrap what l holds, whole lines, in the same way: each goes on in the column behind headings. */
void report_wrap(struct report_lines *l, size_t width);

/** A text from outside: control characters are escaped. */
void report_put_foreign(struct report_lines *l, const char *text);

/** A value of a table with commas: in quotes where it holds commas, quotes or ends of lines. */
void report_put_value(struct report_lines *l, const char *text);

/** Hand the text over, or release it after a failure; l is empty then. */
enum prvcut_status report_take(struct report_lines *l, char **text);

/** A note of damaged records that were left out; of none nothing. */
void report_put_skipped(struct report_lines *l, uint64_t skipped);

/** Lines that were out of order in time, and put in order; the first of them, 0: they are records
   of an archive; how far the furthest stood behind, ns. */
void report_put_sorted(struct report_lines *l, uint64_t lines, uint64_t first, uint64_t by_ns);

/** A note that regions and iterations count from there, ns, not through the whole run; of 0
 * nothing. */
void report_put_counted_from(struct report_lines *l, uint64_t start);

/** A whole number with commas: "1,234,567"; returns out. */
char *report_count(char out[32], uint64_t n);

/** A length with its spread in the same unit: "6.96ms (± 0.08)"; a mean that is far from the median
   is told, too; 0: none; returns out. */
char *report_length(char out[64], double median, double spread, double mean);

/** "once", "twice", "5 times"; returns out. */
char *report_times(char out[32], uint64_t count);

/** Are they so far apart that both are told? */
bool report_mean_is_far(double median, double mean);

/** How sure something is: "0.95"; "as given" where the period was given; returns out. */
char *report_sure(char out[32], double confidence);

/** The same in a word: "yes" from 0.90, "fairly" from 0.50, else "hardly"; constant. */
const char *report_sure_word(double confidence);

/** A number in three significant digits, never an exponent: "0.08", "5,910", "17.5 G";
   returns out. */
char *report_number(char out[32], double x);

/** The same with its sign and one decimal at most: "+4.6", "+43,300"; returns out. */
char *report_signed(char out[32], double x);

/** A number with all its digits for a program to read, with a point whatever the locale says;
    `none` where it is none. */
void report_put_exact(struct report_lines *l, double x, const char *none);

/** A number with one decimal, or none where it is whole or large: "49.8", "50", "5,000"; returns
    out. */
char *report_tenths(char out[32], double x);

#define REPORT_ROWS    40
#define REPORT_COLUMNS 9
#define REPORT_CELL    40

/** A table with aligned columns; zeroed but for align is empty. */
struct report_table {
    const char *align; /**< 'l' or 'r' a column */
    char cell[REPORT_ROWS][REPORT_COLUMNS][REPORT_CELL];
    const char
        *tail[REPORT_ROWS]; /**< free text after the last column, wrapped there; NULL = none */
    unsigned rows;
};

/** Fill a cell, cut to its room. */
void report_set(char cell[REPORT_CELL], const char *text);

/** The cells of a new row; NULL when the table is full. */
char (*report_row(struct report_table *t))[REPORT_CELL];

/** Print the table, columns two blanks apart; a row of which only the first cell and nothing else
   is filled stands across the columns. */
void report_put_table(struct report_lines *l, const struct report_table *t);

/** The same without tails: columns that a line has no room for stand below, beside the first column
   once more. */
void report_put_table_within(struct report_lines *l, const struct report_table *t);

/** How to print the times of one trace so that they line up and can be told apart. */
struct report_clock {
    const char *unit; /**< "s", "ms", "us", "ns" */
    uint64_t tick;    /**< ns a unit */
    int exact;        /**< decimals that give single ns */
    int places;       /**< decimals that are enough */
};

/** A clock for times up to `end` that must tell apart what is `fine` long, ns; fine 0: any. */
struct report_clock report_clock_for(uint64_t end, double fine);

/** A time with that many decimals, rounded; returns out. */
char *report_clock_text(char out[32], const struct report_clock *c, uint64_t ns, int places);

/** The same with its unit, as it can be typed; returns out. */
char *report_clock_time(char out[40], const struct report_clock *c, uint64_t ns, int places);

#endif
