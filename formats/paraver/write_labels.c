#include "paraver/write.h"

#include "model/calls.h"
#include "paraver/roles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char pcf_head[] = "DEFAULT_OPTIONS\n\n"
                               "LEVEL               THREAD\n"
                               "UNITS               NANOSEC\n"
                               "LOOK_BACK           100\n"
                               "SPEED               1\n"
                               "FLAG_ICONS          ENABLED\n"
                               "NUM_OF_STATE_COLORS 1000\n"
                               "YMAX_SCALE          37\n\n\n"
                               "DEFAULT_SEMANTIC\n\n"
                               "THREAD_FUNC          State As Is\n\n\n";

/* The colours of the gradients, 0xRRGGBB, and what Paraver calls them. */
static const struct {
    uint32_t colour;
    const char *name;
} gradients[] = {
    { 0x00ff02, "Gradient 0" },
    { 0x00f40d, "Grad. 1/MPI Events" },
    { 0x00e819, "Grad. 2/OMP Events" },
    { 0x00dc25, "Grad. 3/OMP locks" },
    { 0x00d130, "Grad. 4/User func" },
    { 0x00c53c, "Grad. 5/User Events" },
    { 0x00ba48, "Grad. 6/General Events" },
    { 0x00ae54, "Grad. 7/Hardware Counters" },
    { 0x00a25f, "Gradient 8" },
    { 0x00966b, "Gradient 9" },
    { 0x008a77, "Gradient 10" },
    { 0x007f82, "Gradient 11" },
    { 0x00738e, "Gradient 12" },
    { 0x00679a, "Gradient 13" },
    { 0x005ba6, "Gradient 14" },
};

/* A name that fits into one line. */
static void write_labels_put_name(struct prvcut_put *to, const char *text)
{
    const size_t begin = to->b.count;

    prvcut_put_string(to, text);
    for (size_t i = begin; i < to->b.count; i++)
        if ((unsigned char)to->b.at[i] < ' ')
            to->b.at[i] = ' ';
}

static void write_labels_put_line(struct prvcut_put *to, const char *text)
{
    write_labels_put_name(to, text);
    prvcut_put_string(to, "\n");
}

static void write_labels_put_colour(struct prvcut_put *to, uint32_t number, uint32_t colour)
{
    prvcut_put_printf(to, "%" PRIu32 "    {%u,%u,%u}\n", number, (unsigned)(colour >> 16 & 255),
                      (unsigned)(colour >> 8 & 255), (unsigned)(colour & 255));
}

static void write_labels_put_states(struct prvcut_put *to, const struct prvcut_dictionary *d)
{
    prvcut_put_string(to, "STATES\n");
    for (size_t i = 0; i < d->states; i++) {
        prvcut_put_printf(to, "%" PRIu32 "    ", d->state[i].number);
        write_labels_put_line(to, d->state[i].text);
    }
    prvcut_put_string(to, "\n\nSTATES_COLOR\n");
    for (size_t i = 0; i < d->states; i++)
        if (d->state[i].colour >= 0)
            write_labels_put_colour(to, d->state[i].number, (uint32_t)d->state[i].colour);
    prvcut_put_string(to, "\n\n");
}

static void write_labels_put_gradients(struct prvcut_put *to)
{
    const size_t count = sizeof gradients / sizeof *gradients;

    prvcut_put_string(to, "GRADIENT_COLOR\n");
    for (size_t i = 0; i < count; i++)
        write_labels_put_colour(to, (uint32_t)i, gradients[i].colour);
    prvcut_put_string(to, "\n\nGRADIENT_NAMES\n");
    for (size_t i = 0; i < count; i++)
        prvcut_put_printf(to, "%zu    %s\n", i, gradients[i].name);
    prvcut_put_string(to, "\n\n");
}

/* Extrae's gradients: MPI 9, counters 7, all else 6, callers 0. */
static unsigned write_labels_gradient_of(enum prvcut_role role)
{
    if (PRVCUT_ROLES_MPI & PRVCUT_ROLE_BIT(role))
        return 9;
    switch (role) {
    case PRVCUT_ROLE_INSTRUCTIONS:
    case PRVCUT_ROLE_CYCLES:
    case PRVCUT_ROLE_FLOPS:
    case PRVCUT_ROLE_COUNTER:
        return 7;
    case PRVCUT_ROLE_CALLER:
    case PRVCUT_ROLE_CALLER_LINE:
    case PRVCUT_ROLE_SAMPLE:
        return 0;
    case PRVCUT_ROLE_OTHER:
    case PRVCUT_ROLE_P2P:
    case PRVCUT_ROLE_COLLECTIVE:
    case PRVCUT_ROLE_MPI_OTHER:
    case PRVCUT_ROLE_FLUSH:
    case PRVCUT_ROLE_TRACING:
    case PRVCUT_ROLE_REGION:
    case PRVCUT_ROLE_SIZE:
    case PRVCUT_ROLE_ROOT:
    case PRVCUT_ROLE_COMMUNICATOR:
    case PRVCUT_ROLES:
        break;
    }
    return 6;
}

/* A label by which readers see what the type is: Extrae's own one where another tells something
   else. */
