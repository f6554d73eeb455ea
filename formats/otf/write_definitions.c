#include "base/buffer.h"
#include "base/memory.h"
#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Properties of counters: a running total; a signed level at a point in time. */
#define TOTAL       0x00u
#define LEVEL       0x25u

#define APPLICATION "Application"

char *otfw_file(const struct otfw *w, const char *suffix, struct prvcut_error *err)
{
    return prvcut_printed("a name", err, "%s/%s%s", prvcut_folder_path(w->folder), w->stem, suffix);
}

static void write_def_open_page(struct otf_out *p, const struct otfw *w, const char *suffix,
                                struct prvcut_error *err)
{
    char *path = otfw_file(w, suffix, err);

    if (path)
        otf_out_open(p, path, false, err);
    else
        *p = (struct otf_out){ .st = PRVCUT_ENOMEM, .err = err, .fd = -1 };
}

static enum prvcut_status write_def_close_page(struct otf_out *p)
{
    const enum prvcut_status st = otf_out_finish(p);

    otf_out_close(p);
    return st;
}

/*
 * A text in quotes. The format has escapes, but its own library trips over an escaped quotation
 * mark, and a line end would end the record.
 */
static void write_def_quote(struct otf_out *p, const char *text)
{
    otf_out_put(p, "\"", 1);
    for (; *text; text++) {
        const char c = *text == '"'                  ? '\''
                       : *text == '\\'               ? '/'
                       : (unsigned char)*text < 0x20 ? ' '
                                                     : *text;

        otf_out_put(p, &c, 1);
    }
    otf_out_put(p, "\"", 1);
}

static const char *write_def_type_text(const struct otfw_type *t, char room[32])
{
    if (t->name && t->name->text[0] != '\0')
        return t->name->text;
    snprintf(room, 32, "Type %" PRIu32, t->number);
    return room;
}

static void write_def_put_head(struct otf_out *p, const struct otfw *w)
{
    const struct prvcut_outline *o = w->outline;
    char span[PRVCUT_SPAN_ROOM];

    otf_out_string(p, "DV1.c.5\"salmon\"\nDCR\"prvcut " PRVCUT_VERSION "\"\nDTR3b9aca00\n");
    if (o->source) {
        otf_out_string(p, "DCMT");
        write_def_quote(p, o->source);
        otf_out_string(p, "\n");
    }
    if (o->command) {
        otf_out_string(p, "DCMT");
        write_def_quote(p, o->command);
        otf_out_string(p, "\n");
    }
    for (uint32_t i = 0; o->own_window && i < o->objects->threads; i++)
        otf_out_printf(p, "DCMT\"" PRVCUT_WINDOWS_WORD " %" PRIu32 ":%" PRIu64 "-%" PRIu64 "\"\n",
                       i + 1, o->own_window[i].start, o->own_window[i].end);
    otf_out_printf(p, "DCMT\"" PRVCUT_SPAN_WORD " %s\"\nDTRG0T%" PRIx64 "\n",
                   prvcut_span_told(span, 0, o->end_ns), o->end_ns);
}

static void write_def_name_process(struct otf_out *p, const struct otfw *w, uint32_t task,
                                   uint32_t thread)
{
    const struct prvcut_objects *x = w->outline->objects;
    const struct prvcut_dictionary *d = w->outline->dictionary;
    const uint32_t number = thread - x->task_first_thread[task];
    const uint32_t threads = x->task_first_thread[task + 1] - x->task_first_thread[task];
    char room[64];

    if (number == 0 && d->task && d->task[task] && threads == 1) {
        write_def_quote(p, d->task[task]);
        return;
    }
    if (d->thread && d->thread[thread]) {
        write_def_quote(p, d->thread[thread]);
        return;
    }
    if (number == 0)
        snprintf(room, sizeof room, "Process %" PRIu32, task);
    else
        snprintf(room, sizeof room, "Thread %" PRIu32 " of process %" PRIu32, number, task);
    write_def_quote(p, room);
}

static void write_def_put_processes(struct otf_out *p, const struct otfw *w)
{
    const struct prvcut_objects *x = w->outline->objects;

    for (uint32_t t = 0; t < x->tasks; t++) {
        for (uint32_t i = x->task_first_thread[t]; i < x->task_first_thread[t + 1]; i++) {
            otf_out_printf(p, "DP%" PRIx32 "NM", i + 1);
            write_def_name_process(p, w, t, i);
            if (i > x->task_first_thread[t])
                otf_out_printf(p, "PT%" PRIx32, x->task_first_thread[t] + 1);
            otf_out_string(p, "\n");
        }
    }
}

