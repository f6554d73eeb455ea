#include "report/brief.h"

#include "structure/mask.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void brief_add(struct brief_text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(t->at + t->count, sizeof t->at - t->count, format, args);
    va_end(args);
    if (n > 0)
        t->count += (size_t)n < sizeof t->at - t->count ? (size_t)n : sizeof t->at - t->count - 1;
}

/* Where the last clause ends that still fits a line; SIZE_MAX: the first one does not. */
static size_t brl_clause_end(const char *text, size_t columns, const char *between)
{
    size_t end = SIZE_MAX;

    for (const char *at = strstr(text, between); at; at = strstr(at + 1, between)) {
        char head[1024];

        snprintf(head, sizeof head, "%.*s", (int)(at - text), text);
        if (report_columns(head) > columns)
            break;
        end = (size_t)(at - text);
    }
    return end;
}

/* A text without the clauses that do not fit a line of their own. */
static void brl_keep_first(char *text, size_t columns)
{
    size_t end;

    if (report_columns(text) <= columns)
        return;
    end = brl_clause_end(text, columns, "; ");
    if (end == SIZE_MAX)
        end = brl_clause_end(text, columns, ", ");
    if (end != SIZE_MAX)
        text[end] = '\0';
}

void brief_line(struct brief *b, const char *heading, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (b->terse >= BRIEF_ONE_LINE)
        brl_keep_first(text, b->width - BRIEF_HEADING);
    report_head(&b->l, heading);
    report_put_wrapped(&b->l, b->width, text);
}

void brief_add_numbers(struct brief_text *t, const struct made_chop *c)
{
    /* As --iteration takes them: no commas. */
    if (c->is.iterations > 1 && c->is.iteration > 0)
        brief_add(t, "iterations %" PRIu64 "-%" PRIu64, c->is.iteration,
                  c->is.iteration + c->is.iterations - 1);
    else if (c->is.iteration > 0)
        brief_add(t, "iteration %" PRIu64, c->is.iteration);
}

bool brief_disturbed(const struct made_reduction *r, const struct made_chop *c)
{
    return prvcut_structure_touches(&r->structure, c);
}
