#include "otf2/raw.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Values of made-up MPI calls start here, beyond those that the table of calls gives. */
#define MADE_UP_FIRST 1001

/* A region that gets its value by its name. */
struct named {
    const char *name;
    uint32_t type;
    size_t index; /* in order of appearance */
    int64_t *value;
};

static int resolve_region_by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order;

    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int resolve_region_by_index(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    return (x->index > y->index) - (x->index < y->index);
}

static bool resolve_region_same(const struct named *a, const struct named *b)
{
    return a->type == b->type && strcmp(a->name, b->name) == 0;
}

static bool resolve_region_is_mpi(uint32_t type)
{
    return type >= PRVCUT_TYPE_MPI_P2P && type <= PRVCUT_TYPE_MPI_IO;
}

/* Numbers in order of the names' first appearance, a type apart; made-up calls all together. */
static void resolve_region_number(struct named *n, size_t count, struct named *first)
{
    int64_t next[256] = { 0 }, user = 0, made_up = MADE_UP_FIRST - 1;
    size_t names = 0;

    qsort(n, count, sizeof *n, resolve_region_by_name);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !resolve_region_same(&n[i - 1], &n[i]))
            first[names++] = n[i];
    qsort(first, names, sizeof *first, resolve_region_by_index);
    for (size_t i = 0; i < names; i++) {
        if (resolve_region_is_mpi(first[i].type))
            *first[i].value = ++made_up;
        else if (first[i].type == PRVCUT_TYPE_USER_FUNCTION)
            *first[i].value = ++user;
        else
            *first[i].value = ++next[(first[i].type - PRVCUT_TYPE_REGION) & 255];
    }
    for (size_t i = 1; i < count; i++)
        if (resolve_region_same(&n[i - 1], &n[i]))
            *n[i].value = *n[i - 1].value;
}

static bool resolve_region_is_plain(const struct o2_raw *raw)
{
    const struct o2_raw_region *r = raw->region.at;

    for (size_t i = 0; i < raw->region.count; i++)
        if ((r[i].paradigm != OTF2_PARADIGM_USER && r[i].paradigm != OTF2_PARADIGM_UNKNOWN &&
             r[i].paradigm != OTF2_PARADIGM_NONE) ||
            (r[i].role != OTF2_REGION_ROLE_FUNCTION && r[i].role != OTF2_REGION_ROLE_UNKNOWN))
            return false;
    return true;
}

/* What a role tells of a call that the table does not know. */
static void resolve_region_by_role(struct prvcut_mpi_call *call, OTF2_RegionRole role)
{
    switch (role) {
    case OTF2_REGION_ROLE_POINT2POINT:
        call->role = PRVCUT_ROLE_P2P;
        call->type = PRVCUT_TYPE_MPI_P2P;
        break;
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
        call->role = PRVCUT_ROLE_COLLECTIVE;
        call->type = PRVCUT_TYPE_MPI_COLLECTIVE;
        call->state = PRVCUT_STATE_GROUP_COMMUNICATION;
        break;
    case OTF2_REGION_ROLE_RMA:
        call->type = PRVCUT_TYPE_MPI_RMA;
        break;
    case OTF2_REGION_ROLE_FILE_IO:
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
        call->type = PRVCUT_TYPE_MPI_IO;
        call->state = PRVCUT_STATE_IO;
        break;
    default:
        break;
    }
}

/*
 * The MPI call that a region is, NULL for none; *made_up where the table does not have it. In an
 * archive that tells paradigms these decide; in others the name does, and names in small letters
 * that no call has are the program's own.
 */
static const struct prvcut_mpi_call *resolve_region_call_of(const struct o2_raw_region *r,
                                                            const char *name, bool plain,
                                                            struct prvcut_mpi_call *made_up)
{
    const bool capitals = strncmp(name, "MPI_", 4) == 0 || strncmp(name, "PMPI_", 5) == 0;
    const struct prvcut_mpi_call *call;

    *made_up = (struct prvcut_mpi_call){ .name = NULL };
    if (r->paradigm != OTF2_PARADIGM_MPI)
        return plain ? prvcut_mpi_call_of(name, capitals ? made_up : NULL) : NULL;
    call = prvcut_mpi_call_of(name, made_up);
    if (!call) {
        *made_up = (struct prvcut_mpi_call){ .name = name,
                                             .role = PRVCUT_ROLE_MPI_OTHER,
                                             .type = PRVCUT_TYPE_MPI_OTHER,
                                             .state = PRVCUT_STATE_OTHERS,
                                             .operation = -1,
                                             .flow = PRVCUT_CLOCK_NONE };
        call = made_up;
    }
    if (call == made_up)
        resolve_region_by_role(made_up, r->role);
    return call;
}

