/*
 * Records: what one worker reads, two read as well (or, ALONE, one again); what has been read can
 * be cut, and the cut is a sound trace.
 *
 * input   MODE FROM LENGTH '\n', then a .prv. MODE: bits of 'enum mode'; FROM and LENGTH: the
 *         window, in 64ths of the duration (low 6 bits)
 */
#include "model/texts.h"
#include "sandbox.h"
#include "target.h"

#include "base/source.h"
#include "model/formats.h"
#include "paraver/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum mode { LENIENT = 1, STRADDLE = 2, KEEP_MESSAGES = 4, KEEP_TIME = 8, BORDERS = 16, ALONE = 32 };

/* Larger headers are slow under a sanitizer and find nothing more. */
#define THREADS_MOST 5000

static char input[256], output[272];

static void remove_files(void)
{
    unlink(input);
    unlink(output);
}

/* Two names in memory if possible, for the life of the process. */
static void name_files(void)
{
    const char *folder = getenv("TMPDIR");
    int fd;

    if (input[0] != '\0')
        return;
    if (access("/dev/shm", W_OK) == 0)
        folder = "/dev/shm";
    snprintf(input, sizeof input, "%s/fuzz_reader.XXXXXX", folder && *folder ? folder : "/tmp");
    fd = mkstemp(input);
    require(fd >= 0, "a file can be made");
    close(fd);
    snprintf(output, sizeof output, "%s.cut.prv", input);
    atexit(remove_files);
}

/* Comments behind the first record move what follows it across the border of a block. */
static void straddle(FILE *file)
{
    static char line[PRV_BLOCK / 32];

    memset(line, '#', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < 31; i++)
        fwrite(line, 1, sizeof line, file);
    line[sizeof line - 160] = '\n';
    fwrite(line, 1, sizeof line - 159, file);
}

static void write_input(const char *text, size_t count, unsigned mode)
{
    FILE *file = fopen(input, "wb");
    const char *at = text, *end = text + count;

    require(file != NULL, "the input can be written");
    while ((mode & STRADDLE) && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char first = *at;

        at = newline ? newline + 1 : end;
        if (newline && first >= '1' && first <= '3') {
            fwrite(text, 1, (size_t)(at - text), file);
            straddle(file);
            text = at;
            break;
        }
    }
    fwrite(text, 1, (size_t)(end - text), file);
    fclose(file);
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
        add(s, 0, b->state[i].begin);
        add(s, 0, b->state[i].end);
        add(s, 0, b->state[i].thread ^ (uint64_t)b->state[i].number << 32);
    }
    for (size_t i = 0; i < b->events; i++) {
        add(s, 1, b->event[i].time ^ (uint64_t)b->event[i].head << 63);
        add(s, 1, (uint64_t)b->event[i].value);
        add(s, 1, b->event[i].thread ^ (uint64_t)b->event[i].type << 32);
    }
    for (size_t i = 0; i < b->messages; i++) {
        add(s, 2, b->message[i].logical_send ^ b->message[i].physical_send << 1);
        add(s, 2, b->message[i].logical_receive ^ b->message[i].physical_receive << 1);
        add(s, 2, b->message[i].size ^ (uint64_t)b->message[i].tag << 1);
        add(s, 2, b->message[i].sender ^ (uint64_t)b->message[i].receiver << 32);
    }
    s->records[0] += b->states;
    s->records[1] += b->events;
    s->records[2] += b->messages;
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

static struct prvcut_trace *open_trace(const char *path, bool lenient)
{
    const struct prvcut_open_options options = { .lenient = lenient };
    struct prvcut_error err = { 0 };
    struct prvcut_source *source = NULL;
    struct prvcut_trace *t = NULL;
    enum prvcut_status st = prvcut_source_open(&source, path, &err);

    if (st == PRVCUT_OK)
        st = prvcut_paraver_reader.open(&t, source, &options, &err);
    require((st == PRVCUT_OK) == (t != NULL), "a failed open leaves no trace");
    require(st >= 0 || (err.status == st && err.text[0] != '\0'), "a failure has a text");
    return t;
}

