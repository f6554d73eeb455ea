#include "paraver/labels.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "paraver/pcf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A .pcf of a run with 64 ranks and callers has 1 MB. */
#define PCF_MAX ((size_t)256 << 20)

/* Event types that Extrae numbers itself; where a .pcf lists a number, its label decides. */
static const struct {
    uint32_t number;
    enum prvcut_role role;
    bool region;
    const char *text;
} extrae_types[] = {
    { 40000001, PRVCUT_ROLE_OTHER, false, "Application" },
    { 40000002, PRVCUT_ROLE_REGION, true, "Trace initialization" },
    { 40000003, PRVCUT_ROLE_FLUSH, true, "Flushing Traces" },
    { 40000012, PRVCUT_ROLE_TRACING, false, "Tracing" },
    { 40000018, PRVCUT_ROLE_OTHER, false, "Tracing mode" },
    { 42000050, PRVCUT_ROLE_INSTRUCTIONS, false, "PAPI_TOT_INS [Instr completed]" },
    { 42000059, PRVCUT_ROLE_CYCLES, false, "PAPI_TOT_CYC [Total cycles]" },
    { 50000001, PRVCUT_ROLE_P2P, true, "MPI Point-to-point" },
    { 50000002, PRVCUT_ROLE_COLLECTIVE, true, "MPI Collective Comm" },
    { 50000003, PRVCUT_ROLE_MPI_OTHER, true, "MPI Other" },
    { 50000004, PRVCUT_ROLE_MPI_OTHER, true, "MPI One-sided" },
    { 50000005, PRVCUT_ROLE_MPI_OTHER, true, "MPI I/O" },
    { 50100001, PRVCUT_ROLE_SIZE, false, "Send Size in MPI Global OP" },
    { 50100002, PRVCUT_ROLE_SIZE, false, "Recv Size in MPI Global OP" },
    { 50100003, PRVCUT_ROLE_ROOT, false, "Root in MPI Global OP" },
    { 50100004, PRVCUT_ROLE_COMMUNICATOR, false, "Communicator in MPI Global OP" },
    { 60000001, PRVCUT_ROLE_REGION, true, "Parallel (OMP)" },
    { 60000005, PRVCUT_ROLE_REGION, true, "OpenMP barrier" },
    { 60000018, PRVCUT_ROLE_REGION, true, "Executed OpenMP parallel function" },
    { 60000023, PRVCUT_ROLE_REGION, true, "Executed OpenMP task function" },
    { 60000118, PRVCUT_ROLE_REGION, true, "Executed OpenMP parallel function line and file" },
    { 60000123, PRVCUT_ROLE_REGION, true, "Executed OpenMP task function line and file" },
};

/* Numbers that mean the same whatever the label says; [first, last]. */
static const struct {
    uint32_t first, last;
    enum prvcut_role role;
} extrae_ranges[] = {
    { 30000000, 30000199, PRVCUT_ROLE_SAMPLE },
    { 42000000, 44999999, PRVCUT_ROLE_COUNTER },
    /* 45..46 million: resource use and memory use of the process, read a few times a run. */
    { 45000000, 46999999, PRVCUT_ROLE_OTHER },
    { 47000000, 49999999, PRVCUT_ROLE_COUNTER },
    { 50100001, 50100002, PRVCUT_ROLE_SIZE },
    { 50100003, 50100003, PRVCUT_ROLE_ROOT },
    { 50100004, 50100004, PRVCUT_ROLE_COMMUNICATOR },
    { 70000000, 70000099, PRVCUT_ROLE_CALLER },
    { 80000000, 80000099, PRVCUT_ROLE_CALLER_LINE },
};

enum match { MATCH_WHOLE, MATCH_START, MATCH_WORD };

/*
 * Labels that say what a type is. Of the lines of one role that have a rank, only those with
 * the highest rank that the trace lists count: the same thing counted twice would count double.
 */
