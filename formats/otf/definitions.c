#include "otf/otf.h"

#include "base/memory.h"
#include "base/search.h"
#include "model/told_span.h"
#include "model/told_windows.h"
#include "otf/fields.h"
#include "otf/lines.h"
#include "otf/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Ids up to here get a table of their own. */
#define DIRECT_MOST ((uint64_t)1 << 22)

struct parent {
    uint32_t id, parent;
    const char *name;
};

/* What one pass over the definition files gathers. */
struct reading {
    struct otf_trace *trace;
    struct otf_names *names; /* of the present file */
    const char *path;
    uint64_t line;
    struct parent *process;
    size_t processes, process_room;
    struct otf_group *group;
    size_t groups, group_room;
    uint32_t *member;
    size_t members, member_room;
    struct otf_group *function_group;
    size_t function_groups, function_group_room;
    struct prvcut_buffer text;
};

/* One definition's fields, whatever it defines. */
struct fields {
    uint64_t number, parent, group, type, properties, time, file, line;
    struct otf_field name, unit, members;
    bool has_number, has_name, has_unit, has_members;
};

static bool def_read_fields(const char *p, struct fields *out)
{
    struct otf_field f;
    bool bad;

    memset(out, 0, sizeof *out);
    while (otf_field_next(&p, &f, &bad)) {
        if (f.letters == 0) {
            out->number = f.number;
            out->has_number = f.kind == OTF_FIELD_NUMBER;
        } else if (f.kind == OTF_FIELD_TEXT) {
            const bool unit = otf_field_is(&f, "U", "UNIT");

            *(unit ? &out->unit : &out->name) = f;
            *(unit ? &out->has_unit : &out->has_name) = true;
        } else if (otf_field_is(&f, "M", "MEMBERS")) {
            out->members = f;
            out->has_members = true;
        } else if (otf_field_is(&f, "PT", "PARENT")) {
            out->parent = f.number;
        } else if (otf_field_is(&f, "G", "GROUP")) {
            out->group = f.number;
        } else if (otf_field_is(&f, "Y", "TYPE")) {
            out->type = f.number;
        } else if (otf_field_is(&f, "P", "PROPERTIES")) {
            out->properties = f.number;
        } else if (otf_field_is(&f, "T", "TIME")) {
            out->time = f.number;
        } else if (otf_field_is(&f, "F", "FILE")) {
            out->file = f.number;
        } else if (otf_field_is(&f, "LN", "LINE")) {
            out->line = f.number;
        }
    }
    return !bad && out->has_number;
}

static enum prvcut_status def_keep_text(struct reading *d, const struct otf_field *f,
                                        const char **copy, struct prvcut_error *err)
{
    enum prvcut_status st;

    d->text.count = 0;
    st = otf_field_text(f, &d->text, err);
    return st < 0 ? st
                  : otf_word(d->trace->words, d->text.at ? d->text.at : "", d->text.count, copy,
                             NULL, err);
}

#define GROW(list, count, room)                                                                    \
    def_grow((void **)&(list), &(room), (count) + 1, sizeof *(list), err)

static enum prvcut_status def_grow(void **at, size_t *room, size_t want, size_t size,
                                   struct prvcut_error *err)
{
    return prvcut_grow(at, room, want, size, err);
}

static enum prvcut_status def_add_members(struct reading *d, const struct otf_field *f,
                                          struct prvcut_error *err)
{
    for (const char *p = f->value; p < f->end;) {
        bool too_large = false;
        uint64_t v;
        enum prvcut_status st;

        p = otf_hex(p, &v, &too_large);
        if (!p)
            break;
        st = GROW(d->member, d->members, d->member_room);
        if (st < 0)
            return st;
        d->member[d->members++] = v > UINT32_MAX ? 0 : (uint32_t)v;
        p += *p == ',';
        if (!otf_is_digit(*p))
            break;
    }
    return PRVCUT_OK;
}