/* Groups of functions, as VampirTrace calls them. */
static const char *write_def_group_of(const struct otfw_type *t)
{
    if ((PRVCUT_ROLE_BIT(t->role) & PRVCUT_ROLES_MPI) != 0)
        return "MPI";
    if (t->role == PRVCUT_ROLE_FLUSH)
        return "VT_API";
    if (t->name && t->name->group && strncasecmp(t->name->group, "OpenMP", 6) == 0)
        return "OMP";
    if (t->name && (strstr(t->name->text, "OMP") || strstr(t->name->text, "OpenMP")))
        return "OMP";
    if (t->name && t->name->group && strncasecmp(t->name->group, "pthread", 7) == 0)
        return "PTHREAD";
    if (t->number == PRVCUT_TYPE_USER_FUNCTION || !t->name || t->name->text[0] == '\0' ||
        (t->name->group && strcmp(t->name->group, "user") == 0))
        return APPLICATION;
    return t->name->text;
}

/* Types that share a group's name share the group: it has the number of the first of them. */
static size_t write_def_group_number(const struct otfw_names *n, size_t type)
{
    size_t i = 0;

    while (i < type &&
           (n->type[i].kind != OTFW_REGION ||
            strcmp(write_def_group_of(&n->type[i]), write_def_group_of(&n->type[type])) != 0))
        i++;
    return i + 1;
}

static void write_def_put_functions(struct otf_out *p, const struct otfw *w)
{
    const struct otfw_names *n = &w->names;
    char room[32], name[280];

    for (size_t i = 0; i < n->types; i++) {
        if (n->type[i].kind != OTFW_REGION || write_def_group_number(n, i) != i + 1)
            continue;
        otf_out_printf(p, "DFG%zxNM", i + 1);
        write_def_quote(p, write_def_group_of(&n->type[i]));
        otf_out_string(p, "\n");
    }
    for (uint32_t id = 1; id <= n->functions.count; id++) {
        const struct otfw_function *f = otfw_function_at(n, id);
        const struct otfw_type *t = &n->type[f->type];
        const struct prvcut_value_name *v = t->name ? prvcut_type_value(t->name, f->value) : NULL;

        otf_out_printf(p, "DF%" PRIx32 "G%zxNM", id, write_def_group_number(n, f->type));
        if (t->role == PRVCUT_ROLE_FLUSH) {
            write_def_quote(p, "flushing");
        } else if (f->call) {
            write_def_quote(p, f->call->name);
        } else if (v && v->text[0] != '\0') {
            write_def_quote(p, v->text);
        } else {
            snprintf(name, sizeof name, "%.240s %" PRId64, write_def_type_text(t, room), f->value);
            write_def_quote(p, name);
        }
        otf_out_string(p, "\n");
    }
}

/* "file.c:12 [/path/file.c:12, binary]": the name of the file, and where the line begins. */
static size_t write_def_file_length(const char *text)
{
    const size_t first = strcspn(text, " ");
    size_t at = first;

    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    return at > 1 && at < first && text[at - 1] == ':' ? at - 1 : 0;
}

/* A file for each site: its name is that of a function where the line is not known. */
static void write_def_put_sites(struct otf_out *p, const struct otfw *w)
{
    for (size_t i = 0; i < w->sites.count; i++) {
        const struct otfw_site *s = (const struct otfw_site *)w->sites.at + i;
        const struct prvcut_type_name *name = NULL;
        char file[256], room[64];
        const char *text = room;
        size_t length;

        for (size_t type = 0; type < w->names.types && !name; type++)
            if (w->names.type[type].number == s->type)
                name = w->names.type[type].name;
        snprintf(room, sizeof room, "%" PRId64, s->value);
        if (name && prvcut_type_value(name, s->value))
            text = prvcut_type_value(name, s->value)->text;
        length = write_def_file_length(text);
        snprintf(file, sizeof file, "%.*s", (int)(length > 0 ? length : strlen(text)), text);
        otf_out_printf(p, "DSF%zxNM", i + 1);
        write_def_quote(p, file);
        otf_out_printf(p, "\nDS%zxF%zxLN%lx\n", i + 1, i + 1,
                       length > 0 ? strtoul(text + length + 1, NULL, 10) : 0ul);
    }
}

