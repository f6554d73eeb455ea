#include "paraver/check_records.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/search.h"
#include "model/roles.h"
#include "paraver/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pseudo threads, beyond any real one: numbers without a label in the table of calls. */
#define THREAD_OF_TYPES  UINT32_MAX
#define THREAD_OF_STATES (UINT32_MAX - 1)
/* Numbers without a label that are told apart; a sane trace has a few. */
#define UNLABELLED_MAX 4096u

/* The rest of a line, field by field. */
struct fields {
    const char *at, *end;
    uint32_t bent; /* PRVCUT_BENT_BIT */
};

enum prvcut_status prv_checker_init(struct prv_checker *c, struct prv_check_result *out,
                                    const struct prv_header *header,
                                    const struct prv_labels *labels, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &header->objects;

    memset(c, 0, sizeof *c);
    c->out = out;
    c->header = header;
    c->labels = labels;
    c->err = err;
    c->line = header->lines;
    c->first = UINT64_MAX;
    c->call = (struct prvcut_table)PRVCUT_TABLE(struct prv_check_call, line, "open calls");
    c->thread = prvcut_zeroed(o->threads, sizeof *c->thread, "threads", err);
    c->node_cpu = prvcut_zeroed((size_t)o->nodes + 1, sizeof *c->node_cpu, "nodes", err);
    if (!c->thread || !c->node_cpu)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < o->nodes; i++)
        c->node_cpu[i + 1] = c->node_cpu[i] + o->node_cpus[i];
    return PRVCUT_OK;
}

void prv_checker_fini(struct prv_checker *c)
{
    prvcut_table_fini(&c->call);
    free(c->thread);
    free(c->node_cpu);
    memset(c, 0, sizeof *c);
}

/* At most 32 characters of a field, for a message. */
static int check_word_bytes(const struct fields *f, const char *start)
{
    const char *stop = memchr(start, ':', (size_t)(f->end - start));
    size_t length = (size_t)((stop ? stop : f->end) - start);

    return (int)(length < 32 ? length : 32);
}

static bool check_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Behind the blanks that stand at `at`. */
static const char *check_skip_blanks(struct fields *f, const char *at)
{
    for (; at < f->end && check_is_blank(*at); at++)
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_FORM);
    return at;
}

/* Behind the sign of a number, which is no part of it where it is a '+'. */
static const char *check_skip_sign(struct fields *f, const char *at, bool *negative)
{
    *negative = at < f->end && *at == '-';
    if (*negative)
        return at + 1;
    if (f->end - at < 2 || *at != '+' || at[1] < '0' || at[1] > '9')
        return at;
    f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_FORM);
    return at + 1;
}

/* The next number; false where there is none, which is then noted. Without a sign it is at most
   `most`, and negative beyond 2^63. */
static bool check_take_number(struct prv_checker *c, struct fields *f, const char *what,
                              uint64_t most, int64_t *out)
{
    const char *start = f->at, *at = check_skip_blanks(f, start), *digits;
    bool negative, fits = true, none;
    uint64_t value = 0;

    at = digits = check_skip_sign(f, at, &negative);
    for (; at < f->end && *at >= '0' && *at <= '9'; at++) {
        fits = fits && prvcut_ckd_mul_u64(&value, value, 10) &&
               prvcut_ckd_add_u64(&value, value, (uint64_t)(*at - '0'));
    }
    none = at == digits;
    at = check_skip_blanks(f, at);
    if (none || (at < f->end && *at != ':')) {
        prv_finding_add(c->out, PRV_FIND_MALFORMED, c->line,
                        start == f->end ? "%s is missing%.*s" : "%s: '%.*s' is not a number", what,
                        check_word_bytes(f, start), start);
        return false;
    }
    f->at = at + (at < f->end);
    if (!fits || value > (negative ? (uint64_t)INT64_MAX + 1 : most)) {
        prv_finding_add(c->out, PRV_FIND_NUMBER_RANGE, c->line, "%s: %.*s is beyond 64 bits", what,
                        check_word_bytes(f, start), start);
        return false;
    }
    if (!negative && value > INT64_MAX)
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_VALUE);
    *out = (int64_t)(negative ? 0 - value : value);
    return true;
}