static enum o2_kind resolve_region_kind_by_name(const char *name)
{
    switch (prvcut_name_kind(name)) {
    case PRVCUT_NAME_IO:
        return O2_IO;
    case PRVCUT_NAME_SYNC:
        return O2_SYNC;
    case PRVCUT_NAME_PLAIN:
        break;
    }
    return O2_USER;
}

static bool resolve_region_communicates(OTF2_Paradigm paradigm)
{
    return paradigm == OTF2_PARADIGM_SHMEM || paradigm == OTF2_PARADIGM_GASPI ||
           paradigm == OTF2_PARADIGM_UPC;
}

/* A critical or ordered section holds what it protects: that is computing, and so is the region. */
static enum o2_kind resolve_region_kind_of(const struct o2_raw_region *r, const char *name,
                                           bool plain)
{
    const bool artificial = plain || r->role == OTF2_REGION_ROLE_ARTIFICIAL ||
                            r->paradigm == OTF2_PARADIGM_MEASUREMENT_SYSTEM;

    if (artificial && strcmp(name, "TRACE BUFFER FLUSH") == 0)
        return O2_FLUSH;
    if (artificial && strcmp(name, "MEASUREMENT OFF") == 0)
        return O2_OFF;
    switch (r->role) {
    case OTF2_REGION_ROLE_FILE_IO:
    case OTF2_REGION_ROLE_FILE_IO_METADATA:
        return O2_IO;
    case OTF2_REGION_ROLE_BARRIER:
    case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
    case OTF2_REGION_ROLE_TASK_WAIT:
    case OTF2_REGION_ROLE_THREAD_WAIT:
        return O2_SYNC;
    case OTF2_REGION_ROLE_COLL_ONE2ALL:
    case OTF2_REGION_ROLE_COLL_ALL2ONE:
    case OTF2_REGION_ROLE_COLL_ALL2ALL:
    case OTF2_REGION_ROLE_COLL_OTHER:
    case OTF2_REGION_ROLE_POINT2POINT:
    case OTF2_REGION_ROLE_RMA:
        return resolve_region_communicates(r->paradigm) ? O2_SYNC : O2_USER;
    default:
        return plain || r->paradigm == OTF2_PARADIGM_PTHREAD ? resolve_region_kind_by_name(name)
                                                             : O2_USER;
    }
}

static uint32_t resolve_region_type_of(OTF2_Paradigm paradigm)
{
    if (paradigm == OTF2_PARADIGM_USER || paradigm == OTF2_PARADIGM_COMPILER ||
        paradigm == OTF2_PARADIGM_UNKNOWN || paradigm == OTF2_PARADIGM_NONE ||
        paradigm == OTF2_PARADIGM_SAMPLING)
        return PRVCUT_TYPE_USER_FUNCTION;
    return PRVCUT_TYPE_REGION + paradigm;
}

static uint32_t resolve_region_state_of(enum o2_kind kind)
{
    switch (kind) {
    case O2_IO:
        return PRVCUT_STATE_IO;
    case O2_SYNC:
        return PRVCUT_STATE_SYNCHRONIZATION;
    case O2_OFF:
        return PRVCUT_STATE_TRACING_DISABLED;
    case O2_FLUSH:
    case O2_MPI:
        return PRVCUT_STATE_OTHERS;
    case O2_USER:
        break;
    }
    return PRVCUT_STATE_RUNNING;
}

static enum prvcut_status resolve_region_keep_call(struct o2_region *to,
                                                   const struct prvcut_mpi_call *call, bool made_up,
                                                   struct o2_definitions *d,
                                                   struct prvcut_error *err)
{
    struct prvcut_dictionary arena = { .arena = d->arena };
    struct prvcut_mpi_call *copy;

    to->kind = O2_MPI;
    to->call = call;
    if (made_up) {
        copy = prvcut_dictionary_room(&arena, sizeof *copy, err);
        d->arena = arena.arena;
        if (!copy)
            return PRVCUT_ENOMEM;
        *copy = *call;
        to->call = copy;
    }
    to->type = call->type;
    to->value = call->value;
    to->role = call->role;
    to->state = call->state;
    return PRVCUT_OK;
}

