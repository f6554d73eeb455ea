#include "paraver/so_far.h"

#include "base/memory.h"
#include "paraver/paraver.h"

#include <stdlib.h>
#include <string.h>

/* Bytes before the end whose records tell how far the run is: lines that are a little out of order
   do no harm. Without a record in them twice as many are looked at. */
#define SFR_TAIL PRVCUT_ROOM((size_t)64 * 1024)
/* Colons before the time at which a record begins: state, event and message alike. */
#define SFR_COLONS 5

/* The end of the file so far. */
struct sfr_tail {
    char *at; /* owned */
    size_t count;
    uint64_t offset; /* of at, in the file */
};

static enum prvcut_status sfr_read(struct sfr_tail *tail, const struct prv_trace *t, uint64_t end,
                                   size_t want, struct prvcut_error *err)
{
    const uint64_t body = t->header.text_count;

    free(tail->at);
    tail->offset = end - body > want ? end - want : body;
    tail->at = prvcut_unset(1, (size_t)(end - tail->offset) + 1, "the end of a trace", err);
    if (!tail->at)
        return PRVCUT_ENOMEM;
    return prvcut_source_read_at(t->source, tail->offset, tail->at, (size_t)(end - tail->offset),
                                 &tail->count, err);
}

/* The number behind so many colons; false: there is none. */
static bool sfr_field(const char *line, const char *end, unsigned colons, uint64_t *out)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < colons; i++) {
        line = memchr(line, ':', (size_t)(end - line));
        if (!line++)
            return false;
    }
    if (line == end || *line < '0' || *line > '9')
        return false;
    for (; line < end && *line >= '0' && *line <= '9'; line++) {
        if (value > (UINT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (uint64_t)(*line - '0');
    }
    *out = value;
    return true;
}

/* The latest time, in ticks, at which a record of the whole lines begins, and that of the last one;
   false: there is none. */
static bool sfr_latest(const struct sfr_tail *tail, bool from_line, uint64_t *latest,
                       uint64_t *last)
{
    const char *at = tail->at, *end = tail->at + tail->count;
    bool found = false;

    *latest = *last = 0;
    for (const char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        uint64_t time;

        if ((at == tail->at && !from_line) || at == newline || *at < '1' || *at > '3' ||
            !sfr_field(at, newline, SFR_COLONS, &time))
            continue;
        found = true;
        *latest = time > *latest ? time : *latest;
        *last = time;
    }
    return found;
}

/* Bytes up to the end of the last whole line. */
static uint64_t sfr_whole(const struct sfr_tail *tail)
{
    size_t count = tail->count;

    while (count > 0 && tail->at[count - 1] != '\n')
        count--;
    return tail->offset + count;
}

enum prvcut_status prv_so_far(struct prvcut_trace *base, uint64_t bytes, struct prvcut_error *err)
{
    struct prv_trace *t = (struct prv_trace *)base;
    const uint64_t body = t->header.text_count;
    struct sfr_tail tail = { .at = NULL };
    uint64_t latest = 0, last = 0;
    bool found = false;
    enum prvcut_status st = prvcut_source_limit(t->source, bytes, err);

    bytes = st == PRVCUT_OK ? prvcut_source_size(t->source) : 0;
    for (size_t want = SFR_TAIL; st == PRVCUT_OK && !found; want *= 2) {
        if (bytes <= body)
            st = PRVCUT_END;
        else
            st = sfr_read(&tail, t, bytes, want, err);
        if (st == PRVCUT_OK)
            found = sfr_latest(&tail, tail.offset == body, &latest, &last);
        if (st == PRVCUT_OK && !found && tail.offset == body)
            st = PRVCUT_END;
    }
    if (st == PRVCUT_OK)
        st = prvcut_source_limit(t->source, sfr_whole(&tail), err);
    if (st == PRVCUT_OK) {
        base->bytes = prvcut_source_size(t->source);
        base->end_ns =
            latest > PRV_TIME_MAX / base->unit_ns ? PRV_TIME_MAX : latest * base->unit_ns;
        base->so_far = base->kept_asked = true;
        base->promised_ns = t->header.end > PRV_TIME_MAX / base->unit_ns
                                ? PRV_TIME_MAX
                                : t->header.end * base->unit_ns;
        /* Lines are in the order of their begins: a state up to the end, or a message, may be
           written long before it. What begins behind the duration belies it. */
        base->reached = last > 0 && last == t->header.end && latest == last;
    }
    free(tail.at);
    return st;
}