static bool check_take(struct prv_checker *c, struct fields *f, const char *what, int64_t *out)
{
    return check_take_number(c, f, what, INT64_MAX, out);
}

/* A counter, size or tag may have been written without a sign. */
static bool check_unsigned(struct prv_checker *c, struct fields *f, const char *what, int64_t *out)
{
    return check_take_number(c, f, what, UINT64_MAX, out);
}

/* A ':' behind the last field is accepted everywhere. */
static void check_expect_end(struct prv_checker *c, const struct fields *f)
{
    if (f->at < f->end)
        prv_finding_add(c->out, PRV_FIND_EXTRA_FIELDS, c->line,
                        "'%.*s' stands behind the last field", check_word_bytes(f, f->at), f->at);
}

/* Where a record says that it happened. */
struct place {
    int64_t cpu, application, task, number;
    uint32_t thread; /* dense; UINT32_MAX where the header has no such thread */
};

#define PLACE_TEXT 96

/* MPI's rank and Paraver's name: "rank 4 (thread 1.5.1)" */
static const char *check_place_text(char out[PLACE_TEXT], const struct place *p)
{
    snprintf(out, PLACE_TEXT, "rank %" PRId64 " (thread %" PRId64 ".%" PRId64 ".%" PRId64 ")",
             p->task - 1, p->application, p->task, p->number);
    return out;
}

static void check_cpu(struct prv_checker *c, const struct place *p)
{
    const struct prvcut_objects *o = &c->header->objects;
    uint32_t node;
    char text[PLACE_TEXT];

    if (p->cpu == 0)
        return;
    if (c->header->no_resources) {
        prv_finding_add(c->out, PRV_FIND_CPU, c->line,
                        "cpu %" PRId64 " in a trace whose header gives no cpus", p->cpu);
        return;
    }
    if (p->cpu < 0 || p->cpu > o->cpus) {
        prv_finding_add(c->out, PRV_FIND_CPU, c->line,
                        "cpu %" PRId64 " is not among the header's 1 to %" PRIu32, p->cpu, o->cpus);
        return;
    }
    node = o->task_node[o->thread_task[p->thread]];
    if (p->cpu <= c->node_cpu[node] || p->cpu > c->node_cpu[node + 1])
        prv_finding_add(c->out, PRV_FIND_CPU, c->line,
                        "cpu %" PRId64 " of %s is not on the task's node %" PRIu32, p->cpu,
                        check_place_text(text, p), node + 1);
}

static void check_object(struct prv_checker *c, struct place *p)
{
    const struct prvcut_objects *o = &c->header->objects;
    uint32_t task, tasks, threads;

    p->thread = UINT32_MAX;
    if (p->application >= 1 && p->application <= o->applications) {
        task = o->application_first_task[p->application - 1];
        tasks = o->application_first_task[p->application] - task;
        if (p->task >= 1 && p->task <= tasks) {
            task += (uint32_t)p->task - 1;
            threads = o->task_first_thread[task + 1] - o->task_first_thread[task];
            if (p->number >= 1 && p->number <= threads)
                p->thread = o->task_first_thread[task] + (uint32_t)p->number - 1;
        }
    }
    if (p->thread == UINT32_MAX)
        prv_finding_add(c->out, PRV_FIND_OBJECT, c->line,
                        "the header has no thread %" PRId64 ".%" PRId64 ".%" PRId64
                        " (application.task.thread)",
                        p->application, p->task, p->number);
    else
        check_cpu(c, p);
}

static bool check_take_place(struct prv_checker *c, struct fields *f, struct place *p)
{
    if (!check_take(c, f, "cpu", &p->cpu) || !check_take(c, f, "application", &p->application) ||
        !check_take(c, f, "task", &p->task) || !check_take(c, f, "thread", &p->number))
        return false;
    check_object(c, p);
    return true;
}

