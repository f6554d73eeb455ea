#include "report/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mean that is so far from the median, as a share of that, is told, too. */
#define FAR 0.05

/** A unit and how many of the base it is. */
struct uni_unit {
    const char *name;
    double factor;
};

/*
 * Three significant digits, in the largest unit that keeps the number at 1 or above; the base is
 * never broken up.
 */
static char *uni_text(char out[32], double x, const struct uni_unit *unit, size_t units,
                      const char *between)
{
    const double half = 0.005; /* what rounds a 9.99... up to 10 */
    size_t i = 0;
    double scaled;
    int places = 2;

    while (i + 1 < units && x / unit[i + 1].factor >= 1 - half / 10)
        i++;
    scaled = x / unit[i].factor;
    for (double limit = 10 - half; places > 0 && scaled >= limit; limit *= 10)
        places--;
    snprintf(out, 32, "%.*f%s%s", i == 0 ? 0 : places, scaled, between, unit[i].name);
    return out;
}

/* A million and more: "17.5 G". */
static char *uni_large(char out[32], double x)
{
    static const struct uni_unit units[] = { { "", 1 },    { "k", 1e3 },  { "M", 1e6 },
                                             { "G", 1e9 }, { "T", 1e12 }, { "P", 1e15 },
                                             { "E", 1e18 } };

    out[0] = '-';
    uni_text(out + (x < 0), fabs(x), units, sizeof units / sizeof *units, " ");
    return out;
}

char *report_number(char out[32], double x)
{
    const double size = fabs(x);
    double step = 1;
    int places = 0;

    if (!isfinite(x) || size >= 1e18) {
        snprintf(out, 32, "%g", x);
    } else if (size >= 999500) {
        return uni_large(out, x);
    } else if (size >= 999.5) {
        while (size / step >= 999.5)
            step *= 10;
        out[0] = '-';
        report_count(out + (x < 0), (uint64_t)(round(size / step) * step));
    } else {
        for (double limit = 99.95; places < 6 && size > 0 && size < limit; limit /= 10)
            places++;
        snprintf(out, 32, "%.*f", places, x);
        if (strchr(out, '.'))
            for (size_t n = strlen(out); out[n - 1] == '0' || out[n - 1] == '.'; n--) {
                const bool point = out[n - 1] == '.';

                out[n - 1] = '\0';
                if (point)
                    break;
            }
    }
    return out;
}

/* The shortest of two texts that reads back as the same number. */
void report_put_exact(struct report_lines *l, double x, const char *none)
{
    char text[40];

    if (!isfinite(x)) {
        report_put(l, "%s", none);
        return;
    }
    snprintf(text, sizeof text, "%.15g", x);
    if (strtod(text, NULL) != x)
        snprintf(text, sizeof text, "%.17g", x);
    for (char *c = text; *c; c++)
        if (!strchr("0123456789+-e", *c))
            *c = '.';
    report_put(l, "%s", text);
}

char *report_signed(char out[32], double x)
{
    char text[32];

    if (fabs(x) < 99.95 || !isfinite(x))
        snprintf(out, 32, "%+.1f", x);
    else
        snprintf(out, 32, "%s%.30s", x < 0 ? "" : "+", report_number(text, x));
    return out;
}

char *prvcut_time_text(char out[32], double ns)
{
    static const struct uni_unit units[] = {
        { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }
    };

    if (ns <= 0)
        return strcpy(out, "0s");
    return uni_text(out, ns, units, sizeof units / sizeof *units, "");
}

/* Digits behind the point, and ns a unit, of a time that was printed. */
static int uni_places(const char *text, double *scale)
{
    const char *point = strchr(text, '.');

    *scale = strstr(text, "ns") ? 1 : strstr(text, "us") ? 1e3 : strstr(text, "ms") ? 1e6 : 1e9;
    return point ? (int)strspn(point + 1, "0123456789") : 0;
}

/* "± 0.09" in the unit of the median; one that is nothing there keeps its own. */
static void uni_spread(char out[40], double spread, double scale, int places)
{
    char text[32];

    if (spread <= 0)
        out[0] = '\0';
    else if (spread / scale * pow(10, places) < 0.5)
        snprintf(out, 40, "\xc2\xb1 %s", prvcut_time_text(text, spread));
    else
        snprintf(out, 40, "\xc2\xb1 %.*f", places, spread / scale);
}

char *report_times(char out[32], uint64_t count)
{
    char number[32];

    if (count == 1 || count == 2)
        snprintf(out, 32, "%s", count == 1 ? "once" : "twice");
    else
        snprintf(out, 32, "%.20s times", report_count(number, count));
    return out;
}

bool report_mean_is_far(double median, double mean)
{
    return mean > 0 && median > 0 && fabs(mean / median - 1) > FAR;
}

/* Three digits at most; in its own unit where it is far from that of the median. */
static void uni_mean(char out[32], double mean, double scale, int places)
{
    const double shown = mean / scale;
    const int most = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;

    if (shown >= 999.5 || shown < 0.1)
        prvcut_time_text(out, mean);
    else
        snprintf(out, 32, "%.*f", places < most ? places : most, shown);
}

char *report_length(char out[64], double median, double spread, double mean)
{
    char text[32], about[40], other[32];
    double scale;
    int places;

    prvcut_time_text(text, median);
    places = uni_places(text, &scale);
    uni_spread(about, spread, scale, places);
    uni_mean(other, mean, scale, places);
    if (report_mean_is_far(median, mean))
        snprintf(out, 64, "%.19s (median%s%.14s, mean %.9s)", text, *about ? " " : "", about,
                 other);
    else
        snprintf(out, 64, *about ? "%s (%s)" : "%s", text, about);
    return out;
}

char *prvcut_size_text(char out[32], double bytes)
{
    static const struct uni_unit units[] = {
        { "B", 1 }, { "kB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 }
    };

    return uni_text(out, bytes, units, sizeof units / sizeof *units, " ");
}
