#include "convert/selection.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void cnv_selection_fini(struct cnv_selection *s)
{
    free(s->thread);
    prvcut_objects_fini(&s->objects);
    memset(s, 0, sizeof *s);
}

/* One number of the list; 0 where there is none. */
static uint64_t sel_list_number(const char **at)
{
    uint64_t n = 0;

    while (**at >= '0' && **at <= '9' && n <= UINT32_MAX)
        n = n * 10 + (uint64_t)(*(*at)++ - '0');
    return n;
}

static uint32_t sel_tasks_of(const struct prvcut_objects *o, uint32_t application)
{
    return o->application_first_task[application + 1] - o->application_first_task[application];
}

/* Of the application that has most. */
static uint32_t sel_most_tasks(const struct prvcut_objects *o)
{
    uint32_t most = 0;

    for (uint32_t a = 0; a < o->applications; a++)
        most = sel_tasks_of(o, a) > most ? sel_tasks_of(o, a) : most;
    return most;
}

/* Tasks are numbered anew in each application, as where a trace is filtered. */
static void sel_choose(bool *chosen, const struct prvcut_objects *o, uint64_t first, uint64_t last)
{
    for (uint32_t a = 0; a < o->applications; a++)
        for (uint64_t t = first; t <= last && t <= sel_tasks_of(o, a); t++)
            chosen[o->application_first_task[a] + t - 1] = true;
}

/* Mark the tasks that the list names. */
static enum prvcut_status sel_read_list(bool *chosen, const struct prvcut_objects *o,
                                        const char *list, struct prvcut_error *err)
{
    const uint32_t tasks = sel_most_tasks(o);
    const char *at = list;

    for (;;) {
        const int before = (int)(at - list);
        const uint64_t first = sel_list_number(&at);
        uint64_t last = first;

        if (*at == '-') {
            at++;
            last = sel_list_number(&at);
        }
        if (first == 0 || last < first || (*at != ',' && *at != '\0'))
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "'%s' is no list of tasks, such as 1-4,7 (the first one is 1)",
                               list);
        if (last > tasks) {
            if (first < tasks)
                prvcut_instead(err, "--tasks %.*s%" PRIu64 "-%" PRIu32, before, list, first, tasks);
            else if (first == tasks || before == 0)
                prvcut_instead(err, "--tasks %.*s%" PRIu32, before, list, tasks);
            else
                prvcut_instead(err, "--tasks %.*s", before - 1, list);
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "there is no task %" PRIu64 ": the trace has %" PRIu32 "%s", last,
                               tasks, o->applications > 1 ? " in an application" : "");
        }
        sel_choose(chosen, o, first, last);
        if (*at++ == '\0')
            return PRVCUT_OK;
    }
}

static enum prvcut_status sel_make_room(struct cnv_selection *s, const struct prvcut_objects *o,
                                        struct prvcut_error *err)
{
    struct prvcut_objects *n = &s->objects;

    s->thread = prvcut_unset((size_t)o->threads + 1, sizeof *s->thread, "tasks", err);
    n->application_first_task =
        prvcut_zeroed((size_t)o->applications + 1, sizeof(uint32_t), "tasks", err);
    n->task_first_thread = prvcut_zeroed((size_t)o->tasks + 1, sizeof(uint32_t), "tasks", err);
    n->task_node = prvcut_zeroed((size_t)o->tasks + 1, sizeof(uint32_t), "tasks", err);
    n->node_cpus = prvcut_zeroed((size_t)o->nodes + 1, sizeof(uint32_t), "tasks", err);
    n->thread_task = prvcut_zeroed((size_t)o->threads + 1, sizeof(uint32_t), "tasks", err);
    n->communicator =
        prvcut_zeroed((size_t)o->communicators + 1, sizeof *n->communicator, "tasks", err);
    n->member = prvcut_zeroed((size_t)o->members + 1, sizeof(uint32_t), "tasks", err);
    if (!s->thread || !n->application_first_task || !n->task_first_thread || !n->task_node ||
        !n->node_cpus || !n->thread_task || !n->communicator || !n->member)
        return PRVCUT_ENOMEM;
    return PRVCUT_OK;
}

static void sel_take_task(struct cnv_selection *s, const struct prvcut_objects *o, uint32_t task)
{
    struct prvcut_objects *n = &s->objects;

    n->task_node[n->tasks] = o->task_node[task];
    for (uint32_t t = o->task_first_thread[task]; t < o->task_first_thread[task + 1]; t++) {
        s->thread[t] = n->threads;
        n->thread_task[n->threads++] = n->tasks;
    }
    n->task_first_thread[++n->tasks] = n->threads;
}

