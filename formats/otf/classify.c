#include "otf/otf.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* First value of an MPI call that no table knows. */
#define MADE_UP_FIRST 1001
/* What a call's value can hold. */
#define MADE_UPS_MOST 60000u

/* Programming models by the name of a function's group. */
static const struct {
    const char *group; /* its begin, in any case */
    uint32_t type;
    enum otf_region_kind kind;
    const char *text;
} models[] = {
    { "OMP-SYNC", PRVCUT_TYPE_REGION + 3, OTF_SYNC, "OpenMP" },
    { "OMP_SYNC", PRVCUT_TYPE_REGION + 3, OTF_SYNC, "OpenMP" },
    { "OMP", PRVCUT_TYPE_REGION + 3, OTF_USER, "OpenMP" },
    { "OpenMP", PRVCUT_TYPE_REGION + 3, OTF_USER, "OpenMP" },
    { "CUDA", PRVCUT_TYPE_REGION + 5, OTF_USER, "CUDA" },
    { "PTHREAD", PRVCUT_TYPE_REGION + 7, OTF_USER, "pthread" },
    { "I/O", PRVCUT_TYPE_REGION + 64, OTF_IO, "I/O" },
    { "IO", PRVCUT_TYPE_REGION + 64, OTF_IO, "I/O" },
    { "LIBC-I/O", PRVCUT_TYPE_REGION + 64, OTF_IO, "I/O" },
    { "POSIX I/O", PRVCUT_TYPE_REGION + 64, OTF_IO, "I/O" },
};

#define MODELS (sizeof models / sizeof *models)

static bool class_begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

/* Numbers names per event type, from 1, as they first appear. */
struct values {
    uint32_t type;
    uint32_t *of_word; /* [words] */
    uint32_t count;
};

struct classifier {
    struct otf_trace *trace;
    struct values table[MODELS + 4];
    size_t tables;
    struct values made_up;
};

static enum prvcut_status class_value_in(struct classifier *c, struct values *v, const char *name,
                                         uint32_t *value, struct prvcut_error *err)
{
    size_t word;
    enum prvcut_status st = otf_word(c->trace->words, name, strlen(name), NULL, &word, err);

    if (st < 0)
        return st;
    if (!v->of_word)
        v->of_word =
            prvcut_zeroed(otf_words_count(c->trace->words) + 1, sizeof *v->of_word, "names", err);
    if (!v->of_word)
        return PRVCUT_ENOMEM;
    if (v->of_word[word] == 0)
        v->of_word[word] = ++v->count;
    *value = v->of_word[word];
    return PRVCUT_OK;
}

static enum prvcut_status class_value_of(struct classifier *c, uint32_t type, const char *name,
                                         int64_t *value, struct prvcut_error *err)
{
    size_t i = 0;
    uint32_t v = 0;
    enum prvcut_status st;

    while (i < c->tables && c->table[i].type != type)
        i++;
    if (i == c->tables)
        c->table[c->tables++].type = type;
    st = class_value_in(c, &c->table[i], name, &v, err);
    *value = v;
    return st;
}

static enum prvcut_status class_make_call(struct classifier *c, struct otf_region *r,
                                          const struct prvcut_mpi_call *call,
                                          struct prvcut_error *err)
{
    struct otf_trace *t = c->trace;
    uint32_t v = 0;
    enum prvcut_status st = PRVCUT_OK;

    r->kind = OTF_MPI;
    r->call = call;
    if (call->value == 0) {
        st = class_value_in(c, &c->made_up, r->name, &v, err);
        if (st == PRVCUT_OK && v > MADE_UPS_MOST)
            st = prvcut_fail(err, PRVCUT_ELIMIT,
                             "%s: more than %u MPI calls that are not known by name",
                             t->definitions, MADE_UPS_MOST);
        if (st < 0)
            return st;
        t->made_up[v - 1] = *call;
        t->made_up[v - 1].value = (uint16_t)(MADE_UP_FIRST + v - 1);
        t->made_ups = c->made_up.count;
        r->call = &t->made_up[v - 1];
    }
    r->type = r->call->type;
    r->value = r->call->value;
    r->role = r->call->role;
    r->state = r->call->state;
    return st;
}

static bool class_is_off(const char *name)
{
    const size_t count = strlen(name);

    return count >= 3 && strcasecmp(name + count - 3, "off") == 0;
}

