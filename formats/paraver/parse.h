#ifndef PRVCUT_PARAVER_PARSE_H
#define PRVCUT_PARAVER_PARSE_H

#include "base/room.h"
#include "base/rows.h"
#include "base/table.h"
#include "model/trace.h"
#include "paraver/header.h"
#include "paraver/labels.h"
#include "paraver/seen.h"

/** Longest line of the body; a longer one is an error. */
#define PRV_LINE_MAX PRVCUT_ROOM((size_t)1 << 20)

/** Latest time that is taken: 2^60 ns, 36 years. */
#define PRV_TIME_MAX (UINT64_C(1) << 60)

/** Most event types whose value holds until 0 (calls, OpenMP and user regions) in one trace. */
#define PRV_REGION_TYPES 254

/** What an event type means to the parser, found by its digits. */
struct prv_type_slot {
    uint64_t key; /**< the digits as they stand, at most 8; 0 = free */
    uint32_t number;
    uint8_t role;
    uint8_t region; /**< index among the region types + 1; 0 = none */
    uint8_t wanted; /**< bit 0: of every thread; bit 1: of threads in detail; or a region; with bit
                       2: it tells of collectives (prv_calling_pair) */
};

/** Thread of the digits "cpu:app:task:thread". */
struct prv_object_slot {
    uint64_t key[2];
    uint32_t thread;
    uint32_t valid;
};

#define PRV_TYPE_SLOTS   512
#define PRV_OBJECT_SLOTS 2048

/** Values of collective calls that are told apart; Extrae's lie far below. */
#define PRV_CALLS 1024

/** What is the same for all workers; constant during a scan. */
struct prv_parse_plan {
    const struct prv_header *header;
    const struct prv_labels *labels;
    uint32_t region_type[PRV_REGION_TYPES]; /**< ascending */
    bool nests[PRV_REGION_TYPES];           /**< can one of the type be inside another? */
    bool blocking[PRV_CALLS];               /**< by value: is it a blocking collective? */
    unsigned regions;
    size_t regions_left_out; /**< beyond PRV_REGION_TYPES; calls and flushes never are */
    uint64_t max_tick;       /**< PRV_TIME_MAX in ticks */
    uint64_t end_ns;         /**< header's end */
    uint32_t roles;          /**< delivered for every thread */
    uint32_t detail_roles;   /**< delivered for the threads of `detail` as well */
    uint32_t head_roles;     /**< delivered of lines' first pairs as well */
    const uint8_t *detail;   /**< [threads], nonzero = in detail; NULL: none */
    bool states, messages;
    bool again;    /**< an earlier reading found all lines sound: states and messages that nobody
                        wants are passed over, and what is counted is not wanted */
    bool followed; /**< an earlier reading followed regions and counted collectives; regions: 0 */
    bool lenient;
    struct prv_seen *seen; /**< notes the types that are met; NULL: nobody asks */
};

/** What is seen of one block of the file. */
struct prv_block {
    uint64_t number; /**< byte offset in the body / PRV_BLOCK */
    uint64_t lines;
    uint64_t key;         /**< sort key of its first record, ns */
    uint64_t first, last; /**< earliest begin, latest end of a record that starts here; ns */
};

/** Block size of the index, bytes. */
#define PRV_BLOCK PRVCUT_ROOM((uint64_t)1 << 20)

/** Regions of one type on one thread: what one part of the file says of them. */
struct prv_region_seen {
    uint32_t thread;
    uint8_t region;
    uint32_t ends; /**< of those that were open before the part; UINT32_MAX: all */
    uint32_t open; /**< began in the part, and are open at its end */
};

/** Blocking collectives of a task on a communicator. */
struct prv_called {
    uint32_t task, communicator; /**< the key */
    uint64_t count;
};

/** What a line tells of a collective that begins; zeroed before the line. */
struct prv_calling {
    uint32_t begins; /**< how many: where one begins, one before it in its line has ended */
    int64_t communicator;
};

/** What one part of the file leaves behind. */
struct prv_part {
    struct prvcut_counts counts;
    struct prv_block *block; /**< [blocks], ascending */
    size_t blocks, block_room;
    struct prv_region_seen *region; /**< [regions], in order of first sight */
    size_t regions, region_room;
    struct prv_called *called; /**< [calleds], in order of first sight; owned */
    size_t calleds;
    uint64_t first_key, last_key; /**< sort keys of its first and last line, ns */
    uint64_t least_key;           /**< of all; as first_key where there is none */
    uint64_t first_unsorted;      /**< line in the part, 1-based; 0 = none */
    void *consumer;               /**< the consumer's state */
};

