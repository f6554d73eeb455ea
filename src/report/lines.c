#include "report/lines.h"

#include "base/print.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADING_WIDTH 12
#define FOREIGN_LIMIT 1024
/* Columns that a text at the end of a row has at least. */
#define TAIL_LEAST 16

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
unsigned report_count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

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

/* "31.2 kB", "54 % MPI_Recv": such a blank is no end of a line. */
static bool lin_belongs(const char *text, size_t blank)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    const char *next = text + blank + 1;
    const size_t n = strcspn(next, " ,;:)/");

    if (blank == 0 || *next == '%' || text[blank - 1] == '%')
        return true;
    for (size_t i = 0; isdigit((unsigned char)text[blank - 1]) && i < sizeof units / sizeof *units;
         i++)
        if (strlen(units[i]) == n && strncmp(next, units[i], n) == 0)
            return true;
    return false;
}

/* Bytes of the next line: up to the last blank that fits, or the first one there is. */
static size_t lin_fit(const char *text, size_t room)
{
    size_t n = strlen(text);

    if (report_columns(text) <= room)
        return n;
    for (n = lin_bytes(text, room); n > 0 && (text[n] != ' ' || lin_belongs(text, n)); n--)
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

/* A line has its heading, or the blanks in its place, and at least one word. */
static size_t lin_fit_headed(const char *text, size_t width)
{
    const size_t n = lin_fit(text, width);

    if (n >= HEADING_WIDTH || strlen(text) < HEADING_WIDTH || text[HEADING_WIDTH - 1] != ' ')
        return n;
    return HEADING_WIDTH + strcspn(text + HEADING_WIDTH, " ");
}

void report_put_whole(struct report_lines *l, size_t width, const char *text)
{
    size_t n = lin_fit_headed(text, width);

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
    return prvcut_count_text(out, n);
}

char *report_tenths(char out[32], double x)
{
    if (x >= 1000 && x < 1e18)
        return report_count(out, (uint64_t)round(x));
    snprintf(out, 32, "%.*f", fabs(x - round(x)) < 0.05 ? 0 : 1, x);
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

/* Does only its first cell hold something? It stands across the columns then. */
static bool lin_is_across(const struct report_table *t, unsigned row)
{
    bool others = t->tail[row] && *t->tail[row];

    for (size_t i = 1; t->align[i]; i++)
        others = others || t->cell[row][i][0];
    return !others;
}

static size_t lin_width(const struct report_table *t, size_t column)
{
    size_t width = 0;

    for (unsigned r = 0; r < t->rows; r++)
        if (!lin_is_across(t, r) && report_columns(t->cell[r][column]) > width)
            width = report_columns(t->cell[r][column]);
    return width;
}

/* Blanks at the end of a line are left out. */
static void lin_end(struct report_lines *l)
{
    while (l->st == PRVCUT_OK && l->out.count > 0 && l->out.at[l->out.count - 1] == ' ')
        l->out.count--;
    report_put(l, "\n");
}

/* Bytes of the next line of a list: it ends behind a sign if it can. */
static size_t lin_fit_list(const char *text, size_t room)
{
    const size_t most = lin_fit(text, room);

    for (size_t n = most; text[most] && n > 1; n--)
        if (text[n] == ' ' && text[n - 1] == ';')
            return n;
    return most;
}

void report_put_tail(struct report_lines *l, const char *tail, size_t before)
{
    const size_t width = l->width > 0 ? l->width : REPORT_WIDTH;
    size_t room = before + TAIL_LEAST < width ? width - before : TAIL_LEAST;

    /* Where the columns leave no room it stands below them. */
    if (before + TAIL_LEAST > width && HEADING_WIDTH + TAIL_LEAST < width) {
        lin_end(l);
        before = HEADING_WIDTH;
        room = width - before;
        report_put(l, "%*s", (int)before, "");
    }
    for (bool first = true; *tail; first = false) {
        const size_t n = lin_fit_list(tail, room);

        if (!first)
            report_put(l, "\n%*s", (int)before, "");
        report_put(l, "%.*s", (int)n, tail);
        tail += n;
        tail += strspn(tail, " ");
    }
}

void report_put_table(struct report_lines *l, const struct report_table *t)
{
    const size_t columns = strlen(t->align);
    size_t width[REPORT_COLUMNS], before = 0;

    for (size_t i = 0; i < columns; i++)
        before += (width[i] = lin_width(t, i)) + 2;
    for (unsigned r = 0; r < t->rows; r++) {
        for (size_t i = 0; i < columns; i++)
            report_put(l, t->align[i] == 'l' ? "%s%-*s" : "%s%*s", i > 0 ? "  " : "",
                       (int)(width[i] + strlen(t->cell[r][i]) - report_columns(t->cell[r][i])),
                       t->cell[r][i]);
        if (t->tail[r] && *t->tail[r]) {
            report_put(l, "  ");
            report_put_tail(l, t->tail[r], before);
        }
        lin_end(l);
    }
}

void report_put_table_within(struct report_lines *l, const struct report_table *t)
{
    const size_t most = l->width > 0 ? l->width : REPORT_WIDTH;
    size_t columns = strlen(t->align);
    struct report_table part;
    char align[REPORT_COLUMNS + 1];

    while (columns > 1 && lin_width(t, columns - 1) == 0)
        columns--;
    for (size_t i = 1, end; i < columns; i = end) {
        size_t width = lin_width(t, 0);

        part = (struct report_table){ .align = align, .rows = t->rows };
        for (end = i; end < columns && (end == i || width + 2 + lin_width(t, end) <= most); end++)
            width += 2 + lin_width(t, end);
        snprintf(align, sizeof align, "%c%.*s", t->align[0], (int)(end - i), t->align + i);
        for (unsigned r = 0; r < t->rows; r++) {
            memcpy(part.cell[r][0], t->cell[r][0], REPORT_CELL);
            memcpy(part.cell[r][1], t->cell[r][i], (end - i) * REPORT_CELL);
        }
        report_put(l, i > 1 ? "\n" : "");
        report_put_table(l, &part);
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
