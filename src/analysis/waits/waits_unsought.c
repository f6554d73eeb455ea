#include "analysis/waits/waits_find.h"

#include "base/buffer.h"
#include "model/regions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Calls that may wait for others and that no metric is about: one-sided communication, probes,
 * communicators that are made. Their time is told, so that nobody takes it for work.
 */

struct wun_name {
    const char *name; /* of the dictionary */
    uint64_t ns;
};

struct wun_names {
    struct wun_name *at;
    size_t count, room;
};

static enum prvcut_status wun_add(struct wun_names *n, const char *name, uint64_t ns,
                                  struct prvcut_error *err)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->at[i].name, name) == 0) {
            n->at[i].ns += ns;
            return PRVCUT_OK;
        }
    if (prvcut_grow((void **)&n->at, &n->room, n->count + 1, sizeof *n->at, err) < 0)
        return PRVCUT_ENOMEM;
    n->at[n->count++] = (struct wun_name){ name, ns };
    return PRVCUT_OK;
}

static int wun_most_first(const void *a, const void *b)
{
    const struct wun_name *x = a, *y = b;

    return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : strcmp(x->name, y->name);
}

enum prvcut_status wts_unsought(struct wts_finder *f, struct prvcut_error *err)
{
    struct prvcut_waits_found *o = f->out;
    struct wun_names n = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < o->cells && st == PRVCUT_OK; i++) {
        const struct prvcut_waits_node *node = &o->node[o->cell[i].path];
        const char *name;

        if (o->cell[i].metric != PRVCUT_WAITS_TIME || o->cell[i].path == 0)
            continue;
        name = prvcut_value_text(&f->names, (uint32_t)node->type, node->value);
        if (name && wts_kind_of((uint32_t)node->type, node->value, name) & WTS_UNSOUGHT)
            st = wun_add(&n, name, o->cell[i].ns, err);
    }
    if (n.count > 0)
        qsort(n.at, n.count, sizeof *n.at, wun_most_first);
    for (size_t i = 0; i < n.count && i < MADE_UNSOUGHT; i++) {
        snprintf(o->unsought[i].name, sizeof o->unsought[i].name, "%s", n.at[i].name);
        o->unsought[i].ns = n.at[i].ns;
    }
    free(n.at);
    return st;
}
