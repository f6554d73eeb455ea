#include "known_waits.h"

#include "prvcut/waits_patterns.h"

/* A program's own patterns: what they are told, what they publish, what they may book. */

#define SAMPLE SAMPLE_FILES "/lu.S.8.prv.zst"

/* Own metrics that repeat what the library finds, through each way of being told. */
struct copy {
    enum prvcut_wait sender, receiver, barrier, longest;
    uint64_t calls, members, depth;
};

#define WAITED PRVCUT_WAITS_ON_OWN

static enum prvcut_status on_late_sender(void *ctx, struct prvcut_waits_teller *teller,
                                         const struct prvcut_waits_told *t,
                                         struct prvcut_error *err)
{
    (void)ctx;
    ck_assert_uint_eq(t->call->span.start, t->message->receive.span.start);
    ck_assert_uint_eq(t->call->rank, t->message->to);
    ck_assert_ptr_nonnull(strstr(t->call->name, "MPI_"));
    return prvcut_waits_publish(teller, WAITED, &t->message->send, err);
}

static enum prvcut_status on_waited(void *ctx, struct prvcut_waits_teller *teller,
                                    const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    const struct copy *c = ctx;

    return prvcut_waits_book(teller, c->sender, t->call, t->ns, t->own, err);
}

static enum prvcut_status on_late_receiver(void *ctx, struct prvcut_waits_teller *teller,
                                           const struct prvcut_waits_told *t,
                                           struct prvcut_error *err)
{
    const struct copy *c = ctx;

    ck_assert_uint_eq(t->call->rank, t->message->from);
    return prvcut_waits_book(teller, c->receiver, t->call, t->ns, &t->message->post, err);
}

static enum prvcut_status on_collective(void *ctx, struct prvcut_waits_teller *teller,
                                        const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    const struct prvcut_waits_call *last = &t->member[0]->call;
    struct copy *c = ctx;
    enum prvcut_status st = PRVCUT_OK;

    c->members += t->members;
    for (size_t i = 1; i < t->members; i++)
        if (t->member[i]->call.span.start > last->span.start)
            last = &t->member[i]->call;
    for (size_t i = 0; i < t->members && st == PRVCUT_OK; i++) {
        const struct prvcut_waits_call *own = &t->member[i]->call;

        if (strcmp(own->name, "MPI_Barrier") == 0)
            st = prvcut_waits_book(teller, c->barrier, own, last->span.start - own->span.start,
                                   last, err);
    }
    return st;
}

static enum prvcut_status on_call(void *ctx, struct prvcut_waits_teller *teller,
                                  const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    struct copy *c = ctx;
    const uint64_t ns = t->call->span.end - t->call->span.start;

    c->calls++;
    return prvcut_waits_book(teller, c->longest, t->call, ns, NULL, err);
}

