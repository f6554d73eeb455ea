#ifndef TESTS_API_MARKED_H
#define TESTS_API_MARKED_H

#include "prvcut/mark.h"

#include "tests/base/scratch.h"

#include <inttypes.h>

/* A marked Paraver trace as plain text: a reader that shares no code with the library. */

/** One line that is a record. */
struct marked_line {
    int kind;    /* 1 state, 2 event, 3 communication */
    int is_mark; /* of value `value` */
    int value;
    unsigned cpu, application, task, thread;
    uint64_t key;     /* ticks, by which records are sorted */
    const char *pair; /* of events: the first type */
};

struct marked_text {
    char *at;
    size_t count;
    uint64_t unit; /* ns of a tick */
    struct marked_line *line;
    size_t lines;
    bool sorted; /* the records are, without the marks */
};

/** Marks of one task in one region: values 1, ..., 1, 0. */
struct marked_row {
    unsigned application, task;
    uint64_t *at; /* [count] ticks; owned */
    size_t count;
};

struct marked_rows {
    struct marked_row *row;
    size_t rows;
};

static inline char *marked_slurp(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16, got;
    char *text = malloc(room);

    ck_assert_msg(file != NULL, "%s is not there", path);
    *count = 0;
    while ((got = fread(text + *count, 1, room - *count - 1, file)) > 0) {
        *count += got;
        if (*count + 1 == room)
            text = realloc(text, room *= 2);
        ck_assert_ptr_nonnull(text);
    }
    text[*count] = '\0';
    fclose(file);
    return text;
}

/* A number and the ':' behind it; NULL: there is none. */
static inline const char *marked_number(const char *at, uint64_t *out)
{
    char *end;

    if (!at || *at < '0' || *at > '9')
        return NULL;
    *out = strtoull(at, &end, 10);
    return *end == ':' ? end + 1 : NULL;
}

/* One line; false: no record. */
static inline bool marked_parse(struct marked_line *l, const char *at)
{
    uint64_t number[5];

    *l = (struct marked_line){ .kind = at[0] - '0' };
    if (l->kind < 1 || l->kind > 3 || at[1] != ':')
        return false;
    at += 2;
    for (unsigned i = 0; i < 5; i++)
        at = marked_number(at, &number[i]);
    if (!at)
        return false;
    l->cpu = (unsigned)number[0];
    l->application = (unsigned)number[1];
    l->task = (unsigned)number[2];
    l->thread = (unsigned)number[3];
    l->key = number[4];
    l->pair = at;
    if (l->kind == 3)
        marked_number(at, &l->key);
    l->is_mark = l->kind == 2 && strncmp(at, "666001:", 7) == 0;
    l->value = l->is_mark ? at[7] - '0' : 0;
    return true;
}

static inline uint64_t marked_unit(const char *header)
{
    const char *at = strstr(header, "):") + 2;

    at += strspn(at, "0123456789");
    return strncmp(at, "_ns", 3) == 0 ? 1 : strncmp(at, "_ms", 3) == 0 ? 1000000 : 1000;
}

static inline struct marked_text marked_read(const char *path)
{
    struct marked_text t = { .sorted = true };
    uint64_t latest = 0;
    size_t room = 0;

    t.at = marked_slurp(path, &t.count);
    t.unit = marked_unit(t.at);
    for (char *at = t.at; *at;) {
        char *end = strchr(at, '\n');

        if (t.lines == room) {
            room = 2 * room + 1024;
            t.line = realloc(t.line, room * sizeof *t.line);
            ck_assert_ptr_nonnull(t.line);
        }
        if (marked_parse(&t.line[t.lines], at)) {
            const struct marked_line *l = &t.line[t.lines++];

            t.sorted &= l->is_mark || l->key >= latest;
            latest = l->is_mark || l->key < latest ? latest : l->key;
        }
        at = end ? end + 1 : t.at + t.count;
    }
    return t;
}

static inline void marked_free(struct marked_text *t)
{
    free(t->at);
    free(t->line);
}

/** Without the marks and the line that tells the command, the text must be the original's. */
static inline void marked_expect_original(const struct marked_text *t, const char *original)
{
    bool told = false;
    size_t count, kept = 0;
    char *want = marked_slurp(original, &count), *have = malloc(t->count + 1);

    ck_assert_ptr_nonnull(have);
    for (const char *at = t->at; *at;) {
        const char *newline = strchr(at, '\n');
        const size_t n = newline ? (size_t)(newline - at) + 1 : strlen(at);
        struct marked_line l;

        if (!told && strncmp(at, "#prvcut ", 8) == 0) {
            told = true;
        } else if (!marked_parse(&l, at) || !l.is_mark) {
            memcpy(have + kept, at, n);
            kept += n;
        }
        at += n;
    }
    /* A mark behind a last line without end ended it. */
    if (kept > count && want[count - 1] != '\n')
        kept -= have[kept - 2] == '\r' && want[count - 1] != '\r' ? 2 : 1;
    ck_assert(told);
    ck_assert_uint_eq(kept, count);
    ck_assert_int_eq(memcmp(have, want, count), 0);
    free(want);
    free(have);
}

