#include "analysis/waits/waits_find.h"

#include "model/calls.h"
#include "model/regions.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    uint32_t kind;
} wki_call[] = {
    { "MPI_Send", WTS_SENDS },
    { "MPI_Ssend", WTS_SENDS },
    { "MPI_Isend", WTS_STARTS },
    { "MPI_Issend", WTS_STARTS },
    { "MPI_Ibsend", WTS_STARTS },
    { "MPI_Irsend", WTS_STARTS },
    { "MPI_Start", WTS_STARTS },
    { "MPI_Startall", WTS_STARTS },
    { "MPI_Sendrecv", WTS_EXCHANGES },
    { "MPI_Sendrecv_replace", WTS_EXCHANGES },
    { "MPI_Wait", WTS_WAITS },
    { "MPI_Waitany", WTS_WAITS },
    { "MPI_Waitall", WTS_WAITS_MANY },
    { "MPI_Waitsome", WTS_WAITS_MANY },
    { "MPI_Test", WTS_TESTS },
    { "MPI_Testany", WTS_TESTS },
    { "MPI_Testall", WTS_TESTS },
    { "MPI_Testsome", WTS_TESTS },
    { "MPI_Barrier", WTS_BARRIER },
    { "MPI_Allgather", WTS_NXN },
    { "MPI_Allgatherv", WTS_NXN },
    { "MPI_Alltoall", WTS_NXN },
    { "MPI_Allreduce", WTS_NXN },
    { "MPI_Reduce_scatter", WTS_NXN },
    { "MPI_Reduce_scatter_block", WTS_NXN },
    { "MPI_Alltoallv", WTS_NXN_V },
    { "MPI_Alltoallw", WTS_NXN_V },
    { "MPI_Bcast", WTS_FROM_ROOT },
    { "MPI_Scatter", WTS_FROM_ROOT },
    { "MPI_Scatterv", WTS_FROM_ROOT },
    { "MPI_Reduce", WTS_TO_ROOT },
    { "MPI_Gather", WTS_TO_ROOT },
    { "MPI_Gatherv", WTS_TO_ROOT },
    { "MPI_Scan", WTS_SCAN },
    { "MPI_Exscan", WTS_SCAN },
    { "MPI_Ibarrier", WTS_BARRIER | WTS_NONBLOCKING },
    { "MPI_Iallgather", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Iallgatherv", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Ialltoall", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Iallreduce", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Ireduce_scatter", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Ireduce_scatter_block", WTS_NXN | WTS_NONBLOCKING },
    { "MPI_Ibcast", WTS_FROM_ROOT | WTS_NONBLOCKING },
    { "MPI_Iscatter", WTS_FROM_ROOT | WTS_NONBLOCKING },
    { "MPI_Iscatterv", WTS_FROM_ROOT | WTS_NONBLOCKING },
    { "MPI_Ireduce", WTS_TO_ROOT | WTS_NONBLOCKING },
    { "MPI_Igather", WTS_TO_ROOT | WTS_NONBLOCKING },
    { "MPI_Igatherv", WTS_TO_ROOT | WTS_NONBLOCKING },
    { "MPI_Init", WTS_INIT },
    { "MPI_Init_thread", WTS_INIT },
    { "MPI_Finalize", WTS_FINALIZE },
};

/* How the names begin of calls that may wait for others, in a way that is not looked for. */
static const char *const wki_unsought[] = {
    "MPI_Probe",      "MPI_Mprobe",       "MPI_Win_",          "MPI_Neighbor_",
    "MPI_Comm_split", "MPI_Comm_dup",     "MPI_Comm_create",   "MPI_Comm_accept",
    "MPI_Comm_spawn", "MPI_Comm_connect", "MPI_Comm_disconn",  "MPI_Intercomm_",
    "MPI_Cart_crea",  "MPI_Graph_create", "MPI_Dist_graph_cr", "MPI_File_",
};

static uint32_t wki_is_unsought(const char *name)
{
    for (size_t i = 0; i < sizeof wki_unsought / sizeof *wki_unsought; i++)
        if (strncasecmp(name, wki_unsought[i], strlen(wki_unsought[i])) == 0)
            return WTS_UNSOUGHT;
    return 0;
}

/* Does a call take part in a message, by what Extrae shows of it? */
static bool wki_moves(const struct prvcut_mpi_call *c)
{
    return c->state == PRVCUT_STATE_WAITING_MESSAGE || c->state == PRVCUT_STATE_BLOCKING_SEND ||
           c->state == PRVCUT_STATE_IMMEDIATE_SEND || c->state == PRVCUT_STATE_IMMEDIATE_RECEIVE ||
           c->state == PRVCUT_STATE_SEND_RECEIVE;
}

uint32_t wts_kind_of(uint32_t type, int64_t value, const char *name)
{
    const struct prvcut_mpi_call *call = name ? prvcut_mpi_call_of(name, NULL) : NULL;

    uint32_t moves;

    call = call ? call : prvcut_mpi_call_by_value(type, value);
    moves = call && wki_moves(call) ? WTS_MOVES : 0;
    for (size_t i = 0; call && i < sizeof wki_call / sizeof *wki_call; i++)
        if (strcasecmp(wki_call[i].name, call->name) == 0)
            return wki_call[i].kind | moves;
    return moves | (call ? wki_is_unsought(call->name) : 0);
}

/* What was not met lately. */
static enum prvcut_status wki_look_up(struct wts_finder *f, const struct prvcut_stream_call *c,
                                      uint32_t *at, struct prvcut_error *err)
{
    const struct wts_meaning key = { .type = c->type, .value = c->value };
    struct wts_meaning *k =
        prvcut_table_look(&f->kinds, &key, offsetof(struct wts_meaning, kind), sizeof *k);

    if (!k) {
        k = prvcut_table_make(&f->kinds, &key, err);
        if (!k)
            return PRVCUT_ENOMEM;
        k->name = prvcut_value_text(&f->names, c->type, c->value);
        k->kind = wts_kind_of(c->type, c->value, k->name);
        k->omp = wts_omp_of_name(k->name);
    }
    *at = (uint32_t)(k - (const struct wts_meaning *)f->kinds.at);
    return PRVCUT_OK;
}

enum prvcut_status wts_meaning_of(struct wts_finder *f, const struct prvcut_stream_call *c,
                                  struct wts_call *out, struct prvcut_error *err)
{
    uint32_t *at =
        &f->kind_at[prvcut_table_place((uint64_t)c->value + ((uint64_t)c->type << 32), WTS_BITS)];
    const struct wts_meaning *k = f->kinds.at;
    enum prvcut_status st = PRVCUT_OK;

    if (*at >= f->kinds.count || k[*at].value != c->value || k[*at].type != c->type)
        st = wki_look_up(f, c, at, err);
    if (st < 0)
        return st;
    k = f->kinds.at;
    out->kind = k[*at].kind;
    out->what = *at;
    return PRVCUT_OK;
}
