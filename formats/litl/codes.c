#include "litl/litl.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

#define MPI(code) (LITL_MODULE_MPI << 16 | (code))
#define BLOCKING(start, name, what, first, second)                                                 \
    { MPI(start), LITL_START, what, name, first },                                                 \
    {                                                                                              \
        MPI((start) + 1), LITL_STOP, what, name, second                                            \
    }
#define COLLECTIVE(number, name, layout)                                                           \
    {                                                                                              \
        MPI(0x3000 | (number)), LITL_START, LITL_COLLECTIVE, name, layout                          \
    }
#define COLLECTIVE_END(number, name)                                                               \
    {                                                                                              \
        MPI(0x3010 | (number)), LITL_STOP, LITL_NOTHING, name, ""                                  \
    }

/* Numbers and parameters of EZTrace's MPI module. */
const struct litl_code litl_codes[] = {
    BLOCKING(0x0001, "MPI_Send", LITL_SEND, "iiih", "iih"),
    BLOCKING(0x0003, "MPI_Bsend", LITL_SEND, "iiih", "iih"),
    BLOCKING(0x0005, "MPI_Ssend", LITL_SEND, "iiih", "iih"),
    BLOCKING(0x0007, "MPI_Rsend", LITL_SEND, "iiih", "iih"),
    BLOCKING(0x000a, "MPI_Sendrecv", LITL_SENDRECV, "iiih", "iiih"),
    BLOCKING(0x000c, "MPI_Sendrecv_replace", LITL_NOTHING, "", ""),
    { MPI(0x0010), LITL_POINT, LITL_INIT, "MPI_Init", "iiiih" },
    { MPI(0x0011), LITL_SILENT, LITL_INIT_INFO, NULL, "hh" },
    { MPI(0x0012), LITL_SILENT, LITL_NEW_COMM, NULL, "hi" },
    { MPI(0x0013), LITL_INFO, LITL_NEW_COMM_INFO, NULL, "i" },
    { MPI(0x0101), LITL_POINT, LITL_ISEND, "MPI_Isend", "iiiph" },
    { MPI(0x0103), LITL_POINT, LITL_ISEND, "MPI_Ibsend", "iiiph" },
    { MPI(0x0105), LITL_POINT, LITL_ISEND, "MPI_Issend", "iiiph" },
    { MPI(0x0107), LITL_POINT, LITL_ISEND, "MPI_Irsend", "iiiph" },
    BLOCKING(0x0201, "MPI_Put", LITL_NOTHING, "", ""),
    BLOCKING(0x0203, "MPI_Get", LITL_NOTHING, "", ""),
    BLOCKING(0x1003, "MPI_Recv", LITL_RECV, "iiih", "iiih"),
    { MPI(0x1005), LITL_POINT, LITL_IRECV, "MPI_Irecv", "iiiph" },
    BLOCKING(0x2001, "MPI_Wait", LITL_WAIT, "p", "p"),
    { MPI(0x2003), LITL_POINT, LITL_WAIT, "MPI_Test", "p" },
    BLOCKING(0x2004, "MPI_Probe", LITL_NOTHING, "", ""),
    { MPI(0x2006), LITL_POINT, LITL_NOTHING, "MPI_Iprobe", "" },
    { MPI(0x2007), LITL_POINT, LITL_NOTHING, "MPI_Iprobe", "" },
    BLOCKING(0x2008, "MPI_Waitany", LITL_WAITANY, "i", "ii"),
    BLOCKING(0x200a, "MPI_Waitall", LITL_WAITALL, "i", "i"),
    COLLECTIVE(0x1, "MPI_Bcast", "hiiii"),
    COLLECTIVE(0x2, "MPI_Gather", "hiiii"),
    COLLECTIVE(0x3, "MPI_Gatherv", "hiiii"),
    COLLECTIVE(0x4, "MPI_Scatter", "hiiii"),
    COLLECTIVE(0x5, "MPI_Scatterv", "hiiii"),
    COLLECTIVE(0x6, "MPI_Allgather", "hiii"),
    COLLECTIVE(0x7, "MPI_Allgatherv", "hiii"),
    COLLECTIVE(0x8, "MPI_Alltoall", "hii"),
    COLLECTIVE(0x9, "MPI_Alltoallv", "hii"),
    COLLECTIVE(0xa, "MPI_Reduce", "hii"),
    COLLECTIVE(0xb, "MPI_Allreduce", "hii"),
    COLLECTIVE(0xc, "MPI_Reduce_scatter", "hii"),
    COLLECTIVE(0xd, "MPI_Scan", "hii"),
    { MPI(0x300e), LITL_START, LITL_BARRIER, "MPI_Barrier", "hii" },
    COLLECTIVE_END(0x1, "MPI_Bcast"),
    COLLECTIVE_END(0x2, "MPI_Gather"),
    COLLECTIVE_END(0x3, "MPI_Gatherv"),
    COLLECTIVE_END(0x4, "MPI_Scatter"),
    COLLECTIVE_END(0x5, "MPI_Scatterv"),
    COLLECTIVE_END(0x6, "MPI_Allgather"),
    COLLECTIVE_END(0x7, "MPI_Allgatherv"),
    COLLECTIVE_END(0x8, "MPI_Alltoall"),
    COLLECTIVE_END(0x9, "MPI_Alltoallv"),
    COLLECTIVE_END(0xa, "MPI_Reduce"),
    COLLECTIVE_END(0xb, "MPI_Allreduce"),
    COLLECTIVE_END(0xc, "MPI_Reduce_scatter"),
    COLLECTIVE_END(0xd, "MPI_Scan"),
    COLLECTIVE_END(0xe, "MPI_Barrier"),
    { MPI(0x3101), LITL_SILENT, LITL_NOTHING, NULL, "" },
    { MPI(0x4001), LITL_POINT, LITL_NOTHING, "MPI_Comm_spawn", "" },
    { MPI(0x4002), LITL_SILENT, LITL_NOTHING, NULL, "" },
    { MPI(0x5001), LITL_POINT, LITL_SEND_INIT, "MPI_Send_init", "pii" },
    { MPI(0x5002), LITL_POINT, LITL_SEND_INIT, "MPI_Bsend_init", "pii" },
    { MPI(0x5003), LITL_POINT, LITL_SEND_INIT, "MPI_Rsend_init", "pii" },
    { MPI(0x5004), LITL_POINT, LITL_SEND_INIT, "MPI_Ssend_init", "pii" },
    { MPI(0x5010), LITL_POINT, LITL_RECV_INIT, "MPI_Recv_init", "pii" },
    { MPI(0x5100), LITL_POINT, LITL_PERSISTENT, "MPI_Start", "p" },
    { MPI(0x9999), LITL_INFO, LITL_MORE, NULL, "" },
    { 0, LITL_SILENT, LITL_NOTHING, NULL, "" },
};

