/*
 * The index beside a trace: whatever stands in it, a question is answered. An index that is damaged
 * changes no answer; one whose checksums are right may be wrong in itself, and is then either seen
 * to be so, and changes no answer, or gives one that is sane.
 *
 * input   QUESTION (low 4 bits: index in the table of them; bit 7: what would have to search the
 *         whole run is left there, as by an interrupt), then changes of a sound index, each of 13
 *         bytes:
 *         WHERE (low 6 bits: index in the table of sections, all that are beyond it the last one,
 *         or by the high bits HEAD or WHOLE), HOW (index in the table of ways), OFFSET (3), VALUE
 *         (8); lowest bytes first. The checksums of changed sections and of a changed head are put
 *         right, those of a changed whole are not
 */
#include "sandbox.h"
#include "target.h"

#include "base/buffer.h"
#include "base/bytes.h"
#include "base/kept.h"
#include "prvcut/index.h"
#include "prvcut/inspect.h"
#include "prvcut/reduce.h"
#include "signal/metrics.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

enum mode { STOP = 0x80 };
enum where { HEAD = 0x40, WHOLE = 0x80 };

static char prv[SANDBOX_PATH], prvx[SANDBOX_PATH];

/* Reading the whole trace and a search take a thousand times as long as all else: whoever wants to
   be fast stops where they begin. */
static enum patience {
    STOPS_NOWHERE,
    STOPS_AT_SEARCH,
    STOPS_ANYWHERE /* where something asks */
} patience;
static bool searching;

static void note_phase(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    searching = searching || phase == PRVCUT_PHASE_ANALYSING;
}

static bool stop_early(void *ctx)
{
    (void)ctx;
    return patience == STOPS_ANYWHERE || (patience == STOPS_AT_SEARCH && searching);
}

static const struct prvcut_run run = { .threads = 1, .stop = stop_early, .progress = note_phase };

/* --- Questions ------------------------------------------------------------------------------ */

/* What a question brings; text: owned. */
struct answer {
    enum prvcut_status st;
    char *text;
};

static struct answer answer_of(enum prvcut_status st, char *text, const struct prvcut_error *err)
{
    require(st >= 0 || (err->status == st && err->text[0] != '\0'), "a failure has a text");
    if (!text)
        text = strdup(st < 0 ? err->text : "");
    require(text != NULL, "memory");
    return (struct answer){ st, text };
}

static struct answer ask_info(struct prvcut_trace *t)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_info(t, &run, PRVCUT_JSON, &text, &err);

    return answer_of(st, text, &err);
}

static struct answer ask_structure(struct prvcut_trace *t,
                                   const struct prvcut_structure_options *options)
{
    struct prvcut_structure *s = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_structure_find(t, &run, options, &s, &err);

    if (st >= 0) {
        require(prvcut_structure_text(s, &text, &err) == PRVCUT_OK, "it can be told");
        free(text);
        require(prvcut_structure_tree(s, &text, &err) == PRVCUT_OK, "it can be drawn");
        free(text);
        require(prvcut_structure_json(s, &text, &err) == PRVCUT_OK, "it can be told");
    }
    prvcut_structure_free(s);
    return answer_of(st, text, &err);
}

static struct answer ask_levels(struct prvcut_trace *t)
{
    return ask_structure(t, &(struct prvcut_structure_options){ .levels = 0 });
}

static struct answer ask_level(struct prvcut_trace *t)
{
    return ask_structure(t, &(struct prvcut_structure_options){ .levels = 1 });
}

static struct answer ask_metrics(struct prvcut_trace *t)
{
    return ask_structure(t, &(struct prvcut_structure_options){ .metrics = "computing,calls" });
}

static struct answer ask_reduction(struct prvcut_trace *t, const struct prvcut_reduce_options *o)
{
    struct prvcut_reduction *r = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_reduce(t, &run, o, &r, &err);

    if (r)
        r->elapsed_s = 0;
    if (st >= 0) {
        require(prvcut_reduction_text(r, &text, &err) == PRVCUT_OK, "it can be told");
        free(text);
        require(prvcut_reduction_json(r, &text, &err) == PRVCUT_OK, "it can be told");
    }
    prvcut_reduction_free(r);
    return answer_of(st, text, &err);
}

static struct answer ask_chop(struct prvcut_trace *t)
{
    return ask_reduction(
        t, &(struct prvcut_reduce_options){
               .iterations = 2, .cut = &(const struct prvcut_cut_options){ .dry_run = true } });
}

static struct answer ask_chops(struct prvcut_trace *t)
{
    return ask_reduction(t, &(struct prvcut_reduce_options){
                                .iterations = 2,
                                .regions = "all",
                                .outliers = 2,
                                .proof = true,
                                .cut = &(const struct prvcut_cut_options){ .dry_run = true } });
}

