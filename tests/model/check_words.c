#include "prvcut/proof.h"
#include "prvcut/records.h"
#include "prvcut/stream.h"

#include "runner.h"

START_TEST(test_tell_units_of_the_proof)
{
    ck_assert_str_eq(prvcut_proof_unit_text(PRVCUT_PROOF_IN_SHARE), "share");
    ck_assert_str_eq(prvcut_proof_unit_text(PRVCUT_PROOF_IN_COUNT), "1/iteration");
    ck_assert_str_eq(prvcut_proof_unit_text(PRVCUT_PROOF_IN_BYTES), "B/iteration");
    ck_assert_str_eq(prvcut_proof_unit_text(PRVCUT_PROOF_IN_PER_CYCLE), "instr/cycle");
    ck_assert_ptr_null(prvcut_proof_unit_text((enum prvcut_proof_unit)4));
}
END_TEST

START_TEST(test_tell_kinds_of_records_not_sets_of_them)
{
    static const struct {
        enum prvcut_record_kind kind;
        const char *text;
    } kinds[] = { { PRVCUT_RECORD_STATE, "state" },
                  { PRVCUT_RECORD_EVENT, "event" },
                  { PRVCUT_RECORD_MESSAGE, "message" },
                  { PRVCUT_RECORD_SEND, "send" },
                  { PRVCUT_RECORD_RECEIVE, "receive" } };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        ck_assert_str_eq(prvcut_record_kind_text(kinds[i].kind), kinds[i].text);
    ck_assert_ptr_null(prvcut_record_kind_text((enum prvcut_record_kind)0));
    ck_assert_ptr_null(prvcut_record_kind_text(
        (enum prvcut_record_kind)(PRVCUT_RECORD_STATE | PRVCUT_RECORD_SEND)));
}
END_TEST

START_TEST(test_tell_what_became_of_messages)
{
    ck_assert_str_eq(prvcut_fate_text(PRVCUT_FATE_WHOLE), "whole");
    ck_assert_str_eq(prvcut_fate_text(PRVCUT_FATE_CROSSES), "crosses");
    ck_assert_str_eq(prvcut_fate_text(PRVCUT_FATE_ALONE), "alone");
    ck_assert_str_eq(prvcut_fate_text(PRVCUT_FATE_UNLIKE), "unlike");
    ck_assert_ptr_null(prvcut_fate_text((enum prvcut_fate)4));
}
END_TEST

static Suite *words_suite(void)
{
    Suite *s = suite_create("words");
    TCase *t = tcase_create("words");

    tcase_add_test(t, test_tell_units_of_the_proof);
    tcase_add_test(t, test_tell_kinds_of_records_not_sets_of_them);
    tcase_add_test(t, test_tell_what_became_of_messages);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(words_suite());
}
