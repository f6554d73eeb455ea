#include "otf2/write.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "model/regions.h"
#include "model/roles.h"

#include <stdlib.h>
#include <string.h>

/* Values of a type that lie this close together are looked up in a table. */
#define DENSE_SPARE ((uint64_t)1024)

uint32_t o2w_map_get(const struct o2w_map *m, uint64_t a, uint64_t b)
{
    const uint64_t key[] = { a, b };
    const struct o2w_mapped *at = prvcut_table_look(&m->set, key, sizeof key, sizeof *at);

    return at ? at->value : UINT32_MAX;
}

enum prvcut_status o2w_map_set(struct o2w_map *m, uint64_t a, uint64_t b, uint32_t value,
                               struct prvcut_error *err)
{
    static const struct prvcut_table none = PRVCUT_TABLE(struct o2w_mapped, value, "names");
    const uint64_t key[] = { a, b };
    struct o2w_mapped *at;

    if (m->set.key == 0)
        m->set = none;
    at = prvcut_table_make(&m->set, key, err);
    if (!at)
        return PRVCUT_ENOMEM;
    at->value = value;
    return PRVCUT_OK;
}

void o2w_map_fini(struct o2w_map *m)
{
    prvcut_table_fini(&m->set);
}

static bool write_names_is_mpi(enum prvcut_role role)
{
    return (PRVCUT_ROLE_BIT(role) & PRVCUT_ROLES_MPI) != 0;
}

static enum o2w_kind write_names_kind_of(enum prvcut_role role, const struct prvcut_type_name *name)
{
    if (name ? name->region : prvcut_role_is_region(role))
        return O2W_REGION;
    if (name && name->gauge)
        return O2W_GAUGE;
    switch (role) {
    case PRVCUT_ROLE_INSTRUCTIONS:
    case PRVCUT_ROLE_CYCLES:
    case PRVCUT_ROLE_FLOPS:
    case PRVCUT_ROLE_COUNTER:
        return O2W_COUNTER;
    case PRVCUT_ROLE_TRACING:
        return O2W_TRACING;
    case PRVCUT_ROLE_CALLER:
    case PRVCUT_ROLE_CALLER_LINE:
    case PRVCUT_ROLE_SIZE:
    case PRVCUT_ROLE_ROOT:
    case PRVCUT_ROLE_COMMUNICATOR:
        return O2W_DETAIL;
    case PRVCUT_ROLE_P2P:
    case PRVCUT_ROLE_COLLECTIVE:
    case PRVCUT_ROLE_MPI_OTHER:
    case PRVCUT_ROLE_FLUSH:
    case PRVCUT_ROLE_REGION:
    case PRVCUT_ROLE_SAMPLE:
    case PRVCUT_ROLE_OTHER:
    case PRVCUT_ROLES:
        break;
    }
    return O2W_POINT;
}

/* A table from value to place, where the values are not too far apart for one. */
static enum prvcut_status write_names_make_dense(struct o2w_type *t, struct prvcut_error *err)
{
    const struct prvcut_value_name *value = t->name->value;
    const size_t values = t->name->values;
    const uint64_t span = (uint64_t)value[values - 1].value - (uint64_t)value[0].value;

    if (span >= 4 * (uint64_t)values + DENSE_SPARE)
        return PRVCUT_OK;
    t->dense = prvcut_zeroed((size_t)span + 1, sizeof *t->dense, "names", err);
    if (!t->dense)
        return PRVCUT_ENOMEM;
    t->dense_least = value[0].value;
    t->dense_count = (size_t)span + 1;
    for (size_t i = 0; i < values; i++)
        t->dense[(uint64_t)value[i].value - (uint64_t)t->dense_least] = (uint32_t)i + 1;
    return PRVCUT_OK;
}

static enum prvcut_status write_names_add_type(struct o2w_names *n, uint32_t number,
                                               enum prvcut_role role,
                                               const struct prvcut_type_name *name,
                                               struct prvcut_error *err)
{
    struct o2w_type *t;
    enum prvcut_status st =
        prvcut_grow((void **)&n->type, &n->room, n->types + 1, sizeof *n->type, err);

