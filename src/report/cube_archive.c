#include "report/cube_inner.h"

#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CUBE_BLOCK 512
/* A size has eleven octal digits. */
#define CUBE_MEMBER_MOST (((uint64_t)8 << 30) - 1)

#define CUBE_DATA        "CUBEX.DATA"
#define CUBE_INDEX       "CUBEX.INDEX"

/* An archive under way. */
struct cube_tar {
    struct prvcut_output *output;
    struct archive *tar;
    struct prvcut_error *err;
    enum prvcut_status st; /* of the output, which libarchive does not know */
};

static la_ssize_t cube_tar_put(struct archive *tar, void *ctx, const void *bytes, size_t count)
{
    struct cube_tar *t = ctx;

    if (t->st == PRVCUT_OK)
        t->st = prvcut_output_write(t->output, bytes, count, t->err);
    if (t->st == PRVCUT_OK)
        return (la_ssize_t)count;
    archive_set_error(tar, -1, "cannot be written");
    return -1;
}

static enum prvcut_status cube_tar_fail(struct cube_tar *t)
{
    const char *text = t->tar ? archive_error_string(t->tar) : NULL;

    if (t->st < 0)
        return t->st;
    return t->st = prvcut_fail(t->err, PRVCUT_EIO, "archive: %s", text ? text : "cannot be made");
}

/* Readers step over a member by its size in blocks and one more where it fills its last block, so
   that no size may be a multiple of a block. */
static enum prvcut_status cube_tar_header(struct cube_tar *t, const char *name, uint64_t size)
{
    struct archive_entry *e = archive_entry_new();
    int r;

    if (!e)
        return prvcut_no_memory(t->err, "an entry of an archive");
    archive_entry_set_pathname(e, name);
    archive_entry_set_size(e, (la_int64_t)size);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_mtime(e, 0, 0);
    r = archive_write_header(t->tar, e);
    archive_entry_free(e);
    return r == ARCHIVE_OK ? PRVCUT_OK : cube_tar_fail(t);
}

static enum prvcut_status cube_tar_bytes(struct cube_tar *t, const void *bytes, size_t count)
{
    return archive_write_data(t->tar, bytes, count) == (la_ssize_t)count ? PRVCUT_OK
                                                                         : cube_tar_fail(t);
}

