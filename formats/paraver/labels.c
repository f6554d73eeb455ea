#include "paraver/labels.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/roles.h"
#include "paraver/pcf.h"
#include "paraver/roles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

static int labels_compare_labels(const void *a, const void *b)
{
    const struct prvcut_label *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

static void labels_sort_states(struct prv_labels *l)
{
    size_t kept = 0;

    if (l->states > 0)
        qsort(l->state, l->states, sizeof *l->state, labels_compare_labels);
    for (size_t i = 0; i < l->states; i++) {
        if (kept == 0 || l->state[kept - 1].number != l->state[i].number)
            l->state[kept++] = l->state[i];
    }
    l->states = kept;
}

/* Among `count` types in ascending order; NULL where there is none. */
static const struct prv_type *labels_find_type(const struct prv_type *type, size_t count,
                                               uint32_t number)
{
    return prvcut_find_u32(type, count, sizeof *type, offsetof(struct prv_type, label.number),
                           number);
}

static enum prvcut_status labels_copy_listed(struct prv_labels *l, const struct prv_pcf *pcf,
                                             size_t *room, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < pcf->types && st == PRVCUT_OK; i++) {
        const struct prv_pcf_block *block = &pcf->block[pcf->type[i].block];
        struct prv_type type = { .label = { .number = pcf->type[i].number,
                                            .text = pcf->type[i].text },
                                 .value = block->count > 0 ? pcf->value + block->first : NULL,
                                 .values = block->count,
                                 .listed = true };

        st = prv_labels_add(l, room, &type, err);
    }
    prv_labels_sort(l);
    return st;
}

/* Roles of listed types, each role by its best rank. */
static void label_types(struct prv_labels *l)
{
    int best[PRVCUT_ROLES] = { 0 };
    int rank;

    for (size_t i = 0; i < l->types; i++) {
        enum prvcut_role role = prv_role_of_label(l->type[i].label.text, &rank);

        if (rank > best[role])
            best[role] = rank;
    }
    for (size_t i = 0; i < l->types; i++) {
        struct prv_type *t = &l->type[i];
        enum prvcut_role role = prv_role_of_label(t->label.text, &rank);

        if (role != PRVCUT_ROLE_OTHER && rank < best[role])
            role = PRVCUT_ROLE_COUNTER;
        t->label.role = role == PRVCUT_ROLE_OTHER ? prv_role_of_values(t) : role;
        t->label.region = prvcut_role_is_region(t->label.role);
    }
}

static enum prvcut_status labels_add_unlisted(struct prv_labels *l, size_t *room,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool counted[PRVCUT_ROLES] = { false };
    size_t listed = l->types;

    for (size_t i = 0; i < listed; i++)
        counted[l->type[i].label.role] = true;
    for (const struct prv_known_type *k = prv_known_types; k->text && st == PRVCUT_OK; k++) {
        struct prv_type type = {
            .label = { .number = k->number, .role = k->role, .region = k->region, .text = k->text }
        };

        if (labels_find_type(l->type, listed, type.label.number))
            continue;
        /* A counter that the trace labels under another number is not counted twice. */
        if (counted[type.label.role] &&
            prv_role_of_number(type.label.number) == PRVCUT_ROLE_COUNTER)
            type.label.role = PRVCUT_ROLE_COUNTER;
        st = prv_labels_add(l, room, &type, err);
    }
    prv_labels_sort(l);
    return st;
}

static enum prvcut_status labels_add_states(struct prv_labels *l, const struct prv_pcf *pcf,
                                            struct prvcut_error *err)
{
    size_t count = pcf->states;

    while (pcf->states == 0 && prv_known_states[count])
        count++;
    l->state = prvcut_zeroed(count, sizeof *l->state, "states", err);
    if (!l->state)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        if (pcf->states > 0)
            l->state[i] = pcf->state[i];
        else
            l->state[i] =
                (struct prvcut_label){ .number = (uint32_t)i, .text = prv_known_states[i] };
    }
    l->states = count;
    labels_sort_states(l);
    return PRVCUT_OK;
}

