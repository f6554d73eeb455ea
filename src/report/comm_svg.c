#include "report/comm.h"

#include "report/comm_grid.h"
#include "report/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Fields on a side; of more ranks, several share one. */
#define FIELDS_MOST 128
#define LABELS_MOST 16

#define WIDTH       760
#define HEIGHT      760
#define LEFT        70
#define TOP         90
#define SIDE        640.0
/* px from the last row of fields to the words below */
#define BELOW 18

/* The palest field that is not empty, of the least; where all are about as much, none is pale: the
   scale reaches down to one in so many of the greatest at least. */
#define PALEST 0.12
#define REACH  16.0
/* Fields on a side that have room for what is in them, and how dark one is for white letters. */
#define NUMBERS_MOST 10
#define DARK         0.55
/* Swatches of the scale. */
#define SWATCHES 5
#define SWATCH   14.0

struct cms_map {
    struct report_lines *l;
    struct comm_grid grid;
    double px;    /* of a field */
    double least; /* that the scale begins with */
};

static void cms_attribute(struct report_lines *l, const char *name, double x)
{
    report_put(l, " %s=\"", name);
    svg_put_number(l, x, 2);
    svg_put_raw(l, "\"");
}

static void cms_text(struct report_lines *l, double x, double y, const char *anchor,
                     const char *text)
{
    report_put(l, "<text text-anchor=\"%s\"", anchor);
    cms_attribute(l, "x", x);
    cms_attribute(l, "y", y);
    svg_put_raw(l, ">");
    svg_put_text(l, text);
    svg_put_raw(l, "</text>\n");
}

/* "3", "48 to 63" */
static char *cms_ranks(char out[40], const struct cms_map *map, uint32_t field)
{
    const uint32_t first = field * map->grid.each, end = first + map->grid.each;

    if (map->grid.each == 1)
        snprintf(out, 40, "%" PRIu32, first);
    else
        snprintf(out, 40, "%" PRIu32 " to %" PRIu32, first,
                 (end < map->grid.m->ranks ? end : map->grid.m->ranks) - 1);
    return out;
}

static double cms_value(const struct cms_map *map, size_t at)
{
    return (double)(map->grid.m->bytes > 0 ? map->grid.bytes[at] : map->grid.messages[at]);
}

/* By logarithm, between the least and the greatest. */
static double cms_shade(const struct cms_map *map, double value)
{
    const double past = fmax(value, map->least) / map->least;

    return PALEST + (1 - PALEST) * log(past) / log(map->grid.greatest / map->least);
}

static void cms_scale(struct cms_map *map)
{
    double least = map->grid.greatest / REACH;

    for (size_t i = 0; i < (size_t)map->grid.fields * map->grid.fields; i++)
        if (map->grid.messages[i] > 0)
            least = fmin(least, fmax(cms_value(map, i), 1));
    map->least = least;
}

static const char *cms_amount(char out[32], const struct cms_map *map, double value)
{
    return map->grid.m->bytes > 0 ? prvcut_size_text(out, value) : report_number(out, value);
}

static void cms_number(const struct cms_map *map, uint32_t from, uint32_t to, double value)
{
    char text[32];

    report_put(map->l, "<text text-anchor=\"middle\" style=\"fill:%s\"",
               cms_shade(map, value) >= DARK ? "#ffffff" : "#16191d");
    cms_attribute(map->l, "x", LEFT + (to + 0.5) * map->px);
    cms_attribute(map->l, "y", TOP + (from + 0.5) * map->px + 4);
    report_put(map->l, ">%s</text>\n", cms_amount(text, map, value));
}

static void cms_field(const struct cms_map *map, uint32_t from, uint32_t to)
{
    const size_t at = (size_t)from * map->grid.fields + to;
    const double value = cms_value(map, at);
    char a[40], b[40], count[32], size[32];

    if (map->grid.messages[at] == 0)
        return;
    svg_put_raw(map->l, "<rect class=\"field\"");
    cms_attribute(map->l, "x", LEFT + to * map->px);
    cms_attribute(map->l, "y", TOP + from * map->px);
    cms_attribute(map->l, "width", map->px);
    cms_attribute(map->l, "height", map->px);
    cms_attribute(map->l, "fill-opacity", cms_shade(map, value));
    report_put(map->l, "><title>%s to %s: %s messages, %s</title></rect>\n",
               cms_ranks(a, map, from), cms_ranks(b, map, to),
               report_count(count, map->grid.messages[at]),
               prvcut_size_text(size, (double)map->grid.bytes[at]));
    if (map->grid.fields <= NUMBERS_MOST)
        cms_number(map, from, to, value);
}

