#include "paraver/config.h"

#include "base/buffer.h"
#include "base/memory.h"
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

/* --- Messages ------------------------------------------------------------------------------- */

enum prvcut_status prv_config_fail_at(const struct prv_config_reading *r, const xmlNode *node,
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

enum prvcut_status prv_config_note_at(struct prv_config_reading *r, const xmlNode *node,
                                      struct prvcut_error *err, const char *format, ...)
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

enum prvcut_status prv_config_text_add(struct prv_config_texts *t, char *text,
                                       struct prvcut_error *err)
{
    if (!text || prvcut_grow((void **)&t->at, &t->room, t->count + 2, sizeof *t->at, err) < 0) {
        free(text);
        return prvcut_no_memory(err, "a configuration");
    }
    t->at[t->count++] = text;
    t->at[t->count] = NULL;
    return PRVCUT_OK;
}

void prv_config_texts_fini(struct prv_config_texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->at[i]);
    free(t->at);
    *t = (struct prv_config_texts){ 0 };
}

const char *prv_config_name_of(const xmlNode *node)
{
    return (const char *)node->name;
}

bool prv_config_is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp(prv_config_name_of(node), name) == 0;
}

char *prv_config_trim(char *text)
{
    size_t length;

    text += strspn(text, " \t\r\n");
    length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

enum prvcut_status prv_config_own_text(const struct prv_config_reading *r, const xmlNode *node,
                                       char **own, char **text, struct prvcut_error *err)
{
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    *own = NULL;
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (n->type == XML_ENTITY_REF_NODE)
            st = prv_config_fail_at(
                r, node, err, "<%.40s>: entities (&name;) are not allowed; write the text itself",
                prv_config_name_of(node));
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
    *text = prv_config_trim(b.at);
    return PRVCUT_OK;
}

bool prv_config_whole(const char *text, const char *end, uint64_t *out)
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
static bool cfg_config_number_text(const char *text, uint64_t most, uint64_t *out)
{
    const char *end = text + strcspn(text, ".");

    if (!prv_config_whole(text, end, out) || *out > most)
        return false;
    return *end == '\0' || (end[1] != '\0' && strspn(end + 1, "0") == strlen(end + 1));
}

enum prvcut_status prv_config_read_number(const struct prv_config_reading *r, const xmlNode *node,
                                          uint64_t most, uint64_t *out, struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK && !cfg_config_number_text(text, most, out))
        st = prv_config_fail_at(r, node, err,
                                "<%.40s>: '%.80s' is not a whole number from 0 to %llu",
                                prv_config_name_of(node), text, (unsigned long long)most);
    free(own);
    return st;
}

enum prvcut_status prv_config_read_switch(const struct prv_config_reading *r, const xmlNode *node,
                                          bool *out, struct prvcut_error *err)
{
    uint64_t value = 0;
    enum prvcut_status st = prv_config_read_number(r, node, 1, &value, err);

    *out = value == 1;
    return st;
}

static enum prvcut_status cfg_read_percent(const struct prv_config_reading *r, const xmlNode *node,
                                           double *out, struct prvcut_error *err)
{
    char *own, *text, *end = NULL;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        *out = strtod(text, &end);
        if (end == text || *end != '\0' || strspn(text, "0123456789.") != strlen(text) ||
            !(*out <= 100))
            st = prv_config_fail_at(r, node, err, "<%.40s>: '%.80s' is not a number from 0 to 100",
                                    prv_config_name_of(node), text);
    }
    free(own);
    return st;
}

/* --- The cutter ----------------------------------------------------------------------------- */

static enum prvcut_status cfg_read_tasks(struct prv_config_reading *r, const xmlNode *node,
                                         struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK && *text != '\0' && strspn(text, "0123456789-, \t\r\n") != strlen(text))
        st = prv_config_fail_at(r, node, err, "<tasks>: '%.80s' is not a list such as 1-4,7", text);
    if (st == PRVCUT_OK && *text != '\0') {
        st = prv_config_text_add(&r->out->tasks, prvcut_copied_text(text, "a text", err), err);
        if (st == PRVCUT_OK)
            r->out->cutter.tasks = r->out->tasks.at[r->out->tasks.count - 1];
    }
    free(own);
    return st;
}

static enum prvcut_status cfg_read_size(struct prv_config_reading *r, const xmlNode *node,
                                        struct prvcut_error *err)
{
    uint64_t megabytes = 0;
    enum prvcut_status st = prv_config_read_number(r, node, UINT64_MAX / 1000000, &megabytes, err);

    r->out->is.cutter_max_bytes = megabytes * 1000000;
    return st;
}

static enum prvcut_status cfg_cutter_element(struct prv_config_reading *r, const xmlNode *node,
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
        if (prv_config_is(node, flag[i].name))
            return prv_config_read_switch(r, node, flag[i].out, err);
    if (prv_config_is(node, "minimum_time"))
        return prv_config_read_number(r, node, UINT64_MAX, &c->minimum_ns, err);
    if (prv_config_is(node, "maximum_time"))
        return prv_config_read_number(r, node, UINT64_MAX, &c->maximum_ns, err);
    if (prv_config_is(node, "minimum_time_percentage"))
        return cfg_read_percent(r, node, &c->minimum_percent, err);
    if (prv_config_is(node, "maximum_time_percentage"))
        return cfg_read_percent(r, node, &c->maximum_percent, err);
    if (prv_config_is(node, "max_trace_size"))
        return cfg_read_size(r, node, err);
    if (prv_config_is(node, "tasks"))
        return cfg_read_tasks(r, node, err);
    return prv_config_note_at(r, node, err, "<%.80s> in <cutter> is unknown and ignored",
                              prv_config_name_of(node));
}

