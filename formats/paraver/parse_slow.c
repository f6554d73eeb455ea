#include "paraver/parse.h"

#include <inttypes.h>
#include <string.h>

/* Quote one field for a message: at most 32 characters of it. */
static int slow_shown(const char *at, const char *end)
{
    return end - at > 32 ? 32 : (int)(end - at);
}

/* The next field; PRVCUT_END after the last one. */
static enum prvcut_status slow_take_text(struct prv_fields *f, const char **at, const char **end)
{
    if (!f->next)
        return PRVCUT_END;
    *at = f->next;
    *end = memchr(f->next, ':', (size_t)(f->end - f->next));
    f->next = *end ? *end + 1 : NULL;
    if (!*end)
        *end = f->end;
    return PRVCUT_OK;
}

static bool slow_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Blanks around a number, and a '+' before it, are no part of it. */
static void slow_strip(struct prv_fields *f, const char **at, const char **end)
{
    const char *from = *at, *to = *end;

    while (from < to && slow_is_blank(*from))
        from++;
    while (to > from && slow_is_blank(to[-1]))
        to--;
    if (to - from > 1 && *from == '+' && from[1] >= '0' && from[1] <= '9')
        from++;
    if (from > *at || to < *end)
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_FORM);
    *at = from;
    *end = to;
}

/* The next field where it is nothing but digits, too few to be beyond 64 bits. */
static bool slow_take_digits(struct prv_fields *f, int64_t *value)
{
    const char *const from = f->next, *at = from;
    int64_t v = 0;

    if (!from)
        return false;
    for (; at < f->end && at - from < 18 && *at >= '0' && *at <= '9'; at++)
        v = v * 10 + (*at - '0');
    if (at == from || (at < f->end && *at != ':'))
        return false;
    f->next = at < f->end ? at + 1 : NULL;
    *value = v;
    return true;
}

/* The next field as a number of 64 bits; one without a sign that needs them all becomes negative,
   as in Paraver, where `most` allows it. */
static enum prvcut_status slow_take_number(struct prv_fields *f, const char *what, uint64_t most,
                                           int64_t *value, struct prvcut_error *err)
{
    const char *at, *end, *digit;
    uint64_t v = 0;
    bool minus;

    if (slow_take_digits(f, value))
        return PRVCUT_OK;
    if (slow_take_text(f, &at, &end) != PRVCUT_OK)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s is missing: the record has too few fields",
                           what);
    slow_strip(f, &at, &end);
    minus = at < end && *at == '-';
    digit = at + minus;
    if (digit == end)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s is empty", what);
    for (; digit < end; digit++) {
        if (*digit < '0' || *digit > '9')
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s '%.*s' is not a number", what,
                               slow_shown(at, end), at);
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*digit - '0'), &v) ||
            v > (minus ? (uint64_t)INT64_MAX + 1 : most))
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s %.*s is beyond 64 bits", what,
                               slow_shown(at, end), at);
    }
    if (!minus && v > INT64_MAX)
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_VALUE);
    *value = (int64_t)(minus ? 0 - v : v);
    return PRVCUT_OK;
}

static enum prvcut_status slow_take(struct prv_fields *f, const char *what, int64_t *value,
                                    struct prvcut_error *err)
{
    return slow_take_number(f, what, INT64_MAX, value, err);
}

/* A counter, size or tag may have been written without a sign. */
static enum prvcut_status slow_take_unsigned(struct prv_fields *f, const char *what, int64_t *value,
                                             struct prvcut_error *err)
{
    return slow_take_number(f, what, UINT64_MAX, value, err);
}

static enum prvcut_status slow_take_time(const struct prv_parse_plan *plan, struct prv_fields *f,
                                         const char *what, uint64_t *ns, struct prvcut_error *err)
{
    int64_t v;
    enum prvcut_status st = slow_take(f, what, &v, err);

    if (st < 0)
        return st;
    if (v < 0)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s %" PRId64 " is negative", what, v);
    if ((uint64_t)v > plan->max_tick)
        return prvcut_fail(err, PRVCUT_EFORMAT, "%s %" PRId64 " is beyond the limit of %" PRIu64,
                           what, v, plan->max_tick);
    *ns = (uint64_t)v * plan->header->unit_ns;
    return PRVCUT_OK;
}

