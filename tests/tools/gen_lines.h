#ifndef GEN_LINES_H
#define GEN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Order of one thread's lines at the same instant. */
enum gen_class { GEN_EARLY, GEN_STATE, GEN_EVENT, GEN_COMM, GEN_LATE };

struct gen_line;

/**
 * Body of a .prv on its way to the file: lines come in any order and are written sorted.
 *
 * A line may be written once no earlier one can follow: gen_lines_settle says up to where that
 * is so. Memory grows with what is not settled, not with the trace.
 */
struct gen_lines {
    int file;
    uint64_t tick; /**< ns of one tick of the file */
    bool crlf;
    char *pool;
    size_t pool_count, pool_room;
    struct gen_line *line;
    size_t count, room;
    size_t full; /**< lines at which settling pays */
    char *out;
    size_t out_count;
    uint64_t written; /**< bytes already given to the file or waiting in out */
    uint64_t states, events, comms;
    size_t open; /**< pool offset of the line being built */
};

/** One thread as records name it: ":cpu:app:task:thread:". */
struct gen_name {
    char text[44];
    uint32_t count;
};

struct gen_comm {
    uint64_t lsend, psend, lrecv, precv, size, tag;
};

void gen_lines_init(struct gen_lines *l, int file, uint64_t tick, bool crlf);
void gen_lines_fini(struct gen_lines *l);

void gen_lines_state(struct gen_lines *l, const struct gen_name *who, uint32_t thread,
                     const uint64_t span[2], uint64_t state);

/** An event line: open, one or more pairs, close. */
void gen_lines_event(struct gen_lines *l, const struct gen_name *who, uint64_t time);
void gen_lines_pair(struct gen_lines *l, uint64_t type, uint64_t value);
void gen_lines_close(struct gen_lines *l, uint64_t time, uint32_t thread, enum gen_class class);

void gen_lines_comm(struct gen_lines *l, const struct gen_name *from, uint32_t thread,
                    const struct gen_name *to, const struct gen_comm *c);

/** Bytes written and waiting. */
uint64_t gen_lines_bytes(const struct gen_lines *l);

/** Write, in order, all lines before a time; none before it may be added afterwards. */
void gen_lines_settle(struct gen_lines *l, uint64_t before);

/** Write the rest. */
void gen_lines_finish(struct gen_lines *l);

/** Say what went wrong and leave with status 1. */
_Noreturn void gen_die(const char *what);

void *gen_room(void *old, size_t count, size_t size);
void gen_write(int file, const char *text, size_t count);
/** Decimal digits; returns the end. */
char *gen_digits(char *at, uint64_t value);

#endif
