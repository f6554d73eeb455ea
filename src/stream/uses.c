#include "stream/uses.h"

struct prvcut_table stm_uses(void)
{
    return (struct prvcut_table)PRVCUT_TABLE(struct stm_use, sends, "communicators");
}

static enum prvcut_status uses_count(struct prvcut_table *uses, const struct stm_use *more,
                                     struct prvcut_error *err)
{
    struct stm_use *use = prvcut_table_make(uses, more, err);

    if (!use)
        return PRVCUT_ENOMEM;
    use->sends += more->sends;
    use->receives += more->receives;
    return PRVCUT_OK;
}

enum prvcut_status stm_uses_note(struct prvcut_table *uses, uint32_t communicator, bool receive,
                                 struct prvcut_error *err)
{
    const struct stm_use one = { communicator, !receive, receive };

    return uses_count(uses, &one, err);
}

enum prvcut_status stm_uses_add(struct prvcut_table *to, const struct prvcut_table *from,
                                struct prvcut_error *err)
{
    const struct stm_use *use = from->at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->count && st == PRVCUT_OK; i++)
        st = uses_count(to, &use[i], err);
    return st;
}

bool stm_uses_agree(const struct prvcut_table *uses)
{
    const struct stm_use *use = uses->at;

    for (size_t i = 0; i < uses->count; i++)
        if (use[i].sends != use[i].receives)
            return false;
    return true;
}
