#include "model/rules.h"

#include "base/memory.h"
#include "model/rule_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Looking names up ----------------------------------------------------------------------- */

static enum prvcut_status rul_init_rule(struct prvcut_rule *rule, const struct prvcut_filter *f,
                                        struct prvcut_rule_names *names,
                                        const struct prvcut_objects *objects,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    rule->drop_states = f->drop_states;
    rule->drop_events = f->drop_events;
    rule->drop_messages = f->drop_messages;
    rule->min_state_ns = f->min_state_ns;
    rule->min_message_bytes = f->min_message_bytes;
    rule->lenient = names->lenient = f->lenient_names;
    if ((st = prvcut_list_states(&rule->states, f->states, names, err)) < 0 ||
        (st = prvcut_list_states(&rule->states_dropped, f->states_dropped, names, err)) < 0 ||
        (st = prvcut_list_types(&rule->events, f->events, names, err)) < 0 ||
        (st = prvcut_list_types(&rule->events_dropped, f->events_dropped, names, err)) < 0)
        return st;
    if (!f->tasks && !f->threads)
        return PRVCUT_OK;
    rule->thread = prvcut_zeroed((size_t)objects->threads + 1, 1, "threads", err);
    if (!rule->thread)
        return PRVCUT_ENOMEM;
    return prvcut_list_threads(rule->thread, objects, f->tasks, f->threads, names, err);
}

enum prvcut_status prvcut_rules_init(struct prvcut_rules *out, const struct prvcut_filter *filter,
                                     size_t filters, const struct prvcut_rule_labels *labels,
                                     const struct prvcut_objects *objects,
                                     struct prvcut_notes *notes, struct prvcut_error *err)
{
    struct prvcut_rule_names names = { .labels = labels, .notes = notes };
    enum prvcut_status st = PRVCUT_OK;

    *out =
        (struct prvcut_rules){ .at = prvcut_zeroed(filters + 1, sizeof *out->at, "filters", err) };
    if (!out->at)
        return PRVCUT_ENOMEM;
    for (; out->count < filters && st == PRVCUT_OK; out->count++)
        st = rul_init_rule(&out->at[out->count], &filter[out->count], &names, objects, err);
    return st;
}

enum prvcut_status prvcut_rules_tasks(uint8_t *thread, const struct prvcut_objects *objects,
                                      const char *list, struct prvcut_error *err)
{
    const struct prvcut_rule_names lenient = { .lenient = true };

    return prvcut_list_threads(thread, objects, list, NULL, &lenient, err);
}

void prvcut_rule_list_fini(struct prvcut_rule_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->at[i].value);
    free(l->at);
}

void prvcut_rules_fini(struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        prvcut_rule_list_fini(&r->at[i].states);
        prvcut_rule_list_fini(&r->at[i].states_dropped);
        prvcut_rule_list_fini(&r->at[i].events);
        prvcut_rule_list_fini(&r->at[i].events_dropped);
        free(r->at[i].thread);
    }
    free(r->at);
    *r = (struct prvcut_rules){ 0 };
}

/* --- Deciding ------------------------------------------------------------------------------- */

static bool rul_has_value(const struct prvcut_rule_item *item, int64_t value)
{
    for (size_t i = 0; i < item->values; i++)
        if (item->value[i] == value)
            return true;
    return item->values == 0;
}

bool prvcut_rule_list_has(const struct prvcut_rule_list *l, uint32_t number, int64_t value)
{
    for (size_t i = 0; i < l->count; i++) {
        struct prvcut_rule_item *item = &l->at[i];

        if (number < item->first || number > item->last || !rul_has_value(item, value))
            continue;
        if (!__atomic_load_n(&item->met, __ATOMIC_RELAXED))
            __atomic_store_n(&item->met, true, __ATOMIC_RELAXED);
        return true;
    }
    return false;
}

static bool rul_passes(const struct prvcut_rule_list *keep, const struct prvcut_rule_list *drop,
                       uint32_t number, int64_t value)
{
    return (!keep->given || prvcut_rule_list_has(keep, number, value)) &&
           (!drop->given || !prvcut_rule_list_has(drop, number, value));
}

bool prvcut_rules_keep_state(const struct prvcut_rules *r, const struct prvcut_state *s)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct prvcut_rule *rule = &r->at[i];

        if (rule->drop_states || (rule->thread && !rule->thread[s->thread]) ||
            s->end - s->begin < rule->min_state_ns ||
            !rul_passes(&rule->states, &rule->states_dropped, s->number, 0))
            return false;
    }
    return true;
}

bool prvcut_rules_keep_message(const struct prvcut_rules *r, const struct prvcut_message *m)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct prvcut_rule *rule = &r->at[i];

        if (rule->drop_messages || m->size < rule->min_message_bytes ||
            (rule->thread && !rule->thread[m->sender] && !rule->thread[m->receiver]))
            return false;
    }
    return true;
}

