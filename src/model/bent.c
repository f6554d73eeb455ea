#include "model/bent.h"

#include "base/print.h"
#include "model/texts.h"

#include <inttypes.h>
#include <stdio.h>

const struct prvcut_bent_info prvcut_bent_infos[PRVCUT_BENTS] = {
    [PRVCUT_BENT_COMMUNICATOR] = { "communicator-member",
                                   "communicator with members that do not exist",
                                   "communicators with members that do not exist",
                                   "taken without them" },
    [PRVCUT_BENT_NODE] = { "task-node", "task on a node that does not exist",
                           "tasks on nodes that do not exist", "taken to be on node 1" },
    [PRVCUT_BENT_FORM] = { "number-form", "record with a blank or '+' before a number",
                           "records with a blank or '+' before a number", "taken without them" },
    [PRVCUT_BENT_CPU] = { "cpu", "record on a cpu that does not exist",
                          "records on cpus that do not exist", "taken by the thread alone" },
    [PRVCUT_BENT_STATE] = { "state-backward", "state that ends before it begins",
                            "states that end before they begin", "taken to have no length" },
    [PRVCUT_BENT_VALUE] = { "value-unsigned", "record with a number of 2^63 or more",
                            "records with a number of 2^63 or more",
                            "read as signed numbers (less by 2^64)" },
};

void prvcut_bent_add(struct prvcut_bent_count *to, uint32_t bits, uint64_t line)
{
    for (unsigned i = 0; bits != 0; i++, bits >>= 1)
        if ((bits & 1) != 0 && to[i].count++ == 0)
            to[i].line = line;
}

void prvcut_bent_join(struct prvcut_bent_count *to, const struct prvcut_bent_count *part,
                      uint64_t lines)
{
    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        if (to[i].count == 0 && part[i].count > 0)
            to[i].line = lines + part[i].line;
        to[i].count += part[i].count;
    }
}

const char *prvcut_bent_text(char *out, size_t room, enum prvcut_bent kind,
                             const struct prvcut_bent_count *c)
{
    const struct prvcut_bent_info *info = &prvcut_bent_infos[kind];
    char count[32];
    const int n = snprintf(out, room, "%s %s, %s", prvcut_count_text(count, c->count),
                           c->count == 1 ? info->one : info->several, info->taken);

    if (c->line > 0 && n > 0 && (size_t)n < room)
        snprintf(out + n, room - (size_t)n, "; %s in line %" PRIu64,
                 c->count == 1 ? "it is" : "the first one is", c->line);
    return out;
}

enum prvcut_status prvcut_bent_notes(char ***note, size_t *notes, const struct prvcut_bent_count *c,
                                     struct prvcut_error *err)
{
    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        char text[200];

        if (c[i].count == 0)
            continue;
        prvcut_bent_text(text, sizeof text, (enum prvcut_bent)i, &c[i]);
        if (prvcut_texts_add(note, notes, text, err) < 0)
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}