/* The measurement's own functions. */
static bool class_is_measurement(struct otf_region *r, const char *group)
{
    const bool own = class_begins(group, "VT_API");

    if (strcmp(r->name, "TRACE BUFFER FLUSH") == 0 || (own && class_begins(r->name, "flush"))) {
        r->kind = OTF_FLUSH;
        r->role = PRVCUT_ROLE_FLUSH;
        r->type = PRVCUT_TYPE_FLUSH;
        r->value = 1;
        r->state = PRVCUT_STATE_OTHERS;
        return true;
    }
    if (strcmp(r->name, "MEASUREMENT OFF") == 0 || (own && class_is_off(r->name))) {
        r->kind = OTF_OFF;
        r->role = PRVCUT_ROLE_TRACING;
        r->type = PRVCUT_TYPE_TRACING;
        r->state = PRVCUT_STATE_TRACING_DISABLED;
        return true;
    }
    return false;
}

static enum prvcut_status classify_plain(struct classifier *c, struct otf_region *r,
                                         const char *group, struct prvcut_error *err)
{
    const enum prvcut_name_kind kind = prvcut_name_kind(r->name);

    r->type = PRVCUT_TYPE_USER_FUNCTION;
    r->role = PRVCUT_ROLE_REGION;
    r->kind = kind == PRVCUT_NAME_IO ? OTF_IO : kind == PRVCUT_NAME_SYNC ? OTF_SYNC : OTF_USER;
    for (size_t i = 0; i < MODELS; i++)
        if (class_begins(group, models[i].group)) {
            r->type = models[i].type;
            if (models[i].kind != OTF_USER)
                r->kind = models[i].kind;
            break;
        }
    /* Synchronising clocks and gathering statistics are the measurement's own waiting. */
    if (class_begins(group, "VT_API") &&
        (class_begins(r->name, "sync") || class_begins(r->name, "stat")))
        r->kind = OTF_SYNC;
    r->state = r->kind == OTF_IO     ? PRVCUT_STATE_IO
               : r->kind == OTF_SYNC ? PRVCUT_STATE_SYNCHRONIZATION
                                     : PRVCUT_STATE_RUNNING;
    return class_value_of(c, r->type, r->name, &r->value, err);
}

static enum prvcut_status classify_region(struct classifier *c, struct otf_region *r,
                                          struct prvcut_error *err)
{
    const char *group = otf_word_text(c->trace->words, r->group);
    /* EZTrace's names of states. */
    const char *name = strncmp(r->name, "STV_", 4) == 0 ? r->name + 4 : r->name;
    struct prvcut_mpi_call made_up;
    const struct prvcut_mpi_call *call =
        prvcut_mpi_call_of(name, class_begins(group, "MPI") || c->trace->gtg ? &made_up : NULL);

    if (call)
        return class_make_call(c, r, call, err);
    if (class_is_measurement(r, group))
        return PRVCUT_OK;
    return classify_plain(c, r, group, err);
}

static enum prvcut_status class_nest_calls(struct classifier *c, struct otf_names *n,
                                           struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < n->regions && st == PRVCUT_OK; i++)
        if (n->region[i].kind == OTF_MPI)
            st = class_value_of(c, PRVCUT_TYPE_USER_FUNCTION, n->region[i].name,
                                &n->region[i].nested, err);
    return st;
}

static enum prvcut_status classify_counters(struct classifier *c, struct otf_names *n,
                                            struct prvcut_error *err)
{
    for (size_t i = 0; i < n->counters; i++) {
        struct otf_counter *k = &n->counter[i];
        uint32_t preset;
        int64_t v = 0;
        enum prvcut_status st;

        k->number = c->trace->counters++;
        k->gauge = k->gauge || c->trace->gtg;
        k->point = k->point && !c->trace->gtg;
        k->role = PRVCUT_ROLE_OTHER;
        if (!k->gauge && prvcut_papi_preset(k->name, &preset, &k->role)) {
            k->type = PRVCUT_TYPE_PAPI + preset;
            continue;
        }
        if (k->gauge && prvcut_mark_kind_named(k->name)) {
            k->type = prvcut_mark_kind_named(k->name)->type;
            continue;
        }
        k->type = k->gauge ? PRVCUT_TYPE_GAUGE : PRVCUT_TYPE_COUNTER;
        k->role = k->gauge ? PRVCUT_ROLE_OTHER : PRVCUT_ROLE_COUNTER;
        st = class_value_of(c, k->type, k->name, &v, err);
        if (st < 0)
            return st;
        k->type += (uint32_t)(v - 1);
    }
    return PRVCUT_OK;
}

