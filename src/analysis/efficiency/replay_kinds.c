#include "analysis/efficiency/replay.h"

#include "model/calls.h"

#include <strings.h>

#define SENDS       PRVCUT_REPLAY_SENDS
#define RENDEZVOUS  (PRVCUT_REPLAY_SENDS | PRVCUT_REPLAY_RENDEZVOUS)
#define SYNCHRONOUS (RENDEZVOUS | PRVCUT_REPLAY_SYNCHRONOUS)
#define POSTS       PRVCUT_REPLAY_POSTS
#define TOGETHER    (PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_ALL)
#define COLLECTIVE  PRVCUT_REPLAY_COLLECTIVE
#define FROM_ROOT   (PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_FROM_ROOT)
#define TO_ROOT     (PRVCUT_REPLAY_COLLECTIVE | PRVCUT_REPLAY_TO_ROOT)

/* Other calls pass, and wait for what they receive; collectives that are not here wait for all. */
static const struct {
    const char *name;
    uint32_t kind;
} rki_call[] = {
    { "MPI_Send", RENDEZVOUS },
    { "MPI_Ssend", SYNCHRONOUS },
    { "MPI_Rsend", RENDEZVOUS },
    { "MPI_Bsend", SENDS },
    { "MPI_Isend", SENDS },
    { "MPI_Ibsend", SENDS },
    { "MPI_Issend", SENDS },
    { "MPI_Irsend", SENDS },
    { "MPI_Sendrecv", RENDEZVOUS | POSTS },
    { "MPI_Sendrecv_replace", RENDEZVOUS | POSTS },
    { "MPI_Start", SENDS | POSTS },
    { "MPI_Startall", SENDS | POSTS },
    { "MPI_Recv", POSTS },
    { "MPI_Irecv", POSTS },
    { "MPI_Mrecv", POSTS },
    { "MPI_Imrecv", POSTS },
    { "MPI_Barrier", TOGETHER },
    { "MPI_Allreduce", TOGETHER },
    { "MPI_Alltoall", TOGETHER },
    { "MPI_Alltoallv", TOGETHER },
    { "MPI_Alltoallw", TOGETHER },
    { "MPI_Allgather", TOGETHER },
    { "MPI_Allgatherv", TOGETHER },
    { "MPI_Reduce_scatter", TOGETHER },
    { "MPI_Reduce_scatter_block", TOGETHER },
    { "MPI_Bcast", FROM_ROOT },
    { "MPI_Scatter", FROM_ROOT },
    { "MPI_Scatterv", FROM_ROOT },
    { "MPI_Gather", TO_ROOT },
    { "MPI_Gatherv", TO_ROOT },
    { "MPI_Reduce", TO_ROOT | PRVCUT_REPLAY_REDUCE },
    { "MPI_Init", PRVCUT_REPLAY_INIT },
    { "MPI_Init_thread", PRVCUT_REPLAY_INIT },
};

/* Numbers of Extrae's that the names have no other way to. */
static const struct {
    uint32_t type;
    int64_t value;
    const char *name;
} rki_number[] = {
    { PRVCUT_TYPE_MPI_P2P, 123, "MPI_Start" },
    { PRVCUT_TYPE_MPI_P2P, 124, "MPI_Startall" },
    { PRVCUT_TYPE_MPI_P2P, 192, "MPI_Mrecv" },
    { PRVCUT_TYPE_MPI_P2P, 193, "MPI_Imrecv" },
    { PRVCUT_TYPE_MPI_OTHER, 194, "MPI_Init_thread" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 154, "MPI_Ireduce" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 155, "MPI_Iallreduce" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 156, "MPI_Ibarrier" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 157, "MPI_Ibcast" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 158, "MPI_Ialltoall" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 159, "MPI_Ialltoallv" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 160, "MPI_Iallgather" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 161, "MPI_Iallgatherv" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 162, "MPI_Igather" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 163, "MPI_Igatherv" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 164, "MPI_Iscatter" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 165, "MPI_Iscatterv" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 166, "MPI_Ireduce_scatter" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 167, "MPI_Iscan" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 168, "MPI_Reduce_scatter_block" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 169, "MPI_Ireduce_scatter_block" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 170, "MPI_Alltoallw" },
    { PRVCUT_TYPE_MPI_COLLECTIVE, 171, "MPI_Ialltoallw" },
};

static const char *rki_number_name(uint32_t type, int64_t value)
{
    for (size_t i = 0; i < sizeof rki_number / sizeof *rki_number; i++)
        if (rki_number[i].type == type && rki_number[i].value == value)
            return rki_number[i].name;
    return NULL;
}

uint32_t prvcut_replay_kind_of(uint32_t type, int64_t value, const char *name)
{
    const char *known = name ? name : rki_number_name(type, value);
    const struct prvcut_mpi_call *call = known ? prvcut_mpi_call_of(known, NULL) : NULL;

    call = call ? call : prvcut_mpi_call_by_value(type, value);
    if (call && call->nonblocking)
        return PRVCUT_REPLAY_STARTS;
    for (size_t i = 0; call && i < sizeof rki_call / sizeof *rki_call; i++)
        if (strcasecmp(rki_call[i].name, call->name) == 0)
            return rki_call[i].kind;
    return type == PRVCUT_TYPE_MPI_COLLECTIVE && value != 0 ? COLLECTIVE : 0;
}
