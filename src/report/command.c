#include "report/command.h"

#include "report/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *report_command(char *out, size_t room, const struct prvcut_again *again,
                     const struct report_command *c)
{
    char *options =
        again ? again->options(again->ctx, c->name, c->without ? c->without : "") : NULL;

    snprintf(out, room, "prvcut%s%s %s%s%s%s%s", *c->name ? " " : "", c->name, c->own,
             *c->own ? " " : "", options ? options : "", c->force ? "-f " : "", c->typed);
    free(options);
    return out;
}

bool report_quote(char *out, size_t room, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:%@";
    const bool bare = name[strspn(name, plain)] == '\0';
    size_t n = (size_t)snprintf(out, room, "%s%s", *name == '-' ? "./" : "", bare ? "" : "'");

    for (; *name && n + 8 < room; name++) {
        if ((unsigned char)*name < ' ' || *name == 127)
            return false;
        n += (size_t)snprintf(out + n, room - n, *name == '\'' ? "'\\''" : "%c", *name);
    }
    if (!bare)
        n += (size_t)snprintf(out + n, room - n, "'");
    return *name == '\0' && n > 0;
}

/* What cuts are called, with that tag; false: there is no room. */
static bool com_put_tag(char *out, size_t room, const char *cuts, const struct report_tag *tag)
{
    char text[64];
    size_t n = 0;

    report_tag_text(text, tag);
    for (; *cuts; cuts++) {
        const bool place = *cuts == REPORT_TAG_PLACE;

        if (n + sizeof text >= room)
            return false;
        n += (size_t)snprintf(out + n, room - n, "%.*s", place ? 64 : 1, place ? text : cuts);
    }
    out[n] = '\0';
    return true;
}

bool report_cut_there(char *out, size_t room, const char *cuts, const struct report_tag *tag)
{
    char name[1200], quoted[1400];

    if (!cuts || !com_put_tag(name, sizeof name, cuts, tag) || access(name, F_OK) != 0 ||
        !report_quote(quoted, sizeof quoted, name))
        return false;
    snprintf(out, room, "its cut: prvcut info %s", quoted);
    return true;
}

bool report_look(char *out, size_t room, const char *cuts, const struct prvcut_again *again,
                 const char *typed)
{
    const char *place = cuts ? strchr(cuts, REPORT_TAG_PLACE) : NULL, *begin = place;
    char name[300], quoted[600], own[620];

    while (begin && begin > cuts && begin[-1] != '/')
        begin--;
    /* A point is before the tag. */
    snprintf(name, sizeof name, "%.*s.svg", place > begin ? (int)(place - begin - 1) : 5,
             place > begin ? begin : "trace");
    if (access(name, F_OK) == 0 || !report_quote(quoted, sizeof quoted, name))
        return false;
    snprintf(own, sizeof own, "--plot %s", quoted);
    report_command(out, room, again, &(struct report_command){ "signal", own, NULL, false, typed });
    return true;
}

void report_middle(char *out, size_t room, const struct prvcut_span *in,
                   const struct prvcut_again *again, const char *typed)
{
    const double start = (double)in->start, all = (double)in->end - start;
    const struct report_clock c = report_clock_for(in->end, all);
    char own[100], from[40], to[40];

    snprintf(own, sizeof own, "--from %s --to %s",
             report_clock_time(from, &c, (uint64_t)(start + 0.4 * all), c.places),
             report_clock_time(to, &c, (uint64_t)(start + 0.6 * all), c.places));
    report_command(
        out, room, again,
        &(struct report_command){ "cut", own, "from,to,region,iteration", false, typed });
}
