/* Archives in OTF2, as Score-P or EZTrace would write them. */
#include "archive_program.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK       1048576 /* bytes of events that the library writes at once */
#define CHUNK_LEAST 262144  /* that the library takes */
#define CHUNK_MOST  16777216
#define MEMBER      16 /* bytes of a member of a group, at most; one definition is in one chunk */
#define RESOLUTION  1000000000

/* Strings: 0 "", then what one process has, or all share. */
enum {
    NOTHING,
    REGION_NAMES,
    WORLD = REGION_NAMES + ARCHIVE_REGIONS,
    MACHINE,
    NODE,
    SOURCE,
    SHARED
};

struct archive {
    const struct archive_options *o;
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *definitions;
    OTF2_EvtWriter *writer; /* of the present process */
    uint32_t rank;
    uint64_t *events; /* [processes] */
    uint64_t first, last;
    OTF2_ErrorCode status;
};

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static bool ok(struct archive *a, OTF2_ErrorCode status)
{
    if (a->status == OTF2_SUCCESS)
        a->status = status;
    return a->status == OTF2_SUCCESS;
}

/* EZTrace numbers all that a process has from a base of its own. */
static uint32_t base_of(const struct archive *a, uint32_t rank)
{
    return a->o->eztrace ? rank * (INT32_MAX / a->o->processes) : 0;
}

static OTF2_LocationRef location_of(const struct archive *a, uint32_t rank)
{
    return a->o->eztrace ? base_of(a, rank) : rank;
}

static OTF2_RegionRef region_of(const struct archive *a, enum archive_region region)
{
    return base_of(a, a->rank) + (a->o->eztrace ? 1 : 0) + (OTF2_RegionRef)region;
}

/* --- Events --------------------------------------------------------------------------------- */

static bool write_event(void *ctx, const struct archive_event *e)
{
    struct archive *a = ctx;
    OTF2_EvtWriter *w = a->writer;
    const bool bcast = e->region == ARCHIVE_BCAST;

    if (a->first == 0 || e->time < a->first)
        a->first = e->time;
    if (e->time > a->last)
        a->last = e->time;
    switch (e->kind) {
    case ARCHIVE_ENTER:
        return ok(a, OTF2_EvtWriter_Enter(w, NULL, e->time, region_of(a, e->region)));
    case ARCHIVE_LEAVE:
        return ok(a, OTF2_EvtWriter_Leave(w, NULL, e->time, region_of(a, e->region)));
    case ARCHIVE_SEND:
        return ok(
            a, OTF2_EvtWriter_MpiIsend(w, NULL, e->time, e->peer, 0, e->tag, e->size, e->request));
    case ARCHIVE_SEND_COMPLETE:
        return ok(a, OTF2_EvtWriter_MpiIsendComplete(w, NULL, e->time, e->request));
    case ARCHIVE_RECEIVE_REQUEST:
        return ok(a, OTF2_EvtWriter_MpiIrecvRequest(w, NULL, e->time, e->request));
    case ARCHIVE_RECEIVE:
        return ok(
            a, OTF2_EvtWriter_MpiIrecv(w, NULL, e->time, e->peer, 0, e->tag, e->size, e->request));
    case ARCHIVE_COLLECTIVE_BEGIN:
        return ok(a, OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, e->time));
    case ARCHIVE_COLLECTIVE_END:
        return ok(a, OTF2_EvtWriter_MpiCollectiveEnd(
                         w, NULL, e->time,
                         bcast ? OTF2_COLLECTIVE_OP_BCAST : OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                         bcast ? 0 : OTF2_UNDEFINED_UINT32, e->size, e->size));
    default:
        return false;
    }
}

/* One process after the other: one chunk of events is in memory, however many there are. */
static bool write_processes(struct archive *a)
{
    bool good = ok(a, OTF2_Archive_OpenEvtFiles(a->archive));

    for (a->rank = 0; good && a->rank < a->o->processes; a->rank++) {
        a->writer = OTF2_Archive_GetEvtWriter(a->archive, location_of(a, a->rank));
        good = a->writer && archive_run(a->o, a->rank, write_event, a);
        if (a->writer) {
            OTF2_EvtWriter_GetNumberOfEvents(a->writer, &a->events[a->rank]);
            good = ok(a, OTF2_Archive_CloseEvtWriter(a->archive, a->writer)) && good;
        }
    }
    return ok(a, OTF2_Archive_CloseEvtFiles(a->archive)) && good;
}

/* Empty ones: neither maps nor clock offsets. */
static bool write_local_definitions(struct archive *a)
{
    bool good = ok(a, OTF2_Archive_OpenDefFiles(a->archive));

    for (uint32_t rank = 0; good && rank < a->o->processes; rank++) {
        OTF2_DefWriter *w = OTF2_Archive_GetDefWriter(a->archive, location_of(a, rank));

        good = w && ok(a, OTF2_Archive_CloseDefWriter(a->archive, w));
    }
    return ok(a, OTF2_Archive_CloseDefFiles(a->archive)) && good;
}

/* --- Definitions ---------------------------------------------------------------------------- */

static void string(struct archive *a, uint32_t id, const char *text)
{
    ok(a, OTF2_GlobalDefWriter_WriteString(a->definitions, id, text));
}

