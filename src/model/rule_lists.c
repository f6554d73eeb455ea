#include "model/rule_lists.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A piece of a list: text without blanks around it. */
struct word {
    const char *at;
    size_t count;
};

/* What a message shows of a word. */
#define SHOWN(w) (int)((w).count > 80 ? 80 : (w).count), (w).at

static bool rls_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct word rule_lists_trimmed(const char *at, size_t count)
{
    while (count > 0 && rls_is_blank(*at))
        at++, count--;
    while (count > 0 && rls_is_blank(at[count - 1]))
        count--;
    return (struct word){ at, count };
}

/* The part of rest before the next separator; false: there is none left. */
static bool rule_lists_next_word(struct word *rest, char separator, struct word *out)
{
    const char *stop;

    if (!rest->at)
        return false;
    stop = memchr(rest->at, separator, rest->count);
    *out = rule_lists_trimmed(rest->at, stop ? (size_t)(stop - rest->at) : rest->count);
    if (stop) {
        rest->count -= (size_t)(stop + 1 - rest->at);
        rest->at = stop + 1;
    } else {
        rest->at = NULL;
    }
    return true;
}

/* A whole number without a sign, at most `most`. */
static bool rls_number(struct word w, uint64_t most, uint64_t *out)
{
    uint64_t v = 0;

    if (w.count == 0 || w.count > 20)
        return false;
    for (size_t i = 0; i < w.count; i++) {
        if (w.at[i] < '0' || w.at[i] > '9' || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(w.at[i] - '0'), &v))
            return false;
    }
    *out = v;
    return v <= most;
}

static bool rule_lists_signed_number(struct word w, int64_t *out)
{
    const bool minus = w.count > 0 && *w.at == '-';
    uint64_t v;

    if (!rls_number((struct word){ w.at + minus, w.count - minus }, INT64_MAX, &v))
        return false;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

/* "N" or "N-M". */
static bool rule_lists_range(struct word w, uint64_t most, uint64_t *first, uint64_t *last)
{
    struct word part;

    if (!rule_lists_next_word(&w, '-', &part) || !rls_number(part, most, first))
        return false;
    *last = *first;
    return !w.at || (rule_lists_next_word(&w, '-', &part) && !w.at &&
                     rls_number(part, most, last) && *last >= *first);
}

static bool rls_same(struct word w, const char *text)
{
    return strlen(text) == w.count && strncasecmp(text, w.at, w.count) == 0;
}

static enum prvcut_status rls_add(struct prvcut_rule_list *l, uint64_t first, uint64_t last,
                                  struct prvcut_error *err)
{
    if (l->count == l->room &&
        prvcut_grow((void **)&l->at, &l->room, l->count + 1, sizeof *l->at, err) < 0)
        return PRVCUT_ENOMEM;
    l->at[l->count++] =
        (struct prvcut_rule_item){ .first = (uint32_t)first, .last = (uint32_t)last };
    return PRVCUT_OK;
}

/* All of that name; PRVCUT_END: none. */
static enum prvcut_status rule_lists_add_named_states(struct prvcut_rule_list *l, struct word w,
                                                      const struct prvcut_rule_labels *labels,
                                                      struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < labels->states && st == PRVCUT_OK; i++) {
        const struct prvcut_rule_label s = labels->state(labels->ctx, i);

        if (rls_same(w, s.text))
            st = rls_add(l, (uint32_t)s.number, (uint32_t)s.number, err);
    }
    return st == PRVCUT_OK && l->count == before ? PRVCUT_END : st;
}

static enum prvcut_status rule_lists_add_named_types(struct prvcut_rule_list *l, struct word w,
                                                     const struct prvcut_rule_labels *labels,
                                                     struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < labels->types && st == PRVCUT_OK; i++) {
        size_t values;
        const struct prvcut_rule_label t = labels->type(labels->ctx, i, &values);

        if (rls_same(w, t.text))
            st = rls_add(l, (uint32_t)t.number, (uint32_t)t.number, err);
    }
    return st == PRVCUT_OK && l->count == before ? PRVCUT_END : st;
}

