#include "api/find_pattern.h"

#include "analysis/patterns/patterns.h"
#include "api/patterns_ask.h"
#include "base/memory.h"

#include <stdlib.h>

static enum prvcut_status fpt_take(struct api_find_pattern *out, struct pat_pattern *p,
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

/* What patterns finds of a trace. owns: *found is initialised here, released with pat_found_fini */
static enum prvcut_status fpt_find(struct pat_found *found, struct prvcut_trace *trace,
                                   const struct prvcut_run *run, enum pat_alphabet alphabet,
                                   uint64_t nth, struct prvcut_error *err)
{
    struct api_patterns_asked asked = { .trace = trace, .run = run };
    const struct pat_options wanted = {
        .alphabet = alphabet, .ask = api_patterns_ask, .ctx = &asked, .nth = nth
    };
    struct prvcut_dictionary names;
    struct pat_store store = { .trace = trace, .run = run, .names = &names };
    enum prvcut_status st = trace->reader->describe(trace, &names, err);

    *found = (struct pat_found){ .one = NULL };
    if (st == PRVCUT_OK)
        st = pat_find(found, &store, &wanted, err);
    api_patterns_asked_fini(&asked);
    pat_store_fini(&store);
    prvcut_dictionary_fini(&names);
    return st;
}

enum prvcut_status api_find_pattern(struct api_find_pattern *out, struct prvcut_trace *trace,
                                    const struct prvcut_run *run, uint64_t n,
                                    enum prvcut_symbols symbols, struct prvcut_error *err)
{
    struct pat_found found;
    enum prvcut_status st = fpt_find(
        &found, trace, run,
        symbols == PRVCUT_SYMBOLS_AUTO ? PAT_NONE : (enum pat_alphabet)(symbols - 1), 0, err);

    *out = (struct api_find_pattern){ .thread = NULL };
    out->symbols = (enum prvcut_symbols)(found.alphabet + 1);
    out->patterns = found.patterns;
    if (st == PRVCUT_OK && n <= found.patterns)
        st = fpt_take(out, &found.pattern[n - 1], err);
    pat_found_fini(&found);
    return st;
}

enum prvcut_status api_find_nests(struct api_find_nests *out, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, uint64_t nth,
                                  struct prvcut_error *err)
{
    struct pat_found found;
    enum prvcut_status st = fpt_find(&found, trace, run, PAT_NONE, nth, err);

    *out = (struct api_find_nests){ .at = NULL };
    out->at = prvcut_zeroed(found.ones + 1, sizeof *out->at, "threads", err);
    if (!out->at)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < found.ones && st == PRVCUT_OK; i++) {
        const struct pat_one *one = &found.one[i];

        out->most = one->count > out->most ? one->count : out->most;
        if (one->next > one->at)
            out->at[out->threads++] = (struct api_find_nest){ one->thread, one->at, one->next };
    }
    pat_found_fini(&found);
    return st;
}

void api_find_nests_fini(struct api_find_nests *n)
{
    free(n->at);
    *n = (struct api_find_nests){ .at = NULL };
}

void api_find_pattern_fini(struct api_find_pattern *p)
{
    free(p->thread);
    free(p->at);
    free(p->body);
    *p = (struct api_find_pattern){ .thread = NULL };
}
