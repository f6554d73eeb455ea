#include "report/page_said.h"

#include <string.h>

#define HEADING 12 /* letters of a report's headings, with the blanks behind them */

/* A piece of a line; text is cut there for the time being. */
static void sad_put_part(struct report_lines *out, char *text, size_t length)
{
    const char kept = text[length];

    text[length] = '\0';
    svg_put_text(out, text);
    text[length] = kept;
}

/* Options are not broken behind their hyphens. */
static void sad_put_words(struct report_lines *out, char *text, size_t length)
{
    size_t at = 0;

    for (size_t i = 1; i + 2 < length; i++) {
        size_t option = 0;

        if (strncmp(text + i, "--", 2) != 0 || text[i - 1] != ' ')
            continue;
        while (i + option < length && !strchr(" ,;:)", text[i + option]))
            option++;
        sad_put_part(out, text + at, i - at);
        svg_put_raw(out, "<span class=\"option\">");
        sad_put_part(out, text + i, option);
        svg_put_raw(out, "</span>");
        at = i += option;
    }
    sad_put_part(out, text + at, length - at);
}

/* Does a line start with a word and blanks, as a heading does? */
static bool sad_has_heading(const char *line, size_t length)
{
    return length > HEADING && line[0] >= 'A' && line[0] <= 'Z' && line[HEADING - 1] == ' ' &&
           line[HEADING] != ' ';
}

static void sad_put_heading(struct report_lines *out, char *line)
{
    size_t length = HEADING;

    while (line[length - 1] == ' ')
        length--;
    svg_put_raw(out, "<dt>");
    sad_put_part(out, line, length);
    svg_put_raw(out, "</dt><dd>");
}

/* open: the list has begun; returns whether it has then. */
static bool sad_put_line(struct report_lines *out, char *line, size_t length, bool open)
{
    const bool heading = sad_has_heading(line, length);
    const size_t from = heading ? HEADING : strspn(line, " ");

    if (heading) {
        svg_put_raw(out, open ? "</dd>\n" : "<dl class=\"said\">\n");
        sad_put_heading(out, line);
    } else {
        svg_put_raw(out, open ? "\n" : "<p class=\"answer\">");
    }
    sad_put_words(out, line + from, length - from);
    svg_put_raw(out, heading || open ? "" : "</p>\n");
    return heading || open;
}

/* The table of several cuts begins so; the page has its own. */
static bool sad_is_table(const char *line)
{
    return strncmp(line, "Region  ", 8) == 0;
}

void page_said(struct report_lines *out, char *text)
{
    bool open = false, table = false;

    for (char *line = text; *line && *line != '\n';) {
        const size_t length = strcspn(line, "\n");

        table = !open && !sad_has_heading(line, length) && (table || sad_is_table(line));
        if (!table)
            open = sad_put_line(out, line, length, open);
        line += length + (line[length] == '\n');
    }
    svg_put_raw(out, open ? "</dd></dl>\n" : "");
}
