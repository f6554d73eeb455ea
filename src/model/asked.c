#include "model/asked.h"

#include "base/buffer.h"
#include "base/lasting.h"
#include "base/memory.h"
#include "base/word.h"
#include "model/regions.h"
#include "model/roles.h"
#include "model/rule_lists.h"
#include "model/trace.h"

#include <stdlib.h>
#include <string.h>

/* What a message lists of what there is. */
#define LISTED 8

static const struct asked_kind {
    const char *word, *form, *help;
} asked_kind[PRVCUT_ASKED_KINDS] = {
    [PRVCUT_ASKED_EVENT] = { "event", "event:TYPE[=VALUE]",
                             "events of a type per ns, named as for 'filter --events'" },
    [PRVCUT_ASKED_COUNTER] = { "counter", "counter:NAME",
                               "counter per ns, or its level, over all threads" },
    [PRVCUT_ASKED_STATE] = { "state", "state:NAME", "threads in the state" },
    [PRVCUT_ASKED_REGION] = { "region", "region:NAME",
                              "threads inside the call or the function; quote a name that holds a "
                              "comma" },
};

const char *prvcut_asked_form(size_t i)
{
    return i < PRVCUT_ASKED_KINDS ? asked_kind[i].form : NULL;
}

const char *prvcut_asked_help(size_t i)
{
    return i < PRVCUT_ASKED_KINDS ? asked_kind[i].help : NULL;
}

/* The kind whose word and colon the name begins with; PRVCUT_ASKED_KINDS: none. */
static enum prvcut_asked_kind asked_kind_of(const char *name, size_t length)
{
    unsigned i = 0;

    while (i < PRVCUT_ASKED_KINDS) {
        const size_t word = strlen(asked_kind[i].word);

        if (length > word + 1 && name[word] == ':' && strncmp(name, asked_kind[i].word, word) == 0)
            break;
        i++;
    }
    return (enum prvcut_asked_kind)i;
}

bool prvcut_asked_is(const char *name, size_t length)
{
    return asked_kind_of(name, length) < PRVCUT_ASKED_KINDS;
}

static bool asked_is_counter(const struct prvcut_type_name *t)
{
    return prvcut_role_is_counter(t->role) || t->gauge;
}

/* "'X' is no counter of the trace; there are: A, B": what is possible is what helps. */
static enum prvcut_status asked_unknown(const struct prvcut_asked_metric *m, const char *name,
                                        const struct prvcut_dictionary *d, struct prvcut_error *err)
{
    struct prvcut_buffer known = { 0 };
    unsigned listed = 0;
    enum prvcut_status st;

    for (size_t i = 0; m->kind == PRVCUT_ASKED_COUNTER && i < d->types && listed < LISTED; i++)
        if (asked_is_counter(&d->type[i]))
            prvcut_buffer_printf(&known, NULL, "%s%s",
                                 listed++ ? ", " : "; there are: ", d->type[i].text);
    for (size_t i = 0; m->kind == PRVCUT_ASKED_STATE && i < d->states && listed < LISTED; i++)
        prvcut_buffer_printf(&known, NULL, "%s%s",
                             listed++ ? ", " : "; there are: ", d->state[i].text);
    if (m->kind == PRVCUT_ASKED_REGION)
        prvcut_buffer_printf(&known, NULL,
                             ": a call or a function by its name, such as region:MPI_Send");
    prvcut_instead(err, "prvcut info -v TRACE");
    st = prvcut_fail(err, PRVCUT_EUSAGE, "'%.80s' is no %s of the trace%.*s", name,
                     asked_kind[m->kind].word, (int)known.count, known.at ? known.at : "");
    prvcut_buffer_fini(&known);
    return st;
}

static bool asked_suits(enum prvcut_asked_kind kind, const struct prvcut_rule_item *item,
                        const struct prvcut_dictionary *d)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(d, item->first);

    if (kind == PRVCUT_ASKED_REGION)
        return item->values > 0 && t &&
               prvcut_event_shape(d, t->role, t->number) == PRVCUT_SHAPE_REGION;
    return kind != PRVCUT_ASKED_COUNTER || (item->values == 0 && item->first == item->last);
}

/* A name may stand for things of several kinds, too: what is entered, and who called it. */
static void asked_keep_suiting(struct prvcut_asked_metric *m, const struct prvcut_dictionary *d)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->of.count; i++) {
        if (asked_suits(m->kind, &m->of.at[i], d))
            m->of.at[kept++] = m->of.at[i];
        else
            free(m->of.at[i].value);
    }
    m->of.count = kept;
}

/* Whose events are to be read: those of a type that has no name may have any role. */
static void asked_roles(struct prvcut_asked_metric *m, const struct prvcut_dictionary *d)
{
    for (size_t i = 0; i < m->of.count && m->kind != PRVCUT_ASKED_STATE; i++) {
        const struct prvcut_rule_item *item = &m->of.at[i];
        const struct prvcut_type_name *t =
            item->first == item->last ? prvcut_dictionary_type(d, item->first) : NULL;

        m->roles |= t ? PRVCUT_ROLE_BIT(t->role) : PRVCUT_ROLE_BIT(PRVCUT_ROLES) - 1;
        m->level = m->level || (t && !prvcut_role_is_counter(t->role));
    }
}

/* The whole label of a counter that is known by a word of it; else the name as it is. */
static const char *asked_label(const struct prvcut_dictionary *d, const char *name)
{
    for (size_t i = 0; i < d->types; i++)
        if (asked_is_counter(&d->type[i]) && prvcut_has_word(d->type[i].text, name))
            return d->type[i].text;
    return name;
}