static struct answer ask_page(struct prvcut_trace *t)
{
    char page[SANDBOX_PATH], cut[SANDBOX_PATH];
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .report = sandbox_path(page, "page.html"),
                                             .cut = &(const struct prvcut_cut_options){
                                                 .path = sandbox_path(cut, "cut.prv"),
                                                 .force = true } };
    struct answer a = ask_reduction(t, &o);

    remove(page);
    return a;
}

static struct answer ask_cut(struct prvcut_trace *t)
{
    const struct prvcut_cut_options o = { .dry_run = true };
    const uint64_t end = prvcut_trace_end(t);
    const struct prvcut_span window = { end / 3, end / 2 + 1 };
    struct prvcut_cut_summary *s = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_cut(t, &run, &window, &o, &s, &err);

    if (st == PRVCUT_OK)
        require(prvcut_cut_summary_json(s, &text, &err) == PRVCUT_OK, "it can be told");
    prvcut_cut_summary_free(s);
    return answer_of(st, text, &err);
}

static struct answer (*const question[])(struct prvcut_trace *) = {
    ask_info, ask_levels, ask_level, ask_metrics, ask_chop, ask_chops, ask_page, ask_cut
};

#define QUESTIONS (sizeof question / sizeof *question)

static bool gave_up(const struct answer *a)
{
    return patience != STOPS_NOWHERE && a->st == PRVCUT_EINTERRUPTED;
}

/* note: why the index was not used; NULL: it was. */
static struct answer ask(size_t which, bool no_index, const char **note)
{
    const struct prvcut_open_options options = { .no_index = no_index };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct answer a;

    searching = false;
    require(prvcut_trace_open(&t, prv, &options, &err) == PRVCUT_OK, "the trace opens");
    a = question[which](t);
    *note = prvcut_index_note(t);
    prvcut_trace_close(t);
    return a;
}

/* The answer without an index; borrowed. */
static const struct answer *right_answer(size_t which)
{
    static struct answer right[QUESTIONS];
    const char *note;

    if (!right[which].text)
        right[which] = ask(which, true, &note);
    return &right[which];
}

/* --- The index ------------------------------------------------------------------------------ */

#define NAMED ((size_t)7)

static const char *const named[NAMED] = { "shape", "blocks",    "census",     "input",
                                          "calls", "divided.1", "divided.all" };

#define SECTIONS (NAMED + PRVCUT_METRICS)

/* Some bytes; owned. */
struct bytes {
    char *at;
    size_t count;
};

/* A sound index; at NULL: it has none of that name. The head ends where the sections begin. */
static struct bytes whole, section[SECTIONS], packed[SECTIONS];
static size_t head_count; /* of the head, up to the number of sections */

static const char *section_name(size_t i)
{
    return i < NAMED ? named[i] : prvcut_metric_table[i - NAMED].name;
}

static void make_index(void)
{
    const struct prvcut_index_options options = { .force = true };
    struct prvcut_index_result *r = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;

    require(prvcut_trace_open(&t, prv, NULL, &err) == PRVCUT_OK, "the trace opens");
    require(prvcut_index_write(t, &run, &options, &r, &err) == PRVCUT_OK, "it has an index");
    prvcut_index_result_free(r);
    prvcut_trace_close(t);
}

/* Magic number 8, layout 4, the head's length 4, its checksum 4, the head: version, identity. */
#define PREFIX   ((size_t)20)
#define IDENTITY 28

static struct bytes pack(const struct bytes *b)
{
    static ZSTD_CCtx *ctx;
    struct bytes p = { .count = ZSTD_compressBound(b->count) };

    ctx = ctx ? ctx : ZSTD_createCCtx();
    p.at = malloc(p.count + 1);
    require(ctx && p.at, "memory");
    p.count = ZSTD_compressCCtx(ctx, p.at, p.count, b->at, b->count, 1);
    require(!ZSTD_isError(p.count), "it can be compressed");
    return p;
}

/* The trace bears one time, so that an index is the same in every run. */
static void prepare(void)
{
    const struct timespec times[2] = { { .tv_sec = 1767268800 }, { .tv_sec = 1767268800 } };
    struct prvcut_get g = { 0 };
    struct prvcut_kept *kept;
    const char *why;

    if (prv[0] != '\0')
        return;
    sandbox_path(prv, "a.prv");
    sandbox_path(prvx, "a.prvx");
    sandbox_write_loop("a.prv", "a.pcf");
    require(utimensat(AT_FDCWD, prv, times, 0) == 0, "the time can be set");
    make_index();
    whole.at = (char *)sandbox_read("a.prvx", &whole.count);
    g.at = whole.at + PREFIX;
    g.left = whole.count - PREFIX;
    require(prvcut_get_text(&g) != NULL, "it tells its version");
    head_count = (size_t)(g.at - whole.at) - PREFIX + IDENTITY;
    prvcut_kept_open(&kept, &why, prvx, prvcut_version(), prv);
    require(kept != NULL, "it is sound");
    for (size_t i = 0; i < SECTIONS; i++)
        if (prvcut_kept_load(kept, section_name(i), &section[i].at, &section[i].count))
            packed[i] = pack(&section[i]);
    prvcut_kept_close(kept);
}

