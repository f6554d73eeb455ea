#include "paraver/row.h"

#include "base/buffer.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/source.h"
#include "paraver/labels.h"

#include <stdlib.h>
#include <string.h>

static bool row_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next word of a line, ended with a NUL; NULL where there is none. */
static char *row_take_word(char **at)
{
    char *word;

    while (row_is_blank(**at))
        ++*at;
    word = *at;
    while (**at != '\0' && !row_is_blank(**at))
        ++*at;
    if (**at != '\0')
        *(*at)++ = '\0';
    return *word ? word : NULL;
}

static bool row_parse_size(const char *word, uint64_t *size)
{
    *size = 0;
    for (; *word >= '0' && *word <= '9'; word++) {
        if (!prvcut_ckd_mul_u64(size, *size, 10) ||
            !prvcut_ckd_add_u64(size, *size, (uint64_t)(*word - '0')))
            return false;
    }
    return *word == '\0';
}

static enum prvcut_status row_damaged(struct prv_row *r, uint64_t line)
{
    if (r->damaged_line == 0)
        r->damaged_line = line;
    return PRVCUT_OK;
}

/* `LEVEL kind SIZE n`; at stands behind LEVEL. */
static enum prvcut_status row_parse_level(struct prv_row *r, char *at, uint64_t line,
                                          struct prvcut_error *err)
{
    struct prv_row_level level = { .first = r->names, .line = line };
    const char *size, *number;
    enum prvcut_status st;

    level.kind = row_take_word(&at);
    size = row_take_word(&at);
    number = row_take_word(&at);
    if (!number || strcmp(size, "SIZE") != 0 || !row_parse_size(number, &level.size))
        return row_damaged(r, line);
    st = prvcut_grow((void **)&r->level, &r->level_room, r->levels + 1, sizeof *r->level, err);
    if (st == PRVCUT_OK)
        r->level[r->levels++] = level;
    return st;
}

static enum prvcut_status row_parse_line(struct prv_row *r, char *line, uint64_t number,
                                         bool *inside, struct prvcut_error *err)
{
    struct prv_row_level *level = r->levels > 0 ? &r->level[r->levels - 1] : NULL;
    enum prvcut_status st;

    if (*line == '\0') {
        *inside = false;
        return PRVCUT_OK;
    }
    if (strncmp(line, "LEVEL", 5) == 0 && row_is_blank(line[5])) {
        *inside = true;
        return row_parse_level(r, line + 5, number, err);
    }
    if (!*inside || !level || level->count >= level->size)
        return row_damaged(r, number);
    st = prvcut_grow((void **)&r->name, &r->name_room, r->names + 1, sizeof *r->name, err);
    if (st == PRVCUT_OK) {
        r->name[r->names++] = line;
        level->count++;
    }
    return st;
}

/* End the line at `at` with a NUL, trailing blanks cut off; returns the start of the next one. */
static char *row_cut_line(char *at, const char *end)
{
    char *stop = at, *next;

    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    next = stop;
    if (next < end)
        next += *next == '\r' && next + 1 < end && next[1] == '\n' ? 2 : 1;
    while (stop > at && row_is_blank(stop[-1]))
        stop--;
    *stop = '\0';
    return next;
}

enum prvcut_status prv_row_parse(struct prv_row *out, const char *text, size_t count,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint64_t line = 0;
    bool inside = false;
    char *end;

    memset(out, 0, sizeof *out);
    out->text = prvcut_copied(text, count, "bytes of names", err);
    if (!out->text)
        return PRVCUT_ENOMEM;
    end = out->text + count;
    for (char *at = out->text; at < end && st == PRVCUT_OK;) {
        char *next = row_cut_line(at, end);

        st = row_parse_line(out, at, ++line, &inside, err);
        at = next;
    }
    return st;
}

enum prvcut_status prv_row_read(struct prv_row *out, const char *path, struct prvcut_error *err)
{
    char *text = NULL;
    size_t count = 0;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    st = prvcut_source_slurp_text(path, PRV_LABELS_MOST, &text, &count, err);
    if (st == PRVCUT_OK)
        st = prv_row_parse(out, text, count, err);
    free(text);
    return st;
}

const struct prv_row_level *prv_row_find(const struct prv_row *r, const char *kind)
{
    for (size_t i = 0; i < r->levels; i++) {
        if (strcmp(r->level[i].kind, kind) == 0)
            return &r->level[i];
    }
    return NULL;
}

void prv_row_fini(struct prv_row *r)
{
    free(r->level);
    free(r->name);
    free(r->text);
    memset(r, 0, sizeof *r);
}
