#include "base/memory.h"
#include "prvcut/filter.h"

#include "base/buffer.h"
#include "base/source.h"
#include "model/texts.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/tree.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dialog's file has a few hundred bytes. */
#define CONFIG_MAX ((size_t)1 << 20)
#define NOTES_MAX  1000
/* The parser takes time with the square of an element's attributes. */
#define ATTRIBUTES_MAX 64

/* Texts that cutter and filter point to. */
struct texts {
    char **at;
    size_t count, room;
};

/* The answer, and what it owns. */
struct made_config {
    struct prvcut_config is;
    struct prvcut_cutter cutter;
    struct prvcut_filter filter;
    struct texts tasks, types, states;
};

/* A file being read. */
struct reading {
    struct made_config *out;
    const char *path;
    bool has_cutter, has_filter;
    bool events_dropped;  /* the types are those to leave out */
    bool short_of_memory; /* the parser is */
    bool crowded;         /* an element has too many attributes */
};

/* --- Messages ------------------------------------------------------------------------------- */

static enum prvcut_status fail_at(const struct reading *r, const xmlNode *node,
                                  struct prvcut_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static enum prvcut_status fail_at(const struct reading *r, const xmlNode *node,
                                  struct prvcut_error *err, const char *format, ...)
{
    const long line = xmlGetLineNo(node);
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    prvcut_fail(err, PRVCUT_EFORMAT, "%.300s:%ld: %s", r->path, line, text);
    if (err)
        err->line = line > 0 ? (uint64_t)line : 0;
    return PRVCUT_EFORMAT;
}

static enum prvcut_status note_at(struct reading *r, const xmlNode *node, struct prvcut_error *err,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum prvcut_status note_at(struct reading *r, const xmlNode *node, struct prvcut_error *err,
                                  const char *format, ...)
{
    struct prvcut_config *c = &r->out->is;
    char text[512], located[900], quoted[1024];
    va_list arguments;

    if (c->notes == NOTES_MAX)
        return PRVCUT_OK;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(located, sizeof located, "%.300s:%ld: %s", r->path, xmlGetLineNo(node), text);
    prvcut_quote(quoted, sizeof quoted, located, strlen(located));
    return prvcut_texts_add(&c->note, &c->notes, quoted, err);
}

/* --- Texts and numbers ---------------------------------------------------------------------- */

/* Take a text over. The array ends with NULL. */
static enum prvcut_status text_add(struct texts *t, char *text, struct prvcut_error *err)
{
    if (!text || prvcut_grow((void **)&t->at, &t->room, t->count + 2, sizeof *t->at, err) < 0) {
        free(text);
        return prvcut_no_memory(err, "a configuration");
    }
    t->at[t->count++] = text;
    t->at[t->count] = NULL;
    return PRVCUT_OK;
}

static void texts_fini(struct texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->at[i]);
    free(t->at);
    *t = (struct texts){ 0 };
}

static const char *name_of(const xmlNode *node)
{
    return (const char *)node->name;
}

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp(name_of(node), name) == 0;
}

static char *trim(char *text)
{
    size_t length;

    text += strspn(text, " \t\r\n");
    length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* The element's own text, that of elements in it left out, without blanks around it. Free *own. */
static enum prvcut_status own_text(const struct reading *r, const xmlNode *node, char **own,
                                   char **text, struct prvcut_error *err)
{
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    *own = NULL;
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (n->type == XML_ENTITY_REF_NODE)
            st = fail_at(r, node, err,
                         "<%.40s>: entities (&name;) are not allowed; write the text itself",
                         name_of(node));
        else if ((n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE) && n->content)
            st = prvcut_buffer_append(&b, n->content, strlen((const char *)n->content), err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&b, "", 1, err);
    if (st < 0) {
        prvcut_buffer_fini(&b);
        return st;
    }
    *own = b.at;
    *text = trim(b.at);
    return PRVCUT_OK;
}

/* A whole number from 0 on that ends at `end`. */
static bool whole(const char *text, const char *end, uint64_t *out)
{
    uint64_t v = 0;

    if (text == end)
        return false;
    for (; text < end; text++)
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*text - '0'), &v))
            return false;
    *out = v;
    return true;
}

