#include "litl/litl.h"

#include "base/memory.h"
#include "model/formats.h"

#include <stdlib.h>
#include <string.h>

/* "0.1.9" and the like, then what uname says. */
static int reader_probe(const char *head, size_t count)
{
    static const char system[] = "Linux";
    size_t digits = 0, at = 0;

    if (count < 8 + sizeof system - 1 || memcmp(head + 8, system, sizeof system - 1) != 0)
        return 0;
    for (; at < 8 && head[at] != '\0'; at++) {
        if (head[at] >= '0' && head[at] <= '9')
            digits++;
        else if (head[at] != '.')
            return 0;
    }
    /* Padded with zeros. */
    for (size_t i = at; i < 8; i++)
        if (head[i] != '\0')
            return 0;
    return digits > 0 ? 8 * (8 + (int)sizeof system - 1) : 0;
}

/* --- What is wrong with a log ---------------------------------------------------------------- */

static const struct {
    const char *name, *summary, *advice;
    bool damage;
} kinds[LITL_FINDINGS] = {
    [LITL_DAMAGED] = { "damaged", "thread whose events cannot be read to the end",
                       "--lenient reads what is before the damage", true },
    [LITL_TIME_BACK] = { "order", "event earlier than the one before it",
                         "it is taken to happen at the same time", true },
    [LITL_PARAMETERS_LOST] = { "parameters-lost", "event without its parameters",
                               "LiTL 0.1.9 does not store them: partners, sizes and "
                               "communicators are unknown",
                               false },
    [LITL_PARAMETERS_ODD] = { "parameters-odd", "event whose parameters have an unknown layout",
                              "another version of EZTrace wrote it; the call is kept, its "
                              "partner and size are lost",
                              false },
    [LITL_UNKNOWN_CODE] = { "unknown-code", "event of the MPI module with an unknown code",
                            "harmless: it is left out", false },
    [LITL_OTHER_MODULE] = { "other-module", "event of a module other than MPI",
                            "it is left out: only the MPI module's events are understood", false },
    [LITL_CALL_UNFINISHED] = { "call-unfinished", "call without an end",
                               "it is taken to end where the next one begins", false },
    [LITL_CALL_NOT_OPEN] = { "call-not-open", "call that ends without a begin",
                             "harmless: it is left out", false },
    [LITL_RANK_UNKNOWN] = { "rank-unknown", "several processes give the same rank",
                            "tasks are in the order of the processes in the file", false },
};

static enum prvcut_status reader_report(struct prvcut_findings *out, const struct litl_trace *t,
                                        struct prvcut_error *err)
{
    out->at = prvcut_zeroed(LITL_FINDINGS, sizeof *out->at, "findings", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    out->room = LITL_FINDINGS;
    for (unsigned k = 0; k < LITL_FINDINGS; k++) {
        struct prvcut_finding *f = &out->at[out->count];

        if (t->found[k].count == 0)
            continue;
        out->count++;
        *f = (struct prvcut_finding){ .name = kinds[k].name,
                                      .summary = kinds[k].summary,
                                      .advice = kinds[k].advice,
                                      .file = "",
                                      .damage = kinds[k].damage,
                                      .count = t->found[k].count };
        memcpy(f->example, t->found[k].example, sizeof f->example);
        out->damaged = out->damaged || f->damage;
    }
    return PRVCUT_OK;
}

enum prvcut_status litl_check(struct prvcut_findings *out, struct prvcut_source *source,
                              const struct prvcut_open_options *options,
                              const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_open_options lenient = options ? *options : (struct prvcut_open_options){ 0 };
    const struct prvcut_consumer nobody = { 0 };
    struct prvcut_counts counts = { 0 };
    struct prvcut_trace *t = NULL;
    enum prvcut_status st;

    lenient.lenient = true;
    memset(out, 0, sizeof *out);
    st = litl_open(&t, source, &lenient, err);
    if (st == PRVCUT_OK)
        st = litl_scan(t, run, &nobody, &counts, err);
    if (st == PRVCUT_OK)
        st = reader_report(out, (const struct litl_trace *)t, err);
    prvcut_findings_count(out, &counts);
    litl_close(t);
    return st;
}

/* --- Names -------------------------------------------------------------------------------------
 */

static int reader_by_value(const void *a, const void *b)
{
    const int64_t x = ((const struct prvcut_value_name *)a)->value;
    const int64_t y = ((const struct prvcut_value_name *)b)->value;

    return (x > y) - (x < y);
}

/* The calls of one type that a log can hold. */
static enum prvcut_status reader_name_calls(struct prvcut_dictionary *d,
                                            struct prvcut_type_name *type, struct prvcut_error *err)
{
    struct prvcut_value_name *value;
    size_t room = 0;

