#ifndef PRVCUT_REPORT_CUBE_INNER_H
#define PRVCUT_REPORT_CUBE_INNER_H

#include "base/bytes.h"
#include "base/output.h"
#include "report/cube.h"
#include "report/lines.h"

/* What the two forms of a report share. */

/** A tree in the order in which it is written: parents before children, depth first. */
struct cube_order {
    uint32_t *place; /**< [count] of each: its position, which becomes its id */
    uint32_t *at;    /**< [count] who stands at a position */
    uint32_t *depth; /**< [count] of who stands there; roots 0 */
    size_t count;
};

/** A report that is being written. */
struct cube_job {
    const struct report_cube *of;
    struct cube_order metrics, paths;
    struct report_cube_cell *cell; /**< [cells] of the present metric; paths by their places */
    size_t cells;
    double *row; /**< [threads] */
};

/** Cells in the order in which they are written. */
void cube_sort(const struct cube_job *j, struct report_cube_cell *cell, size_t cells);

/** Make a metric, by its place, the present one: its cells are in order. */
enum prvcut_status cube_take_metric(struct cube_job *j, uint32_t metric, struct prvcut_error *err);

/** The row of values that begins at a cell, in j->row; returns where the next one begins. */
size_t cube_row_at(const struct cube_job *j, size_t cell);

/* --- XML -------------------------------------------------------------------------------------- */

/** XML on its way; after the first failure nothing more is written. Written here and not by a
    library, because that of XML loses what it finds no memory for without a word. */
struct cube_xml {
    struct report_lines l;        /**< what has not gone on to the output yet */
    struct prvcut_output *output; /**< where it goes; NULL: all stays in l */
    struct report_lines clean;    /**< a text that XML can hold */
    bool tag;                     /**< the last start tag may still get attributes */
};

/** owns: x is initialised here, released with cube_xml_fini */
void cube_xml_init(struct cube_xml *x, struct prvcut_output *output, struct prvcut_error *err);
void cube_xml_fini(struct cube_xml *x);

/** All that was written so far is where it goes. */
enum prvcut_status cube_xml_flush(struct cube_xml *x);

void cube_xml_open(struct cube_xml *x, const char *element);
/** An end tag, on a line of its own unless the element holds none but a text. */
void cube_xml_close(struct cube_xml *x, const char *element);
/** The element holds nothing, and is closed at once. */
void cube_xml_close_empty(struct cube_xml *x);
void cube_xml_attribute(struct cube_xml *x, const char *name, const char *value);
void cube_xml_number(struct cube_xml *x, const char *name, uint32_t value);
/** An element with a text and nothing else; NULL counts as "". */
void cube_xml_text(struct cube_xml *x, const char *element, const char *text);
/** Text of the open element that needs no cleaning. */
void cube_xml_raw(struct cube_xml *x, const char *text);

/** What stands before the system: attributes, metrics, regions, call tree. */
void cube_xml_begin(struct cube_xml *x, const struct cube_job *j, enum report_cube_form form);

/** Who runs: CUBE 4's elements with topologies, or CUBE 3's. */
void cube_xml_system(struct cube_xml *x, const struct cube_job *j, enum report_cube_form form);

/* --- Forms ------------------------------------------------------------------------------------ */

enum prvcut_status cube_write_archive(struct cube_job *j, struct prvcut_output *out,
                                      struct prvcut_error *err);
enum prvcut_status cube_write_text(struct cube_job *j, struct prvcut_output *out,
                                   struct prvcut_error *err);

#endif
