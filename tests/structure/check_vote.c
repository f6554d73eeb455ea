#include "structure/known.h"

#include "runner.h"

#include <stdint.h>
#include <string.h>

#define MOST 6

/* A witness that saw a loop of `ms` ms; 0: none. */
static struct prvcut_witness witness(const char *name, double ms, double strength)
{
    struct prvcut_witness w = { .name = name, .calls = strcmp(name, "calls") == 0 };

    w.loop = (struct prvcut_loop){ .found = ms > 0,
                                   .why = ms > 0 ? NULL : "too quiet",
                                   .period_ns = ms * 1e6,
                                   .median_ns = ms * 1e6,
                                   .span = { 0, (uint64_t)(ms * 50e6) },
                                   .iterations = 50,
                                   .strength = ms > 0 ? strength : 0 };
    return w;
}

static struct prvcut_verdict vote(struct prvcut_witness *w, size_t count)
{
    struct prvcut_verdict v;

    prvcut_vote(&v, w, count, NULL);
    ck_assert_double_ge(v.confidence, 0);
    ck_assert_double_le(v.confidence, 1);
    ck_assert(v.found == (v.why == NULL));
    ck_assert(!v.found || v.chosen < count);
    ck_assert(!v.found || v.confidence >= prvcut_parameter_of(NULL, PRVCUT_SET_CONFIDENCE));
    return v;
}

START_TEST(test_vote_calls_alone_are_believed)
{
    struct prvcut_witness w[] = { witness("bursts", 0, 0), witness("calls", 20, 0.9) };
    const struct prvcut_verdict v = vote(w, 2);

    ck_assert(v.found);
    ck_assert_uint_eq(v.chosen, 1);
    ck_assert_int_eq(w[1].stand, PRVCUT_STAND_CHOSEN);
    ck_assert_int_eq(w[0].stand, PRVCUT_STAND_NONE);
    ck_assert_double_ge(v.confidence, 0.85);
}
END_TEST

START_TEST(test_vote_signal_alone_is_believed_less_than_calls)
{
    struct prvcut_witness s[] = { witness("bursts", 20, 0.9), witness("calls", 0, 0) };
    struct prvcut_witness c[] = { witness("bursts", 0, 0), witness("calls", 20, 0.9) };
    const struct prvcut_verdict by_signal = vote(s, 2), by_calls = vote(c, 2);

    ck_assert(by_signal.found);
    ck_assert_uint_eq(by_signal.chosen, 0);
    ck_assert_int_eq(s[0].stand, PRVCUT_STAND_CHOSEN);
    ck_assert_double_lt(by_signal.confidence, by_calls.confidence);
    ck_assert_double_gt(by_signal.confidence, 0.5);
}
END_TEST

START_TEST(test_vote_signals_alone_follow_the_most_weight)
{
    struct prvcut_witness w[] = { witness("bursts", 20, 0.8), witness("computing", 20.4, 0.7),
                                  witness("p2p", 31.3, 0.9) };
    const struct prvcut_verdict v = vote(w, 3);

    ck_assert(v.found);
    ck_assert_uint_lt(v.chosen, 2);
    ck_assert_int_eq(w[1 - v.chosen].stand, PRVCUT_STAND_AGREES);
    ck_assert_int_eq(w[2].stand, PRVCUT_STAND_DIFFERS);
}
END_TEST

START_TEST(test_vote_calls_win_over_stronger_signals)
{
    struct prvcut_witness w[] = { witness("bursts", 3.1, 1), witness("computing", 3.1, 1),
                                  witness("calls", 20, 0.7) };
    const struct prvcut_verdict v = vote(w, 3);

    ck_assert(v.found);
    ck_assert_uint_eq(v.chosen, 2);
}
END_TEST

START_TEST(test_vote_agreement_raises_confidence)
{
    struct prvcut_witness alone[] = { witness("calls", 20, 0.6), witness("bursts", 0, 0) };
    struct prvcut_witness two[] = { witness("calls", 20, 0.6), witness("bursts", 20.5, 0.5) };
    struct prvcut_witness three[] = { witness("calls", 20, 0.6), witness("bursts", 20.5, 0.5),
                                      witness("p2p", 19.8, 0.2) };
    const double one = vote(alone, 2).confidence, more = vote(two, 2).confidence;

    ck_assert_double_gt(more, one);
    ck_assert_double_gt(vote(three, 3).confidence, more);
}
END_TEST

