#include "model/texts.h"
#include "model/view.h"

#include "runner.h"
#include "tests/base/scratch.h"

#include <stdlib.h>
#include <string.h>

/* A format that writes one letter and a number for each call: "+2" a region of value 2 begins. */
static void tell(struct prvcut_view *v, const char *what, int64_t number)
{
    prvcut_print_text(&v->out, what);
    prvcut_print_i64(&v->out, number);
    prvcut_print_text(&v->out, " ");
}

static void advance(struct prvcut_view *v, uint64_t time)
{
    (void)v, (void)time;
}

static void call(struct prvcut_view *v, const struct prvcut_held_call *c)
{
    tell(v, "+", c->value);
    if (c->sent >= 0)
        tell(v, "sent", c->sent);
}

static void resume_it(struct prvcut_view *v, uint64_t time, uint32_t thread,
                      const struct prvcut_frame *region)
{
    (void)time, (void)thread;
    tell(v, "again", region->value);
}

static void leave(struct prvcut_view *v, uint64_t time, uint32_t thread)
{
    (void)thread;
    tell(v, "-@", (int64_t)time);
}

static void number(struct prvcut_view *v, const struct prvcut_item *i)
{
    tell(v, "#", i->event.value);
}

static void single(struct prvcut_view *v, const struct prvcut_item *i)
{
    tell(v, "!", i->event.value);
}

static enum prvcut_status state(struct prvcut_view *v, const struct prvcut_item *i,
                                struct prvcut_error *err)
{
    (void)err;
    tell(v, "state", i->state.number);
    return PRVCUT_OK;
}

static enum prvcut_status message(struct prvcut_view *v, const struct prvcut_item *i,
                                  struct prvcut_error *err)
{
    (void)err;
    tell(v, "message", i->message.tag);
    return PRVCUT_OK;
}

static void finish(struct prvcut_view *v)
{
    prvcut_view_leave_all(v, v->outline->end_ns);
}

static void release(struct prvcut_view *v)
{
    prvcut_view_fini(v);
    free(v);
}

static const struct prvcut_view_format format = {
    .advance = advance,
    .call = call,
    .resume = resume_it,
    .leave = leave,
    .number = number,
    .single = single,
    .state = state,
    .message = message,
    .finish = finish,
    .release = release,
};

static struct prvcut_objects objects = { .threads = 2 };
static struct prvcut_dictionary dictionary;
static const struct prvcut_outline outline = {
    .objects = &objects, .dictionary = &dictionary, .end_ns = 99, .threads = 1
};
static struct made_convert_summary sum;
static struct prvcut_view *view;

static void open_view(void)
{
    view = calloc(1, sizeof *view);
    view->format = &format;
    view->outline = &outline;
    sum = (struct made_convert_summary){ 0 };
    ck_assert_int_eq(prvcut_view_open(view, "out", false, NULL), PRVCUT_OK);
}

static void put(const struct prvcut_item *i)
{
    ck_assert_int_eq(prvcut_view_put(&view->base, i, 1, &sum, NULL), PRVCUT_OK);
}

static void event(uint64_t time, enum prvcut_role role, uint32_t type, int64_t value)
{
    put(&(struct prvcut_item){ .time = time,
                               .kind = PRVCUT_ITEM_EVENT,
                               .role = (uint8_t)role,
                               .head = true,
                               .event = { .type = type, .value = value } });
}

static void expect(const char *text)
{
    ck_assert_int_eq(prvcut_view_commit(&view->base, &sum, NULL), PRVCUT_OK);
    scratch_expect("out", text, strlen(text));
    ck_assert_uint_eq(sum.is.files, 1);
    prvcut_texts_free(sum.is.file, sum.is.files);
}

START_TEST(test_view_regions_nest_and_end_with_the_trace)
{
    open_view();
    event(1, PRVCUT_ROLE_REGION, 10, 1);
    event(2, PRVCUT_ROLE_REGION, 20, 2);
    event(5, PRVCUT_ROLE_REGION, 20, 0);
    expect("+1 +2 -@5 -@99 ");
}
END_TEST

/* Viewers have one stack: what lies inside is taken off and put back. */
START_TEST(test_view_what_is_inside_a_region_that_ends_goes_on)
{
    open_view();
    event(1, PRVCUT_ROLE_REGION, 10, 1);
    event(2, PRVCUT_ROLE_REGION, 20, 2);
    event(3, PRVCUT_ROLE_REGION, 30, 3);
    event(5, PRVCUT_ROLE_REGION, 10, 0);
    event(6, PRVCUT_ROLE_REGION, 30, 0);
    expect("+1 +2 +3 -@5 -@5 -@5 again2 again3 -@6 -@99 ");
}
END_TEST

START_TEST(test_view_end_without_a_begin_is_counted)
{
    open_view();
    event(1, PRVCUT_ROLE_REGION, 10, 0);
    expect("");
    ck_assert_uint_eq(sum.is.unpaired, 1);
    ck_assert_uint_eq(sum.is.unpaired_left_out, 1);
}
END_TEST

START_TEST(test_view_records_that_it_cannot_carry_are_counted)
{
    open_view();
    put(&(struct prvcut_item){ .time = 1, .kind = PRVCUT_ITEM_STATE });
    put(&(struct prvcut_item){ .time = 2, .kind = PRVCUT_ITEM_SEND });
    put(&(struct prvcut_item){ .time = 3, .kind = PRVCUT_ITEM_MESSAGE, .message = { .tag = 8 } });
    event(4, PRVCUT_ROLE_INSTRUCTIONS, 42, 6);
    expect("message8 #6 ");
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_STATES], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_MESSAGES], 1);
}
END_TEST

START_TEST(test_view_abandoned_leaves_no_file)
{
    open_view();
    event(1, PRVCUT_ROLE_REGION, 10, 1);
    prvcut_view_abandon(&view->base);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

static Suite *view_suite(void)
{
    Suite *s = suite_create("view");
    TCase *t = tcase_create("view");

    scratch_fixtures(t);
    tcase_add_test(t, test_view_regions_nest_and_end_with_the_trace);
    tcase_add_test(t, test_view_what_is_inside_a_region_that_ends_goes_on);
    tcase_add_test(t, test_view_end_without_a_begin_is_counted);
    tcase_add_test(t, test_view_records_that_it_cannot_carry_are_counted);
    tcase_add_test(t, test_view_abandoned_leaves_no_file);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(view_suite());
}
