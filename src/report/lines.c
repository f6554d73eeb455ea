#include "report/lines.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADING_WIDTH 12
#define FOREIGN_LIMIT 1024

static void __attribute__((format(printf, 2, 0)))
lin_put(struct report_lines *l, const char *format, va_list args)
{
    char line[2048];
    const int n = vsnprintf(line, sizeof line, format, args);

    if (l->st != PRVCUT_OK || n < 0)
        return;
    l->st = prvcut_buffer_append(&l->out, line,
                                 (size_t)n < sizeof line ? (size_t)n : sizeof line - 1, l->err);
}

void report_put(struct report_lines *l, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    lin_put(l, format, args);
    va_end(args);
}

void report_head(struct report_lines *l, const char *heading)
{
    report_put(l, "%-*s", HEADING_WIDTH, heading);
}

/* What a terminal shows of it: the bytes that continue a character take no column. */
size_t report_columns(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* Bytes of so many columns of it. */
static size_t lin_bytes(const char *text, size_t columns)
{
    const char *at = text;

    while (*at && (columns > 0 || ((unsigned char)*at & 0xc0) == 0x80))
        columns -= ((unsigned char)*at++ & 0xc0) != 0x80;
    return (size_t)(at - text);
}

/* Where a line that ends there tears parentheses apart that fit on one: before these. */
static size_t lin_before_parentheses(const char *text, size_t n, size_t room)
{
    for (size_t i = n; i-- > 1;) {
        if (text[i] == ')')
            return n;
        if (text[i] == '(')
            return text[i - 1] == ' ' && strcspn(text + i, ")") < room ? i - 1 : n;
    }
    return n;
}

/* Bytes of the next line: up to the last blank that fits, or the first one there is. A percent sign
   stays between its number and what that is of. */
static size_t lin_fit(const char *text, size_t room)
{
    size_t n = strlen(text);

    if (report_columns(text) <= room)
        return n;
    for (n = lin_bytes(text, room);
         n > 0 && (text[n] != ' ' || text[n + 1] == '%' || text[n - 1] == '%'); n--)
        continue;
    n = lin_before_parentheses(text, n, room);
    return n > 0 ? n : strcspn(text, " ");
}

void report_put_wrapped(struct report_lines *l, size_t width, const char *text)
{
    for (bool first = true; first || *text; first = false) {
        const size_t n = lin_fit(text, width - HEADING_WIDTH);

        report_put(l, "%*s%.*s\n", first ? 0 : HEADING_WIDTH, "", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
}

void report_put_whole(struct report_lines *l, size_t width, const char *text)
{
    size_t n = lin_fit(text, width);

    report_put(l, "%.*s\n", (int)n, text);
    n += strspn(text + n, " ");
    if (text[n]) {
        report_head(l, "");
        report_put_wrapped(l, width, text + n);
    }
}

void report_wrap(struct report_lines *l, size_t width)
{
    char *all = NULL, *end;

    if (report_take(l, &all) != PRVCUT_OK)
        return;
    for (char *at = all; *at; at = end + 1) {
        end = at + strcspn(at, "\n");
        *end = '\0';
        report_put_whole(l, width, at);
    }
    free(all);
}

void report_put_foreign(struct report_lines *l, const char *text)
{
    char safe[FOREIGN_LIMIT];

    report_put(l, "%s", prvcut_quote(safe, sizeof safe, text, strlen(text)));
}

void report_put_value(struct report_lines *l, const char *text)
{
    if (!text || !strpbrk(text, ",\"\r\n")) {
        report_put(l, "%s", text ? text : "");
        return;
    }
    report_put(l, "\"");
    for (; *text; text++) {
        if (*text == '"')
            report_put(l, "\"");
        report_put(l, "%c", *text);
    }
    report_put(l, "\"");
}

enum prvcut_status report_take(struct report_lines *l, char **text)
{
    if (l->st == PRVCUT_OK)
        l->st = prvcut_buffer_append(&l->out, "", 1, l->err);
    if (l->st != PRVCUT_OK) {
        prvcut_buffer_fini(&l->out);
        return l->st;
    }
    *text = l->out.at;
    l->out = (struct prvcut_buffer){ 0 };
    return PRVCUT_OK;
}

char *report_count(char out[32], uint64_t n)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *to = out;

    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

char *report_tenths(char out[32], double x)
{
    const bool whole = fabs(x - round(x)) < 0.05;

    snprintf(out, 32, "%.*f", whole ? 0 : 1, x);
    return out;
}

char *report_sure(char out[32], double confidence)
{
    if (isnan(confidence))
        snprintf(out, 32, "as given");
    else
        snprintf(out, 32, "%.2f", confidence);
    return out;
}

const char *report_sure_word(double confidence)
{
    /* What is printed is judged: two decimals. */
    const double told = round(100 * confidence) / 100;

    if (told >= 0.9)
        return "yes";
    return told >= 0.5 ? "fairly" : "hardly";
}

void report_set(char cell[REPORT_CELL], const char *text)
{
    snprintf(cell, REPORT_CELL, "%s", text);
}

char (*report_row(struct report_table *t))[REPORT_CELL]
{
    return t->rows < REPORT_ROWS ? t->cell[t->rows++] : NULL;
}

static int lin_width(const struct report_table *t, size_t column)
{
    size_t width = 0;

    for (unsigned r = 0; r < t->rows; r++)
        if (report_columns(t->cell[r][column]) > width)
            width = report_columns(t->cell[r][column]);
    return (int)width;
}

/* Blanks at the end of a line are left out. */
static void lin_end(struct report_lines *l)
{
    while (l->st == PRVCUT_OK && l->out.count > 0 && l->out.at[l->out.count - 1] == ' ')
        l->out.count--;
    report_put(l, "\n");
}

void report_put_table(struct report_lines *l, const struct report_table *t)
{
    const size_t columns = strlen(t->align);

    for (unsigned r = 0; r < t->rows; r++) {
        for (size_t i = 0; i < columns; i++)
            report_put(l, t->align[i] == 'l' ? "%s%-*s" : "%s%*s", i > 0 ? "  " : "",
                       lin_width(t, i) +
                           (int)(strlen(t->cell[r][i]) - report_columns(t->cell[r][i])),
                       t->cell[r][i]);
        if (t->tail[r])
            report_put(l, "  %s", t->tail[r]);
        lin_end(l);
    }
}

/* A thousandth of what must be told apart is fine enough to read. */
struct report_clock report_clock_for(uint64_t end, double fine)
{
    static const struct report_clock clocks[] = {
        { "s", 1000000000, 9, 0 }, { "ms", 1000000, 6, 0 }, { "us", 1000, 3, 0 }, { "ns", 1, 0, 0 }
    };
    struct report_clock c = clocks[3];
    double step;

    for (size_t i = 3; i-- > 0;)
        if (end >= clocks[i].tick)
            c = clocks[i];
    step = (double)c.tick;
    for (c.places = 0; c.places < c.exact && step > (fine > 0 ? fine : (double)end) / 1000;
         step /= 10)
        c.places++;
    return c;
}

char *report_clock_text(char out[32], const struct report_clock *c, uint64_t ns, int places)
{
    uint64_t step = 1, scale = 1, steps;

    for (int i = places; i < c->exact; i++)
        step *= 10;
    for (int i = 0; i < places; i++)
        scale *= 10;
    steps = ns / step + (ns % step >= (step + 1) / 2 && step > 1);
    if (places > 0)
        snprintf(out, 32, "%llu.%0*u", (unsigned long long)(steps / scale), places > 9 ? 9 : places,
                 (unsigned)(steps % scale));
    else
        snprintf(out, 32, "%llu", (unsigned long long)steps);
    return out;
}

char *report_clock_time(char out[40], const struct report_clock *c, uint64_t ns, int places)
{
    char number[32];

    snprintf(out, 40, "%s%s", report_clock_text(number, c, ns, places), c->unit);
    return out;
}
