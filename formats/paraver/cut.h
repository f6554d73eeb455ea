#ifndef PRVCUT_PARAVER_CUT_H
#define PRVCUT_PARAVER_CUT_H

#include "base/bytes.h"
#include "base/output.h"
#include "model/stack.h"
#include "paraver/filter.h"
#include "paraver/index.h"
#include "paraver/texts.h"

/** A line to be written at a thread's left or right border. */
struct prv_border_line {
    uint64_t time;  /**< ns */
    uint64_t order; /**< among lines of one time */
    char *text;     /**< complete, with its line end; owned */
    size_t count;
};

struct prv_border_lines {
    struct prv_border_line *at;
    size_t count, room, next;
};

/** A line that began regions a thread is in. */
struct prv_open_line {
    char *text;     /**< without its line end; owned */
    size_t count;   /**< of its bytes */
    uint64_t order; /**< among all lines that were read */
    uint32_t used;  /**< regions that are open, and one while it is read; 0: the place is free */
    uint32_t next;  /**< of a free one: place + 1 of the next one; 0: none */
};

/** What threads are in, and the lines that began it (cut_open.c). Zeroed is empty. */
struct prv_open {
    struct prvcut_stack *stack; /**< [threads]: types are those of the plan; note: place of the
                                   line; owned */
    uint64_t *latest;           /**< [threads * regions] ns, of the last line on the type; owned */
    struct prv_open_line *line; /**< [lines]; owned */
    size_t lines, room;
    size_t used;                  /**< of them */
    uint32_t spare;               /**< place + 1 of the first that is free; 0: none */
    struct prv_border_lines late; /**< of a trace out of order: those that wait for their turn */
};

/** So many lines are kept: what never ends would pile up on all threads. */
#define PRV_OPEN_LINES ((size_t)1 << 20)

/** Which collectives are whole (cut_collective.c). */
struct prv_collectives;

/** Counter types that are told apart; those beyond share the last place. */
#define PRV_CUT_COUNTERS 64

/** What a block before the window leaves open there, as a snapshot tells it. */
struct prv_open_only {
    const struct prv_run *run; /**< [runs] of the block, ascending keys */
    size_t runs;
    uint64_t order; /**< of the line before the block */
};

/** How the blocks before the borders are read (cut_before.c). */
struct prv_before {
    struct prv_run *run;       /**< [runs] what is open at a snapshot, by block; owned */
    size_t runs, told;         /**< told: those of blocks that are through */
    size_t snapshot;           /**< position of the block that it stands in front of */
    struct prv_open_only only; /**< of the present block */
    bool only_told;            /**< nothing else that the block opens counts */
    bool events, records;      /**< wanted of the present block */
};

struct prv_cutter;
struct prv_cut_line;

/**
 * What a cut reads the trace for; these follow each other. At any time a cutter wants the block at
 * `block`; x->blocks: none, the step is at its end.
 */
struct prv_cut_step {
    enum prvcut_status (*begin)(struct prv_cutter *c, struct prvcut_error *err);
    enum prvcut_status (*line)(struct prv_cutter *c, const struct prv_cut_line *l,
                               struct prvcut_error *err);
    /** The block was read: on to the next that is wanted. */
    void (*next)(struct prv_cutter *c);
    enum prvcut_status (*end)(struct prv_cutter *c, struct prvcut_error *err);
};

#define PRV_CUT_STEPS 4

