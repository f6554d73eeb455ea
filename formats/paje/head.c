#include "paje/paje.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void paje_print_record(struct paje_writing *w, enum paje_event kind, uint64_t time)
{
    prvcut_print_u64(&w->view.out, (uint64_t)kind);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_decimal(&w->view.out, time, 9);
}

void paje_print_quoted(struct paje_writing *w, const char *text)
{
    prvcut_print_text(&w->view.out, " \"");
    while (*text) {
        const size_t plain = strcspn(text, "\"\\\a\b\t\n\v\f\r\x1b");

        prvcut_print_bytes(&w->view.out, text, plain);
        text += plain;
        /* The format knows no escapes. */
        if (*text)
            prvcut_print_text(&w->view.out, *text == '"' ? "'" : *text == '\\' ? "/" : " ");
        text += *text != '\0';
    }
    prvcut_print_text(&w->view.out, "\"");
}

struct kind {
    enum paje_event number;
    const char *name;
    const char *fields; /* "Field type" each, ended by a semicolon */
};

/* Colours are text, as the tools around ViTE write them, and 'Type' is what Paje calls it today. */
static const struct kind kinds[] = {
    { PAJE_CONTAINER_TYPE, "DefineContainerType", "Name string;Type string;Alias string;" },
    { PAJE_STATE_TYPE, "DefineStateType", "Name string;Type string;Alias string;" },
    { PAJE_EVENT_TYPE, "DefineEventType", "Name string;Type string;Alias string;" },
    { PAJE_VARIABLE_TYPE, "DefineVariableType",
      "Name string;Type string;Color color;Alias string;" },
    { PAJE_LINK_TYPE, "DefineLinkType",
      "Name string;Type string;StartContainerType string;EndContainerType string;Alias string;" },
    { PAJE_VALUE, "DefineEntityValue", "Type string;Name string;Color color;Alias string;" },
    { PAJE_CREATE, "CreateContainer",
      "Time date;Name string;Type string;Container string;Alias string;" },
    { PAJE_CREATE_TRACE, "CreateContainer",
      "Time date;Name string;Type string;Container string;Alias string;"
      "Source string;Command string;Converter string;" },
    { PAJE_DESTROY, "DestroyContainer", "Time date;Name string;Type string;" },
    { PAJE_SET_STATE, "SetState", "Time date;Type string;Container string;Value string;" },
    { PAJE_PUSH_STATE, "PushState", "Time date;Type string;Container string;Value string;" },
    { PAJE_POP_STATE, "PopState", "Time date;Type string;Container string;" },
    { PAJE_PUSH_COLLECTIVE, "PushState",
      "Time date;Type string;Container string;Value string;"
      "Sent string;Received string;Communicator string;Root string;" },
    { PAJE_NEW_EVENT, "NewEvent", "Time date;Type string;Container string;Value string;" },
    { PAJE_SET_VARIABLE, "SetVariable", "Time date;Type string;Container string;Value double;" },
    { PAJE_START_LINK, "StartLink",
      "Time date;Type string;Container string;StartContainer string;Value string;Key string;"
      "Size string;Tag string;Communicator string;" },
    { PAJE_END_LINK, "EndLink",
      "Time date;Type string;Container string;EndContainer string;Value string;Key string;" },
};

static void head_print_fields(struct paje_writing *w, const char *fields)
{
    for (const char *end; (end = strchr(fields, ';')); fields = end + 1) {
        prvcut_print_text(&w->view.out, "% ");
        prvcut_print_bytes(&w->view.out, fields, (size_t)(end - fields));
        prvcut_print_text(&w->view.out, "\n");
    }
}

static void head_print_kinds(struct paje_writing *w)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        prvcut_print_text(&w->view.out, "%EventDef Paje");
        prvcut_print_text(&w->view.out, kinds[i].name);
        prvcut_print_text(&w->view.out, " ");
        prvcut_print_u64(&w->view.out, (uint64_t)kinds[i].number);
        prvcut_print_text(&w->view.out, "\n");
        head_print_fields(w, kinds[i].fields);
        prvcut_print_text(&w->view.out, "%EndEventDef\n");
    }
}