/* Communicators lose the members that are left out; one without any goes. */
static void sel_take_communicators(struct prvcut_objects *n, const struct prvcut_objects *o,
                                   const uint32_t *application, const uint32_t *task)
{
    for (uint32_t i = 0; i < o->communicators; i++) {
        const struct prvcut_communicator *c = &o->communicator[i];
        struct prvcut_communicator *to = &n->communicator[n->communicators];

        *to = (struct prvcut_communicator){ .id = c->id, .first = n->members };
        if (application[c->application] == PRVCUT_NOBODY)
            continue;
        to->application = application[c->application];
        for (uint32_t m = c->first; m < c->first + c->count; m++)
            if (task[o->member[m]] != PRVCUT_NOBODY)
                n->member[n->members++] = task[o->member[m]];
        to->count = n->members - to->first;
        n->communicators += to->count > 0;
    }
}

/* application, task: room for the new numbers of both */
static void sel_take_chosen(struct cnv_selection *s, const struct prvcut_objects *o,
                            const bool *chosen, uint32_t *application, uint32_t *task)
{
    struct prvcut_objects *n = &s->objects;

    for (uint32_t t = 0; t < o->threads; t++)
        s->thread[t] = PRVCUT_NOBODY;
    for (uint32_t a = 0; a < o->applications; a++) {
        const uint32_t before = n->tasks;

        for (uint32_t t = o->application_first_task[a]; t < o->application_first_task[a + 1]; t++) {
            task[t] = chosen[t] ? n->tasks : PRVCUT_NOBODY;
            if (chosen[t])
                sel_take_task(s, o, t);
        }
        application[a] = n->tasks > before ? n->applications : PRVCUT_NOBODY;
        if (n->tasks > before)
            n->application_first_task[++n->applications] = n->tasks;
    }
    n->nodes = o->nodes;
    n->cpus = o->cpus;
    if (o->nodes > 0 && o->node_cpus)
        memcpy(n->node_cpus, o->node_cpus, o->nodes * sizeof *n->node_cpus);
    sel_take_communicators(n, o, application, task);
}

enum prvcut_status cnv_selection_init(struct cnv_selection *out, const struct prvcut_objects *o,
                                      const char *tasks, struct prvcut_error *err)
{
    bool *chosen = NULL;
    uint32_t *number = NULL;
    enum prvcut_status st;

    *out = (struct cnv_selection){ .all = tasks == NULL };
    if (!tasks)
        return PRVCUT_OK;
    chosen = prvcut_zeroed((size_t)o->tasks + 1, sizeof *chosen, "tasks", err);
    number = prvcut_zeroed((size_t)o->tasks + o->applications + 1, sizeof *number, "tasks", err);
    if (!chosen || !number)
        st = PRVCUT_ENOMEM;
    else
        st = sel_read_list(chosen, o, tasks, err);
    if (st == PRVCUT_OK)
        st = sel_make_room(out, o, err);
    if (st == PRVCUT_OK)
        sel_take_chosen(out, o, chosen, number + o->tasks, number);
    free(chosen);
    free(number);
    return st;
}

/* New indices are never above the old ones, so names can move in place. */
enum prvcut_status cnv_tasks_check(const struct prvcut_objects *o, const char *tasks,
                                   struct prvcut_error *err)
{
    struct cnv_selection selection = { 0 };
    enum prvcut_status st = cnv_selection_init(&selection, o, tasks, err);

    cnv_selection_fini(&selection);
    return st;
}

void cnv_selection_names(const struct cnv_selection *s, const struct prvcut_objects *o,
                         struct prvcut_dictionary *d)
{
    const char **thread = d->thread, **task = d->task;

    if (s->all)
        return;
    for (uint32_t t = 0; thread && t < o->threads; t++)
        if (s->thread[t] != PRVCUT_NOBODY)
            thread[s->thread[t]] = thread[t];
    for (uint32_t t = 0; task && t < o->tasks; t++) {
        const uint32_t first = o->task_first_thread[t];

        if (first < o->task_first_thread[t + 1] && s->thread[first] != PRVCUT_NOBODY)
            task[s->objects.thread_task[s->thread[first]]] = task[t];
    }
}
