/* A stream of real traces of each format: what it tells is what MPI's rule says, whoever reads. */
#include "prvcut/stream.h"
#include "stream/stream.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct real {
    const char *format, *name;
    bool large;
} real[] = {
    { "paraver", "lu.S.4", false },  { "paraver", "hpcc.4", true },
    { "otf2", "lu.S.4", false },     { "otf2", "scorep-ping-pong-otf2", false },
    { "otf2", "mpikinds.4", false }, { "otf", "lu.S.4", false },
};
#define REAL ((int)(sizeof real / sizeof *real))

static struct prvcut_error error;

/* NULL: it is not here, or not taken. */
static struct prvcut_trace *open_real(int i)
{
    const struct real *r = &real[i];
    struct prvcut_trace *t = NULL;
    char path[4096];

    if (r->large && traces_take() < TRACES_ALL)
        return NULL;
    if (!traces_folder() || !test_reads(r->format) ||
        !(strcmp(r->format, "paraver") == 0
              ? traces_unpack(r->name, path, sizeof path)
              : traces_unpack_archive(r->format, r->name, path, sizeof path))) {
        test_leaves_out("a real trace");
        return NULL;
    }
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

/* --- Messages by MPI's rule, in n^2 steps
 * --------------------------------------------------------- */

struct pair {
    uint64_t sent, completed;
    uint32_t sender, receiver;
};

struct halves {
    struct prvcut_half *at;
    size_t count, room;
    struct pair *pair;
    size_t pairs, pair_room;
};

static void keep_pair(struct halves *h, struct pair p)
{
    if (h->pairs == h->pair_room) {
        h->pair_room = 2 * h->pair_room + 64;
        h->pair = realloc(h->pair, h->pair_room * sizeof *h->pair);
        ck_assert_ptr_nonnull(h->pair);
    }
    h->pair[h->pairs++] = p;
}

static enum prvcut_status keep_halves(void *ctx, unsigned worker, void *state,
                                      const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct halves *h = ctx;

    (void)worker, (void)state, (void)err;
    for (size_t i = 0; i < b->messages; i++) {
        const struct prvcut_message *m = &b->message[i];
        const uint64_t end =
            m->physical_receive > m->logical_receive ? m->physical_receive : m->logical_receive;

        keep_pair(h, (struct pair){ m->logical_send, end, m->sender, m->receiver });
    }
    for (size_t i = 0; i < b->halves; i++) {
        if (h->count == h->room) {
            h->room = 2 * h->room + 64;
            h->at = realloc(h->at, h->room * sizeof *h->at);
            ck_assert_ptr_nonnull(h->at);
        }
        h->at[h->count++] = b->half[i];
    }
    return PRVCUT_OK;
}

static int by_posting(const void *a, const void *b)
{
    const struct prvcut_half *x = a, *y = b;
    const uint64_t p = x->receive ? prvcut_other_time(x, x->time) : x->time;
    const uint64_t q = y->receive ? prvcut_other_time(y, y->time) : y->time;

    return p != q ? (p < q ? -1 : 1) : 0;
}

/* Each receive, in the order of posting, takes the first send to it that none has taken. */
static void match_slowly(struct halves *h)
{
    bool *used = calloc(h->count + 1, sizeof *used);

    ck_assert_ptr_nonnull(used);
    if (h->count > 0)
        qsort(h->at, h->count, sizeof *h->at, by_posting);
    for (size_t i = 0; i < h->count; i++) {
        const struct prvcut_half *r = &h->at[i];

        for (size_t k = 0; r->receive && k < h->count; k++) {
            const struct prvcut_half *s = &h->at[k];

            if (s->receive || used[k] || s->thread != r->peer || s->peer != r->thread ||
                s->tag != r->tag || s->communicator != r->communicator)
                continue;
            used[k] = true;
            keep_pair(h, (struct pair){ s->time, r->time, s->thread, r->thread });
            break;
        }
    }
    free(used);
}

static int by_pair(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    const uint64_t p[4] = { x->sent, x->completed, x->sender, x->receiver },
                   q[4] = { y->sent, y->completed, y->sender, y->receiver };

    for (unsigned i = 0; i < 4; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

/* What a stream tells of messages, and whether it keeps its word. */
struct heard {
    struct halves all;
    uint64_t now, under_way, most, whole, in_calls;
    const struct prvcut_span
        *only; /* of what is told of a whole run, what a window's stream tells */
    FILE *out; /* each as a line */
};

static enum prvcut_status hear_message(void *ctx, const struct prvcut_stream_message *m,
                                       bool begins)
{
    struct heard *h = ctx;
    const uint64_t begin = m->sent == PRVCUT_NEVER ? m->completed : m->sent;
    const uint64_t end =
        m->completed == PRVCUT_NEVER || m->completed < begin ? begin : m->completed;
    const uint64_t time = begins ? begin : end;

    ck_assert_uint_ge(time, h->now);
    h->now = time;
    h->under_way += begins;
    h->most = h->under_way > h->most ? h->under_way : h->most;
    ck_assert_uint_lt(m->number, h->most);
    ck_assert_uint_gt(h->under_way, 0);
    h->under_way -= !begins;
    if (begins || m->fate != PRVCUT_FATE_WHOLE)
        return PRVCUT_OK;
    keep_pair(&h->all, (struct pair){ m->sent, m->completed, m->sender, m->receiver });
    h->whole++;
    h->in_calls += m->send && m->complete;
    if (m->send)
        ck_assert(m->send->thread == m->sender && m->send->span.start <= m->sent &&
                  m->send->span.end >= m->sent);
    if (m->complete)
        ck_assert(m->complete->thread == m->receiver && m->complete->span.start <= m->completed &&
                  m->complete->span.end >= m->completed);
    if (m->posted != PRVCUT_NEVER && m->post)
        ck_assert(m->post->span.start <= m->posted && m->post->span.end >= m->posted);
    return PRVCUT_OK;
}

START_TEST(test_stream_of_a_real_trace_matches_messages_as_mpi_does)
{
    struct prvcut_trace *t = open_real(_i);
    const struct prvcut_run run = { .threads = 1 };
    struct halves slow = { 0 };
    struct heard heard = { .now = 0 };
    const struct prvcut_consumer consumer = {
        .messages = true, .posts = true, .ctx = &slow, .batch = keep_halves
    };
    const struct prvcut_stream_taker taker = { sizeof taker, .ctx = &heard,
                                               .message = hear_message };

    if (!t)
        return;
    ck_assert_int_eq(t->reader->scan(t, &run, &consumer, NULL, &error), PRVCUT_OK);
    match_slowly(&slow);
    ck_assert_msg(prvcut_stream_run(t, &run, NULL, &taker, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(heard.under_way, 0);
    ck_assert_uint_gt(slow.pairs, 0);
    ck_assert_uint_eq(slow.pairs, heard.all.pairs);
    qsort(slow.pair, slow.pairs, sizeof *slow.pair, by_pair);
    qsort(heard.all.pair, heard.all.pairs, sizeof *heard.all.pair, by_pair);
    for (size_t i = 0; i < slow.pairs; i++)
        ck_assert_int_eq(by_pair(&slow.pair[i], &heard.all.pair[i]), 0);
    /* All programs here call MPI to send and to receive. */
    ck_assert_uint_eq(heard.in_calls, heard.whole);
    free(slow.at);
    free(slow.pair);
    free(heard.all.pair);
    prvcut_trace_close(t);
}
END_TEST

/* --- The same for all who read, and for a window
 * -------------------------------------------------- */

static void line_call(FILE *f, const struct prvcut_stream_call *c, const struct prvcut_span *only)
{
    struct prvcut_span s;

    if (!c) {
        fprintf(f, " -");
        return;
    }
    s = c->span;
    if (only && s.start < only->start)
        s.start = only->start;
    if (only && s.end > only->end)
        s.end = only->end;
    /* What began before a window may be known by its end alone. */
    fprintf(f, " %" PRIu32 ":%" PRIu32 "=%" PRId64 "[%" PRIu64 ",%" PRIu64 "]", c->thread, c->type,
            c->no_begin || (only && s.start > c->span.start) ? 0 : c->value, s.start, s.end);
}

static bool touches(const struct prvcut_span *only, uint64_t begin, uint64_t end)
{
    return !only || (begin < only->end && end >= only->start);
}

/* A call that holds a time outside of the window is not told. */
static void line_end(FILE *f, uint64_t time, const struct prvcut_stream_call *c,
                     const struct prvcut_span *only)
{
    const bool inside = !only || (time >= only->start && time < only->end);

    fprintf(f, " %" PRIu64, time);
    line_call(f, inside ? c : NULL, only);
}

static enum prvcut_status line_message(void *ctx, const struct prvcut_stream_message *m,
                                       bool begins)
{
    const struct heard *h = ctx;
    const uint64_t begin = m->sent == PRVCUT_NEVER ? m->completed : m->sent;
    const uint64_t end =
        m->completed == PRVCUT_NEVER || m->completed < begin ? begin : m->completed;

    if (begins || !touches(h->only, begin, end))
        return PRVCUT_OK;
    fprintf(h->out, "message %" PRIu32 ">%" PRIu32 " %" PRId64 " %" PRIu64, m->sender, m->receiver,
            m->tag, m->size);
    line_end(h->out, m->sent, m->send, h->only);
    line_end(h->out, m->posted, m->post, h->only);
    line_end(h->out, m->completed, m->complete, h->only);
    fputc('\n', h->out);
    return PRVCUT_OK;
}

static enum prvcut_status line_of_call(void *ctx, const struct prvcut_stream_call *c, bool begins)
{
    const struct heard *h = ctx;

    if (begins || !touches(h->only, c->span.start, c->span.end))
        return PRVCUT_OK;
    fprintf(h->out, "call");
    line_call(h->out, c, h->only);
    fputc('\n', h->out);
    return PRVCUT_OK;
}

static enum prvcut_status line_collective(void *ctx, const struct prvcut_stream_collective *c,
                                          bool begins)
{
    const struct heard *h = ctx;

    if (begins || !touches(h->only, c->first_begin, c->last_end))
        return PRVCUT_OK;
    fprintf(h->out, "collective %" PRIu32 " %" PRIu32 "/%" PRIu32 " %" PRIu64 " %" PRIu64 "\n",
            c->communicator, c->members, c->expected, c->last_begin, c->first_end);
    return PRVCUT_OK;
}

static int by_line(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines in an order of their own. */
static char *in_order(char *text)
{
    size_t lines = 0, room = 0, bytes = strlen(text);
    char **line = NULL, *sorted = malloc(bytes + 1), *to = sorted;

    ck_assert_ptr_nonnull(sorted);
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
        if (lines == room) {
            room = 2 * room + 64;
            line = realloc(line, room * sizeof *line);
            ck_assert_ptr_nonnull(line);
        }
        line[lines++] = at;
    }
    if (lines > 0)
        qsort(line, lines, sizeof *line, by_line);
    for (size_t i = 0; i < lines; i++)
        to = stpcpy(stpcpy(to, line[i]), "\n");
    *to = '\0';
    free(line);
    free(text);
    return sorted;
}

/* Else the first line that differs is told. */
static void same_lines(const char *a, const char *b)
{
    size_t i = 0, line = 0;

    for (; a[i] == b[i] && a[i] != '\0'; i++)
        line = a[i] == '\n' ? i + 1 : line;
    ck_assert_msg(a[i] == b[i], "%.400s is not %.400s", a + line, b + line);
}

/* Calls, with messages, with collectives, too: the less is wanted, the less is read of a window. */
enum wanted { CALLS, MESSAGES, ALL };

static char *lines_of(struct prvcut_trace *t, const struct prvcut_stream_options *o, int threads,
                      enum wanted wanted, const struct prvcut_span *only)
{
    const struct prvcut_run run = { .threads = threads };
    char *text = NULL;
    size_t count;
    struct heard h = { .only = only, .out = open_memstream(&text, &count) };
    const struct prvcut_stream_taker taker = { sizeof taker,
                                               &h,
                                               line_of_call,
                                               wanted >= MESSAGES ? line_message : NULL,
                                               wanted >= ALL ? line_collective : NULL,
                                               NULL };

    ck_assert_ptr_nonnull(h.out);
    ck_assert_msg(prvcut_stream_run(t, &run, o, &taker, &error) == PRVCUT_OK, "%s", error.text);
    fclose(h.out);
    return text;
}

START_TEST(test_stream_of_a_real_trace_is_the_same_for_all_who_read)
{
    struct prvcut_trace *t = open_real(_i);
    const struct prvcut_stream_options small = { .size = sizeof small, .memory = 1 },
                                       threads = { .size = sizeof threads, .by_thread = true };
    char *one, *other;

    if (!t)
        return;
    one = lines_of(t, NULL, 1, ALL, NULL);
    other = lines_of(t, NULL, 4, ALL, NULL);
    ck_assert(strlen(one) > 1000 && strcmp(one, other) == 0);
    free(other);
    other = lines_of(t, &small, 2, ALL, NULL);
    ck_assert(strcmp(one, other) == 0);
    free(other);
    one = in_order(one);
    other = in_order(lines_of(t, &threads, 2, ALL, NULL));
    ck_assert(strcmp(one, other) == 0);
    free(one);
    free(other);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_stream_of_a_window_is_what_the_whole_tells_of_it)
{
    struct prvcut_trace *t = open_real(_i);
    const uint64_t end = t ? prvcut_trace_end(t) : 0;

    for (uint64_t i = 1; t && i < 8; i++) {
        const struct prvcut_stream_options o = {
            .size = sizeof o, .only = { end / 9 * i + i, end / 9 * i + end / 11 }
        };
        const enum wanted wanted = i % 3;
        char *window = in_order(lines_of(t, &o, 2, wanted, NULL));
        char *whole = in_order(lines_of(t, NULL, 1, wanted, &o.only));

        same_lines(window, whole);
        free(window);
        free(whole);
    }
    prvcut_trace_close(t);
}
END_TEST

static enum prvcut_status stop_at_once(void *ctx, const struct prvcut_stream_message *m,
                                       bool begins)
{
    (void)m, (void)begins;
    ++*(unsigned *)ctx;
    return PRVCUT_END;
}

static enum prvcut_status refuse(void *ctx, const struct prvcut_stream_call *c, bool begins)
{
    (void)ctx, (void)c, (void)begins;
    return PRVCUT_ELIMIT;
}

START_TEST(test_stream_ends_where_its_taker_says_so)
{
    struct prvcut_trace *t = open_real(0);
    unsigned taken = 0;
    const struct prvcut_stream_taker one = { sizeof one, .ctx = &taken, .message = stop_at_once },
                                     none = { sizeof none, .call = refuse };
    const struct prvcut_stream_options empty = { .size = sizeof empty, .only = { 7, 7 } };

    if (!t)
        return;
    error = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_stream_run(t, NULL, NULL, &one, &error), PRVCUT_OK);
    ck_assert_uint_eq(taken, 1);
    ck_assert_int_eq(prvcut_stream_run(t, NULL, NULL, &none, &error), PRVCUT_ELIMIT);
    ck_assert_int_ne(error.text[0], '\0');
    error = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_stream_run(t, NULL, &empty, &one, &error), PRVCUT_EUSAGE);
    prvcut_trace_close(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stream_traces");
    TCase *c = tcase_create("real");

    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, test_stream_of_a_real_trace_matches_messages_as_mpi_does, 0, REAL);
    tcase_add_loop_test(c, test_stream_of_a_real_trace_is_the_same_for_all_who_read, 0, REAL);
    tcase_add_loop_test(c, test_stream_of_a_window_is_what_the_whole_tells_of_it, 0, REAL);
    tcase_add_test(c, test_stream_ends_where_its_taker_says_so);
    suite_add_tcase(s, c);
    return run_suite(s);
}
