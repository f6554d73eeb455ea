#include "paraver/seen.h"

#include "base/search.h"
#include "model/roles.h"

#include <inttypes.h>
#include <stdlib.h>

/* Types that are named where one was looked for in vain. */
#define NAMED 8

/* A few dozen at most, and looked at when a type is new to a part: they need no order. */
void prv_seen_note(struct prv_seen *s, uint32_t number)
{
    const uint64_t want = (uint64_t)number + 1;

    for (size_t i = 0; i < PRV_SEEN_TYPES; i++) {
        uint64_t there = __atomic_load_n(&s->type[i], __ATOMIC_RELAXED);

        if (there == 0 && __atomic_compare_exchange_n(&s->type[i], &there, want, false,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        if (there == want)
            return;
    }
}

static int seen_by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Ascending; returns how many. */
static size_t seen_list(const struct prv_seen *s, uint64_t type[PRV_SEEN_TYPES])
{
    size_t count = 0;

    for (size_t i = 0; i < PRV_SEEN_TYPES; i++)
        if (s->type[i] > 0)
            type[count++] = s->type[i] - 1;
    qsort(type, count, sizeof *type, seen_by_number);
    return count;
}

static bool seen_has(const uint64_t *type, size_t count, uint32_t number)
{
    return prvcut_find_u64(type, count, sizeof *type, 0, number) != NULL;
}

static enum prvcut_status seen_tell_seen(const uint64_t *type, size_t count,
                                         struct prvcut_buffer *out, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_buffer_printf(
        out, err, count > 0 ? "; the trace has events of type" : "; the trace has no events");

    for (size_t i = 0; i < count && i < NAMED && st == PRVCUT_OK; i++)
        st = prvcut_buffer_printf(out, err, "%s %" PRIu64, i > 0 ? "," : "", type[i]);
    if (st == PRVCUT_OK && count > NAMED)
        st = prvcut_buffer_printf(out, err, " and %zu more", count - NAMED);
    return st;
}

enum prvcut_status prv_seen_tell(const struct prv_seen *s, const struct prv_labels *l,
                                 struct prvcut_buffer *out, struct prvcut_error *err)
{
    uint64_t type[PRV_SEEN_TYPES];
    const size_t count = seen_list(s, type);
    enum prvcut_status st = PRVCUT_OK;
    size_t told = 0;

    /* Beyond so many types it is not known which there are. */
    if (!s->complete || count == PRV_SEEN_TYPES)
        return PRVCUT_OK;
    for (size_t i = 0; i < l->types && st == PRVCUT_OK; i++) {
        const struct prvcut_label *t = &l->type[i].label;

        if (l->type[i].told && !seen_has(type, count, t->number))
            st = prvcut_buffer_printf(out, err, "%s %s=%" PRIu32, told++ > 0 ? "," : "no event has",
                                      prvcut_role_text(t->role), t->number);
    }
    return st == PRVCUT_OK && told > 0 ? seen_tell_seen(type, count, out, err) : st;
}
