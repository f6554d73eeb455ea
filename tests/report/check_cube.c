#include "report/cube.h"

#include "model/batch.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#define NONE PRVCUT_NOBODY

/* --- Reading back, as CUBE does ----------------------------------------------------------------
 */

static char *slurp(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(8u << 20);

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(bytes);
    *count = fread(bytes, 1, 8u << 20, file);
    ck_assert_uint_lt(*count, 8u << 20);
    fclose(file);
    return bytes;
}

struct member {
    char name[101];
    const char *at;
    size_t size;
};

/* From header to header as CUBE's reader steps: no tar program, it takes one more block where a
   member fills its last one. */
static size_t members_of(struct member *out, size_t room, const char *tar, size_t count)
{
    size_t n = 0;

    for (size_t at = 0; at + 512 <= count && tar[at];) {
        char octal[13] = "";

        ck_assert_uint_lt(n, room);
        ck_assert(memcmp(tar + at + 257,
                         "ustar\0"
                         "00",
                         8) == 0);
        ck_assert_int_eq(tar[at + 156], '0');
        memcpy(octal, tar + at + 124, 12);
        memcpy(out[n].name, tar + at, 100);
        out[n].name[100] = '\0';
        out[n].size = strtoul(octal, NULL, 8);
        out[n].at = tar + at + 512;
        ck_assert_uint_ne(out[n].size % 512, 0);
        at += 512 + (out[n].size / 512 + 1) * 512;
        ck_assert_uint_le(at, count);
        n++;
    }
    return n;
}

static uint32_t little(const char *at)
{
    uint32_t value = 0;

    for (int i = 3; i >= 0; i--)
        value = value << 8 | (unsigned char)at[i];
    return value;
}

/* A report that was read. */
struct book {
    char *tar;
    struct member member[64];
    size_t members;
    xmlDocPtr xml;
    xmlXPathContextPtr path;
};

static void book_parse(struct book *b, const char *text, size_t count)
{
    b->xml = xmlReadMemory(text, (int)count, NULL, NULL, XML_PARSE_NONET);
    ck_assert_ptr_nonnull(b->xml);
    b->path = xmlXPathNewContext(b->xml);
    ck_assert_ptr_nonnull(b->path);
}

static void book_open(struct book *b, const char *path)
{
    size_t count;

    *b = (struct book){ .tar = slurp(path, &count) };
    if (!strstr(path, ".cubex")) {
        book_parse(b, b->tar, count);
        return;
    }
    b->members = members_of(b->member, 64, b->tar, count);
    ck_assert_uint_gt(b->members, 0);
    ck_assert_str_eq(b->member[b->members - 1].name, "anchor.xml");
    book_parse(b, b->member[b->members - 1].at, b->member[b->members - 1].size);
}

static void book_close(struct book *b)
{
    xmlXPathFreeContext(b->path);
    xmlFreeDoc(b->xml);
    xmlCleanupParser();
    free(b->tar);
}

static double book_number(struct book *b, const char *xpath)
{
    xmlXPathObjectPtr o = xmlXPathEval((const xmlChar *)xpath, b->path);
    double x;

    ck_assert_ptr_nonnull(o);
    x = xmlXPathCastToNumber(o);
    xmlXPathFreeObject(o);
    return x;
}

static void book_expect(struct book *b, const char *xpath, const char *value)
{
    xmlXPathObjectPtr o = xmlXPathEval((const xmlChar *)xpath, b->path);
    xmlChar *text;

    ck_assert_ptr_nonnull(o);
    text = xmlXPathCastToString(o);
    ck_assert_msg(strcmp((char *)text, value) == 0, "%s: '%s', not '%s'", xpath, (char *)text,
                  value);
    xmlFree(text);
    xmlXPathFreeObject(o);
}

static const struct member *book_member(const struct book *b, uint32_t metric, const char *suffix)
{
    char name[32];

    snprintf(name, sizeof name, "%u.%s", metric, suffix);
    for (size_t i = 0; i < b->members; i++)
        if (strcmp(b->member[i].name, name) == 0)
            return &b->member[i];
    ck_abort_msg("no member %s", name);
}