static enum prvcut_status rls_unknown(const struct prvcut_rule_names *names, const char *what,
                                      struct word w, const char *forms, struct prvcut_error *err)
{
    if (names->lenient && w.count > 0)
        return prvcut_notes_add(names->notes, err, "the trace has no %s '%.*s'", what, SHOWN(w));
    prvcut_instead(err, "prvcut info -v TRACE");
    return prvcut_fail(err, PRVCUT_EUSAGE, "'%.*s' is no %s of the trace: %s", SHOWN(w), what,
                       forms);
}

/* The first value of the i-th type that is called so; false: none. */
static bool rule_lists_value_called(const struct prvcut_rule_labels *labels, size_t i,
                                    size_t values, struct word w, int64_t *out)
{
    for (size_t k = 0; k < values; k++) {
        const struct prvcut_rule_label v = labels->value(labels->ctx, i, k);

        if (rls_same(w, v.text)) {
            *out = v.number;
            return true;
        }
    }
    return false;
}

/* All types with a value of that name, each with it; PRVCUT_END: none. */
static enum prvcut_status rule_lists_add_named_values(struct prvcut_rule_list *l, struct word w,
                                                      const struct prvcut_rule_labels *labels,
                                                      struct prvcut_error *err)
{
    const size_t before = l->count;

    for (size_t i = 0; i < labels->types; i++) {
        size_t values;
        const struct prvcut_rule_label t = labels->type(labels->ctx, i, &values);
        struct prvcut_rule_item *item;
        int64_t value;

        if (!rule_lists_value_called(labels, i, values, w, &value))
            continue;
        if (rls_add(l, (uint32_t)t.number, (uint32_t)t.number, err) < 0)
            return PRVCUT_ENOMEM;
        item = &l->at[l->count - 1];
        item->value = prvcut_unset(1, sizeof *item->value, "a filter", err);
        if (!item->value)
            return PRVCUT_ENOMEM;
        item->value[item->values++] = value;
    }
    return l->count == before ? PRVCUT_END : PRVCUT_OK;
}

enum prvcut_status prvcut_list_values(struct prvcut_rule_list *out, const char *name,
                                      const struct prvcut_rule_labels *labels,
                                      struct prvcut_error *err)
{
    const enum prvcut_status st =
        rule_lists_add_named_values(out, rule_lists_trimmed(name, strlen(name)), labels, err);

    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static const char state_forms[] = "a number, N-M, or a name as its labels have it";

static enum prvcut_status rls_add_state(struct prvcut_rule_list *l, struct word w,
                                        const struct prvcut_rule_names *names,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = rule_lists_add_named_states(l, w, names->labels, err);
    uint64_t first, last;

    if (st != PRVCUT_END)
        return st;
    if (rule_lists_range(w, UINT32_MAX, &first, &last))
        return rls_add(l, first, last, err);
    return rls_unknown(names, "state", w, state_forms, err);
}

/* The items of a list: what a word adds, and what a text as a whole may name. */
struct rls_kind {
    enum prvcut_status (*named)(struct prvcut_rule_list *l, struct word w,
                                const struct prvcut_rule_labels *labels, struct prvcut_error *err);
    enum prvcut_status (*word)(struct prvcut_rule_list *l, struct word w,
                               const struct prvcut_rule_names *names, struct prvcut_error *err);
};

/* A name may hold a comma. */
static enum prvcut_status rls_list(struct prvcut_rule_list *out, const char *const *texts,
                                   const struct rls_kind *kind,
                                   const struct prvcut_rule_names *names, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    out->given = texts != NULL;
    for (; texts && *texts && st == PRVCUT_OK; texts++) {
        struct word rest = rule_lists_trimmed(*texts, strlen(*texts)), w;

        st = kind->named(out, rest, names->labels, err);
        if (st != PRVCUT_END)
            continue;
        st = PRVCUT_OK;
        while (st == PRVCUT_OK && rule_lists_next_word(&rest, ',', &w))
            st = kind->word(out, w, names, err);
    }
    return st;
}

enum prvcut_status prvcut_list_states(struct prvcut_rule_list *out, const char *const *texts,
                                      const struct prvcut_rule_names *names,
                                      struct prvcut_error *err)
{
    return rls_list(out, texts, &(struct rls_kind){ rule_lists_add_named_states, rls_add_state },
                    names, err);
}

/* --- Event types ---------------------------------------------------------------------------- */

/* What the types from first to last call a value, in any of them. */
static bool rule_lists_named_value(const struct prvcut_rule_labels *labels,
                                   const struct prvcut_rule_item *item, struct word w, int64_t *out)
{
    for (size_t i = 0; i < labels->types; i++) {
        size_t values;
        const struct prvcut_rule_label t = labels->type(labels->ctx, i, &values);

        if (t.number >= item->first && t.number <= item->last &&
            rule_lists_value_called(labels, i, values, w, out))
            return true;
    }
    return false;
}

static enum prvcut_status rule_lists_unknown_value(struct word w, uint32_t type,
                                                   struct prvcut_error *err)
{
    prvcut_instead(err, "prvcut info -v TRACE");
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "'%.*s' is no value of event type %" PRIu32
                       ": a number, or a name as the labels have it",
                       SHOWN(w), type);
}

