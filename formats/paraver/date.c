#include "paraver/date.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Days from 1970 to a day of the Gregorian calendar; a year that begins in March has its leap day
   at its end. year >= 1 */
static int64_t date_days_of(int year, int month, int day)
{
    const int from_march = (month + 9) % 12;
    const int y = month > 2 ? year : year - 1;
    const int64_t days = 365 * (int64_t)y + y / 4 - y / 100 + y / 400;

    return days + (153 * from_march + 2) / 5 + day - 1 - 719468;
}

static int date_days_in(int year, int month)
{
    static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

int64_t prv_date_parse(const char *text, size_t count)
{
    char line[PRV_DATE_ROOM];
    int day, month, year, hour, minute, used = 0;

    if (count >= sizeof line)
        return INT64_MIN;
    memcpy(line, text, count);
    line[count] = '\0';
    if (sscanf(line, "%2d/%2d/%4d at %2d:%2d%n", &day, &month, &year, &hour, &minute, &used) != 5 ||
        (size_t)used != count)
        return INT64_MIN;
    /* Two digits are read as POSIX reads them. */
    if (year >= 0 && year < 100)
        year += year < 69 ? 2000 : 1900;
    if (year < 100 || month < 1 || month > 12 || day < 1 || day > date_days_in(year, month) ||
        hour < 0 || hour > 23 || minute < 0 || minute > 59)
        return INT64_MIN;
    return ((date_days_of(year, month, day) * 24 + hour) * 60 + minute) * 60;
}

const char *prv_date_text(char out[PRV_DATE_ROOM], int64_t seconds)
{
    const time_t t = (time_t)seconds;
    struct tm utc;

    if (!gmtime_r(&t, &utc) || utc.tm_year > 9999 - 1900 || utc.tm_year < 0 ||
        strftime(out, PRV_DATE_ROOM, "%d/%m/%Y at %H:%M", &utc) == 0)
        strcpy(out, "01/01/1970 at 00:00");
    return out;
}
