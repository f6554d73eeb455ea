#include "prvcut/convert.h"
#include "prvcut/inspect.h"
#include "prvcut/cut.h"

#include "built.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/*
 * Every kind of input, each of its files cut at every byte: it is read, or called damaged or no
 * trace, and nothing else. That each reader names the place is tested with the reader; here all
 * that stands before and behind it is run, too: probing, unpacking, labels, checking, converting.
 */

/* A test takes about so many of a file's lengths, but all where EVERY_BYTE is in the environment.
 */
#define A_FEW 40

/* The first lengths are all taken: where formats are told apart. */
#define HEAD 16

static const struct prvcut_run one_worker = { .threads = 1 };

/* Input files, which of them is opened; what ends in .z or .gz is packed by pack_file. */
static const struct input {
    const char *make; /* a command of the shell; "": by the library */
    const char *open;
    const char *file[6];
} inputs[] = {
    { "", "a.prv", { "a.prv", "a.pcf", "a.row" } },
    { "gzip -k a.prv a.pcf && mkdir gz && mv a.*.gz gz && cp a.row gz",
      "gz/a.prv.gz",
      { "gz/a.prv.gz", "gz/a.pcf.gz", "gz/a.row" } },
    { "mkdir zs && zstd -q a.prv -o zs/a.prv.zst && zstd -q a.pcf -o zs/a.pcf.zst && cp a.row zs",
      "zs/a.prv.zst",
      { "zs/a.prv.zst", "zs/a.pcf.zst", "zs/a.row" } },
    { "tar --zstd -cf a.tar.zst a.prv a.pcf a.row && mkdir tar && mv a.tar.zst tar",
      "tar/a.tar.zst",
      { "tar/a.tar.zst" } },
    { "", "b.otf", { "b.otf", "b.0.def", "b.1.events", "b.2.events" } },
    { "", "b.otf", { "b.0.def.z", "b.1.events.z" } },
    { "", "c.otf2", { "c.otf2", "c.def", "c/0.evt", "c/0.def" } },
};

/* As OTF's streams are. */
static void pack_file(const char *packed)
{
    const size_t length = strlen(packed) - 2;
    char plain[64];
    uLongf room;
    char *text, *out;
    struct stat s;
    FILE *f;

    snprintf(plain, sizeof plain, "%.*s", (int)length, packed);
    ck_assert_int_eq(stat(plain, &s), 0);
    text = malloc((size_t)s.st_size + 1);
    f = fopen(plain, "rb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(text, 1, (size_t)s.st_size, f), (size_t)s.st_size);
    fclose(f);
    room = compressBound((uLong)s.st_size);
    out = malloc(room);
    ck_assert_int_eq(compress((Bytef *)out, &room, (const Bytef *)text, (uLong)s.st_size), Z_OK);
    scratch_write(packed, out, room);
    unlink(plain);
    free(out);
    free(text);
}

static void convert_to(const char *out)
{
    const struct prvcut_convert_options o = { .path = out };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    ck_assert_msg(prvcut_trace_open(&t, "a.prv", NULL, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_msg(prvcut_convert(t, &one_worker, &o, &sum, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

static void make(const struct input *in)
{
    ck_assert(
        traces_shell("'%s' --tasks 2 --iterations 2 --init-ns 100000 --end-ns 100000 --seed 3 "
                     "a && rm a.truth.json",
                     PRVGEN));
    if (strstr(in->open, ".otf"))
        convert_to(in->open);
    if (*in->make)
        ck_assert(traces_shell("%s", in->make));
    for (size_t i = 0; i < sizeof in->file / sizeof *in->file && in->file[i]; i++)
        if (strcmp(in->file[i] + strlen(in->file[i]) - 2, ".z") == 0)
            pack_file(in->file[i]);
}

static void judge(enum prvcut_status st, const struct prvcut_error *err, const char *file,
                  off_t cut)
{
    ck_assert_msg(st >= PRVCUT_OK || st == PRVCUT_EFORMAT || st == PRVCUT_ENOTRACE ||
                      st == PRVCUT_ELIMIT,
                  "%s cut at %ld: %d %s", file, (long)cut, st, err->text);
    ck_assert_msg(st >= 0 || err->text[0] != '\0', "%s cut at %ld: no words", file, (long)cut);
}

static void read_it(const char *open, const char *file, off_t cut, bool lenient)
{
    const struct prvcut_open_options how = { .lenient = lenient };
    const struct prvcut_convert_options to = { .path = "/dev/null", .format = "perfetto" };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;
    char *text = NULL;
    enum prvcut_status st = prvcut_check(open, &one_worker, &how, PRVCUT_FULL_TEXT, &text, &err);

    judge(st, &err, file, cut);
    free(text);
    memset(&err, 0, sizeof err);
    st = prvcut_trace_open(&t, open, &how, &err);
    judge(st, &err, file, cut);
    if (st == PRVCUT_OK) {
        st = prvcut_info(t, &one_worker, PRVCUT_JSON, &text, &err);
        judge(st, &err, file, cut);
        if (st == PRVCUT_OK)
            free(text);
        memset(&err, 0, sizeof err);
        judge(prvcut_convert(t, &one_worker, &to, &sum, &err), &err, file, cut);
        prvcut_convert_summary_free(sum);
    }
    prvcut_trace_close(t);
}

static off_t next(off_t cut, off_t step)
{
    if (cut <= HEAD)
        return cut - 1;
    return cut - step > HEAD ? cut - step : HEAD;
}

START_TEST(test_read_every_input_cut_at_every_byte)
{
    const struct input *in = &inputs[_i];

    if (strstr(in->open, ".otf2") && !test_reads("otf2"))
        return;
    make(in);
    for (size_t i = 0; i < sizeof in->file / sizeof *in->file && in->file[i]; i++) {
        struct stat s;
        off_t step;

        ck_assert_msg(stat(in->file[i], &s) == 0, "%s", in->file[i]);
        step = getenv("EVERY_BYTE") ? 1 : s.st_size / A_FEW + 1;
        ck_assert(traces_shell("cp %s whole", in->file[i]));
        for (off_t cut = s.st_size - 1; cut >= 0; cut = next(cut, step)) {
            ck_assert_int_eq(truncate(in->file[i], cut), 0);
            read_it(in->open, in->file[i], cut, cut % 2 == 0);
        }
        ck_assert(traces_shell("cp whole %s", in->file[i]));
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("truncated");
    TCase *c = tcase_create("truncated");

    scratch_fixtures(c);
    tcase_set_timeout(c, 7200);
    tcase_add_loop_test(c, test_read_every_input_cut_at_every_byte, 0,
                        (int)(sizeof inputs / sizeof *inputs));
    suite_add_tcase(s, c);
    return run_suite(s);
}
