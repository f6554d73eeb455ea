#include "paraver/filter_lists.h"

#include "base/buffer.h"
#include "paraver/header.h"

#include <inttypes.h>
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

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct word trimmed(const char *at, size_t count)
{
    while (count > 0 && is_blank(*at))
        at++, count--;
    while (count > 0 && is_blank(at[count - 1]))
        count--;
    return (struct word){ at, count };
}

/* The part of rest before the next separator; false: there is none left. */
static bool next_word(struct word *rest, char separator, struct word *out)
{
    const char *stop;

    if (!rest->at)
        return false;
    stop = memchr(rest->at, separator, rest->count);
    *out = trimmed(rest->at, stop ? (size_t)(stop - rest->at) : rest->count);
    if (stop) {
        rest->count -= (size_t)(stop + 1 - rest->at);
        rest->at = stop + 1;
    } else {
        rest->at = NULL;
    }
    return true;
}

/* A whole number without a sign, at most `most`. */
static bool number(struct word w, uint64_t most, uint64_t *out)
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

static bool signed_number(struct word w, int64_t *out)
{
    const bool minus = w.count > 0 && *w.at == '-';
    uint64_t v;

    if (!number((struct word){ w.at + minus, w.count - minus }, INT64_MAX, &v))
        return false;
    *out = minus ? -(int64_t)v : (int64_t)v;
    return true;
}

/* "N" or "N-M". */
static bool range(struct word w, uint64_t most, uint64_t *first, uint64_t *last)
{
    struct word part;

    if (!next_word(&w, '-', &part) || !number(part, most, first))
        return false;
    *last = *first;
    return !w.at ||
           (next_word(&w, '-', &part) && !w.at && number(part, most, last) && *last >= *first);
}

static bool same(struct word w, const char *text)
{
    return strlen(text) == w.count && strncasecmp(text, w.at, w.count) == 0;
}

static enum prvcut_status add(struct prv_rule_list *l, uint64_t first, uint64_t last,
                              struct prvcut_error *err)
{
    if (l->count == l->room &&
        prvcut_grow((void **)&l->at, &l->room, l->count + 1, sizeof *l->at, err) < 0)
        return PRVCUT_ENOMEM;
    l->at[l->count++] = (struct prv_rule_item){ .first = (uint32_t)first, .last = (uint32_t)last };
    return PRVCUT_OK;
}

/* All of that name; PRVCUT_END: none. */
static enum prvcut_status add_named_states(struct prv_rule_list *l, struct word w,
                                           const struct prv_labels *labels,
                                           struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < labels->states && st == PRVCUT_OK; i++)
        if (same(w, labels->state[i].text))
            st = add(l, labels->state[i].number, labels->state[i].number, err);
    return st == PRVCUT_OK && l->count == before ? PRVCUT_END : st;
}

static enum prvcut_status add_named_types(struct prv_rule_list *l, struct word w,
                                          const struct prv_labels *labels, struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < labels->types && st == PRVCUT_OK; i++)
        if (same(w, labels->type[i].label.text))
            st = add(l, labels->type[i].label.number, labels->type[i].label.number, err);
    return st == PRVCUT_OK && l->count == before ? PRVCUT_END : st;
}

static enum prvcut_status unknown(const struct prv_names *names, const char *what, struct word w,
                                  const char *forms, struct prvcut_error *err)
{
    if (names->lenient && w.count > 0)
        return prv_notes_add(names->notes, err, "the trace has no %s '%.*s'", what, SHOWN(w));
    return prvcut_fail(err, PRVCUT_EUSAGE, "'%.*s' is no %s of the trace: %s", SHOWN(w), what,
                       forms);
}

static const char state_forms[] = "a number, N-M, or a name as its labels have it";
static const char type_forms[] = "a number, N-M, or a label, with or without =VALUE[/VALUE...]";

