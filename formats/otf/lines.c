#include "otf/lines.h"

enum prvcut_status otf_lines_more(struct otf_lines *l, struct prvcut_error *err)
{
    const uint64_t read = l->text.taken - l->told;
    struct prvcut_error why = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    l->told = l->text.taken;
    if (l->pause && read > 0)
        st = l->pause(l->pause_ctx, read, err);
    if (st != PRVCUT_OK)
        return st;
    st = otf_text_next(&l->text, &l->next, &l->end, &why);
    l->damaged = l->damage_ends && st == PRVCUT_EFORMAT;
    l->cut_short = st == PRVCUT_OK && l->text.no_last_newline;
    /* It is a chunk of its own. */
    if (l->cut_short || l->damaged)
        st = PRVCUT_END;
    l->over = st == PRVCUT_END;
    if (st != PRVCUT_OK)
        l->next = l->end = NULL;
    return st < 0 ? prvcut_fail_as(err, st, &why) : st;
}

enum prvcut_status otf_lines_line(struct otf_lines *l, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (l->next == l->end && st == PRVCUT_OK)
        st = otf_lines_more(l, err);
    if (st == PRVCUT_OK) {
        l->first = l->next;
        l->next = otf_line_end(l->first) + 1;
    }
    return st;
}
