#include "otf/fields.h"

#include "otf/parse.h"

#include <string.h>

static const struct {
    const char *brief, *full;
    enum otf_definition what;
} definitions[] = {
    { "DTR", "DEFTIMERRESOLUTION", OTF_DEF_RESOLUTION },
    { "DTRG", "DEFTIMERANGE", OTF_DEF_RANGE },
    { "DP", "DEFPROCESS", OTF_DEF_PROCESS },
    { "DPG", "DEFPROCESSGROUP", OTF_DEF_GROUP },
    { "DF", "DEFFUNCTION", OTF_DEF_FUNCTION },
    { "DFG", "DEFFUNCTIONGROUP", OTF_DEF_FUNCTION_GROUP },
    { "DCO", "DEFCOLLOP", OTF_DEF_OPERATION },
    { "DCNT", "DEFCOUNTER", OTF_DEF_COUNTER },
    { "DS", "DEFSCL", OTF_DEF_SITE },
    { "DSF", "DEFSCLFILE", OTF_DEF_SITE_FILE },
    { "DAUX", "DEFAUXSAMPLEPOINT", OTF_DEF_SAMPLE_POINT },
};

static bool fields_is(const char *at, size_t count, const char *text)
{
    return strlen(text) == count && memcmp(at, text, count) == 0;
}

enum otf_definition otf_definition_of(const char **p, bool *long_form)
{
    const char *first = *p;
    const size_t n = (size_t)(otf_letters(first) - first);

    *p = first + n;
    *long_form = n > 3 && memcmp(first, "DEF", 3) == 0;
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++)
        if (fields_is(first, n, definitions[i].brief) || fields_is(first, n, definitions[i].full))
            return definitions[i].what;
    return OTF_DEF_OTHER;
}

static const char *fields_text_end(const char *p)
{
    while (*p != '"' && *p != '\n')
        p += p[0] == '\\' && p[1] != '\n' ? 2 : 1;
    return *p == '"' ? p : NULL;
}

bool otf_field_next(const char **p, struct otf_field *f, bool *bad)
{
    const char *at = otf_blanks(*p), *end;
    bool too_large = false;

    *bad = false;
    if (*at == '\n' || (at[0] == '\r' && at[1] == '\n'))
        return false;
    f->key = at;
    at = otf_letters(at);
    f->letters = (size_t)(at - f->key);
    at = otf_blanks(at);
    *bad = true;
    if (*at == '"') {
        end = fields_text_end(at + 1);
        if (!end)
            return false;
        f->kind = OTF_FIELD_TEXT;
        f->value = at + 1;
        f->end = end;
        *p = end + 1;
    } else {
        end = otf_hex(at, &f->number, &too_large);
        if (!end)
            return false;
        f->kind = *end == ',' ? OTF_FIELD_LIST : OTF_FIELD_NUMBER;
        f->value = at;
        while (*end == ',' || otf_is_digit(*end))
            end++;
        f->end = *p = end;
    }
    *bad = false;
    return true;
}

bool otf_field_is(const struct otf_field *f, const char *brief, const char *full)
{
    return fields_is(f->key, f->letters, brief) || fields_is(f->key, f->letters, full);
}

enum prvcut_status otf_field_text(const struct otf_field *f, struct prvcut_buffer *to,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (const char *p = f->value; p < f->end && st == PRVCUT_OK; p++) {
        char c = *p;

        if (c == '\\' && p + 1 < f->end) {
            c = *++p;
            if (c == 'n')
                c = '\n';
        }
        st = prvcut_buffer_append(to, &c, 1, err);
    }
    return st;
}