static enum prvcut_status add_state(struct prv_rule_list *l, struct word w,
                                    const struct prv_names *names, struct prvcut_error *err)
{
    enum prvcut_status st = add_named_states(l, w, names->labels, err);
    uint64_t first, last;

    if (st != PRVCUT_END)
        return st;
    if (range(w, UINT32_MAX, &first, &last))
        return add(l, first, last, err);
    return unknown(names, "state", w, state_forms, err);
}

enum prvcut_status prv_list_states(struct prv_rule_list *out, const char *const *texts,
                                   const struct prv_names *names, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    out->given = texts != NULL;
    for (; texts && *texts && st == PRVCUT_OK; texts++) {
        struct word rest = trimmed(*texts, strlen(*texts)), w;

        /* A name may hold a comma. */
        st = add_named_states(out, rest, names->labels, err);
        if (st != PRVCUT_END)
            continue;
        st = PRVCUT_OK;
        while (st == PRVCUT_OK && next_word(&rest, ',', &w))
            st = add_state(out, w, names, err);
    }
    return st;
}

/* --- Event types ---------------------------------------------------------------------------- */

/* What the types from first to last call a value, in any of them. */
static bool named_value(const struct prv_labels *labels, const struct prv_rule_item *item,
                        struct word w, int64_t *out)
{
    for (size_t i = 0; i < labels->types; i++) {
        const struct prv_type *t = &labels->type[i];

        if (t->label.number < item->first || t->label.number > item->last)
            continue;
        for (size_t k = 0; k < t->values; k++)
            if (same(w, t->value[k].text)) {
                *out = t->value[k].number;
                return true;
            }
    }
    return false;
}

/* Give the items from `first` on the values of "VALUE/VALUE". */
static enum prvcut_status add_values(struct prv_rule_list *l, size_t first, struct word rest,
                                     const struct prv_names *names, struct prvcut_error *err)
{
    struct word all = rest, w;
    size_t room = 0;

    for (size_t i = first; i < l->count; i++, room = 0) {
        struct prv_rule_item *item = &l->at[i];

        for (rest = all; next_word(&rest, '/', &w); item->values++) {
            if (prvcut_grow((void **)&item->value, &room, item->values + 1, sizeof *item->value,
                            err) < 0)
                return PRVCUT_ENOMEM;
            if (!signed_number(w, &item->value[item->values]) &&
                !named_value(names->labels, item, w, &item->value[item->values]))
                return prvcut_fail(err, PRVCUT_EUSAGE,
                                   "'%.*s' is no value of event type %" PRIu32
                                   ": a number, or a name as the labels have it",
                                   SHOWN(w), item->first);
        }
    }
    return PRVCUT_OK;
}

/* A type without values. */
static enum prvcut_status add_type(struct prv_rule_list *l, struct word w,
                                   const struct prv_names *names, struct prvcut_error *err)
{
    enum prvcut_status st = add_named_types(l, w, names->labels, err);
    uint64_t first, last;

    if (st != PRVCUT_END)
        return st;
    if (range(w, UINT32_MAX, &first, &last))
        return add(l, first, last, err);
    return unknown(names, "event type", w, type_forms, err);
}

static enum prvcut_status add_valued_type(struct prv_rule_list *l, struct word w,
                                          const struct prv_names *names, struct prvcut_error *err)
{
    const size_t before = l->count;
    enum prvcut_status st = add_named_types(l, w, names->labels, err);
    const char *equals = NULL;

    if (st != PRVCUT_END)
        return st;
    for (size_t i = 0; i < w.count; i++)
        if (w.at[i] == '=')
            equals = w.at + i;
    if (!equals)
        return add_type(l, w, names, err);
    st = add_type(l, trimmed(w.at, (size_t)(equals - w.at)), names, err);
    if (st < 0)
        return st;
    return add_values(l, before, (struct word){ equals + 1, (size_t)(w.at + w.count - equals) - 1 },
                      names, err);
}