/* As whole; Paraver writes times with decimals now and then: ".000000". */
static bool number_text(const char *text, uint64_t most, uint64_t *out)
{
    const char *end = text + strcspn(text, ".");

    if (!whole(text, end, out) || *out > most)
        return false;
    return *end == '\0' || (end[1] != '\0' && strspn(end + 1, "0") == strlen(end + 1));
}

static enum prvcut_status read_number(const struct reading *r, const xmlNode *node, uint64_t most,
                                      uint64_t *out, struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK && !number_text(text, most, out))
        st = fail_at(r, node, err, "<%.40s>: '%.80s' is not a whole number from 0 to %llu",
                     name_of(node), text, (unsigned long long)most);
    free(own);
    return st;
}

static enum prvcut_status read_switch(const struct reading *r, const xmlNode *node, bool *out,
                                      struct prvcut_error *err)
{
    uint64_t value = 0;
    enum prvcut_status st = read_number(r, node, 1, &value, err);

    *out = value == 1;
    return st;
}

static enum prvcut_status read_percent(const struct reading *r, const xmlNode *node, double *out,
                                       struct prvcut_error *err)
{
    char *own, *text, *end = NULL;
    enum prvcut_status st = own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        *out = strtod(text, &end);
        if (end == text || *end != '\0' || strspn(text, "0123456789.") != strlen(text) ||
            !(*out <= 100))
            st = fail_at(r, node, err, "<%.40s>: '%.80s' is not a number from 0 to 100",
                         name_of(node), text);
    }
    free(own);
    return st;
}

/* --- The cutter ----------------------------------------------------------------------------- */

static enum prvcut_status read_tasks(struct reading *r, const xmlNode *node,
                                     struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK && *text != '\0' && strspn(text, "0123456789-, \t\r\n") != strlen(text))
        st = fail_at(r, node, err, "<tasks>: '%.80s' is not a list such as 1-4,7", text);
    if (st == PRVCUT_OK && *text != '\0') {
        st = text_add(&r->out->tasks, strdup(text), err);
        if (st == PRVCUT_OK)
            r->out->cutter.tasks = r->out->tasks.at[r->out->tasks.count - 1];
    }
    free(own);
    return st;
}

static enum prvcut_status read_size(struct reading *r, const xmlNode *node,
                                    struct prvcut_error *err)
{
    uint64_t megabytes = 0;
    enum prvcut_status st = read_number(r, node, UINT64_MAX / 1000000, &megabytes, err);

    r->out->is.cutter_max_bytes = megabytes * 1000000;
    return st;
}

static enum prvcut_status cutter_element(struct reading *r, const xmlNode *node,
                                         struct prvcut_error *err)
{
    struct prvcut_cutter *c = &r->out->cutter;
    const struct {
        const char *name;
        bool *out;
    } flag[] = { { "by_time", &c->by_time },
                 { "original_time", &c->original_time },
                 { "break_states", &c->break_states },
                 { "keep_events", &c->keep_events },
                 { "keep_boundary_events", &c->keep_events },
                 { "remove_first_states", &c->remove_first_states },
                 { "remove_last_states", &c->remove_last_states } };

    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
        if (is(node, flag[i].name))
            return read_switch(r, node, flag[i].out, err);
    if (is(node, "minimum_time"))
        return read_number(r, node, UINT64_MAX, &c->minimum_ns, err);
    if (is(node, "maximum_time"))
        return read_number(r, node, UINT64_MAX, &c->maximum_ns, err);
    if (is(node, "minimum_time_percentage"))
        return read_percent(r, node, &c->minimum_percent, err);
    if (is(node, "maximum_time_percentage"))
        return read_percent(r, node, &c->maximum_percent, err);
    if (is(node, "max_trace_size"))
        return read_size(r, node, err);
    if (is(node, "tasks"))
        return read_tasks(r, node, err);
    return note_at(r, node, err, "<%.80s> in <cutter> is unknown and ignored", name_of(node));
}

