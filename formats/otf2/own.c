#include "otf2/own_read.h"

#include "base/memory.h"
#include "base/search.h"
#include "model/roles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static OTF2_CallbackCode own_done(const struct o2_own_reading *r)
{
    return r->status < 0 ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* The clock as it was written: what the events' times suggest is no better. */
static OTF2_CallbackCode own_on_clock(void *user, uint64_t resolution, uint64_t offset,
                                      uint64_t length, uint64_t realtime)
{
    struct o2_own_reading *r = user;

    (void)resolution, (void)realtime;
    r->trace->defs.offset = offset;
    r->trace->base.end_ns = length;
    r->trace->base.end_told = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode own_on_string(void *user, OTF2_StringRef self, const char *text)
{
    struct o2_own_reading *r = user;
    const char **slot;

    if (!text)
        return OTF2_CALLBACK_SUCCESS;
    if (strncmp(text, O2_OWN_PREFIX, strlen(O2_OWN_PREFIX)) == 0) {
        o2_own_take(r, text);
        return own_done(r);
    }
    slot = o2_own_more(r, &r->text, &r->texts, &r->text_room, sizeof *slot);
    if (slot) {
        *slot = o2_own_copy(r, text);
        if (r->status == PRVCUT_OK)
            r->status = o2_ids_put(&r->text_at, self, r->texts - 1, r->err);
    }
    return own_done(r);
}

static const char *own_text_of(const struct o2_own_reading *r, OTF2_StringRef id)
{
    const uint32_t at = o2_ids_get(&r->text_at, id);

    return at == O2_NOWHERE ? "" : r->text[at];
}

/* "Paraver TYPE:VALUE" */
static bool own_parse_region(const struct o2_own_reading *r, const char *text,
                             struct o2_own_region *out)
{
    unsigned long type;
    char *end;

    if (strncmp(text, O2_OWN_REGION, strlen(O2_OWN_REGION)) != 0)
        return false;
    text += strlen(O2_OWN_REGION);
    type = strtoul(text, &end, 10);
    if (end == text || *end != ':' || type > UINT32_MAX)
        return false;
    out->type = o2_ids_get(&r->own->by_number, type);
    out->value = strtoll(end + 1, &end, 10);
    return *end == '\0' && out->type != O2_NOWHERE;
}

static OTF2_CallbackCode own_on_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                       OTF2_StringRef canonical, OTF2_StringRef description,
                                       OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                       OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
                                       uint32_t end)
{
    struct o2_own_reading *r = user;
    struct o2_own_region region = { .id = self }, *slot;

    (void)name, (void)canonical, (void)role, (void)paradigm, (void)flags, (void)file, (void)begin,
        (void)end;
    if (!own_parse_region(r, own_text_of(r, description), &region))
        return OTF2_CALLBACK_SUCCESS;
    slot = o2_own_more(r, &r->own->region, &r->own->regions, &r->own->region_room, sizeof *slot);
    if (slot)
        *slot = region;
    return own_done(r);
}

static OTF2_CallbackCode own_on_node(void *user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                                     OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent)
{
    struct o2_own_reading *r = user;

    (void)kind, (void)parent;
    /* Node n has the id n + 1; 0 is the machine. */
    while (r->own->node_names < self && self <= PRVCUT_THREADS_MAX && r->status == PRVCUT_OK) {
        const char **slot = o2_own_more(r, &r->own->node, &r->own->node_names,
                                        &r->own->node_name_room, sizeof *slot);

        if (slot)
            *slot = NULL;
    }
    if (self > 0 && self <= r->own->node_names && r->status == PRVCUT_OK)
        r->own->node[self - 1] = own_text_of(r, name);
    return own_done(r);
}

static OTF2_CallbackCode own_on_group(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                      OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                      OTF2_LocationGroupRef creator)
{
    struct o2_own_reading *r = user;

    (void)name, (void)type, (void)creator;
    while (r->own->groups <= self && self <= PRVCUT_THREADS_MAX && r->status == PRVCUT_OK) {
        uint32_t *slot =
            o2_own_more(r, &r->own->task_node, &r->own->groups, &r->own->group_room, sizeof *slot);

        if (slot)
            *slot = UINT32_MAX;
    }
    if (self < r->own->groups && parent > 0 && parent != OTF2_UNDEFINED_SYSTEM_TREE_NODE)
        r->own->task_node[self] = parent - 1;
    return own_done(r);
}

static int own_by_region(const void *a, const void *b)
{
    const struct o2_own_region *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int own_by_labels(const void *a, const void *b)
{
    const struct o2_own_labels *x = a, *y = b;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->base > y->base) - (x->base < y->base);
}

static int own_by_comm(const void *a, const void *b)
{
    const struct o2_own_comm *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

const struct o2_own_region *o2_own_region_of(const struct o2_own *own, OTF2_RegionRef id)
{
    /* Regions are numbered from 0 on, unless the archive has been cut. */
    if (id < own->regions && own->region[id].id == id)
        return &own->region[id];
    return prvcut_find_u32(own->region, own->regions, sizeof *own->region,
                           offsetof(struct o2_own_region, id), id);
}

struct text_wanted {
    const struct o2_own *own;
    OTF2_StringRef text;
};

static bool own_is_behind(const void *ctx, size_t i)
{
    const struct text_wanted *w = ctx;

    return w->own->labels[i].base > w->text;
}

bool o2_own_value_of(const struct o2_own *own, uint32_t type, OTF2_StringRef text, int64_t *value)
{
    /* The last set of the type that begins at or before the text. */
    const size_t first = own->labels_of[type];
    const size_t behind = prvcut_first(first, own->labels_of[type + 1], own_is_behind,
                                       &(struct text_wanted){ own, text });
    const struct o2_own_labels *l = behind > first ? &own->labels[behind - 1] : NULL;

    if (!l || text - l->base >= l->count)
        return false;
    *value = own->value[l->first + (text - l->base)];
    return true;
}

/* Where the sets of each type begin, once they are in order. */
static enum prvcut_status own_find_labels(struct o2_own_reading *r)
{
    struct o2_own *own = r->own;
    size_t at = 0;

    own->labels_of = prvcut_unset(r->types + 1, sizeof *own->labels_of, "types", r->err);
    if (!own->labels_of)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i <= r->types; i++) {
        while (at < own->label_sets && own->labels[at].type < i)
            at++;
        own->labels_of[i] = at;
    }
    return PRVCUT_OK;
}

/* Gives the types their labels; those of one type follow each other. */
static enum prvcut_status own_join_labels(struct o2_own_reading *r)
{
    struct o2_own *own = r->own;
    struct prvcut_value_name *value;
    size_t all = 0;

    for (size_t i = 0; i < own->label_sets; i++)
        all += own->labels[i].count;
    value = prvcut_dictionary_room(&own->dictionary, (all + 1) * sizeof *value, r->err);
    if (!value)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < own->label_sets; i++) {
        const struct o2_own_labels *l = &own->labels[i];
        struct prvcut_type_name *t = &r->type[l->type];

        if (t->values == 0)
            t->value = value;
        for (uint32_t k = 0; k < l->count; k++)
            *value++ = (struct prvcut_value_name){ own->value[l->first + k],
                                                   own_text_of(r, l->base + k), "", 0 };
        t->values += l->count;
    }
    return PRVCUT_OK;
}

