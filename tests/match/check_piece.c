#include "match/end.h"
#include "match/piece.h"

#include "runner.h"

#include <stdio.h>
#include <string.h>

/* How many receives belong to sends before it, of at most 3. */
static size_t sent_before(const uint64_t *send, size_t sends, const uint64_t *receive,
                          size_t receives, uint64_t tolerance, size_t limit)
{
    const struct prvcut_piece p = { .send = send,
                                    .receive = receive,
                                    .sends = sends,
                                    .receives = receives,
                                    .stride = sizeof *send };

    return prvcut_piece_sent_before(&p, 3, tolerance, limit);
}

START_TEST(test_piece_takes_what_contradicts_least)
{
    static const uint64_t send[] = { 100, 200, 300 };
    static const uint64_t receive[] = { 50, 60, 150, 250, 350 };
    static const uint64_t odd[] = { 50, 150, 190, 350 };

    ck_assert_uint_eq(sent_before(send, 3, receive, 5, 0, SIZE_MAX), 2);
    ck_assert_uint_eq(sent_before(send, 3, receive, 5, 0, 1), 2);
    /* The fewest, where clocks may differ. */
    ck_assert_uint_eq(sent_before(send, 3, receive, 5, 200, 1), 0);
    /* As many as let none contradict; none at all, where one always does. */
    ck_assert_uint_eq(sent_before(send, 3, odd, 4, 0, SIZE_MAX), 2);
    ck_assert_uint_eq(sent_before(send, 2, odd, 2, 0, 1), 1);
    ck_assert_uint_eq(sent_before(send + 1, 2, odd, 3, 0, 1), 3);
    ck_assert_uint_eq(sent_before(send + 2, 1, receive, 4, 0, 1), SIZE_MAX);
    ck_assert_uint_eq(sent_before(send, 0, receive, 5, 0, 1), 0);
    ck_assert_uint_eq(sent_before(send, 3, receive, 0, 0, 1), 0);
}
END_TEST

/* --- Channels of a piece, and what belongs together in each ---------------------------------- */

struct end {
    uint64_t time;
    struct prvcut_channel channel;
    bool receive;
};

static char told[256];

static int end_channels(const void *a, const void *b)
{
    const struct end *x = a, *y = b;

    return prvcut_channel_order(&x->channel, &y->channel);
}

static bool end_same(const void *a, const void *b)
{
    return end_channels(a, b) == 0;
}

static bool end_is_receive(const void *a)
{
    return ((const struct end *)a)->receive;
}

static int end_order(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    const int c = end_channels(a, b);

    if (c != 0 || x->receive != y->receive)
        return c != 0 ? c : x->receive - y->receive;
    return (x->time > y->time) - (x->time < y->time);
}

static enum prvcut_status tell(void *ctx, const void *send, const void *receive,
                               struct prvcut_error *err)
{
    const struct end *s = send, *r = receive;
    const size_t n = strlen(told);

    (void)err;
    snprintf(told + n, sizeof told - n, "%u-%u ", s ? (unsigned)s->time : 0, (unsigned)r->time);
    return --*(int *)ctx >= 0 ? PRVCUT_OK : PRVCUT_EINTERRUPTED;
}

static enum prvcut_status take(void *ctx, const struct prvcut_piece *p, struct prvcut_error *err)
{
    strcat(told, "(");
    return prvcut_piece_meet(p, prvcut_piece_sent_before(p, 3, 0, SIZE_MAX), ctx, tell, err);
}

static enum prvcut_status told_of(int most)
{
    /* From 0 to 1 by tags 5 and -5, from 1 to 0, and to nobody who receives. */
    struct end e[] = {
        { 40, { 0, 1, 5 }, true },  { 30, { 1, 0, 5 }, false },  { 10, { 0, 1, 5 }, false },
        { 15, { 0, 1, 5 }, true },  { 35, { 0, 1, 5 }, false },  { 5, { 0, 1, 5 }, true },
        { 50, { 1, 0, 5 }, true },  { 20, { 0, 1, -5 }, false }, { 25, { 0, 1, -5 }, true },
        { 60, { 0, 2, 5 }, false }, { 99, { 0, 1, 5 }, false },
    };
    const struct prvcut_halves all = {
        e,        sizeof e / sizeof *e, sizeof *e, offsetof(struct end, time), end_order,
        end_same, end_is_receive
    };

    *told = '\0';
    return prvcut_halves_channels(&all, &most, take, NULL);
}

START_TEST(test_meet_channel_by_channel)
{
    ck_assert_int_eq(told_of(100), PRVCUT_OK);
    ck_assert_str_eq(told, "(20-25 (0-5 10-15 35-40 ((30-50 ");
}
END_TEST

START_TEST(test_meet_stops_where_it_is_told_to)
{
    ck_assert_int_eq(told_of(1), PRVCUT_EINTERRUPTED);
    ck_assert_str_eq(told, "(20-25 (0-5 ");
}
END_TEST

static Suite *piece_suite(void)
{
    Suite *s = suite_create("piece");
    TCase *t = tcase_create("piece");

    tcase_add_test(t, test_piece_takes_what_contradicts_least);
    tcase_add_test(t, test_meet_channel_by_channel);
    tcase_add_test(t, test_meet_stops_where_it_is_told_to);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(piece_suite());
}
