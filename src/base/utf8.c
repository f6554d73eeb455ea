#include "base/utf8.h"

size_t prvcut_utf8_bytes(const char *text, uint32_t *out)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {
        { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 }
    };
    const unsigned char *c = (const unsigned char *)text;

    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++) {
        uint32_t code = c[0] & (unsigned)(unsigned char)~forms[n].mask;

        if ((c[0] & forms[n].mask) != forms[n].lead)
            continue;
        for (size_t i = 1; i <= n; i++) {
            if ((c[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (c[i] & 0x3fu);
        }
        if (code < forms[n].least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return 0;
        if (out)
            *out = code;
        return n + 1;
    }
    return 0;
}

bool prvcut_utf8_is_whole(const char *text)
{
    while (*text) {
        const size_t bytes = (unsigned char)*text < 0x80 ? 1 : prvcut_utf8_bytes(text, NULL);

        if (bytes == 0)
            return false;
        text += bytes;
    }
    return true;
}

size_t prvcut_utf8_of_latin(char *out, size_t room, const char *text)
{
    size_t n = 0;

    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        const bool plain = *at < 0x80;

        if (n + (plain ? 1 : PRVCUT_UTF8_OF_LATIN) >= room)
            break;
        if (!plain)
            out[n++] = (char)(0xc0 | *at >> 6);
        out[n++] = plain ? (char)*at : (char)(0x80 | (*at & 0x3f));
    }
    out[n] = '\0';
    return n;
}