/** One worker's parser. */
struct prv_parser {
    const struct prv_parse_plan *plan;
    const struct prvcut_consumer *consumer;
    unsigned worker;
    struct prvcut_batch batch;
    struct prv_part *part;
    struct prv_block block;     /**< the present one */
    struct prvcut_rows rows;    /**< [threads * regions] of prv_part.region */
    struct prvcut_table called; /**< of struct prv_called */
    struct prv_type_slot type[PRV_TYPE_SLOTS];
    struct prv_object_slot object[PRV_OBJECT_SLOTS];
};

/** owns: buffers of the parser; released with prv_parser_fini */
enum prvcut_status prv_parser_init(struct prv_parser *p, const struct prv_parse_plan *plan,
                                   const struct prvcut_consumer *consumer, unsigned worker,
                                   struct prvcut_error *err);
void prv_parser_fini(struct prv_parser *p);

/** Begin a part; its records go to part, its batches to the consumer's state part->consumer. */
void prv_parser_begin(struct prv_parser *p, struct prv_part *part);

/**
 * Parse whole lines of one block.
 *
 * shape   text: ends after a line end; 16 readable bytes before it, PRV_PAD after it
 * errors  PRVCUT_EFORMAT with the line counted from the part's start (see prv_part.counts.lines)
 */
enum prvcut_status prv_parse(struct prv_parser *p, const char *text, const char *end,
                             uint64_t block, struct prvcut_error *err);

/** End the part: the last batch is delivered, the last block noted. */
enum prvcut_status prv_parser_end(struct prv_parser *p, struct prvcut_error *err);

void prv_part_fini(struct prv_part *part);

/** A pair of a line. */
static inline void prv_calling_pair(const struct prv_parse_plan *plan, struct prv_calling *c,
                                    uint32_t role, int64_t value)
{
    if (role == PRVCUT_ROLE_COLLECTIVE)
        c->begins += value > 0 && value < PRV_CALLS && plan->blocking[value];
    else if (role == PRVCUT_ROLE_COMMUNICATOR)
        c->communicator = value;
}

/** Does a collective begin of which it is known where? One that is not counted belongs to nobody.
 */
static inline bool prv_calling_is_known(const struct prv_calling *c)
{
    return c->begins > 0 && c->communicator > 0 && c->communicator <= UINT32_MAX;
}

/* The exact, slow way, for every line that is not plain: parse_slow.c */

/** Fields of one line as 64-bit numbers. */
struct prv_fields {
    const char *at, *end; /**< the line without its line end */
    const char *next;     /**< start of the next field; NULL after the last */
    uint32_t bent;        /**< PRVCUT_BENT_BIT of what was taken otherwise than it stands */
};

/** What a slow line was. */
enum prv_line_kind { PRV_STATE, PRV_EVENT, PRV_MESSAGE, PRV_IGNORED };

/**
 * Read one line completely. Events: pairs are read on from *rest with prv_slow_pair.
 *
 * shape   rest->bent tells what was taken otherwise than it stands, pairs included
 * errors  PRVCUT_EFORMAT: what, the value, the limit (no file or line: the caller adds these)
 */
enum prvcut_status prv_slow_line(const struct prv_parse_plan *plan, const char *line,
                                 const char *end, enum prv_line_kind *kind,
                                 struct prvcut_state *state, struct prvcut_event *event,
                                 struct prvcut_message *message, struct prv_fields *rest,
                                 struct prvcut_error *err);

/** Next type:value pair; PRVCUT_END when there is none. */
enum prvcut_status prv_slow_pair(struct prv_fields *rest, uint32_t *type, int64_t *value,
                                 struct prvcut_error *err);

/** Thread of 1-based object numbers; the first one, the cpu, is not looked at. */
enum prvcut_status prv_slow_object(const struct prv_parse_plan *plan, const uint64_t number[4],
                                   uint32_t *thread, struct prvcut_error *err);

/** Is the cpu, counted from 1, one of the header's? 0: the record tells none. */
bool prv_cpu_exists(const struct prv_parse_plan *plan, uint64_t cpu);

/**
 * Can the last line of a text, which has no line end, be known to be whole? A record that ends in a
 * number may have lost digits or fields. Any line can where the file's compression vouches for it.
 */
bool prv_last_line_is_whole(const char *line, const char *end);

#endif