/* Give the items from `first` on the values of "VALUE/VALUE". */
static enum prvcut_status rule_lists_add_values(struct prvcut_rule_list *l, size_t first,
                                                struct word rest,
                                                const struct prvcut_rule_names *names,
                                                struct prvcut_error *err)
{
    struct word all = rest, w;
    size_t room = 0;

    for (size_t i = first; i < l->count; i++, room = 0) {
        struct prvcut_rule_item *item = &l->at[i];

        for (rest = all; rule_lists_next_word(&rest, '/', &w); item->values++) {
            if (prvcut_grow((void **)&item->value, &room, item->values + 1, sizeof *item->value,
                            err) < 0)
                return PRVCUT_ENOMEM;
            if (!rule_lists_signed_number(w, &item->value[item->values]) &&
                !rule_lists_named_value(names->labels, item, w, &item->value[item->values]))
                return rule_lists_unknown_value(w, item->first, err);
        }
    }
    return PRVCUT_OK;
}

/* A type without values. */
static enum prvcut_status rls_add_type(struct prvcut_rule_list *l, struct word w,
                                       const struct prvcut_rule_names *names,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = rule_lists_add_named_types(l, w, names->labels, err);
    uint64_t first, last;

    if (st != PRVCUT_END)
        return st;
    if (rule_lists_range(w, UINT32_MAX, &first, &last))
        return rls_add(l, first, last, err);
    return rls_unknown(
        names, "event type", w,
        "a number, N-M, or the name of a type or of a value, the first with or without "
        "=VALUE[/VALUE...]",
        err);
}

static enum prvcut_status rule_lists_add_valued_type(struct prvcut_rule_list *l, struct word w,
                                                     const struct prvcut_rule_names *names,
                                                     struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = rule_lists_add_named_types(l, w, names->labels, err);
    const char *equals = NULL;
    uint64_t first, last;

    if (st != PRVCUT_END)
        return st;
    for (size_t i = 0; i < w.count; i++)
        if (w.at[i] == '=')
            equals = w.at + i;
    if (!equals && !names->lenient && !rule_lists_range(w, UINT32_MAX, &first, &last))
        st = rule_lists_add_named_values(l, w, names->labels, err);
    if (st != PRVCUT_END)
        return st;
    if (!equals)
        return rls_add_type(l, w, names, err);
    st = rls_add_type(l, rule_lists_trimmed(w.at, (size_t)(equals - w.at)), names, err);
    if (st < 0)
        return st;
    return rule_lists_add_values(
        l, before, (struct word){ equals + 1, (size_t)(w.at + w.count - equals) - 1 }, names, err);
}