static enum prvcut_status labels_fill(struct prv_labels *l, const struct prv_pcf *pcf,
                                      const char *const *roles, struct prvcut_error *err)
{
    size_t room = 0;
    enum prvcut_status st = labels_copy_listed(l, pcf, &room, err);

    if (st == PRVCUT_OK) {
        label_types(l);
        st = labels_add_unlisted(l, &room, err);
    }
    if (st == PRVCUT_OK)
        st = labels_add_states(l, pcf, err);
    if (st != PRVCUT_OK)
        return st;
    l->running = 1;
    (void)prv_labels_state(l, "Running", &l->running);
    while (roles && *roles && st == PRVCUT_OK)
        st = prv_labels_set(l, &room, *roles++, err);
    return st;
}

enum prvcut_status prv_labels_parse(struct prv_labels *out, const char *text, size_t count,
                                    const char *const *roles, uint64_t *damaged_line,
                                    struct prvcut_error *err)
{
    struct prv_pcf *pcf = prvcut_unset(1, sizeof *pcf, "labels", err);
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (!pcf)
        return PRVCUT_ENOMEM;
    out->arena = pcf;
    st = prv_pcf_parse(pcf, text, text ? count : 0, err);
    out->pcf_crlf = pcf->crlf;
    if (damaged_line)
        *damaged_line = pcf->damaged_line;
    return st == PRVCUT_OK ? labels_fill(out, pcf, roles, err) : st;
}

static bool labels_ends_with(const char *text, size_t length, const char *end)
{
    size_t tail = strlen(end);

    return length >= tail && memcmp(text + length - tail, end, tail) == 0;
}

/* NAME[suffix][.zst|.gz] for NAME.prv[.zst|.gz], if there is such a file; *out NULL else. The
   caller releases *out, also after a failure. */
static enum prvcut_status labels_find_companion(char **out, const char *prv_path,
                                                const char *suffix, struct prvcut_error *err)
{
    static const char *const packed[] = { "", ".zst", ".gz" };
    size_t length = strlen(prv_path), room;
    struct stat info;
    char *path;

    *out = NULL;
    if (strcmp(prv_path, "-") == 0)
        return PRVCUT_OK;
    for (size_t i = 1; i < COUNT_OF(packed); i++) {
        if (labels_ends_with(prv_path, length, packed[i]))
            length -= strlen(packed[i]);
    }
    if (labels_ends_with(prv_path, length, ".prv"))
        length -= 4;
    if (!prvcut_ckd_add_size(&room, length, 16) ||
        !(path = prvcut_unset(1, room, "a file name", err)))
        return PRVCUT_ENOMEM;
    memcpy(path, prv_path, length);
    for (size_t i = 0; i < COUNT_OF(packed); i++) {
        strcpy(path + length, suffix);
        strcat(path + length, packed[i]);
        if (stat(path, &info) == 0) {
            *out = path;
            if (!S_ISFIFO(info.st_mode))
                return PRVCUT_OK;
            /* It would be waited for, and is read more than once. */
            return prvcut_fail(err, PRVCUT_EIO, "%s: is a pipe; labels are read from a file", path);
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
static enum prvcut_status labels_slurp_pcf(const char *path, char **text, size_t *count,
                                           bool *damaged, struct prvcut_error *err)
{
    struct prvcut_error local = { 0 };
    enum prvcut_status st = prvcut_source_slurp_text(path, PRV_LABELS_MOST, text, count, &local);

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
    if ((st = labels_find_companion(&pcf, prv_path, ".pcf", err)) != PRVCUT_OK ||
        (st = labels_find_companion(&row, prv_path, ".row", err)) != PRVCUT_OK ||
        (pcf && (st = labels_slurp_pcf(pcf, &text, &count, &damaged, err)) != PRVCUT_OK))
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
    return labels_find_type(l->type, l->types, number);
}

enum prvcut_role prv_labels_role(const struct prv_labels *l, uint32_t number, bool *region)
{
    const struct prv_type *t = prv_labels_type(l, number);
    enum prvcut_role role = t ? t->label.role : prv_role_of_number(number);

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
