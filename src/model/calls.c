#include "model/calls.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* A name longer than any call's. */
#define NAME_MOST 64

#define CALL(name, value, role, type, state)                                                       \
    {                                                                                              \
        "MPI_" name, value, PRVCUT_ROLE_##role, PRVCUT_TYPE_MPI_##type, PRVCUT_STATE_##state, -1,  \
            PRVCUT_CLOCK_NONE, false                                                               \
    }
#define COLLECTIVE(name, value, state, operation, flow)                                            \
    {                                                                                              \
        "MPI_" name, value, PRVCUT_ROLE_COLLECTIVE, PRVCUT_TYPE_MPI_COLLECTIVE,                    \
            PRVCUT_STATE_##state, operation, PRVCUT_CLOCK_##flow, false                            \
    }
#define NONBLOCKING(name, value, operation)                                                        \
    {                                                                                              \
        "MPI_" name, value, PRVCUT_ROLE_COLLECTIVE, PRVCUT_TYPE_MPI_COLLECTIVE,                    \
            PRVCUT_STATE_GROUP_COMMUNICATION, operation, PRVCUT_CLOCK_NONE, true                   \
    }

/*
 * Sorted by name without regard to case. Values below 500 are those that Extrae writes; it has no
 * settled number for the others.
 */
const struct prvcut_mpi_call prvcut_mpi_calls[] = {
    CALL("Abort", 538, MPI_OTHER, OTHER, OTHERS),
    CALL("Accumulate", 562, MPI_OTHER, RMA, OTHERS),
    COLLECTIVE("Allgather", 17, GROUP_COMMUNICATION, 6, ALL),
    COLLECTIVE("Allgatherv", 18, GROUP_COMMUNICATION, 7, ALL),
    COLLECTIVE("Allreduce", 10, GROUP_COMMUNICATION, 11, ALL),
    COLLECTIVE("Alltoall", 11, GROUP_COMMUNICATION, 8, ALL),
    COLLECTIVE("Alltoallv", 12, GROUP_COMMUNICATION, 9, ALL),
    COLLECTIVE("Alltoallw", 512, GROUP_COMMUNICATION, 10, ALL),
    COLLECTIVE("Barrier", 8, SYNCHRONIZATION, 0, ALL),
    COLLECTIVE("Bcast", 7, GROUP_COMMUNICATION, 1, FROM_ROOT),
    CALL("Bsend", 33, P2P, P2P, BLOCKING_SEND),
    CALL("Bsend_init", 508, P2P, P2P, OTHERS),
    CALL("Cancel", 40, P2P, P2P, OTHERS),
    CALL("Cart_coords", 45, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_create", 43, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_get", 46, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_map", 47, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_rank", 48, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_shift", 44, MPI_OTHER, OTHER, OTHERS),
    CALL("Cart_sub", 49, MPI_OTHER, OTHER, OTHERS),
    CALL("Cartdim_get", 50, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_compare", 29, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_create", 21, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_create_group", 539, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_dup", 22, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_dup_with_info", 540, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_free", 25, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_group", 24, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_idup", 541, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_rank", 19, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_remote_group", 26, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_remote_size", 27, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_size", 20, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_spawn", 543, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_spawn_multiple", 544, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_split", 23, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_split_type", 542, MPI_OTHER, OTHER, OTHERS),
    CALL("Comm_test_inter", 28, MPI_OTHER, OTHER, OTHERS),
    CALL("Compare_and_swap", 567, MPI_OTHER, RMA, OTHERS),
    CALL("Dims_create", 51, MPI_OTHER, OTHER, OTHERS),
    CALL("Dist_graph_create", 547, MPI_OTHER, OTHER, OTHERS),
    CALL("Dist_graph_create_adjacent", 548, MPI_OTHER, OTHER, OTHERS),
    COLLECTIVE("Exscan", 513, GROUP_COMMUNICATION, 15, NONE),
    CALL("Fetch_and_op", 566, MPI_OTHER, RMA, OTHERS),
    CALL("File_close", 584, MPI_OTHER, IO, IO),
    CALL("File_delete", 585, MPI_OTHER, IO, IO),
    CALL("File_get_size", 606, MPI_OTHER, IO, IO),
    CALL("File_iread", 594, MPI_OTHER, IO, IO),
    CALL("File_iread_at", 595, MPI_OTHER, IO, IO),
    CALL("File_iwrite", 602, MPI_OTHER, IO, IO),
    CALL("File_iwrite_at", 603, MPI_OTHER, IO, IO),
    CALL("File_open", 583, MPI_OTHER, IO, IO),
    CALL("File_preallocate", 607, MPI_OTHER, IO, IO),
    CALL("File_read", 588, MPI_OTHER, IO, IO),
    CALL("File_read_all", 589, MPI_OTHER, IO, IO),
    CALL("File_read_at", 590, MPI_OTHER, IO, IO),
    CALL("File_read_at_all", 591, MPI_OTHER, IO, IO),
    CALL("File_read_ordered", 593, MPI_OTHER, IO, IO),
    CALL("File_read_shared", 592, MPI_OTHER, IO, IO),
    CALL("File_seek", 604, MPI_OTHER, IO, IO),
    CALL("File_set_size", 605, MPI_OTHER, IO, IO),
    CALL("File_set_view", 586, MPI_OTHER, IO, IO),
    CALL("File_sync", 587, MPI_OTHER, IO, IO),
    CALL("File_write", 596, MPI_OTHER, IO, IO),
    CALL("File_write_all", 597, MPI_OTHER, IO, IO),
    CALL("File_write_at", 598, MPI_OTHER, IO, IO),
    CALL("File_write_at_all", 599, MPI_OTHER, IO, IO),
    CALL("File_write_ordered", 601, MPI_OTHER, IO, IO),
    CALL("File_write_shared", 600, MPI_OTHER, IO, IO),
    CALL("Finalize", 32, MPI_OTHER, OTHER, OTHERS),
    COLLECTIVE("Gather", 13, GROUP_COMMUNICATION, 2, TO_ROOT),
    COLLECTIVE("Gatherv", 14, GROUP_COMMUNICATION, 3, TO_ROOT),
    CALL("Get", 560, MPI_OTHER, RMA, OTHERS),
    CALL("Get_accumulate", 564, MPI_OTHER, RMA, OTHERS),
    CALL("Graph_create", 54, MPI_OTHER, OTHER, OTHERS),
    CALL("Graph_get", 52, MPI_OTHER, OTHER, OTHERS),
    CALL("Graph_map", 53, MPI_OTHER, OTHER, OTHERS),
    CALL("Graph_neighbors", 55, MPI_OTHER, OTHER, OTHERS),
    CALL("Graph_neighbors_count", 57, MPI_OTHER, OTHER, OTHERS),
    CALL("Graphdims_get", 56, MPI_OTHER, OTHER, OTHERS),
    NONBLOCKING("Iallgather", 521, 6),
    NONBLOCKING("Iallgatherv", 522, 7),
    NONBLOCKING("Iallreduce", 526, 11),
    NONBLOCKING("Ialltoall", 523, 8),
    NONBLOCKING("Ialltoallv", 524, 9),
    NONBLOCKING("Ialltoallw", 525, 10),
    NONBLOCKING("Ibarrier", 515, 0),
    NONBLOCKING("Ibcast", 516, 1),
    CALL("Ibsend", 36, P2P, P2P, IMMEDIATE_SEND),
    NONBLOCKING("Iexscan", 530, 15),
    NONBLOCKING("Igather", 517, 2),
    NONBLOCKING("Igatherv", 518, 3),
    CALL("Improbe", 504, P2P, P2P, TEST_PROBE),
    CALL("Imrecv", 502, P2P, P2P, IMMEDIATE_RECEIVE),
    CALL("Init", 31, MPI_OTHER, OTHER, OTHERS),
    CALL("Init_thread", 537, MPI_OTHER, OTHER, OTHERS),
    CALL("Intercomm_create", 545, MPI_OTHER, OTHER, OTHERS),
    CALL("Intercomm_merge", 546, MPI_OTHER, OTHER, OTHERS),
    CALL("Iprobe", 62, P2P, P2P, TEST_PROBE),
    CALL("Irecv", 4, P2P, P2P, IMMEDIATE_RECEIVE),
    NONBLOCKING("Ireduce", 527, 12),
    NONBLOCKING("Ireduce_scatter", 528, 13),
    NONBLOCKING("Ireduce_scatter_block", 531, 16),
    CALL("Irsend", 38, P2P, P2P, IMMEDIATE_SEND),
    NONBLOCKING("Iscan", 529, 14),
    NONBLOCKING("Iscatter", 519, 4),
    NONBLOCKING("Iscatterv", 520, 5),
    CALL("Isend", 3, P2P, P2P, IMMEDIATE_SEND),
    CALL("Issend", 37, P2P, P2P, IMMEDIATE_SEND),
    CALL("Mprobe", 503, P2P, P2P, TEST_PROBE),
    CALL("Mrecv", 501, P2P, P2P, WAITING_MESSAGE),
    COLLECTIVE("Neighbor_allgather", 532, GROUP_COMMUNICATION, -1, NONE),
    COLLECTIVE("Neighbor_allgatherv", 533, GROUP_COMMUNICATION, -1, NONE),
    COLLECTIVE("Neighbor_alltoall", 534, GROUP_COMMUNICATION, -1, NONE),
    COLLECTIVE("Neighbor_alltoallv", 535, GROUP_COMMUNICATION, -1, NONE),
    COLLECTIVE("Neighbor_alltoallw", 536, GROUP_COMMUNICATION, -1, NONE),
    CALL("Probe", 61, P2P, P2P, TEST_PROBE),
    CALL("Put", 558, MPI_OTHER, RMA, OTHERS),
    CALL("Raccumulate", 563, MPI_OTHER, RMA, OTHERS),
    CALL("Recv", 2, P2P, P2P, WAITING_MESSAGE),
    CALL("Recv_init", 511, P2P, P2P, OTHERS),
    COLLECTIVE("Reduce", 9, GROUP_COMMUNICATION, 12, TO_ROOT),
    COLLECTIVE("Reduce_scatter", 80, GROUP_COMMUNICATION, 13, ALL),
    COLLECTIVE("Reduce_scatter_block", 514, GROUP_COMMUNICATION, 16, ALL),
    CALL("Request_free", 549, MPI_OTHER, OTHER, OTHERS),
    CALL("Request_get_status", 550, MPI_OTHER, OTHER, OTHERS),
    CALL("Rget", 561, MPI_OTHER, RMA, OTHERS),
    CALL("Rget_accumulate", 565, MPI_OTHER, RMA, OTHERS),
    CALL("Rput", 559, MPI_OTHER, RMA, OTHERS),
    CALL("Rsend", 35, P2P, P2P, BLOCKING_SEND),
    CALL("Rsend_init", 510, P2P, P2P, OTHERS),
    COLLECTIVE("Scan", 30, GROUP_COMMUNICATION, 14, NONE),
    COLLECTIVE("Scatter", 15, GROUP_COMMUNICATION, 4, FROM_ROOT),
    COLLECTIVE("Scatterv", 16, GROUP_COMMUNICATION, 5, FROM_ROOT),
    CALL("Send", 1, P2P, P2P, BLOCKING_SEND),
    CALL("Send_init", 507, P2P, P2P, OTHERS),
    CALL("Sendrecv", 41, P2P, P2P, SEND_RECEIVE),
    CALL("Sendrecv_replace", 42, P2P, P2P, SEND_RECEIVE),
    CALL("Ssend", 34, P2P, P2P, BLOCKING_SEND),
    CALL("Ssend_init", 509, P2P, P2P, OTHERS),
    CALL("Start", 505, P2P, P2P, IMMEDIATE_SEND),
    CALL("Startall", 506, P2P, P2P, IMMEDIATE_SEND),
    CALL("Test", 39, P2P, P2P, TEST_PROBE),
    CALL("Testall", 125, P2P, P2P, TEST_PROBE),
    CALL("Testany", 126, P2P, P2P, TEST_PROBE),
    CALL("Testsome", 127, P2P, P2P, TEST_PROBE),
    CALL("Topo_test", 58, MPI_OTHER, OTHER, OTHERS),
    CALL("Wait", 5, P2P, P2P, WAIT),
    CALL("Waitall", 6, P2P, P2P, WAIT),
    CALL("Waitany", 59, P2P, P2P, WAIT),
    CALL("Waitsome", 60, P2P, P2P, WAIT),
    CALL("Win_allocate", 553, MPI_OTHER, RMA, OTHERS),
    CALL("Win_allocate_shared", 554, MPI_OTHER, RMA, OTHERS),
    CALL("Win_attach", 555, MPI_OTHER, RMA, OTHERS),
    CALL("Win_complete", 570, MPI_OTHER, RMA, OTHERS),
    CALL("Win_create", 551, MPI_OTHER, RMA, OTHERS),
    CALL("Win_create_dynamic", 552, MPI_OTHER, RMA, OTHERS),
    CALL("Win_detach", 556, MPI_OTHER, RMA, OTHERS),
    CALL("Win_fence", 568, MPI_OTHER, RMA, OTHERS),
    CALL("Win_flush", 578, MPI_OTHER, RMA, OTHERS),
    CALL("Win_flush_all", 579, MPI_OTHER, RMA, OTHERS),
    CALL("Win_flush_local", 580, MPI_OTHER, RMA, OTHERS),
    CALL("Win_flush_local_all", 581, MPI_OTHER, RMA, OTHERS),
    CALL("Win_free", 557, MPI_OTHER, RMA, OTHERS),
    CALL("Win_lock", 574, MPI_OTHER, RMA, OTHERS),
    CALL("Win_lock_all", 575, MPI_OTHER, RMA, OTHERS),
    CALL("Win_post", 571, MPI_OTHER, RMA, OTHERS),
    CALL("Win_start", 569, MPI_OTHER, RMA, OTHERS),
    CALL("Win_sync", 582, MPI_OTHER, RMA, OTHERS),
    CALL("Win_test", 573, MPI_OTHER, RMA, OTHERS),
    CALL("Win_unlock", 576, MPI_OTHER, RMA, OTHERS),
    CALL("Win_unlock_all", 577, MPI_OTHER, RMA, OTHERS),
    CALL("Win_wait", 572, MPI_OTHER, RMA, OTHERS),
    { .name = NULL },
};

#define CALLS (COUNT_OF(prvcut_mpi_calls) - 1)

/* Names and colours that Extrae gives its states. */
static const struct {
    const char *text;
    int32_t colour;
} states[PRVCUT_STATES] = {
    { "Idle", 0x75c3ff },
    { "Running", 0x0000ff },
    { "Not created", 0xffffff },
    { "Waiting a message", 0xff0000 },
    { "Blocking Send", 0xff00ae },
    { "Synchronization", 0xb30000 },
    { "Test/Probe", 0x00ff00 },
    { "Scheduling and Fork/Join", 0xffff00 },
    { "Wait/WaitAll", 0xeb0000 },
    { "Blocked", 0x00a200 },
    { "Immediate Send", 0xff00ff },
    { "Immediate Receive", 0x640097 },
    { "I/O", 0xb1a1ff },
    { "Group Communication", 0xff9000 },
    { "Tracing Disabled", 0xffff8c },
    { "Others", 0x002e47 },
    { "Send Receive", 0xbf0000 },
};

const char *prvcut_state_text(uint32_t number)
{
    return number < PRVCUT_STATES ? states[number].text : NULL;
}

int32_t prvcut_state_colour(uint32_t number)
{
    return number < PRVCUT_STATES ? states[number].colour : -1;
}

/* "MPI_Send" of "PMPI_Send", "mpi_send_", "MPI_SEND__"; false: not a name of MPI. */
static bool calls_plain_name(const char *region, char out[NAME_MOST])
{
    size_t count;

    if (*region == 'P' || *region == 'p')
        region++;
    if (strncasecmp(region, "MPI_", 4) != 0)
        return false;
    count = strlen(region);
    while (count > 5 && region[count - 1] == '_')
        count--;
    if (count >= NAME_MOST)
        return false;
    memcpy(out, region, count);
    out[count] = '\0';
    return true;
}

static int calls_by_name(const void *key, const void *call)
{
    return strcasecmp(key, ((const struct prvcut_mpi_call *)call)->name);
}

const struct prvcut_mpi_call *prvcut_mpi_call_of(const char *region,
                                                 struct prvcut_mpi_call *made_up)
{
    char name[NAME_MOST];
    const struct prvcut_mpi_call *call;

    if (!calls_plain_name(region, name))
        return NULL;
    call = prvcut_find_by(name, prvcut_mpi_calls, CALLS, sizeof *prvcut_mpi_calls, calls_by_name);
    if (call || !made_up)
        return call;
    *made_up = (struct prvcut_mpi_call){ .name = region,
                                         .role = PRVCUT_ROLE_MPI_OTHER,
                                         .type = PRVCUT_TYPE_MPI_OTHER,
                                         .state = PRVCUT_STATE_OTHERS,
                                         .operation = -1,
                                         .flow = PRVCUT_CLOCK_NONE };
    return made_up;
}

const struct prvcut_mpi_call *prvcut_mpi_call_by_value(uint32_t type, int64_t value)
{
    for (size_t i = 0; i < CALLS; i++)
        if ((uint32_t)prvcut_mpi_calls[i].type == type && prvcut_mpi_calls[i].value == value)
            return &prvcut_mpi_calls[i];
    return NULL;
}

enum prvcut_mpi_bound prvcut_mpi_call_bound(const struct prvcut_mpi_call *call)
{
    if (!call)
        return PRVCUT_MPI_INSIDE;
    if (strcmp(call->name, "MPI_Init") == 0 || strcmp(call->name, "MPI_Init_thread") == 0)
        return PRVCUT_MPI_INIT;
    return strcmp(call->name, "MPI_Finalize") == 0 ? PRVCUT_MPI_FINALIZE : PRVCUT_MPI_INSIDE;
}

static bool calls_begins(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

static bool calls_has(const char *text, const char *word)
{
    const size_t count = strlen(word);

    for (; *text; text++)
        if (strncasecmp(text, word, count) == 0)
            return true;
    return false;
}

static bool calls_is_one_of(const char *text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(text, names[i]) == 0)
            return true;
    return false;
}

enum prvcut_name_kind prvcut_name_kind(const char *region)
{
    static const char *const io[] = { "read",  "write",  "pread",  "pwrite", "readv",   "writev",
                                      "fread", "fwrite", "open",   "close",  "fopen",   "fclose",
                                      "fsync", "lseek",  "fflush", "select", "pread64", "pwrite64",
                                      "poll",  "open64", "fopen64" };
    static const char *const sync[] = { "sem_wait", "sem_timedwait", "MEASUREMENT OFF" };

    if (calls_is_one_of(region, io, COUNT_OF(io)))
        return PRVCUT_NAME_IO;
    if (calls_is_one_of(region, sync, COUNT_OF(sync)))
        return PRVCUT_NAME_SYNC;
    if (calls_begins(region, "pthread_") &&
        (calls_has(region, "join") || calls_has(region, "lock") || calls_has(region, "wait")))
        return calls_has(region, "unlock") ? PRVCUT_NAME_PLAIN : PRVCUT_NAME_SYNC;
    if ((calls_begins(region, "OpenMP") || calls_begins(region, "!$omp")) &&
        (calls_has(region, "barrier") || calls_has(region, "critical_acquire") ||
         calls_has(region, "taskwait") || calls_has(region, "wait")))
        return PRVCUT_NAME_SYNC;
    return PRVCUT_NAME_PLAIN;
}

/* PAPI's presets; the number is the event code without its top bit. */
static const struct {
    const char *name;
    uint8_t offset;
    enum prvcut_role role;
} presets[] = {
    { "PAPI_L1_DCM", 0x00, PRVCUT_ROLE_COUNTER },
    { "PAPI_L1_ICM", 0x01, PRVCUT_ROLE_COUNTER },
    { "PAPI_L2_DCM", 0x02, PRVCUT_ROLE_COUNTER },
    { "PAPI_L2_ICM", 0x03, PRVCUT_ROLE_COUNTER },
    { "PAPI_L3_DCM", 0x04, PRVCUT_ROLE_COUNTER },
    { "PAPI_L3_ICM", 0x05, PRVCUT_ROLE_COUNTER },
    { "PAPI_L1_TCM", 0x06, PRVCUT_ROLE_COUNTER },
    { "PAPI_L2_TCM", 0x07, PRVCUT_ROLE_COUNTER },
    { "PAPI_L3_TCM", 0x08, PRVCUT_ROLE_COUNTER },
    { "PAPI_TLB_DM", 0x14, PRVCUT_ROLE_COUNTER },
    { "PAPI_TLB_IM", 0x15, PRVCUT_ROLE_COUNTER },
    { "PAPI_TLB_TL", 0x16, PRVCUT_ROLE_COUNTER },
    { "PAPI_STL_ICY", 0x25, PRVCUT_ROLE_COUNTER },
    { "PAPI_FUL_ICY", 0x26, PRVCUT_ROLE_COUNTER },
    { "PAPI_BR_CN", 0x2b, PRVCUT_ROLE_COUNTER },
    { "PAPI_BR_MSP", 0x2e, PRVCUT_ROLE_COUNTER },
    { "PAPI_BR_PRC", 0x2f, PRVCUT_ROLE_COUNTER },
    { "PAPI_TOT_IIS", 0x31, PRVCUT_ROLE_COUNTER },
    { "PAPI_TOT_INS", 0x32, PRVCUT_ROLE_INSTRUCTIONS },
    { "PAPI_INT_INS", 0x33, PRVCUT_ROLE_COUNTER },
    { "PAPI_FP_INS", 0x34, PRVCUT_ROLE_FLOPS },
    { "PAPI_LD_INS", 0x35, PRVCUT_ROLE_COUNTER },
    { "PAPI_SR_INS", 0x36, PRVCUT_ROLE_COUNTER },
    { "PAPI_BR_INS", 0x37, PRVCUT_ROLE_COUNTER },
    { "PAPI_VEC_INS", 0x38, PRVCUT_ROLE_COUNTER },
    { "PAPI_RES_STL", 0x39, PRVCUT_ROLE_COUNTER },
    { "PAPI_TOT_CYC", 0x3b, PRVCUT_ROLE_CYCLES },
    { "PAPI_LST_INS", 0x3c, PRVCUT_ROLE_COUNTER },
    { "PAPI_L1_DCA", 0x40, PRVCUT_ROLE_COUNTER },
    { "PAPI_L2_DCA", 0x41, PRVCUT_ROLE_COUNTER },
    { "PAPI_FP_OPS", 0x66, PRVCUT_ROLE_FLOPS },
    { "PAPI_SP_OPS", 0x67, PRVCUT_ROLE_FLOPS },
    { "PAPI_DP_OPS", 0x68, PRVCUT_ROLE_FLOPS },
    { "PAPI_VEC_SP", 0x69, PRVCUT_ROLE_COUNTER },
    { "PAPI_VEC_DP", 0x6a, PRVCUT_ROLE_COUNTER },
    { "PAPI_REF_CYC", 0x6b, PRVCUT_ROLE_COUNTER },
};

bool prvcut_papi_preset(const char *name, uint32_t *offset, enum prvcut_role *role)
{
    for (size_t i = 0; i < COUNT_OF(presets); i++) {
        if (strcmp(name, presets[i].name) != 0)
            continue;
        *offset = presets[i].offset;
        *role = presets[i].role;
        return true;
    }
    return false;
}

const char *prvcut_papi_name(uint32_t offset)
{
    for (size_t i = 0; i < COUNT_OF(presets); i++)
        if (presets[i].offset == offset)
            return presets[i].name;
    return NULL;
}
