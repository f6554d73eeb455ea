#ifndef PRVCUT_OTF_FIELDS_H
#define PRVCUT_OTF_FIELDS_H

#include "base/buffer.h"

/** What a line of a definition file defines. */
enum otf_definition {
    OTF_DEF_OTHER, /**< known to OTF or not: nothing that is needed here */
    OTF_DEF_RESOLUTION,
    OTF_DEF_RANGE,
    OTF_DEF_PROCESS,
    OTF_DEF_GROUP,
    OTF_DEF_FUNCTION,
    OTF_DEF_FUNCTION_GROUP,
    OTF_DEF_OPERATION,
    OTF_DEF_COUNTER,
    OTF_DEF_SAMPLE_POINT,
    OTF_DEF_SITE,
    OTF_DEF_SITE_FILE,
};

/** One value of a line, with the keyword in front of it. */
struct otf_field {
    const char *key;
    size_t letters; /**< of the key; 0: the line's first number has none */
    enum { OTF_FIELD_NUMBER, OTF_FIELD_TEXT, OTF_FIELD_LIST } kind;
    uint64_t number;   /**< the first one of a list */
    const char *value; /**< of a text: between its quotes; of a list: its first number */
    const char *end;
};

/** What a line defines; *p goes behind its keyword. */
enum otf_definition otf_definition_of(const char **p, bool *long_form);

/**
 * The next field of a line.
 *
 * shape   *p goes on; false at the line's end or (*bad set) where nothing can be understood
 */
bool otf_field_next(const char **p, struct otf_field *f, bool *bad);

/** Does a field's keyword have this short or this long form? */
bool otf_field_is(const struct otf_field *f, const char *brief, const char *full);

/** A text without its escapes, appended. */
enum prvcut_status otf_field_text(const struct otf_field *f, struct prvcut_buffer *to,
                                  struct prvcut_error *err);

#endif