static void cms_labels(const struct cms_map *map)
{
    const uint32_t step = (map->grid.fields + LABELS_MOST - 1) / LABELS_MOST;

    for (uint32_t i = 0; i < map->grid.fields; i += step) {
        const double middle = (i + 0.5) * map->px;
        char text[32];

        snprintf(text, sizeof text, "%" PRIu32, i * map->grid.each);
        cms_text(map->l, LEFT + middle, TOP - 6, "middle", text);
        cms_text(map->l, LEFT - 6, TOP + middle + 4, "end", text);
    }
    cms_text(map->l, LEFT + SIDE / 2, TOP - 24, "middle", "to rank");
    report_put(map->l,
               "<text text-anchor=\"middle\" transform=\"translate(20 %d) rotate(-90)\">"
               "from rank</text>\n",
               TOP + (int)(SIDE / 2));
}

static void cms_head(const struct cms_map *map, const char *name)
{
    struct report_lines *l = map->l;
    char shape[80];

    report_put(l,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
               " viewBox=\"0 0 %d %d\" role=\"img\">\n<title>Messages of ",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    svg_put_text(l, name);
    report_put(
        l,
        "</title>\n<style>%s.field,.scale{fill:#005a8f}.frame{fill:none;stroke:#8a929b}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
        "<text class=\"heading\" x=\"%d\" y=\"26\">",
        plot_style, WIDTH, HEIGHT, LEFT);
    svg_put_short(l, name, 60);
    report_put(l, ": %s</text>\n", report_comm_name(shape, map->grid.m));
}

static void cms_foot(const struct cms_map *map)
{
    const double y = TOP + SIDE + BELOW;
    char least[32], most[32], text[160];

    if (map->grid.greatest <= 0) {
        cms_text(map->l, LEFT, y, "start", "no messages between ranks are recorded");
        return;
    }
    for (int i = 0; i < SWATCHES; i++) {
        svg_put_raw(map->l, "<rect class=\"scale\"");
        cms_attribute(map->l, "x", LEFT + i * SWATCH);
        cms_attribute(map->l, "y", y - 10);
        cms_attribute(map->l, "width", SWATCH);
        cms_attribute(map->l, "height", 12);
        cms_attribute(map->l, "fill-opacity", PALEST + (1 - PALEST) * i / (SWATCHES - 1));
        svg_put_raw(map->l, "/>\n");
    }
    snprintf(text, sizeof text, "%s: %s to %s, by logarithm%s",
             map->grid.m->bytes > 0 ? "sent" : "messages",
             cms_amount(least, map, fmax(round(map->least), 1)),
             cms_amount(most, map, map->grid.greatest),
             map->grid.each > 1 ? "; a field holds several ranks" : "");
    cms_text(map->l, LEFT + SWATCHES * SWATCH + 8, y, "start", text);
}

static void cms_draw(const struct cms_map *map, const char *name)
{
    cms_head(map, name);
    for (uint32_t from = 0; from < map->grid.fields; from++)
        for (uint32_t to = 0; to < map->grid.fields; to++)
            cms_field(map, from, to);
    report_put(map->l, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
               LEFT, TOP, (int)SIDE, (int)SIDE);
    cms_labels(map);
    cms_foot(map);
    svg_put_raw(map->l, "</svg>\n");
}

enum prvcut_status prvcut_comm_svg(const struct prvcut_comm *c, char **text,
                                   struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    struct cms_map map = { .l = &l };
    const struct prvcut_comm_matrix *m = prvcut_comm_matrix(c, 0);

    if (!m || m->ranks == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "there are no ranks to draw");
    l.st = comm_grid_init(&map.grid, m, FIELDS_MOST, err);
    if (l.st == PRVCUT_OK) {
        map.px = SIDE / map.grid.fields;
        cms_scale(&map);
        cms_draw(&map, c->name);
    }
    comm_grid_fini(&map.grid);
    return report_take(&l, text);
}
