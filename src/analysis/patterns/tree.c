#include "analysis/patterns/tree.h"

#include "analysis/patterns/told.h"
#include "base/bytes.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define NAME_ROOM 160

void pat_tree_fini(struct pat_tree *t)
{
    for (size_t i = 0; i < t->names && t->name; i++)
        free(t->name[i]);
    for (size_t i = 0; i < t->names && t->told; i++)
        free(t->told[i]);
    free(t->name);
    free(t->told);
    free(t->node);
    free(t->body);
    *t = (struct pat_tree){ .node = NULL };
}

/* --- What calls have in common ---------------------------------------------------------------- */

void pat_argue(const struct pat_thread *t, enum pat_alphabet alphabet, struct pat_argued *out)
{
    memset(out, 0, t->different[alphabet] * sizeof *out);
    for (size_t i = 0; i < t->symbols; i++) {
        const struct pat_symbol *s = &t->symbol[i];
        struct pat_argued *a = &out[s->of[alphabet]];

        if (!a->first) {
            *a = (struct pat_argued){ .first = s,
                                      .partner = s->messages == 1,
                                      .tag = s->messages == 1,
                                      .bytes = s->bytes != PAT_UNTOLD,
                                      .group = s->communicator != UINT32_MAX,
                                      .sized = alphabet == PAT_SIZE || alphabet == PAT_ALL,
                                      .peer = s->messages > 0 };
            continue;
        }
        a->peer &= s->messages == a->first->messages && s->receive == a->first->receive &&
                   s->partner == a->first->partner;
        a->partner &=
            s->messages == 1 && s->receive == a->first->receive && s->partner == a->first->partner;
        a->tag &= a->partner && s->tag == a->first->tag;
        a->bytes &= s->bytes == a->first->bytes;
        a->group &= s->communicator == a->first->communicator && s->root == a->first->root;
    }
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* Bodies of the same calls, so far. */
struct tre_same {
    uint64_t key, count;
};

struct tre_keys {
    const struct pat_nest *nest;
    const struct pat_argued *argued;
    uint64_t *out;
    struct prvcut_table same; /* of tre_same */
};

static uint64_t tre_row_key(const struct tre_keys *k, const uint64_t *row, size_t count)
{
    uint64_t key = count;

    for (size_t i = 0; i < count; i++) {
        const uint32_t inner = pat_inner(row[i]);

        key = pat_mix(key, pat_is_loop(row[i])
                               ? pat_mix(tre_row_key(k, pat_body_row(&k->nest->bodies, inner),
                                                     k->nest->bodies.body[inner].length),
                                         pat_count(row[i]))
                               : k->argued[inner].first->key[PAT_CALL]);
    }
    return key;
}

static enum prvcut_status tre_key_loop(void *ctx, uint64_t element, uint64_t at, bool begins,
                                       struct prvcut_error *err)
{
    struct tre_keys *k = ctx;
    const uint32_t body = pat_inner(element);
    struct tre_same key = { .count = 0 }, *same;

    (void)at;
    if (!begins || k->out[body] != 0)
        return begins ? PRVCUT_END : PRVCUT_OK;
    key.key =
        tre_row_key(k, pat_body_row(&k->nest->bodies, body), k->nest->bodies.body[body].length);
    same = prvcut_table_make(&k->same, &key, err);
    if (!same)
        return PRVCUT_ENOMEM;
    k->out[body] = pat_mix(key.key, same->count++) | 1;
    return PRVCUT_OK;
}

enum prvcut_status pat_body_keys(const struct pat_nest *n, const struct pat_argued *argued,
                                 uint64_t *out, struct prvcut_error *err)
{
    struct tre_keys k = { .nest = n,
                          .argued = argued,
                          .out = out,
                          .same = PRVCUT_TABLE(struct tre_same, count, "patterns") };
    const struct pat_walker w = { .loop = tre_key_loop, .ctx = &k };
    enum prvcut_status st;

    memset(out, 0, n->bodies.count * sizeof *out);
    st = pat_nest_walk(n, &w, err);
    prvcut_table_fini(&k.same);
    return st;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* "(from 3, 10240 B)" */
static void tre_arguments(const struct pat_argued *a, struct prvcut_put *out)
{
    const char *before = "(";

    if (a->partner && a->first->partner != UINT32_MAX) {
        prvcut_put_printf(out, "%s%s %" PRIu32, before, a->first->receive ? "from" : "to",
                          a->first->partner);
        before = ", ";
    }
    if (a->bytes && (a->first->messages > 0 || a->first->bytes > 0)) {
        prvcut_put_printf(out, "%s%" PRIu64 " B", before, a->first->bytes);
        before = ", ";
    }
    if (a->tag && a->first->tag != 0) {
        prvcut_put_printf(out, "%stag %" PRId64, before, a->first->tag);
        before = ", ";
    }
    if (a->group && a->first->root) {
        prvcut_put_printf(out, "%sroot", before);
        before = ", ";
    }
    if (*before == ',')
        prvcut_put_string(out, ")");
}

static void tre_call(const struct pat_row_names *how, uint32_t symbol, struct prvcut_put *out)
{
    const struct pat_argued *a = &how->argued[symbol];
    char name[NAME_ROOM];

    prvcut_put_string(
        out, how->told && how->told[symbol]
                 ? how->told[symbol]
                 : pat_name(name, sizeof name, how->names, a->first->type, a->first->value));
    if (how->arguments)
        tre_arguments(a, out);
}

static void tre_row(const struct pat_nest *n, const uint64_t *row, size_t count,
                    const struct pat_row_names *how, struct prvcut_put *out)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t inner = pat_inner(row[i]);
        const struct pat_body *b = pat_is_loop(row[i]) ? &n->bodies.body[inner] : NULL;
        const uint64_t *in = b ? pat_body_row(&n->bodies, inner) : NULL;
        const bool single = b && b->length == 1 && !pat_is_loop(in[0]);

        if (i > 0)
            prvcut_put_string(out, " ");
        if (!b) {
            tre_call(how, inner, out);
            continue;
        }
        prvcut_put_printf(out, "%" PRIu32 "×%s", pat_count(row[i]), single ? "" : "(");
        tre_row(n, in, b->length, how, out);
        if (!single)
            prvcut_put_string(out, ")");
    }
}