bool prv_cpu_exists(const struct prv_parse_plan *plan, uint64_t cpu)
{
    return cpu <= plan->header->objects.cpus || plan->header->objects.cpus == 0;
}

enum prvcut_status prv_slow_object(const struct prv_parse_plan *plan, const uint64_t number[4],
                                   uint32_t *thread, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &plan->header->objects;
    uint64_t task;

    if (number[1] < 1 || number[1] > o->applications)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "application %" PRIu64 " is not among the header's 1 to %u", number[1],
                           o->applications);
    task = o->application_first_task[number[1] - 1];
    if (number[2] < 1 || number[2] > o->application_first_task[number[1]] - task)
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "task %" PRIu64 " is not among the header's 1 to %" PRIu64, number[2],
                           (uint64_t)o->application_first_task[number[1]] - task);
    task += number[2] - 1;
    if (number[3] < 1 || number[3] > o->task_first_thread[task + 1] - o->task_first_thread[task])
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "thread %" PRIu64 " is not among the header's 1 to %u", number[3],
                           o->task_first_thread[task + 1] - o->task_first_thread[task]);
    *thread = o->task_first_thread[task] + (uint32_t)number[3] - 1;
    return PRVCUT_OK;
}

static enum prvcut_status slow_take_object(const struct prv_parse_plan *plan, struct prv_fields *f,
                                           uint32_t *thread, struct prvcut_error *err)
{
    static const char *const what[4] = { "cpu", "application", "task", "thread" };
    uint64_t number[4];

    for (unsigned i = 0; i < 4; i++) {
        int64_t v;
        enum prvcut_status st = slow_take(f, what[i], &v, err);

        if (st < 0)
            return st;
        if (v < 0 && i > 0)
            return prvcut_fail(err, PRVCUT_EFORMAT, "%s %" PRId64 " is negative", what[i], v);
        number[i] = (uint64_t)v;
    }
    /* A thread is known without its cpu; a negative one is as far beyond as can be. */
    if (!prv_cpu_exists(plan, number[0]))
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_CPU);
    return prv_slow_object(plan, number, thread, err);
}

static enum prvcut_status slow_state(const struct prv_parse_plan *plan, struct prv_fields *f,
                                     struct prvcut_state *s, struct prvcut_error *err)
{
    struct prv_fields peek;
    int64_t number;

    if (slow_take_object(plan, f, &s->thread, err) < 0 ||
        slow_take_time(plan, f, "begin time", &s->begin, err) < 0)
        return PRVCUT_EFORMAT;
    peek = *f;
    /* Paraver's way to say that the state did not end. */
    if (slow_take(&peek, "end time", &number, NULL) == PRVCUT_OK && number == -1) {
        s->end = plan->end_ns > s->begin ? plan->end_ns : s->begin;
        *f = peek;
    } else if (slow_take_time(plan, f, "end time", &s->end, err) < 0)
        return PRVCUT_EFORMAT;
    if (s->end < s->begin) {
        f->bent |= PRVCUT_BENT_BIT(PRVCUT_BENT_STATE);
        s->end = s->begin;
    }
    if (slow_take(f, "state", &number, err) < 0)
        return PRVCUT_EFORMAT;
    if (number < 0 || number > INT32_MAX)
        return prvcut_fail(err, PRVCUT_EFORMAT, "state %" PRId64 " is not within 0 to %d", number,
                           INT32_MAX);
    s->number = (uint32_t)number & INT32_MAX;
    s->running = s->number == plan->labels->running;
    return PRVCUT_OK;
}

static enum prvcut_status slow_message(const struct prv_parse_plan *plan, struct prv_fields *f,
                                       struct prvcut_message *m, struct prvcut_error *err)
{
    int64_t size;

    if (slow_take_object(plan, f, &m->sender, err) < 0 ||
        slow_take_time(plan, f, "logical send time", &m->logical_send, err) < 0 ||
        slow_take_time(plan, f, "physical send time", &m->physical_send, err) < 0 ||
        slow_take_object(plan, f, &m->receiver, err) < 0 ||
        slow_take_time(plan, f, "logical receive time", &m->logical_receive, err) < 0 ||
        slow_take_time(plan, f, "physical receive time", &m->physical_receive, err) < 0 ||
        slow_take_unsigned(f, "message size", &size, err) < 0 ||
        slow_take_unsigned(f, "message tag", &m->tag, err) < 0)
        return PRVCUT_EFORMAT;
    /* A size that once wrapped: kept in the file, no bytes in the model. */
    m->size = size < 0 ? 0 : (uint64_t)size;
    return PRVCUT_OK;
}