static enum prvcut_status def_define_group(struct reading *d, const struct fields *f,
                                           bool functions, const char *name,
                                           struct prvcut_error *err)
{
    struct otf_group g = { .id = (uint32_t)f->number, .name = name, .first = d->members };
    enum prvcut_status st;

    if (functions) {
        st = GROW(d->function_group, d->function_groups, d->function_group_room);
        if (st == PRVCUT_OK)
            d->function_group[d->function_groups++] = g;
        return st;
    }
    st = f->has_members ? def_add_members(d, &f->members, err) : PRVCUT_OK;
    g.count = d->members - g.first;
    if (st == PRVCUT_OK)
        st = GROW(d->group, d->groups, d->group_room);
    if (st == PRVCUT_OK)
        d->group[d->groups++] = g;
    return st;
}

/* Properties: bits 0, 1: 0 running total, 1 level; bits 2, 3: 0 since the process began, 1 only at
   this moment; bits 5 to 8: the values' form. */
static void def_set_counter(struct otf_counter *c, uint64_t properties)
{
    const uint64_t form = properties >> 5 & 15;

    c->gauge = (properties & 3) == 1;
    c->whole = (properties & 15) == 0;
    c->point = (properties >> 2 & 3) == 1;
    c->is_float = form == 8;
    c->is_double = form == 9;
    c->is_signed = form < 8 && (form & 1);
    c->bits = (uint8_t)(form < 2 ? 64 : form < 4 ? 32 : form < 6 ? 16 : 64);
}

static enum prvcut_status def_define_counter(struct reading *d, const struct fields *f,
                                             const char *name, struct prvcut_error *err)
{
    struct otf_names *n = d->names;
    struct otf_counter c = { .id = (uint32_t)f->number, .name = name, .unit = "" };
    enum prvcut_status st = PRVCUT_OK;

    def_set_counter(&c, f->properties);
    if (f->has_unit)
        st = def_keep_text(d, &f->unit, &c.unit, err);
    if (st == PRVCUT_OK)
        st = GROW(n->counter, n->counters, n->counter_room);
    if (st == PRVCUT_OK)
        n->counter[n->counters++] = c;
    return st;
}

static enum prvcut_status def_define_site(struct reading *d, const struct fields *f,
                                          struct prvcut_error *err)
{
    struct otf_names *n = d->names;
    const enum prvcut_status st = GROW(n->site, n->sites, n->site_room);

    if (st == PRVCUT_OK)
        n->site[n->sites++] = (struct otf_site){ .id = (uint32_t)f->number,
                                                 .file = (uint32_t)f->file,
                                                 .line = f->line };
    return st;
}

static enum prvcut_status def_define_site_file(struct reading *d, const struct fields *f,
                                               const char *name, struct prvcut_error *err)
{
    struct otf_names *n = d->names;
    const enum prvcut_status st = GROW(n->site_file, n->site_files, n->site_file_room);

    if (st == PRVCUT_OK)
        n->site_file[n->site_files++] =
            (struct otf_site_file){ .id = (uint32_t)f->number, .name = name };
    return st;
}

static enum prvcut_status def_define_name(struct reading *d, enum otf_definition what,
                                          const struct fields *f, const char *name,
                                          struct prvcut_error *err)
{
    struct otf_names *n = d->names;
    enum prvcut_status st;

    if (what == OTF_DEF_FUNCTION) {
        st = GROW(n->region, n->regions, n->region_room);
        if (st == PRVCUT_OK)
            n->region[n->regions++] = (struct otf_region){ .id = (uint32_t)f->number,
                                                           .group = (uint32_t)f->group,
                                                           .name = name };
        return st;
    }
    if (what == OTF_DEF_OPERATION) {
        st = GROW(n->operation, n->operations, n->operation_room);
        if (st == PRVCUT_OK)
            n->operation[n->operations++] = (struct otf_operation){ .id = (uint32_t)f->number,
                                                                    .type = (uint32_t)f->type,
                                                                    .name = name };
        return st;
    }
    st = GROW(d->process, d->processes, d->process_room);
    if (st == PRVCUT_OK)
        d->process[d->processes++] = (struct parent){ .id = (uint32_t)f->number,
                                                      .parent = (uint32_t)f->parent,
                                                      .name = name };
    return st;
}