    for (const struct litl_code *c = litl_codes; c->code != 0; c++)
        room++;
    value = prvcut_dictionary_room(d, room * sizeof *value, err);
    if (!value)
        return PRVCUT_ENOMEM;
    for (const struct litl_code *c = litl_codes; c->code != 0; c++) {
        const struct prvcut_mpi_call *call =
            c->call && c->action != LITL_STOP ? prvcut_mpi_call_of(c->call, NULL) : NULL;
        bool known = false;

        for (size_t i = 0; call && i < type->values; i++)
            known = known || value[i].value == call->value;
        if (call && !known && (uint32_t)call->type == type->number)
            value[type->values++] = (struct prvcut_value_name){ .value = call->value,
                                                                .text = call->name,
                                                                .detail = "" };
    }
    qsort(value, type->values, sizeof *value, reader_by_value);
    type->value = value;
    return PRVCUT_OK;
}

static enum prvcut_status reader_name_types(struct prvcut_dictionary *d, const struct litl_trace *t,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    d->type = prvcut_dictionary_room(d, t->base.types * sizeof *d->type, err);
    if (!d->type)
        return PRVCUT_ENOMEM;
    d->types = t->base.types;
    for (size_t i = 0; i < d->types && st == PRVCUT_OK; i++) {
        d->type[i] = (struct prvcut_type_name){ .number = t->base.type[i].number,
                                                .role = t->base.type[i].role,
                                                .region = t->base.type[i].region,
                                                .text = t->base.type[i].text,
                                                .group = "MPI",
                                                .unit = "" };
        if (d->type[i].region)
            st = reader_name_calls(d, &d->type[i], err);
    }
    return st;
}

static enum prvcut_status reader_name_states(struct prvcut_dictionary *d, struct prvcut_error *err)
{
    d->state = prvcut_dictionary_room(d, PRVCUT_STATES * sizeof *d->state, err);
    if (!d->state)
        return PRVCUT_ENOMEM;
    d->states = PRVCUT_STATES;
    d->running = PRVCUT_STATE_RUNNING;
    for (uint32_t i = 0; i < PRVCUT_STATES; i++)
        d->state[i] = (struct prvcut_state_name){ i, prvcut_state_text(i), prvcut_state_colour(i) };
    return PRVCUT_OK;
}

enum prvcut_status litl_describe(struct prvcut_trace *trace, struct prvcut_dictionary *out,
                                 struct prvcut_error *err)
{
    const struct litl_trace *t = (const struct litl_trace *)trace;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if ((st = reader_name_types(out, t, err)) < 0 || (st = reader_name_states(out, err)) < 0)
        return st;
    out->task = prvcut_dictionary_room(out, t->processes * sizeof *out->task, err);
    if (!out->task)
        return PRVCUT_ENOMEM;
    for (uint32_t k = 0; k < t->processes; k++) {
        const char *name = t->process[t->order[k]].name;

        if (*name == '\0')
            continue;
        out->task[k] = prvcut_dictionary_text(out, name, err);
        if (!out->task[k])
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

const struct prvcut_reader prvcut_litl_reader = {
    .format = &prvcut_litl_format,
    .summary = "EZTrace 1 raw log (LiTL), its MPI calls; experimental",
    .halves = true,
    .by_thread = true,
    .calls_nest = true,
    .probe = reader_probe,
    .open = litl_open,
    .scan = litl_scan,
    .scan_window = litl_scan_window,
    .check = litl_check,
    .describe = litl_describe,
    .close = litl_close,
};