/* --- Changes -------------------------------------------------------------------------------- */

enum how { SET1, SET4, SET8, FLIP, CUT, INSERT, DELETE, REPEAT, HOWS };

struct change {
    uint8_t where, how;
    uint64_t offset, value;
};

static struct change next_change(struct input *in)
{
    struct change c;

    c.where = (uint8_t)input_number(in, 1);
    c.how = (uint8_t)(input_number(in, 1) % HOWS);
    c.offset = input_number(in, 3);
    c.value = input_number(in, 8);
    return c;
}

static void set(struct bytes *b, size_t at, uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count && at + i < b->count; i++)
        b->at[at + i] = (char)(value >> 8 * i);
}

/* Open a gap of so many bytes that were there before, or close one. */
static void shift(struct bytes *b, size_t at, size_t count, bool open)
{
    const size_t rest = b->count - at, gone = count < rest ? count : rest;

    if (open) {
        b->at = realloc(b->at, b->count + count + 1);
        require(b->at != NULL, "memory");
        memmove(b->at + at + count, b->at + at, rest);
        if (rest < count)
            memset(b->at + at, 0, count);
        b->count += count;
    } else {
        memmove(b->at + at, b->at + at + gone, rest - gone);
        b->count -= gone;
    }
}

#define COUNT_MOST 4096 /* bytes that come in or go at once */

static void change(struct bytes *b, const struct change *c)
{
    const size_t at = b->count > 0 ? (size_t)(c->offset % b->count) : 0;
    const size_t many = (size_t)(c->value % COUNT_MOST);

    if (c->how <= SET8)
        set(b, at, c->value, (const unsigned[]){ 1, 4, 8 }[c->how]);
    else if (c->how == FLIP && b->count > 0)
        b->at[at] = (char)(b->at[at] ^ (1 << c->value % 8));
    else if (c->how == CUT)
        b->count = at;
    else if (c->how == DELETE || c->how == REPEAT)
        shift(b, at, many, c->how == REPEAT);
    else if (c->how == INSERT) {
        shift(b, at, 8, true);
        set(b, at, c->value, 8);
    }
}

static struct bytes copy_of(const struct bytes *b)
{
    struct bytes copy = { malloc(b->count + 1), b->count };

    require(copy.at != NULL, "memory");
    memcpy(copy.at, b->at, b->count);
    return copy;
}

static void put_head_right(struct bytes *b)
{
    struct prvcut_get g = { b->at + 12, b->count < PREFIX ? 0 : 4, false };
    const size_t count = prvcut_get_u32(&g);

    if (b->count >= PREFIX && count <= b->count - PREFIX)
        set(b, 16, crc32_z(crc32(0, NULL, 0), (const unsigned char *)b->at + PREFIX, count), 4);
}

/* An index as prvcut_keeper_write writes it, of sections that are compressed already. */
static void write_index(const struct bytes *now, const struct bytes *text)
{
    struct prvcut_error err = { 0 };
    struct prvcut_put p = { .err = &err };
    uint64_t sections = 0, offset = 0;
    struct bytes b;

    for (size_t i = 0; i < SECTIONS; i++)
        sections += now[i].at != NULL;
    prvcut_put_bytes(&p, whole.at, PREFIX + head_count);
    prvcut_put_u64(&p, sections);
    for (size_t i = 0; i < SECTIONS; i++) {
        if (!now[i].at)
            continue;
        prvcut_put_text(&p, section_name(i));
        prvcut_put_u64(&p, offset);
        prvcut_put_u64(&p, now[i].count);
        prvcut_put_u64(&p, text[i].count);
        prvcut_put_u32(&p, (uint32_t)crc32_z(crc32(0, NULL, 0), (const unsigned char *)now[i].at,
                                             now[i].count));
        offset += now[i].count;
    }
    b = (struct bytes){ p.b.at, p.b.count };
    require(p.st == PRVCUT_OK, "memory");
    set(&b, 12, b.count - PREFIX, 4);
    put_head_right(&b);
    for (size_t i = 0; i < SECTIONS; i++)
        if (now[i].at)
            prvcut_put_bytes(&p, now[i].at, now[i].count);
    require(p.st == PRVCUT_OK, "memory");
    sandbox_write("a.prvx", p.b.at, p.b.count);
    prvcut_buffer_fini(&p.b);
}