enum prvcut_status prvcut_list_types(struct prvcut_rule_list *out, const char *const *texts,
                                     const struct prvcut_rule_names *names,
                                     struct prvcut_error *err)
{
    return rls_list(out, texts,
                    &(struct rls_kind){ rule_lists_add_named_types, rule_lists_add_valued_type },
                    names, err);
}

/* --- Tasks and threads ---------------------------------------------------------------------- */

/* A part of a thread's name, and whether it is more than "*". */
struct part {
    uint64_t first, last;
    bool told;
};

/* Parts of a thread's name, in their order. */
enum { APPLICATION, TASK, THREAD, PARTS };

/* "N", "N-M" or "*", from 1 on. */
static bool rule_lists_part(struct word w, struct part *out)
{
    *out = (struct part){ .first = 1, .last = UINT32_MAX };
    if (w.count == 1 && *w.at == '*')
        return true;
    out->told = true;
    return rule_lists_range(w, UINT32_MAX, &out->first, &out->last) && out->first > 0;
}

/* Threads of a trace that are being marked. */
struct marking {
    uint8_t *thread; /* [threads] */
    const struct prvcut_objects *objects;
    const struct prvcut_rule_names *names;
    uint32_t most[PARTS]; /* greatest numbers of any of the trace's threads */
};

static void rule_lists_find_most(struct marking *m)
{
    for (uint32_t i = 0; i < m->objects->threads; i++) {
        uint32_t name[PARTS];

        prvcut_objects_name(m->objects, i, &name[APPLICATION], &name[TASK], &name[THREAD]);
        for (unsigned k = 0; k < PARTS; k++)
            m->most[k] = name[k] > m->most[k] ? name[k] : m->most[k];
    }
}

/* Mark what an item names; false: nothing is of that name. */
static bool rule_lists_mark_item(const struct marking *m, const struct part *item, uint8_t mark)
{
    bool any = false;

    for (uint32_t i = 0; i < m->objects->threads; i++) {
        uint32_t name[PARTS];
        bool all = true;

        prvcut_objects_name(m->objects, i, &name[APPLICATION], &name[TASK], &name[THREAD]);
        for (unsigned k = 0; k < PARTS; k++)
            all = all && name[k] >= item[k].first && name[k] <= item[k].last;
        if (all)
            m->thread[i] |= mark;
        any |= all;
    }
    return any;
}

/* "tasks 1 to 8", "task 1 alone" */
static void rule_lists_tell_part(char out[64], unsigned k, uint32_t most)
{
    static const char *const noun[PARTS] = { "application", "task", "thread" };

    if (most > 1)
        snprintf(out, 64, "%ss 1 to %" PRIu32, noun[k], most);
    else
        snprintf(out, 64, "%s 1 alone", noun[k]);
}

/* What an item names that the trace does not have; what it has of it is marked all the same. */
static enum prvcut_status rule_lists_beyond(const struct marking *m, struct word w,
                                            const struct part *item, bool any,
                                            struct prvcut_error *err)
{
    unsigned k = 0;
    char has[64] = "no such thread";

    while (k < PARTS && !(item[k].told && item[k].last > m->most[k]))
        k++;
    if (k == PARTS && any)
        return PRVCUT_OK;
    if (k < PARTS)
        rule_lists_tell_part(has, k, m->most[k]);
    if (!m->names->lenient)
        return prvcut_fail(err, PRVCUT_EUSAGE, "'%.*s' reaches too far: the trace has %s%s",
                           SHOWN(w), has, k == THREAD ? " in a task" : "");
    if (!m->names->notes)
        return PRVCUT_OK;
    return prvcut_notes_add(m->names->notes, err, "'%.*s' reaches too far: the trace has %s%s",
                            SHOWN(w), has, k == THREAD ? " in a task" : "");
}