START_TEST(test_vote_contradiction_lowers_confidence)
{
    struct prvcut_witness alone[] = { witness("calls", 20, 0.6), witness("bursts", 0, 0) };
    struct prvcut_witness weak[] = { witness("calls", 20, 0.6), witness("bursts", 33, 0.2) };
    struct prvcut_witness strong[] = { witness("calls", 20, 0.6), witness("bursts", 33, 0.9) };
    struct prvcut_witness longer[] = { witness("calls", 20, 0.6), witness("bursts", 60, 0.9) };
    const double one = vote(alone, 2).confidence, less = vote(weak, 2).confidence;

    ck_assert_double_lt(less, one);
    ck_assert_double_lt(vote(strong, 2).confidence, less);
    ck_assert_double_lt(vote(longer, 2).confidence, one);
    ck_assert_int_eq(strong[1].stand, PRVCUT_STAND_DIFFERS);
    ck_assert_int_eq(longer[1].stand, PRVCUT_STAND_MULTIPLE);
}
END_TEST

/* An inner loop is no contradiction: signals often see only that. */
START_TEST(test_vote_integer_fraction_is_inner_and_harmless)
{
    struct prvcut_witness alone[] = { witness("calls", 20, 0.6), witness("bursts", 0, 0) };
    const double one = vote(alone, 2).confidence;

    for (unsigned k = 2; k <= 100; k++) {
        struct prvcut_witness w[] = { witness("calls", 20, 0.6), witness("bursts", 20.0 / k, 0.9) };

        ck_assert_double_eq(vote(w, 2).confidence, one);
        ck_assert_int_eq(w[1].stand, PRVCUT_STAND_INNER);
    }
}
END_TEST

START_TEST(test_vote_multiple_wins_only_with_support)
{
    struct prvcut_witness much[] = { witness("bursts", 5, 0.6), witness("computing", 5, 0.3),
                                     witness("p2p", 20, 0.7) };
    struct prvcut_witness little[] = { witness("bursts", 5, 0.6), witness("computing", 5, 0.6),
                                       witness("p2p", 20, 0.3) };

    ck_assert_uint_eq(vote(much, 3).chosen, 2);
    ck_assert_int_eq(much[0].stand, PRVCUT_STAND_INNER);
    ck_assert_uint_ne(vote(little, 3).chosen, 2);
    ck_assert_int_eq(little[2].stand, PRVCUT_STAND_MULTIPLE);
}
END_TEST

/* More weight, but no multiple: longer alone is no reason. */
START_TEST(test_vote_longer_period_that_is_no_multiple_loses)
{
    struct prvcut_witness w[] = { witness("bursts", 8, 0.7), witness("p2p", 20, 0.69) };

    ck_assert_uint_eq(vote(w, 2).chosen, 0);
    ck_assert_int_eq(w[1].stand, PRVCUT_STAND_DIFFERS);
}
END_TEST

/* Who counts what is before the loop, too, is alone with that; two are as before. */
START_TEST(test_vote_of_several_takes_what_another_one_confirms)
{
    static const double iterations[] = { 12, 9, 11 };
    struct prvcut_witness w[] = { witness("bursts", 2.55, 0.5), witness("computing", 2.45, 0.48),
                                  witness("collective", 2.6, 0.46) };

    for (size_t i = 0; i < 3; i++)
        w[i].loop.iterations = iterations[i];
    ck_assert_uint_eq(vote(w, 3).chosen, 2);
    /* One that is much fainter is no witness of the length. */
    w[1].loop.strength = 0.2;
    ck_assert_uint_eq(vote(w, 3).chosen, 0);
    ck_assert_uint_eq(vote(w + 1, 2).chosen, 1);
    w[1].loop.strength = 0.48;
    ck_assert_uint_eq(vote(w, 2).chosen, 0);
}
END_TEST

START_TEST(test_vote_without_loops_finds_nothing)
{
    struct prvcut_witness w[] = { witness("bursts", 0, 0), witness("calls", 0, 0) };
    const struct prvcut_verdict v = vote(w, 2), none = vote(w, 0);

    ck_assert(!v.found && !none.found);
    ck_assert_str_ne(v.why, "");
    ck_assert_double_eq(v.confidence, 0);
    ck_assert_int_eq(w[0].stand, PRVCUT_STAND_NONE);
    ck_assert_int_eq(w[1].stand, PRVCUT_STAND_NONE);
}
END_TEST

START_TEST(test_vote_faint_loop_finds_nothing)
{
    struct prvcut_witness signal[] = { witness("bursts", 20, 0.3), witness("calls", 0, 0) };
    struct prvcut_witness calls[] = { witness("bursts", 33, 0.9), witness("calls", 20, 0.35) };
    struct prvcut_verdict v = vote(signal, 2);

    ck_assert(!v.found);
    ck_assert_str_ne(v.why, "");
    ck_assert_double_lt(v.confidence, prvcut_parameter_of(NULL, PRVCUT_SET_CONFIDENCE));
    v = vote(calls, 2);
    ck_assert(!v.found);
    ck_assert_double_lt(v.confidence, prvcut_parameter_of(NULL, PRVCUT_SET_CONFIDENCE));
}
END_TEST

