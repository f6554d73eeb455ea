#include "report/svg.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST 1.8e18 /* of a number times its scale */

static void svg_append(struct report_lines *l, const char *bytes, size_t count)
{
    if (l->st == PRVCUT_OK)
        l->st = prvcut_buffer_append(&l->out, bytes, count, l->err);
}

void svg_put_raw(struct report_lines *l, const char *text)
{
    svg_append(l, text, strlen(text));
}

/* Bytes of a well-formed character of UTF-8 that XML allows; 0: it is none. */
static size_t svg_utf8(const unsigned char *c)
{
    uint32_t code = 0;
    const size_t bytes = prvcut_utf8_bytes((const char *)c, &code);

    /* C1 controls are none. */
    return (code >= 0x80 && code < 0xa0) || code == 0xfffe || code == 0xffff ? 0 : bytes;
}

/* Print one character that is no markup; returns how many bytes of the text it took. */
static size_t svg_put_clean(struct report_lines *l, const unsigned char *c)
{
    const size_t bytes = svg_utf8(c);

    if (bytes == 0 || *c < 0x20 || *c == 0x7f)
        svg_put_raw(l, *c == '\t' || *c == '\n' || *c == '\r' ? " " : "\xef\xbf\xbd");
    else
        svg_append(l, (const char *)c, bytes);
    return bytes > 0 ? bytes : 1;
}

static size_t svg_put_character(struct report_lines *l, const unsigned char *c)
{
    static const char *const escape[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
    };

    if (*c >= sizeof escape / sizeof *escape || !escape[*c])
        return svg_put_clean(l, c);
    svg_put_raw(l, escape[*c]);
    return 1;
}

void svg_put_plain(struct report_lines *l, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    while (*c)
        c += svg_put_clean(l, c);
}

void svg_put_text(struct report_lines *l, const char *text)
{
    svg_put_short(l, text, SIZE_MAX);
}

size_t svg_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t count = 0;

    for (; *c; count++) {
        const size_t bytes = svg_utf8(c);

        c += bytes > 0 ? bytes : 1;
    }
    return count;
}

void svg_put_short(struct report_lines *l, const char *text, size_t most)
{
    const unsigned char *c = (const unsigned char *)(text ? text : "");
    const size_t count = svg_length((const char *)c);

    for (size_t i = 0; *c; i++) {
        if (count > most && i + 1 >= most) {
            svg_put_raw(l, "\xe2\x80\xa6");
            return;
        }
        c += svg_put_character(l, c);
    }
}

char *svg_fixed(char out[32], double x, int decimals)
{
    static const uint32_t scales[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
    const uint32_t scale = scales[decimals < 0 ? 0 : decimals > 6 ? 6 : decimals];
    const double large = fabs(x) * scale;
    const uint64_t n = isnan(x) ? 0 : (uint64_t)((large > LARGEST ? LARGEST : large) + 0.5);
    const char *sign = x < 0 && n > 0 ? "-" : "";

    if (scale == 1)
        snprintf(out, 32, "%s%" PRIu64, sign, n);
    else
        snprintf(out, 32, "%s%" PRIu64 ".%0*" PRIu64, sign, n / scale, decimals > 6 ? 6 : decimals,
                 n % scale);
    return out;
}

void svg_put_number(struct report_lines *l, double x, int decimals)
{
    char text[32];
    size_t n = strlen(svg_fixed(text, x, decimals));

    if (strchr(text, '.')) {
        while (text[n - 1] == '0')
            n--;
        if (text[n - 1] == '.')
            n--;
    }
    svg_append(l, text, n);
}

void svg_put_json(struct report_lines *l, const char *json)
{
    while (*json) {
        const size_t plain = strcspn(json, "<\x7f");

        svg_append(l, json, plain);
        json += plain;
        if (*json)
            svg_put_raw(l, *json++ == '<' ? "\\u003c" : "\\u007f");
    }
}