enum prvcut_status prv_list_types(struct prv_rule_list *out, const char *const *texts,
                                  const struct prv_names *names, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    out->given = texts != NULL;
    for (; texts && *texts && st == PRVCUT_OK; texts++) {
        struct word rest = trimmed(*texts, strlen(*texts)), w;

        st = add_named_types(out, rest, names->labels, err);
        if (st != PRVCUT_END)
            continue;
        st = PRVCUT_OK;
        while (st == PRVCUT_OK && next_word(&rest, ',', &w))
            st = add_valued_type(out, w, names, err);
    }
    return st;
}

/* --- Tasks and threads ---------------------------------------------------------------------- */

/* "N", "N-M" or "*", from 1 on. */
static bool part(struct word w, uint64_t *first, uint64_t *last)
{
    *first = 1;
    *last = UINT32_MAX;
    return (w.count == 1 && *w.at == '*') || (range(w, UINT32_MAX, first, last) && *first > 0);
}

static enum prvcut_status mark_tasks(uint8_t *thread, const struct prvcut_objects *o,
                                     const char *list, uint8_t mark, struct prvcut_error *err)
{
    struct word rest = trimmed(list, strlen(list)), w;

    while (next_word(&rest, ',', &w)) {
        uint64_t first, last;

        if (!part(w, &first, &last))
            return prvcut_fail(err, PRVCUT_EUSAGE, "tasks: '%.*s' is not N or N-M, from 1 on",
                               SHOWN(w));
        for (uint32_t i = 0; i < o->threads; i++) {
            uint32_t application, task, number_of;

            prvcut_objects_name(o, i, &application, &task, &number_of);
            if (task >= first && task <= last)
                thread[i] |= mark;
        }
    }
    return PRVCUT_OK;
}

/* "THREAD" parts of one item, from the right: thread, task, application. */
static bool thread_parts(struct word w, uint64_t first[3], uint64_t last[3])
{
    struct word text[3];
    size_t n = 0;

    while (n < 3 && next_word(&w, '.', &text[n]))
        n++;
    if (w.at || n < 2)
        return false;
    first[0] = 1;
    last[0] = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        if (!part(text[i], &first[3 - n + i], &last[3 - n + i]))
            return false;
    return true;
}

static enum prvcut_status mark_threads(uint8_t *thread, const struct prvcut_objects *o,
                                       const char *list, uint8_t mark, struct prvcut_error *err)
{
    struct word rest = trimmed(list, strlen(list)), w;

    while (next_word(&rest, ',', &w)) {
        uint64_t first[3], last[3];

        if (!thread_parts(w, first, last))
            return prvcut_fail(
                err, PRVCUT_EUSAGE,
                "threads: '%.*s' is not TASK.THREAD or APPLICATION.TASK.THREAD, each "
                "N, N-M or *",
                SHOWN(w));
        for (uint32_t i = 0; i < o->threads; i++) {
            uint32_t name[3];

            prvcut_objects_name(o, i, &name[0], &name[1], &name[2]);
            if (name[0] >= first[0] && name[0] <= last[0] && name[1] >= first[1] &&
                name[1] <= last[1] && name[2] >= first[2] && name[2] <= last[2])
                thread[i] |= mark;
        }
    }
    return PRVCUT_OK;
}

enum prvcut_status prv_list_threads(uint8_t *thread, const struct prv_header *header,
                                    const char *tasks, const char *threads,
                                    struct prvcut_error *err)
{
    const struct prvcut_objects *o = &header->objects;
    const uint8_t both = (uint8_t)((tasks ? 1 : 0) | (threads ? 2 : 0));
    enum prvcut_status st = tasks ? mark_tasks(thread, o, tasks, 1, err) : PRVCUT_OK;

    if (st == PRVCUT_OK && threads)
        st = mark_threads(thread, o, threads, 2, err);
    for (uint32_t i = 0; i < o->threads; i++)
        thread[i] = thread[i] == both;
    return st;
}
