#ifndef PRVCUT_PARAVER_DATE_H
#define PRVCUT_PARAVER_DATE_H

#include <stddef.h>
#include <stdint.h>

/** Room for any date with its end. */
#define PRV_DATE_ROOM 64

/**
 * The date of a header, "dd/mm/yyyy at hh:mm" or with two digits of the year: seconds since 1970,
 * UTC, because the format names no time zone; INT64_MIN where it is none.
 */
int64_t prv_date_parse(const char *text, size_t count);

/** The other way round, to the minute; what is no date of the format is the first of 1970. */
const char *prv_date_text(char out[PRV_DATE_ROOM], int64_t seconds);

#endif
