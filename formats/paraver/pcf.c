#include "paraver/pcf.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum section { SECTION_OTHER, SECTION_STATES, SECTION_TYPES, SECTION_VALUES };

struct parser {
    struct prv_pcf *pcf;
    enum section section;
    uint64_t line;
    struct prvcut_error *err;
};

static bool pcf_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A decimal number at *at, moved behind it; false where there is none or it does not fit. */
static bool pcf_take_number(char **at, int64_t *out)
{
    char *p = *at;
    bool negative = *p == '-';
    uint64_t value = 0, most = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;

    p += negative;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (!prvcut_ckd_mul_u64(&value, value, 10) ||
            !prvcut_ckd_add_u64(&value, value, (uint64_t)(*p - '0')) || value > most)
            return false;
    }
    if (*p != '\0' && !pcf_is_blank(*p))
        return false;
    while (pcf_is_blank(*p))
        p++;
    *at = p;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

static enum prvcut_status pcf_damaged(struct parser *p)
{
    if (p->pcf->damaged_line == 0)
        p->pcf->damaged_line = p->line;
    return PRVCUT_OK;
}

/* `number label` */
static enum prvcut_status pcf_parse_state(struct parser *p, char *line)
{
    struct prv_pcf *pcf = p->pcf;
    int64_t number;
    enum prvcut_status st;

    if (!pcf_take_number(&line, &number) || number < 0 || number > UINT32_MAX)
        return pcf_damaged(p);
    st = prvcut_grow((void **)&pcf->state, &pcf->state_room, pcf->states + 1, sizeof *pcf->state,
                     p->err);
    if (st == PRVCUT_OK)
        pcf->state[pcf->states++] =
            (struct prvcut_label){ .number = (uint32_t)number, .text = line };
    return st;
}

/* `gradient number label` */
static enum prvcut_status pcf_parse_type(struct parser *p, char *line)
{
    struct prv_pcf *pcf = p->pcf;
    int64_t gradient, number;
    enum prvcut_status st;

    if (strncmp(line, "PRECISION", 9) == 0)
        return PRVCUT_OK; /* decimals shown of a value */
    if (!pcf_take_number(&line, &gradient) || !pcf_take_number(&line, &number) || number < 0 ||
        number > UINT32_MAX)
        return pcf_damaged(p);
    st = prvcut_grow((void **)&pcf->type, &pcf->type_room, pcf->types + 1, sizeof *pcf->type,
                     p->err);
    if (st == PRVCUT_OK)
        pcf->type[pcf->types++] = (struct prv_pcf_type){ .number = (uint32_t)number,
                                                         .text = line,
                                                         .block = pcf->blocks - 1 };
    return st;
}

/* `number label` */
static enum prvcut_status pcf_parse_value(struct parser *p, char *line)
{
    struct prv_pcf *pcf = p->pcf;
    struct prv_value value;
    enum prvcut_status st;

    if (!pcf_take_number(&line, &value.number))
        return pcf_damaged(p);
    value.text = line;
    st = prvcut_grow((void **)&pcf->value, &pcf->value_room, pcf->values + 1, sizeof *pcf->value,
                     p->err);
    if (st == PRVCUT_OK) {
        pcf->value[pcf->values++] = value;
        pcf->block[pcf->blocks - 1].count++;
    }
    return st;
}

static enum prvcut_status pcf_open_block(struct parser *p)
{
    struct prv_pcf *pcf = p->pcf;
    enum prvcut_status st = prvcut_grow((void **)&pcf->block, &pcf->block_room, pcf->blocks + 1,
                                        sizeof *pcf->block, p->err);

    if (st == PRVCUT_OK)
        pcf->block[pcf->blocks++] = (struct prv_pcf_block){ .first = pcf->values };
    return st;
}

/* A line that is one word of capitals starts a section, known or not. */
static bool pcf_is_section(const char *line)
{
    return line[strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] == '\0';
}

static enum prvcut_status pcf_parse_section(struct parser *p, const char *line)
{
    enum section before = p->section;

    p->section = SECTION_OTHER;
    if (strcmp(line, "STATES") == 0)
        p->section = SECTION_STATES;
    if (strcmp(line, "EVENT_TYPE") == 0) {
        p->section = SECTION_TYPES;
        return pcf_open_block(p);
    }
    if (strcmp(line, "VALUES") == 0) {
        if (before != SECTION_TYPES && before != SECTION_VALUES)
            return pcf_damaged(p);
        p->section = SECTION_VALUES;
    }
    return PRVCUT_OK;
}

static enum prvcut_status pcf_parse_line(struct parser *p, char *line)
{
    while (pcf_is_blank(*line))
        line++;
    if (*line == '\0' || *line == '#')
        return PRVCUT_OK;
    if (pcf_is_section(line))
        return pcf_parse_section(p, line);
    switch (p->section) {
    case SECTION_STATES:
        return pcf_parse_state(p, line);
    case SECTION_TYPES:
        return pcf_parse_type(p, line);
    case SECTION_VALUES:
        return pcf_parse_value(p, line);
    case SECTION_OTHER:
        break;
    }
    return PRVCUT_OK;
}

/* End the line at `at` with a NUL, trailing blanks cut off; returns the start of the next one. */
static char *pcf_cut_line(char *at, const char *end, bool *crlf)
{
    char *stop = at, *next;

    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    next = stop;
    *crlf = next + 1 < end && next[0] == '\r' && next[1] == '\n';
    if (next < end)
        next += *crlf ? 2 : 1;
    while (stop > at && pcf_is_blank(stop[-1]))
        stop--;
    *stop = '\0';
    return next;
}

/* Texts lie in one block, so their addresses tell which one came first. */
static int pcf_compare_values(const void *a, const void *b)
{
    const struct prv_value *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

static void pcf_sort_values(struct prv_pcf *pcf)
{
    for (size_t b = 0; b < pcf->blocks; b++) {
        size_t count = pcf->block[b].count, kept = 0;
        struct prv_value *value;

        if (count == 0)
            continue;
        value = pcf->value + pcf->block[b].first;
        qsort(value, count, sizeof *value, pcf_compare_values);
        for (size_t i = 0; i < count; i++) {
            if (kept == 0 || value[kept - 1].number != value[i].number)
                value[kept++] = value[i];
        }
        pcf->block[b].count = kept;
    }
}

enum prvcut_status prv_pcf_parse(struct prv_pcf *out, const char *text, size_t count,
                                 struct prvcut_error *err)
{
    struct parser p = { .pcf = out, .err = err };
    enum prvcut_status st = PRVCUT_OK;
    char *at, *end;

    memset(out, 0, sizeof *out);
    out->text = prvcut_copied(text, count, "bytes of labels", err);
    if (!out->text)
        return PRVCUT_ENOMEM;
    end = out->text + count;
    for (at = out->text; at < end && st == PRVCUT_OK;) {
        bool crlf;
        char *next = pcf_cut_line(at, end, &crlf);

        p.line++;
        out->crlf = out->crlf || crlf;
        st = pcf_parse_line(&p, at);
        at = next;
    }
    pcf_sort_values(out);
    return st;
}

void prv_pcf_fini(struct prv_pcf *p)
{
    free(p->text);
    free(p->type);
    free(p->block);
    free(p->value);
    free(p->state);
    memset(p, 0, sizeof *p);
}