static struct prvcut_trace *open_sample(void)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_trace *t;

    ck_assert_msg(prvcut_trace_open(&t, SAMPLE, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static struct prvcut_waits_patterns *copies(struct copy *c)
{
    static const struct {
        int event;
        prvcut_waits_listener listener;
    } on[] = { { PRVCUT_WAITS_ON_LATE_SENDER, on_late_sender },
               { PRVCUT_WAITS_ON_LATE_RECEIVER, on_late_receiver },
               { PRVCUT_WAITS_ON_COLLECTIVE, on_collective },
               { PRVCUT_WAITS_ON_CALL, on_call },
               { WAITED, on_waited } };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_waits_patterns *p;

    *c = (struct copy){ .calls = 0 };
    ck_assert_int_eq(prvcut_waits_patterns_new(&p, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "sender", "My sender", 0, &c->sender, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "receiver", NULL, PRVCUT_WAIT_LATE_RECEIVER,
                                                  &c->receiver, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(
        prvcut_waits_patterns_metric(p, "barrier", NULL, (int)c->sender, &c->barrier, &err),
        PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "in_calls", NULL, -1, &c->longest, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(c->sender, PRVCUT_WAIT_OWN);
    ck_assert_int_eq(c->longest, PRVCUT_WAIT_OWN + 3);
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        ck_assert_int_eq(prvcut_waits_listen(p, on[i].event, on[i].listener, c, &err), PRVCUT_OK);
    return p;
}

static void check_equal(const struct prvcut_wait_states *w, const char *name, const char *own)
{
    const struct prvcut_waits_metric *a = metric_of(w, name), *b = metric_of(w, own);

    printf("  %-14s %-10s %" PRIu64 "/%" PRIu64 "\n", name, own, b->severity_ns, b->instances);
    ck_assert_uint_eq(a->severity_ns, b->severity_ns);
    ck_assert_uint_eq(a->instances, b->instances);
    ck_assert_uint_eq(a->most_ns, b->most_ns);
    ck_assert_double_eq(a->median_ns, b->median_ns);
    ck_assert_uint_eq(a->paths, b->paths);
    ck_assert_uint_eq(a->worst_path, b->worst_path);
    for (uint32_t r = 0; r < w->ranks; r++)
        ck_assert_uint_eq(a->rank_ns[r], b->rank_ns[r]);
}

START_TEST(test_own_patterns_find_what_the_library_finds)
{
    struct prvcut_waits_options o = { .size = sizeof o, .by = PRVCUT_WAITS_BY_ITERATION };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_trace *t = open_sample();
    struct prvcut_wait_states *w;
    struct copy c;
    struct prvcut_waits_patterns *p = copies(&c);
    char *text;

    o.patterns = p;
    ck_assert_msg(prvcut_waits_make(t, NULL, &o, &w, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_waits_patterns_free(p);
    prvcut_trace_close(t);
    ck_assert_uint_eq(w->metrics, PRVCUT_WAITS + 4);
    check_equal(w, "late_sender", "sender");
    check_equal(w, "late_receiver", "receiver");
    check_equal(w, "wait_barrier", "barrier");
    ck_assert_uint_eq(metric_of(w, "in_calls")->instances, c.calls);
    ck_assert_uint_eq(c.members, 8 * w->collectives);
    ck_assert_str_eq(metric_of(w, "sender")->title, "My sender");
    ck_assert_str_eq(metric_of(w, "receiver")->title, "receiver");
    ck_assert_ptr_eq(metric_of(w, "sender")->of, metric_of(w, "late_sender"));
    ck_assert_ptr_eq(metric_of(w, "barrier")->of, metric_of(w, "sender"));
    ck_assert_ptr_null(metric_of(w, "in_calls")->of);
    ck_assert_int_eq(metric_of(w, "barrier")->wait, PRVCUT_WAIT_OWN + 2);
    for (size_t i = 0; i < w->parts; i++) {
        const uint64_t *ns = prvcut_waits_part(w, i)->severity_ns;

        ck_assert_uint_eq(ns[PRVCUT_WAIT_LATE_SENDER], ns[PRVCUT_WAITS]);
        ck_assert_uint_gt(ns[PRVCUT_WAITS + 3], ns[PRVCUT_WAITS]);
    }
    ck_assert_int_eq(prvcut_waits_instance(w, 0)->wait, PRVCUT_WAIT_OWN + 3);
    ck_assert_int_eq(prvcut_waits_json(w, &text, &err), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "\"in_calls\""));
    free(text);
    ck_assert_int_eq(prvcut_waits_csv(w, &text, &err), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, ",omp_lock_wait_s,sender_s,receiver_s,barrier_s,in_calls_s\n"));
    free(text);
    ck_assert_int_eq(prvcut_waits_text(w, &text, &err), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "most of it: in_calls"));
    free(text);
    prvcut_wait_states_free(w);
}
END_TEST

START_TEST(test_own_metrics_are_in_a_report_for_cube)
{
    struct prvcut_waits_options o = { .size = sizeof o };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char folder[] = "/tmp/prvcut-test.XXXXXX", path[80];
    struct prvcut_trace *t = open_sample();
    struct copy c;
    struct prvcut_waits_patterns *p = copies(&c);

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.cube", folder);
    o.patterns = p;
    ck_assert_msg(prvcut_waits_cube(t, NULL, &o, path, false, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert(traces_shell("grep -q '<uniq_name>own_sender</uniq_name>' '%s' && "
                           "grep -q '<disp_name>My sender</disp_name>' '%s'",
                           path, path));
    ck_assert(traces_shell("rm -r '%s'", folder));
    prvcut_waits_patterns_free(p);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_metrics_and_events_that_are_none_are_refused)
{
    static const char *const bad[] = { "",     "Late",
                                       "a b",  "late_sender",
                                       "mine", "a_name_of_more_than_forty_letters_is_too_long" };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_waits_patterns *p;

    ck_assert_int_eq(prvcut_waits_patterns_new(&p, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "mine", NULL, -1, NULL, &err), PRVCUT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(prvcut_waits_patterns_metric(p, bad[i], NULL, -1, NULL, &err),
                         PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, NULL, NULL, -1, NULL, &err), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "x", NULL, PRVCUT_WAITS, NULL, &err),
                     PRVCUT_EUSAGE);
    err = (struct prvcut_error){ .status = PRVCUT_OK };
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "x", NULL, PRVCUT_WAIT_OWN + 1, NULL, &err),
                     PRVCUT_EUSAGE);
    ck_assert_str_eq(err.text, "x is a part of metric 1001, which is not known");
    ck_assert_int_eq(prvcut_waits_listen(p, PRVCUT_WAITS_ON_LATE_RECEIVER + 1, on_call, NULL, &err),
                     PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_waits_listen(p, -1, on_call, NULL, &err), PRVCUT_EUSAGE);
    prvcut_waits_patterns_free(p);
    prvcut_waits_patterns_free(NULL);
}
END_TEST

/* --- Listeners that do wrong ------------------------------------------------------------------ */

static enum prvcut_status book_too_much(void *ctx, struct prvcut_waits_teller *teller,
                                        const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    (void)ctx;
    return prvcut_waits_book(teller, PRVCUT_WAIT_OWN, t->call,
                             t->call->span.end - t->call->span.start + 1, NULL, err);
}

static enum prvcut_status book_nowhere(void *ctx, struct prvcut_waits_teller *teller,
                                       const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    struct prvcut_waits_call call = *t->call;

    (void)ctx;
    call.span = (struct prvcut_span){ 3, 5 };
    return prvcut_waits_book(teller, PRVCUT_WAIT_OWN, &call, 1, NULL, err);
}

static enum prvcut_status book_behind(void *ctx, struct prvcut_waits_teller *teller,
                                      const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    struct prvcut_waits_call call = *t->call;

    (void)ctx;
    call.span = (struct prvcut_span){ UINT64_MAX - 5, UINT64_MAX };
    return prvcut_waits_book(teller, PRVCUT_WAIT_OWN, &call, 1, NULL, err);
}

static enum prvcut_status book_theirs(void *ctx, struct prvcut_waits_teller *teller,
                                      const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    (void)ctx;
    return prvcut_waits_book(teller, PRVCUT_WAIT_LATE_SENDER, t->call, 1, NULL, err);
}

static enum prvcut_status publish_theirs(void *ctx, struct prvcut_waits_teller *teller,
                                         const struct prvcut_waits_told *t,
                                         struct prvcut_error *err)
{
    (void)ctx, (void)t;
    return prvcut_waits_publish(teller, PRVCUT_WAITS_ON_CALL, NULL, err);
}

static enum prvcut_status publish_again(void *ctx, struct prvcut_waits_teller *teller,
                                        const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    (void)ctx;
    return prvcut_waits_publish(teller, WAITED, t->own, err);
}

static enum prvcut_status stop_here(void *ctx, struct prvcut_waits_teller *teller,
                                    const struct prvcut_waits_told *t, struct prvcut_error *err)
{
    (void)ctx, (void)teller, (void)t;
    snprintf(err->text, sizeof err->text, "enough");
    return PRVCUT_EINTERRUPTED;
}

static const struct {
    prvcut_waits_listener listener;
    enum prvcut_status status;
    const char *text;
} wrong[] = {
    { book_too_much, PRVCUT_EUSAGE, "ns are more than the call lasts" },
    { book_nowhere, PRVCUT_EUSAGE, "mine: thread 0 has no call at 3ns" },
    { book_behind, PRVCUT_EUSAGE, "mine: thread 0 has no call at" },
    { book_theirs, PRVCUT_EUSAGE, "metric 0 is not a program's own" },
    { publish_theirs, PRVCUT_EUSAGE, "event 1 is not a program's own" },
    { publish_again, PRVCUT_ELIMIT, "event 1000 is published by those who listen to it" },
    { stop_here, PRVCUT_EINTERRUPTED, "enough" },
};

START_TEST(test_listeners_that_do_wrong_end_the_run)
{
    struct prvcut_waits_options o = { .size = sizeof o };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_waits_patterns *p;
    struct prvcut_wait_states *w;
    struct prvcut_trace *t = open_sample();
    enum prvcut_status st;

    ck_assert_int_eq(prvcut_waits_patterns_new(&p, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_patterns_metric(p, "mine", NULL, -1, NULL, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_listen(p, PRVCUT_WAITS_ON_CALL, wrong[_i].listener, NULL, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_waits_listen(p, WAITED, publish_again, NULL, &err), PRVCUT_OK);
    o.patterns = p;
    st = prvcut_waits_make(t, NULL, &o, &w, &err);
    printf("  %s\n", err.text);
    ck_assert_int_eq(st, wrong[_i].status);
    ck_assert_ptr_nonnull(strstr(err.text, wrong[_i].text));
    ck_assert_ptr_null(w);
    prvcut_waits_patterns_free(p);
    prvcut_trace_close(t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waits_own");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_own_patterns_find_what_the_library_finds);
    tcase_add_test(all, test_own_metrics_are_in_a_report_for_cube);
    tcase_add_test(all, test_metrics_and_events_that_are_none_are_refused);
    tcase_add_loop_test(all, test_listeners_that_do_wrong_end_the_run, 0,
                        sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