/* --- The file ------------------------------------------------------------------------------- */

static enum prvcut_status cfg_config_each_child(
    struct prv_config_reading *r, const xmlNode *node,
    enum prvcut_status (*fn)(struct prv_config_reading *, const xmlNode *, struct prvcut_error *),
    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            st = fn(r, n, err);
    return st;
}

static enum prvcut_status cfg_config_element(struct prv_config_reading *r, const xmlNode *node,
                                             struct prvcut_error *err)
{
    bool *seen = prv_config_is(node, "cutter") ? &r->has_cutter : &r->has_filter;

    if (!prv_config_is(node, "cutter") && !prv_config_is(node, "filter"))
        return prv_config_note_at(r, node, err,
                                  "<%.80s> is ignored: only <cutter> and <filter> are read",
                                  prv_config_name_of(node));
    if (*seen)
        return prv_config_fail_at(r, node, err, "a second <%.40s>: one is allowed",
                                  prv_config_name_of(node));
    *seen = true;
    return cfg_config_each_child(
        r, node, prv_config_is(node, "cutter") ? cfg_cutter_element : prv_config_filter_element,
        err);
}

static enum prvcut_status cfg_read_config(struct prv_config_reading *r, xmlDoc *doc,
                                          struct prvcut_error *err)
{
    struct made_config *c = r->out;
    const xmlNode *root = xmlDocGetRootElement(doc);
    enum prvcut_status st;

    if (!root || !prv_config_is(root, "config"))
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.300s: not a configuration of Paraver: it begins with <%.40s>, not "
                           "with <config>",
                           r->path, root ? prv_config_name_of(root) : "");
    if (doc->intSubset)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "%.300s: a document type is not allowed; delete the line <!DOCTYPE ...>",
                           r->path);
    st = cfg_config_each_child(r, root, cfg_config_element, err);
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
static enum prvcut_status cfg_not_xml(const struct prv_config_reading *r,
                                      const xmlParserCtxt *context, struct prvcut_error *err)
{
    const char *path = r->path;
    const xmlError *why = &context->lastError;
    char text[200] = "it is empty";
    const int line = why->line;

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
static void cfg_hear(void *reading, xmlErrorPtr what)
{
    struct prv_config_reading *r = reading;

    r->short_of_memory = r->short_of_memory || what->code == XML_ERR_NO_MEMORY;
}

/* As the parser does by itself, but not with too many attributes. */
static void cfg_start_element(void *ctx, const xmlChar *name, const xmlChar *prefix,
                              const xmlChar *uri, int spaces, const xmlChar **space, int attributes,
                              int defaulted, const xmlChar **attribute)
{
    xmlParserCtxt *context = ctx;
    struct prv_config_reading *r = context->_private;

    r->crowded = r->crowded || spaces > ATTRIBUTES_MAX || attributes > ATTRIBUTES_MAX;
    if (r->crowded)
        xmlStopParser(context);
    else
        xmlSAX2StartElementNs(ctx, name, prefix, uri, spaces, space, attributes, defaulted,
                              attribute);
}

static enum prvcut_status cfg_parse(struct prv_config_reading *r, const char *bytes, size_t count,
                                    struct prvcut_error *err)
{
    /* No document type is loaded, no entity replaced, nothing printed, nothing fetched. */
    void *const heard_by = xmlStructuredErrorContext;
    const xmlStructuredErrorFunc heard = xmlStructuredError;
    const int how = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_BIG_LINES;
    xmlParserCtxt *context;
    xmlDoc *doc;
    enum prvcut_status st;

    xmlSetStructuredErrorFunc(r, cfg_hear);
    context = xmlNewParserCtxt();
    if (!context) {
        xmlSetStructuredErrorFunc(heard_by, heard);
        return prvcut_no_memory(err, "a configuration");
    }
    context->_private = r;
    context->sax->startElementNs = cfg_start_element;
    doc = xmlCtxtReadMemory(context, bytes, (int)count, NULL, NULL, how);
    xmlSetStructuredErrorFunc(heard_by, heard);
    if (r->crowded)
        st = prvcut_fail(err, PRVCUT_ELIMIT, "%.300s: an element has more than %d attributes",
                         r->path, ATTRIBUTES_MAX);
    else if (r->short_of_memory || context->errNo == XML_ERR_NO_MEMORY)
        /* A document may be there all the same, without the text that found no room. */
        st = prvcut_no_memory(err, "a configuration");
    else if (doc)
        st = cfg_read_config(r, doc, err);
    else
        st = cfg_not_xml(r, context, err);
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
    struct prv_config_reading r = { .out = made, .path = path };
    char *bytes = NULL;
    size_t count = 0;
    enum prvcut_status st;

    *out = NULL;
    if (!made)
        return PRVCUT_ENOMEM;
    cfg_defaults(made);
    st = prvcut_source_slurp(path, CONFIG_MAX, &bytes, &count, err);
    if (st == PRVCUT_OK)
        st = cfg_parse(&r, bytes, count, err);
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
    prv_config_texts_fini(&made->tasks);
    prv_config_texts_fini(&made->types);
    prv_config_texts_fini(&made->states);
    prvcut_texts_free(made->is.note, made->is.notes);
    free(made);
}
