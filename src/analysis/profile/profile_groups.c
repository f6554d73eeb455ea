#include "analysis/profile/profile_groups.h"

#include "analysis/profile/profile_meet.h"
#include "analysis/profile/profile_sites.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BY_WHO (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD)

/* The row that a thread goes to. */
static uint32_t prg_whose(const struct prvcut_profile_rows *in, uint32_t thread)
{
    if (in->by & PRVCUT_PROFILE_BY_RANK)
        return in->trace->objects.thread_task[thread];
    return in->by & PRVCUT_PROFILE_BY_THREAD ? thread : 0;
}

static enum prvcut_status prg_add_sites(struct prvcut_profile_sites *to,
                                        const struct prvcut_profile_found *f,
                                        struct prvcut_error *err)
{
    const struct prvcut_profile_cell *c = f->function.at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->function.count && st == PRVCUT_OK; i++)
        st = prvcut_profile_sites_add(to, &c[i].key.of, &f->names, err);
    return st;
}

static enum prvcut_status prg_gather(struct prvcut_table *to, const struct prvcut_profile_rows *in,
                                     const struct prvcut_profile_sites *sites,
                                     struct prvcut_error *err)
{
    const bool functions = in->by & (PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE);
    const struct prvcut_table *cells = functions ? &in->found->function : &in->found->cell;
    const enum prvcut_proof_kind kind =
        in->by & PRVCUT_PROFILE_BY_STATE ? PRVCUT_PROOF_STATE : PRVCUT_PROOF_CALL;

    for (size_t i = 0; i < cells->count; i++) {
        const struct prvcut_profile_cell *c = (const struct prvcut_profile_cell *)cells->at + i;
        struct prvcut_profile_key key = c->key;
        struct prvcut_profile_group *g;

        if (key.slot < in->first || key.of.kind != kind || (c->amount == 0 && c->count == 0))
            continue;
        key.thread = in->by & BY_WHO ? prg_whose(in, key.thread) : 0;
        key.of.value = prvcut_profile_sites_number(sites, key.of.value);
        g = prvcut_table_make(to, &key, err);
        if (!g)
            return PRVCUT_ENOMEM;
        if (c->parts > 0 && (g->sum.parts == 0 || c->least < g->sum.least))
            g->sum.least = c->least;
        g->sum.most = c->most > g->sum.most ? c->most : g->sum.most;
        g->sum.amount += c->amount;
        g->sum.count += c->count;
        g->sum.parts += c->parts;
        g->sum.open += c->open;
    }
    return PRVCUT_OK;
}

/* Functions with what they call: each has a row, for it is entered, or goes on. */
static enum prvcut_status prg_inclusive(struct prvcut_table *to,
                                        const struct prvcut_profile_rows *in,
                                        struct prvcut_error *err)
{
    const struct prvcut_profile_cell *c = in->found->inclusive.at;

    for (size_t i = 0; i < in->found->inclusive.count; i++) {
        struct prvcut_profile_key key = c[i].key;
        struct prvcut_profile_group *g;

        if (key.slot < in->first || c[i].amount == 0)
            continue;
        key.thread = in->by & BY_WHO ? prg_whose(in, key.thread) : 0;
        g = prvcut_table_make(to, &key, err);
        if (!g)
            return PRVCUT_ENOMEM;
        g->inclusive += c[i].amount;
    }
    return PRVCUT_OK;
}

/* What its calls wait for and carry. */
static void prg_meet(struct prvcut_table *to, const struct prvcut_profile_rows *in)
{
    const struct prvcut_profile_met *met = in->found->met.at;

    for (size_t i = 0; i < in->found->met.count; i++) {
        const struct prvcut_profile_key key = {
            met[i].key.slot, in->by & BY_WHO ? prg_whose(in, met[i].key.thread) : 0, met[i].key.of
        };
        struct prvcut_profile_group *g =
            met[i].key.what == PRVCUT_PROFILE_MET_CALL ? prvcut_table_find(to, &key) : NULL;

        if (!g)
            continue;
        g->waiting += met[i].waiting;
        prvcut_add_most(&g->sent, met[i].sent);
        prvcut_add_most(&g->received, met[i].received);
        g->sends += met[i].sends;
        g->receives += met[i].receives;
    }
}