/* A value by the ids of the XML; call paths stand in the order of their ids. */
static double book_value(const struct book *b, uint32_t metric, uint32_t path, uint32_t thread,
                         size_t threads)
{
    const struct member *index = book_member(b, metric, "index");
    const struct member *data = book_member(b, metric, "data");
    const uint32_t rows = little(index->at + 18);
    double x = 0;

    ck_assert(memcmp(index->at, "CUBEX.INDEX", 11) == 0);
    ck_assert_uint_eq(little(index->at + 11), 1);
    ck_assert(memcmp(index->at + 15, "\0\0\1", 3) == 0);
    ck_assert_uint_eq(index->size, 22 + 4 * rows);
    ck_assert(memcmp(data->at, "CUBEX.DATA", 10) == 0);
    ck_assert_uint_eq(data->size, 10 + 8 * rows * threads);
    for (uint32_t i = 0; i < rows; i++) {
        ck_assert(i == 0 || little(index->at + 22 + 4 * i) > little(index->at + 18 + 4 * i));
        if (little(index->at + 22 + 4 * i) == path)
            memcpy(&x, data->at + 10 + 8 * (i * threads + thread), sizeof x);
    }
    return x;
}

/* --- What is written ----------------------------------------------------------------------------
 */

static void write_cube(const struct report_cube *c, const char *path)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(report_cube_write(c, strstr(path, ".cubex") ? REPORT_CUBE_4 : REPORT_CUBE_3, path,
                                    true, &err) == PRVCUT_OK,
                  "%s", err.text);
}

static const struct report_cube_metric one_metric[] = { { "time", "Time", "sec", NULL, NONE } };
static const struct report_cube_region one_region[] = { { "main", NULL, "user" } };
static const struct report_cube_path one_path[] = { { 0, NONE } };
static const struct report_cube_process one_process[] = { { 0, 0, NULL } };
static const struct report_cube_thread one_thread[] = { { 0, 0, NULL } };
static const char *const one_node[] = { "n1" };

static struct report_cube least(struct report_cube_cell *cell, size_t cells)
{
    return (struct report_cube){
        .metric = one_metric,
        .metrics = 1,
        .region = one_region,
        .regions = 1,
        .path = one_path,
        .paths = 1,
        .node = one_node,
        .nodes = 1,
        .process = one_process,
        .processes = 1,
        .thread = one_thread,
        .threads = 1,
        .cell = cell,
        .cells = cells,
    };
}

