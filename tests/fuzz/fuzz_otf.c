/*
 * OTF archives: what one worker reads, two read as well (or, ALONE, one again); what has been read
 * can be cut, and the cut is a sound archive; the check takes whatever can be opened.
 *
 * input   MODE FROM LENGTH '\n', then the archive's files, each ended by a line "%%": master,
 *         definitions, events of streams 1 and 2, definitions of stream 1, markers; those that are
 *         left out do not exist. MODE: bits of 'enum mode'; FROM and LENGTH: the window, in 64ths
 *         of the duration (low 6 bits)
 */
#include "model/texts.h"
#include "sandbox.h"
#include "target.h"

#include "model/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum mode {
    LENIENT = 1,
    PACKED = 2,
    KEEP_MESSAGES = 4,
    KEEP_TIME = 8,
    BORDERS = 16,
    ALIGN = 32,
    ALONE = 64
};

static char folder[256];

static void clean(void)
{
    DIR *d = opendir(folder);
    struct dirent *e;
    char path[600];

    while (d && (e = readdir(d)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
}

static void remove_folder(void)
{
    clean();
    rmdir(folder);
}

/* In memory if possible, for the life of the process. */
static void name_folder(void)
{
    const char *tmp = getenv("TMPDIR");

    if (folder[0] != '\0')
        return;
    if (access("/dev/shm", W_OK) == 0)
        tmp = "/dev/shm";
    snprintf(folder, sizeof folder, "%.200s/fuzz_otf.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    require(mkdtemp(folder) != NULL, "a folder can be made");
    atexit(remove_folder);
}

static void pack(FILE *f, const char *text, size_t count)
{
    z_stream z = { .avail_in = (unsigned)count };
    unsigned char *in = malloc(count + 1), *out = malloc(count + 1000);

    require(in && out, "memory");
    memcpy(in, text, count);
    z.next_in = in;
    z.next_out = out;
    z.avail_out = (unsigned)count + 1000;
    require(deflateInit(&z, 1) == Z_OK, "zlib");
    deflate(&z, Z_FULL_FLUSH);
    fwrite(out, 1, count + 1000 - z.avail_out, f);
    deflateEnd(&z);
    free(in);
    free(out);
}

static void write_file(const char *name, const char *text, size_t count, int packed)
{
    char path[600];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s%s", folder, name, packed ? ".z" : "");
    f = fopen(path, "wb");
    require(f != NULL, "the input can be written");
    if (packed)
        pack(f, text, count);
    else
        fwrite(text, 1, count, f);
    fclose(f);
}

static void write_files(const char *text, size_t count, unsigned mode)
{
    static const char *const names[] = { "a.otf",      "a.0.def", "a.1.events",
                                         "a.2.events", "a.1.def", "a.0.marker" };
    const char *end = text + count;

    for (size_t i = 0; i < sizeof names / sizeof *names && text < end; i++) {
        const char *stop = text;

        while (stop < end && !(end - stop >= 3 && memcmp(stop, "%%\n", 3) == 0))
            stop++;
        write_file(names[i], text, (size_t)(stop - text), i > 0 && mode & PACKED);
        text = stop + 3 < end ? stop + 3 : end;
    }
}

/* Order-sensitive sums, one a kind: how a batch is split changes nothing. */
struct sum {
    uint64_t kind[3];
    uint64_t records[3];
};

static void add(struct sum *s, int kind, uint64_t v)
{
    s->kind[kind] = (s->kind[kind] ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static enum prvcut_status begin(void *ctx, unsigned worker, uint64_t part, void **state,
                                struct prvcut_error *err)
{
    (void)ctx, (void)worker, (void)part, (void)err;
    *state = calloc(1, sizeof(struct sum));
    require(*state != NULL, "memory");
    return PRVCUT_OK;
}

static enum prvcut_status batch(void *ctx, unsigned worker, void *state,
                                const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct sum *s = state;

    (void)ctx, (void)worker, (void)err;
    for (size_t i = 0; i < b->states; i++) {
        require(b->state[i].begin < b->state[i].end, "a state takes time");
        add(s, 0, b->state[i].begin);
        add(s, 0, b->state[i].end);
        add(s, 0, b->state[i].thread ^ (uint64_t)b->state[i].number << 32);
    }
    for (size_t i = 0; i < b->events; i++) {
        add(s, 1, b->event[i].time ^ (uint64_t)b->event[i].head << 63);
        add(s, 1, (uint64_t)b->event[i].value);
        add(s, 1, b->event[i].thread ^ (uint64_t)b->event[i].type << 32);
    }
    for (size_t i = 0; i < b->halves; i++) {
        add(s, 2, b->half[i].time ^ (uint64_t)b->half[i].receive << 63);
        add(s, 2, b->half[i].size ^ (uint64_t)b->half[i].tag << 1);
        add(s, 2, b->half[i].thread ^ (uint64_t)b->half[i].peer << 32);
    }
    s->records[0] += b->states;
    s->records[1] += b->events;
    s->records[2] += b->halves;
    return PRVCUT_OK;
}

static enum prvcut_status join(void *ctx, void *state, struct prvcut_error *err)
{
    struct sum *all = ctx, *s = state;

    (void)err;
    for (int k = 0; k < 3; k++) {
        add(all, k, s->kind[k]);
        all->records[k] += s->records[k];
    }
    return PRVCUT_OK;
}

static void discard(void *ctx, void *state)
{
    (void)ctx;
    free(state);
}

static struct prvcut_trace *open_trace(const char *name, bool lenient, bool raw,
                                       struct prvcut_error *err)
{
    const struct prvcut_open_options options = { .lenient = lenient, .raw_clocks = raw };
    struct prvcut_source *source = NULL;
    struct prvcut_trace *t = NULL;
    char path[600];
    enum prvcut_status st;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    st = prvcut_source_open(&source, path, err);
    if (st == PRVCUT_OK)
        st = prvcut_otf_reader.open(&t, source, &options, err);
    require((st == PRVCUT_OK) == (t != NULL), "a failed open leaves no trace");
    require(st >= 0 || (err->status == st && err->text[0] != '\0'), "a failure has a text");
    return t;
}

static enum prvcut_status scan(struct prvcut_trace *t, int threads, struct sum *sum,
                               struct prvcut_counts *counts, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_consumer consumer = { .roles = UINT32_MAX,
                                              .states = true,
                                              .messages = true,
                                              .ctx = sum,
                                              .begin = begin,
                                              .batch = batch,
                                              .join = join,
                                              .discard = discard };

    return t->reader->scan(t, &run, &consumer, counts, err);
}

/* What is cut from a sound archive is sound. */
static void check_cut(const struct prvcut_cut_summary *made)
{
    struct prvcut_counts counts = { 0 };
    struct prvcut_error err = { 0 };
    struct sum sum = { 0 };
    struct prvcut_trace *t;

    /* A window without any record makes no trace. */
    if (made->events + made->messages + made->reopened + made->closed == 0)
        return;
    t = open_trace("c.otf", false, true, &err);
    if (!t)
        fprintf(stderr, "%s\n", err.text);
    require(t != NULL, "the cut opens");
    if (scan(t, 1, &sum, &counts, &err) != PRVCUT_OK)
        fprintf(stderr, "%s\n", err.text);
    require(err.status == PRVCUT_OK, "the cut reads");
    t->reader->close(t);
}

static void cut(struct prvcut_trace *t, const uint8_t *data, bool sound)
{
    char path[600];
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_cut_options options = { .path = path,
                                                .force = true,
                                                .own_clocks = !(data[0] & ALIGN),
                                                .keep_time = data[0] & KEEP_TIME,
                                                .keep_messages = data[0] & KEEP_MESSAGES };
    const uint64_t part = t->end_ns / 64, from = part * (data[1] & 63);
    struct prvcut_window window = { .from = from, .to = from + part * (data[2] & 63) + 1 };
    uint64_t *border = calloc(2 * (size_t)t->objects.threads, sizeof *border);
    struct prvcut_cut_summary summary = { 0 };
    struct prvcut_error err = { 0 };
    enum prvcut_status st;

    require(border != NULL, "memory");
    snprintf(path, sizeof path, "%s/c.otf", folder);
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        const uint64_t most = (window.to - window.from) / 2;

        border[i] = window.from + i % 4 * (most / 4);
        border[t->objects.threads + i] = i % 7 == 5 ? border[i] : window.to - i % 3 * (most / 3);
    }
    if (data[0] & BORDERS) {
        window.thread_from = border;
        window.thread_to = border + t->objects.threads;
    }
    st = t->reader->cut(t, &run, &(struct prvcut_subtrace){ &window, &options, &summary }, 1, &err);
    if (st < 0)
        fprintf(stderr, "%s\n", err.text);
    require(st == PRVCUT_OK || st == PRVCUT_EUSAGE, "what was read can be cut");
    if (st == PRVCUT_OK && sound)
        check_cut(&summary);
    prvcut_texts_free(summary.file, summary.files);
    free(border);
}

static void scan_part(struct prvcut_trace *t, const uint8_t *data)
{
    const struct prvcut_run run = { .threads = data[0] & ALONE ? 1 : 2 };
    const struct prvcut_consumer nothing = { .roles = UINT32_MAX, .states = true };
    const uint64_t from = t->end_ns / 64 * (data[1] & 63);
    struct prvcut_error err = { 0 };

    require(t->reader->scan_window(t, &run, from, from + 1000, &nothing, &err) == PRVCUT_OK,
            "what was read can be read in part");
}

static void describe(struct prvcut_trace *t)
{
    struct prvcut_dictionary d;
    struct prvcut_error err = { 0 };

    require(t->reader->describe(t, &d, &err) == PRVCUT_OK, "names can be told");
    prvcut_dictionary_fini(&d);
}

static void try_trace(const uint8_t *data)
{
    const bool lenient = data[0] & LENIENT;
    struct prvcut_counts one = { 0 }, two = { 0 };
    struct prvcut_error e1 = { 0 }, e2 = { 0 }, err = { 0 };
    struct sum s1 = { 0 }, s2 = { 0 };
    struct prvcut_trace *t = open_trace("a.otf", lenient, false, &err);
    enum prvcut_status first, second;

    if (!t)
        return;
    first = scan(t, 1, &s1, &one, &e1);
    second = scan(t, data[0] & ALONE ? 1 : 2, &s2, &two, &e2);
    require(first == second, "status does not depend on the workers");
    require(strcmp(e1.text, e2.text) == 0, "the failure does not depend on the workers");
    require(first >= 0 || (e1.status == first && e1.text[0] != '\0'), "a failure has a text");
    if (first == PRVCUT_OK) {
        require(memcmp(&s1, &s2, sizeof s1) == 0, "records do not depend on the workers");
        require(one.states == s1.records[0] && one.pairs == s1.records[1],
                "what is counted is delivered");
        describe(t);
        scan_part(t, data);
        cut(t, data, one.skipped == 0);
    }
    t->reader->close(t);
}

static void check(void)
{
    const struct prvcut_run run = { 0 };
    struct prvcut_findings f = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_source *source;
    char path[600];
    enum prvcut_status st;

    snprintf(path, sizeof path, "%s/a.otf", folder);
    if (prvcut_source_open(&source, path, &err) < 0)
        return;
    st = prvcut_otf_reader.check(&f, source, NULL, &run, &err);
    require(st >= 0 || (err.status == st && err.text[0] != '\0'), "a failure has a text");
    free(f.at);
}

#ifdef PRVCUT_FUZZ
/* Threads are slow to come by: few inputs take two. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    if (size > 0 && seed % 16 != 0)
        data[0] |= ALONE;
    return size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    name_folder();
    clean();
    (void)prvcut_otf_reader.probe((const char *)data + 4, size - 4);
    write_files((const char *)data + 4, size - 4, data[0]);
    try_trace(data);
    check();
    return 0;
}
