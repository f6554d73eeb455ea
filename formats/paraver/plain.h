#ifndef PRVCUT_PARAVER_PLAIN_H
#define PRVCUT_PARAVER_PLAIN_H

#include "base/room.h"
#include "paraver/parse.h"

/*
 * Nearly every line of a trace is plain: digits and colons, numbers of at most 16 digits, no more
 * and no fewer fields than the record has. Those are read eight digits at a time. Whatever is not
 * plain is left to the exact reader.
 */

/** Room of a batch: together it stays within a core's own cache. */
#define PRV_STATES   PRVCUT_ROOM(2048)
#define PRV_EVENTS   (PRV_EVENTS_SPARE + PRVCUT_ROOM(4032))
#define PRV_MESSAGES PRVCUT_ROOM(1024)

/** Free events that a batch needs for one more line. */
#define PRV_EVENTS_SPARE 64

static inline bool prv_batch_is_full(const struct prv_parser *p)
{
    return p->batch.states == PRV_STATES || p->batch.events > PRV_EVENTS - PRV_EVENTS_SPARE ||
           p->batch.messages == PRV_MESSAGES;
}

/** Read plain lines; where it stopped: at the end, at a full batch, or at a line that is not plain.
 */
const char *prv_plain_lines(struct prv_parser *p, const char *at, const char *end);

/** The same for processors with AVX2 and BMI2, on x86-64. */
const char *prv_plain_lines_avx2(struct prv_parser *p, const char *at, const char *end);

/** That of both which this processor can run. */
const char *(*prv_plain_best(void))(struct prv_parser *, const char *, const char *);

/** Follow a region of a thread; errors: PRVCUT_ENOMEM. */
/** A line has begun a collective, or nothing of the kind. */
enum prvcut_status prv_collective_event(struct prv_parser *p, uint32_t thread,
                                        const struct prv_calling *c, struct prvcut_error *err);

enum prvcut_status prv_region_event(struct prv_parser *p, uint32_t thread, unsigned region,
                                    int64_t value, struct prvcut_error *err);

/** Fill a slot with what the labels say of a type. */
void prv_learn_type(const struct prv_parse_plan *plan, struct prv_type_slot *slot, uint64_t key,
                    uint32_t number);

/** Thread of "cpu:app:task:thread" in [at, end); false: not plain, or not in the header. */
bool prv_learn_object(struct prv_parser *p, struct prv_object_slot *slot, const char *at,
                      const char *end);

/** Note a record that begins at `from`, sorts at `key` and ends at `to`. */
static inline void prv_note(struct prv_parser *p, uint64_t from, uint64_t key, uint64_t to)
{
    struct prv_part *part = p->part;

    if (p->block.key == UINT64_MAX)
        p->block.key = key;
    if (from < p->block.first)
        p->block.first = from;
    if (to > p->block.last)
        p->block.last = to;
    if (to > p->plan->end_ns)
        part->counts.beyond_end++;
    if (key < part->last_key) {
        if (part->counts.unsorted++ == 0)
            part->first_unsorted = part->counts.lines;
        if (part->last_key - key > part->counts.unsorted_ns)
            part->counts.unsorted_ns = part->last_key - key;
        if (key < part->least_key)
            part->least_key = key;
        return;
    }
    part->last_key = key;
    if (part->first_key == UINT64_MAX)
        part->first_key = part->least_key = key;
}

static inline uint64_t prv_least(const uint64_t t[4])
{
    uint64_t a = t[0] < t[1] ? t[0] : t[1];
    uint64_t b = t[2] < t[3] ? t[2] : t[3];

    return a < b ? a : b;
}

static inline uint64_t prv_latest(const uint64_t t[4])
{
    uint64_t a = t[0] > t[1] ? t[0] : t[1];
    uint64_t b = t[2] > t[3] ? t[2] : t[3];

    return a > b ? a : b;
}

#endif