/* The list with what the trace has of an item of it. */
static void rule_lists_offer_tasks(const struct marking *m, const char *list, struct word w,
                                   const struct part *item, struct prvcut_error *err)
{
    const uint32_t most = m->most[TASK];
    const char *behind = w.at + w.count;
    char first[24] = "";

    if (item->last <= most || m->names->lenient)
        return;
    if (item->first < most)
        snprintf(first, sizeof first, "%" PRIu64 "-", item->first);
    prvcut_instead(err, "--tasks %.*s%s%" PRIu32 "%s", (int)(w.at - list), list, first, most,
                   behind);
}

static enum prvcut_status rule_lists_mark_tasks(const struct marking *m, const char *list,
                                                uint8_t mark, struct prvcut_error *err)
{
    struct word rest = rule_lists_trimmed(list, strlen(list)), w;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && rule_lists_next_word(&rest, ',', &w)) {
        struct part item[PARTS] = { { 1, UINT32_MAX, false }, { 0 }, { 1, UINT32_MAX, false } };

        if (!rule_lists_part(w, &item[TASK]))
            return prvcut_fail(err, PRVCUT_EUSAGE, "tasks: '%.*s' is not N or N-M, from 1 on",
                               SHOWN(w));
        rule_lists_offer_tasks(m, list, w, &item[TASK], err);
        st = rule_lists_beyond(m, w, item, rule_lists_mark_item(m, item, mark), err);
    }
    return st;
}

/* "THREAD" parts of one item, from the right: thread, task, application. */
static bool rule_lists_thread_parts(struct word w, struct part item[PARTS])
{
    struct word text[PARTS];
    size_t n = 0;

    while (n < PARTS && rule_lists_next_word(&w, '.', &text[n]))
        n++;
    if (w.at || n < 2)
        return false;
    item[APPLICATION] = (struct part){ 1, UINT32_MAX, false };
    for (size_t i = 0; i < n; i++)
        if (!rule_lists_part(text[i], &item[PARTS - n + i]))
            return false;
    return true;
}

static enum prvcut_status rule_lists_mark_threads(const struct marking *m, const char *list,
                                                  uint8_t mark, struct prvcut_error *err)
{
    struct word rest = rule_lists_trimmed(list, strlen(list)), w;
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK && rule_lists_next_word(&rest, ',', &w)) {
        struct part item[PARTS];

        if (!rule_lists_thread_parts(w, item))
            return prvcut_fail(
                err, PRVCUT_EUSAGE,
                "threads: '%.*s' is not TASK.THREAD or APPLICATION.TASK.THREAD, each "
                "N, N-M or *",
                SHOWN(w));
        st = rule_lists_beyond(m, w, item, rule_lists_mark_item(m, item, mark), err);
    }
    return st;
}

enum prvcut_status prvcut_list_threads(uint8_t *thread, const struct prvcut_objects *objects,
                                       const char *tasks, const char *threads,
                                       const struct prvcut_rule_names *names,
                                       struct prvcut_error *err)
{
    struct marking m = { .thread = thread, .objects = objects, .names = names };
    const uint8_t both = (uint8_t)((tasks ? 1 : 0) | (threads ? 2 : 0));
    enum prvcut_status st = PRVCUT_OK;

    rule_lists_find_most(&m);
    if (tasks)
        st = rule_lists_mark_tasks(&m, tasks, 1, err);
    if (st == PRVCUT_OK && threads)
        st = rule_lists_mark_threads(&m, threads, 2, err);
    for (uint32_t i = 0; i < m.objects->threads; i++)
        thread[i] = thread[i] == both;
    return st;
}
