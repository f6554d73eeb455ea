#ifndef TESTS_FORMATS_OTF2_MADE_H
#define TESTS_FORMATS_OTF2_MADE_H

#include "otf2/otf2.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A small archive of two ranks, written with the library; removed with all that is in it. */
struct made {
    char folder[200];
    char path[256]; /* of its anchor, "a.otf2" */
};

enum made_place {
    MADE_MAIN,
    MADE_SEND,
    MADE_RECV,
    MADE_ALLREDUCE,
    MADE_FOO, /* an MPI call that nobody knows */
    MADE_BARRIER,
    MADE_WRAPPER, /* an MPI call that calls another one */
    MADE_INIT,    /* two functions of one name, each of its own source */
    MADE_INIT_TOO,
    MADE_REGIONS
};

#define MADE_SOURCE 9 /* a string */

static inline OTF2_FlushType made_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                        void *caller, bool final)
{
    (void)user;
    (void)type;
    (void)location;
    (void)caller;
    (void) final;
    return OTF2_FLUSH;
}

static inline void made_regions(OTF2_GlobalDefWriter *g, bool plain)
{
    static const struct {
        const char *name;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
        uint32_t line; /* of its source; 0: none is told */
    } regions[MADE_REGIONS] = {
        [MADE_MAIN] = { "main", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 5 },
        [MADE_SEND] = { "MPI_Send", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
        [MADE_RECV] = { "MPI_Recv", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
        [MADE_ALLREDUCE] = { "MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, 0 },
        [MADE_FOO] = { "MPI_Foo", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
        [MADE_BARRIER] = { "!$omp barrier", OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_OPENMP, 0 },
        [MADE_WRAPPER] = { "mpi_recv_", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, 0 },
        [MADE_INIT] = { "init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 3 },
        [MADE_INIT_TOO] = { "init", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, 9 },
    };

    OTF2_GlobalDefWriter_WriteString(g, MADE_SOURCE, "src/a.c");
    for (uint32_t i = 0; i < MADE_REGIONS; i++) {
        OTF2_GlobalDefWriter_WriteString(g, 10 + i, regions[i].name);
        OTF2_GlobalDefWriter_WriteRegion(
            g, i, 10 + i, 10 + i, 0, plain ? OTF2_REGION_ROLE_FUNCTION : regions[i].role,
            plain ? OTF2_PARADIGM_USER : regions[i].paradigm, 0, MADE_SOURCE, regions[i].line, 0);
    }
}

/* Ranks are defined in reverse: the order of tasks must be that of ranks. */
static inline void made_objects(OTF2_GlobalDefWriter *g)
{
    const uint64_t locations[2] = { 0, 1 }, ranks[2] = { 0, 1 };

    OTF2_GlobalDefWriter_WriteString(g, 0, "");
    OTF2_GlobalDefWriter_WriteString(g, 1, "node");
    OTF2_GlobalDefWriter_WriteString(g, 2, "world");
    OTF2_GlobalDefWriter_WriteString(g, 3, "MPI_COMM_WORLD");
    OTF2_GlobalDefWriter_WriteString(g, 4, "PAPI_TOT_CYC");
    OTF2_GlobalDefWriter_WriteString(g, 5, "#");
    OTF2_GlobalDefWriter_WriteString(g, 6, "rank 0");
    OTF2_GlobalDefWriter_WriteString(g, 7, "rank 1");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(g, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 2; i-- > 0;) {
        OTF2_GlobalDefWriter_WriteLocationGroup(g, i, 6 + i, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(g, i, 6 + i, OTF2_LOCATION_TYPE_CPU_THREAD, 1, i);
    }
    OTF2_GlobalDefWriter_WriteGroup(g, 0, 2, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0,
                                    2, locations);
    OTF2_GlobalDefWriter_WriteGroup(g, 1, 2, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, 2,
                                    ranks);
    OTF2_GlobalDefWriter_WriteComm(g, 5, 3, 1, OTF2_UNDEFINED_COMM, 0);
    OTF2_GlobalDefWriter_WriteMetricMember(g, 0, 4, 0, OTF2_METRIC_TYPE_PAPI,
                                           OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                           OTF2_BASE_DECIMAL, 0, 5);
    OTF2_GlobalDefWriter_WriteMetricClass(g, 0, 1, (const OTF2_MetricMemberRef[]){ 0 },
                                          OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU);
}

/* events writes one location's. */
static inline void made_write(struct made *m, void (*events)(OTF2_EvtWriter *w, uint32_t rank),
                              bool plain)
{
    static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = made_flush };
    const char *tmp = getenv("TMPDIR");
    OTF2_GlobalDefWriter *g;
    OTF2_Archive *a;

    snprintf(m->folder, sizeof m->folder, "%.150s/check_otf2.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(m->folder));
    snprintf(m->path, sizeof m->path, "%s/a.otf2", m->folder);
    a = OTF2_Archive_Open(m->folder, "a", OTF2_FILEMODE_WRITE, 1 << 18, 1 << 18,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    ck_assert_ptr_nonnull(a);
    OTF2_Archive_SetFlushCallbacks(a, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(a);
    OTF2_Archive_OpenEvtFiles(a);
    for (uint32_t i = 0; i < 2; i++) {
        OTF2_EvtWriter *w = OTF2_Archive_GetEvtWriter(a, i);

        events(w, i);
        OTF2_Archive_CloseEvtWriter(a, w);
    }
    OTF2_Archive_CloseEvtFiles(a);
    g = OTF2_Archive_GetGlobalDefWriter(a);
    made_objects(g);
    made_regions(g, plain);
    OTF2_GlobalDefWriter_WriteClockProperties(g, 1000000000, 1000, 10, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_Archive_CloseGlobalDefWriter(a, g);
    ck_assert_int_eq(OTF2_Archive_Close(a), OTF2_SUCCESS);
}

static inline void made_remove(struct made *m)
{
    static const char *const names[] = { "a/0.evt", "a/1.evt", "a/0.def", "a/1.def",
                                         "a",       "a.def",   "a.otf2",  "a.otf2.moved" };
    char path[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", m->folder, names[i]);
        if (unlink(path) != 0)
            rmdir(path);
    }
    ck_assert_int_eq(rmdir(m->folder), 0);
}

#endif