static enum prvcut_status def_damaged(struct reading *d, const char *why, struct prvcut_error *err)
{
    struct otf_trace *t = d->trace;

    if (t->damaged_definitions++ == 0)
        t->first_damaged = d->line;
    if (t->lenient)
        return PRVCUT_OK;
    if (err && err->status == PRVCUT_OK)
        err->line = d->line;
    return prvcut_fail(err, PRVCUT_EFORMAT, "%s:%" PRIu64 ": %s", d->path, d->line, why);
}

static bool def_ids_fit(const struct fields *f)
{
    return f->number <= UINT32_MAX && f->parent <= UINT32_MAX && f->group <= UINT32_MAX &&
           f->file <= UINT32_MAX;
}

bool otf_definition_span(const char *line, uint64_t *tick, uint64_t *ns)
{
    static const char *const begins[] = { "DCMT\"" PRVCUT_SPAN_WORD " ",
                                          "DEFCOMMENT \"" PRVCUT_SPAN_WORD " " };

    for (size_t i = 0; i < 2; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return prvcut_span_take(line + strlen(begins[i]), tick, ns);
    return false;
}

const char *otf_definition_windows(const char *line)
{
    static const char *const begins[] = { "DCMT\"" PRVCUT_WINDOWS_WORD " ",
                                          "DEFCOMMENT \"" PRVCUT_WINDOWS_WORD " " };

    for (size_t i = 0; i < 2; i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return line + strlen(begins[i]);
    return NULL;
}

/* What a cut or a copy tells of itself. */
static enum prvcut_status def_take_told(struct otf_trace *t, const char *line,
                                        struct prvcut_error *err)
{
    const char *windows = otf_definition_windows(line);
    uint64_t tick, ns;

    if (otf_definition_span(line, &tick, &ns)) {
        t->told_origin = tick;
        t->told_end = ns;
    }
    return windows ? prvcut_buffer_printf(&t->windows, err, "%.*s ", (int)strcspn(windows, "\"\n"),
                                          windows)
                   : PRVCUT_OK;
}

bool otf_definition_sound(const char *line)
{
    bool long_form;
    const char *p = line;
    const enum otf_definition what = otf_definition_of(&p, &long_form);
    struct fields f;

    if (*line != 'D')
        return otf_is_letter(*line) || *line == '\n' || *line == '\r' || *line == '#';
    if (what == OTF_DEF_OTHER || what == OTF_DEF_SAMPLE_POINT)
        return true;
    if (!def_read_fields(p, &f))
        return false;
    if (what == OTF_DEF_RESOLUTION)
        return f.number > 0 && f.number <= OTF_RESOLUTION_MOST;
    return what == OTF_DEF_RANGE || def_ids_fit(&f);
}

static enum prvcut_status def_define(struct reading *d, const char *p, struct prvcut_error *err)
{
    struct otf_trace *t = d->trace;
    const char *line = p;
    bool long_form;
    const enum otf_definition what = otf_definition_of(&p, &long_form);
    const char *name = "";
    struct fields f;
    enum prvcut_status st = PRVCUT_OK;

    t->long_form = t->long_form || long_form;
    st = def_take_told(t, line, err);
    if (st < 0 || what == OTF_DEF_OTHER || what == OTF_DEF_SAMPLE_POINT)
        return st;
    if (!def_read_fields(p, &f))
        return def_damaged(d, "a definition with a field that is missing or no number", err);
    if (f.has_name)
        st = def_keep_text(d, &f.name, &name, err);
    if (st < 0)
        return st;
    if (what == OTF_DEF_RESOLUTION) {
        if (f.number == 0 || f.number > OTF_RESOLUTION_MOST)
            return def_damaged(d, "a clock with such a number of ticks in a second cannot be", err);
        t->resolution = f.number;
        return PRVCUT_OK;
    }
    if (what == OTF_DEF_RANGE) {
        if (f.time >= f.number) {
            t->range_min = f.number;
            t->range_max = f.time;
        }
        return PRVCUT_OK;
    }
    if (!def_ids_fit(&f))
        return def_damaged(d, "an id that needs more than 32 bits", err);
    if (what == OTF_DEF_SITE)
        return def_define_site(d, &f, err);
    if (what == OTF_DEF_SITE_FILE)
        return def_define_site_file(d, &f, name, err);
    if (what == OTF_DEF_GROUP || what == OTF_DEF_FUNCTION_GROUP)
        return def_define_group(d, &f, what == OTF_DEF_FUNCTION_GROUP, name, err);
    return what == OTF_DEF_COUNTER ? def_define_counter(d, &f, name, err)
                                   : def_define_name(d, what, &f, name, err);
}

static enum prvcut_status def_define_line(struct reading *d, const char *p,
                                          struct prvcut_error *err)
{
    d->line++;
    if (*p == 'D')
        return def_define(d, p, err);
    if (otf_is_letter(*p) || *p == '\n' || *p == '\r' || *p == '#')
        return PRVCUT_OK;
    return def_damaged(d, "a line that is no definition", err);
}

static enum prvcut_status def_read_file(struct reading *d, const char *path, bool packed,
                                        struct prvcut_error *err)
{
    struct otf_lines x;
    enum prvcut_status st = otf_lines_open(&x, path, packed, 0, err);

    x.damage_ends = false;
    d->path = path;
    d->line = 0;
    while (st == PRVCUT_OK && (st = otf_lines_line(&x, err)) == PRVCUT_OK)
        st = def_define_line(d, x.first, err);
    if (x.cut_short && st == PRVCUT_END) {
        d->line++;
        st = def_damaged(d, "the last line has no line end: the file was cut short", err);
    }
    otf_lines_close(&x);
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static int def_by_id(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* All of them begin with their id. */
static enum prvcut_status def_sort_names(struct otf_names *n, struct prvcut_error *err)
{
    if (n->regions > 0)
        qsort(n->region, n->regions, sizeof *n->region, def_by_id);
    if (n->counters > 0)
        qsort(n->counter, n->counters, sizeof *n->counter, def_by_id);
    if (n->operations > 0)
        qsort(n->operation, n->operations, sizeof *n->operation, def_by_id);
    if (n->site_files > 0)
        qsort(n->site_file, n->site_files, sizeof *n->site_file, def_by_id);
    if (n->regions > 0 && n->region[n->regions - 1].id >= DIRECT_MOST)
        return PRVCUT_OK;
    n->directs = n->regions > 0 ? (size_t)n->region[n->regions - 1].id + 1 : 1;
    n->direct = prvcut_zeroed(n->directs, sizeof *n->direct, "functions", err);
    if (!n->direct)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < n->regions; i++)
        n->direct[n->region[i].id] = (uint32_t)i + 1;
    return PRVCUT_OK;
}

void otf_names_fini(struct otf_names *n)
{
    free(n->region);
    free(n->counter);
    free(n->operation);
    free(n->site);
    free(n->site_file);
    free(n->direct);
    *n = (struct otf_names){ 0 };
}

static int def_by_process(const void *a, const void *b)
{
    const struct otf_process *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

static int def_by_parent_id(const void *a, const void *b)
{
    const struct parent *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Processes that are defined but in no stream hold others, or nothing. */
static enum prvcut_status def_merge_processes(struct reading *d, struct prvcut_error *err)
{
    struct otf_trace *t = d->trace;
    const uint32_t listed = t->processes;
    void *at;

    at =
        prvcut_resized(t->process, listed + d->processes + 1, sizeof *t->process, "processes", err);
    if (!at)
        return PRVCUT_ENOMEM;
    t->process = at;
    if (d->processes > 0)
        qsort(d->process, d->processes, sizeof *d->process, def_by_parent_id);
    for (size_t i = 0, k = 0; i < d->processes; i++) {
        const struct parent *p = &d->process[i];
        struct otf_process *to;

        if (i + 1 < d->processes && d->process[i + 1].id == p->id)
            continue;
        while (k < listed && t->process[k].id < p->id)
            k++;
        to = k < listed && t->process[k].id == p->id ? &t->process[k] : &t->process[t->processes];
        if (to == &t->process[t->processes]) {
            *to = (struct otf_process){ .id = p->id, .thread = OTF_NONE, .stream = OTF_NONE };
            t->processes++;
        }
        to->parent = p->parent;
        to->name = p->name;
    }
    qsort(t->process, t->processes, sizeof *t->process, def_by_process);
    return PRVCUT_OK;
}

static bool def_is_gtg(const struct reading *d)
{
    return d->function_groups == 1 && strcmp(d->function_group[0].name, "Thread State") == 0;
}

/* A function's group number becomes the number of the group's name, so that all files agree. */
static enum prvcut_status def_name_groups(struct reading *d, struct otf_names *n,
                                          struct prvcut_error *err)
{
    if (d->function_groups > 0)
        qsort(d->function_group, d->function_groups, sizeof *d->function_group, def_by_id);
    for (size_t i = 0; i < n->regions; i++) {
        const struct otf_group *g =
            prvcut_find_u32(d->function_group, d->function_groups, sizeof *d->function_group,
                            offsetof(struct otf_group, id), n->region[i].group);
        const char *name = g ? g->name : "";
        size_t number;
        enum prvcut_status st = otf_word(d->trace->words, name, strlen(name), NULL, &number, err);

        if (st < 0)
            return st;
        n->region[i].group = (uint32_t)number;
    }
    return PRVCUT_OK;
}

static enum prvcut_status def_read_all(struct reading *d, struct prvcut_error *err)
{
    struct otf_trace *t = d->trace;
    enum prvcut_status st = PRVCUT_OK;

    d->names = &t->names;
    if (t->definitions)
        st = def_read_file(d, t->definitions, t->definitions_packed, err);
    if (st == PRVCUT_OK)
        st = def_name_groups(d, &t->names, err);
    t->gtg = def_is_gtg(d);
    for (uint32_t i = 0; i < t->streams && st == PRVCUT_OK; i++) {
        struct otf_stream *s = &t->stream[i];
        const size_t length = s->definitions ? strlen(s->definitions) : 0;

        if (!s->definitions)
            continue;
        s->names = prvcut_zeroed(1, sizeof *s->names, "definitions", err);
        if (!s->names)
            return PRVCUT_ENOMEM;
        d->names = s->names;
        d->function_groups = 0;
        st = def_read_file(d, s->definitions, length > 2 && s->definitions[length - 1] == 'z', err);
        if (st == PRVCUT_OK)
            st = def_name_groups(d, s->names, err);
        if (st == PRVCUT_OK)
            st = def_sort_names(s->names, err);
    }
    if (st == PRVCUT_OK)
        st = def_sort_names(&t->names, err);
    if (st == PRVCUT_OK)
        st = def_merge_processes(d, err);
    return st;
}

enum prvcut_status otf_definitions_read(struct otf_trace *t, struct prvcut_error *err)
{
    struct reading d = { .trace = t };
    enum prvcut_status st = def_read_all(&d, err);

    if (st == PRVCUT_OK && t->resolution == 0) {
        st = prvcut_fail(err, PRVCUT_EFORMAT,
                         "%s: does not tell how many ticks of the clock are a second",
                         t->definitions);
    }
    if (st == PRVCUT_OK)
        st = otf_objects_make(t, d.group, d.groups, d.member, err);
    if (st == PRVCUT_OK)
        st = otf_classify(t, err);
    free(d.process);
    free(d.group);
    free(d.member);
    free(d.function_group);
    prvcut_buffer_fini(&d.text);
    return st;
}