/* The sections, with those changes that are of them, as an index. */
static void write_sections(struct input in)
{
    struct bytes text[SECTIONS], now[SECTIONS];

    memcpy(text, section, sizeof text);
    memcpy(now, packed, sizeof now);
    while (in.left > 0) {
        const struct change c = next_change(&in);
        const size_t i = c.where < SECTIONS ? c.where : SECTIONS - 1;

        if ((c.where & (HEAD | WHOLE)) || !text[i].at)
            continue;
        if (text[i].at == section[i].at)
            text[i] = copy_of(&section[i]);
        change(&text[i], &c);
    }
    for (size_t i = 0; i < SECTIONS; i++)
        if (text[i].at != section[i].at)
            now[i] = pack(&text[i]);
    write_index(now, text);
    for (size_t i = 0; i < SECTIONS; i++)
        if (text[i].at != section[i].at) {
            free(text[i].at);
            free(now[i].at);
        }
}

/* What a change touches, as bits. */
enum touched { A_SECTION = 1, THE_HEAD = 2, THE_WHOLE = 4 };

static unsigned touched_by(struct input in)
{
    unsigned touched = 0;

    while (in.left > 0) {
        const struct change c = next_change(&in);

        touched |= c.where & WHOLE ? THE_WHOLE : c.where & HEAD ? THE_HEAD : A_SECTION;
    }
    return touched;
}

static void change_file(struct input in, unsigned touched)
{
    const uint8_t bit = touched == THE_HEAD ? HEAD : WHOLE;
    struct bytes b;

    b.at = (char *)sandbox_read("a.prvx", &b.count);
    while (in.left > 0) {
        const struct change c = next_change(&in);

        if (c.where & bit && (bit == WHOLE || !(c.where & WHOLE)))
            change(&b, &c);
    }
    if (touched == THE_HEAD)
        put_head_right(&b);
    sandbox_write("a.prvx", b.at, b.count);
    free(b.at);
}

static bool answers(size_t which, enum patience with)
{
    const char *note;
    struct answer a;
    bool done;

    patience = with;
    sandbox_write("a.prvx", whole.at, whole.count);
    a = ask(which, false, &note);
    done = !gave_up(&a);
    free(a.text);
    return done;
}

/* The least patience that a question needs with a sound index; STOPS_NOWHERE: it searches the whole
   run even so. */
static enum patience patience_for(size_t which)
{
    static enum patience known[QUESTIONS];
    static bool is_known[QUESTIONS];

    if (!is_known[which]) {
        known[which] = answers(which, STOPS_ANYWHERE)    ? STOPS_ANYWHERE
                       : answers(which, STOPS_AT_SEARCH) ? STOPS_AT_SEARCH
                                                         : STOPS_NOWHERE;
        is_known[which] = true;
    }
    return known[which];
}

#ifdef PRVCUT_FUZZ
/* One input in how many may ask this, or search the whole run: what takes long is for few. */
static unsigned every(size_t which)
{
    return question[which] == ask_page                                  ? 64
           : question[which] == ask_cut || question[which] == ask_chops ? 8
                                                                        : 1;
}

#define FULL_EVERY 512

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (size == 0)
        return 0;
    data[0] = (uint8_t)((data[0] & 15) % QUESTIONS);
    while (seed % every(data[0]) != 0)
        data[0] = (uint8_t)((data[0] + 1) % QUESTIONS);
    if (seed % FULL_EVERY != 0)
        data[0] |= STOP;
    return size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size };
    const uint8_t mode = (uint8_t)input_number(&in, 1);
    const size_t which = (mode & 15) % QUESTIONS;
    const unsigned touched = touched_by(in);
    const struct answer *right;
    struct answer now;
    const char *note;
    enum patience least = STOPS_NOWHERE;
    bool same, left;

    prepare();
    patience = STOPS_NOWHERE;
    right = right_answer(which);
    if (mode & STOP)
        least = patience_for(which);
    patience = (mode & STOP) && least == STOPS_NOWHERE ? STOPS_AT_SEARCH : least;
    if (touched & A_SECTION)
        write_sections(in);
    else
        sandbox_write("a.prvx", whole.at, whole.count);
    if (touched & THE_HEAD)
        change_file(in, THE_HEAD);
    if (touched & THE_WHOLE)
        change_file(in, THE_WHOLE);
    now = ask(which, false, &note);
    left = gave_up(&now);
    same = left || (now.st == right->st && strcmp(now.text, right->text) == 0);
    require(!left || note || least == STOPS_NOWHERE, "an index that is used saves the search");
    require(touched != 0 || !note, "a sound index is used");
    require((touched & (A_SECTION | THE_HEAD)) || same, "a damaged index changes no answer");
    require(!note || same, "nor does one that is not used");
    free(now.text);
    return 0;
}