/* --- The filter ----------------------------------------------------------------------------- */

/* Names apart by commas; "All" is no list, nothing is Running. */
static enum prvcut_status add_states(struct reading *r, char *text, struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = PRVCUT_OK;

    if (*text == '\0')
        return text_add(&r->out->states, strdup("Running"), err);
    while (text && st == PRVCUT_OK) {
        char *comma = strchr(text, ','), *name;

        if (comma)
            *comma = '\0';
        name = trim(text);
        if (strcmp(name, "All") == 0)
            all = true;
        else if (*name != '\0')
            st = text_add(&r->out->states, strdup(name), err);
        text = comma ? comma + 1 : NULL;
    }
    if (all)
        texts_fini(&r->out->states);
    return st;
}

static enum prvcut_status read_states(struct reading *r, const xmlNode *node,
                                      struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        texts_fini(&r->out->states);
        st = add_states(r, text, err);
    }
    free(own);
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (is(n, "min_state_time"))
            st = read_number(r, n, UINT64_MAX, &r->out->filter.min_state_ns, err);
        else if (n->type == XML_ELEMENT_NODE)
            st = note_at(r, n, err, "<%.80s> in <states> is unknown and ignored", name_of(n));
    }
    return st;
}

/* "N" or "N-M", and nothing else. */
static bool is_type(const char *text)
{
    const char *dash = strchr(text, '-');
    const char *stop = dash ? dash : text + strlen(text);
    uint64_t first, last = 0;

    if (dash && !whole(dash + 1, text + strlen(text), &last))
        return false;
    return whole(text, stop, &first) && first <= UINT32_MAX &&
           (!dash || (last <= UINT32_MAX && last >= first));
}

/* Blanks around the dash of a range. */
static void squeeze(char *text)
{
    char *to = text;

    for (; *text; text++)
        if (!strchr(" \t\r\n", *text))
            *to++ = *text;
    *to = '\0';
}

static enum prvcut_status read_value(const struct reading *r, const xmlNode *node, bool first,
                                     struct prvcut_buffer *item, struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = own_text(r, node, &own, &text, err);
    uint64_t value;

    if (st == PRVCUT_OK) {
        const char *digits = text + (*text == '-');

        if (!whole(digits, digits + strlen(digits), &value) || value > INT64_MAX)
            st = fail_at(r, node, err, "<value>: '%.80s' is not a whole number of 64 bits", text);
        else
            st = prvcut_buffer_printf(item, err, "%s%s", first ? "=" : "/", text);
    }
    free(own);
    return st;
}

static enum prvcut_status read_values(struct reading *r, const xmlNode *node,
                                      struct prvcut_buffer *item, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool first = true;

    if (xmlHasProp(node, (const xmlChar *)"min_time"))
        st = note_at(r, node, err, "min_time of a <type> is ignored, as in Paraver");
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (is(n, "value")) {
            st = read_value(r, n, first, item, err);
            first = false;
        } else if (n->type == XML_ELEMENT_NODE) {
            st = note_at(r, n, err, "<%.80s> in <type> is unknown and ignored", name_of(n));
        }
    }
    return st;
}

static enum prvcut_status read_type(struct reading *r, const xmlNode *node,
                                    struct prvcut_error *err)
{
    struct prvcut_buffer item = { 0 };
    char *own, *text;
    enum prvcut_status st = own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        squeeze(text);
        if (!is_type(text))
            st = fail_at(r, node, err, "<type>: '%.80s' is not a number or a range N-M", text);
        else
            st = prvcut_buffer_append(&item, text, strlen(text), err);
    }
    free(own);
    if (st == PRVCUT_OK)
        st = read_values(r, node, &item, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&item, "", 1, err);
    if (st == PRVCUT_OK)
        return text_add(&r->out->types, item.at, err);
    prvcut_buffer_fini(&item);
    return st;
}