const struct litl_code *litl_code_find(uint32_t code)
{
    return prvcut_find_u32(litl_codes, sizeof litl_codes / sizeof *litl_codes - 1,
                           sizeof *litl_codes, offsetof(struct litl_code, code), code);
}

static uint64_t codes_little(const unsigned char *at, size_t count)
{
    uint64_t value = 0;

    while (count-- > 0)
        value = value << 8 | at[count];
    return value;
}

/* An int that may have been widened with or without its sign. */
static int64_t codes_as_int(uint64_t value)
{
    const uint32_t low = (uint32_t)value;

    return low < UINT32_C(0x80000000) ? (int64_t)low : (int64_t)low - (INT64_C(1) << 32);
}

/* Bytes of the first `count` fields where a handle takes `handle` bytes. */
static size_t codes_packed_size(const char *layout, unsigned count, size_t handle)
{
    size_t size = 0;

    for (unsigned i = 0; i < count; i++)
        size += layout[i] == 'i' ? 4 : layout[i] == 'p' ? 8 : handle;
    return size;
}

static unsigned codes_unpack(const struct litl_event *e, const char *layout, unsigned count,
                             size_t handle, int64_t *value)
{
    size_t at = 0;

    for (unsigned i = 0; i < count; i++) {
        const size_t size = handle == 0 ? 8 : layout[i] == 'i' ? 4 : layout[i] == 'p' ? 8 : handle;
        const uint64_t raw = codes_little(e->data + at, size);

        value[i] = layout[i] == 'i' ? codes_as_int(raw) : (int64_t)raw;
        at += size;
    }
    return count;
}

unsigned litl_parameters(const struct litl_event *e, const struct litl_code *c, int64_t *value,
                         bool *odd)
{
    unsigned count = (unsigned)strlen(c->layout);

    *odd = false;
    if (e->regular) {
        if (count > e->count)
            count = e->count;
        for (unsigned i = 0; i < count; i++)
            value[i] = c->layout[i] == 'i' ? codes_as_int(e->param[i]) : (int64_t)e->param[i];
        return count;
    }
    /* What comes first is there in all versions; how wide a handle is, the size tells. */
    for (unsigned n = count; n > 0 && e->size <= LITL_DATA; n--) {
        if (codes_packed_size(c->layout, n, 8) == e->size)
            return codes_unpack(e, c->layout, n, 8, value);
        if (codes_packed_size(c->layout, n, 4) == e->size)
            return codes_unpack(e, c->layout, n, 4, value);
        if (8 * (size_t)n == e->size)
            return codes_unpack(e, c->layout, n, 0, value);
    }
    *odd = count > 0 && e->size > 0;
    return 0;
}
