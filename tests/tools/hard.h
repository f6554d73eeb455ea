#ifndef HARD_H
#define HARD_H

#include "gen_lines.h"

/*
 * Runs of random programs whose outermost iteration is hard to find, with their truth. A program
 * is simulated call by call on a few ranks; what it does is drawn from its seed.
 */

#define HARD_RANKS  8
#define HARD_GROUPS 512 /* communicators */
#define HARD_LOOPS  4   /* that are accepted */
#define HARD_OPS    8   /* of a body */
#define HARD_MARKS  4096
#define HARD_DEPTH  4 /* functions around a call */

enum hard_call {
    HARD_SEND = 1,
    HARD_RECV = 2,
    HARD_ISEND = 3,
    HARD_IRECV = 4,
    HARD_WAITALL = 6,
    HARD_BCAST = 7,
    HARD_BARRIER = 8,
    HARD_REDUCE = 9,
    HARD_ALLREDUCE = 10,
    HARD_ALLTOALL = 11,
    HARD_GATHER = 13,
    HARD_ALLGATHER = 17,
    HARD_INIT = 31,
    HARD_FINALIZE = 32,
    HARD_WAITANY = 59,
    HARD_IPROBE = 62,
    HARD_PUT = 65,
    HARD_GET = 66,
    HARD_SPLIT = 36
};

/** Ranks that call together; the first one is all. */
struct hard_group {
    unsigned rank[HARD_RANKS], count;
};

/** One thing that all ranks of a group do, after some work. */
struct hard_op {
    enum { HARD_OP_HALO, HARD_OP_COLLECTIVE, HARD_OP_RING, HARD_OP_SWEEP } kind;
    unsigned call, site;
    unsigned size;
    double work; /* ns */
};

struct hard_body {
    struct hard_op op[HARD_OPS];
    unsigned count;
};

/** A loop that is right: where its iterations begin on the first rank that has it. */
struct hard_loop {
    double mark[HARD_MARKS]; /* ns; the last one is its end */
    unsigned count, multiple[3], multiples;
};

struct hard {
    struct gen_lines lines;
    struct gen_name name[HARD_RANKS];
    unsigned ranks;
    double now[HARD_RANKS];  /* ns */
    double open[HARD_RANKS]; /* since when the rank computes */
    double pace;             /* time that work takes, 1: as drawn */
    double noise;            /* of the logarithm of a burst */
    double busy, stretch;    /* the same of stretches of so many ns, on all ranks: other programs
                                use the machine, too */
    bool sites, moved;       /* calls have callers; lines differ from rank to rank */
    unsigned path[HARD_DEPTH], depth, next_site;
    struct hard_group *group; /* [groups] */
    unsigned groups;
    struct hard_loop *loop; /* [loops] */
    unsigned loops;
    uint64_t random;
};

/* --- Chance -------------------------------------------------------------------------------- */

/** 0 <= u < 1. */
double hard_real(struct hard *h);
/** Even between two whole numbers, both of them included. */
unsigned hard_between(struct hard *h, unsigned least, unsigned most);
/** Even in the logarithm. */
double hard_log(struct hard *h, double least, double most);
bool hard_chance(struct hard *h, double p);

/* --- Calls --------------------------------------------------------------------------------- */

unsigned hard_site(struct hard *h);
void hard_enter(struct hard *h);
void hard_leave(struct hard *h);
/** A group of some ranks: its number. */
unsigned hard_group_add(struct hard *h, const unsigned *rank, unsigned count);

void hard_work_of(struct hard *h, unsigned rank, double ns);
void hard_work(struct hard *h, unsigned group, double ns);
void hard_collective(struct hard *h, unsigned group, unsigned call, unsigned size, unsigned site);
/** Each rank of a group with those that many places away; each link is left out by chance. */
void hard_halo(struct hard *h, unsigned group, const int *away, unsigned neighbours, unsigned size,
               unsigned site, double left_out);
void hard_message(struct hard *h, unsigned from, unsigned to, unsigned size, unsigned tag,
                  unsigned site);
/** A call of one rank alone. */
void hard_alone(struct hard *h, unsigned rank, unsigned call, unsigned size, unsigned site,
                double ns);

/** A body of so many operations, drawn; and what it does in a group. */
struct hard_body hard_draw(struct hard *h, unsigned ops);
void hard_run(struct hard *h, unsigned group, const struct hard_body *b);

/** What runs do before and after their loops. */
void hard_start(struct hard *h);
void hard_finish(struct hard *h);
/** Or: no call follows; the trace goes on while ranks compute. */
void hard_stop(struct hard *h);

/* --- Truth --------------------------------------------------------------------------------- */

/** A loop that would be right; the first one is the run's. */
struct hard_loop *hard_loop_add(struct hard *h);
/** An iteration begins (or the loop ends) on a rank. */
void hard_mark(struct hard *h, struct hard_loop *l, unsigned rank);
/** So many iterations taken as one are right, too. */
void hard_multiple(struct hard_loop *l, unsigned k);

/* --- Classes ------------------------------------------------------------------------------- */

struct hard_class {
    const char *name;
    void (*run)(struct hard *h);
    bool periodic; /* has a loop */
};

extern const struct hard_class hard_classes[];
extern const unsigned hard_class_count;

#endif
