#include "archive_cut.h"

#include <stdio.h>
#include <string.h>

/* Tells the first line of the cut's complaints that the original does not cause. */
static bool complains(const char *original, const char *cut)
{
    while (*cut) {
        const size_t length = strcspn(cut, "\n");
        const char *at = original;

        while (*at && (strcspn(at, "\n") != length || strncmp(at, cut, length) != 0)) {
            at += strcspn(at, "\n");
            at += *at == '\n';
        }
        if (!*at) {
            printf("  %.*s\n", (int)length, cut);
            return true;
        }
        cut += length;
        cut += *cut == '\n';
    }
    return false;
}

/* strict: the innermost region is left first, too. (The end of an EZTrace run is not so.) */
static bool is_nested(const struct archive_text *t, bool strict)
{
    for (size_t i = 0; i < t->places; i++)
        if ((strict && t->place[i].crossed) || t->place[i].depth > 0 ||
            t->place[i].enters != t->place[i].leaves)
            return false;
    return true;
}

/* --- Parties -------------------------------------------------------------------------------- */

static bool same_party(const struct archive_party *a, const struct archive_party *b)
{
    return a->message == b->message && a->a == b->a && a->b == b->b && a->tag == b->tag;
}

static bool same_side(const struct archive_item *a, const struct archive_item *b)
{
    return same_party(&a->party, &b->party) && a->side == b->side;
}

/* How many of these belong to one side of one party, from the first on. */
static size_t side_length(const struct archive_item *item, size_t count)
{
    size_t n = 0;

    while (n < count && same_side(item, &item[n]))
        n++;
    return n;
}

/* How many have one time, from the first on. */
static size_t tick_length(const struct archive_item *item, size_t count)
{
    size_t n = 0;

    while (n < count && item[n].time == item[0].time)
        n++;
    return n;
}

/*
 * Mark what a cut kept of one side; false where it holds what the original does not. Of those that
 * share the first tick the last ones were kept, of others the first: a cut is a piece in order.
 */
static bool mark_side(struct archive_item *original, size_t count, const struct archive_item *cut,
                      size_t kept)
{
    size_t at = 0;

    for (size_t i = 0; i < kept;) {
        const size_t same = tick_length(cut + i, kept - i);
        size_t all;

        while (at < count && original[at].time < cut[i].time)
            at++;
        all = at < count && original[at].time == cut[i].time
                  ? tick_length(original + at, count - at)
                  : 0;
        if (same > all)
            return false;
        for (size_t k = 0; k < same; k++)
            original[at + (i == 0 ? all - same : 0) + k].kept = true;
        i += same;
        at += all;
    }
    return true;
}

static bool mark(struct archive_text *original, const struct archive_text *cut, bool straight)
{
    size_t at = 0;

    for (size_t i = 0; i < cut->items;) {
        const size_t kept = side_length(cut->item + i, cut->items - i);
        size_t count = 0;

        while (at < original->items && !same_side(&original->item[at], &cut->item[i]))
            at += side_length(original->item + at, original->items - at);
        if (at < original->items)
            count = side_length(original->item + at, original->items - at);
        if (!mark_side(original->item + at, count, cut->item + i, kept) &&
            (cut->item[i].party.message || !straight))
            return false;
        i += kept;
        at += count;
    }
    return true;
}

/* All sides of a party are of one length, and a message has two: only then it can be judged. */
static bool can_judge(const struct archive_item *item, size_t count, size_t side)
{
    if (side == 0 || count % side != 0 || (item->party.message && count != 2 * side))
        return false;
    for (size_t i = 0; i < count; i += side)
        if (side_length(item + i, count - i) != side)
            return false;
    return true;
}

static bool kept_alike(const struct archive_item *item, size_t count, size_t side)
{
    for (size_t i = side; i < count; i++)
        if (item[i].kept != item[i % side].kept)
            return false;
    return true;
}

/* Is there a party of that kind of which only some kept the same? */
static bool is_split(const struct archive_text *t, bool message)
{
    for (size_t i = 0, count; i < t->items; i += count) {
        const struct archive_item *item = t->item + i;
        const size_t side = side_length(item, t->items - i);

        count = side;
        while (i + count < t->items && same_party(&item->party, &item[count].party))
            count++;
        if (item->party.message == message && can_judge(item, count, side) &&
            !kept_alike(item, count, side))
            return true;
    }
    return false;
}

const char *archive_cut_judge(struct archive_text *original, const struct archive_text *cut,
                              bool straight)
{
    for (size_t i = 0; i < original->items; i++)
        original->item[i].kept = false;
    if (cut->failed && !original->failed)
        return "cannot be read by the format's own tool";
    if (cut->records == 0)
        return "is empty";
    if (!is_nested(cut, !straight || is_nested(original, true)))
        return "has regions that are not opened and closed in pairs";
    if (!mark(original, cut, straight))
        return "holds messages or collectives that the original does not";
    if (!straight && is_split(original, false))
        return "splits a collective";
    if (is_split(original, true))
        return "splits a message";
    if (complains(original->words, cut->words))
        return "makes the format's own tool complain";
    return "";
}
