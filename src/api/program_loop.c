#include "api/entries.h"
#include "prvcut/structure.h"

enum prvcut_status api_loop_of(struct prvcut_program_loop *out, struct prvcut_trace *trace,
                               const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_structure_options first = { .size = sizeof first, .levels = 1 };
    const struct prvcut_region *main;
    struct prvcut_structure *s = NULL;
    const enum prvcut_status st = prvcut_structure_find(trace, run, &first, &s, err);

    main = st == PRVCUT_OK && s->main != SIZE_MAX ? prvcut_structure_region(s, s->main) : NULL;
    *out = (struct prvcut_program_loop){ .iterations = main ? (double)main->loop_iterations : 0,
                                         .calls = main ? main->calls_per_iteration : 0 };
    prvcut_structure_free(s);
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}
