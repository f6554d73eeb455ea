#include "prvcut/objects.h"

#include "api/objects.h"
#include "model/trace.h"

#define NONE UINT32_MAX

uint32_t prvcut_trace_nodes(const struct prvcut_trace *trace)
{
    return trace->objects.nodes;
}

uint32_t prvcut_trace_node_cpus(const struct prvcut_trace *trace, uint32_t node)
{
    const struct prvcut_objects *o = &trace->objects;

    return node < o->nodes && o->node_cpus ? o->node_cpus[node] : NONE;
}

uint32_t prvcut_trace_node_of(const struct prvcut_trace *trace, uint32_t task)
{
    const struct prvcut_objects *o = &trace->objects;

    return task < o->tasks && o->task_node ? o->task_node[task] : NONE;
}

uint32_t prvcut_trace_application_of(const struct prvcut_trace *trace, uint32_t task)
{
    return task < trace->objects.tasks ? prvcut_objects_application(&trace->objects, task) : NONE;
}

uint32_t prvcut_trace_first_thread(const struct prvcut_trace *trace, uint32_t task)
{
    return task <= trace->objects.tasks ? trace->objects.task_first_thread[task] : NONE;
}

uint32_t prvcut_trace_communicators(const struct prvcut_trace *trace)
{
    return trace->objects.communicators;
}

static const struct prvcut_communicator *objects_communicator(const struct prvcut_trace *trace,
                                                              uint32_t i)
{
    return i < trace->objects.communicators ? &trace->objects.communicator[i] : NULL;
}

uint32_t prvcut_trace_communicator_find(const struct prvcut_trace *trace, uint32_t application,
                                        uint32_t id)
{
    const struct prvcut_communicator *c =
        prvcut_objects_communicator(&trace->objects, application, id);

    return c ? (uint32_t)(c - trace->objects.communicator) : NONE;
}

uint32_t prvcut_trace_communicator_id(const struct prvcut_trace *trace, uint32_t communicator)
{
    const struct prvcut_communicator *c = objects_communicator(trace, communicator);

    return c ? c->id : NONE;
}

uint32_t prvcut_trace_communicator_application(const struct prvcut_trace *trace,
                                               uint32_t communicator)
{
    const struct prvcut_communicator *c = objects_communicator(trace, communicator);

    return c ? c->application : NONE;
}

uint32_t prvcut_trace_communicator_size(const struct prvcut_trace *trace, uint32_t communicator)
{
    const struct prvcut_communicator *c = objects_communicator(trace, communicator);

    return c ? c->count : NONE;
}

uint32_t prvcut_trace_communicator_task(const struct prvcut_trace *trace, uint32_t communicator,
                                        uint32_t rank)
{
    const struct prvcut_communicator *c = objects_communicator(trace, communicator);

    return c && rank < c->count ? trace->objects.member[c->first + rank] : NONE;
}

const char *prvcut_names_thread(const struct prvcut_names *names, uint32_t thread)
{
    const struct prvcut_dictionary *d = &names->dictionary;

    return d->thread && thread < names->threads ? d->thread[thread] : NULL;
}

const char *prvcut_names_task(const struct prvcut_names *names, uint32_t task)
{
    const struct prvcut_dictionary *d = &names->dictionary;

    return d->task && task < names->tasks ? d->task[task] : NULL;
}

const char *prvcut_names_node(const struct prvcut_names *names, uint32_t node)
{
    const struct prvcut_dictionary *d = &names->dictionary;

    return d->node && node < names->nodes ? d->node[node] : NULL;
}

size_t prvcut_names_types(const struct prvcut_names *names)
{
    return names->dictionary.types;
}

uint32_t prvcut_names_type_number(const struct prvcut_names *names, size_t i)
{
    return i < names->dictionary.types ? names->dictionary.type[i].number : NONE;
}

enum prvcut_role prvcut_names_role(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t ? t->role : PRVCUT_ROLE_OTHER;
}

bool prvcut_names_is_region(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t && t->region;
}

const char *prvcut_names_group(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t ? t->group : NULL;
}

const char *prvcut_names_unit(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t ? t->unit : NULL;
}

size_t prvcut_names_values(const struct prvcut_names *names, uint32_t type)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t ? t->values : 0;
}

int64_t prvcut_names_value_number(const struct prvcut_names *names, uint32_t type, size_t i)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);

    return t && i < t->values ? t->value[i].value : 0;
}

const char *prvcut_names_source(const struct prvcut_names *names, uint32_t type, int64_t value,
                                uint32_t *line)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&names->dictionary, type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, value) : NULL;

    if (line)
        *line = v ? v->line : 0;
    return v && v->detail && v->detail[0] ? v->detail : NULL;
}
