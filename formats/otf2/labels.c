#include "base/memory.h"
#include "otf2/otf2.h"
#include "otf2/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value of a type on its way into a dictionary. */
struct value {
    uint32_t type;
    struct prvcut_value_name name;
};

/* Types and values while they are gathered. */
struct gathered {
    struct prvcut_type_name *type;
    size_t types, type_room;
    struct value *value;
    size_t values, value_room;
    struct prvcut_error *err;
    enum prvcut_status st; /* the first failure; nothing is added behind it */
};

static void labels_add_type(struct gathered *g, const struct prvcut_type_name *type)
{
    if (g->st == PRVCUT_OK)
        g->st =
            prvcut_grow((void **)&g->type, &g->type_room, g->types + 1, sizeof *g->type, g->err);
    if (g->st == PRVCUT_OK)
        g->type[g->types++] = *type;
}

static void labels_add_value(struct gathered *g, uint32_t type, int64_t value, const char *text,
                             const struct o2_region *r)
{
    if (g->st == PRVCUT_OK)
        g->st = prvcut_grow((void **)&g->value, &g->value_room, g->values + 1, sizeof *g->value,
                            g->err);
    if (g->st == PRVCUT_OK)
        g->value[g->values++] =
            (struct value){ type, { value, text, r ? r->file : "", r ? r->line : 0 } };
}

static const char *labels_paradigm_text(uint32_t paradigm)
{
    static const char *const names[] = {
        [OTF2_PARADIGM_OPENMP] = "OpenMP",
        [OTF2_PARADIGM_MPI] = "MPI",
        [OTF2_PARADIGM_CUDA] = "CUDA",
        [OTF2_PARADIGM_MEASUREMENT_SYSTEM] = "Measurement system",
        [OTF2_PARADIGM_PTHREAD] = "POSIX threads",
        [OTF2_PARADIGM_HMPP] = "HMPP",
        [OTF2_PARADIGM_OMPSS] = "OmpSs",
        [OTF2_PARADIGM_HARDWARE] = "Hardware",
        [OTF2_PARADIGM_GASPI] = "GASPI",
        [OTF2_PARADIGM_UPC] = "UPC",
        [OTF2_PARADIGM_SHMEM] = "SHMEM",
        [OTF2_PARADIGM_WINTHREAD] = "Windows threads",
        [OTF2_PARADIGM_QTTHREAD] = "Qt threads",
        [OTF2_PARADIGM_ACETHREAD] = "ACE threads",
        [OTF2_PARADIGM_TBBTHREAD] = "TBB",
        [OTF2_PARADIGM_OPENACC] = "OpenACC",
        [OTF2_PARADIGM_OPENCL] = "OpenCL",
        [OTF2_PARADIGM_MTAPI] = "MTAPI",
        [OTF2_PARADIGM_SAMPLING] = "Sampling",
        [OTF2_PARADIGM_HIP] = "HIP",
        [OTF2_PARADIGM_KOKKOS] = "Kokkos",
    };

    return paradigm < sizeof names / sizeof *names && names[paradigm] ? names[paradigm]
                                                                      : "Other regions";
}

