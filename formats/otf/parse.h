#ifndef PRVCUT_OTF_PARSE_H
#define PRVCUT_OTF_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a line of an event file is. */
enum otf_kind {
    OTF_TIME,             /**< number: the current time from here on, ticks */
    OTF_PROCESS,          /**< number: the current process from here on */
    OTF_ENTER,            /**< number: function; site */
    OTF_LEAVE,            /**< number: function; 0: the innermost one */
    OTF_SEND,             /**< number: receiver; length, tag, comm */
    OTF_RECEIVE,          /**< number: sender; length, tag, comm */
    OTF_COLLECTIVE,       /**< number: operation; comm, root, sent, received, duration */
    OTF_COLLECTIVE_BEGIN, /**< number: operation; match, comm, root, sent, received */
    OTF_COLLECTIVE_END,   /**< number: match */
    OTF_COUNTER,          /**< number: counter; value */
    OTF_PROCESS_BEGIN,
    OTF_PROCESS_END,
    OTF_KEY_VALUE, /**< belongs to the next record */
    OTF_COMMENT,
    OTF_NOTHING,   /**< empty line, or a record that says nothing */
    OTF_OTHER,     /**< a record of another kind: files, one-sided communication, unknown ones */
    OTF_BAD,       /**< not a record, or one with a field that is missing or no number */
    OTF_TOO_LARGE, /**< a number that 64 bits cannot hold */
};

/** Does a line of this kind stand for something that a process did? */
static inline bool otf_is_record(enum otf_kind kind)
{
    return kind > OTF_PROCESS && kind < OTF_BAD && kind != OTF_KEY_VALUE && kind != OTF_NOTHING;
}

/** One line, decoded. Only the fields that its kind names are set. */
struct otf_record {
    enum otf_kind kind;
    uint64_t number;
    uint64_t length, tag, comm;
    uint64_t root, sent, received, match, value, duration;
    uint64_t site; /**< of OTF_ENTER: the place in the source; 0: not told */
};

/** Values of hexadecimal digits as they are written (lower case); 255: none. */
extern const uint8_t otf_digits[256];

static inline bool otf_is_digit(char c)
{
    return otf_digits[(unsigned char)c] < 16;
}

static inline bool otf_is_letter(char c)
{
    return (unsigned char)(c - 'A') < 26;
}

/**
 * A number without sign or prefix. Lines end with '\n', so no bound is needed.
 *
 * shape   NULL: there is none, or (too_large set) it needs more than 64 bits
 */
static inline const char *otf_hex(const char *p, uint64_t *out, bool *too_large)
{
    const char *first = p;
    uint64_t v = 0;
    uint8_t d;

    while ((d = otf_digits[(unsigned char)*p]) < 16) {
        v = v << 4 | d;
        p++;
    }
    *out = v;
    if (p - first > 16) {
        while (*first == '0')
            first++;
        *too_large = p - first > 16;
        return *too_large ? NULL : p;
    }
    return p > first ? p : NULL;
}

static inline const char *otf_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static inline const char *otf_letters(const char *p)
{
    while (otf_is_letter(*p))
        p++;
    return p;
}

static inline const char *otf_line_end(const char *p)
{
    while (*p != '\n')
        p++;
    return p;
}

/** Fields behind the first number: KEY NUMBER ... up to the line's end. */
const char *otf_parse_fields(const char *p, struct otf_record *r);

/** Records that begin with C: counters and collectives. */
const char *otf_parse_c(const char *p, struct otf_record *r);

/** All that is rare. */
const char *otf_parse_rest(const char *p, struct otf_record *r);

/** Mark a line that cannot be understood; returns the next one. */
static inline const char *otf_parse_bad(const char *p, struct otf_record *r, bool too_large)
{
    r->kind = too_large ? OTF_TOO_LARGE : OTF_BAD;
    return otf_line_end(p) + 1;
}

/** The number of a record whose keyword begins at p; then its fields. */
static inline const char *otf_parse_numbered(const char *p, struct otf_record *r)
{
    bool too_large = false;
    const char *q = otf_hex(p + 1, &r->number, &too_large);

    if (!q)
        q = too_large ? NULL : otf_hex(otf_blanks(otf_letters(p)), &r->number, &too_large);
    if (!q)
        return otf_parse_bad(p, r, too_large);
    return *q == '\n' ? q + 1 : otf_parse_fields(q, r);
}

/**
 * Decode one line.
 *
 * shape   p points at its first byte; a '\n' follows somewhere
 * returns the next line's first byte
 */
static inline const char *otf_parse(const char *p, struct otf_record *r)
{
    bool too_large = false;
    const char *q;

    if (otf_is_digit(*p) || *p == '*') {
        r->kind = *p == '*' ? OTF_PROCESS : OTF_TIME;
        q = otf_hex(p + (*p == '*'), &r->number, &too_large);
        if (q && *q == '\n')
            return q + 1;
        if (q && q[0] == '\r' && q[1] == '\n')
            return q + 2;
        return otf_parse_bad(p, r, too_large);
    }
    if (*p == 'E') {
        r->kind = OTF_ENTER;
        r->site = 0;
        return otf_parse_numbered(p, r);
    }
    if (*p == 'L' && otf_is_digit(p[1])) {
        r->kind = OTF_LEAVE;
        return otf_parse_numbered(p, r);
    }
    if (*p == 'S' || *p == 'R') {
        r->kind = *p == 'S' ? OTF_SEND : OTF_RECEIVE;
        r->length = r->tag = r->comm = 0;
        return otf_parse_numbered(p, r);
    }
    return *p == 'C' ? otf_parse_c(p, r) : otf_parse_rest(p, r);
}

#endif