/* Note a time of a record and whether it is within the trace. */
static bool check_is_within(struct prv_checker *c, int64_t time)
{
    if (time >= 0 && (uint64_t)time < c->first)
        c->first = (uint64_t)time;
    if (time >= 0 && (uint64_t)time > c->last)
        c->last = (uint64_t)time;
    return time >= 0 && (uint64_t)time <= c->header->end;
}

/* A time that no trace can have, before 0 or so late that ns do not hold it; it is noted. */
static bool check_is_no_time(struct prv_checker *c, const char *what, int64_t time)
{
    const uint64_t most = PRV_TIME_MAX / c->header->unit_ns;

    if (time < 0)
        prv_finding_add(c->out, PRV_FIND_TIME_NEGATIVE, c->line, "%s %" PRId64, what, time);
    else if ((uint64_t)time > most)
        prv_finding_add(c->out, PRV_FIND_NUMBER_RANGE, c->line,
                        "%s %" PRId64 " is beyond the limit of %" PRIu64, what, time, most);
    return time < 0 || (uint64_t)time > most;
}

static void check_rec_time(struct prv_checker *c, const char *what, int64_t time)
{
    if (check_is_no_time(c, what, time))
        return;
    if (!check_is_within(c, time))
        prv_finding_add(c->out, PRV_FIND_TIME_BEYOND_END, c->line,
                        "%s %" PRId64 " is after the end of the trace at %" PRIu64, what, time,
                        c->header->end);
}

/* The key that records are sorted by. */
static void check_order(struct prv_checker *c, const char *what, int64_t key)
{
    c->records = true;
    if (key < 0)
        return;
    if ((uint64_t)key < c->latest)
        prv_finding_add(c->out, PRV_FIND_ORDER, c->line,
                        "%s %" PRId64 " stands behind a record of %" PRIu64, what, key, c->latest);
    else
        c->latest = (uint64_t)key;
}

/* The entry of a thread and a number, made where there is none; NULL without memory. */
static struct prv_check_call *check_call_of(struct prv_checker *c, uint32_t thread, uint32_t number)
{
    const struct prv_check_call key = { .thread = thread, .number = number };

    return prvcut_table_make(&c->call, &key, c->err);
}

static enum prvcut_status check_note_unlabelled(struct prv_checker *c, uint32_t thread,
                                                uint32_t number)
{
    const bool type = thread == THREAD_OF_TYPES;
    const size_t before = c->call.count;

    if (c->unlabelled >= UNLABELLED_MAX)
        return PRVCUT_OK;
    if (!check_call_of(c, thread, number))
        return PRVCUT_ENOMEM;
    if (c->call.count == before)
        return PRVCUT_OK;
    c->unlabelled++;
    prv_finding_add(c->out, type ? PRV_FIND_TYPE_UNLABELLED : PRV_FIND_STATE_UNLABELLED, c->line,
                    "the .pcf does not list %s %" PRIu32, type ? "event type" : "state", number);
    return PRVCUT_OK;
}

static bool check_lists_state(const struct prv_labels *l, uint32_t number)
{
    /* Most tables are dense from 0 on. */
    if (number < l->states && l->state[number].number == number)
        return true;
    return prvcut_find_u32(l->state, l->states, sizeof *l->state,
                           offsetof(struct prvcut_label, number), number) != NULL;
}

static enum prvcut_status check_state_label(struct prv_checker *c, uint32_t number)
{
    if (!c->labels->pcf_path || check_lists_state(c->labels, number))
        return PRVCUT_OK;
    return check_note_unlabelled(c, THREAD_OF_STATES, number);
}