/* --- In any order ------------------------------------------------------------------------------
 */

static uint64_t drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Strengths and lengths of many digits: no two periods have the same support by chance. */
static size_t draw_witnesses(struct prvcut_witness *w, uint64_t *state)
{
    static const double periods[] = { 5, 10, 20, 30, 60, 7.3, 13.1, 100 };
    static const char *const names[MOST] = { "a", "b", "c", "d", "e", "calls" };
    const size_t count = 2 + drawn(state) % (MOST - 1);

    for (size_t i = 0; i < count; i++) {
        const double period = periods[drawn(state) % 8];
        const double strength = (double)(1 + drawn(state) % 99991) / 100003;

        w[i] = witness(names[i], drawn(state) % 5 == 0 ? 0 : period, strength);
        w[i].loop.span.end += drawn(state) % 1000003;
    }
    return count;
}

static void shuffle(struct prvcut_witness *w, size_t count, uint64_t *state)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = drawn(state) % i;
        const struct prvcut_witness t = w[k];

        w[k] = w[i - 1];
        w[i - 1] = t;
    }
}

START_TEST(test_vote_order_of_witnesses_is_no_matter)
{
    uint64_t state = (uint64_t)_i + 1;

    for (unsigned n = 0; n < 400; n++) {
        struct prvcut_witness a[MOST], b[MOST];
        const size_t count = draw_witnesses(a, &state);
        struct prvcut_verdict x, y;

        memcpy(b, a, sizeof b);
        shuffle(b, count, &state);
        x = vote(a, count);
        y = vote(b, count);
        ck_assert(x.found == y.found);
        ck_assert_double_eq_tol(x.confidence, y.confidence, 1e-9);
        if (!x.found)
            continue;
        ck_assert_str_eq(a[x.chosen].name, b[y.chosen].name);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < count; k++)
                if (a[i].name == b[k].name)
                    ck_assert_int_eq(a[i].stand, b[k].stand);
    }
}
END_TEST

/* Those that saw the median length agree, whatever they were to the mean; the chosen one stays. */
START_TEST(test_tell_votes_by_median_too)
{
    struct prvcut_vote v[] = {
        { "calls", PRVCUT_STAND_CHOSEN, 9302, 10, 0.9, { 0, 0 }, "" },
        { "p2p", PRVCUT_STAND_DIFFERS, 7233, 9, 0.7, { 0, 0 }, "" },
        { "inflight", PRVCUT_STAND_INNER, 7215, 7, 0.5, { 0, 0 }, "" },
        { "bursts", PRVCUT_STAND_DIFFERS, 6600, 9, 0.7, { 0, 0 }, "" },
        { "computing", PRVCUT_STAND_AGREES, 9310, 9, 0.7, { 0, 0 }, "" },
        { "ipc", PRVCUT_STAND_ABSENT, 0, 0, 0, { 0, 0 }, "" },
    };
    static const char *const now[] = {
        "chosen", "agrees", "agrees", "differs", "agrees", "absent"
    };

    prvcut_votes_agree(v, sizeof v / sizeof *v, 0, NULL);
    ck_assert_uint_eq(v[1].status, PRVCUT_STAND_DIFFERS);
    prvcut_votes_agree(v, sizeof v / sizeof *v, 7194, NULL);
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        ck_assert_str_eq(prvcut_stand_text(v[i].status), now[i]);
}
END_TEST

static Suite *vote_suite(void)
{
    Suite *s = suite_create("vote");
    TCase *t = tcase_create("witnesses");

    tcase_add_test(t, test_vote_calls_alone_are_believed);
    tcase_add_test(t, test_vote_signal_alone_is_believed_less_than_calls);
    tcase_add_test(t, test_vote_signals_alone_follow_the_most_weight);
    tcase_add_test(t, test_vote_calls_win_over_stronger_signals);
    tcase_add_test(t, test_vote_agreement_raises_confidence);
    tcase_add_test(t, test_vote_contradiction_lowers_confidence);
    tcase_add_test(t, test_vote_integer_fraction_is_inner_and_harmless);
    tcase_add_test(t, test_vote_multiple_wins_only_with_support);
    tcase_add_test(t, test_vote_longer_period_that_is_no_multiple_loses);
    tcase_add_test(t, test_vote_of_several_takes_what_another_one_confirms);
    tcase_add_test(t, test_vote_without_loops_finds_nothing);
    tcase_add_test(t, test_vote_faint_loop_finds_nothing);
    tcase_add_test(t, test_tell_votes_by_median_too);
    tcase_add_loop_test(t, test_vote_order_of_witnesses_is_no_matter, 0, 10);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(vote_suite());
}