    if (st == PRVCUT_OK)
        st = o2w_map_set(&n->by_number, number, 0, (uint32_t)n->types, err);
    if (st < 0)
        return st;
    t = &n->type[n->types++];
    *t = (struct o2w_type){ .number = number,
                            .role = role,
                            .kind = write_names_kind_of(role, name),
                            .flat = !prvcut_role_nests(role),
                            .name = name,
                            .labels = OTF2_UNDEFINED_STRING,
                            .now.thread = UINT32_MAX };
    memset(t->id, 0xff, sizeof t->id);
    /* MeasurementOnOff does not tell whose it is. */
    if (t->kind == O2W_TRACING && n->tracing)
        t->kind = O2W_POINT;
    n->tracing |= t->kind == O2W_TRACING;
    return name && name->values > 0 ? write_names_make_dense(t, err) : PRVCUT_OK;
}

/* Types that share a table of values share its strings, too. */
static enum prvcut_status write_names_add_labels(struct o2w_names *n, size_t type,
                                                 struct prvcut_error *err)
{
    struct o2w_type *t = &n->type[type];

    if (t->name->values == 0)
        return PRVCUT_OK;
    for (size_t i = type; i > 0 && i + 64 > type; i--) {
        const struct o2w_type *before = &n->type[i - 1];

        if (before->name->value == t->name->value && before->name->values == t->name->values) {
            t->labels = before->labels;
            return PRVCUT_OK;
        }
    }
    if (t->name->values > UINT32_MAX / 2 - n->strings)
        return prvcut_fail(err, PRVCUT_ELIMIT, "more than %u names", UINT32_MAX / 2);
    t->labels = n->strings;
    n->strings += (OTF2_StringRef)t->name->values;
    return PRVCUT_OK;
}

enum prvcut_status o2w_names_init(struct o2w_names *n, const struct prvcut_dictionary *d,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *n = (struct o2w_names){ .strings = 1 /* 0: the empty string */, .overlap = UINT32_MAX };
    for (size_t i = 0; i < d->types && st == PRVCUT_OK; i++) {
        st = write_names_add_type(n, d->type[i].number, d->type[i].role, &d->type[i], err);
        if (st == PRVCUT_OK)
            st = write_names_add_labels(n, i, err);
    }
    return st;
}

void o2w_names_fini(struct o2w_names *n)
{
    for (size_t i = 0; i < n->types; i++)
        free(n->type[i].dense);
    free(n->type);
    free(n->region);
    free(n->metric.at);
    free(n->parameter.at);
    free(n->attribute.at);
    o2w_map_fini(&n->by_number);
    o2w_map_fini(&n->by_value);
}

static enum prvcut_status write_names_give(struct o2w_ids *ids, uint32_t who, uint32_t first,
                                           uint32_t *id, struct prvcut_error *err)
{
    const enum prvcut_status st =
        prvcut_grow((void **)&ids->at, &ids->room, ids->count + 1, sizeof *ids->at, err);

    if (st < 0)
        return st;
    *id = first + (uint32_t)ids->count;
    ids->at[ids->count++] = who;
    return PRVCUT_OK;
}

enum prvcut_status o2w_need(struct o2w_names *n, uint32_t type, enum o2_need need, uint32_t *id,
                            struct prvcut_error *err)
{
    const struct {
        struct o2w_ids *ids;
        uint32_t first;
    } kind[O2_NEEDS] = {
        [O2_METRIC] = { &n->metric, O2_STATES + 1 },
        [O2_NUMBER] = { &n->parameter, 0 },
        [O2_TEXT] = { &n->parameter, 0 },
        [O2_DETAIL_NUMBER] = { &n->attribute, O2_MARKS },
        [O2_DETAIL_TEXT] = { &n->attribute, O2_MARKS },
    };
    struct o2w_type *t = &n->type[type];
    enum prvcut_status st = PRVCUT_OK;

    if (t->id[need] == UINT32_MAX)
        st = write_names_give(kind[need].ids, type * O2_NEEDS + need, kind[need].first,
                              &t->id[need], err);
    *id = t->id[need];
    return st;
}

enum prvcut_status o2w_need_overlap(struct o2w_names *n, uint32_t *id, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (n->overlap == UINT32_MAX)
        st = write_names_give(&n->metric, UINT32_MAX, O2_STATES + 1, &n->overlap, err);
    *id = n->overlap;
    return st;
}

enum prvcut_status o2w_type_of(struct o2w_names *n, uint32_t number, enum prvcut_role role,
                               uint32_t *type, struct prvcut_error *err)
{
    uint32_t *near = &n->near[(number ^ (number >> 16)) & 255];
    enum prvcut_status st;

    if (*near > 0 && n->type[*near - 1].number == number) {
        *type = *near - 1;
        return PRVCUT_OK;
    }
    *type = o2w_map_get(&n->by_number, number, 0);
    if (*type == UINT32_MAX) {
        st = write_names_add_type(n, number, role, NULL, err);
        if (st < 0)
            return st;
        *type = (uint32_t)n->types - 1;
    }
    *near = *type + 1;
    return PRVCUT_OK;
}