static OTF2_RegionRole role_of(const struct archive *a, enum archive_region region)
{
    if (a->o->eztrace || !archive_region_is_mpi(region))
        return OTF2_REGION_ROLE_FUNCTION;
    return region == ARCHIVE_BCAST       ? OTF2_REGION_ROLE_COLL_ONE2ALL
           : region == ARCHIVE_ALLREDUCE ? OTF2_REGION_ROLE_COLL_ALL2ALL
                                         : OTF2_REGION_ROLE_POINT2POINT;
}

static void define_regions(struct archive *a, uint32_t strings)
{
    for (uint32_t i = 0; i < ARCHIVE_REGIONS; i++) {
        const uint32_t name = strings + REGION_NAMES + i;
        const bool mpi = archive_region_is_mpi(i) && !a->o->eztrace;

        const bool sourced = !a->o->eztrace && !archive_region_is_mpi(i);

        string(a, name, archive_region_name[i]);
        ok(a, OTF2_GlobalDefWriter_WriteRegion(
                  a->definitions, region_of(a, i), name, name, NOTHING, role_of(a, i),
                  mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                  sourced ? SOURCE : NOTHING, sourced ? 10 * i + 5 : 0, sourced ? 10 * i + 9 : 0));
    }
}

static void define_process(struct archive *a)
{
    const uint32_t rank = a->rank, base = base_of(a, rank);
    const uint32_t group = a->o->eztrace ? base + SHARED : SHARED + 2 * rank, location = group + 1;
    char text[64];

    snprintf(text, sizeof text, a->o->eztrace ? "P#%u" : "MPI Rank %u", (unsigned)rank);
    string(a, group, text);
    snprintf(text, sizeof text, a->o->eztrace ? "P#%uT#0" : "Master thread", (unsigned)rank);
    string(a, location, text);
    ok(a, OTF2_GlobalDefWriter_WriteLocationGroup(a->definitions, rank, group,
                                                  OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                  OTF2_UNDEFINED_LOCATION_GROUP));
    ok(a, OTF2_GlobalDefWriter_WriteLocation(a->definitions, location_of(a, rank), location,
                                             OTF2_LOCATION_TYPE_CPU_THREAD, a->events[rank], rank));
    if (a->o->eztrace)
        define_regions(a, base);
}

static void define_world(struct archive *a, uint64_t *member)
{
    for (uint32_t i = 0; i < a->o->processes; i++)
        member[i] = location_of(a, i);
    ok(a, OTF2_GlobalDefWriter_WriteGroup(a->definitions, 0, NOTHING,
                                          OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, a->o->processes, member));
    for (uint32_t i = 0; i < a->o->processes; i++)
        member[i] = i;
    ok(a, OTF2_GlobalDefWriter_WriteGroup(a->definitions, 1, WORLD, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, a->o->processes,
                                          member));
    ok(a, OTF2_GlobalDefWriter_WriteComm(a->definitions, 0, WORLD, 1, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
}

static bool write_definitions(struct archive *a)
{
    uint64_t *member = calloc(a->o->processes, sizeof *member);

    a->definitions = OTF2_Archive_GetGlobalDefWriter(a->archive);
    if (!member || !a->definitions) {
        free(member);
        return false;
    }
    ok(a,
       OTF2_GlobalDefWriter_WriteClockProperties(a->definitions, RESOLUTION, a->first,
                                                 a->last - a->first + 1, OTF2_UNDEFINED_TIMESTAMP));
    string(a, NOTHING, "");
    string(a, WORLD, "MPI_COMM_WORLD");
    string(a, MACHINE, "machine");
    string(a, NODE, "node");
    string(a, SOURCE, "/home/ann/src/heat.c");
    ok(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(a->definitions, 0, MACHINE, NODE,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    a->rank = 0;
    if (!a->o->eztrace)
        define_regions(a, 0);
    for (; a->rank < a->o->processes; a->rank++)
        define_process(a);
    define_world(a, member);
    free(member);
    return ok(a, OTF2_Archive_CloseGlobalDefWriter(a->archive, a->definitions));
}

static uint64_t definition_chunk(const struct archive_options *o)
{
    const uint64_t wanted = (uint64_t)o->processes * MEMBER + CHUNK_LEAST;

    return wanted < CHUNK_MOST ? wanted : CHUNK_MOST;
}

bool archive_write_otf2(const struct archive_options *o)
{
    const OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush };
    struct archive a = { .o = o, .events = calloc(o->processes, sizeof *a.events) };
    bool good = a.events != NULL;

    if (good)
        a.archive =
            OTF2_Archive_Open(o->folder, o->name, OTF2_FILEMODE_WRITE, CHUNK, definition_chunk(o),
                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    good = a.archive && ok(&a, OTF2_Archive_SetFlushCallbacks(a.archive, &flush, NULL)) &&
           ok(&a, OTF2_Archive_SetSerialCollectiveCallbacks(a.archive)) &&
           (o->eztrace || ok(&a, OTF2_Archive_SetCreator(a.archive, "prvarchive"))) &&
           write_processes(&a) && write_local_definitions(&a) && write_definitions(&a);
    if (a.archive)
        good = ok(&a, OTF2_Archive_Close(a.archive)) && good;
    free(a.events);
    if (!good)
        fprintf(stderr, "prvarchive: %s/%s: %s\n", o->folder, o->name,
                OTF2_Error_GetDescription(a.status));
    return good;
}