/* Numbers of types beyond the first ones need not ascend in the strings. */
static int own_by_type(const void *a, const void *b)
{
    const struct prvcut_type_name *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static int own_by_state(const void *a, const void *b)
{
    const struct prvcut_state_name *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* An archive may have none of a kind: then there is no table, either. */
static void own_sort(void *table, size_t count, size_t size, int (*by)(const void *, const void *))
{
    if (count > 0)
        qsort(table, count, size, by);
}

/* The order of the types in own->dictionary stays that of the strings: ids refer to it. */
static enum prvcut_status own_settle(struct o2_own_reading *r)
{
    struct o2_own *own = r->own;
    struct prvcut_dictionary *d = &own->dictionary;
    enum prvcut_status st;

    own_sort(own->region, own->regions, sizeof *own->region, own_by_region);
    own_sort(own->labels, own->label_sets, sizeof *own->labels, own_by_labels);
    own_sort(own->comm, own->comms, sizeof *own->comm, own_by_comm);
    st = own_find_labels(r);
    if (st == PRVCUT_OK)
        st = own_join_labels(r);
    if (st < 0)
        return st;
    d->type = prvcut_dictionary_room(d, (r->types + 1) * sizeof *d->type, r->err);
    d->state = prvcut_dictionary_room(d, (r->states + 1) * sizeof *d->state, r->err);
    if (!d->type || !d->state)
        return PRVCUT_ENOMEM;
    if (r->types > 0)
        memcpy(d->type, r->type, r->types * sizeof *d->type);
    if (r->states > 0)
        memcpy(d->state, r->state, r->states * sizeof *d->state);
    d->types = r->types;
    d->states = r->states;
    own_sort(d->state, d->states, sizeof *d->state, own_by_state);
    return PRVCUT_OK;
}

static enum prvcut_status own_read_strings(struct o2_own_reading *r, OTF2_Reader *reader)
{
    OTF2_GlobalDefReader *g = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_ErrorCode code;
    uint64_t count;

    if (!g || !c) {
        OTF2_GlobalDefReaderCallbacks_Delete(c);
        return o2_fail_file(r->trace->base.path, OTF2_ERROR_INVALID, r->err);
    }
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, own_on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, own_on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, own_on_region);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, own_on_node);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, own_on_group);
    code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, g, c, r);
    OTF2_GlobalDefReaderCallbacks_Delete(c);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, g, &count);
    if (r->status < 0)
        return r->status;
    if (code != OTF2_SUCCESS)
        return o2_fail_file(r->trace->base.path, code, r->err);
    OTF2_Reader_CloseGlobalDefReader(reader, g);
    return own_settle(r);
}