/** A cut under way. */
struct prv_cutter {
    struct prv_trace *trace;
    struct prv_parse_plan plan;
    const struct prvcut_window *window; /**< borders on ticks */
    uint64_t *on_ticks; /**< [2 * threads]: their borders, where a tick is not 1 ns; else NULL */
    uint64_t first_from, last_from; /**< least and greatest left border */
    uint64_t first_to, last_to;
    uint64_t ends; /**< ns: where windows end that go one tick further, for what stands at the
                        trace's very end; UINT64_MAX: none does */
    const struct prvcut_cut_options *options;
    struct prvcut_cut_summary *sum;
    struct prvcut_output *out;     /**< NULL in a dry run */
    struct prvcut_put text;        /**< lines on their way out */
    struct prvcut_rules rules;     /**< filters of what is written */
    struct prvcut_buffer filtered; /**< what they left of the text */
    struct prv_filtered done;
    bool filtering;  /**< the header is through */
    uint64_t limit;  /**< stop before so many bytes are written; 0: never */
    uint64_t full;   /**< ns, of the first line in the window that went beyond the limit; 0: none */
    const char *eol; /**< of the trace */
    uint64_t base;   /**< ns that times are moved back by */
    struct prv_open open;
    uint32_t counter[PRV_CUT_COUNTERS]; /**< types, in order of first sight */
    unsigned counters;
    uint64_t *counted; /**< [threads]: a bit per counter whose first value is through */
    uint32_t *leaving; /**< threads by right border, where these differ; else NULL */
    size_t left_over;  /**< of leaving: how many have been closed */
    struct prv_border_lines left, right;
    struct prv_collectives *collectives;
    uint64_t order;
    unsigned step;    /**< of PRV_CUT_STEPS */
    size_t block;     /**< position of the block that is wanted */
    bool ends_inside; /**< the right borders' counts go on from those of the left ones */
    size_t flush;     /**< text is handed to the output in pieces of about so many bytes */
    struct prv_before before;
};

static inline uint64_t prv_cut_from(const struct prv_cutter *c, uint32_t thread)
{
    return prvcut_window_own(c->window, thread).start;
}

static inline uint64_t prv_cut_to(const struct prv_cutter *c, uint32_t thread)
{
    return prvcut_window_own(c->window, thread).end;
}

/** Where its window ends for a reader of the cut. */
static inline uint64_t prv_cut_end(const struct prv_cutter *c, uint32_t thread)
{
    const uint64_t to = prv_cut_to(c, thread);

    return to < c->ends ? to : c->ends;
}

/** The same of the hull. */
static inline uint64_t prv_cut_last(const struct prv_cutter *c)
{
    return c->window->to < c->ends ? c->window->to : c->ends;
}

/** Has the thread any time in its window? */
static inline bool prv_cut_takes(const struct prv_cutter *c, uint32_t thread)
{
    return prv_cut_from(c, thread) < prv_cut_to(c, thread);
}

/** One line of the body, read exactly; text without its line end. */
struct prv_cut_line {
    const char *at, *end;
    enum prv_line_kind kind;
    struct prvcut_state state;
    struct prvcut_event event;
    struct prvcut_message message;
    struct prv_fields pairs;
    const char *eol_end; /**< end of its line end */
};

/* cut_reading.c */

/**
 * Let cutters have all that they read, each its steps: a block that several want is read and
 * decoded once, and a stream is begun again no more often than for one of them.
 *
 * shape   a cutter's step and block are zero
 */
enum prvcut_status prv_cut_read(struct prv_cutter *c, size_t count, struct prv_texts *texts,
                                const struct prvcut_run *run, struct prvcut_error *err);

/** How far a reading is, in blocks of windows. */
struct prv_cut_progress {
    const struct prvcut_run *run;
    size_t done, all;
};

/** Tell the run's caller. errors: PRVCUT_EINTERRUPTED */
enum prvcut_status prv_cut_tell(const struct prv_cut_progress *p, struct prvcut_error *err);

/** On to the first block from the wanted one on that touches the window. */
void prv_cut_seek(struct prv_cutter *c);

/* cut_middle.c */

/** Where blocks come from, and where those go that are to be read line by line. */
struct prv_cut_middle {
    struct prv_texts *texts;
    struct prv_cut_progress *told;
    void *ctx;
    enum prvcut_status (*lines)(void *ctx, const struct prv_text *text, struct prvcut_error *err);
};

/**
 * Write blocks from the wanted one on in which nothing stands at a border, with several workers: as
 * if each of their lines had been handed to prv_cut_inside, whose turn it is. c->block goes on
 * behind them.
 */
enum prvcut_status prv_cut_middle(struct prv_cutter *c, const struct prv_cut_middle *wish,
                                  struct prvcut_error *err);

/* cut.c */

/** Messages that stand at borders though they are sent between them; the window itself. */
extern const struct prv_cut_step prv_cut_late, prv_cut_inside;

/* cut_before.c: what comes before the window. */

/** First position whose lines, from there on, can be decided by reading on. */
size_t prv_cut_start(const struct prv_cutter *c);

/** What is open at the left borders; which collectives are whole. */
extern const struct prv_cut_step prv_cut_before, prv_cut_ends;

/* cut_message.c: messages (model/crossing.h). */