enum prvcut_status prv_slow_pair(struct prv_fields *rest, uint32_t *type, int64_t *value,
                                 struct prvcut_error *err)
{
    int64_t number;

    /* A ':' at the end of the line is accepted, as Paraver does. */
    if (!rest->next || rest->next == rest->end)
        return PRVCUT_END;
    if (slow_take(rest, "event type", &number, err) < 0)
        return PRVCUT_EFORMAT;
    if (number < 0 || number > UINT32_MAX)
        return prvcut_fail(err, PRVCUT_EFORMAT, "event type %" PRId64 " is not within 0 to %u",
                           number, UINT32_MAX);
    *type = (uint32_t)number;
    return slow_take_unsigned(rest, "event value", value, err);
}

static enum prvcut_status slow_event(const struct prv_parse_plan *plan, struct prv_fields *f,
                                     struct prvcut_event *e, struct prvcut_error *err)
{
    struct prv_fields pairs;
    uint32_t thread, type;
    int64_t value;
    enum prvcut_status st;

    if (slow_take_object(plan, f, &thread, err) < 0 ||
        slow_take_time(plan, f, "event time", &e->time, err) < 0)
        return PRVCUT_EFORMAT;
    e->thread = thread & PRVCUT_THREADS_MAX;
    pairs = *f;
    st = prv_slow_pair(&pairs, &type, &value, err);
    if (st == PRVCUT_END)
        return prvcut_fail(err, PRVCUT_EFORMAT, "event has no type and value");
    /* All pairs are looked at before any is delivered: a damaged line counts as a whole. */
    while (st == PRVCUT_OK)
        st = prv_slow_pair(&pairs, &type, &value, err);
    f->bent |= pairs.bent;
    return st < 0 ? st : PRVCUT_OK;
}

enum prvcut_status prv_slow_line(const struct prv_parse_plan *plan, const char *line,
                                 const char *end, enum prv_line_kind *kind,
                                 struct prvcut_state *state, struct prvcut_event *event,
                                 struct prvcut_message *message, struct prv_fields *rest,
                                 struct prvcut_error *err)
{
    const char *stop = end;

    while (stop > line && slow_is_blank(stop[-1]))
        stop--;
    *rest = (struct prv_fields){ .at = line, .end = stop, .next = line + 2 };
    *kind = PRV_IGNORED;
    if (line == stop || *line == '#')
        return PRVCUT_OK;
    if (stop - line > 1 && line[1] == ':' && *line != '\0' && strchr("4cCiI", *line))
        return PRVCUT_OK;
    if (stop < end)
        rest->bent = PRVCUT_BENT_BIT(PRVCUT_BENT_FORM);
    end = stop;
    if (end - line < 2 || line[1] != ':' || *line < '1' || *line > '3')
        return prvcut_fail(err, PRVCUT_EFORMAT,
                           "record '%.*s' is none of 1: (state), 2: (event), 3: (communication)",
                           slow_shown(line, end), line);
    *kind = *line == '1' ? PRV_STATE : *line == '2' ? PRV_EVENT : PRV_MESSAGE;
    if (*kind == PRV_STATE)
        return slow_state(plan, rest, state, err);
    if (*kind == PRV_EVENT)
        return slow_event(plan, rest, event, err);
    return slow_message(plan, rest, message, err);
}

bool prv_last_line_is_whole(const char *line, const char *end)
{
    const char *last = end;
    unsigned fields = 0, all = 0;

    while (end > line && slow_is_blank(end[-1]))
        end--;
    if (line == end || *line == '#')
        return true;
    for (const char *at = line; at < end; at++)
        fields += *at == ':';
    for (last = end; last > line && last[-1] != ':'; last--)
        ;
    all = *line == '1' ? 7 : *line == '3' ? 14 : 0;
    /* No number goes on behind a leading 0, and these records have no field more. */
    return all > 0 && fields == all && end - last == 1 && *last == '0';
}