static enum prvcut_status resolve_region(const struct o2_raw *raw, const struct o2_raw_region *r,
                                         struct o2_region *to, struct prvcut_error *err)
{
    struct o2_definitions *d = raw->defs;
    struct prvcut_mpi_call made_up;
    const struct prvcut_mpi_call *call;

    to->id = r->id;
    to->name = o2_raw_text(raw, r->name);
    to->file = o2_raw_text(raw, r->file);
    to->line = r->line;
    to->otf2_role = r->role;
    to->paradigm = r->paradigm;
    call = resolve_region_call_of(r, to->name, d->plain, &made_up);
    if (call)
        return resolve_region_keep_call(to, call, call == &made_up, d, err);
    to->kind = resolve_region_kind_of(r, to->name, d->plain);
    to->type = to->kind == O2_FLUSH ? PRVCUT_TYPE_FLUSH
               : to->kind == O2_OFF ? PRVCUT_TYPE_TRACING
                                    : resolve_region_type_of(r->paradigm);
    to->role = to->kind == O2_FLUSH ? PRVCUT_ROLE_FLUSH
               : to->kind == O2_OFF ? PRVCUT_ROLE_TRACING
                                    : PRVCUT_ROLE_REGION;
    to->value = 1;
    to->state = resolve_region_state_of(to->kind);
    return PRVCUT_OK;
}

static enum prvcut_status resolve_region_number_regions(struct o2_definitions *d,
                                                        struct prvcut_error *err)
{
    struct named *n, *first;
    size_t count = 0;

    n = prvcut_zeroed(d->regions + 1, sizeof *n, "regions", err);
    first = prvcut_zeroed(d->regions + 1, sizeof *first, "regions", err);
    if (!n || !first) {
        free(n);
        free(first);
        return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < d->regions; i++) {
        struct o2_region *r = &d->region[i];

        if (r->kind != O2_FLUSH && r->kind != O2_OFF && (r->kind != O2_MPI || r->value == 0))
            n[count++] = (struct named){ r->name, r->type, i, &r->value };
    }
    resolve_region_number(n, count, first);
    /* MPI calls as user functions: numbered behind these. */
    count = 0;
    for (size_t i = 0; i < d->regions; i++) {
        struct o2_region *r = &d->region[i];

        if (r->kind == O2_MPI || r->type == PRVCUT_TYPE_USER_FUNCTION)
            n[count++] = (struct named){ r->name, PRVCUT_TYPE_USER_FUNCTION,
                                         i + (r->kind == O2_MPI ? d->regions : 0),
                                         r->kind == O2_MPI ? &r->user_value : &r->value };
    }
    resolve_region_number(n, count, first);
    free(n);
    free(first);
    return PRVCUT_OK;
}

static int resolve_region_by_id(const void *a, const void *b)
{
    const struct o2_region *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Of several definitions with one id the last one holds; its place decides the order of values. */
static size_t resolve_region_last_ones(const struct o2_raw *raw, struct o2_ids *at,
                                       struct prvcut_error *err)
{
    const struct o2_raw_region *r = raw->region.at;

    for (size_t i = 0; i < raw->region.count; i++)
        if (o2_ids_put(at, r[i].id, i, err) < 0)
            return SIZE_MAX;
    return at->put.count;
}

enum prvcut_status o2_raw_resolve_regions(const struct o2_raw *raw, struct prvcut_error *err)
{
    const struct o2_raw_region *r = raw->region.at;
    struct o2_definitions *d = raw->defs;
    struct o2_ids at = { 0 };
    const size_t count = resolve_region_last_ones(raw, &at, err);
    enum prvcut_status st = count == SIZE_MAX ? PRVCUT_ENOMEM : PRVCUT_OK;

    d->plain = resolve_region_is_plain(raw);
    d->region =
        st == PRVCUT_OK ? prvcut_zeroed(count + 1, sizeof *d->region, "regions", err) : NULL;
    if (st == PRVCUT_OK && !d->region)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < raw->region.count && st == PRVCUT_OK; i++)
        if (o2_ids_get(&at, r[i].id) == i)
            st = resolve_region(raw, &r[i], &d->region[d->regions++], err);
    if (st == PRVCUT_OK)
        st = resolve_region_number_regions(d, err);
    if (st == PRVCUT_OK)
        qsort(d->region, d->regions, sizeof *d->region, resolve_region_by_id);
    o2_ids_fini(&at);
    return st;
}