static int prg_by_bin(const void *a, const void *b)
{
    const struct prvcut_profile_bin *x = a, *y = b;
    const int of = memcmp(&x->key.of, &y->key.of, sizeof x->key.of);

    if (x->key.slot != y->key.slot)
        return x->key.slot < y->key.slot ? -1 : 1;
    if (of != 0)
        return of;
    return (x->key.bin > y->key.bin) - (x->key.bin < y->key.bin);
}

/* The length that the wanted one of so many calls has. shape: bin: ascending, of one call */
static uint64_t prg_quantile(const struct prvcut_profile_bin *bin, uint64_t wanted)
{
    while (bin->count < wanted) {
        wanted -= bin->count;
        bin++;
    }
    return prvcut_profile_bin_ns(bin->key.bin);
}

/* A bin's middle may lie beyond the ends. */
static uint64_t prg_within(uint64_t ns, const struct prvcut_profile_cell *sum)
{
    ns = ns < sum->least ? sum->least : ns;
    return ns > sum->most ? sum->most : ns;
}

/* Medians of calls of all threads. shape: bin: [bins], in order */
static void prg_lengths(struct prvcut_table *to, const struct prvcut_profile_bin *bin, size_t bins)
{
    for (size_t first = 0, i = 0; first < bins; first = i) {
        const struct prvcut_profile_key key = { bin[first].key.slot, 0, bin[first].key.of };
        struct prvcut_profile_group *g = prvcut_table_find(to, &key);
        uint64_t count = 0;

        for (i = first; i < bins && memcmp(&bin[i].key.of, &key.of, sizeof key.of) == 0 &&
                        bin[i].key.slot == key.slot;
             i++)
            count += bin[i].count;
        if (!g)
            continue;
        g->lengths = true;
        g->median = prg_within(prg_quantile(bin + first, (count + 1) / 2), &g->sum);
        g->percentile_95 = prg_within(prg_quantile(bin + first, count - count / 20), &g->sum);
    }
}

static enum prvcut_status prg_bins(struct prvcut_table *to, const struct prvcut_profile_rows *in,
                                   struct prvcut_error *err)
{
    const struct prvcut_table *bins = &in->found->bin;
    struct prvcut_profile_bin *sorted;

    if (bins->count == 0 || in->by & (BY_WHO | PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE))
        return PRVCUT_OK;
    sorted = prvcut_copied(bins->at, bins->count * sizeof *sorted, "lengths of calls", err);
    if (!sorted)
        return PRVCUT_ENOMEM;
    qsort(sorted, bins->count, sizeof *sorted, prg_by_bin);
    prg_lengths(to, sorted, bins->count);
    free(sorted);
    return PRVCUT_OK;
}

/* Most time first, of equal ones the lower number; of one call or state as threads are listed. */
static int prg_by_time(const void *a, const void *b)
{
    const struct prvcut_profile_group *x = a, *y = b;

    if (x->all != y->all)
        return x->all > y->all ? -1 : 1;
    if (x->key.of.type != y->key.of.type)
        return x->key.of.type < y->key.of.type ? -1 : 1;
    if (x->key.of.value != y->key.of.value)
        return x->key.of.value < y->key.of.value ? -1 : 1;
    if (x->key.slot != y->key.slot)
        return x->key.slot < y->key.slot ? -1 : 1;
    return (x->key.thread > y->key.thread) - (x->key.thread < y->key.thread);
}

/* What all threads together spend in each. */
struct whole {
    struct prvcut_proof_key of;
    uint64_t ns;
};

static enum prvcut_status prg_order(struct prvcut_profile_group *g, size_t groups,
                                    struct prvcut_error *err)
{
    struct prvcut_table wholes = PRVCUT_TABLE(struct whole, ns, "sums");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < groups && st == PRVCUT_OK; i++) {
        struct whole *w = prvcut_table_make(&wholes, &g[i].key.of, err);

        if (w)
            w->ns += g[i].sum.amount;
        else
            st = PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < groups && st == PRVCUT_OK; i++)
        g[i].all = ((const struct whole *)prvcut_table_find(&wholes, &g[i].key.of))->ns;
    if (groups > 0)
        qsort(g, groups, sizeof *g, prg_by_time);
    prvcut_table_fini(&wholes);
    return st;
}