static void check_span(struct prv_checker *c, const struct place *p, int64_t begin, int64_t end)
{
    struct prv_check_thread *t = &c->thread[p->thread];
    char text[PLACE_TEXT];

    if (begin < 0 || end < begin)
        return;
    /* What is out of order is noted as that. */
    if ((uint64_t)begin < t->end && (uint64_t)begin >= t->begin)
        prv_finding_add(c->out, PRV_FIND_STATE_OVERLAP, c->line,
                        "%s: state from %" PRId64
                        " begins before the previous one ends at %" PRIu64,
                        check_place_text(text, p), begin, t->end);
    if ((uint64_t)begin >= t->begin)
        t->begin = (uint64_t)begin;
    if ((uint64_t)end > t->end)
        t->end = (uint64_t)end;
}

static enum prvcut_status check_state(struct prv_checker *c, struct fields *f)
{
    struct place place;
    int64_t begin, end, number;

    if (!check_take_place(c, f, &place) || !check_take(c, f, "begin time", &begin) ||
        !check_take(c, f, "end time", &end) || !check_take(c, f, "state", &number))
        return PRVCUT_OK;
    check_expect_end(c, f);
    c->out->counts.states++;
    check_rec_time(c, "begin time", begin);
    check_order(c, "state from", begin);
    if (end == -1) {
        prv_finding_add(c->out, PRV_FIND_STATE_UNFINISHED, c->line,
                        "state from %" PRId64 " has no end", begin);
        end = begin;
    } else {
        check_rec_time(c, "end time", end);
        if (end < begin)
            prv_finding_add(c->out, PRV_FIND_STATE_BACKWARD, c->line,
                            "state from %" PRId64 " ends at %" PRId64, begin, end);
        if (end == begin)
            prv_finding_add(c->out, PRV_FIND_STATE_EMPTY, c->line,
                            "state at %" PRId64 " has no length", begin);
    }
    if (number < 0 || number > INT32_MAX) {
        prv_finding_add(c->out, PRV_FIND_NUMBER_RANGE, c->line,
                        "state %" PRId64 " is not within 0 to %d", number, INT32_MAX);
        return PRVCUT_OK;
    }
    if (place.thread != UINT32_MAX)
        check_span(c, &place, begin, end);
    return check_state_label(c, (uint32_t)number);
}

static enum prvcut_status check_find_type(struct prv_checker *c, uint32_t number,
                                          struct prv_check_type **out)
{
    struct prv_check_type *t = &c->type[(number ^ (number >> 8)) % PRV_CHECK_TYPES];
    const struct prv_type *label;

    *out = t;
    if (t->valid && t->number == number)
        return PRVCUT_OK;
    t->valid = true;
    t->number = number;
    t->strict = !prvcut_role_nests(prv_labels_role(c->labels, number, &t->region));
    label = prv_labels_type(c->labels, number);
    if (c->labels->pcf_path && !(label && label->listed))
        return check_note_unlabelled(c, THREAD_OF_TYPES, number);
    return PRVCUT_OK;
}

/* An event of a type whose value holds until 0. */
static enum prvcut_status check_call(struct prv_checker *c, const struct place *p,
                                     const struct prv_check_type *t, int64_t value)
{
    char text[PLACE_TEXT];
    struct prv_check_call *call = check_call_of(c, p->thread, t->number);

    if (!call)
        return PRVCUT_ENOMEM;
    call->strict = t->strict;
    call->closed = value == 0;
    if (value != 0) {
        if (call->depth > 0 && t->strict)
            prv_finding_add(c->out, PRV_FIND_CALL_REOPENED, c->line,
                            "%s: %" PRIu32 ":%" PRId64 " begins inside the one of line %" PRIu64,
                            check_place_text(text, p), t->number, value, call->line);
        if (call->depth < UINT32_MAX)
            call->depth = t->strict ? 1 : call->depth + 1;
        call->line = c->line;
    } else if (call->depth > 0) {
        call->depth--;
    } else {
        prv_finding_add(c->out, t->strict ? PRV_FIND_CALL_NOT_OPEN : PRV_FIND_REGION_NOT_OPEN,
                        c->line, "%s: %" PRIu32 ":0 ends what did not begin",
                        check_place_text(text, p), t->number);
    }
    return PRVCUT_OK;
}