enum prvcut_status pat_row_text(char **out, const struct pat_nest *n, const uint64_t *row,
                                size_t count, const struct pat_row_names *how,
                                struct prvcut_error *err)
{
    struct prvcut_put text = { .err = err };

    tre_row(n, row, count, how, &text);
    return prvcut_put_take(&text, out);
}

static void tre_times(const struct pat_node *n, struct prvcut_put *out)
{
    if (n->least != n->most)
        prvcut_put_printf(out, "%" PRIu32 "..%" PRIu32 "×", n->least, n->most);
    else if (n->loop || n->most != 1)
        prvcut_put_printf(out, "%" PRIu32 "×", n->most);
}

static void tre_body(const struct pat_tree *t, size_t body, bool told, struct prvcut_put *out)
{
    const struct pat_tree_body *b = &t->body[body];

    for (size_t i = 0; i < b->length; i++) {
        const struct pat_node *n = &t->node[b->first + i];
        const struct pat_tree_body *in = n->loop ? &t->body[n->inner] : NULL;
        const struct pat_node *only = in && in->length == 1 ? &t->node[in->first] : NULL;
        const bool single = only && !only->loop && only->most == 1;

        if (i > 0)
            prvcut_put_string(out, " ");
        tre_times(n, out);
        if (!in) {
            prvcut_put_string(out,
                              told && t->told[n->inner] ? t->told[n->inner] : t->name[n->inner]);
            continue;
        }
        if (!single)
            prvcut_put_string(out, "(");
        tre_body(t, n->inner, told, out);
        if (!single)
            prvcut_put_string(out, ")");
    }
}

enum prvcut_status pat_tree_text(char **out, const struct pat_tree *t, size_t body, bool told,
                                 struct prvcut_error *err)
{
    struct prvcut_put text = { .err = err };

    tre_body(t, body, told, &text);
    return prvcut_put_take(&text, out);
}

/* --- Of a nest -------------------------------------------------------------------------------- */

enum prvcut_status pat_tree_add_row(struct pat_tree *t, const struct pat_node *node, size_t count,
                                    struct prvcut_error *err)
{
    const bool own = node >= t->node && node < t->node + t->nodes;
    const size_t at = own ? (size_t)(node - t->node) : 0;

