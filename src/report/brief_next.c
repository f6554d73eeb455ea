#include "report/brief.h"
#include "report/command.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEADING BRIEF_HEADING
/* A command that begins behind the one before it is so far away from that. */
#define APART 6u
/* What says which parts to cut: the structure is shown whole. */
#define CUT_ONLY "region,regions,level"

struct next {
    struct brief *b;
    size_t used; /* columns of the line under way; 0: none is */
};

/* A command, behind the one before it where there is room. */
static void bnx_put(struct next *n, const char *label, const char *command)
{
    const size_t own = strlen(command) + (label ? strlen(label) + 2 : 0);
    struct report_lines *l = &n->b->l;

    if (n->used > 0 && n->used + APART + own <= n->b->width) {
        report_put(l, "%*s", (int)APART, "");
        n->used += APART + own;
    } else if (n->used > 0 && n->b->terse >= BRIEF_ONE_NEXT) {
        return;
    } else {
        if (n->used > 0)
            report_put(l, "\n");
        report_head(l, n->used == 0 ? "Next" : "");
        n->used = HEADING + own;
    }
    report_put(l, "%s%s%s", label ? label : "", label ? ": " : "", command);
}

/* The trace's name with another end, for a file that is written in the present folder. */
static void bnx_name(char *out, size_t room, const struct made_reduction *r, const char *suffix)
{
    const char *name = r->is.name ? r->is.name : "trace";
    const char *slash = strrchr(name, '/');
    const char *dot, *end = NULL;
    size_t n;

    name = slash && slash[1] ? slash + 1 : name;
    dot = strrchr(name, '.');
    for (const char *at = r->is.suffix ? strstr(name, r->is.suffix) : NULL; at;
         at = strstr(at + 1, r->is.suffix))
        end = at;
    if (!end)
        end = dot && dot > name && strlen(dot) <= 5 ? dot : name + strlen(name);
    n = (size_t)(end - name);
    snprintf(out, room, "%.*s%s", (int)n, name, suffix);
}

/* With the configuration that was written for it. */
static const char *bnx_configuration(const struct made_reduction *r)
{
    for (size_t i = 0; r->is.chops > 0 && i < r->chop[0].cut.files; i++) {
        const char *dot = strrchr(r->chop[0].cut.file[i], '.');

        if (dot && strcmp(dot, ".cfg") == 0)
            return r->chop[0].cut.file[i];
    }
    return NULL;
}

static void bnx_put_view(struct next *n)
{
    const struct made_reduction *r = n->b->r;
    const char *file = r->is.archive              ? r->is.archive
                       : r->chop[0].cut.files > 0 ? r->chop[0].cut.file[0]
                                                  : NULL;
    const char *shown = r->is.archive ? NULL : bnx_configuration(r);
    char command[1800], name[600], with[600] = "";

    if (!file || r->is.dry_run || !(r->is.archive || r->is.viewer) ||
        !report_quote(name, sizeof name, file) ||
        (shown && !report_quote(with, sizeof with, shown)))
        return;
    snprintf(command, sizeof command, "%s %s%s%s", r->is.archive ? "prvcut verify" : r->is.viewer,
             name, shown ? " " : "", with);
    bnx_put(n, NULL, command);
}

/* A command that goes on with the same trace, as it is asked for here. */
static void bnx_put_command(struct next *n, const char *label, const struct report_command *c)
{
    const struct made_reduction *r = n->b->r;
    struct report_command whole = *c;
    char command[2000];

    whole.typed = r->typed;
    bnx_put(n, label, report_command(command, sizeof command, r->again, &whole));
}

/* What stands for its loop where the cut does not; a pipe is to be filled once more. */
static void bnx_put_better(struct next *n, const struct made_chop *c, bool force)
{
    const struct made_reduction *r = n->b->r;
    struct report_command again = { "", NULL, "iterations", force, r->typed };
    char label[64], own[64], pipe[1200] = "-", command[2000];

    if (c->is.better == 0)
        return;
    snprintf(label, sizeof label, "%u are %s", c->is.better,
             prvcut_chop_verdict_text(c->is.better_verdict));
    snprintf(own, sizeof own, "%s--iterations %u", r->piped ? "--follow " : "", c->is.better);
    again.own = own;
    if (r->piped) {
        if (strcmp(r->is.path, "-") != 0 && !report_quote(pipe, sizeof pipe, r->is.path))
            return;
        again.typed = pipe;
    }
    bnx_put(n, label, report_command(command, sizeof command, r->again, &again));
}

static void bnx_put_after_cut(struct next *n)
{
    const struct made_reduction *r = n->b->r;
    const struct made_chop *c = &r->chop[0];
    const bool main = r->is.chops == 1 && c->is.region == r->structure.is.main;
    const bool force = !r->is.dry_run || r->is.force;
    char own[700], name[300], page[600];
    size_t regions = 0;

    for (size_t i = 0; i < r->structure.is.regions; i++)
        regions += r->structure.region[i].is.level == 1 && r->structure.region[i].is.number > 0;
    bnx_put_better(n, c, force);
    bnx_put_view(n);
    if (!r->typed)
        return;
    if (r->is.dry_run)
        bnx_put_command(n, NULL, &(struct report_command){ "", "", NULL, force, NULL });
    bnx_name(name, sizeof name, r, ".html");
    if (c->is.better > 0)
        return;
    if (regions > 1 || r->is.chops > 1) {
        bnx_put_command(n, "all regions",
                        &(struct report_command){ "structure", "", CUT_ONLY, false, NULL });
    } else if (!r->is.page && !r->is.archive && main && access(name, F_OK) != 0 &&
               report_quote(page, sizeof page, name)) {
        snprintf(own, sizeof own, "--report %s", page);
        bnx_put_command(n, "a page", &(struct report_command){ "", own, "report", force, NULL });
    }
}

static void bnx_put_after_none(struct next *n)
{
    const struct made_reduction *r = n->b->r;
    const struct report_tag tag = { .kind = REPORT_TAG_CUT };
    char command[2000];

    if (report_look(command, sizeof command, r->cuts, r->again, r->typed))
        bnx_put(n, "look", command);
    if (report_cut_there(command, sizeof command, r->cuts, &tag)) {
        bnx_put(n, NULL, command);
        return;
    }
    report_middle(command, sizeof command, &r->structure.is.span, r->again, r->typed);
    bnx_put(n, "by time", command);
}

void brief_put_next(struct brief *b)
{
    struct next n = { .b = b };

    if (!b->r->typed && !b->r->piped)
        return;
    if (b->r->is.chops > 0)
        bnx_put_after_cut(&n);
    else if (b->r->piped)
        return;
    else if (b->r->is.records == 0)
        bnx_put_command(&n, NULL, &(struct report_command){ "check", "", NULL, false, NULL });
    else if (b->r->is.periodic)
        bnx_put_command(&n, NULL,
                        &(struct report_command){ "structure", "", CUT_ONLY, false, NULL });
    else
        bnx_put_after_none(&n);
    if (n.used > 0)
        report_put(&b->l, "\n");
}