START_TEST(test_write_least_report_holds_its_value)
{
    struct report_cube_cell cell[] = { { 0, 0, 0, 0.1 } };
    const struct report_cube c = least(cell, 1);
    struct book b;

    write_cube(&c, "a.cubex");
    book_open(&b, "a.cubex");
    ck_assert_uint_eq(b.members, 3);
    ck_assert(book_value(&b, 0, 0, 0, 1) == 0.1);
    book_expect(&b, "/cube/@version", "4.4");
    book_expect(&b, "//metric/@type", "EXCLUSIVE");
    book_expect(&b, "//location/name", "thread 0");
    book_expect(&b, "//locationgroup/name", "MPI Rank 0");
    book_expect(&b, "//region/paradigm", "user");
    book_close(&b);
    write_cube(&c, "a.cube");
    book_open(&b, "a.cube");
    book_expect(&b, "/cube/@version", "3.0");
    book_expect(&b, "normalize-space(/cube/severity/matrix[@metricId=0]/row[@cnodeId=0])", "0.1");
    book_expect(&b, "/cube/system/machine/node/process/thread/rank", "0");
    book_close(&b);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

START_TEST(test_write_report_without_values_is_sound)
{
    const struct report_cube c = least(NULL, 0);
    struct book b;

    write_cube(&c, "a.cubex");
    book_open(&b, "a.cubex");
    ck_assert(book_value(&b, 0, 0, 0, 1) == 0);
    book_close(&b);
    write_cube(&c, "a.cube");
    book_open(&b, "a.cube");
    ck_assert(book_number(&b, "count(//matrix)") == 0);
    book_close(&b);
}
END_TEST

/* Bytes of the anchor where the region's file has a name of so many. */
static size_t anchor_of(size_t length)
{
    char name[600];
    struct report_cube_region in_file[] = { { "main", name, NULL } };
    struct report_cube_cell cell[] = { { 0, 0, 0, 7 } };
    struct report_cube c = least(cell, 1);
    struct book b;
    size_t size;

    ck_assert_uint_lt(length, sizeof name);
    memset(name, 'x', sizeof name);
    name[length] = '\0';
    c.region = in_file;
    write_cube(&c, "a.cubex");
    book_open(&b, "a.cubex");
    ck_assert(book_value(&b, 0, 0, 0, 1) == 7);
    size = b.member[b.members - 1].size;
    book_close(&b);
    return size;
}

START_TEST(test_write_anchor_fills_no_block)
{
    const size_t size = anchor_of(0), fill = 512 - size % 512;

    ck_assert_uint_eq(anchor_of(fill - 1), size + fill - 1);
    ck_assert_uint_eq(anchor_of(fill), size + fill + 1);
    ck_assert_uint_eq(anchor_of(fill + 1), size + fill + 1);
}
END_TEST

/* 64 ranks of 2 threads on 4 nodes, a call tree whose children are told in turns, metrics in two
   levels; the truth is kept beside. */
#define RANKS 64
#define PATHS 40

static struct report_cube_region region[PATHS];
static char region_name[PATHS][16];
static struct report_cube_path path[PATHS];
static struct report_cube_process process[RANKS];
static struct report_cube_thread thread[2 * RANKS];
static const char *const nodes[] = { "n1", "n2", "n3", "n4" };
static const struct report_cube_metric metrics[] = {
    { "time", "Time", "sec", "All of it", NONE },
    { "visits", "Visits", "occ", NULL, NONE },
    { "mpi", "MPI", "sec", NULL, 0 },
    { "empty", "Nothing", "bytes", NULL, 1 },
    { "p2p", "Point to point", "sec", NULL, 2 },
};
static struct report_cube_cell cells_told[5 * PATHS * RANKS], cells_kept[5 * PATHS * RANKS];
static double truth[5][PATHS][2 * RANKS];

static struct report_cube large(uint64_t seed)
{
    size_t n = 0;

    memset(truth, 0, sizeof truth);
    for (uint32_t i = 0; i < PATHS; i++) {
        snprintf(region_name[i], sizeof region_name[i], "f%u", i);
        region[i] = (struct report_cube_region){ region_name[i], "a.c", "mpi" };
        path[i] = (struct report_cube_path){ i, i == 0 || i == 17 ? NONE : i / 3 };
    }
    for (uint32_t i = 0; i < RANKS; i++)
        process[i] = (struct report_cube_process){ i % 4, i, NULL };
    for (uint32_t i = 0; i < 2 * RANKS; i++)
        thread[i] = (struct report_cube_thread){ i % RANKS, i / RANKS, NULL };
    while (n < sizeof cells_told / sizeof *cells_told) {
        const struct report_cube_cell c = { (uint32_t[]){ 0, 1, 2, 4 }[scratch_random(&seed) % 4],
                                            (uint32_t)(scratch_random(&seed) % PATHS),
                                            (uint32_t)(scratch_random(&seed) % (2 * RANKS)),
                                            (double)(scratch_random(&seed) % 1000) };

        cells_told[n++] = c;
        truth[c.metric][c.path][c.thread] += c.value;
    }
    return (struct report_cube){ .metric = metrics,
                                 .metrics = 5,
                                 .region = region,
                                 .regions = PATHS,
                                 .path = path,
                                 .paths = PATHS,
                                 .machine = "m",
                                 .node = nodes,
                                 .nodes = 4,
                                 .process = process,
                                 .processes = RANKS,
                                 .thread = thread,
                                 .threads = 2 * RANKS,
                                 .cell = cells_told,
                                 .cells = n };
}

/* A number of the XML, with $n for a path of the description, whose region is its own. */
static uint32_t id_of(struct book *b, const char *xpath, uint32_t n)
{
    ck_assert_int_eq(xmlXPathRegisterVariable(b->path, (const xmlChar *)"n", xmlXPathNewFloat(n)),
                     0);
    return (uint32_t)book_number(b, xpath);
}

START_TEST(test_write_large_report_holds_every_value)
{
    const struct report_cube c = large((uint64_t)_i);
    uint32_t metric_id[5];
    struct book b;

    write_cube(&c, "a.cubex");
    book_open(&b, "a.cubex");
    for (uint32_t m = 0; m < 5; m++) {
        char xpath[64];

        snprintf(xpath, sizeof xpath, "//metric[uniq_name='%s']/@id", metrics[m].unique);
        metric_id[m] = (uint32_t)book_number(&b, xpath);
    }
    for (uint32_t p = 0; p < PATHS; p++) {
        const uint32_t id = id_of(&b, "//cnode[@calleeId=$n]/@id", p);

        /* A position in the document, before its children; under its parent. */
        ck_assert_uint_eq(id, id_of(&b,
                                    "count(//cnode[@calleeId=$n]/preceding::cnode | "
                                    "//cnode[@calleeId=$n]/ancestor::cnode)",
                                    p));
        if (path[p].parent != NONE)
            ck_assert_uint_eq(id_of(&b, "//cnode[@calleeId=$n]/../@calleeId", p), path[p].parent);
        for (uint32_t m = 0; m < 5; m++)
            for (uint32_t t = 0; t < 2 * RANKS; t++)
                ck_assert(book_value(&b, metric_id[m], id, t, 2 * RANKS) == truth[m][p][t]);
    }
    ck_assert(book_number(&b, "count(/cube/program/cnode)") == 2);
    book_expect(&b, "//metric[uniq_name='p2p']/../uniq_name", "mpi");
    ck_assert(book_number(&b, "count(//locationgroup)") == RANKS);
    ck_assert(book_number(&b, "count(//systemtreenode[name='n2']/locationgroup)") == RANKS / 4);
    ck_assert(book_number(&b, "count(//locationgroup[rank=9]/location)") == 2);
    book_close(&b);
}
END_TEST

START_TEST(test_write_text_report_holds_the_same)
{
    const struct report_cube c = large(3);
    struct book b;

    write_cube(&c, "a.cube");
    book_open(&b, "a.cube");
    for (uint32_t p = 0; p < PATHS; p++) {
        char xpath[128], *at;
        xmlXPathObjectPtr o;
        xmlChar *row;

        snprintf(xpath, sizeof xpath,
                 "//matrix[@metricId=0]/row[@cnodeId=//cnode[@calleeId=%u]/@id]", p);
        o = xmlXPathEval((const xmlChar *)xpath, b.path);
        row = xmlXPathCastToString(o);
        at = (char *)row;
        for (uint32_t t = 0; t < 2 * RANKS; t++)
            ck_assert(strtod(at, &at) == truth[0][p][t]);
        ck_assert_str_eq(at, "\n");
        xmlFree(row);
        xmlXPathFreeObject(o);
    }
    ck_assert(book_number(&b, "count(/cube/system/machine/node/process/thread)") == 2 * RANKS);
    book_close(&b);
}
END_TEST

START_TEST(test_write_same_report_gives_same_bytes)
{
    struct report_cube c = large(5);
    size_t count, again;
    char *first, *second;

    write_cube(&c, "a.cubex");
    c = large(5);
    for (size_t i = 0; i < c.cells / 2; i++) {
        const struct report_cube_cell x = c.cell[i];

        c.cell[i] = c.cell[c.cells - 1 - i];
        c.cell[c.cells - 1 - i] = x;
    }
    write_cube(&c, "b.cubex");
    first = slurp("a.cubex", &count);
    second = slurp("b.cubex", &again);
    ck_assert_uint_eq(count, again);
    ck_assert(memcmp(first, second, count) == 0);
    free(first);
    free(second);
}
END_TEST

/* The same, asked for metric by metric. */
struct giving {
    const struct report_cube *of;
    struct report_cube_cell cell[5 * PATHS * RANKS];
    uint32_t asked; /* bits */
};

static enum prvcut_status give_metric(void *ctx, uint32_t metric, struct report_cube_cell **cell,
                                      size_t *cells, struct prvcut_error *err)
{
    struct giving *g = ctx;

    if (g->asked >> metric & 1)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%u is asked for twice", metric);
    g->asked |= 1u << metric;
    *cells = 0;
    for (size_t i = 0; i < sizeof cells_kept / sizeof *cells_kept; i++)
        if (cells_kept[i].metric == metric)
            g->cell[(*cells)++] = cells_kept[i];
    *cell = g->cell;
    return metric == 4 && g->of == NULL ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "no more")
                                        : PRVCUT_OK;
}

