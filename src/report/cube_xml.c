#include "report/cube_inner.h"

#include "report/svg.h"

#include <inttypes.h>

/* Of what goes on to an output, so much at once. */
#define CUBE_XML_PIECE ((size_t)1 << 16)

/* --- Elements --------------------------------------------------------------------------------- */

void cube_xml_init(struct cube_xml *x, struct prvcut_output *output, struct prvcut_error *err)
{
    *x = (struct cube_xml){ .output = output, .l = { .err = err }, .clean = { .err = err } };
    report_put(&x->l, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

void cube_xml_fini(struct cube_xml *x)
{
    prvcut_buffer_fini(&x->l.out);
    prvcut_buffer_fini(&x->clean.out);
}

enum prvcut_status cube_xml_flush(struct cube_xml *x)
{
    if (x->output && x->l.st == PRVCUT_OK) {
        x->l.st = prvcut_output_write(x->output, x->l.out.at, x->l.out.count, x->l.err);
        x->l.out.count = 0;
    }
    return x->l.st;
}

static void cube_xml_end_tag(struct cube_xml *x, const char *end)
{
    if (x->tag)
        report_put(&x->l, "%s", end);
    x->tag = false;
}

void cube_xml_open(struct cube_xml *x, const char *element)
{
    if (x->output && x->l.out.count > CUBE_XML_PIECE)
        cube_xml_flush(x);
    cube_xml_end_tag(x, ">\n");
    report_put(&x->l, "<%s", element);
    x->tag = true;
}

void cube_xml_close(struct cube_xml *x, const char *element)
{
    cube_xml_end_tag(x, ">");
    report_put(&x->l, "</%s>\n", element);
}

void cube_xml_close_empty(struct cube_xml *x)
{
    cube_xml_end_tag(x, "/>\n");
}

/* A text without what XML cannot hold, its markup escaped in ways that CUBE's reader knows. */
static void cube_xml_put(struct cube_xml *x, const char *text)
{
    static const char *const escape[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"
    };
    const unsigned char *c;

    x->clean.out.count = 0;
    svg_put_plain(&x->clean, text ? text : "");
    if (x->clean.st == PRVCUT_OK)
        x->clean.st = prvcut_buffer_append(&x->clean.out, "", 1, x->clean.err);
    if (x->l.st == PRVCUT_OK)
        x->l.st = x->clean.st;
    if (x->l.st < 0)
        return;
    for (c = (const unsigned char *)x->clean.out.at; *c; c++)
        if (*c < sizeof escape / sizeof *escape && escape[*c])
            report_put(&x->l, "%s", escape[*c]);
        else
            report_put(&x->l, "%c", *c);
}

void cube_xml_attribute(struct cube_xml *x, const char *name, const char *value)
{
    report_put(&x->l, " %s=\"", name);
    cube_xml_put(x, value);
    report_put(&x->l, "\"");
}

void cube_xml_number(struct cube_xml *x, const char *name, uint32_t value)
{
    report_put(&x->l, " %s=\"%" PRIu32 "\"", name, value);
}

void cube_xml_text(struct cube_xml *x, const char *element, const char *text)
{
    cube_xml_open(x, element);
    cube_xml_end_tag(x, ">");
    cube_xml_put(x, text);
    cube_xml_close(x, element);
}

void cube_xml_raw(struct cube_xml *x, const char *text)
{
    cube_xml_end_tag(x, ">");
    report_put(&x->l, "%s", text);
}

/* --- Metrics and calls ------------------------------------------------------------------------ */

static void cube_xml_metric(struct cube_xml *x, const struct report_cube_metric *m, uint32_t id,
                            enum report_cube_form form)
{
    cube_xml_open(x, "metric");
    cube_xml_number(x, "id", id);
    if (form == REPORT_CUBE_4)
        cube_xml_attribute(x, "type", "EXCLUSIVE");
    cube_xml_text(x, "disp_name", m->display);
    cube_xml_text(x, "uniq_name", m->unique);
    cube_xml_text(x, "dtype", form == REPORT_CUBE_4 ? "DOUBLE" : "FLOAT");
    cube_xml_text(x, "uom", m->unit);
    cube_xml_text(x, "url", NULL);
    cube_xml_text(x, "descr", m->text);
}

static void cube_xml_path(struct cube_xml *x, const struct report_cube_path *p, uint32_t id,
                          enum report_cube_form form)
{
    (void)form;
    cube_xml_open(x, "cnode");
    cube_xml_number(x, "id", id);
    cube_xml_number(x, "calleeId", p->region);
}

static void cube_xml_region(struct cube_xml *x, const struct report_cube_region *r, uint32_t id,
                            enum report_cube_form form)
{
    cube_xml_open(x, "region");
    cube_xml_number(x, "id", id);
    cube_xml_attribute(x, "mod", r->file);
    cube_xml_attribute(x, "begin", "-1");
    cube_xml_attribute(x, "end", "-1");
    cube_xml_text(x, "name", r->name);
    if (form == REPORT_CUBE_4) {
        cube_xml_text(x, "mangled_name", r->name);
        cube_xml_text(x, "paradigm", r->paradigm ? r->paradigm : "unknown");
        cube_xml_text(x, "role", "function");
    }
    cube_xml_text(x, "url", NULL);
    cube_xml_text(x, "descr", NULL);
    cube_xml_close(x, "region");
}

/* Close those of a tree that do not hold who stands at `place`. */
static void cube_xml_climb(struct cube_xml *x, const struct cube_order *o, uint32_t place,
                           const char *element)
{
    const uint32_t to = place < o->count ? o->depth[place] : 0;

    for (uint32_t d = place > 0 ? o->depth[place - 1] + 1 : 0; d > to; d--)
        cube_xml_close(x, element);
}

static void cube_xml_metrics(struct cube_xml *x, const struct cube_job *j,
                             enum report_cube_form form)
{
    const struct cube_order *o = &j->metrics;

    cube_xml_open(x, "metrics");
    for (uint32_t i = 0; i <= o->count && x->l.st == PRVCUT_OK; i++) {
        cube_xml_climb(x, o, i, "metric");
        if (i < o->count)
            cube_xml_metric(x, &j->of->metric[o->at[i]], i, form);
    }
    cube_xml_close(x, "metrics");
}

static void cube_xml_program(struct cube_xml *x, const struct cube_job *j,
                             enum report_cube_form form)
{
    const struct cube_order *o = &j->paths;

    cube_xml_open(x, "program");
    for (uint32_t i = 0; i < j->of->regions && x->l.st == PRVCUT_OK; i++)
        cube_xml_region(x, &j->of->region[i], i, form);
    for (uint32_t i = 0; i <= o->count && x->l.st == PRVCUT_OK; i++) {
        cube_xml_climb(x, o, i, "cnode");
        if (i < o->count)
            cube_xml_path(x, &j->of->path[o->at[i]], i, form);
    }
    cube_xml_close(x, "program");
}

static void cube_xml_attr(struct cube_xml *x, const char *key, const char *value)
{
    cube_xml_open(x, "attr");
    cube_xml_attribute(x, "key", key);
    cube_xml_attribute(x, "value", value);
    cube_xml_close_empty(x);
}

void cube_xml_begin(struct cube_xml *x, const struct cube_job *j, enum report_cube_form form)
{
    cube_xml_open(x, "cube");
    cube_xml_attribute(x, "version", form == REPORT_CUBE_4 ? "4.4" : "3.0");
    cube_xml_attr(x, "Creator", "prvcut " PRVCUT_VERSION);
    if (j->of->of)
        cube_xml_attr(x, "Trace", j->of->of);
    cube_xml_open(x, "doc");
    cube_xml_open(x, "mirrors");
    cube_xml_close(x, "mirrors");
    cube_xml_close(x, "doc");
    cube_xml_metrics(x, j, form);
    cube_xml_program(x, j, form);
}
