#ifndef PRVCUT_DATABASE_RECORDS_H
#define PRVCUT_DATABASE_RECORDS_H

#include "database/database.h"
#include "stream/stream.h"

/* Rows of what the stream tells: calls, messages and what stands alone (records.c), collectives
   (records_collective.c); which of them (records_part.c). */

/* A call that a thread is in. */
struct rec_call {
    uint64_t id;            /* from 1; 0: it is left out */
    uint64_t begin;         /* as the stream tells it */
    struct prvcut_span own; /* what of it is told */
    int64_t value;
    uint32_t type;
    size_t iteration;
    /* Whom it talks to, gathered until it ends. */
    uint32_t partner, partners, communicator;
    uint64_t sent, received, collective;
    uint64_t own_ns; /* of what is told, what it does not spend in calls inside it; of an MPI call:
                        in those of MPI */
    bool mpi;
    bool over; /* an MPI call began in it, where a thread is in one at a time: no time is its any
                  more, as in the profile */
};

/* A member's part in a collective that is told before its call. */
struct rec_coming {
    uint64_t begin, slot, sent, received;
    uint32_t type, member, communicator;
};

struct rec_thread {
    struct rec_call *held;     /* [calls] the innermost last; owned */
    size_t calls, room, mpi;   /* mpi: MPI calls among them */
    struct rec_coming *coming; /* [comings]; owned */
    size_t comings, coming_room;
    size_t iteration; /* where it was last */
    uint64_t seen;    /* the innermost call has its time up to there */
};

/* A message under way. */
struct rec_message {
    uint64_t id, send_call;
    size_t iteration;
};

/* A collective under way. */
struct rec_collective {
    uint64_t id;
    uint64_t *call; /* [members] ids, 0: not told, or left out; owned */
    size_t iteration;
};

struct rec_job {
    struct dbs *d;
    struct prvcut_trace *trace;
    const struct prvcut_dictionary *names;
    const struct dbs_loop *loop;
    struct rec_thread *thread; /* [threads]; owned */
    struct rec_message *message;
    size_t message_room;
    struct rec_collective *collective;
    size_t collective_room;
    uint64_t calls, messages, collectives; /* numbers given */
};

/** Which iteration a thread is in, or DBS_NO_ITERATION. */
size_t dbs_rec_iteration(struct rec_job *j, uint32_t thread, uint64_t time);
/** Is told what that thread does? Nobody knows of those that the trace does not name. */
bool dbs_rec_tells(const struct rec_job *j, uint32_t thread);
/** Does a time lie in its thread's part of what is asked for? */
bool dbs_rec_takes(const struct rec_job *j, uint32_t thread, uint64_t time);
/** Leave what lies in its thread's part; false: nothing does. */
bool dbs_rec_clip(const struct rec_job *j, uint32_t thread, struct prvcut_span *s);
void dbs_rec_put_iteration(const struct rec_job *j, struct dbs_row *r, size_t iteration);
/** The open call that a message or a collective speaks of; NULL: the thread is not in it. */
struct rec_call *dbs_rec_find(struct rec_job *j, const struct prvcut_stream_call *c);

/** What a collective said of a call before it began. */
void dbs_rec_expected(struct rec_job *j, struct rec_thread *t, struct rec_call *c);
/** A collective begins or ends; ctx: struct rec_job. */
enum prvcut_status dbs_rec_collective(void *ctx, const struct prvcut_stream_collective *c,
                                      bool begins, struct prvcut_error *err);

#endif