/* Look the name up in what the trace calls its things. */
static enum prvcut_status asked_look_up(struct prvcut_asked_metric *m,
                                        const struct prvcut_dictionary *d, struct prvcut_error *err)
{
    const char *const name = strchr(m->name, ':') + 1;
    const char *const label = m->kind == PRVCUT_ASKED_COUNTER ? asked_label(d, name) : name;
    const char *const texts[] = { label, NULL };
    const struct prvcut_rule_labels labels = prvcut_rule_labels_of(d);
    const struct prvcut_rule_names names = { .labels = &labels };
    struct prvcut_error why = { .status = PRVCUT_OK };
    enum prvcut_status st;

    if (m->kind == PRVCUT_ASKED_STATE)
        st = prvcut_list_states(&m->of, texts, &names, &why);
    else if (m->kind == PRVCUT_ASKED_REGION)
        st = prvcut_list_values(&m->of, name, &labels, &why);
    else
        st = prvcut_list_types(&m->of, texts, &names, &why);
    if (st < 0 && (st != PRVCUT_EUSAGE || m->kind == PRVCUT_ASKED_EVENT)) {
        *err = why;
        return st;
    }
    if (st == PRVCUT_OK && m->kind != PRVCUT_ASKED_STATE)
        asked_keep_suiting(m, d);
    if (st < 0 || m->of.count == 0)
        return asked_unknown(m, name, d, err);
    asked_roles(m, d);
    return PRVCUT_OK;
}

static void asked_fini(struct prvcut_asked_metric *m)
{
    prvcut_rule_list_fini(&m->of);
    if (m->given)
        free(m->given->at);
    free(m->given);
    *m = (struct prvcut_asked_metric){ 0 };
}

static enum prvcut_status asked_make(struct prvcut_asked_metric *m, struct prvcut_trace *trace,
                                     const char *name, struct prvcut_error *err)
{
    struct prvcut_dictionary names;
    enum prvcut_status st = trace->reader->describe(trace, &names, err);

    m->kind = asked_kind_of(name, strlen(name));
    m->name = prvcut_lasting_text(name, err);
    if (st == PRVCUT_OK)
        st = m->name ? asked_look_up(m, &names, err) : PRVCUT_ENOMEM;
    prvcut_dictionary_fini(&names);
    if (st < 0)
        asked_fini(m);
    return st;
}

/* Its number where it is there; else the next one's, with room for it. */
static enum prvcut_status asked_find(struct prvcut_trace *trace, const char *name, unsigned *number,
                                     struct prvcut_error *err)
{
    struct prvcut_asked *a = trace->asked;

    if (!a)
        a = trace->asked = prvcut_zeroed(1, sizeof *a, "metrics", err);
    if (!a)
        return PRVCUT_ENOMEM;
    for (*number = 0; *number < a->count; ++*number)
        if (strcmp(a->at[*number].name, name) == 0)
            return PRVCUT_OK;
    if (a->count == PRVCUT_ASKED_MOST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "more than %d metrics of the trace's own, with '%.80s'",
                           PRVCUT_ASKED_MOST, name);
    return PRVCUT_OK;
}

unsigned prvcut_asked_given(const struct prvcut_trace *trace, const char *name)
{
    for (unsigned i = 0; trace->asked && i < trace->asked->count; i++)
        if (trace->asked->at[i].given && strcmp(trace->asked->at[i].name, name) == 0)
            return i;
    return PRVCUT_ASKED_MOST;
}

uint32_t prvcut_asked_all_given(const struct prvcut_trace *trace)
{
    uint32_t all = 0;

    for (unsigned i = 0; trace->asked && i < trace->asked->count; i++)
        if (trace->asked->at[i].given)
            all |= UINT32_C(1) << i;
    return all;
}

enum prvcut_status prvcut_asked_give(struct prvcut_trace *trace, const struct prvcut_signal *s,
                                     struct prvcut_error *err)
{
    struct prvcut_signal *copy = prvcut_zeroed(1, sizeof *copy, "a signal", err);
    struct prvcut_asked_metric made = { .kind = PRVCUT_ASKED_GIVEN, .given = copy };
    unsigned number;
    enum prvcut_status st = copy ? asked_find(trace, s->name, &number, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK) {
        *copy = *s;
        copy->at = prvcut_unset(s->bins + 1, sizeof *copy->at, "a signal", err);
        made.name = copy->name = prvcut_lasting_text(s->name, err);
        st = copy->at && made.name ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st < 0) {
        asked_fini(&made);
        return st;
    }
    memcpy(copy->at, s->at, s->bins * sizeof *copy->at);
    if (number == trace->asked->count)
        trace->asked->count++;
    else
        asked_fini(&trace->asked->at[number]);
    trace->asked->at[number] = made;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_asked_add(struct prvcut_trace *trace, const char *name, unsigned *number,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = asked_find(trace, name, number, err);
    struct prvcut_asked *const a = trace->asked;

    if (st < 0 || *number < a->count)
        return st;
    st = asked_make(&a->at[a->count], trace, name, err);
    if (st == PRVCUT_OK)
        a->count++;
    return st;
}

void prvcut_asked_free(struct prvcut_asked *asked)
{
    for (unsigned i = 0; asked && i < asked->count; i++)
        asked_fini(&asked->at[i]);
    free(asked);
}