static enum prvcut_status cube_tar_member(struct cube_tar *t, const char *name, const void *bytes,
                                          size_t count)
{
    const enum prvcut_status st = cube_tar_header(t, name, count);

    return st == PRVCUT_OK ? cube_tar_bytes(t, bytes, count) : st;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Which paths have a row: their positions. */
static enum prvcut_status cube_put_index(struct cube_tar *t, const struct cube_job *j,
                                         uint32_t metric, uint32_t *rows)
{
    static const char head[] = { 0, 0, 1 }; /* version 0, sparse */
    struct prvcut_put p = { .err = t->err }, keys = { .err = t->err };
    enum prvcut_status st;
    char name[32];

    *rows = 0;
    for (size_t i = 0; i < j->cells; i++)
        if (i == 0 || j->cell[i].path != j->cell[i - 1].path) {
            prvcut_put_u32(&keys, j->cell[i].path);
            ++*rows;
        }
    prvcut_put_bytes(&p, CUBE_INDEX, strlen(CUBE_INDEX));
    prvcut_put_u32(&p, 1); /* which end numbers begin at */
    prvcut_put_bytes(&p, head, sizeof head);
    prvcut_put_u32(&p, *rows);
    prvcut_put_bytes(&p, keys.b.at, keys.b.count);
    snprintf(name, sizeof name, "%" PRIu32 ".index", metric);
    st = keys.st < 0 ? keys.st : p.st;
    if (st == PRVCUT_OK)
        st = cube_tar_member(t, name, p.b.at, p.b.count);
    prvcut_buffer_fini(&p.b);
    prvcut_buffer_fini(&keys.b);
    return st;
}

static enum prvcut_status cube_put_row(struct cube_tar *t, const struct cube_job *j,
                                       struct prvcut_put *p)
{
    p->b.count = 0;
    prvcut_put_f64s(p, j->row, j->of->threads);
    return p->st == PRVCUT_OK ? cube_tar_bytes(t, p->b.at, p->b.count) : p->st;
}

static enum prvcut_status cube_put_data(struct cube_tar *t, const struct cube_job *j,
                                        uint32_t metric, uint32_t rows)
{
    const uint64_t size =
        strlen(CUBE_DATA) + (uint64_t)rows * sizeof(double) * (uint64_t)j->of->threads;
    struct prvcut_put p = { .err = t->err };
    enum prvcut_status st;
    char name[32];

    if (size > CUBE_MEMBER_MOST)
        return prvcut_fail(t->err, PRVCUT_ELIMIT,
                           "'%s' has %" PRIu32 " call paths x %zu threads of values: more than the "
                           "8 GiB that a .cubex holds of a metric",
                           j->of->metric[j->metrics.at[metric]].unique, rows, j->of->threads);
    snprintf(name, sizeof name, "%" PRIu32 ".data", metric);
    st = cube_tar_header(t, name, size);
    if (st == PRVCUT_OK)
        st = cube_tar_bytes(t, CUBE_DATA, strlen(CUBE_DATA));
    for (size_t i = 0; i < j->cells && st == PRVCUT_OK;) {
        i = cube_row_at(j, i);
        st = cube_put_row(t, j, &p);
    }
    prvcut_buffer_fini(&p.b);
    return st;
}

static enum prvcut_status cube_put_metrics(struct cube_tar *t, struct cube_job *j)
{
    enum prvcut_status st = PRVCUT_OK;
    uint32_t rows;

    for (uint32_t i = 0; i < j->of->metrics && st == PRVCUT_OK; i++) {
        st = cube_take_metric(j, i, t->err);
        if (st == PRVCUT_OK)
            st = cube_put_index(t, j, i, &rows);
        if (st == PRVCUT_OK)
            st = cube_put_data(t, j, i, rows);
    }
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Last: what comes behind a member of whole blocks would be overlooked. */
static enum prvcut_status cube_put_anchor(struct cube_tar *t, const struct cube_job *j)
{
    struct cube_xml x;
    enum prvcut_status st;

    cube_xml_init(&x, NULL, t->err);
    cube_xml_begin(&x, j, REPORT_CUBE_4);
    cube_xml_system(&x, j, REPORT_CUBE_4);
    cube_xml_close(&x, "cube");
    st = cube_xml_flush(&x);
    if (st == PRVCUT_OK && x.l.out.count % CUBE_BLOCK == 0)
        st = prvcut_buffer_append(&x.l.out, "\n", 1, t->err);
    if (st == PRVCUT_OK)
        st = cube_tar_member(t, "anchor.xml", x.l.out.at, x.l.out.count);
    cube_xml_fini(&x);
    return st;
}

enum prvcut_status cube_write_archive(struct cube_job *j, struct prvcut_output *out,
                                      struct prvcut_error *err)
{
    struct cube_tar t = { .output = out, .err = err };
    enum prvcut_status st = PRVCUT_OK;

    t.tar = archive_write_new();
    if (!t.tar)
        return prvcut_no_memory(err, "an archive");
    if (archive_write_set_format_ustar(t.tar) != ARCHIVE_OK ||
        archive_write_open(t.tar, &t, NULL, cube_tar_put, NULL) != ARCHIVE_OK)
        st = cube_tar_fail(&t);
    if (st == PRVCUT_OK)
        st = cube_put_metrics(&t, j);
    if (st == PRVCUT_OK)
        st = cube_put_anchor(&t, j);
    if (st == PRVCUT_OK && archive_write_close(t.tar) != ARCHIVE_OK)
        st = cube_tar_fail(&t);
    archive_write_free(t.tar);
    return st;
}