static void close_trace(struct prvcut_trace *t)
{
    if (t)
        t->reader->close(t);
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

/* What is cut from a sound trace is sound. */
static void check_cut(const struct prvcut_cut_summary *made, const struct prvcut_counts *whole)
{
    struct prvcut_trace *t = open_trace(output, false);
    struct prvcut_counts counts = { 0 };
    struct prvcut_error err = { 0 };
    struct sum sum = { 0 };

    require(t != NULL, "the cut opens");
    require(scan(t, 1, &sum, &counts, &err) == PRVCUT_OK, "the cut reads");
    require(counts.messages == made->messages, "messages are counted");
    require(counts.states == made->states, "states are counted");
    require(counts.beyond_end == 0, "the cut holds no time beyond its end");
    require(whole->unsorted > 0 || counts.unsorted == 0, "the cut is in order");
    close_trace(t);
}

static void cut(struct prvcut_trace *t, const uint8_t *data, const struct prvcut_counts *whole)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_cut_options options = { .path = output,
                                                .force = true,
                                                .keep_time = data[0] & KEEP_TIME,
                                                .keep_messages = data[0] & KEEP_MESSAGES };
    const uint64_t part = t->end_ns / 64, from = part * (data[1] & 63);
    struct prvcut_window window = { .from = from, .to = from + part * (data[2] & 63) + 1 };
    uint64_t *border = calloc(2 * (size_t)t->objects.threads, sizeof *border);
    struct prvcut_cut_summary summary = { 0 };
    struct prvcut_error err = { 0 };
    enum prvcut_status st;

    require(border != NULL, "memory");
    for (uint32_t i = 0; i < t->objects.threads; i++) {
        const uint64_t most = (window.to - window.from) / 2;

        border[i] = window.from + (i % 4 * (most / 4)) / t->unit_ns * t->unit_ns;
        border[t->objects.threads + i] = i % 7 == 5 ? border[i] : window.to - i % 3 * (most / 3);
    }
    if (data[0] & BORDERS) {
        window.thread_from = border;
        window.thread_to = border + t->objects.threads;
    }
    st = t->reader->cut(t, &run, &(struct prvcut_subtrace){ &window, &options, &summary }, 1, &err);
    if (st < 0)
        fprintf(stderr, "%s\n", err.text);
    require(st == PRVCUT_OK, "what was read can be cut");
    check_cut(&summary, whole);
    prvcut_texts_free(summary.file, summary.files);
    free(border);
}

static void try_trace(const uint8_t *data)
{
    struct prvcut_counts one = { 0 }, two = { 0 };
    struct prvcut_error e1 = { 0 }, e2 = { 0 };
    struct sum s1 = { 0 }, s2 = { 0 };
    struct prvcut_trace *t = open_trace(input, data[0] & LENIENT);
    enum prvcut_status first, second;

    if (!t || t->objects.threads > THREADS_MOST || t->end_ns > (uint64_t)1 << 60) {
        close_trace(t);
        return;
    }
    first = scan(t, 1, &s1, &one, &e1);
    second = scan(t, data[0] & ALONE ? 1 : 2, &s2, &two, &e2);
    require(first == second, "status does not depend on the workers");
    require(strcmp(e1.text, e2.text) == 0, "the failure does not depend on the workers");
    require(first >= 0 || (e1.status == first && e1.text[0] != '\0'), "a failure has a text");
    if (first == PRVCUT_OK) {
        require(memcmp(&s1, &s2, sizeof s1) == 0, "records do not depend on the workers");
        require(one.lines == two.lines && one.bytes == two.bytes, "nor do the counts");
        require(one.states == s1.records[0] && one.pairs == s1.records[1] &&
                    one.messages == s1.records[2],
                "what is counted is delivered");
        cut(t, data, &one);
    }
    close_trace(t);
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
    name_files();
    write_input((const char *)data + 4, size - 4, data[0]);
    try_trace(data);
    return 0;
}
