/* Header, .pcf and .row: any bytes give tables that hold together, or a named fault. */
#include "sandbox.h"
#include "target.h"

#include "model/batch.h"
#include "paraver/header.h"
#include "paraver/labels.h"
#include "paraver/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require_fault(enum prvcut_status st, const struct prvcut_error *err)
{
    require(st >= 0 || (err->status == st && err->text[0] != '\0'), "a failure has a text");
    require(strlen(err->text) < sizeof err->text, "the text ends");
}

static void require_objects(const struct prvcut_objects *o)
{
    require(o->threads <= PRVCUT_THREADS_MAX, "threads are limited");
    require(o->application_first_task[0] == 0, "tasks begin at 0");
    require(o->application_first_task[o->applications] == o->tasks, "all tasks have an owner");
    require(o->task_first_thread[0] == 0, "threads begin at 0");
    require(o->task_first_thread[o->tasks] == o->threads, "all threads have an owner");
    for (uint32_t i = 0; i < o->tasks; i++) {
        require(o->task_first_thread[i] < o->task_first_thread[i + 1], "no task is empty");
        require(o->task_node[i] < o->nodes || (o->nodes == 0 && o->task_node[i] == UINT32_MAX),
                "a task's node exists");
    }
    for (uint32_t i = 0; i < o->communicators; i++) {
        const struct prvcut_communicator *c = &o->communicator[i];

        require(c->application < o->applications, "a communicator's application exists");
        require(c->first <= o->members && c->count <= o->members - c->first,
                "a communicator's tasks exist");
        for (uint32_t m = 0; m < c->count; m++)
            require(o->member[c->first + m] < o->tasks, "a member exists");
    }
    for (uint32_t i = 0; i < o->threads; i += 1 + o->threads / 64) {
        uint32_t application, task, number;

        prvcut_objects_name(o, i, &application, &task, &number);
        require(o->task_first_thread[o->application_first_task[application - 1] + task - 1] +
                        number - 1 ==
                    i,
                "a thread's name leads back to it");
    }
}

static void try_header(const char *text, size_t count)
{
    struct prvcut_error err = { 0 };
    struct prv_header h;
    size_t used = 0;
    enum prvcut_status st = prv_header_parse(&h, "input", text, count, &used, &err);

    require_fault(st, &err);
    if (st == PRVCUT_OK) {
        require(used <= count && used == h.text_count, "the header is a part of the text");
        require(memcmp(h.text, text, used) == 0, "the header is kept as it is");
        require(h.duration_at + h.duration_count < h.text_count, "the duration is in the header");
        require_objects(&h.objects);
    }
    prv_header_fini(&h);
}

static void try_labels(const char *text, size_t count)
{
    static const char *const settings[] = { "p2p=1,2,50000002", "flush=", "cycles=3", NULL };
    struct prvcut_error err = { 0 };
    struct prv_labels l;
    uint64_t damaged;

    for (int with = 0; with < 2; with++) {
        enum prvcut_status st =
            prv_labels_parse(&l, text, count, with ? settings : NULL, &damaged, &err);

        require(st == PRVCUT_OK, "no .pcf is refused");
        for (size_t i = 0; i < l.types; i++) {
            const struct prv_type *t = &l.type[i];
            bool region;

            require(i == 0 || l.type[i - 1].label.number < t->label.number, "types ascend");
            require(prv_labels_type(&l, t->label.number) == t, "a type is found");
            require(prv_labels_role(&l, t->label.number, &region) == t->label.role, "a role");
            require(strlen(t->label.text) <= count + 256, "a label ends");
            for (size_t v = 0; v < t->values; v++) {
                require(v == 0 || t->value[v - 1].number < t->value[v].number, "values ascend");
                require(prv_type_value(t, t->value[v].number) == &t->value[v], "a value is found");
            }
        }
        for (size_t i = 1; i < l.states; i++)
            require(l.state[i - 1].number < l.state[i].number, "states ascend");
        prv_labels_fini(&l);
    }
}

static void try_row(const char *text, size_t count)
{
    struct prvcut_error err = { 0 };
    struct prv_row r;

    require(prv_row_parse(&r, text, count, &err) == PRVCUT_OK, "no .row is refused");
    for (size_t i = 0; i < r.levels; i++) {
        require(r.level[i].first + r.level[i].count <= r.names, "a level's names exist");
        require(r.level[i].count <= r.level[i].size, "no more names than promised");
        require(strlen(r.level[i].kind) <= count, "a kind ends");
    }
    for (size_t i = 0; i < r.names; i++)
        require(strlen(r.name[i]) <= count, "a name ends");
    prv_row_fini(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Bytes of its own, so that reading past them is noticed. */
    char *text = malloc(size + (size == 0));

    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    try_header(text, size);
    try_labels(text, size);
    try_row(text, size);
    free(text);
    return 0;
}