static enum prvcut_status check_pair(struct prv_checker *c, const struct place *p, int64_t type,
                                     int64_t value)
{
    struct prv_check_type *t;
    enum prvcut_status st;

    if (type < 0 || type > UINT32_MAX) {
        prv_finding_add(c->out, PRV_FIND_NUMBER_RANGE, c->line,
                        "event type %" PRId64 " is not within 0 to %" PRIu32, type, UINT32_MAX);
        return PRVCUT_OK;
    }
    c->out->counts.pairs++;
    st = check_find_type(c, (uint32_t)type, &t);
    if (st == PRVCUT_OK && t->region && p->thread != UINT32_MAX)
        st = check_call(c, p, t, value);
    return st;
}

static enum prvcut_status check_event(struct prv_checker *c, struct fields *f)
{
    struct place place;
    int64_t time, type, value;
    enum prvcut_status st = PRVCUT_OK;

    if (!check_take_place(c, f, &place) || !check_take(c, f, "time", &time))
        return PRVCUT_OK;
    check_rec_time(c, "event time", time);
    check_order(c, "event of", time);
    c->out->counts.events++;
    do {
        if (!check_take(c, f, "event type", &type) || !check_unsigned(c, f, "event value", &value))
            return PRVCUT_OK;
        st = check_pair(c, &place, type, value);
    } while (st == PRVCUT_OK && f->at < f->end);
    return st;
}

/* Times of a message, in the order of the record. */
enum { LOGICAL_SEND, PHYSICAL_SEND, LOGICAL_RECEIVE, PHYSICAL_RECEIVE, TIMES };

static void check_message_times(struct prv_checker *c, const int64_t *time)
{
    static const char *const what[TIMES] = { "logical send", "physical send", "logical receive",
                                             "physical receive" };
    unsigned outside = 0, which = 0;

    for (unsigned i = 0; i < TIMES; i++)
        if (check_is_no_time(c, what[i], time[i]))
            return;
    for (unsigned i = 0; i < TIMES; i++) {
        if (!check_is_within(c, time[i])) {
            outside++;
            which = i;
        }
    }
    if (outside == TIMES)
        check_rec_time(c, what[PHYSICAL_SEND], time[PHYSICAL_SEND]);
    else if (outside > 0)
        prv_finding_add(c->out, PRV_FIND_MESSAGE_HALF, c->line,
                        "%s at %" PRId64 " is outside the trace of 0 to %" PRIu64, what[which],
                        time[which], c->header->end);
    for (unsigned i = 0; i < TIMES; i += 2) {
        if (time[i] > time[i + 1])
            prv_finding_add(c->out, PRV_FIND_MESSAGE_LOGICAL, c->line,
                            "%s at %" PRId64 " is before the %s at %" PRId64, what[i + 1],
                            time[i + 1], what[i], time[i]);
    }
    if (time[PHYSICAL_RECEIVE] < time[LOGICAL_SEND])
        prv_finding_add(c->out, PRV_FIND_MESSAGE_BACKWARD, c->line,
                        "received at %" PRId64 ", sent at %" PRId64, time[PHYSICAL_RECEIVE],
                        time[LOGICAL_SEND]);
}

static enum prvcut_status check_message(struct prv_checker *c, struct fields *f)
{
    struct place from, to;
    int64_t time[TIMES], size, tag;

    if (!check_take_place(c, f, &from) ||
        !check_take(c, f, "logical send time", &time[LOGICAL_SEND]) ||
        !check_take(c, f, "physical send time", &time[PHYSICAL_SEND]) ||
        !check_take_place(c, f, &to) ||
        !check_take(c, f, "logical receive time", &time[LOGICAL_RECEIVE]) ||
        !check_take(c, f, "physical receive time", &time[PHYSICAL_RECEIVE]) ||
        !check_unsigned(c, f, "size", &size) || !check_unsigned(c, f, "tag", &tag))
        return PRVCUT_OK;
    check_expect_end(c, f);
    c->out->counts.messages++;
    check_message_times(c, time);
    check_order(c, "message of", time[PHYSICAL_SEND]);
    return PRVCUT_OK;
}