enum prvcut_status prvcut_profile_groups_make(struct prvcut_profile_group **out, size_t *groups,
                                              const struct prvcut_profile_rows *in,
                                              struct prvcut_error *err)
{
    struct prvcut_table table = PRVCUT_TABLE(struct prvcut_profile_group, sum, "rows");
    struct prvcut_profile_sites sites;
    enum prvcut_status st;

    prvcut_profile_sites_init(&sites);
    st = in->by & PRVCUT_PROFILE_BY_LINE ? prg_add_sites(&sites, in->found, err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = prg_gather(&table, in, &sites, err);
    if (st == PRVCUT_OK && in->by & PRVCUT_PROFILE_BY_FUNCTION)
        st = prg_inclusive(&table, in, err);
    prvcut_profile_sites_fini(&sites);
    if (st == PRVCUT_OK)
        st = prg_bins(&table, in, err);
    if (st == PRVCUT_OK)
        prg_meet(&table, in);
    *out = prvcut_table_take(&table, groups);
    if (st == PRVCUT_OK)
        st = prg_order(*out, *groups, err);
    prvcut_table_fini(&table);
    return st;
}

/* --- What ranks do with each other ------------------------------------------------------------ */

static int prg_by_waiting(const void *a, const void *b)
{
    const struct prvcut_profile_met *x = a, *y = b;

    if (x->waiting != y->waiting)
        return x->waiting > y->waiting ? -1 : 1;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->sent != y->sent)
        return x->sent > y->sent ? -1 : 1;
    if (x->key.slot != y->key.slot)
        return x->key.slot < y->key.slot ? -1 : 1;
    if (x->key.thread != y->key.thread)
        return x->key.thread < y->key.thread ? -1 : 1;
    if (x->key.other != y->key.other)
        return x->key.other < y->key.other ? -1 : 1;
    return memcmp(&x->key.of, &y->key.of, sizeof x->key.of);
}

static enum prvcut_status prg_add_met(struct prvcut_table *to, const struct prvcut_profile_rows *in,
                                      struct prvcut_profile_met from, struct prvcut_error *err)
{
    struct prvcut_profile_met *g;

    if (from.key.what == PRVCUT_PROFILE_MET_GROUP) {
        from.key.thread = in->by & BY_WHO ? prg_whose(in, from.key.thread) : 0;
        if (!(in->by & PRVCUT_PROFILE_BY_CALL))
            memset(&from.key.of, 0, sizeof from.key.of);
    }
    g = prvcut_table_make(to, &from.key, err);
    if (!g)
        return PRVCUT_ENOMEM;
    g->waiting += from.waiting;
    g->count += from.count;
    g->ns += from.ns;
    prvcut_add_most(&g->sent, from.sent);
    prvcut_add_most(&g->received, from.received);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_profile_met_make(struct prvcut_profile_met **out, size_t *groups,
                                           const struct prvcut_profile_rows *in,
                                           struct prvcut_error *err)
{
    const struct prvcut_profile_met *met = in->found->met.at;
    const uint32_t what =
        in->by & PRVCUT_PROFILE_BY_PEER ? PRVCUT_PROFILE_MET_PEER : PRVCUT_PROFILE_MET_GROUP;
    struct prvcut_table table = PRVCUT_TABLE(struct prvcut_profile_met, waiting, "rows");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < in->found->met.count && st == PRVCUT_OK; i++)
        if (met[i].key.what == what && met[i].key.slot >= in->first)
            st = prg_add_met(&table, in, met[i], err);
    *out = prvcut_table_take(&table, groups);
    if (*groups > 0)
        qsort(*out, *groups, sizeof **out, prg_by_waiting);
    prvcut_table_fini(&table);
    return st;
}