/* A type of the hierarchy or of what stands in it. */
static void head_define_type(struct paje_writing *w, enum paje_event kind, const char *name,
                             const char *parent, const char *alias)
{
    prvcut_print_u64(&w->view.out, (uint64_t)kind);
    paje_print_quoted(w, name);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, parent);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, alias);
    prvcut_print_text(&w->view.out, "\n");
}

/* Levels that would hold one container only are left out: viewers give each level a column. */
static bool head_has_programs(const struct paje_writing *w)
{
    return w->view.outline->objects->applications > 1;
}

static bool head_has_nodes(const struct paje_writing *w)
{
    return w->view.outline->objects->nodes > 1;
}

static bool head_has_states(const struct paje_writing *w)
{
    return w->view.outline->dictionary->states > 0;
}

static void head_print_types(struct paje_writing *w)
{
    const char *parent = PAJE_TYPE_TRACE;

    head_define_type(w, PAJE_CONTAINER_TYPE, "Trace", "0", PAJE_TYPE_TRACE);
    if (head_has_programs(w)) {
        head_define_type(w, PAJE_CONTAINER_TYPE, "Program", parent, PAJE_TYPE_PROGRAM);
        parent = PAJE_TYPE_PROGRAM;
    }
    if (head_has_nodes(w)) {
        head_define_type(w, PAJE_CONTAINER_TYPE, "Node", parent, PAJE_TYPE_NODE);
        parent = PAJE_TYPE_NODE;
    }
    head_define_type(w, PAJE_CONTAINER_TYPE, "Task", parent, PAJE_TYPE_TASK);
    head_define_type(w, PAJE_CONTAINER_TYPE, "Thread", PAJE_TYPE_TASK, PAJE_TYPE_THREAD);
    head_define_type(w, PAJE_STATE_TYPE, "Call", PAJE_TYPE_THREAD, PAJE_TYPE_CALL);
    if (head_has_states(w)) {
        head_define_type(w, PAJE_CONTAINER_TYPE, "States", PAJE_TYPE_THREAD, PAJE_TYPE_ROW);
        head_define_type(w, PAJE_STATE_TYPE, "State", PAJE_TYPE_ROW, PAJE_TYPE_STATE);
    }
    prvcut_print_u64(&w->view.out, PAJE_LINK_TYPE);
    prvcut_print_text(&w->view.out, " \"Message\" " PAJE_TYPE_TRACE " " PAJE_TYPE_THREAD
                                    " " PAJE_TYPE_THREAD " " PAJE_TYPE_MESSAGE "\n");
}

static void head_create(struct paje_writing *w, const char *name, const char *type,
                        const char *parent, const char *alias)
{
    paje_print_record(w, PAJE_CREATE, 0);
    paje_print_quoted(w, name);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, type);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, parent);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, alias);
    prvcut_print_text(&w->view.out, "\n");
}

static void head_destroy(struct paje_writing *w, const char *alias, const char *type)
{
    paje_print_record(w, PAJE_DESTROY, w->view.outline->end_ns);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, alias);
    prvcut_print_text(&w->view.out, " ");
    prvcut_print_text(&w->view.out, type);
    prvcut_print_text(&w->view.out, "\n");
}

static const char *head_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path && *path ? path : "trace";
}

/* The format has comments, but ViTE takes them for damage: where a trace is from stands here. */
static void head_create_trace(struct paje_writing *w)
{
    const struct prvcut_outline *o = w->view.outline;

    paje_print_record(w, PAJE_CREATE_TRACE, 0);
    paje_print_quoted(w, head_base_name(o->source));
    prvcut_print_text(&w->view.out, " " PAJE_TYPE_TRACE " 0 " PAJE_TRACE);
    paje_print_quoted(w, o->source ? o->source : "");
    paje_print_quoted(w, o->command ? o->command : "");
    paje_print_quoted(w, "prvcut " PRVCUT_VERSION);
    prvcut_print_text(&w->view.out, "\n");
}

/* A node's row is one per program. */
static void head_node_alias(char out[64], uint32_t application, uint32_t node)
{
    snprintf(out, 64, "_n%" PRIu32 ".%" PRIu32, application + 1, node + 1);
}