/* Tasks of each application; where the list does not fit the tasks it is of another trace. */
static enum prvcut_status own_correct_applications(struct o2_trace *t, const struct o2_own *own,
                                                   struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    uint64_t tasks = 0;
    uint32_t *first;

    for (size_t i = 0; i < own->applications; i++)
        tasks += own->application[i];
    if (tasks != o->tasks)
        return PRVCUT_OK;
    first = prvcut_zeroed(own->applications + 1, sizeof *first, "applications", err);
    if (!first)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < own->applications; i++)
        first[i + 1] = first[i] + own->application[i];
    free(o->application_first_task);
    o->application_first_task = first;
    o->applications = (uint32_t)own->applications;
    return PRVCUT_OK;
}

/* All nodes with their processors, also those without a task. */
static enum prvcut_status own_correct_nodes(struct o2_trace *t, const struct o2_own *own,
                                            struct prvcut_error *err)
{
    struct prvcut_objects *o = &t->base.objects;
    struct o2_definitions *d = &t->defs;
    const size_t nodes = own->nodes > 0 ? own->nodes : 1;
    const char **node = prvcut_zeroed(nodes, sizeof *node, "nodes", err);
    uint32_t *cpus = prvcut_zeroed(nodes, sizeof *cpus, "nodes", err);

    if (!node || !cpus) {
        free(node);
        free(cpus);
        return PRVCUT_ENOMEM;
    }
    o->cpus = 0;
    for (size_t i = 0; i < own->nodes; i++) {
        cpus[i] = own->cpus[i];
        o->cpus += cpus[i];
        node[i] = i < own->node_names && own->node[i] ? own->node[i] : "";
    }
    free(o->node_cpus);
    free(d->node);
    o->node_cpus = cpus;
    d->node = node;
    o->nodes = d->nodes = (uint32_t)own->nodes;
    for (uint32_t i = 0; i < o->tasks; i++) {
        const uint32_t group = d->process[i].id;
        const uint32_t at = group < own->groups ? own->task_node[group] : UINT32_MAX;

        o->task_node[i] = at < own->nodes ? at : own->nodes > 0 ? 0 : UINT32_MAX;
    }
    return PRVCUT_OK;
}

/* Communicators get their numbers back; those that were made up for the archive go. */
static void own_correct_comms(struct o2_trace *t, const struct o2_own *own)
{
    struct prvcut_objects *o = &t->base.objects;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < o->communicators && i < t->defs.comms; i++) {
        struct o2_comm *c = &t->defs.comm[i];
        const struct o2_own_comm *mine = prvcut_find_u32(own->comm, own->comms, sizeof *own->comm,
                                                         offsetof(struct o2_own_comm, id), c->id);

        c->number = mine ? mine->number : PRVCUT_NOBODY;
        if (!mine || mine->application >= o->applications)
            continue;
        o->communicator[kept] = o->communicator[i];
        o->communicator[kept].id = mine->number;
        o->communicator[kept++].application = mine->application;
    }
    o->communicators = kept;
}

static enum prvcut_status own_correct_labels(struct o2_trace *t, const struct o2_own *own,
                                             struct prvcut_error *err)
{
    const struct prvcut_dictionary *d = &own->dictionary;
    struct prvcut_type_name *sorted =
        prvcut_zeroed(d->types + 1, sizeof *sorted, "event types", err);

