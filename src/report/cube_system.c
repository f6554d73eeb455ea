#include "report/cube_inner.h"

#include "base/memory.h"
#include "model/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Names of the elements in the two forms. */
struct cube_words {
    const char *node, *process, *thread;
};

static const struct cube_words cube_words[] = {
    [REPORT_CUBE_4] = { "systemtreenode", "locationgroup", "location" },
    [REPORT_CUBE_3] = { "node", "process", "thread" },
};

/* Members by owner: those of owner i are at[first[i]] ... at[first[i + 1] - 1]. */
struct cube_members {
    uint32_t *first, *at;
};

static enum prvcut_status cube_members_init(struct cube_members *m, size_t owners, size_t count,
                                            struct prvcut_error *err)
{
    m->first = prvcut_zeroed(owners + 2, sizeof *m->first, "a system", err);
    m->at = prvcut_zeroed(count, sizeof *m->at, "a system", err);
    return m->first && m->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void cube_members_fini(struct cube_members *m)
{
    free(m->first);
    free(m->at);
}

/* Counted at first[owner + 2], then summed, then moved on by one as members take their places. */
static void cube_members_sum(struct cube_members *m, size_t owners)
{
    for (size_t i = 1; i < owners + 2; i++)
        m->first[i] += m->first[i - 1];
}

static enum prvcut_status cube_processes_of(struct cube_members *m, const struct report_cube *c,
                                            struct prvcut_error *err)
{
    const enum prvcut_status st = cube_members_init(m, c->nodes, c->processes, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < c->processes; i++)
        m->first[c->process[i].node + 2]++;
    cube_members_sum(m, c->nodes);
    for (uint32_t i = 0; i < c->processes; i++)
        m->at[m->first[c->process[i].node + 1]++] = i;
    return PRVCUT_OK;
}

static enum prvcut_status cube_threads_of(struct cube_members *m, const struct report_cube *c,
                                          struct prvcut_error *err)
{
    const enum prvcut_status st = cube_members_init(m, c->processes, c->threads, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < c->threads; i++)
        m->first[c->thread[i].process + 2]++;
    cube_members_sum(m, c->processes);
    for (uint32_t i = 0; i < c->threads; i++)
        m->at[m->first[c->thread[i].process + 1]++] = i;
    return PRVCUT_OK;
}

/* --- Who runs --------------------------------------------------------------------------------- */

static void cube_rank(struct cube_xml *x, uint32_t rank)
{
    char text[16];

    snprintf(text, sizeof text, "%" PRIu32, rank);
    cube_xml_text(x, "rank", text);
}

/* Begin something that has an id and a name: the given one, or "WHAT N". */
static void cube_begin(struct cube_xml *x, const char *element, uint32_t id, const char *name,
                       const char *what, uint32_t number)
{
    char text[40];

    snprintf(text, sizeof text, "%s %" PRIu32, what, number);
    cube_xml_open(x, element);
    cube_xml_number(x, "Id", id);
    cube_xml_text(x, "name", name ? name : text);
}

static void cube_thread(struct cube_xml *x, const struct report_cube_thread *t, uint32_t id,
                        enum report_cube_form form)
{
    cube_begin(x, cube_words[form].thread, id, t->name, "thread", t->number);
    cube_rank(x, t->number);
    if (form == REPORT_CUBE_4)
        cube_xml_text(x, "type", "thread");
    cube_xml_close(x, cube_words[form].thread);
}

static void cube_process(struct cube_xml *x, const struct report_cube *c, uint32_t id,
                         const struct cube_members *threads, enum report_cube_form form)
{
    const struct report_cube_process *p = &c->process[id];

    cube_begin(x, cube_words[form].process, id, p->name, "MPI Rank", p->rank);
    cube_rank(x, p->rank);
    if (form == REPORT_CUBE_4)
        cube_xml_text(x, "type", "process");
    for (uint32_t i = threads->first[id]; i < threads->first[id + 1]; i++)
        cube_thread(x, &c->thread[threads->at[i]], threads->at[i], form);
    cube_xml_close(x, cube_words[form].process);
}

static void cube_node(struct cube_xml *x, const struct report_cube *c, uint32_t id,
                      const struct cube_members m[2], enum report_cube_form form)
{
    /* The machine has the first id where it is of the same kind. */
    cube_begin(x, cube_words[form].node, form == REPORT_CUBE_4 ? id + 1 : id, c->node[id], "node",
               id);
    if (form == REPORT_CUBE_4)
        cube_xml_text(x, "class", "node");
    for (uint32_t i = m[0].first[id]; i < m[0].first[id + 1] && x->l.st == PRVCUT_OK; i++)
        cube_process(x, c, m[0].at[i], &m[1], form);
    cube_xml_close(x, cube_words[form].node);
}

static void cube_machine(struct cube_xml *x, const struct report_cube *c,
                         const struct cube_members m[2], enum report_cube_form form)
{
    const char *element = form == REPORT_CUBE_4 ? cube_words[form].node : "machine";

    cube_begin(x, element, 0, c->machine ? c->machine : "machine", "machine", 0);
    if (form == REPORT_CUBE_4)
        cube_xml_text(x, "class", "machine");
    for (uint32_t i = 0; i < c->nodes && x->l.st == PRVCUT_OK; i++)
        cube_node(x, c, i, m, form);
    cube_xml_close(x, element);
}

/* --- Topologies ------------------------------------------------------------------------------- */

static void cube_coordinates(struct cube_xml *x, const struct report_cube_topology *t,
                             uint32_t thread)
{
    const uint32_t *at = &t->at[thread * t->dimensions];
    char text[16];

    if (at[0] == PRVCUT_NOBODY)
        return;
    cube_xml_open(x, "coord");
    cube_xml_number(x, "locId", thread);
    for (size_t i = 0; i < t->dimensions; i++) {
        snprintf(text, sizeof text, i > 0 ? " %" PRIu32 : "%" PRIu32, at[i]);
        cube_xml_raw(x, text);
    }
    cube_xml_close(x, "coord");
}

static void cube_topology(struct cube_xml *x, const struct report_cube *c,
                          const struct report_cube_topology *t)
{
    cube_xml_open(x, "cart");
    cube_xml_attribute(x, "name", t->name);
    cube_xml_number(x, "ndims", (uint32_t)t->dimensions);
    for (size_t i = 0; i < t->dimensions; i++) {
        cube_xml_open(x, "dim");
        cube_xml_attribute(x, "name", t->dimension[i].name);
        cube_xml_number(x, "size", t->dimension[i].size);
        cube_xml_attribute(x, "periodic", t->dimension[i].periodic ? "true" : "false");
        cube_xml_close_empty(x);
    }
    for (uint32_t i = 0; i < c->threads && x->l.st == PRVCUT_OK; i++)
        cube_coordinates(x, t, i);
    cube_xml_close(x, "cart");
}

void cube_xml_system(struct cube_xml *x, const struct cube_job *j, enum report_cube_form form)
{
    const struct report_cube *c = j->of;
    struct cube_members m[2] = { 0 };

    if (x->l.st == PRVCUT_OK)
        x->l.st = cube_processes_of(&m[0], c, x->l.err);
    if (x->l.st == PRVCUT_OK)
        x->l.st = cube_threads_of(&m[1], c, x->l.err);
    cube_xml_open(x, "system");
    if (x->l.st == PRVCUT_OK)
        cube_machine(x, c, m, form);
    cube_xml_open(x, "topologies");
    for (size_t i = 0; i < c->topologies; i++)
        cube_topology(x, c, &c->topology[i]);
    cube_xml_close(x, "topologies");
    cube_xml_close(x, "system");
    for (int i = 0; i < 2; i++)
        cube_members_fini(&m[i]);
}