/* Types that every archive may hold. */
static const struct prvcut_type_name fixed_types[] = {
    { .number = PRVCUT_TYPE_FLUSH,
      .role = PRVCUT_ROLE_FLUSH,
      .region = true,
      .text = "Flushing Traces",
      .group = "tracing" },
    { .number = PRVCUT_TYPE_TRACING,
      .role = PRVCUT_ROLE_TRACING,
      .text = "Tracing",
      .group = "tracing" },
    { .number = PRVCUT_TYPE_MPI_P2P,
      .role = PRVCUT_ROLE_P2P,
      .region = true,
      .text = "MPI Point-to-point",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_MPI_COLLECTIVE,
      .role = PRVCUT_ROLE_COLLECTIVE,
      .region = true,
      .text = "MPI Collective Comm",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_MPI_OTHER,
      .role = PRVCUT_ROLE_MPI_OTHER,
      .region = true,
      .text = "MPI Other",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_MPI_RMA,
      .role = PRVCUT_ROLE_MPI_OTHER,
      .region = true,
      .text = "MPI One-sided",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_MPI_IO,
      .role = PRVCUT_ROLE_MPI_OTHER,
      .region = true,
      .text = "MPI I/O",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_SIZE_SENT,
      .role = PRVCUT_ROLE_SIZE,
      .text = "MPI Global OP send size",
      .group = "MPI",
      .unit = "bytes" },
    { .number = PRVCUT_TYPE_SIZE_RECEIVED,
      .role = PRVCUT_ROLE_SIZE,
      .text = "MPI Global OP recv size",
      .group = "MPI",
      .unit = "bytes" },
    { .number = PRVCUT_TYPE_ROOT,
      .role = PRVCUT_ROLE_ROOT,
      .text = "MPI Global OP is root?",
      .group = "MPI" },
    { .number = PRVCUT_TYPE_COMMUNICATOR,
      .role = PRVCUT_ROLE_COMMUNICATOR,
      .text = "MPI Global OP communicator",
      .group = "MPI" },
};

static void labels_gather_regions(struct gathered *g, const struct o2_definitions *d)
{
    for (size_t i = 0; i < d->regions; i++) {
        const struct o2_region *r = &d->region[i];

        if (r->kind == O2_FLUSH || r->kind == O2_OFF)
            continue;
        labels_add_value(g, r->type, r->value, r->call ? r->call->name : r->name, r);
        if (r->kind == O2_MPI)
            labels_add_value(g, PRVCUT_TYPE_USER_FUNCTION, r->user_value, r->name, r);
        else if (r->type != PRVCUT_TYPE_USER_FUNCTION)
            labels_add_type(g, &(struct prvcut_type_name){
                                   .number = r->type,
                                   .role = PRVCUT_ROLE_REGION,
                                   .region = true,
                                   .text = labels_paradigm_text(r->type - PRVCUT_TYPE_REGION),
                                   .group = labels_paradigm_text(r->type - PRVCUT_TYPE_REGION) });
    }
    labels_add_type(g, &(struct prvcut_type_name){ .number = PRVCUT_TYPE_USER_FUNCTION,
                                                   .role = PRVCUT_ROLE_REGION,
                                                   .region = true,
                                                   .text = "User function",
                                                   .group = "user" });
    /* A region whose definition is missing. */
    labels_add_value(g, PRVCUT_TYPE_USER_FUNCTION, O2_UNDEFINED_VALUE, "(undefined region)", NULL);
}

static void labels_gather_marks(struct gathered *g, const struct prvcut_mark_kind *kind)
{
    labels_add_type(g, &(struct prvcut_type_name){ .number = kind->type,
                                                   .role = PRVCUT_ROLE_OTHER,
                                                   .gauge = true,
                                                   .text = kind->name,
                                                   .group = "marks" });
    for (int i = kind->values; i-- > 0;)
        labels_add_value(g, kind->type, i, prvcut_mark_value(kind, i), NULL);
}

static void labels_gather_metrics(struct gathered *g, const struct o2_definitions *d)
{
    for (size_t i = 0; i < d->members_of; i++) {
        const struct o2_metric_member *m = &d->member_of[i];

        if (prvcut_mark_kind_of(m->type))
            labels_gather_marks(g, prvcut_mark_kind_of(m->type));
        else if (m->name)
            labels_add_type(g, &(struct prvcut_type_name){ .number = m->type,
                                                           .role = m->role,
                                                           .gauge = m->type >= PRVCUT_TYPE_GAUGE,
                                                           .text = m->name,
                                                           .group = "counter",
                                                           .unit = m->unit });
    }
    for (size_t i = 0; i < d->parameters; i++)
        labels_add_type(g, &(struct prvcut_type_name){ .number = d->parameter[i].type,
                                                       .role = PRVCUT_ROLE_OTHER,
                                                       .text = d->parameter[i].name,
                                                       .group = "parameter" });
    for (size_t i = 0; i < d->parameters; i++)
        for (size_t k = 0; d->parameter[i].kind == OTF2_PARAMETER_TYPE_STRING && k < d->strings;
             k++)
            labels_add_value(g, d->parameter[i].type, (int64_t)d->string[k].id + 1,
                             d->string[k].text, NULL);
}

