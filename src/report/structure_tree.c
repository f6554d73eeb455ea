#include "report/structure.h"

#include <stdio.h>
#include <string.h>

/* Room for the lines left of a node: three columns a level. */
#define INDENT     120
#define NODES_MOST 64

static void tre_put_node(struct report_lines *l, const struct made_structure *s,
                         const struct report_fold *f)
{
    const struct made_region *r = &s->region[f->first];
    char text[40];

    report_fold_name(s, f, text);
    report_put(l, "%s", text);
    if (r->is.cause != PRVCUT_CAUSE_NONE)
        report_put(l, " (%s)", report_cause(r->is.cause));
    report_put(l, ", %s", prvcut_time_text(text, (double)(f->span.end - f->span.start)));
    if (r->is.loop > 0) {
        report_put(l, ": loop %s", report_loop_letter(text, r->is.loop));
        report_put(l, ", %s", report_tenths(text, f->iterations));
        if (f->all != f->iterations)
            report_put(l, " of %s undisturbed", report_tenths(text, f->all));
        else
            report_put(l, " iteration%s", f->all == 1 ? "" : "s");
        report_put(l, ", mean %s", prvcut_time_text(text, f->period_ns));
        report_put(l, ", sure: %s", report_sure(text, r->is.confidence));
    }
    if (f->masks > 0 && f->all == f->iterations)
        report_put(l, "; disturbed %s", report_times(text, f->masks));
    report_put(l, "\n");
}

/* The piece of a fold whose iteration is divided; SIZE_MAX: none. */
static size_t tre_divided(const struct made_structure *s, const struct report_fold *f)
{
    for (size_t i = 0; i < s->is.regions; i++) {
        const size_t p = s->region[i].is.parent;

        if (p >= f->first && p <= f->last &&
            s->region[p].is.parent == s->region[f->first].is.parent)
            return p;
    }
    return SIZE_MAX;
}

static void tre_put(struct report_lines *l, const struct made_structure *s, size_t parent,
                    const char *indent)
{
    const bool single = report_fold_none(s, parent, PIECES_SHOWN);
    struct report_fold now, next;
    size_t at = 0, shown = 0;
    bool more = report_fold_next(s, parent, single, &at, &next);

    while (more) {
        char deeper[INDENT];
        size_t inside;

        now = next;
        more = report_fold_next(s, parent, single, &at, &next);
        if (more && ++shown == NODES_MOST) {
            report_put(l, "%s`- ... (--json has all)\n", indent);
            return;
        }
        report_put(l, "%s%s", indent, more ? "|- " : "`- ");
        tre_put_node(l, s, &now);
        inside = tre_divided(s, &now);
        if (inside == SIZE_MAX || strlen(indent) + 4 > sizeof deeper)
            continue;
        snprintf(deeper, sizeof deeper, "%.*s%s", INDENT - 4, indent, more ? "|  " : "   ");
        tre_put(l, s, inside, deeper);
    }
}

enum prvcut_status prvcut_structure_tree(const struct prvcut_structure *view, char **text,
                                         struct prvcut_error *err)
{
    const struct made_structure *s = made_structure_of(view);
    struct report_lines l = { .err = err };
    char time[32];

    report_put(&l, "run, %s", prvcut_time_text(time, (double)s->is.end_ns));
    if (s->is.loops == 0)
        report_put(&l, ": no loop found: %s", s->is.reason ? s->is.reason : "");
    report_put(&l, "\n");
    tre_put(&l, s, SIZE_MAX, "");
    return report_take(&l, text);
}