bool prvcut_rules_keep_events(const struct prvcut_rules *r, uint32_t thread)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].drop_events || (r->at[i].thread && !r->at[i].thread[thread]))
            return false;
    return true;
}

bool prvcut_rules_keep_pair(const struct prvcut_rules *r, uint32_t type, int64_t value)
{
    for (size_t i = 0; i < r->count; i++)
        if (!rul_passes(&r->at[i].events, &r->at[i].events_dropped, type, value))
            return false;
    return true;
}

/* Does a list hold all of a type, nothing of it, or some values? */
static enum prvcut_rule_reach rul_list_reach(const struct prvcut_rule_list *l, uint32_t type)
{
    enum prvcut_rule_reach reach = PRVCUT_RULES_NONE;

    for (size_t i = 0; i < l->count; i++) {
        const struct prvcut_rule_item *item = &l->at[i];

        if (type < item->first || type > item->last)
            continue;
        if (item->values == 0)
            return PRVCUT_RULES_ALL;
        reach = PRVCUT_RULES_SOME;
    }
    return reach;
}

enum prvcut_rule_reach prvcut_rules_reach(const struct prvcut_rules *r, uint32_t type)
{
    enum prvcut_rule_reach all = PRVCUT_RULES_ALL;

    for (size_t i = 0; i < r->count; i++) {
        const struct prvcut_rule *rule = &r->at[i];
        const enum prvcut_rule_reach keep = rul_list_reach(&rule->events, type);
        const enum prvcut_rule_reach drop = rul_list_reach(&rule->events_dropped, type);

        if (rule->drop_events || (rule->events.given && keep == PRVCUT_RULES_NONE) ||
            drop == PRVCUT_RULES_ALL)
            return PRVCUT_RULES_NONE;
        if ((rule->events.given && keep == PRVCUT_RULES_SOME) || drop == PRVCUT_RULES_SOME)
            all = PRVCUT_RULES_SOME;
    }
    return all;
}

bool prvcut_rules_keep_thread(const struct prvcut_rules *r, uint32_t thread)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].thread && !r->at[i].thread[thread])
            return false;
    return true;
}

bool prvcut_rules_drop_events(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].drop_events)
            return true;
    return false;
}

bool prvcut_rules_drop_messages(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].drop_messages)
            return true;
    return false;
}

bool prvcut_rules_list_events(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].events.given)
            return true;
    return false;
}

bool prvcut_rules_ask_sizes(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].min_message_bytes > 0)
            return true;
    return false;
}

bool prvcut_rules_ask_threads(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].thread)
            return true;
    return false;
}

bool prvcut_rules_ask_states(const struct prvcut_rules *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->at[i].drop_states || r->at[i].min_state_ns > 0 || r->at[i].states.given ||
            r->at[i].states_dropped.given)
            return true;
    return false;
}

/* --- What was not there --------------------------------------------------------------------- */

/* "999", "1-5", "7=3/4" */
static void rul_put_item(char *out, size_t room, const struct prvcut_rule_item *item)
{
    size_t n = (size_t)snprintf(out, room, "%" PRIu32, item->first);

    if (item->last > item->first)
        n += (size_t)snprintf(out + n, room - n, "-%" PRIu32, item->last);
    for (size_t i = 0; i < item->values && n + 24 < room; i++)
        n += (size_t)snprintf(out + n, room - n, "%c%" PRId64, i > 0 ? '/' : '=', item->value[i]);
}

/* An item whose numbers an earlier one has, too, is not looked at. */
static enum prvcut_status rul_tell_list(const struct prvcut_rule_list *l, const char *what,
                                        const char *read, struct prvcut_notes *notes,
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
        rul_put_item(text, sizeof text, &l->at[i]);
        st = prvcut_notes_add(notes, err,
                              "no %s %s is in the %s; 'prvcut info -v' lists those there are", what,
                              text, read);
    }
    return st;
}

enum prvcut_status prvcut_rules_tell_unmet(const struct prvcut_rules *r, const char *read,
                                           struct prvcut_notes *notes, struct prvcut_error *err)
{
    const struct prvcut_rule *rule = r->at;
    enum prvcut_status st = PRVCUT_OK;

    /* What one filter takes away the next one does not see. */
    if (r->count != 1 || rule->lenient || rule->thread)
        return PRVCUT_OK;
    if (!rule->drop_states && rule->min_state_ns == 0)
        st = rul_tell_list(rule->states.given ? &rule->states : &rule->states_dropped, "state",
                           read, notes, err);
    if (st == PRVCUT_OK && !rule->drop_events)
        st = rul_tell_list(rule->events.given ? &rule->events : &rule->events_dropped,
                           "event of type", read, notes, err);
    return st;
}

void prvcut_rules_hand_over(struct prvcut_filter_summary *out, const struct prvcut_notes *notes,
                            const struct prvcut_cut_summary *copy)
{
    out->note = notes->at;
    out->notes = notes->count;
    out->bytes = copy->bytes;
    out->disk = copy->disk;
    out->size = copy->size;
    out->file = copy->file;
    out->files = copy->files;
}