/* What a type is called. */
static const char *class_type_text(uint32_t type)
{
    static const struct {
        uint32_t type;
        const char *text;
    } known[] = { { PRVCUT_TYPE_FLUSH, "Flushing Traces" },
                  { PRVCUT_TYPE_TRACING, "Tracing" },
                  { PRVCUT_TYPE_MPI_P2P, "MPI Point-to-point" },
                  { PRVCUT_TYPE_MPI_COLLECTIVE, "MPI Collective Comm" },
                  { PRVCUT_TYPE_MPI_OTHER, "MPI Other" },
                  { PRVCUT_TYPE_MPI_RMA, "MPI One-sided" },
                  { PRVCUT_TYPE_MPI_IO, "MPI I/O" },
                  { PRVCUT_TYPE_SIZE_SENT, "Send Size in MPI Global OP" },
                  { PRVCUT_TYPE_SIZE_RECEIVED, "Recv Size in MPI Global OP" },
                  { PRVCUT_TYPE_ROOT, "Root in MPI Global OP" },
                  { PRVCUT_TYPE_COMMUNICATOR, "Communicator in MPI Global OP" },
                  { PRVCUT_TYPE_USER_FUNCTION, "User function" },
                  { PRVCUT_TYPE_CALLER_LINE, "Caller line at level 1" } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type == type)
            return known[i].text;
    for (size_t i = 0; i < MODELS; i++)
        if (models[i].type == type)
            return models[i].text;
    return "";
}

struct labels {
    struct prvcut_label *at;
    size_t count, room;
};

static enum prvcut_status class_add_label(struct labels *l, struct prvcut_label label,
                                          struct prvcut_error *err)
{
    void *at = l->at;
    enum prvcut_status st;

    for (size_t i = 0; i < l->count; i++)
        if (l->at[i].number == label.number)
            return PRVCUT_OK;
    st = prvcut_grow(&at, &l->room, l->count + 1, sizeof *l->at, err);
    l->at = at;
    if (st == PRVCUT_OK)
        l->at[l->count++] = label;
    return st;
}

static enum prvcut_status class_label_names(struct labels *l, const struct otf_names *n,
                                            struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool calls = false;

    for (size_t i = 0; i < n->regions && st == PRVCUT_OK; i++) {
        const struct otf_region *r = &n->region[i];

        calls = calls || r->kind == OTF_MPI;
        st = class_add_label(
            l, (struct prvcut_label){ r->type, r->role, true, class_type_text(r->type) }, err);
    }
    if (calls && st == PRVCUT_OK)
        st = class_add_label(l,
                             (struct prvcut_label){ PRVCUT_TYPE_USER_FUNCTION, PRVCUT_ROLE_REGION,
                                                    true,
                                                    class_type_text(PRVCUT_TYPE_USER_FUNCTION) },
                             err);
    for (size_t i = 0; i < n->counters && st == PRVCUT_OK; i++) {
        const struct otf_counter *k = &n->counter[i];

        st = class_add_label(l, (struct prvcut_label){ k->type, k->role, false, k->name }, err);
    }
    return st;
}

static int class_by_number(const void *a, const void *b)
{
    const struct prvcut_label *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static enum prvcut_status class_label_types(struct otf_trace *t, struct labels *l,
                                            struct prvcut_error *err)
{
    static const struct {
        uint32_t type;
        enum prvcut_role role;
    } data[] = { { PRVCUT_TYPE_SIZE_SENT, PRVCUT_ROLE_SIZE },
                 { PRVCUT_TYPE_SIZE_RECEIVED, PRVCUT_ROLE_SIZE },
                 { PRVCUT_TYPE_ROOT, PRVCUT_ROLE_ROOT },
                 { PRVCUT_TYPE_COMMUNICATOR, PRVCUT_ROLE_COMMUNICATOR } };
    enum prvcut_status st = class_label_names(l, &t->names, err);

    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++)
        if (t->stream[i].names)
            st = class_label_names(l, t->stream[i].names, err);
    for (size_t i = 0; t->operations && i < sizeof data / sizeof *data && st == PRVCUT_OK; i++)
        st = class_add_label(l,
                             (struct prvcut_label){ data[i].type, data[i].role, false,
                                                    class_type_text(data[i].type) },
                             err);
    if (t->sites && st == PRVCUT_OK)
        st = class_add_label(l,
                             (struct prvcut_label){ PRVCUT_TYPE_CALLER_LINE,
                                                    PRVCUT_ROLE_CALLER_LINE, false,
                                                    class_type_text(PRVCUT_TYPE_CALLER_LINE) },
                             err);
    if (l->count > 0)
        qsort(l->at, l->count, sizeof *l->at, class_by_number);
    t->base.type = l->at;
    t->base.types = l->count;
    return st;
}

