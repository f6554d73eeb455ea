#include "api/patterns_repeats.h"

#include "analysis/patterns/repeated.h"
#include "base/memory.h"
#include "base/table.h"
#include "model/texts.h"

#include <stdlib.h>

#define NAME_ROOM 160

/* A call's name, once. */
struct arp_named {
    uint32_t type, zero;
    int64_t value;
    size_t place; /* in the answer's texts */
};

static enum prvcut_status arp_name(struct made_patterns *out, struct prvcut_table *names,
                                   const struct prvcut_dictionary *dictionary,
                                   const struct pat_called *call, const char **name,
                                   struct prvcut_error *err)
{
    const size_t before = names->count;
    struct arp_named *n = prvcut_table_make(
        names, &(struct arp_named){ .type = call->type, .value = call->value }, err);
    char room[NAME_ROOM];
    enum prvcut_status st = n ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (n && names->count > before) {
        st =
            prvcut_texts_add(&out->text, &out->texts,
                             pat_name(room, sizeof room, dictionary, call->type, call->value), err);
        n->place = out->texts - 1;
    }
    *name = st == PRVCUT_OK ? out->text[n->place] : NULL;
    return st;
}

static enum prvcut_status arp_repeat(struct made_patterns *out, size_t i,
                                     struct prvcut_table *names,
                                     const struct prvcut_dictionary *dictionary,
                                     struct prvcut_error *err)
{
    const struct pat_repeated *r = &out->again->at[i];
    enum prvcut_status st = PRVCUT_OK;

    out->repeat[i] =
        (struct prvcut_repeat){ .kind = r->kind == PAT_TANDEM         ? PRVCUT_REPEAT_TANDEM
                                        : r->kind == PAT_SUPERMAXIMAL ? PRVCUT_REPEAT_SUPERMAXIMAL
                                                                      : PRVCUT_REPEAT_MAXIMAL,
                                .length = r->length,
                                .count = r->count,
                                .disjoint = r->apart,
                                .coverage = r->coverage,
                                .first_ns = r->first_ns,
                                .threads = r->threads,
                                .positions = r->positions };
    out->repeat_call[i] = prvcut_zeroed(r->length, sizeof **out->repeat_call, "calls", err);
    if (!out->repeat_call[i])
        return PRVCUT_ENOMEM;
    for (uint32_t k = 0; k < r->length && st == PRVCUT_OK; k++)
        st = arp_name(out, names, dictionary, &r->call[k], &out->repeat_call[i][k], err);
    return st;
}

enum prvcut_status api_patterns_repeats(struct made_patterns *out, struct pat_store *store,
                                        const struct prvcut_patterns_options *options,
                                        struct prvcut_error *err)
{
    const struct pat_repeated_options wanted = {
        .alphabet = (enum pat_alphabet)(out->is.symbols - 1),
        .raw = options->raw,
        .least_length = options->least_length > 0 ? options->least_length : 2,
    };
    struct prvcut_table names = PRVCUT_TABLE(struct arp_named, place, "names of calls");
    enum prvcut_status st;

    out->is.repeated = true;
    out->is.raw = options->raw;
    out->again = prvcut_zeroed(1, sizeof *out->again, "repeats", err);
    st = out->again ? pat_repeated_find(out->again, store, &wanted, err) : PRVCUT_ENOMEM;
    if (st < 0)
        return st;
    out->is.repeats_left = out->again->left;
    out->repeat = prvcut_zeroed(out->again->count + 1, sizeof *out->repeat, "repeats", err);
    out->repeat_call =
        prvcut_zeroed(out->again->count + 1, sizeof *out->repeat_call, "repeats", err);
    if (!out->repeat || !out->repeat_call)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < out->again->count && st == PRVCUT_OK; i++) {
        out->is.repeats = i + 1;
        st = arp_repeat(out, i, &names, store->names, err);
    }
    prvcut_table_fini(&names);
    return st;
}

void api_patterns_repeats_fini(struct made_patterns *out)
{
    for (size_t i = 0; out->repeat_call && i < out->is.repeats; i++)
        free(out->repeat_call[i]);
    free(out->repeat_call);
    free(out->repeat);
    if (out->again)
        pat_repeated_fini(out->again);
    free(out->again);
}

const struct prvcut_repeat *prvcut_patterns_repeat(const struct prvcut_patterns *p, size_t i)
{
    return i < p->repeats ? &made_patterns_of(p)->repeat[i] : NULL;
}

uint32_t prvcut_repeat_thread(const struct prvcut_patterns *p, size_t i, size_t k)
{
    const struct pat_repeated *r = i < p->repeats ? &made_patterns_of(p)->again->at[i] : NULL;

    return r && k < r->threads ? r->thread[k] : UINT32_MAX;
}

const char *prvcut_repeat_call(const struct prvcut_patterns *p, size_t i, size_t k)
{
    const struct made_patterns *m = made_patterns_of(p);

    return i < p->repeats && k < m->repeat[i].length ? m->repeat_call[i][k] : NULL;
}

uint64_t prvcut_repeat_position(const struct prvcut_patterns *p, size_t i, size_t k)
{
    const struct pat_repeated *r = i < p->repeats ? &made_patterns_of(p)->again->at[i] : NULL;

    return r && k < r->positions ? r->position[k] + 1 : 0;
}
