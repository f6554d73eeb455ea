/* LiTL logs: any bytes give a trace that holds together, or a named fault; the same each time. */
#include "sandbox.h"
#include "target.h"

#include "base/source.h"
#include "model/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char input[256];

static void remove_file(void)
{
    unlink(input);
}

/* A name in memory if possible, for the life of the process. */
static void write_input(const uint8_t *data, size_t size)
{
    const char *folder = getenv("TMPDIR");
    FILE *file;

    if (input[0] == '\0') {
        int fd;

        if (access("/dev/shm", W_OK) == 0)
            folder = "/dev/shm";
        snprintf(input, sizeof input, "%s/fuzz_litl.XXXXXX", folder && *folder ? folder : "/tmp");
        fd = mkstemp(input);
        require(fd >= 0, "a file can be made");
        close(fd);
        atexit(remove_file);
    }
    file = fopen(input, "wb");
    require(file != NULL, "the input can be written");
    fwrite(data, 1, size, file);
    fclose(file);
}

struct sum {
    const struct prvcut_trace *trace;
    uint64_t records, hash;
};

static void add(struct sum *s, uint64_t v)
{
    s->hash = (s->hash ^ v) * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static enum prvcut_status batch(void *ctx, unsigned worker, void *state,
                                const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct sum *s = ctx;
    const uint32_t threads = s->trace->objects.threads;

    (void)worker, (void)state, (void)err;
    for (size_t i = 0; i < b->states; i++) {
        require(b->state[i].thread < threads, "a state's thread exists");
        require(b->state[i].begin < b->state[i].end, "a state lasts");
        add(s, b->state[i].begin ^ b->state[i].end << 1 ^ b->state[i].number);
    }
    for (size_t i = 0; i < b->events; i++) {
        require(b->event[i].thread < threads, "an event's thread exists");
        add(s, b->event[i].time ^ (uint64_t)b->event[i].value << 1 ^ b->event[i].type);
    }
    for (size_t i = 0; i < b->halves; i++) {
        require(b->half[i].thread < threads, "an end's thread exists");
        require(b->half[i].peer < threads || b->half[i].peer == PRVCUT_NOBODY,
                "a partner exists or is not known");
        add(s, b->half[i].time ^ b->half[i].size << 1 ^ b->half[i].peer);
    }
    s->records += b->states + b->events + b->halves;
    return PRVCUT_OK;
}

static void try_scan(struct prvcut_trace *t)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_dictionary d;
    struct prvcut_error err = { 0 };
    struct sum sum[2] = { { .trace = t }, { .trace = t } };

    for (int i = 0; i < 2; i++) {
        const struct prvcut_consumer consumer = {
            .roles = UINT32_MAX, .states = true, .messages = true, .ctx = &sum[i], .batch = batch
        };

        require(t->reader->scan(t, &run, &consumer, NULL, &err) == PRVCUT_OK,
                "what has been opened can be read");
    }
    require(sum[0].hash == sum[1].hash && sum[0].records == sum[1].records,
            "a second reading gives the same");
    require(t->reader->describe(t, &d, &err) == PRVCUT_OK, "names");
    prvcut_dictionary_fini(&d);
}

static void try_open(bool lenient)
{
    const struct prvcut_open_options options = { .lenient = lenient };
    struct prvcut_error err = { 0 };
    struct prvcut_source *source = NULL;
    struct prvcut_trace *t = NULL;
    enum prvcut_status st = prvcut_source_open(&source, input, &err);

    if (st == PRVCUT_OK)
        st = prvcut_litl_reader.open(&t, source, &options, &err);
    require((st == PRVCUT_OK) == (t != NULL), "a failed open leaves no trace");
    require(st >= 0 || (err.status == st && err.text[0] != '\0'), "a failure has a text");
    if (!t)
        return;
    try_scan(t);
    t->reader->close(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct prvcut_findings found = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_source *source = NULL;

    write_input(data, size);
    try_open(false);
    try_open(true);
    if (prvcut_source_open(&source, input, &err) == PRVCUT_OK)
        prvcut_litl_reader.check(&found, source, NULL, NULL, &err);
    free(found.at);
    return 0;
}