START_TEST(test_write_metric_by_metric_gives_same_bytes)
{
    static struct giving g;
    const char *const name[2][2] = { { "a.cubex", "b.cubex" }, { "a.cube", "b.cube" } };

    for (int form = 0; form < 2; form++) {
        struct report_cube c = large(8);
        struct prvcut_error err = { 0 };
        size_t count;
        char *bytes;

        memcpy(cells_kept, cells_told, sizeof cells_kept);
        write_cube(&c, name[form][0]);
        g = (struct giving){ .of = &c };
        c.give = give_metric;
        c.ctx = &g;
        c.cell = NULL;
        c.cells = 0;
        write_cube(&c, name[form][1]);
        ck_assert_uint_eq(g.asked, 31);
        bytes = slurp(name[form][0], &count);
        scratch_expect(name[form][1], bytes, count);
        free(bytes);
        /* What cannot be given fails all of it. */
        g = (struct giving){ .of = NULL };
        ck_assert_int_eq(report_cube_write(&c, (enum report_cube_form)form, "c.cubex", false, &err),
                         PRVCUT_EINTERRUPTED);
        ck_assert_uint_eq(scratch_count(), 2 + 2 * (size_t)form);
    }
}
END_TEST

START_TEST(test_write_foreign_texts_stays_xml)
{
    static const char *const odd_node[] = { "<n> & \"n\" 'n'\r\n" };
    struct report_cube_region odd[] = { { "a\x01<b>\xff&\xc3\xa9", "\"q\"", NULL } };
    struct report_cube_cell cell[] = { { 0, 0, 0, 1 } };
    struct report_cube c = least(cell, 1);

    c.region = odd;
    c.node = odd_node;
    c.of = "x & y";
    for (int i = 0; i < 2; i++) {
        struct book b;

        write_cube(&c, i == 0 ? "a.cubex" : "a.cube");
        book_open(&b, i == 0 ? "a.cubex" : "a.cube");
        book_expect(&b, "//region/name", "a\xef\xbf\xbd<b>\xef\xbf\xbd&\xc3\xa9");
        book_expect(&b, "//region/@mod", "\"q\"");
        book_expect(&b, i == 0 ? "//systemtreenode[class='node']/name" : "//node/name",
                    "<n> & \"n\" 'n'  ");
        book_expect(&b, "/cube/attr[@key='Trace']/@value", "x & y");
        book_close(&b);
    }
}
END_TEST