static void labels_gather_fixed(struct gathered *g, const struct o2_definitions *d)
{
    for (size_t i = 0; i < sizeof fixed_types / sizeof *fixed_types; i++)
        labels_add_type(g, &fixed_types[i]);
    labels_add_value(g, PRVCUT_TYPE_FLUSH, 1, "Begin", NULL);
    labels_add_value(g, PRVCUT_TYPE_TRACING, 1, "Enabled", NULL);
    labels_add_value(g, PRVCUT_TYPE_TRACING, 0, "Disabled", NULL);
    for (size_t i = 0; i < d->comms; i++)
        labels_add_value(g, PRVCUT_TYPE_COMMUNICATOR, d->comm[i].number, d->comm[i].name, NULL);
}

static int labels_by_number(const void *a, const void *b)
{
    const struct prvcut_type_name *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static int labels_by_value(const void *a, const void *b)
{
    const struct value *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->name.value > y->name.value) - (x->name.value < y->name.value);
}

/* Functions of one name are one value; where they are of several sources, it has none. */
static void labels_keep_source(struct prvcut_value_name *kept, const struct prvcut_value_name *same)
{
    const char *file = kept->detail ? kept->detail : "", *other = same->detail ? same->detail : "";

    if (kept->line != same->line || strcmp(file, other) != 0) {
        kept->detail = "";
        kept->line = 0;
    }
}

/* Sorted, each once. */
static enum prvcut_status labels_gather(struct gathered *g, const struct o2_definitions *d)
{
    size_t kept = 0;

    labels_gather_fixed(g, d);
    labels_gather_regions(g, d);
    labels_gather_metrics(g, d);
    if (g->st < 0)
        return g->st;
    qsort(g->type, g->types, sizeof *g->type, labels_by_number);
    for (size_t i = 0; i < g->types; i++)
        if (kept == 0 || g->type[kept - 1].number != g->type[i].number)
            g->type[kept++] = g->type[i];
    g->types = kept;
    qsort(g->value, g->values, sizeof *g->value, labels_by_value);
    kept = 0;
    for (size_t i = 0; i < g->values; i++)
        if (kept == 0 || labels_by_value(&g->value[kept - 1], &g->value[i]) != 0)
            g->value[kept++] = g->value[i];
        else
            labels_keep_source(&g->value[kept - 1].name, &g->value[i].name);
    g->values = kept;
    return PRVCUT_OK;
}

static void labels_gathered_fini(struct gathered *g)
{
    free(g->type);
    free(g->value);
}

enum prvcut_status o2_labels(struct o2_trace *t, struct prvcut_error *err)
{
    struct gathered g = { .err = err };
    enum prvcut_status st = labels_gather(&g, &t->defs);

    t->base.type = prvcut_zeroed(g.types + 1, sizeof *t->base.type, "event types", err);
    t->base.state = prvcut_zeroed(PRVCUT_STATES, sizeof *t->base.state, "event types", err);
    if (st == PRVCUT_OK && (!t->base.type || !t->base.state))
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < g.types && st == PRVCUT_OK; i++)
        t->base.type[t->base.types++] = (struct prvcut_label){ g.type[i].number, g.type[i].role,
                                                               g.type[i].region, g.type[i].text };
    for (uint32_t i = 0; i < PRVCUT_STATES && st == PRVCUT_OK; i++)
        t->base.state[t->base.states++] =
            (struct prvcut_label){ .number = i, .text = prvcut_state_text(i) };
    labels_gathered_fini(&g);
    return st;
}

static const char *labels_copy(struct prvcut_dictionary *out, const char *text,
                               enum prvcut_status *st, struct prvcut_error *err)
{
    const char *at = *st == PRVCUT_OK ? prvcut_dictionary_text(out, text ? text : "", err) : NULL;

    if (!at)
        *st = PRVCUT_ENOMEM;
    return at;
}

