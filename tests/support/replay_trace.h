#ifndef TESTS_REPLAY_TRACE_H
#define TESTS_REPLAY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A plain .prv as its MPI calls and messages see it: a parser of its own, which shares no code with
 * the library.
 */

#define REPLAY_NONE SIZE_MAX

struct replay_call {
    int64_t begin, end;            /* end -1: never ended */
    int64_t type, value;           /* 50000001..3 and which call */
    int64_t communicator;          /* 0: not told */
    size_t sends, posts, arrivals; /* messages whose logical send, logical receive, physical receive
                                      lie in it */
    bool starves;                  /* it waits for a message that the trace does not hold */
    size_t round; /* of a collective: the how manieth of its thread on the communicator */
};

struct replay_thread {
    uint32_t application, task, thread;
    struct replay_call *call; /* by begin */
    size_t calls, room;
    size_t open[3]; /* index of the call that is open, by type; REPLAY_NONE */
};

struct replay_message {
    size_t sender, receiver; /* threads */
    int64_t time[4];         /* logical and physical send, logical and physical receive */
    int64_t size, tag;
    size_t in[4]; /* the call of sender (two) and receiver (two) that each lies in; REPLAY_NONE */
};

struct replay_group {
    uint32_t application;
    int64_t id;
    uint32_t *task; /* numbers, from 1 */
    size_t tasks;
};

struct replay_trace {
    struct replay_thread *thread;
    size_t threads;
    struct replay_message *message;
    size_t messages, message_room;
    struct replay_group *group; /* communicators */
    size_t groups;
    int64_t unit;    /* ns of one tick of all times here */
    bool told;       /* a comment says that it is a cut, */
    int64_t offset;  /* and of what time in the original its 0 is */
    char fault[128]; /* why it cannot be read */
};

/** owns: *out is released with replay_trace_free, also on failure; false: fault tells why */
bool replay_trace_read(struct replay_trace *out, const char *path);

/** Put the messages' ends into their calls. `sane`: leave those out that arrive before they are
   sent, which the recorder told from each other wrongly. Returns how many. */
size_t replay_trace_place(struct replay_trace *t, bool sane);

void replay_trace_free(struct replay_trace *t);

/** The call of a thread that is under way at a time; where one ends as the next begins, the next
    (`late`) or the one that ends. REPLAY_NONE: none */
size_t replay_call_at(const struct replay_thread *t, int64_t time, bool late);

/** Room for one more; the list or NULL. */
void *replay_grow(void *at, size_t *room, size_t count, size_t size);

#endif
