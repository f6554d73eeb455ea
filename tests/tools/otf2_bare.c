/*
 * prvbare: read all events of an OTF2 archive and do nothing with them, as fast as the library
 * lets.
 *
 * Each worker has a reader of its own and takes one location after the other: what any program that
 * reads the same archive must pay.
 */
#include <otf2/otf2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_WORKERS 64

struct bare {
    const char *path;
    bool callbacks;
    OTF2_LocationRef *location;
    size_t locations, room;
    atomic_size_t next;
    atomic_ullong events;
    atomic_bool failed;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events,
                                     OTF2_LocationGroupRef group)
{
    struct bare *b = user;

    (void)name, (void)type, (void)events, (void)group;
    if (b->locations == b->room) {
        const size_t room = b->room ? 2 * b->room : 64;
        OTF2_LocationRef *more = realloc(b->location, room * sizeof *more);

        if (!more)
            return OTF2_CALLBACK_ERROR;
        b->location = more;
        b->room = room;
    }
    b->location[b->locations++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user, OTF2_AttributeList *attributes,
                                   OTF2_RegionRef region)
{
    (void)location, (void)time, (void)position, (void)user, (void)attributes, (void)region;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_message(OTF2_LocationRef location, OTF2_TimeStamp time,
                                    uint64_t position, void *user, OTF2_AttributeList *attributes,
                                    uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t size)
{
    (void)location, (void)time, (void)position, (void)user, (void)attributes, (void)peer;
    (void)comm, (void)tag, (void)size;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_request_message(OTF2_LocationRef location, OTF2_TimeStamp time,
                                            uint64_t position, void *user,
                                            OTF2_AttributeList *attributes, uint32_t peer,
                                            OTF2_CommRef comm, uint32_t tag, uint64_t size,
                                            uint64_t request)
{
    (void)request;
    return on_message(location, time, position, user, attributes, peer, comm, tag, size);
}

static OTF2_CallbackCode on_request(OTF2_LocationRef location, OTF2_TimeStamp time,
                                    uint64_t position, void *user, OTF2_AttributeList *attributes,
                                    uint64_t request)
{
    (void)location, (void)time, (void)position, (void)user, (void)attributes, (void)request;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective(OTF2_LocationRef location, OTF2_TimeStamp time,
                                       uint64_t position, void *user,
                                       OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                       OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                       uint64_t received)
{
    (void)location, (void)time, (void)position, (void)user, (void)attributes, (void)op;
    (void)comm, (void)root, (void)sent, (void)received;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_metric(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user, OTF2_AttributeList *attributes,
                                   OTF2_MetricRef metric, uint8_t count, const OTF2_Type *type,
                                   const OTF2_MetricValue *value)
{
    (void)location, (void)time, (void)position, (void)user, (void)attributes, (void)metric;
    (void)count, (void)type, (void)value;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_Reader *open_reader(const char *path)
{
    OTF2_Reader *reader = OTF2_Reader_Open(path);

    if (reader)
        OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    return reader;
}

static bool read_locations(struct bare *b)
{
    OTF2_Reader *reader = open_reader(b->path);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReader *definitions = reader ? OTF2_Reader_GetGlobalDefReader(reader) : NULL;
    uint64_t n;
    bool good = false;

    if (definitions && callbacks) {
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
        OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, b);
        good = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS;
    }
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (reader)
        OTF2_Reader_Close(reader);
    return good;
}

static void set_callbacks(OTF2_Reader *reader, OTF2_EvtReader *events)
{
    OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();

    OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective);
    OTF2_EvtReaderCallbacks_SetMetricCallback(c, on_metric);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, c, NULL);
    OTF2_EvtReaderCallbacks_Delete(c);
}

static bool read_location(struct bare *b, OTF2_Reader *reader, OTF2_LocationRef location,
                          bool definitions)
{
    OTF2_DefReader *local = definitions ? OTF2_Reader_GetDefReader(reader, location) : NULL;
    OTF2_EvtReader *events;
    uint64_t n = 0;
    bool good;

    if (local) {
        OTF2_Reader_ReadAllLocalDefinitions(reader, local, &n);
        OTF2_Reader_CloseDefReader(reader, local);
    }
    events = OTF2_Reader_GetEvtReader(reader, location);
    if (!events)
        return false;
    if (b->callbacks)
        set_callbacks(reader, events);
    good = OTF2_Reader_ReadAllLocalEvents(reader, events, &n) == OTF2_SUCCESS;
    OTF2_Reader_CloseEvtReader(reader, events);
    atomic_fetch_add(&b->events, n);
    return good;
}

static void *work(void *user)
{
    struct bare *b = user;
    OTF2_Reader *reader = open_reader(b->path);
    bool definitions, good = reader != NULL;

    for (size_t i = 0; good && i < b->locations; i++)
        good = OTF2_Reader_SelectLocation(reader, b->location[i]) == OTF2_SUCCESS;
    definitions = good && OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    good = good && OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS;
    for (size_t i; good && (i = atomic_fetch_add(&b->next, 1)) < b->locations;)
        good = read_location(b, reader, b->location[i], definitions);
    if (definitions)
        OTF2_Reader_CloseDefFiles(reader);
    if (reader)
        OTF2_Reader_Close(reader);
    if (!good)
        atomic_store(&b->failed, true);
    return NULL;
}

static bool read_all(struct bare *b, int workers)
{
    pthread_t thread[MOST_WORKERS];
    int started = 0;

    if (!read_locations(b))
        return false;
    while (started < workers && pthread_create(&thread[started], NULL, work, b) == 0)
        started++;
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    return started == workers && !atomic_load(&b->failed);
}

int main(int argc, char **argv)
{
    struct bare b = { .callbacks = true };
    const double start = now();
    int workers = 1;
    double took;

    for (argv++; argc > 1 && **argv == '-'; argv++, argc--) {
        if (strcmp(*argv, "--no-callbacks") == 0) {
            b.callbacks = false;
        } else if (strcmp(*argv, "-T") == 0 && argc > 2) {
            workers = atoi(*++argv);
            argc--;
        } else {
            break;
        }
    }
    if (argc != 2 || workers < 1 || workers > MOST_WORKERS) {
        fputs("usage: prvbare [-T WORKERS] [--no-callbacks] ANCHOR.otf2\n"
              "Read all events, do nothing with them; print how many, the seconds, and their "
              "ratio.\n",
              stderr);
        return 2;
    }
    b.path = *argv;
    if (!read_all(&b, workers)) {
        fprintf(stderr, "prvbare: %s: not read\n", b.path);
        return EXIT_FAILURE;
    }
    took = now() - start;
    printf("%llu events, %zu locations, %.3f s, %.2f million events/s\n", atomic_load(&b.events),
           b.locations, took, 1e-6 * (double)atomic_load(&b.events) / took);
    free(b.location);
    return EXIT_SUCCESS;
}