static void head_create_nodes(struct paje_writing *w, uint32_t application, const char *parent)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    const char *const *named = w->view.outline->dictionary->node;
    char alias[64], name[64];

    for (uint32_t n = 0; n < o->nodes; n++) {
        head_node_alias(alias, application, n);
        snprintf(name, sizeof name, "Node %" PRIu32, n + 1);
        head_create(w, named && named[n] ? named[n] : name, PAJE_TYPE_NODE, parent, alias);
    }
}

static void head_create_thread(struct paje_writing *w, uint32_t thread, const char *task)
{
    const struct prvcut_dictionary *d = w->view.outline->dictionary;
    uint32_t application, number, within;
    char alias[64], name[64];

    prvcut_objects_name(w->view.outline->objects, thread, &application, &number, &within);
    snprintf(alias, sizeof alias, "_t%" PRIu32, thread + 1);
    snprintf(name, sizeof name, "Thread %" PRIu32 ".%" PRIu32 ".%" PRIu32, application, number,
             within);
    head_create(w, d->thread && d->thread[thread] ? d->thread[thread] : name, PAJE_TYPE_THREAD,
                task, alias);
    if (head_has_states(w)) {
        char row[64];

        snprintf(row, sizeof row, "_s%" PRIu32, thread + 1);
        head_create(w, "state", PAJE_TYPE_ROW, alias, row);
    }
}

static void head_create_task(struct paje_writing *w, uint32_t application, uint32_t task,
                             const char *parent)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    const struct prvcut_dictionary *d = w->view.outline->dictionary;
    char alias[64], name[64], node[64];

    snprintf(alias, sizeof alias, "_k%" PRIu32, task + 1);
    snprintf(name, sizeof name, "Task %" PRIu32 ".%" PRIu32, application + 1,
             task - o->application_first_task[application] + 1);
    if (head_has_nodes(w)) {
        head_node_alias(node, application, o->task_node[task]);
        parent = node;
    }
    head_create(w, d->task && d->task[task] ? d->task[task] : name, PAJE_TYPE_TASK, parent, alias);
    for (uint32_t t = o->task_first_thread[task]; t < o->task_first_thread[task + 1]; t++)
        head_create_thread(w, t, alias);
}

void paje_write_head(struct paje_writing *w)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    char alias[64], name[64];

    head_print_kinds(w);
    head_print_types(w);
    head_create_trace(w);
    for (uint32_t a = 0; a < o->applications; a++) {
        const char *parent = PAJE_TRACE;

        if (head_has_programs(w)) {
            snprintf(alias, sizeof alias, "_p%" PRIu32, a + 1);
            snprintf(name, sizeof name, "Program %" PRIu32, a + 1);
            head_create(w, name, PAJE_TYPE_PROGRAM, parent, alias);
            parent = alias;
        }
        if (head_has_nodes(w))
            head_create_nodes(w, a, parent);
        for (uint32_t t = o->application_first_task[a]; t < o->application_first_task[a + 1]; t++)
            head_create_task(w, a, t, parent);
    }
}

static void head_destroy_numbered(struct paje_writing *w, const char *prefix, uint32_t count,
                                  const char *type)
{
    char alias[64];

    for (uint32_t i = 0; i < count; i++) {
        snprintf(alias, sizeof alias, "%s%" PRIu32, prefix, i + 1);
        head_destroy(w, alias, type);
    }
}

void paje_write_tail(struct paje_writing *w)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    char alias[64];

    if (head_has_states(w))
        head_destroy_numbered(w, "_s", o->threads, PAJE_TYPE_ROW);
    head_destroy_numbered(w, "_t", o->threads, PAJE_TYPE_THREAD);
    head_destroy_numbered(w, "_k", o->tasks, PAJE_TYPE_TASK);
    for (uint32_t a = 0; head_has_nodes(w) && a < o->applications; a++)
        for (uint32_t n = 0; n < o->nodes; n++) {
            head_node_alias(alias, a, n);
            head_destroy(w, alias, PAJE_TYPE_NODE);
        }
    if (head_has_programs(w))
        head_destroy_numbered(w, "_p", o->applications, PAJE_TYPE_PROGRAM);
    head_destroy(w, PAJE_TRACE, PAJE_TYPE_TRACE);
}