static enum prvcut_status read_types(struct reading *r, const xmlNode *node,
                                     struct prvcut_error *err)
{
    xmlChar *use = xmlGetProp(node, (const xmlChar *)"use");
    enum prvcut_status st = PRVCUT_OK;

    r->events_dropped = use && strcmp((const char *)use, "discard") == 0;
    xmlFree(use);
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (is(n, "type"))
            st = read_type(r, n, err);
        else if (n->type == XML_ELEMENT_NODE)
            st = note_at(r, n, err, "<%.80s> in <types> is unknown and ignored", name_of(n));
    }
    return st;
}

static enum prvcut_status filter_element(struct reading *r, const xmlNode *node,
                                         struct prvcut_error *err)
{
    struct prvcut_filter *f = &r->out->filter;

    if (is(node, "discard_states"))
        return read_switch(r, node, &f->drop_states, err);
    if (is(node, "discard_events"))
        return read_switch(r, node, &f->drop_events, err);
    if (is(node, "discard_communications"))
        return read_switch(r, node, &f->drop_messages, err);
    if (is(node, "states"))
        return read_states(r, node, err);
    if (is(node, "types"))
        return read_types(r, node, err);
    if (is(node, "comms"))
        return read_number(r, node, UINT64_MAX, &f->min_message_bytes, err);
    return note_at(r, node, err, "<%.80s> in <filter> is unknown and ignored", name_of(node));
}

/* --- The file ------------------------------------------------------------------------------- */

static enum prvcut_status each_child(struct reading *r, const xmlNode *node,
                                     enum prvcut_status (*fn)(struct reading *, const xmlNode *,
                                                              struct prvcut_error *),
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            st = fn(r, n, err);
    return st;
}

static enum prvcut_status config_element(struct reading *r, const xmlNode *node,
                                         struct prvcut_error *err)
{
    bool *seen = is(node, "cutter") ? &r->has_cutter : &r->has_filter;

    if (!is(node, "cutter") && !is(node, "filter"))
        return note_at(r, node, err, "<%.80s> is ignored: only <cutter> and <filter> are read",
                       name_of(node));
    if (*seen)
        return fail_at(r, node, err, "a second <%.40s>: one is allowed", name_of(node));
    *seen = true;
    return each_child(r, node, is(node, "cutter") ? cutter_element : filter_element, err);
}

static enum prvcut_status read_config(struct reading *r, xmlDoc *doc, struct prvcut_error *err)
{
    struct made_config *c = r->out;
    const xmlNode *root = xmlDocGetRootElement(doc);
    enum prvcut_status st;

    if (!root || !is(root, "config"))
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.300s: not a configuration of Paraver: it begins with <%.40s>, not "
                           "with <config>",
                           r->path, root ? name_of(root) : "");
    if (doc->intSubset)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.300s: a document type is not allowed; delete the line <!DOCTYPE ...>",
                           r->path);
    st = each_child(r, root, config_element, err);
    if (st == PRVCUT_OK && !r->has_cutter && !r->has_filter)
        st = prvcut_fail(err, PRVCUT_EFORMAT,
                         "%.300s: it has no <cutter> and no <filter>, so nothing to do", r->path);
    c->filter.states = (const char *const *)r->out->states.at;
    if (r->events_dropped)
        c->filter.events_dropped = (const char *const *)r->out->types.at;
    else
        c->filter.events = (const char *const *)r->out->types.at;
    return st;
}

/* What the parser said, in one line. */
static enum prvcut_status not_xml(const struct reading *r, const xmlParserCtxt *context,
                                  struct prvcut_error *err)
{
    const char *path = r->path;
    const xmlError *why = &context->lastError;
    char text[200] = "it is empty";
    const int line = why->line;

