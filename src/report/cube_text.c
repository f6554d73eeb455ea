#include "report/cube_inner.h"

/* One row: a value a line, one for each thread. */
static void cube_text_row(struct cube_xml *x, const struct cube_job *j, uint32_t path)
{
    cube_xml_open(x, "row");
    cube_xml_number(x, "cnodeId", path);
    cube_xml_raw(x, "\n");
    for (size_t i = 0; i < j->of->threads; i++) {
        report_put_exact(&x->l, j->row[i], "0");
        report_put(&x->l, "\n");
    }
    cube_xml_close(x, "row");
}

static void cube_text_matrix(struct cube_xml *x, struct cube_job *j, uint32_t metric)
{
    if (x->l.st == PRVCUT_OK)
        x->l.st = cube_take_metric(j, metric, x->l.err);
    if (x->l.st < 0 || j->cells == 0)
        return;
    cube_xml_open(x, "matrix");
    cube_xml_number(x, "metricId", metric);
    for (size_t i = 0; i < j->cells && x->l.st == PRVCUT_OK;) {
        const uint32_t path = j->cell[i].path;

        i = cube_row_at(j, i);
        cube_text_row(x, j, path);
    }
    cube_xml_close(x, "matrix");
}

enum prvcut_status cube_write_text(struct cube_job *j, struct prvcut_output *out,
                                   struct prvcut_error *err)
{
    struct cube_xml x;
    enum prvcut_status st;

    cube_xml_init(&x, out, err);
    cube_xml_begin(&x, j, REPORT_CUBE_3);
    cube_xml_system(&x, j, REPORT_CUBE_3);
    cube_xml_open(&x, "severity");
    for (uint32_t i = 0; i < j->of->metrics; i++)
        cube_text_matrix(&x, j, i);
    cube_xml_close(&x, "severity");
    cube_xml_close(&x, "cube");
    st = cube_xml_flush(&x);
    cube_xml_fini(&x);
    return st;
}