    if (prvcut_grow((void **)&t->node, &t->node_room, t->nodes + count, sizeof *t->node, err) < 0 ||
        prvcut_grow((void **)&t->body, &t->body_room, t->bodies + 1, sizeof *t->body, err) < 0)
        return PRVCUT_ENOMEM;
    if (count > 0)
        memcpy(t->node + t->nodes, own ? t->node + at : node, count * sizeof *node);
    t->body[t->bodies++] = (struct pat_tree_body){ t->nodes, count };
    t->nodes += count;
    return PRVCUT_OK;
}

/* A body of the nest that is in the tree, as place + 1; 0: not yet. */
struct tre_making {
    struct pat_tree *tree;
    const struct pat_nest *nest;
    uint32_t *place; /* [bodies of the nest] */
};

static enum prvcut_status tre_add(struct tre_making *m, const uint64_t *row, size_t count,
                                  struct prvcut_error *err)
{
    struct pat_tree *t = m->tree;
    const struct pat_bodies *b = &m->nest->bodies;
    struct pat_node *node;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const uint32_t inner = pat_inner(row[i]);

        if (!pat_is_loop(row[i]) || m->place[inner] > 0)
            continue;
        st = tre_add(m, pat_body_row(b, inner), b->body[inner].length, err);
        m->place[inner] = (uint32_t)t->bodies;
    }
    node = st == PRVCUT_OK ? prvcut_unset(count, sizeof *node, "patterns", err) : NULL;
    for (size_t i = 0; node && i < count; i++) {
        const bool loop = pat_is_loop(row[i]);
        const uint32_t inner = pat_inner(row[i]), times = loop ? pat_count(row[i]) : 1;

        node[i] = (struct pat_node){ loop ? m->place[inner] - 1 : inner, loop, times, times };
    }
    st = node ? pat_tree_add_row(t, node, count, err) : PRVCUT_ENOMEM;
    free(node);
    return st;
}

static enum prvcut_status tre_names(struct pat_tree *t, const struct pat_argued *argued,
                                    size_t symbols, const struct prvcut_dictionary *names,
                                    struct prvcut_error *err)
{
    char name[NAME_ROOM];

    t->name = prvcut_zeroed(symbols, sizeof *t->name, "names", err);
    t->told = prvcut_zeroed(symbols, sizeof *t->told, "names", err);
    if (!t->name || !t->told)
        return PRVCUT_ENOMEM;
    t->names = symbols;
    for (size_t i = 0; i < symbols; i++) {
        pat_name(name, sizeof name, names, argued[i].first->type, argued[i].first->value);
        t->name[i] = prvcut_copied_text(name, "a name", err);
        if (!t->name[i])
            return PRVCUT_ENOMEM;
    }
    return pat_told(t->told, &t->any, argued, symbols, names, err);
}

enum prvcut_status pat_tree_init(struct pat_tree *out, const struct pat_argued *argued,
                                 size_t symbols, const struct prvcut_dictionary *names,
                                 struct prvcut_error *err)
{
    *out = (struct pat_tree){ .node = NULL };
    return tre_names(out, argued, symbols, names, err);
}

enum prvcut_status pat_tree_add(struct pat_tree *t, const struct pat_nest *n,
                                struct prvcut_error *err)
{
    struct tre_making m = { .tree = t, .nest = n };
    enum prvcut_status st;

    m.place = prvcut_zeroed(n->bodies.count, sizeof *m.place, "patterns", err);
    st = m.place ? tre_add(&m, n->top, n->count, err) : PRVCUT_ENOMEM;
    free(m.place);
    return st;
}

static uint64_t tre_size(const struct pat_tree *t, size_t body)
{
    uint64_t size = t->body[body].length;

    for (size_t i = 0; i < t->body[body].length; i++)
        if (t->node[t->body[body].first + i].loop)
            size += tre_size(t, t->node[t->body[body].first + i].inner);
    return size;
}

static unsigned tre_depth(const struct pat_tree *t, size_t body)
{
    unsigned deepest = 0;

    for (size_t i = 0; i < t->body[body].length; i++)
        if (t->node[t->body[body].first + i].loop) {
            const unsigned depth = 1 + tre_depth(t, t->node[t->body[body].first + i].inner);

            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

uint64_t pat_tree_size(const struct pat_tree *t)
{
    return t->bodies > 0 ? tre_size(t, t->bodies - 1) : 0;
}

unsigned pat_tree_depth(const struct pat_tree *t)
{
    return t->bodies > 0 ? tre_depth(t, t->bodies - 1) : 0;
}