    if (r->short_of_memory)
        return prvcut_no_memory(err, "a configuration");
    if (why->message) {
        snprintf(text, sizeof text, "%s", why->message);
        text[strcspn(text, "\n")] = '\0';
    }
    prvcut_fail(err, PRVCUT_EFORMAT, "%.300s:%d: not valid XML: %s", path, line > 0 ? line : 1,
                text);
    if (err)
        err->line = line > 0 ? (uint64_t)line : 1;
    return PRVCUT_EFORMAT;
}

/* Everything that the parser says; where memory is short, it says so here alone. */
static void hear(void *reading, xmlErrorPtr what)
{
    struct reading *r = reading;

    r->short_of_memory = r->short_of_memory || what->code == XML_ERR_NO_MEMORY;
}

/* As the parser does by itself, but not with too many attributes. */
static void start_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                          int spaces, const xmlChar **space, int attributes, int defaulted,
                          const xmlChar **attribute)
{
    xmlParserCtxt *context = ctx;
    struct reading *r = context->_private;

    r->crowded = r->crowded || spaces > ATTRIBUTES_MAX || attributes > ATTRIBUTES_MAX;
    if (r->crowded)
        xmlStopParser(context);
    else
        xmlSAX2StartElementNs(ctx, name, prefix, uri, spaces, space, attributes, defaulted,
                              attribute);
}

static enum prvcut_status parse(struct reading *r, const char *bytes, size_t count,
                                struct prvcut_error *err)
{
    /* No document type is loaded, no entity replaced, nothing printed, nothing fetched. */
    void *const heard_by = xmlStructuredErrorContext;
    const xmlStructuredErrorFunc heard = xmlStructuredError;
    const int how = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    xmlParserCtxt *context;
    xmlDoc *doc;
    enum prvcut_status st;

    xmlSetStructuredErrorFunc(r, hear);
    context = xmlNewParserCtxt();
    if (!context) {
        xmlSetStructuredErrorFunc(heard_by, heard);
        return prvcut_no_memory(err, "a configuration");
    }
    context->_private = r;
    context->sax->startElementNs = start_element;
    doc = xmlCtxtReadMemory(context, bytes, (int)count, NULL, NULL, how);
    xmlSetStructuredErrorFunc(heard_by, heard);
    if (r->crowded)
        st = prvcut_fail(err, PRVCUT_ELIMIT, "%.300s: an element has more than %d attributes",
                         r->path, ATTRIBUTES_MAX);
    else if (doc)
        st = read_config(r, doc, err);
    else
        st = not_xml(r, context, err);
    xmlFreeDoc(doc);
    xmlFreeParserCtxt(context);
    return st;
}

static void cfg_defaults(struct made_config *c)
{
    /* What Paraver takes where a file does not say. */
    c->cutter.break_states = true;
    c->cutter.maximum_percent = 100;
    c->filter.lenient_names = true;
}

enum prvcut_status prvcut_config_read(struct prvcut_config **out, const char *path,
                                      struct prvcut_error *err)
{
    struct made_config *made = prvcut_zeroed(1, sizeof *made, "a configuration", err);
    struct reading r = { .out = made, .path = path };
    char *bytes = NULL;
    size_t count = 0;
    enum prvcut_status st;

    *out = NULL;
    if (!made)
        return PRVCUT_ENOMEM;
    cfg_defaults(made);
    st = prvcut_source_slurp(path, CONFIG_MAX, &bytes, &count, err);
    if (st == PRVCUT_OK)
        st = parse(&r, bytes, count, err);
    free(bytes);
    if (st < 0) {
        prvcut_config_free(&made->is);
        return st;
    }
    made->is.cutter = r.has_cutter ? &made->cutter : NULL;
    made->is.filter = r.has_filter ? &made->filter : NULL;
    *out = &made->is;
    return st;
}

void prvcut_config_free(struct prvcut_config *c)
{
    struct made_config *made = (struct made_config *)c;

    if (!made)
        return;
    texts_fini(&made->tasks);
    texts_fini(&made->types);
    texts_fini(&made->states);
    prvcut_texts_free(made->is.note, made->is.notes);
    free(made);
}
