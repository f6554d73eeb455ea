#include "paraver/filter_rules.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "paraver/filter_lists.h"
#include "paraver/header.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More would be a mistake, or an attack on the memory. */
#define NOTES_MAX 1000

enum prvcut_status prv_notes_add(struct prv_notes *n, struct prvcut_error *err, const char *format,
                                 ...)
{
    char text[512], quoted[1024];
    va_list arguments;

    if (n->count == NOTES_MAX)
        return PRVCUT_OK;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    prvcut_quote(quoted, sizeof quoted, text, strlen(text));
    if (prvcut_grow((void **)&n->at, &n->room, n->count + 1, sizeof *n->at, err) < 0)
        return PRVCUT_ENOMEM;
    n->at[n->count] = prvcut_copied_text(quoted, "a note", err);
    if (!n->at[n->count])
        return PRVCUT_ENOMEM;
    n->count++;
    return PRVCUT_OK;
}

void prv_notes_fini(struct prv_notes *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->at[i]);
    free(n->at);
    *n = (struct prv_notes){ 0 };
}

/* --- Looking names up ----------------------------------------------------------------------- */

static enum prvcut_status init_rule(struct prv_rule *rule, const struct prvcut_filter *f,
                                    struct prv_names *names, const struct prv_header *header,
                                    struct prvcut_error *err)
{
    enum prvcut_status st;

    rule->drop_states = f->drop_states;
    rule->drop_events = f->drop_events;
    rule->drop_messages = f->drop_messages;
    rule->min_state_ns = f->min_state_ns;
    rule->min_message_bytes = f->min_message_bytes;
    rule->lenient = names->lenient = f->lenient_names;
    if ((st = prv_list_states(&rule->states, f->states, names, err)) < 0 ||
        (st = prv_list_states(&rule->states_dropped, f->states_dropped, names, err)) < 0 ||
        (st = prv_list_types(&rule->events, f->events, names, err)) < 0 ||
        (st = prv_list_types(&rule->events_dropped, f->events_dropped, names, err)) < 0)
        return st;
    if (!f->tasks && !f->threads)
        return PRVCUT_OK;
    rule->thread = prvcut_zeroed((size_t)header->objects.threads + 1, 1, "threads", err);
    if (!rule->thread)
        return PRVCUT_ENOMEM;
    return prv_list_threads(rule->thread, header, f->tasks, f->threads, names, err);
}

enum prvcut_status prv_rules_init(struct prv_rules *out, const struct prvcut_filter *filter,
                                  size_t filters, const struct prv_labels *labels,
                                  const struct prv_header *header, struct prv_notes *notes,
                                  struct prvcut_error *err)
{
    struct prv_names names = { .labels = labels, .notes = notes };
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct prv_rules){ .at = calloc(filters + 1, sizeof *out->at) };
    if (!out->at)
        return prvcut_no_memory(err, "filters");
    for (; out->count < filters && st == PRVCUT_OK; out->count++)
        st = init_rule(&out->at[out->count], &filter[out->count], &names, header, err);
    return st;
}

enum prvcut_status prv_rules_tasks(uint8_t *thread, const struct prv_header *header,
                                   const char *list, struct prvcut_error *err)
{
    const struct prv_names lenient = { .lenient = true };

    return prv_list_threads(thread, header, list, NULL, &lenient, err);
}

static void list_fini(struct prv_rule_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->at[i].value);
    free(l->at);
}

void prv_rules_fini(struct prv_rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        list_fini(&r->at[i].states);
        list_fini(&r->at[i].states_dropped);
        list_fini(&r->at[i].events);
        list_fini(&r->at[i].events_dropped);
        free(r->at[i].thread);
    }
    free(r->at);
    *r = (struct prv_rules){ 0 };
}

/* --- Deciding ------------------------------------------------------------------------------- */

static bool has_value(const struct prv_rule_item *item, int64_t value)
{
    for (size_t i = 0; i < item->values; i++)
        if (item->value[i] == value)
            return true;
    return item->values == 0;
}

