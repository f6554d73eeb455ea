#include "api/find_pattern.h"

#include "analysis/patterns/patterns.h"
#include "api/patterns_ask.h"
#include "base/memory.h"

#include <stdlib.h>

static enum prvcut_status afp_take(struct api_find_pattern *out, struct pat_pattern *p,
                                   struct prvcut_error *err)
{
    out->calls = p->calls;
    out->body = p->body;
    p->body = NULL;
    out->thread = prvcut_copied(p->thread, p->threads * sizeof *p->thread, "threads", err);
    out->at = prvcut_copied(p->at, p->threads * sizeof *p->at, "threads", err);
    if (!out->thread || !out->at)
        return PRVCUT_ENOMEM;
    out->threads = p->threads;
    return PRVCUT_OK;
}

enum prvcut_status api_find_pattern(struct api_find_pattern *out, struct prvcut_trace *trace,
                                    const struct prvcut_run *run, uint64_t n,
                                    enum prvcut_symbols symbols, struct prvcut_error *err)
{
    struct api_patterns_asked asked = { .trace = trace, .run = run };
    const struct pat_options wanted = {
        .alphabet = symbols == PRVCUT_SYMBOLS_AUTO ? PAT_NONE : (enum pat_alphabet)(symbols - 1),
        .ask = api_patterns_ask,
        .ctx = &asked,
    };
    struct prvcut_dictionary names;
    struct pat_store store = { .trace = trace, .run = run, .names = &names };
    struct pat_found found = { .one = NULL };
    enum prvcut_status st = trace->reader->describe(trace, &names, err);

    *out = (struct api_find_pattern){ .thread = NULL };
    if (st == PRVCUT_OK)
        st = pat_find(&found, &store, &wanted, err);
    out->symbols = (enum prvcut_symbols)(found.alphabet + 1);
    out->patterns = found.patterns;
    if (st == PRVCUT_OK && n <= found.patterns)
        st = afp_take(out, &found.pattern[n - 1], err);
    pat_found_fini(&found);
    api_patterns_asked_fini(&asked);
    pat_store_fini(&store);
    prvcut_dictionary_fini(&names);
    return st;
}

void api_find_pattern_fini(struct api_find_pattern *p)
{
    free(p->thread);
    free(p->at);
    free(p->body);
    *p = (struct api_find_pattern){ .thread = NULL };
}
