#include "otf/parse.h"

#include <string.h>

#define N   255
#define ROW N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N
/* clang-format off */
const uint8_t otf_digits[256] = {
    ROW, ROW, ROW,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, N, N, N, N, N, N,
    ROW, ROW,
    N, 10, 11, 12, 13, 14, 15, N, N, N, N, N, N, N, N, N,
    ROW, ROW, ROW, ROW, ROW, ROW, ROW, ROW, ROW,
};
/* clang-format on */
#undef ROW
#undef N

/* Short keywords are the long ones' abbreviations: L LEN, T TAG, C COMM, RT ROOT, ... */
static void parse_assign(struct otf_record *r, const char *key, size_t letters, uint64_t v)
{
    const char second = letters > 1 ? key[1] : '\0';

    switch (key[0]) {
    case 'L':
        r->length = v;
        break;
    case 'T':
        r->tag = v;
        break;
    case 'C':
        r->comm = v;
        break;
    case 'R':
        if (second == 'T' || second == 'O')
            r->root = v;
        else
            r->received = v;
        break;
    case 'S':
        if (second != 'C')
            r->sent = v;
        else
            r->site = v;
        break;
    case 'X':
        r->site = v;
        break;
    case 'H':
        r->match = v;
        break;
    case 'D':
        r->duration = v;
        break;
    case 'V':
        r->value = v;
        break;
    default:
        break;
    }
}

const char *otf_parse_fields(const char *p, struct otf_record *r)
{
    for (;;) {
        bool too_large = false;
        const char *key = otf_blanks(p), *end, *q;
        uint64_t v;

        if (*key == '\n')
            return key + 1;
        if (key[0] == '\r' && key[1] == '\n')
            return key + 2;
        end = otf_letters(key);
        q = end > key ? otf_hex(otf_blanks(end), &v, &too_large) : NULL;
        if (!q)
            return otf_parse_bad(key, r, too_large);
        parse_assign(r, key, (size_t)(end - key), v);
        p = q;
    }
}

const char *otf_parse_c(const char *p, struct otf_record *r)
{
    const char *end = otf_letters(p);
    const size_t n = (size_t)(end - p);
    bool too_large = false;
    const char *q;

    r->length = r->tag = r->comm = r->root = 0;
    r->sent = r->received = r->match = r->value = r->duration = 0;
    if (n >= 2 && (p[1] == 'N' || (n >= 3 && p[1] == 'O' && p[2] == 'U')))
        r->kind = OTF_COUNTER;
    else if ((n == 4 && memcmp(p, "COPB", 4) == 0) || (n == 11 && p[6] == 'B'))
        r->kind = OTF_COLLECTIVE_BEGIN;
    else if ((n == 4 && memcmp(p, "COPE", 4) == 0) || (n == 9 && p[6] == 'E'))
        r->kind = OTF_COLLECTIVE_END;
    else if ((n == 3 && memcmp(p, "COP", 3) == 0) || (n == 6 && memcmp(p, "COLLOP", 6) == 0))
        r->kind = OTF_COLLECTIVE;
    else {
        r->kind = OTF_OTHER;
        return otf_line_end(p) + 1;
    }
    q = otf_hex(otf_blanks(end), &r->number, &too_large);
    return q ? otf_parse_fields(q, r) : otf_parse_bad(p, r, too_large);
}

/* A leave may come without its function, with only the place in the source behind it. */
static const char *parse_leave(const char *p, struct otf_record *r)
{
    const char *q = otf_blanks(p[1] == 'E' ? otf_letters(p) : p + 1);

    r->kind = OTF_LEAVE;
    r->number = 0;
    if (otf_is_digit(*q)) {
        bool too_large = false;

        q = otf_hex(q, &r->number, &too_large);
        if (!q)
            return otf_parse_bad(p, r, too_large);
    }
    return otf_parse_fields(q, r);
}

static const char *parse_process(const char *p, struct otf_record *r)
{
    const char *end = otf_letters(p);
    const size_t n = (size_t)(end - p);

    if ((n == 2 && p[1] == 'B') || (n == 12 && memcmp(p, "PROCESSBEGIN", 12) == 0))
        r->kind = OTF_PROCESS_BEGIN;
    else if ((n == 2 && p[1] == 'E') || (n == 10 && memcmp(p, "PROCESSEND", 10) == 0))
        r->kind = OTF_PROCESS_END;
    else
        r->kind = OTF_OTHER;
    return otf_line_end(end) + 1;
}

const char *otf_parse_rest(const char *p, struct otf_record *r)
{
    switch (*p) {
    case 'L':
        return parse_leave(p, r);
    case 'P':
        return parse_process(p, r);
    case 'K':
        r->kind = OTF_KEY_VALUE;
        break;
    case '#':
        r->kind = OTF_COMMENT;
        break;
    case 'N':
    case '\n':
        r->kind = OTF_NOTHING;
        break;
    default:
        if (otf_is_letter(*p))
            r->kind = OTF_OTHER;
        else if (p[0] == '\r' && p[1] == '\n')
            r->kind = OTF_NOTHING;
        else
            r->kind = OTF_BAD;
        break;
    }
    return otf_line_end(p) + 1;
}