static void write_def_put_counters(struct otf_out *p, const struct otfw *w)
{
    const struct otfw_names *n = &w->names;
    char room[32], name[80];

    if (n->counters > 0)
        otf_out_string(p, "DCG1NM\"Hardware\"\nDCG2NM\"Events\"\n");
    for (size_t i = 0; i < n->types; i++) {
        const struct otfw_type *t = &n->type[i];
        const bool total = t->kind == OTFW_COUNTER;
        const char *text = write_def_type_text(t, room);
        const char *unit = t->name && t->name->unit ? t->name->unit : "";

        if (t->counter == 0)
            continue;
        otf_out_printf(p, "DCNT%" PRIx32 "G%uNM", t->counter, total ? 1u : 2u);
        if (total && strncmp(text, "PAPI_", 5) == 0) {
            /* "PAPI_TOT_INS [Instr completed]": tools know the first word. */
            snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " "), text);
            text = name;
        }
        write_def_quote(p, text);
        otf_out_printf(p, "P%xU", total ? TOTAL : LEVEL);
        write_def_quote(p, unit[0] != '\0' ? unit : "#");
        otf_out_string(p, "\n");
    }
}

static void write_def_put_group(struct otf_out *p, const struct otfw *w, uint32_t place,
                                const char *name, const uint32_t *task, uint32_t first,
                                uint32_t count)
{
    const struct prvcut_objects *x = w->outline->objects;

    otf_out_printf(p, "DPG%" PRIx32 "M", otfw_comm_id(w, place));
    for (uint32_t i = 0; i < count; i++) {
        otf_out_printf(p, "%" PRIx32 ",", x->task_first_thread[task ? task[i] : first + i] + 1);
    }
    otf_out_string(p, "NM");
    write_def_quote(p, name);
    otf_out_string(p, "\n");
}

static void write_def_put_comms(struct otf_out *p, const struct otfw *w)
{
    const struct prvcut_objects *x = w->outline->objects;

    for (uint32_t i = 0; i < x->communicators; i++) {
        const struct prvcut_communicator *c = &x->communicator[i];
        char name[64];

        if (c->count == 0)
            continue;
        if (w->world[c->application] == i)
            snprintf(name, sizeof name, "MPI_COMM_WORLD");
        else if (c->count == 1)
            snprintf(name, sizeof name, "MPI_COMM_SELF %" PRIu32, c->id);
        else
            snprintf(name, sizeof name, "MPI Communicator %" PRIu32, c->id);
        write_def_put_group(p, w, i, name, x->member + c->first, 0, c->count);
    }
    for (uint32_t a = 0; a < x->applications && w->made_world; a++) {
        if (w->world[a] == UINT32_MAX)
            write_def_put_group(p, w, x->communicators + a, "MPI_COMM_WORLD", NULL,
                                x->application_first_task[a],
                                x->application_first_task[a + 1] - x->application_first_task[a]);
    }
    if (w->made_all)
        write_def_put_group(p, w, x->communicators + x->applications, "All applications", NULL, 0,
                            x->tasks);
}

/* Kinds of collectives: 1 barrier, 2 one to all, 3 all to one, 4 all to all. */
static unsigned write_def_collective_kind(const struct prvcut_mpi_call *call)
{
    if (call->operation == 0)
        return 1;
    return call->flow == PRVCUT_CLOCK_FROM_ROOT ? 2 : call->flow == PRVCUT_CLOCK_TO_ROOT ? 3 : 4;
}

static void write_def_put_collectives(struct otf_out *p)
{
    for (const struct prvcut_mpi_call *call = prvcut_mpi_calls; call->name; call++) {
        if (call->operation >= 0 && !call->nonblocking)
            otf_out_printf(p, "DCO%xNM\"%s\"Y%u\n", (unsigned)call->operation + 1, call->name,
                           write_def_collective_kind(call));
    }
}

static enum prvcut_status write_def_put_master(const struct otfw *w, struct prvcut_error *err)
{
    struct otf_out p;

    write_def_open_page(&p, w, ".otf", err);
    for (uint32_t i = 0; i < w->outline->objects->threads; i++) {
        otf_out_printf(&p, "%" PRIx32 ":%" PRIx32 "\n", i + 1, i + 1);
    }
    return write_def_close_page(&p);
}

enum prvcut_status otfw_definitions(struct otfw *w, struct prvcut_error *err)
{
    struct otf_out p;
    enum prvcut_status st;

    write_def_open_page(&p, w, ".0.def", err);
    write_def_put_head(&p, w);
    write_def_put_processes(&p, w);
    write_def_put_functions(&p, w);
    write_def_put_sites(&p, w);
    write_def_put_counters(&p, w);
    write_def_put_comms(&p, w);
    write_def_put_collectives(&p);
    st = write_def_close_page(&p);
    return st == PRVCUT_OK ? write_def_put_master(w, err) : st;
}