static const char *label_of(const struct prvcut_type_name *t)
{
    int rank;
    const enum prvcut_role told = prv_role_of_label(t->text, &rank);

    if (told != t->role && t->role != PRVCUT_ROLE_OTHER)
        for (const struct prv_known_type *k = prv_known_types; k->text; k++)
            if (k->number == t->number && k->role == t->role &&
                prv_role_of_label(k->text, &rank) == t->role)
                return k->text;
    return t->text[0] ? t->text : "Unknown";
}

static void write_labels_put_type(struct prvcut_put *to, const struct prvcut_type_name *t)
{
    const char *label = label_of(t);

    prvcut_put_printf(to, "%u    %" PRIu32 "    ", write_labels_gradient_of(t->role), t->number);
    write_labels_put_name(to, label);
    if (t->unit[0] && strcmp(t->unit, "#") != 0 && !strchr(label, '['))
        prvcut_put_printf(to, " [%.40s]", t->unit);
    prvcut_put_string(to, "\n");
}

static void write_labels_put_value(struct prvcut_put *to, int64_t value, const char *text)
{
    prvcut_put_printf(to, "%" PRId64 "   ", value);
    write_labels_put_line(to, text);
}

/* What a region is called outside of it; a type with such a value is read as one of regions. */
static const char *write_labels_outside(const struct prvcut_type_name *t)
{
    return PRVCUT_ROLES_MPI & PRVCUT_ROLE_BIT(t->role) ? "Outside MPI" : "End";
}

static void write_labels_put_values(struct prvcut_put *to, const struct prvcut_type_name *t)
{
    const bool end = t->region && !prvcut_type_value(t, 0);

    if (t->values == 0 && !end)
        return;
    prvcut_put_string(to, "VALUES\n");
    if (end)
        write_labels_put_value(to, 0, write_labels_outside(t));
    for (size_t i = 0; i < t->values; i++)
        write_labels_put_value(to, t->value[i].value, t->value[i].text);
}

void prv_write_pcf(struct prvcut_put *to, const struct prvcut_dictionary *d)
{
    prvcut_put_string(to, pcf_head);
    write_labels_put_states(to, d);
    write_labels_put_gradients(to);
    for (size_t i = 0; i < d->types; i++) {
        const struct prvcut_type_name *t = &d->type[i];
        /* Types that share their values, such as callers by level, share a block. */
        const bool shared = i + 1 < d->types && t->values > 0 && d->type[i + 1].values > 0 &&
                            d->type[i + 1].value == t->value;
        const bool first = i == 0 || t->values == 0 || d->type[i - 1].values == 0 ||
                           d->type[i - 1].value != t->value;

        if (first)
            prvcut_put_string(to, "EVENT_TYPE\n");
        write_labels_put_type(to, t);
        if (!shared) {
            write_labels_put_values(to, t);
            prvcut_put_string(to, "\n\n");
        }
    }
}

/* One that Extrae numbers keeps its label: others read what it means from that. */
static void write_labels_put_nameless(struct prvcut_put *to, uint32_t type)
{
    const struct prv_known_type *k = prv_known_types;

    while (k->text && k->number != type)
        k++;
    prvcut_put_string(to, "EVENT_TYPE\n");
    if (k->text)
        prvcut_put_printf(to, "%u    %" PRIu32 "    %s\n\n\n", write_labels_gradient_of(k->role),
                          type, k->text);
    else
        prvcut_put_printf(to, "0    %" PRIu32 "    Event type %" PRIu32 "\n\n\n", type, type);
}

void prv_write_nameless(struct prvcut_put *to, const uint32_t *type, size_t types)
{
    for (size_t i = 0; i < types; i++)
        write_labels_put_nameless(to, type[i]);
}

static void write_labels_put_level(struct prvcut_put *to, const char *level, uint32_t size)
{
    prvcut_put_printf(to, "%sLEVEL %s SIZE %" PRIu32 "\n", to->b.count > 0 ? "\n" : "", level,
                      size);
}

static void write_labels_put_threads(struct prvcut_put *to, const struct prvcut_outline *o)
{
    const char *const *name = o->dictionary->thread;

    write_labels_put_level(to, "THREAD", o->objects->threads);
    for (uint32_t t = 0; t < o->objects->threads; t++) {
        char plain[PRVCUT_PLAIN_NAME];

        prvcut_objects_plain_name(o->objects, t, plain);
        write_labels_put_line(to, name && name[t] && name[t][0] ? name[t] : plain);
    }
}

/* Names of tasks or nodes, where there are any. */
static void write_labels_put_level_names(struct prvcut_put *to, const char *level,
                                         const char *const *name, uint32_t count)
{
    bool any = false;

    for (uint32_t i = 0; name && i < count; i++)
        any = any || (name[i] && name[i][0]);
    if (!any)
        return;
    write_labels_put_level(to, level, count);
    for (uint32_t i = 0; i < count; i++) {
        if (name[i] && name[i][0])
            write_labels_put_line(to, name[i]);
        else
            prvcut_put_printf(to, "%s %" PRIu32 "\n", level, i + 1);
    }
}

void prv_write_row(struct prvcut_put *to, const struct prvcut_outline *o)
{
    const struct prvcut_dictionary *d = o->dictionary;

    write_labels_put_level_names(to, "NODE", d->node, o->objects->nodes);
    write_labels_put_level_names(to, "TASK", d->task, o->objects->tasks);
    write_labels_put_threads(to, o);
}
