/*
 * A program of the kind that archives are made of. Each event has a slot of time of its own that is
 * the same in all processes, so what a message or a collective needs has happened before.
 */
#include "archive_program.h"

#define SLOT       400  /* ns between two events, about */
#define LOAD_SLOTS 60   /* of computing in an exchange */
#define SETTLE     5000 /* slots of computing in the initialisation */
#define BROADCASTS 3
#define FACE_BYTES 8192

const char *const archive_region_name[ARCHIVE_REGIONS] = {
    [ARCHIVE_MAIN] = "main",
    [ARCHIVE_READ_INPUT] = "read_input",
    [ARCHIVE_EXCHANGE] = "exchange",
    [ARCHIVE_RELAX] = "relax",
    [ARCHIVE_IRECV] = "MPI_Irecv",
    [ARCHIVE_ISEND] = "MPI_Isend",
    [ARCHIVE_WAITALL] = "MPI_Waitall",
    [ARCHIVE_BCAST] = "MPI_Bcast",
    [ARCHIVE_ALLREDUCE] = "MPI_Allreduce",
};

bool archive_region_is_mpi(enum archive_region region)
{
    return region >= ARCHIVE_IRECV;
}

bool archive_region_is_collective(enum archive_region region)
{
    return region == ARCHIVE_BCAST || region == ARCHIVE_ALLREDUCE;
}

/* A process on its way through the program. */
struct run {
    const struct archive_options *o;
    archive_sink *sink;
    void *ctx;
    uint32_t rank;
    uint64_t start, slot; /* ns of the present piece's start, slots since then */
    uint64_t stretch;     /* ns of a slot, the same in all processes */
    uint64_t skew, request;
    bool good;
};

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static void emit(struct run *r, struct archive_event e)
{
    const uint64_t base = r->start + r->slot * r->stretch;

    e.time = base + mix(base ^ (uint64_t)r->rank << 40) % (SLOT / 2) + r->skew;
    r->slot++;
    r->good = r->good && r->sink(r->ctx, &e);
}

static void emit_region(struct run *r, enum archive_kind kind, enum archive_region region)
{
    emit(r, (struct archive_event){ .kind = kind, .region = region });
}

/* A new piece of the run begins where the last one ended; pieces differ a little in speed. */
static void next_piece(struct run *r, uint64_t number)
{
    r->start += r->slot * r->stretch;
    r->slot = 0;
    r->stretch = SLOT + mix(number) % (SLOT / 10);
}

static void collective(struct run *r, enum archive_region region, uint64_t size)
{
    emit_region(r, ARCHIVE_ENTER, region);
    emit(r, (struct archive_event){
                .kind = ARCHIVE_COLLECTIVE_BEGIN, .region = region, .size = size });
    emit(r,
         (struct archive_event){ .kind = ARCHIVE_COLLECTIVE_END, .region = region, .size = size });
    emit_region(r, ARCHIVE_LEAVE, region);
}

static void post(struct run *r, enum archive_kind kind, uint32_t peer, uint32_t tag)
{
    const enum archive_region region = kind == ARCHIVE_SEND ? ARCHIVE_ISEND : ARCHIVE_IRECV;

    emit_region(r, ARCHIVE_ENTER, region);
    emit(r,
         (struct archive_event){
             .kind = kind, .peer = peer, .tag = tag, .size = FACE_BYTES, .request = ++r->request });
    emit_region(r, ARCHIVE_LEAVE, region);
}

static void complete(struct run *r, enum archive_kind kind, uint32_t peer, uint32_t tag,
                     uint64_t request)
{
    emit(r, (struct archive_event){
                .kind = kind, .peer = peer, .tag = tag, .size = FACE_BYTES, .request = request });
}

static void exchange(struct run *r)
{
    const uint32_t n = r->o->processes, left = (r->rank + n - 1) % n, right = (r->rank + 1) % n;
    const uint64_t first = r->request + 1;

    emit_region(r, ARCHIVE_ENTER, ARCHIVE_EXCHANGE);
    post(r, ARCHIVE_RECEIVE_REQUEST, left, 1);
    post(r, ARCHIVE_RECEIVE_REQUEST, right, 2);
    post(r, ARCHIVE_SEND, right, 1);
    post(r, ARCHIVE_SEND, left, 2);
    emit_region(r, ARCHIVE_ENTER, ARCHIVE_RELAX);
    r->slot += LOAD_SLOTS;
    emit_region(r, ARCHIVE_LEAVE, ARCHIVE_RELAX);
    emit_region(r, ARCHIVE_ENTER, ARCHIVE_WAITALL);
    complete(r, ARCHIVE_RECEIVE, left, 1, first);
    complete(r, ARCHIVE_RECEIVE, right, 2, first + 1);
    if (!r->o->eztrace) {
        complete(r, ARCHIVE_SEND_COMPLETE, right, 1, first + 2);
        complete(r, ARCHIVE_SEND_COMPLETE, left, 2, first + 3);
    }
    emit_region(r, ARCHIVE_LEAVE, ARCHIVE_WAITALL);
    emit_region(r, ARCHIVE_LEAVE, ARCHIVE_EXCHANGE);
}

uint64_t archive_iteration_events(const struct archive_options *o)
{
    return o->exchanges * (uint64_t)(o->eztrace ? 20 : 22) + 4;
}

double archive_period(const struct archive_options *o)
{
    const uint64_t slots = archive_iteration_events(o) + (uint64_t)o->exchanges * LOAD_SLOTS;
    uint64_t sum = 0;

    for (uint64_t i = 1; i <= o->iterations; i++)
        sum += (SLOT + mix(i) % (SLOT / 10)) * slots;
    return o->iterations > 0 ? (double)sum / (double)o->iterations : 0;
}

bool archive_run(const struct archive_options *o, uint32_t rank, archive_sink *sink, void *ctx)
{
    struct run r = { .o = o, .sink = sink, .ctx = ctx, .rank = rank, .good = true };

    r.skew = o->skew_ns > 0 ? mix(rank + UINT64_C(77)) % o->skew_ns : 0;
    r.start = SLOT;
    next_piece(&r, 0);
    emit_region(&r, ARCHIVE_ENTER, ARCHIVE_MAIN);
    emit_region(&r, ARCHIVE_ENTER, ARCHIVE_READ_INPUT);
    for (int i = 0; i < BROADCASTS; i++) {
        r.slot += SETTLE;
        collective(&r, ARCHIVE_BCAST, 4);
    }
    emit_region(&r, ARCHIVE_LEAVE, ARCHIVE_READ_INPUT);
    for (uint64_t i = 1; i <= o->iterations && r.good; i++) {
        next_piece(&r, i);
        for (uint32_t k = 0; k < o->exchanges; k++)
            exchange(&r);
        collective(&r, ARCHIVE_ALLREDUCE, 8);
    }
    next_piece(&r, 0);
    r.slot += SETTLE;
    emit_region(&r, ARCHIVE_LEAVE, ARCHIVE_MAIN);
    return r.good;
}
