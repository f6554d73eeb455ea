#include "match/uses.h"

/* Sizes beyond these are not counted. */
#define SIZES_MOST ((size_t)4096)

struct prvcut_uses prvcut_uses_none(void)
{
    return (struct prvcut_uses){
        .communicators = PRVCUT_TABLE(struct prvcut_use, sends, "communicators"),
        .sizes = PRVCUT_TABLE(struct prvcut_use, sends, "sizes"),
    };
}

void prvcut_uses_fini(struct prvcut_uses *uses)
{
    prvcut_table_fini(&uses->communicators);
    prvcut_table_fini(&uses->sizes);
}

static enum prvcut_status uses_count(struct prvcut_table *uses, const struct prvcut_use *more,
                                     struct prvcut_error *err)
{
    struct prvcut_use *use = prvcut_table_make(uses, more, err);

    if (!use)
        return PRVCUT_ENOMEM;
    use->sends += more->sends;
    use->receives += more->receives;
    return PRVCUT_OK;
}

static enum prvcut_status uses_count_size(struct prvcut_table *sizes, const struct prvcut_use *more,
                                          struct prvcut_error *err)
{
    return sizes->count > SIZES_MOST ? PRVCUT_OK : uses_count(sizes, more, err);
}

enum prvcut_status prvcut_uses_note(struct prvcut_uses *uses, const struct prvcut_half *half,
                                    struct prvcut_error *err)
{
    const struct prvcut_use one = { half->communicator, !half->receive, half->receive };
    const struct prvcut_use size = { half->size, !half->receive, half->receive };
    const enum prvcut_status st = uses_count(&uses->communicators, &one, err);

    return st < 0 ? st : uses_count_size(&uses->sizes, &size, err);
}

enum prvcut_status prvcut_uses_add(struct prvcut_uses *to, const struct prvcut_uses *from,
                                   struct prvcut_error *err)
{
    const struct prvcut_use *use = from->communicators.at, *size = from->sizes.at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->communicators.count && st == PRVCUT_OK; i++)
        st = uses_count(&to->communicators, &use[i], err);
    for (size_t i = 0; i < from->sizes.count && st == PRVCUT_OK; i++)
        st = uses_count_size(&to->sizes, &size[i], err);
    return st;
}

static void uses_put(struct prvcut_put *out, const struct prvcut_table *uses)
{
    const struct prvcut_use *use = uses->at;

    prvcut_put_u64(out, uses->count);
    for (size_t i = 0; i < uses->count; i++) {
        const uint64_t number[] = { use[i].of, use[i].sends, use[i].receives };

        prvcut_put_u64s(out, number, sizeof number / sizeof *number);
    }
}

void prvcut_uses_put(struct prvcut_put *out, const struct prvcut_uses *uses)
{
    uses_put(out, &uses->communicators);
    uses_put(out, &uses->sizes);
}

static void uses_get(struct prvcut_get *in, struct prvcut_table *uses,
                     enum prvcut_status (*count)(struct prvcut_table *, const struct prvcut_use *,
                                                 struct prvcut_error *))
{
    for (size_t left = prvcut_get_count(in, sizeof(struct prvcut_use)); left > 0; left--) {
        uint64_t number[3] = { 0 };

        prvcut_get_u64s(in, number, sizeof number / sizeof *number);
        prvcut_get_check(in, count(uses, &(struct prvcut_use){ number[0], number[1], number[2] },
                                   NULL) == PRVCUT_OK);
    }
}

void prvcut_uses_get(struct prvcut_get *in, struct prvcut_uses *uses)
{
    uses_get(in, &uses->communicators, uses_count);
    uses_get(in, &uses->sizes, uses_count_size);
}

static bool uses_agree(const struct prvcut_table *uses)
{
    const struct prvcut_use *use = uses->at;

    for (size_t i = 0; i < uses->count; i++)
        if (use[i].sends != use[i].receives)
            return false;
    return true;
}

bool prvcut_uses_agree(const struct prvcut_uses *uses)
{
    return uses_agree(&uses->communicators);
}

bool prvcut_uses_sizes_agree(const struct prvcut_uses *uses)
{
    return uses->sizes.count <= SIZES_MOST && uses_agree(&uses->sizes);
}