static enum o2w_flow write_names_flow_of(const struct prvcut_mpi_call *call)
{
    static const char *const isends[] = { "MPI_Isend",  "MPI_Ibsend", "MPI_Irsend",
                                          "MPI_Issend", "MPI_Start",  "MPI_Startall" };

    if (!call)
        return O2W_BLOCKING;
    if (strcmp(call->name, "MPI_Irecv") == 0)
        return O2W_IRECV;
    for (size_t i = 0; i < sizeof isends / sizeof *isends; i++) {
        if (strcmp(call->name, isends[i]) == 0)
            return O2W_ISEND;
    }
    return O2W_BLOCKING;
}

/* One more region. */
static enum prvcut_status wnm_room(struct o2w_names *n, uint32_t *region, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (n->regions >= UINT32_MAX - 1)
        return prvcut_fail(err, PRVCUT_ELIMIT, "more than %u regions", UINT32_MAX - 1);
    st = prvcut_grow((void **)&n->region, &n->region_room, n->regions + 1, sizeof *n->region, err);
    if (st == PRVCUT_OK)
        *region = (uint32_t)n->regions++;
    return st;
}

static enum prvcut_status wnm_add_region(struct o2w_names *n, uint32_t type, int64_t value,
                                         const struct prvcut_mpi_call *call, uint32_t *region,
                                         struct prvcut_error *err)
{
    const enum prvcut_status st = wnm_room(n, region, err);

    if (st < 0)
        return st;
    n->region[*region] = (struct o2w_region){
        .value = value,
        .type = type,
        .call = call,
        .mpi = write_names_is_mpi(n->type[type].role),
        .flow = write_names_flow_of(call),
        .bound = prvcut_mpi_call_bound(call),
    };
    return PRVCUT_OK;
}

enum prvcut_status o2w_region_of(struct o2w_names *n, uint32_t type, int64_t value,
                                 uint32_t *region, struct prvcut_error *err)
{
    const struct o2w_type *t = &n->type[type];
    enum prvcut_status st;

    *region = o2w_map_get(&n->by_value, type, (uint64_t)value);
    if (*region != UINT32_MAX)
        return PRVCUT_OK;
    st = wnm_add_region(n, type, value,
                        write_names_is_mpi(t->role) ? prvcut_event_call(t->name, t->number, value)
                                                    : NULL,
                        region, err);
    return st == PRVCUT_OK ? o2w_map_set(&n->by_value, type, (uint64_t)value, *region, err) : st;
}

enum prvcut_status o2w_region_made_up(struct o2w_names *n, const struct prvcut_mpi_call *call,
                                      uint32_t *region, struct prvcut_error *err)
{
    uint32_t type;
    enum prvcut_status st;

    for (size_t i = 0; i < n->regions; i++)
        if (n->region[i].call && strcmp(n->region[i].call->name, call->name) == 0) {
            *region = (uint32_t)i;
            return PRVCUT_OK;
        }
    st = o2w_type_of(n, call->type, call->role, &type, err);
    return st == PRVCUT_OK ? wnm_add_region(n, type, call->value, call, region, err) : st;
}

enum prvcut_status o2w_region_around(struct o2w_names *n, uint32_t *region,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;

    for (size_t i = 0; i < n->regions; i++)
        if (n->region[i].around) {
            *region = (uint32_t)i;
            return PRVCUT_OK;
        }
    st = wnm_room(n, region, err);
    if (st == PRVCUT_OK)
        n->region[*region] = (struct o2w_region){ .around = true };
    return st;
}

OTF2_StringRef o2w_label_of(const struct o2w_type *t, int64_t value)
{
    const uint64_t place = (uint64_t)value - (uint64_t)t->dense_least;
    const struct prvcut_value_name *v;

    if (t->labels == OTF2_UNDEFINED_STRING)
        return OTF2_UNDEFINED_STRING;
    if (t->dense) {
        return place < t->dense_count && t->dense[place] > 0 ? t->labels + t->dense[place] - 1
                                                             : OTF2_UNDEFINED_STRING;
    }
    v = prvcut_type_value(t->name, value);
    return v ? t->labels + (OTF2_StringRef)(v - t->name->value) : OTF2_UNDEFINED_STRING;
}