/** Each mark stands behind all records of a time <= its own and in front of all later ones; its cpu
    is that of the latest record of its thread. */
static inline void marked_expect_places(const struct marked_text *t)
{
    uint64_t before = 0, after = UINT64_MAX;

    ck_assert(t->sorted);
    for (size_t i = 0; i < t->lines; i++) {
        const struct marked_line *l = &t->line[i];

        if (!l->is_mark) {
            before = l->key > before ? l->key : before;
            continue;
        }
        ck_assert_msg(before <= l->key, "a mark at %" PRIu64 " stands behind %" PRIu64, l->key,
                      before);
    }
    for (size_t i = t->lines; i-- > 0;) {
        const struct marked_line *l = &t->line[i];
        size_t k = i;

        if (!l->is_mark) {
            after = l->key < after ? l->key : after;
            continue;
        }
        ck_assert_msg(after > l->key, "a mark at %" PRIu64 " stands in front of %" PRIu64, l->key,
                      after);
        while (k > 0 &&
               (t->line[k - 1].is_mark || t->line[k - 1].thread != l->thread ||
                t->line[k - 1].task != l->task || t->line[k - 1].application != l->application))
            k--;
        ck_assert_uint_eq(l->cpu, k > 0 ? t->line[k - 1].cpu : 0);
        ck_assert_uint_eq(l->thread, 1);
    }
}

static inline struct marked_row *marked_row_open(struct marked_rows *r, const struct marked_line *l,
                                                 const bool *closed)
{
    for (size_t i = r->rows; i-- > 0;)
        if (r->row[i].application == l->application && r->row[i].task == l->task) {
            if (!closed[i])
                return &r->row[i];
            break;
        }
    r->row = realloc(r->row, (r->rows + 1) * sizeof *r->row);
    ck_assert_ptr_nonnull(r->row);
    r->row[r->rows] = (struct marked_row){ .application = l->application, .task = l->task };
    return &r->row[r->rows++];
}

/** All rows in the order in which they begin; their times ascend and the last value is 0. */
static inline struct marked_rows marked_collect(const struct marked_text *t)
{
    static bool closed[1 << 16];
    struct marked_rows r = { 0 };

    memset(closed, 0, sizeof closed);
    for (size_t i = 0; i < t->lines; i++) {
        const struct marked_line *l = &t->line[i];
        struct marked_row *row;

        if (!l->is_mark)
            continue;
        row = marked_row_open(&r, l, closed);
        ck_assert_uint_lt(r.rows, sizeof closed / sizeof *closed);
        ck_assert(row->count == 0 || row->at[row->count - 1] <= l->key);
        ck_assert(l->value == 1 || (l->value == 0 && row->count > 0));
        row->at = realloc(row->at, (row->count + 1) * sizeof *row->at);
        ck_assert_ptr_nonnull(row->at);
        row->at[row->count++] = l->key;
        closed[row - r.row] = l->value == 0;
    }
    for (size_t i = 0; i < r.rows; i++)
        ck_assert_msg(closed[i], "task %u has no end", r.row[i].task);
    return r;
}

static inline void marked_rows_free(struct marked_rows *r)
{
    for (size_t i = 0; i < r->rows; i++)
        free(r->row[i].at);
    free(r->row);
}

/** The n-th row of a task, from 0; NULL: it has no so many. */
static inline const struct marked_row *marked_row_of(const struct marked_rows *r,
                                                     unsigned application, unsigned task, size_t n)
{
    for (size_t i = 0; i < r->rows; i++)
        if (r->row[i].application == application && r->row[i].task == task && n-- == 0)
            return &r->row[i];
    return NULL;
}

/* Does an MPI call begin with this line? */
static inline bool marked_is_call(const struct marked_line *l)
{
    const char *at = l->kind == 2 ? l->pair : NULL;
    uint64_t type;

    while ((at = marked_number(at, &type))) {
        char *end;

        if (strtoll(at, &end, 10) != 0 && type >= 50000001 && type <= 50000003)
            return true;
        at = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

/** Does some thread of the task begin an MPI call just then? Of a sorted trace. */
static inline bool marked_calls_at(const struct marked_text *t, unsigned application, unsigned task,
                                   uint64_t time)
{
    size_t low = 0, high = t->lines;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (t->line[middle].key < time)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < t->lines && t->line[low].key == time; low++)
        if (t->line[low].task == task && t->line[low].application == application &&
            marked_is_call(&t->line[low]))
            return true;
    return false;
}

#endif