/** Is the message in the cut, and with which times? Counts it in any case. */
bool prv_message_take(struct prv_cutter *c, const struct prvcut_message *m,
                      struct prvcut_message *times);

/** Its line stands before the sender's left border. */
bool prv_message_is_before(const struct prv_cutter *c, const struct prvcut_message *m);

/** Sent after a right border that is not the last one, and kept. */
bool prv_message_is_late(const struct prv_cutter *c, const struct prvcut_message *m);

/** A message that is sent outside its sender's borders does not stand at its own time in the cut.
 */
enum prvcut_status prv_border_message(struct prv_cutter *c, const struct prv_cut_line *l,
                                      struct prvcut_error *err);

/** What of a message is in the cut. */
enum prv_message_part {
    PRV_MESSAGE_NONE,    /**< it touches nobody's window */
    PRV_MESSAGE_CROSSES, /**< an end is outside: it is dropped */
    PRV_MESSAGE_KEPT,    /**< the same, but it stays */
    PRV_MESSAGE_WHOLE
};

/** Which; times: of one that is kept or whole. */
enum prv_message_part prv_message_part(const struct prv_cutter *c, const struct prvcut_message *m,
                                       struct prvcut_message *times);

/* cut_lines.c: how lines look in the cut. */

/** Room for a tick and the separator behind it. */
#define PRV_TICK_ROOM 24

/** A time in the cut's ticks, and a separator; returns its end. */
static inline char *prv_cut_tick(const struct prv_cutter *c, char *to, uint64_t ns)
{
    uint64_t tick = (ns - c->base) / c->plan.header->unit_ns;
    char digits[PRV_TICK_ROOM];
    size_t at = sizeof digits;

    digits[--at] = ':';
    do
        digits[--at] = (char)('0' + tick % 10);
    while ((tick /= 10) > 0);
    memcpy(to, digits + at, sizeof digits - at);
    return to + (sizeof digits - at);
}

/** Bit of a counter type in prv_cutter.counted, where these were seen before: of a new one that of
    the next one. */
uint64_t prv_counter_bit(const uint32_t *counter, unsigned counters, uint32_t type);

/** Text of field k (0 = the record's kind) up to the line's end. */
const char *prv_field(const struct prv_cut_line *l, unsigned k);

/** Append a state clipped to its thread's window. */
void prv_put_state(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l);

/** Bit of the k-th collective that begins in a line; those beyond share the last one. */
static inline uint32_t prv_collective_bit(uint32_t k)
{
    return UINT32_C(1) << (k < 31 ? k : 31);
}

#define PRV_ALL_WHOLE UINT32_MAX

/**
 * Append an event line; a counter's first value, which counts from before the border, as 0; of
 * collectives that are not whole (bits: prv_collective_bit), without what tells of them.
 */
void prv_put_event(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l,
                   uint32_t whole);

/** What was put goes to the filters and the output. */
enum prvcut_status prv_cut_drain_all(struct prv_cutter *c, struct prvcut_error *err);

/** The same where it is more than so many bytes. */
static inline enum prvcut_status prv_cut_drain(struct prv_cutter *c, size_t keep,
                                               struct prvcut_error *err)
{
    return c->text.st < 0 || c->text.b.count <= keep ? c->text.st : prv_cut_drain_all(c, err);
}

/** Lines that are complete, behind all that were put before. */
enum prvcut_status prv_cut_put_lines(struct prv_cutter *c, const struct prvcut_buffer *lines,
                                     struct prvcut_error *err);

/** Append a message with these times (ns). */
void prv_put_message(struct prv_cutter *c, struct prvcut_put *to, const struct prv_cut_line *l,
                     const struct prvcut_message *times);

/** Append header, communicators, comments and the provenance line. */
void prv_put_header(struct prv_cutter *c, struct prvcut_put *to);

/** Where a cut comes from; times in ns. */
struct prv_origin {
    const struct prvcut_trace *trace;
    const char *date;    /**< as prv_cut_date has it */
    uint64_t base;       /**< its times are moved back by that */
    uint64_t from, end;  /**< the window */
    const char *command; /**< NULL: none */
    const char *eol;
};

/** Append that as comments, one line each. */
void prv_put_origin(struct prvcut_put *to, const struct prv_origin *o);

/** Digits of "(20/11/2026 at 11:56)" as 20261120115600: the same cut is the same file. */
void prv_cut_date(char out[16], const char *text, size_t count);

