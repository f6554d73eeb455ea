#include "model/rules.h"

#include "model/calls.h"
#include "model/trace.h"

#include <inttypes.h>

/* An archive records the begin and the end of a call, and of a collective all that is known. */

static enum prvcut_status rla_refuse_states(const struct prvcut_trace *t, struct prvcut_error *err)
{
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%s: %s records no states, they follow from its functions; --events and "
                       "--drop-events choose these",
                       prvcut_trace_told(t), t->reader->format->what);
}

/* "T=0" alone, of a type whose values hold until 0. */
static enum prvcut_status rla_refuse_ends(const struct prvcut_rule_list *l,
                                          const struct prvcut_dictionary *d,
                                          struct prvcut_error *err)
{
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < d->types; k++) {
            const struct prvcut_rule_item *item = &l->at[i];
            const struct prvcut_type_name *t = &d->type[k];

            if (t->region && t->number >= item->first && t->number <= item->last &&
                item->values == 1 && item->value[0] == 0)
                return prvcut_fail(err, PRVCUT_EUSAGE,
                                   "'%" PRIu32 "=0': in an archive the end of a call stays or "
                                   "goes with its begin; give the values that begin one, or none",
                                   t->number);
        }
    return PRVCUT_OK;
}

/* Sizes, communicator and root are one record. */
static enum prvcut_status rla_collectives(const struct prvcut_rules *r, bool *stay,
                                          struct prvcut_error *err)
{
    static const uint32_t types[] = { PRVCUT_TYPE_SIZE_SENT, PRVCUT_TYPE_SIZE_RECEIVED,
                                      PRVCUT_TYPE_ROOT, PRVCUT_TYPE_COMMUNICATOR };
    const enum prvcut_rule_reach first = prvcut_rules_reach(r, types[0]);
    bool alike = first != PRVCUT_RULES_SOME;

    for (size_t i = 1; i < sizeof types / sizeof *types; i++)
        alike = alike && prvcut_rules_reach(r, types[i]) == first;
    *stay = first == PRVCUT_RULES_ALL;
    if (alike)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "sizes, root and communicator of a collective are one record of an archive: "
                       "name all of %d-%d or none, without values",
                       PRVCUT_TYPE_SIZE_SENT, PRVCUT_TYPE_COMMUNICATOR);
}

enum prvcut_status prvcut_rules_suit_archive(const struct prvcut_rules *r,
                                             const struct prvcut_dictionary *d,
                                             const struct prvcut_trace *t, bool *collectives,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < r->count && st == PRVCUT_OK; i++) {
        st = rla_refuse_ends(&r->at[i].events, d, err);
        if (st == PRVCUT_OK)
            st = rla_refuse_ends(&r->at[i].events_dropped, d, err);
    }
    if (st == PRVCUT_OK && prvcut_rules_ask_states(r))
        st = rla_refuse_states(t, err);
    return st == PRVCUT_OK ? rla_collectives(r, collectives, err) : st;
}

enum prvcut_status prvcut_rules_suit_counter(const struct prvcut_rules *r, uint32_t type,
                                             const char *name, bool *stays,
                                             struct prvcut_error *err)
{
    const enum prvcut_rule_reach reach = prvcut_rules_reach(r, type);

    *stays = reach == PRVCUT_RULES_ALL;
    if (reach != PRVCUT_RULES_SOME)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "values of the counter %" PRIu32 " (%.80s) cannot be chosen in an archive; "
                       "name it without values",
                       type, name);
}

bool prvcut_rules_keep_between(const struct prvcut_rules *r, uint32_t sender, uint32_t receiver,
                               uint64_t size)
{
    const struct prvcut_message m = { .size = size,
                                      .sender = sender == PRVCUT_NOBODY ? receiver : sender,
                                      .receiver = receiver == PRVCUT_NOBODY ? sender : receiver };

    return prvcut_rules_keep_message(r, &m);
}

void prvcut_rules_add_up(struct prvcut_filter_summary *sum,
                         const struct prvcut_filter_summary *more)
{
    sum->events += more->events;
    sum->pairs += more->pairs;
    sum->messages += more->messages;
    sum->dropped_events += more->dropped_events;
    sum->dropped_pairs += more->dropped_pairs;
    sum->dropped_messages += more->dropped_messages;
}
