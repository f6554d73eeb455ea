#ifndef PRVCUT_API_CENSUS_TELL_H
#define PRVCUT_API_CENSUS_TELL_H

#include "api/census.h"
#include "report/lines.h"

/* Pieces of the text that tell a census. */

/** "1,234 lines" */
void tell_number(struct report_lines *l, uint64_t n, const char *noun);

/** A foreign text into a cell; never ends within a character. */
void tell_cell(char cell[REPORT_CELL], const char *text);

/** Entries in another order; NULL: out of memory, which l tells. Freed by the caller. */
struct census_entry *tell_sorted(struct report_lines *l, const struct census_table *t,
                                 int (*order)(const void *, const void *));
int tell_by_time(const void *a, const void *b);
int tell_by_count(const void *a, const void *b);

void tell_heads(struct report_table *table, const char *const head[REPORT_COLUMNS]);

/** "and 12 more functions (--json lists all)", if there are any. */
void tell_more(struct report_lines *l, size_t hidden, const char *noun);

/** What a person calls a function; returns out or a text of the names. */
const char *census_function_text(char *out, size_t room, const struct prvcut_dictionary *names,
                                 uint64_t number);

/** The title, the records, where the time goes, calls of MPI, what to watch out for, what to do
 * next. */
void tell_title(struct report_lines *l, const struct census_story *s);
void tell_records_shortly(struct report_lines *l, const struct census_story *s);
void tell_shares(struct report_lines *l, const struct census_story *s);
void tell_calls_shortly(struct report_lines *l, const struct census_story *s);
void tell_watch(struct report_lines *l, const struct census_story *s);
void tell_next(struct report_lines *l, const struct census_story *s);

/** Of the whole run, with the clocks as they are told. */
void tell_contradictions(struct report_lines *l, const struct census_clocks *whole);

/** All MPI calls of a trace that has no names of its own. */
void tell_calls(struct report_lines *l, const struct census_story *s);

/** Tables of a trace that has names of its own. */
void tell_metrics(struct report_lines *l, const struct census_story *s);
void tell_functions(struct report_lines *l, const struct census_story *s);
void tell_locations(struct report_lines *l, const struct census_story *s);

#endif
