#include "paraver/config.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What the dialog for filters saves. */

/* Names apart by commas; "All" is no list, nothing is Running. */
static enum prvcut_status cfg_add_states(struct prv_config_reading *r, char *text,
                                         struct prvcut_error *err)
{
    bool all = false;
    enum prvcut_status st = PRVCUT_OK;

    if (*text == '\0')
        return prv_config_text_add(&r->out->states, prvcut_copied_text("Running", "a text", err),
                                   err);
    while (text && st == PRVCUT_OK) {
        char *comma = strchr(text, ','), *name;

        if (comma)
            *comma = '\0';
        name = prv_config_trim(text);
        if (strcmp(name, "All") == 0)
            all = true;
        else if (*name != '\0')
            st = prv_config_text_add(&r->out->states, prvcut_copied_text(name, "a text", err), err);
        text = comma ? comma + 1 : NULL;
    }
    if (all)
        prv_config_texts_fini(&r->out->states);
    return st;
}

static enum prvcut_status cfg_read_states(struct prv_config_reading *r, const xmlNode *node,
                                          struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        prv_config_texts_fini(&r->out->states);
        st = cfg_add_states(r, text, err);
    }
    free(own);
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (prv_config_is(n, "min_state_time"))
            st = prv_config_read_number(r, n, UINT64_MAX, &r->out->filter.min_state_ns, err);
        else if (n->type == XML_ELEMENT_NODE)
            st = prv_config_note_at(r, n, err, "<%.80s> in <states> is unknown and ignored",
                                    prv_config_name_of(n));
    }
    return st;
}

/* "N" or "N-M", and nothing else. */
static bool cfg_is_type(const char *text)
{
    const char *dash = strchr(text, '-');
    const char *stop = dash ? dash : text + strlen(text);
    uint64_t first, last = 0;

    if (dash && !prv_config_whole(dash + 1, text + strlen(text), &last))
        return false;
    return prv_config_whole(text, stop, &first) && first <= UINT32_MAX &&
           (!dash || (last <= UINT32_MAX && last >= first));
}

/* Blanks around the dash of a range. */
static void cfg_squeeze(char *text)
{
    char *to = text;

    for (; *text; text++)
        if (!strchr(" \t\r\n", *text))
            *to++ = *text;
    *to = '\0';
}

static enum prvcut_status cfg_read_value(const struct prv_config_reading *r, const xmlNode *node,
                                         bool first, struct prvcut_buffer *item,
                                         struct prvcut_error *err)
{
    char *own, *text;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);
    uint64_t value;

    if (st == PRVCUT_OK) {
        const char *digits = text + (*text == '-');

        if (!prv_config_whole(digits, digits + strlen(digits), &value) || value > INT64_MAX)
            st = prv_config_fail_at(r, node, err,
                                    "<value>: '%.80s' is not a whole number of 64 bits", text);
        else
            st = prvcut_buffer_printf(item, err, "%s%s", first ? "=" : "/", text);
    }
    free(own);
    return st;
}

static enum prvcut_status cfg_read_values(struct prv_config_reading *r, const xmlNode *node,
                                          struct prvcut_buffer *item, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool first = true;

    if (xmlHasProp(node, (const xmlChar *)"min_time"))
        st = prv_config_note_at(r, node, err, "min_time of a <type> is ignored, as in Paraver");
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (prv_config_is(n, "value")) {
            st = cfg_read_value(r, n, first, item, err);
            first = false;
        } else if (n->type == XML_ELEMENT_NODE) {
            st = prv_config_note_at(r, n, err, "<%.80s> in <type> is unknown and ignored",
                                    prv_config_name_of(n));
        }
    }
    return st;
}

static enum prvcut_status cfg_read_type(struct prv_config_reading *r, const xmlNode *node,
                                        struct prvcut_error *err)
{
    struct prvcut_buffer item = { 0 };
    char *own, *text;
    enum prvcut_status st = prv_config_own_text(r, node, &own, &text, err);

    if (st == PRVCUT_OK) {
        cfg_squeeze(text);
        if (!cfg_is_type(text))
            st = prv_config_fail_at(r, node, err, "<type>: '%.80s' is not a number or a range N-M",
                                    text);
        else
            st = prvcut_buffer_append(&item, text, strlen(text), err);
    }
    free(own);
    if (st == PRVCUT_OK)
        st = cfg_read_values(r, node, &item, err);
    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(&item, "", 1, err);
    if (st == PRVCUT_OK)
        return prv_config_text_add(&r->out->types, item.at, err);
    prvcut_buffer_fini(&item);
    return st;
}

static enum prvcut_status cfg_read_types(struct prv_config_reading *r, const xmlNode *node,
                                         struct prvcut_error *err)
{
    xmlChar *use = xmlGetProp(node, (const xmlChar *)"use");
    enum prvcut_status st = PRVCUT_OK;

    r->events_dropped = use && strcmp((const char *)use, "discard") == 0;
    xmlFree(use);
    for (const xmlNode *n = node->children; n && st == PRVCUT_OK; n = n->next) {
        if (prv_config_is(n, "type"))
            st = cfg_read_type(r, n, err);
        else if (n->type == XML_ELEMENT_NODE)
            st = prv_config_note_at(r, n, err, "<%.80s> in <types> is unknown and ignored",
                                    prv_config_name_of(n));
    }
    return st;
}

enum prvcut_status prv_config_filter_element(struct prv_config_reading *r, const xmlNode *node,
                                             struct prvcut_error *err)
{
    struct prvcut_filter *f = &r->out->filter;

    if (prv_config_is(node, "discard_states"))
        return prv_config_read_switch(r, node, &f->drop_states, err);
    if (prv_config_is(node, "discard_events"))
        return prv_config_read_switch(r, node, &f->drop_events, err);
    if (prv_config_is(node, "discard_communications"))
        return prv_config_read_switch(r, node, &f->drop_messages, err);
    if (prv_config_is(node, "states"))
        return cfg_read_states(r, node, err);
    if (prv_config_is(node, "types"))
        return cfg_read_types(r, node, err);
    if (prv_config_is(node, "comms"))
        return prv_config_read_number(r, node, UINT64_MAX, &f->min_message_bytes, err);
    return prv_config_note_at(r, node, err, "<%.80s> in <filter> is unknown and ignored",
                              prv_config_name_of(node));
}