static const struct {
    const char *text;
    enum match match;
    enum prvcut_role role;
    int rank;
} label_rules[] = {
    { "MPI Point-to-point", MATCH_WHOLE, PRVCUT_ROLE_P2P, 0 },
    { "MPI Collective Comm", MATCH_START, PRVCUT_ROLE_COLLECTIVE, 0 },
    { "MPI Collective", MATCH_WHOLE, PRVCUT_ROLE_COLLECTIVE, 0 },
    { "MPI Other", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI One-sided", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI RMA", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI I/O", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "MPI IO", MATCH_WHOLE, PRVCUT_ROLE_MPI_OTHER, 0 },
    { "Flushing Traces", MATCH_WHOLE, PRVCUT_ROLE_FLUSH, 0 },
    { "Tracing", MATCH_WHOLE, PRVCUT_ROLE_TRACING, 0 },
    { "Sampled ", MATCH_START, PRVCUT_ROLE_SAMPLE, 0 },
    { "Caller at level", MATCH_START, PRVCUT_ROLE_CALLER, 0 },
    { "Caller line at level", MATCH_START, PRVCUT_ROLE_CALLER_LINE, 0 },
    { "Send Size in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_SIZE, 0 },
    { "Recv Size in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_SIZE, 0 },
    { "Root in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_ROOT, 0 },
    { "Communicator in MPI Global OP", MATCH_WHOLE, PRVCUT_ROLE_COMMUNICATOR, 0 },
    { "PAPI_TOT_INS", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 3 },
    { "perf::INSTRUCTIONS", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 2 },
    { "INSTRUCTION_RETIRED", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 1 },
    { "INST_RETIRED", MATCH_WORD, PRVCUT_ROLE_INSTRUCTIONS, 1 },
    { "PAPI_TOT_CYC", MATCH_WORD, PRVCUT_ROLE_CYCLES, 3 },
    { "perf::CPU-CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 2 },
    { "perf::CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 2 },
    { "UNHALTED_CORE_CYCLES", MATCH_WORD, PRVCUT_ROLE_CYCLES, 1 },
    { "PAPI_FP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 3 },
    { "PAPI_DP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 2 },
    { "PAPI_SP_OPS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 2 },
    { "PAPI_FP_INS", MATCH_WORD, PRVCUT_ROLE_FLOPS, 1 },
};

/* Labels of types that hold a value, though not that of a region that ends with 0. */
static const char *const no_region_labels[] = { "Application", "Tracing", "Tracing mode" };

/* States as Extrae numbers them, for traces without a .pcf. */
static const char *const extrae_states[] = {
    "Idle",
    "Running",
    "Not created",
    "Waiting a message",
    "Blocking Send",
    "Synchronization",
    "Test/Probe",
    "Scheduling and Fork/Join",
    "Wait/WaitAll",
    "Blocked",
    "Immediate Send",
    "Immediate Receive",
    "I/O",
    "Group Communication",
    "Tracing Disabled",
    "Others",
    "Send Receive",
};

const struct prv_role_name prv_role_names[] = {
    { "p2p", PRVCUT_ROLE_P2P },
    { "collective", PRVCUT_ROLE_COLLECTIVE },
    { "mpi", PRVCUT_ROLE_MPI_OTHER },
    { "flush", PRVCUT_ROLE_FLUSH },
    { "tracing", PRVCUT_ROLE_TRACING },
    { "region", PRVCUT_ROLE_REGION },
    { "instructions", PRVCUT_ROLE_INSTRUCTIONS },
    { "cycles", PRVCUT_ROLE_CYCLES },
    { "flops", PRVCUT_ROLE_FLOPS },
    { "counter", PRVCUT_ROLE_COUNTER },
    { "caller", PRVCUT_ROLE_CALLER },
    { NULL, PRVCUT_ROLE_OTHER },
};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || !is_word_char(at[-1])) && !is_word_char(at[length]))
            return true;
    }
    return false;
}

static bool matches(const char *text, const char *pattern, enum match match)
{
    switch (match) {
    case MATCH_WHOLE:
        return strcasecmp(text, pattern) == 0;
    case MATCH_START:
        return strncasecmp(text, pattern, strlen(pattern)) == 0;
    case MATCH_WORD:
        return has_word(text, pattern);
    }
    return false;
}

static enum prvcut_role role_of_label(const char *text, int *rank)
{
    for (size_t i = 0; i < COUNT_OF(label_rules); i++) {
        if (matches(text, label_rules[i].text, label_rules[i].match)) {
            *rank = label_rules[i].rank;
            return label_rules[i].role;
        }
    }
    *rank = 0;
    return PRVCUT_ROLE_OTHER;
}

/* PRVCUT_ROLE_OTHER where the number says nothing. */
static enum prvcut_role role_of_range(uint32_t number)
{
    for (size_t i = 0; i < COUNT_OF(extrae_ranges); i++) {
        if (number >= extrae_ranges[i].first && number <= extrae_ranges[i].last)
            return extrae_ranges[i].role;
    }
    return PRVCUT_ROLE_OTHER;
}

/* Whether a value of that role may hold until 0. */
static bool role_may_hold(enum prvcut_role role)
{
    return (PRVCUT_ROLE_BIT(role) & (PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_FLUSH) |
                                     PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION))) != 0;
}

/* A type that no label rule knows: by its number, else by its values. */
static enum prvcut_role role_of_values(const struct prv_type *t)
{
    enum prvcut_role role = role_of_range(t->label.number);

    if (role != PRVCUT_ROLE_OTHER)
        return role;
    for (size_t i = 0; i < COUNT_OF(no_region_labels); i++) {
        if (strcasecmp(t->label.text, no_region_labels[i]) == 0)
            return PRVCUT_ROLE_OTHER;
    }
    for (size_t i = 0; i < COUNT_OF(extrae_types); i++) {
        if (extrae_types[i].number != t->label.number)
            continue;
        /* An empty label says nothing. */
        if (t->listed && t->label.text[0] == '\0')
            return extrae_types[i].role;
        if (!extrae_types[i].region)
            return PRVCUT_ROLE_OTHER;
        if (!t->listed)
            return PRVCUT_ROLE_REGION;
    }
    return prv_type_value(t, 0) ? PRVCUT_ROLE_REGION : PRVCUT_ROLE_OTHER;
}

const struct prv_value *prv_type_value(const struct prv_type *t, int64_t number)
{
    size_t low = 0, high = t->values;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->value[middle].number == number)
            return &t->value[middle];
        if (t->value[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Of equal numbers, that with values comes first, then that which was read first. */
static int compare_types(const void *a, const void *b)
{
    const struct prv_type *x = a, *y = b;

    if (x->label.number != y->label.number)
        return x->label.number < y->label.number ? -1 : 1;
    if ((x->values > 0) != (y->values > 0))
        return x->values > 0 ? -1 : 1;
    return (x->label.text > y->label.text) - (x->label.text < y->label.text);
}

static int compare_labels(const void *a, const void *b)
{
    const struct prvcut_label *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

/* Sort by number, drop repeated ones. */
static void sort_types(struct prv_labels *l)
{
    size_t kept = 0;

    if (l->types > 0)
        qsort(l->type, l->types, sizeof *l->type, compare_types);
    for (size_t i = 0; i < l->types; i++) {
        if (kept == 0 || l->type[kept - 1].label.number != l->type[i].label.number)
            l->type[kept++] = l->type[i];
    }
    l->types = kept;
}

static void sort_states(struct prv_labels *l)
{
    size_t kept = 0;

    if (l->states > 0)
        qsort(l->state, l->states, sizeof *l->state, compare_labels);
    for (size_t i = 0; i < l->states; i++) {
        if (kept == 0 || l->state[kept - 1].number != l->state[i].number)
            l->state[kept++] = l->state[i];
    }
    l->states = kept;
}

/* Among `count` types in ascending order; NULL where there is none. */
static const struct prv_type *find_type(const struct prv_type *type, size_t count, uint32_t number)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (type[middle].label.number == number)
            return &type[middle];
        if (type[middle].label.number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static enum prvcut_status add_type(struct prv_labels *l, size_t *room, const struct prv_type *type,
                                   struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&l->type, room, l->types + 1, sizeof *l->type, err);

    if (st == PRVCUT_OK)
        l->type[l->types++] = *type;
    return st;
}

static enum prvcut_status copy_listed(struct prv_labels *l, const struct prv_pcf *pcf, size_t *room,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < pcf->types && st == PRVCUT_OK; i++) {
        const struct prv_pcf_block *block = &pcf->block[pcf->type[i].block];
        struct prv_type type = { .label = { .number = pcf->type[i].number,
                                            .text = pcf->type[i].text },
                                 .value = block->count > 0 ? pcf->value + block->first : NULL,
                                 .values = block->count,
                                 .listed = true };

        st = add_type(l, room, &type, err);
    }
    sort_types(l);
    return st;
}

/* Roles of listed types, each role by its best rank. */
static void label_types(struct prv_labels *l)
{
    int best[PRVCUT_ROLES] = { 0 };
    int rank;

    for (size_t i = 0; i < l->types; i++) {
        enum prvcut_role role = role_of_label(l->type[i].label.text, &rank);

        if (rank > best[role])
            best[role] = rank;
    }
    for (size_t i = 0; i < l->types; i++) {
        struct prv_type *t = &l->type[i];
        enum prvcut_role role = role_of_label(t->label.text, &rank);

        if (role != PRVCUT_ROLE_OTHER && rank < best[role])
            role = PRVCUT_ROLE_COUNTER;
        t->label.role = role == PRVCUT_ROLE_OTHER ? role_of_values(t) : role;
        t->label.region = role_may_hold(t->label.role);
    }
}

static enum prvcut_status add_unlisted(struct prv_labels *l, size_t *room, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool counted[PRVCUT_ROLES] = { false };
    size_t listed = l->types;

    for (size_t i = 0; i < listed; i++)
        counted[l->type[i].label.role] = true;
    for (size_t i = 0; i < COUNT_OF(extrae_types) && st == PRVCUT_OK; i++) {
        struct prv_type type = { .label = { .number = extrae_types[i].number,
                                            .role = extrae_types[i].role,
                                            .region = extrae_types[i].region,
                                            .text = extrae_types[i].text } };

        if (find_type(l->type, listed, type.label.number))
            continue;
        /* A counter that the trace labels under another number is not counted twice. */
        if (counted[type.label.role] && role_of_range(type.label.number) == PRVCUT_ROLE_COUNTER)
            type.label.role = PRVCUT_ROLE_COUNTER;
        st = add_type(l, room, &type, err);
    }
    sort_types(l);
    return st;
}

static enum prvcut_status add_states(struct prv_labels *l, const struct prv_pcf *pcf,
                                     struct prvcut_error *err)
{
    size_t count = pcf->states > 0 ? pcf->states : COUNT_OF(extrae_states);

    l->state = calloc(count, sizeof *l->state);
    if (!l->state)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu states", count);
    for (size_t i = 0; i < count; i++) {
        if (pcf->states > 0)
            l->state[i] = pcf->state[i];
        else
            l->state[i] = (struct prvcut_label){ .number = (uint32_t)i, .text = extrae_states[i] };
    }
    l->states = count;
    sort_states(l);
    return PRVCUT_OK;
}

static bool state_number(const struct prv_labels *l, const char *name, uint32_t *out)
{
    for (size_t i = 0; i < l->states; i++) {
        if (strcasecmp(l->state[i].text, name) == 0) {
            *out = l->state[i].number;
            return true;
        }
    }
    return false;
}

/* One number of a setting: [at, at + length). */
static bool parse_number(const char *at, size_t length, uint32_t *out)
{
    uint64_t value = 0;

    if (length == 0 || length > 10)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(at[i] - '0');
    }
    *out = (uint32_t)value;
    return value <= UINT32_MAX;
}

static enum prvcut_status set_running(struct prv_labels *l, const char *value,
                                      struct prvcut_error *err)
{
    if (parse_number(value, strlen(value), &l->running) || state_number(l, value, &l->running))
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "running=%s: '%s' is neither a number from 0 to %" PRIu32
                       " nor a state that the .pcf names",
                       value, value, UINT32_MAX);
}

/* Types that had the role go back to what their number and values say. */
static void clear_role(struct prv_labels *l, enum prvcut_role role)
{
    for (size_t i = 0; i < l->types; i++) {
        struct prv_type *t = &l->type[i];

        if (t->label.role != role)
            continue;
        t->label.role = role_of_values(t);
        if (t->label.role == role)
            t->label.role = PRVCUT_ROLE_OTHER;
        t->label.region = role_may_hold(t->label.role);
    }
}

static enum prvcut_status set_role(struct prv_labels *l, size_t *room, enum prvcut_role role,
                                   uint32_t number, struct prvcut_error *err)
{
    struct prv_type type = {
        .label = { .number = number, .role = role, .region = role_may_hold(role), .text = "" }
    };

    for (size_t i = 0; i < l->types; i++) {
        if (l->type[i].label.number == number) {
            l->type[i].label.role = role;
            l->type[i].label.region = type.label.region;
            return PRVCUT_OK;
        }
    }
    return add_type(l, room, &type, err);
}

static enum prvcut_status set_numbers(struct prv_labels *l, size_t *room,
                                      const struct prv_role_name *name, const char *list,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    clear_role(l, name->role);
    while (*list && st == PRVCUT_OK) {
        size_t length = strcspn(list, ",");
        uint32_t number;

        if (!parse_number(list, length, &number))
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "%s=: '%.*s' is not an event type from 0 to %" PRIu32, name->name,
                               (int)(length < 40 ? length : 40), list, UINT32_MAX);
        st = set_role(l, room, name->role, number, err);
        list += length;
        list += *list == ',';
    }
    sort_types(l);
    return st;
}

static enum prvcut_status apply_setting(struct prv_labels *l, size_t *room, const char *setting,
                                        struct prvcut_error *err)
{
    size_t length = strcspn(setting, "=");

    if (setting[length] == '=') {
        const char *value = setting + length + 1;

        if (length == 7 && memcmp(setting, "running", 7) == 0)
            return set_running(l, value, err);
        for (const struct prv_role_name *n = prv_role_names; n->name; n++) {
            if (strlen(n->name) == length && memcmp(n->name, setting, length) == 0)
                return set_numbers(l, room, n, value, err);
        }
    }
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "'%s' is not NAME=NUMBER[,NUMBER...] with NAME one of running, p2p, "
                       "collective, mpi, flush, tracing, region, instructions, cycles, flops, "
                       "counter, caller",
                       setting);
}

static enum prvcut_status fill(struct prv_labels *l, const struct prv_pcf *pcf,
                               const char *const *roles, struct prvcut_error *err)
{
    size_t room = 0;
    enum prvcut_status st = copy_listed(l, pcf, &room, err);

    if (st == PRVCUT_OK) {
        label_types(l);
        st = add_unlisted(l, &room, err);
    }
    if (st == PRVCUT_OK)
        st = add_states(l, pcf, err);
    if (st != PRVCUT_OK)
        return st;
    l->running = 1;
    (void)state_number(l, "Running", &l->running);
    while (roles && *roles && st == PRVCUT_OK)
        st = apply_setting(l, &room, *roles++, err);
    return st;
}

enum prvcut_status prv_labels_parse(struct prv_labels *out, const char *text, size_t count,
                                    const char *const *roles, uint64_t *damaged_line,
                                    struct prvcut_error *err)
{
    struct prv_pcf *pcf = malloc(sizeof *pcf);
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (!pcf)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for labels");
    out->arena = pcf;
    st = prv_pcf_parse(pcf, text, text ? count : 0, err);
    out->pcf_crlf = pcf->crlf;
    if (damaged_line)
        *damaged_line = pcf->damaged_line;
    return st == PRVCUT_OK ? fill(out, pcf, roles, err) : st;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t tail = strlen(end);

    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

/* NAME[suffix][.zst|.gz] for NAME.prv[.zst|.gz], if there is such a file; *out NULL else. */
static enum prvcut_status find_companion(char **out, const char *prv_path, const char *suffix,
                                         struct prvcut_error *err)
{
    static const char *const packed[] = { "", ".zst", ".gz" };
    size_t length = strlen(prv_path), room;
    struct stat info;
    char *path;

    *out = NULL;
    if (strcmp(prv_path, "-") == 0)
        return PRVCUT_OK;
    for (size_t i = 1; i < COUNT_OF(packed); i++) {
        if (ends_with(prv_path, length, packed[i]))
            length -= strlen(packed[i]);
    }
    if (ends_with(prv_path, length, ".prv"))
        length -= 4;
    if (!prvcut_ckd_add_size(&room, length, 16) || !(path = malloc(room)))
        return prvcut_fail(err, PRVCUT_ENOMEM, "%s: out of memory", prv_path);
    memcpy(path, prv_path, length);
    for (size_t i = 0; i < COUNT_OF(packed); i++) {
        strcpy(path + length, suffix);
        strcat(path + length, packed[i]);
        if (stat(path, &info) == 0) {
            *out = path;
            return PRVCUT_OK;
        }
        if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
            enum prvcut_status st = prvcut_fail_errno(err, PRVCUT_EIO, "%s", path);

            free(path);
            return st;
        }
    }
    free(path);
    return PRVCUT_OK;
}

/* A compressed .pcf that is damaged counts as one without a single good line. */
static enum prvcut_status slurp_pcf(const char *path, char **text, size_t *count, bool *damaged,
                                    struct prvcut_error *err)
{
    struct prvcut_error local = { 0 };
    enum prvcut_status st = prvcut_source_slurp(path, PCF_MAX, text, count, &local);

    *damaged = st == PRVCUT_EFORMAT;
    if (*damaged) {
        *text = NULL;
        *count = 0;
        return PRVCUT_OK;
    }
    return st < 0 ? prvcut_fail(err, st, "%s", local.text) : PRVCUT_OK;
}

enum prvcut_status prv_labels_read(struct prv_labels *out, const char *prv_path,
                                   const char *const *roles, uint64_t *damaged_line,
                                   struct prvcut_error *err)
{
    char *pcf = NULL, *row = NULL, *text = NULL;
    size_t count = 0;
    bool damaged = false;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (damaged_line)
        *damaged_line = 0;
    if ((st = find_companion(&pcf, prv_path, ".pcf", err)) != PRVCUT_OK ||
        (st = find_companion(&row, prv_path, ".row", err)) != PRVCUT_OK ||
        (pcf && (st = slurp_pcf(pcf, &text, &count, &damaged, err)) != PRVCUT_OK))
        goto out;
    st = prv_labels_parse(out, text, count, roles, damaged_line, err);
    if (damaged && damaged_line)
        *damaged_line = 1;
out:
    free(text);
    out->pcf_path = pcf;
    out->row_path = row;
    return st;
}

const struct prv_type *prv_labels_type(const struct prv_labels *l, uint32_t number)
{
    return find_type(l->type, l->types, number);
}

enum prvcut_role prv_labels_role(const struct prv_labels *l, uint32_t number, bool *region)
{
    const struct prv_type *t = prv_labels_type(l, number);
    enum prvcut_role role = t ? t->label.role : role_of_range(number);

    *region = t && t->label.region;
    return role;
}

void prv_labels_fini(struct prv_labels *l)
{
    if (l->arena)
        prv_pcf_fini(l->arena);
    free(l->arena);
    free(l->type);
    free(l->state);
    free(l->pcf_path);
    free(l->row_path);
    memset(l, 0, sizeof *l);
}