/* cut_open.c: what threads are in. */

enum prvcut_status prv_open_init(struct prv_open *o, uint32_t threads, unsigned regions,
                                 struct prvcut_error *err);
void prv_open_fini(struct prv_open *o, uint32_t threads);

/** Follow the regions of an event line; where lines are out of order, it may wait for its turn. */
enum prvcut_status prv_open_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                  struct prvcut_error *err);

/** A pair of an event line that begins or ends a region. */
struct prv_open_pair {
    uint32_t type;
    unsigned region; /**< index in the plan */
    int64_t value;
};

/** Follow the regions of an event line whose pairs are known; lines are in order. */
enum prvcut_status prv_open_pairs(struct prv_cutter *c, const struct prv_cut_line *l,
                                  const struct prv_open_pair *pair, size_t pairs,
                                  struct prvcut_error *err);

/** All lines have been handed over: those that wait have their turn. */
enum prvcut_status prv_open_settle(struct prv_cutter *c, struct prvcut_error *err);

/** The same of a line of that block, where only what the snapshot tells counts. */
enum prvcut_status prv_open_only_event(struct prv_cutter *c, const struct prv_cut_line *l,
                                       const struct prv_open_only *only, struct prvcut_error *err);

/** At the block's end: later ones end what the snapshot does not tell. */
void prv_open_only_end(struct prv_cutter *c, const struct prv_open_only *only);

/** Index of a region type in the plan; plan->regions: it is none. */
unsigned prv_region_index(const struct prv_parse_plan *plan, uint32_t type);

/* cut_border.c: what is open at the borders. */

/** Collectives that are open at the left border. */
enum prvcut_status prv_border_collectives(struct prv_cutter *c, struct prvcut_error *err);

/** Lines that open again what thread is in at its left border. */
enum prvcut_status prv_border_reopen(struct prv_cutter *c, uint32_t thread,
                                     struct prvcut_error *err);

/** The line that closes what thread is in at its right border. */
enum prvcut_status prv_border_close(struct prv_cutter *c, uint32_t thread,
                                    struct prvcut_error *err);

enum prvcut_status prv_border_add(struct prv_border_lines *b, uint64_t time, uint64_t order,
                                  const char *text, size_t count, struct prvcut_error *err);

/** A line, which is released, for the left border of its thread. */
enum prvcut_status prv_border_put(struct prv_cutter *c, uint64_t time, uint64_t order,
                                  struct prvcut_put *line);

/** Order by time, then order. */
void prv_border_sort(struct prv_border_lines *b);
void prv_border_fini(struct prv_border_lines *b);

/* cut_collective.c: collectives of which only some calls are inside (model/crossing.h). */

enum prvcut_status prv_collectives_new(struct prv_collectives **out, const struct prv_cutter *c,
                                       struct prvcut_error *err);

/** What a snapshot says came before its block: for the left borders, or the right ones. */
enum prvcut_status prv_collectives_start(struct prv_collectives *s, const struct prv_index *x,
                                         const struct prv_snapshot *at, bool right,
                                         struct prvcut_error *err);

/** The right borders' counts go on from those of the left ones, which are complete. */
void prv_collectives_go_on(struct prv_collectives *s);

/** A line behind that block and before the border of its thread. */
void prv_collectives_count(struct prv_collectives *s, const struct prv_cut_line *l, bool right);

/** One that is open at the left border counts as inside. */
void prv_collectives_reopen(struct prv_collectives *s, const struct prv_cut_line *l);

/** Which ones are whole; *split: how many are not. Where lines are not ordered, their ordinals are
    not known, and all are written as they stand. */
enum prvcut_status prv_collectives_judge(struct prv_collectives *s, bool ordered, uint64_t *split,
                                         struct prvcut_error *err);

/** A line that is to be written: bits of those that are whole, of all that begin in it. */
uint32_t prv_collectives_take(struct prv_collectives *s, const struct prv_cut_line *l);

/** The same of one that began a collective which is open at the left border. */
bool prv_collectives_take_open(struct prv_collectives *s, const struct prv_cut_line *l);

/** The same of several at once, in order, if all of them are whole; else nothing is taken. */
bool prv_collectives_take_all(struct prv_collectives *s, const struct prv_called *called,
                              size_t count);

void prv_collectives_free(struct prv_collectives *s);

#endif