START_TEST(test_write_topology_tells_places)
{
    static const struct report_cube_dimension dimension[] = { { "x", 2, true }, { "y", 3, false } };
    static const uint32_t at[] = { 1, 2 };
    const struct report_cube_topology topology = { "grid", dimension, 2, at };
    struct report_cube c = least(NULL, 0);
    struct book b;

    c.topology = &topology;
    c.topologies = 1;
    write_cube(&c, "a.cubex");
    book_open(&b, "a.cubex");
    book_expect(&b, "/cube/system/topologies/cart/@ndims", "2");
    book_expect(&b, "//dim[1]/@periodic", "true");
    book_expect(&b, "//dim[2]/@size", "3");
    book_expect(&b, "//coord[@locId=0]", "1 2");
    book_close(&b);
}
END_TEST

START_TEST(test_write_report_fails_whole)
{
    const struct report_cube c = least(NULL, 0);

    scratch_write("a.cubex", "kept", 4);
    for (int form = REPORT_CUBE_4; form <= REPORT_CUBE_3; form++) {
        struct prvcut_error err = { 0 };

        ck_assert_int_eq(report_cube_write(&c, (enum report_cube_form)form, "a.cubex", false, &err),
                         PRVCUT_EEXIST);
        err.status = PRVCUT_OK;
        ck_assert_int_eq(
            report_cube_write(&c, (enum report_cube_form)form, "no/a.cubex", false, &err),
            PRVCUT_EIO);
        err.status = PRVCUT_OK;
        ck_assert_int_eq(
            report_cube_write(&c, (enum report_cube_form)form, "/dev/full", true, &err),
            PRVCUT_EIO);
    }
    scratch_expect("a.cubex", "kept", 4);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

static Suite *cube_suite(void)
{
    Suite *s = suite_create("cube");
    TCase *t = tcase_create("cube");

    scratch_fixtures(t);
    tcase_add_test(t, test_write_least_report_holds_its_value);
    tcase_add_test(t, test_write_report_without_values_is_sound);
    tcase_add_test(t, test_write_anchor_fills_no_block);
    tcase_add_loop_test(t, test_write_large_report_holds_every_value, 0, 2);
    tcase_add_test(t, test_write_text_report_holds_the_same);
    tcase_add_test(t, test_write_same_report_gives_same_bytes);
    tcase_add_test(t, test_write_metric_by_metric_gives_same_bytes);
    tcase_add_test(t, test_write_foreign_texts_stays_xml);
    tcase_add_test(t, test_write_topology_tells_places);
    tcase_add_test(t, test_write_report_fails_whole);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(cube_suite());
}
