#include "model/counts.h"

void prvcut_counts_put(struct prvcut_put *p, const struct prvcut_counts *c)
{
    uint64_t bent[2 * PRVCUT_BENTS];
    const uint64_t all[] = { c->states,         c->events,          c->pairs,      c->messages,
                             c->comments,       c->skipped,         c->lines,      c->bytes,
                             c->first_ns,       c->last_ns,         c->unsorted,   c->beyond_end,
                             c->first_unsorted, c->no_last_newline, c->unsorted_ns };

    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        bent[2 * i] = c->bent[i].count;
        bent[2 * i + 1] = c->bent[i].line;
    }
    prvcut_put_u64s(p, all, sizeof all / sizeof *all);
    prvcut_put_u64s(p, bent, sizeof bent / sizeof *bent);
}

void prvcut_counts_get(struct prvcut_get *g, struct prvcut_counts *c)
{
    uint64_t all[15] = { 0 }, bent[2 * PRVCUT_BENTS] = { 0 };

    prvcut_get_u64s(g, all, sizeof all / sizeof *all);
    prvcut_get_u64s(g, bent, sizeof bent / sizeof *bent);
    *c = (struct prvcut_counts){ .states = all[0],
                                 .events = all[1],
                                 .pairs = all[2],
                                 .messages = all[3],
                                 .comments = all[4],
                                 .skipped = all[5],
                                 .lines = all[6],
                                 .bytes = all[7],
                                 .first_ns = all[8],
                                 .last_ns = all[9],
                                 .unsorted = all[10],
                                 .beyond_end = all[11],
                                 .first_unsorted = all[12],
                                 .no_last_newline = all[13] > 0,
                                 .unsorted_ns = all[14] };
    for (unsigned i = 0; i < PRVCUT_BENTS; i++)
        c->bent[i] = (struct prvcut_bent_count){ bent[2 * i], bent[2 * i + 1] };
}