static enum prvcut_status class_label_states(struct otf_trace *t, struct prvcut_error *err)
{
    t->base.state = prvcut_zeroed(PRVCUT_STATES, sizeof *t->base.state, "states", err);
    if (!t->base.state)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < PRVCUT_STATES; i++)
        t->base.state[t->base.states++] =
            (struct prvcut_label){ .number = i, .text = prvcut_state_text(i) };
    return PRVCUT_OK;
}

static enum prvcut_status classify_all(struct classifier *c, struct prvcut_error *err)
{
    struct otf_trace *t = c->trace;
    struct otf_names *n = &t->names;
    size_t regions = 0;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i <= t->streams; i++) {
        n = i == 0 ? &t->names : t->stream[i - 1].names;
        if (n) {
            regions += n->regions;
            t->operations = t->operations || n->operations > 0;
            t->sites = t->sites || n->sites > 0;
        }
    }
    t->made_up = prvcut_zeroed(regions + 1, sizeof *t->made_up, "functions", err);
    if (!t->made_up)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i <= t->streams && st == PRVCUT_OK; i++) {
        n = i == 0 ? &t->names : t->stream[i - 1].names;
        for (size_t k = 0; n && k < n->regions && st == PRVCUT_OK; k++)
            st = classify_region(c, &n->region[k], err);
    }
    for (uint32_t i = 0; i <= t->streams && st == PRVCUT_OK; i++) {
        n = i == 0 ? &t->names : t->stream[i - 1].names;
        if (n)
            st = class_nest_calls(c, n, err);
        if (n && st == PRVCUT_OK)
            st = classify_counters(c, n, err);
    }
    return st;
}

enum prvcut_status otf_classify(struct otf_trace *t, struct prvcut_error *err)
{
    struct classifier c = { .trace = t };
    struct labels l = { 0 };
    enum prvcut_status st = classify_all(&c, err);

    if (st == PRVCUT_OK)
        st = class_label_types(t, &l, err);
    if (st == PRVCUT_OK)
        st = class_label_states(t, err);
    for (size_t i = 0; i < c.tables; i++)
        free(c.table[i].of_word);
    free(c.made_up.of_word);
    return st;
}

/* All tables have their id first. */
static const void *class_search(const void *at, size_t count, size_t size, uint64_t id)
{
    return prvcut_find_u32(at, count, size, 0, id);
}

const struct otf_region *otf_region_search(const struct otf_names *n, uint64_t id)
{
    return class_search(n->region, n->regions, sizeof *n->region, id);
}

const struct otf_counter *otf_counter_of(const struct otf_trace *t, const struct otf_stream *s,
                                         uint64_t id)
{
    const struct otf_names *own = s->names;
    const struct otf_counter *k =
        own ? class_search(own->counter, own->counters, sizeof *own->counter, id) : NULL;

    return k ? k : class_search(t->names.counter, t->names.counters, sizeof *t->names.counter, id);
}

const struct otf_operation *otf_operation_of(const struct otf_trace *t, const struct otf_stream *s,
                                             uint64_t id)
{
    const struct otf_names *own = s->names, *n = &t->names;
    const struct otf_operation *o =
        own ? class_search(own->operation, own->operations, sizeof *own->operation, id) : NULL;

    return o ? o : class_search(n->operation, n->operations, sizeof *n->operation, id);
}

const char *otf_site_file(const struct otf_names *n, uint32_t file)
{
    const struct otf_site_file *f =
        class_search(n->site_file, n->site_files, sizeof *n->site_file, file);

    return f ? f->name : "";
}

bool otf_flow_of(const struct otf_operation *o, enum prvcut_clock_flow *flow)
{
    const struct prvcut_mpi_call *call = o ? prvcut_mpi_call_of(o->name, NULL) : NULL;

    if (!o)
        return false;
    /* A prefix sum is called all to all, but its processes wait for some only. */
    if (call)
        *flow = call->flow;
    else
        *flow = o->type == 1 || o->type == 4 ? PRVCUT_CLOCK_ALL
                : o->type == 2               ? PRVCUT_CLOCK_FROM_ROOT
                : o->type == 3               ? PRVCUT_CLOCK_TO_ROOT
                                             : PRVCUT_CLOCK_NONE;
    return *flow != PRVCUT_CLOCK_NONE;
}