/* Doubles are delivered in thousandths: the unit says so. */
static const char *labels_unit_of(const struct o2_definitions *d,
                                  const struct prvcut_type_name *type, char *out, size_t room)
{
    for (size_t i = 0; i < d->members_of; i++)
        if (d->member_of[i].type == type->number &&
            d->member_of[i].value_type == OTF2_TYPE_DOUBLE) {
            snprintf(out, room, "0.001 %.80s", type->unit ? type->unit : "");
            return out;
        }
    return type->unit;
}

static enum prvcut_status labels_describe_types(const struct gathered *g, const struct o2_trace *t,
                                                struct prvcut_dictionary *out,
                                                struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    struct prvcut_value_name *values;
    char unit[128];
    size_t v = 0;

    out->type = prvcut_dictionary_room(out, (g->types + 1) * sizeof *out->type, err);
    values = prvcut_dictionary_room(out, (g->values + 1) * sizeof *values, err);
    if (!out->type || !values)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < g->types && st == PRVCUT_OK; i++) {
        struct prvcut_type_name *to = &out->type[out->types++];

        *to = g->type[i];
        to->text = labels_copy(out, to->text, &st, err);
        to->group = labels_copy(out, to->group, &st, err);
        to->unit =
            labels_copy(out, labels_unit_of(&t->defs, &g->type[i], unit, sizeof unit), &st, err);
        while (v < g->values && g->value[v].type < to->number)
            v++;
        to->value = &values[v];
        for (; v < g->values && g->value[v].type == to->number; v++, to->values++) {
            values[v] = g->value[v].name;
            values[v].text = labels_copy(out, values[v].text, &st, err);
            values[v].detail = labels_copy(out, values[v].detail, &st, err);
        }
    }
    return st;
}

static enum prvcut_status labels_describe_objects(const struct o2_trace *t,
                                                  struct prvcut_dictionary *out,
                                                  struct prvcut_error *err)
{
    const struct o2_definitions *d = &t->defs;
    enum prvcut_status st = PRVCUT_OK;

    out->state = prvcut_dictionary_room(out, PRVCUT_STATES * sizeof *out->state, err);
    out->thread = prvcut_dictionary_room(out, (d->locations + (size_t)1) * sizeof(char *), err);
    out->task = prvcut_dictionary_room(out, (d->processes + (size_t)1) * sizeof(char *), err);
    out->node = prvcut_dictionary_room(out, (d->nodes + (size_t)1) * sizeof(char *), err);
    if (!out->state || !out->thread || !out->task || !out->node)
        return PRVCUT_ENOMEM;
    out->running = PRVCUT_STATE_RUNNING;
    for (uint32_t i = 0; i < PRVCUT_STATES; i++)
        out->state[out->states++] =
            (struct prvcut_state_name){ i, prvcut_state_text(i), prvcut_state_colour(i) };
    for (uint32_t i = 0; i < d->locations; i++)
        out->thread[i] = labels_copy(out, d->location[i].name, &st, err);
    for (uint32_t i = 0; i < d->processes; i++)
        out->task[i] = labels_copy(out, d->process[i].name, &st, err);
    for (uint32_t i = 0; i < d->nodes; i++)
        out->node[i] = labels_copy(out, d->node[i], &st, err);
    return st;
}

enum prvcut_status o2_dictionary(const struct o2_trace *t, struct prvcut_dictionary *out,
                                 struct prvcut_error *err)
{
    struct gathered g = { .err = err };
    enum prvcut_status st;

    if (t->own)
        return o2_own_describe(t, out, err);
    *out = (struct prvcut_dictionary){ 0 };
    st = labels_gather(&g, &t->defs);
    if (st == PRVCUT_OK)
        st = labels_describe_types(&g, t, out, err);
    if (st == PRVCUT_OK)
        st = labels_describe_objects(t, out, err);
    labels_gathered_fini(&g);
    return st;
}

enum prvcut_status o2_describe(struct prvcut_trace *base, struct prvcut_dictionary *out,
                               struct prvcut_error *err)
{
    return o2_dictionary((const struct o2_trace *)base, out, err);
}