static bool holds(const struct prv_rule_list *l, uint32_t number, int64_t value)
{
    for (size_t i = 0; i < l->count; i++) {
        struct prv_rule_item *item = &l->at[i];

        if (number < item->first || number > item->last || !has_value(item, value))
            continue;
        if (!__atomic_load_n(&item->met, __ATOMIC_RELAXED))
            __atomic_store_n(&item->met, true, __ATOMIC_RELAXED);
        return true;
    }
    return false;
}

static bool passes(const struct prv_rule_list *keep, const struct prv_rule_list *drop,
                   uint32_t number, int64_t value)
{
    return (!keep->given || holds(keep, number, value)) &&
           (!drop->given || !holds(drop, number, value));
}

bool prv_rules_keep_state(const struct prv_rules *r, const struct prvcut_state *s)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct prv_rule *rule = &r->at[i];

        if (rule->drop_states || (rule->thread && !rule->thread[s->thread]) ||
            s->end - s->begin < rule->min_state_ns ||
            !passes(&rule->states, &rule->states_dropped, s->number, 0))
            return false;
    }
    return true;
}

bool prv_rules_keep_message(const struct prv_rules *r, const struct prvcut_message *m)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct prv_rule *rule = &r->at[i];

        if (rule->drop_messages || m->size < rule->min_message_bytes ||
            (rule->thread && !rule->thread[m->sender] && !rule->thread[m->receiver]))
            return false;
    }
    return true;
}

bool prv_rules_keep_events(const struct prv_rules *r, uint32_t thread)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].drop_events || (r->at[i].thread && !r->at[i].thread[thread]))
            return false;
    return true;
}

bool prv_rules_keep_pair(const struct prv_rules *r, uint32_t type, int64_t value)
{
    for (size_t i = 0; i < r->count; i++)
        if (!passes(&r->at[i].events, &r->at[i].events_dropped, type, value))
            return false;
    return true;
}

/* --- What was not there --------------------------------------------------------------------- */

/* "999", "1-5", "7=3/4" */
static void put_item(char *out, size_t room, const struct prv_rule_item *item)
{
    size_t n = (size_t)snprintf(out, room, "%" PRIu32, item->first);

    if (item->last > item->first)
        n += (size_t)snprintf(out + n, room - n, "-%" PRIu32, item->last);
    for (size_t i = 0; i < item->values && n + 24 < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%c%" PRId64, i > 0 ? '/' : '=', item->value[i]);
}

/* An item whose numbers an earlier one has, too, is not looked at. */
static enum prvcut_status tell_list(const struct prv_rule_list *l, const char *what,
                                    const char *read, struct prv_notes *notes,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        char text[200];
        bool behind = l->at[i].met;

        for (size_t k = 0; k < i; k++)
            behind |= l->at[k].first <= l->at[i].last && l->at[i].first <= l->at[k].last;
        if (behind)
            continue;
        put_item(text, sizeof text, &l->at[i]);
        st = prv_notes_add(notes, err,
                           "no %s %s is in the %s; 'prvcut info -v' lists those there are", what,
                           text, read);
    }
    return st;
}

enum prvcut_status prv_rules_tell_unmet(const struct prv_rules *r, const char *read,
                                        struct prv_notes *notes, struct prvcut_error *err)
{
    const struct prv_rule *rule = r->at;
    enum prvcut_status st = PRVCUT_OK;

    /* What one filter takes away the next one does not see. */
    if (r->count != 1 || rule->lenient || rule->thread)
        return PRVCUT_OK;
    if (!rule->drop_states && rule->min_state_ns == 0)
        st = tell_list(rule->states.given ? &rule->states : &rule->states_dropped, "state", read,
                       notes, err);
    if (st == PRVCUT_OK && !rule->drop_events)
        st = tell_list(rule->events.given ? &rule->events : &rule->events_dropped, "event of type",
                       read, notes, err);
    return st;
}
