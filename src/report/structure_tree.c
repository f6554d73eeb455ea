#include "report/structure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the lines left of a node: three columns a level. */
#define INDENT     120
#define NODES_MOST 64
/* Bytes of a nest. */
#define NEST_SHOWN ((size_t)160)

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

void report_region_nest(struct report_lines *l, const struct prvcut_region *r, size_t most)
{
    size_t length = strlen(r->nest);
    char part[NEST_SHOWN + 1];

    if (r->nest_threads < r->nest_of)
        report_put(l, "%" PRIu32 " of %" PRIu32 " threads: ", r->nest_threads, r->nest_of);
    else
        report_put(l, "%" PRIu32 " thread%s: ", r->nest_of, r->nest_of == 1 ? "" : "s");
    most = most < NEST_SHOWN ? most : NEST_SHOWN;
    if (length <= most) {
        report_put_foreign(l, r->nest);
        return;
    }
    for (length = most; length > 0 && r->nest[length] != ' '; length--)
        ;
    memcpy(part, r->nest, length);
    part[length] = '\0';
    report_put_foreign(l, part);
    report_put(l, " ...");
}

void report_region_differs(struct report_lines *l, const struct prvcut_region *r)
{
    char text[32];

    report_put(l, "by these calls it runs %s", report_times(text, r->nest_count));
    if (r->nest_tolerant)
        report_put(l, ", more or less alike");
}

/* Lines of less than 80 bytes that begin alike. */
static void tre_put_words(struct report_lines *l, const char *begin, char *text)
{
    const size_t room = REPORT_WIDTH > strlen(begin) + 21 ? REPORT_WIDTH - 1 - strlen(begin) : 20;
    char *rest = NULL;
    size_t used = 0;

    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const size_t bytes = strlen(word);

        if (used > 0 && used + 1 + bytes > room)
            used = 0;
        report_put(l, "%s%s%s",
                   used > 0      ? " "
                   : word > text ? "\n"
                                 : "",
                   used > 0 ? "" : begin, word);
        used += (used > 0) + bytes;
    }
    report_put(l, "\n");
}

/* What it calls, and where that goes round more or less often. */
static void tre_put_nest(struct report_lines *l, const struct prvcut_region *r, const char *indent,
                         bool last)
{
    struct report_lines said = { .err = l->err };
    char begin[INDENT + 8], *text = NULL;

    if (!r->nest || *r->nest == '\0')
        return;
    snprintf(begin, sizeof begin, "%.*s%s   ", INDENT - 4, indent, last ? "   " : "|  ");
    report_region_nest(&said, r, NEST_SHOWN);
    if (report_take(&said, &text) == PRVCUT_OK)
        tre_put_words(l, begin, text);
    else
        l->st = PRVCUT_ENOMEM;
    free(text);
    if (!r->nest_differs)
        return;
    report_put(l, "%snote: ", begin);
    report_region_differs(l, r);
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
        tre_put_nest(l, &s->region[now.first].is, indent, !more);
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