static enum prvcut_status check_record(struct prv_checker *c, struct fields *f, char kind)
{
    return kind == '1' ? check_state(c, f) : kind == '2' ? check_event(c, f) : check_message(c, f);
}

static void check_note_bent(struct prv_checker *c, const struct fields *f, const char *at)
{
    if (f->bent & PRVCUT_BENT_BIT(PRVCUT_BENT_FORM))
        prv_finding_add(c->out, PRV_FIND_NUMBER_FORM, c->line, "'%.*s'",
                        (int)(f->end - at < 80 ? f->end - at : 80), at);
    if (f->bent & PRVCUT_BENT_BIT(PRVCUT_BENT_VALUE))
        prv_finding_add(c->out, PRV_FIND_VALUE_UNSIGNED, c->line, "'%.*s'",
                        (int)(f->end - at < 80 ? f->end - at : 80), at);
}

enum prvcut_status prv_checker_line(struct prv_checker *c, const char *at, const char *end)
{
    const char *written = end;
    struct fields f, whole;
    enum prvcut_status st;

    while (end > at && check_is_blank(end[-1]))
        end--;
    f = (struct fields){ at + 2, end, written > end ? PRVCUT_BENT_BIT(PRVCUT_BENT_FORM) : 0 };
    whole = (struct fields){ at, end, 0 };
    if (at == end)
        return PRVCUT_OK;
    if (*at == '#') {
        c->out->counts.comments++;
        return PRVCUT_OK;
    }
    if (end - at >= 2 && at[1] == ':') {
        switch (*at) {
        case '1':
        case '2':
        case '3':
            st = check_record(c, &f, *at);
            check_note_bent(c, &f, at);
            return st;
        case '4':
            prv_finding_add(c->out, PRV_FIND_RESERVED_RECORD, c->line, "record of type 4");
            return PRVCUT_OK;
        case 'c':
        case 'C':
        case 'i':
        case 'I':
            prv_finding_add(c->out, PRV_FIND_COMMUNICATOR_LATE, c->line,
                            "a communicator is defined after the first record");
            return PRVCUT_OK;
        default:
            break;
        }
    }
    prv_finding_add(c->out, PRV_FIND_UNKNOWN_RECORD, c->line,
                    "'%.*s' begins neither a record (1:, 2:, 3:) nor a comment (#)",
                    check_word_bytes(&whole, at), at);
    return PRVCUT_OK;
}

static int check_compare_calls(const void *a, const void *b)
{
    const struct prv_check_call *x = a, *y = b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

enum prvcut_status prv_checker_end(struct prv_checker *c)
{
    const struct prvcut_objects *o = &c->header->objects;
    size_t count, open = 0;
    struct prv_check_call *at = prvcut_table_take(&c->call, &count);

    /* The open ones gather at the front. */
    for (size_t i = 0; i < count; i++) {
        if (at[i].depth > 0 && !at[i].closed)
            at[open++] = at[i];
    }
    if (open > 0)
        qsort(at, open, sizeof *at, check_compare_calls);
    for (size_t i = 0; i < open; i++) {
        const struct prv_check_call *call = &at[i];
        uint32_t application, task, number;
        struct place place;
        char text[PLACE_TEXT];

        prvcut_objects_name(o, call->thread, &application, &task, &number);
        place = (struct place){ .application = application, .task = task, .number = number };
        prv_finding_add(
            c->out, call->strict ? PRV_FIND_CALL_UNFINISHED : PRV_FIND_REGION_UNFINISHED,
            call->line, "%s: event type %" PRIu32 " is still open at the end of the trace",
            check_place_text(text, &place), call->number);
    }
    free(at);
    return PRVCUT_OK;
}
