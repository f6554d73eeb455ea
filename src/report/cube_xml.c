#include "report/cube_inner.h"

#include "base/memory.h"
#include "model/batch.h"
#include "report/svg.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Elements --------------------------------------------------------------------------------- */

static int cube_xml_put(void *ctx, const char *bytes, int count)
{
    struct cube_xml *x = ctx;

    if (x->st == PRVCUT_OK && count > 0)
        x->st = x->output ? prvcut_output_write(x->output, bytes, (size_t)count, x->err)
                          : prvcut_buffer_append(&x->text, bytes, (size_t)count, x->err);
    /* A failure stays here: the library would print it. */
    return count;
}

/* libxml2 fails for want of memory only: texts are clean, elements are closed in order. */
static void cube_xml_done(struct cube_xml *x, int result)
{
    if (result < 0 && x->st == PRVCUT_OK)
        x->st = prvcut_no_memory(x->err, "XML");
}

enum prvcut_status cube_xml_init(struct cube_xml *x, struct prvcut_output *output,
                                 struct prvcut_error *err)
{
    xmlOutputBufferPtr to;

    *x = (struct cube_xml){ .output = output, .err = err, .clean = { .err = err } };
    to = xmlOutputBufferCreateIO(cube_xml_put, NULL, x, NULL);
    x->writer = to ? xmlNewTextWriter(to) : NULL;
    if (!x->writer) {
        if (to)
            xmlOutputBufferClose(to);
        return x->st = prvcut_no_memory(err, "XML");
    }
    cube_xml_done(x, xmlTextWriterSetIndent(x->writer, 1));
    cube_xml_done(x, xmlTextWriterSetIndentString(x->writer, BAD_CAST ""));
    cube_xml_done(x, xmlTextWriterStartDocument(x->writer, NULL, "UTF-8", NULL));
    return x->st;
}

void cube_xml_fini(struct cube_xml *x)
{
    /* What is freed is flushed first, which is of no use after a failure, nor before the end. */
    if (x->writer)
        xmlFreeTextWriter(x->writer);
    prvcut_buffer_fini(&x->text);
    prvcut_buffer_fini(&x->clean.out);
}

enum prvcut_status cube_xml_flush(struct cube_xml *x)
{
    if (x->st == PRVCUT_OK)
        cube_xml_done(x, xmlTextWriterFlush(x->writer));
    return x->st;
}

void cube_xml_open(struct cube_xml *x, const char *element)
{
    if (x->st == PRVCUT_OK)
        cube_xml_done(x, xmlTextWriterStartElement(x->writer, BAD_CAST element));
}

void cube_xml_close(struct cube_xml *x)
{
    if (x->st == PRVCUT_OK)
        cube_xml_done(x, xmlTextWriterFullEndElement(x->writer));
}

void cube_xml_close_empty(struct cube_xml *x)
{
    if (x->st == PRVCUT_OK)
        cube_xml_done(x, xmlTextWriterEndElement(x->writer));
}

/* A text without what XML cannot hold; valid until the next. */
static const xmlChar *cube_xml_clean(struct cube_xml *x, const char *text)
{
    x->clean.out.count = 0;
    svg_put_plain(&x->clean, text ? text : "");
    if (x->clean.st == PRVCUT_OK)
        x->clean.st = prvcut_buffer_append(&x->clean.out, "", 1, x->err);
    if (x->st == PRVCUT_OK)
        x->st = x->clean.st;
    return x->st == PRVCUT_OK ? (const xmlChar *)x->clean.out.at : NULL;
}

void cube_xml_attribute(struct cube_xml *x, const char *name, const char *value)
{
    const xmlChar *clean = cube_xml_clean(x, value);

    if (clean)
        cube_xml_done(x, xmlTextWriterWriteAttribute(x->writer, BAD_CAST name, clean));
}

void cube_xml_number(struct cube_xml *x, const char *name, uint32_t value)
{
    char text[16];

    snprintf(text, sizeof text, "%" PRIu32, value);
    cube_xml_attribute(x, name, text);
}

void cube_xml_text(struct cube_xml *x, const char *element, const char *text)
{
    const xmlChar *clean = cube_xml_clean(x, text);

    cube_xml_open(x, element);
    if (clean)
        cube_xml_done(x, xmlTextWriterWriteString(x->writer, clean));
    cube_xml_close(x);
}

void cube_xml_raw(struct cube_xml *x, const char *text)
{
    if (x->st == PRVCUT_OK)
        cube_xml_done(x, xmlTextWriterWriteRaw(x->writer, BAD_CAST text));
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
    cube_xml_close(x);
}

/* Close those of a tree that do not hold who stands at `place`. */
static void cube_xml_climb(struct cube_xml *x, const struct cube_order *o, uint32_t place)
{
    const uint32_t to = place < o->count ? o->depth[place] : 0;

    for (uint32_t d = place > 0 ? o->depth[place - 1] + 1 : 0; d > to; d--)
        cube_xml_close(x);
}

static void cube_xml_metrics(struct cube_xml *x, const struct cube_job *j,
                             enum report_cube_form form)
{
    const struct cube_order *o = &j->metrics;

    cube_xml_open(x, "metrics");
    for (uint32_t i = 0; i <= o->count && x->st == PRVCUT_OK; i++) {
        cube_xml_climb(x, o, i);
        if (i < o->count)
            cube_xml_metric(x, &j->of->metric[o->at[i]], i, form);
    }
    cube_xml_close(x);
}

static void cube_xml_program(struct cube_xml *x, const struct cube_job *j,
                             enum report_cube_form form)
{
    const struct cube_order *o = &j->paths;

    cube_xml_open(x, "program");
    for (uint32_t i = 0; i < j->of->regions && x->st == PRVCUT_OK; i++)
        cube_xml_region(x, &j->of->region[i], i, form);
    for (uint32_t i = 0; i <= o->count && x->st == PRVCUT_OK; i++) {
        cube_xml_climb(x, o, i);
        if (i < o->count)
            cube_xml_path(x, &j->of->path[o->at[i]], i, form);
    }
    cube_xml_close(x);
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
    cube_xml_close(x);
    cube_xml_close(x);
    cube_xml_metrics(x, j, form);
    cube_xml_program(x, j, form);
}
