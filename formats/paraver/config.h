#ifndef PRVCUT_PARAVER_CONFIG_H
#define PRVCUT_PARAVER_CONFIG_H

#include "prvcut/filter.h"

#include <libxml/tree.h>

/* Files of Paraver's dialogs: config.c reads them and what the cutter's says, config_filter.c the
   filter. */

/** Texts that cutter and filter point to. */
struct prv_config_texts {
    char **at;
    size_t count, room;
};

/** The answer, and what it owns. */
struct made_config {
    struct prvcut_config is;
    struct prvcut_cutter cutter;
    struct prvcut_filter filter;
    struct prv_config_texts tasks, types, states;
};

/** A file being read. */
struct prv_config_reading {
    struct made_config *out;
    const char *path;
    bool has_cutter, has_filter;
    bool events_dropped;  /* the types are those to leave out */
    bool short_of_memory; /* the parser is */
    bool crowded;         /* an element has too many attributes */
};

/** PRVCUT_EFORMAT, with the line of an element. */
enum prvcut_status prv_config_fail_at(const struct prv_config_reading *r, const xmlNode *node,
                                      struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** An element of <filter> (config_filter.c). */
enum prvcut_status prv_config_filter_element(struct prv_config_reading *r, const xmlNode *node,
                                             struct prvcut_error *err);

/** Is it an element of that name? */
bool prv_config_is(const xmlNode *node, const char *name);

/** For messages. */
const char *prv_config_name_of(const xmlNode *node);

/** Tell what has no effect, with the line of an element. */
enum prvcut_status prv_config_note_at(struct prv_config_reading *r, const xmlNode *node,
                                      struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** The element's own text, that of elements in it left out, without blanks around it. Free *own. */
enum prvcut_status prv_config_own_text(const struct prv_config_reading *r, const xmlNode *node,
                                       char **own, char **text, struct prvcut_error *err);

/** A whole number up to `most`; decimals that are 0 are none. errors: PRVCUT_EFORMAT */
enum prvcut_status prv_config_read_number(const struct prv_config_reading *r, const xmlNode *node,
                                          uint64_t most, uint64_t *out, struct prvcut_error *err);

/** 0 or 1. errors: PRVCUT_EFORMAT */
enum prvcut_status prv_config_read_switch(const struct prv_config_reading *r, const xmlNode *node,
                                          bool *out, struct prvcut_error *err);

/** Take a text over. The array ends with NULL. */
enum prvcut_status prv_config_text_add(struct prv_config_texts *t, char *text,
                                       struct prvcut_error *err);

void prv_config_texts_fini(struct prv_config_texts *t);

/** Blanks at both ends go; the text is changed. */
char *prv_config_trim(char *text);

/** A whole number from 0 on that ends at `end`. */
bool prv_config_whole(const char *text, const char *end, uint64_t *out);

#endif