    t->base.type = prvcut_zeroed(d->types + 1, sizeof *t->base.type, "event types", err);
    t->base.state = prvcut_zeroed(d->states + 1, sizeof *t->base.state, "event types", err);
    if (!sorted || !t->base.type || !t->base.state) {
        free(sorted);
        return PRVCUT_ENOMEM;
    }
    memcpy(sorted, d->type, d->types * sizeof *sorted);
    own_sort(sorted, d->types, sizeof *sorted, own_by_type);
    for (size_t i = 0; i < d->types; i++)
        t->base.type[t->base.types++] = (struct prvcut_label){ sorted[i].number, sorted[i].role,
                                                               sorted[i].region, sorted[i].text };
    t->base.states_recorded = d->states > 0;
    t->base.from_model = true;
    for (size_t i = 0; i < d->states; i++)
        t->base.state[t->base.states++] =
            (struct prvcut_label){ .number = d->state[i].number, .text = d->state[i].text };
    free(sorted);
    return PRVCUT_OK;
}

/* Has a property of the archive this value? */
static enum prvcut_status own_says(bool *says, OTF2_Reader *reader, const char *name,
                                   const char *wanted, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    char *value = NULL;
    OTF2_ErrorCode code;

    o2_library_clear();
    code = OTF2_Reader_GetProperty(reader, name, &value);
    *says = code == OTF2_SUCCESS && value && strcmp(value, wanted) == 0;
    /* It is there, but not its value: that one found no room. */
    if (!value && code != OTF2_ERROR_PROPERTY_NOT_FOUND)
        st = prvcut_no_memory(err, "a property");
    free(value);
    o2_library_clear();
    return st;
}

static enum prvcut_status own_read_own(struct o2_trace *t, OTF2_Reader *reader,
                                       struct prvcut_error *err)
{
    struct o2_own_reading r = { .trace = t,
                                .err = err,
                                .own = prvcut_zeroed(1, sizeof *r.own, "definitions", err) };
    enum prvcut_status st;

    if (!r.own)
        return PRVCUT_ENOMEM;
    t->own = r.own;
    r.own->overlap = r.own->tracing = UINT32_MAX;
    r.own->dictionary.running = PRVCUT_STATE_RUNNING;
    st = own_read_strings(&r, reader);
    free(r.type);
    free(r.state);
    free(r.text);
    o2_ids_fini(&r.text_at);
    if (st == PRVCUT_OK)
        st = own_correct_applications(t, r.own, err);
    if (st == PRVCUT_OK)
        st = own_correct_nodes(t, r.own, err);
    if (st == PRVCUT_OK)
        st = own_correct_labels(t, r.own, err);
    if (st == PRVCUT_OK)
        own_correct_comms(t, r.own);
    return st;
}

enum prvcut_status o2_own_read(struct o2_trace *t, struct prvcut_error *err)
{
    OTF2_Reader *reader;
    enum prvcut_status st = o2_reader_open(&reader, t, err);
    bool own = false, nest = true;

    if (st == PRVCUT_OK)
        st = o2_span_told(t, reader, err);
    if (st == PRVCUT_OK)
        st = own_says(&own, reader, O2_OWN_PROPERTY, O2_OWN_VERSION, err);
    if (st == PRVCUT_OK && own)
        st = own_says(&nest, reader, O2_OWN_CALLS, O2_OWN_NEST, err);
    t->base.calls_flat = own && !nest;
    if (st == PRVCUT_OK && own)
        st = own_read_own(t, reader, err);
    o2_reader_close(reader);
    return st;
}

void o2_own_free(struct o2_own *own)
{
    if (!own)
        return;
    prvcut_dictionary_fini(&own->dictionary);
    o2_ids_fini(&own->metric);
    o2_ids_fini(&own->parameter);
    o2_ids_fini(&own->attribute);
    o2_ids_fini(&own->by_number);
    free(own->region);
    free(own->labels);
    free(own->labels_of);
    free(own->value);
    free(own->comm);
    free(own->application);
    free(own->cpus);
    free(own->node);
    free(own->task_node);
    free(own);
}

uint32_t o2_own_attribute(const struct o2_own *own, OTF2_AttributeRef id)
{
    const uint32_t at = o2_ids_get(&own->attribute, id);

    return at != O2_NOWHERE ? own->dictionary.type[at / O2_NEEDS].number : 0;
}
