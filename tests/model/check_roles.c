#include "runner.h"

#include "model/roles.h"

#include <limits.h>

START_TEST(test_name_roles_each_by_a_word_of_its_own)
{
    for (unsigned i = 0; i < PRVCUT_ROLES; i++) {
        enum prvcut_role back = PRVCUT_ROLES;

        ck_assert_ptr_nonnull(prvcut_role_text(i));
        ck_assert_str_ne(prvcut_role_text(i), "");
        ck_assert(prvcut_role_of_text(prvcut_role_text(i), &back));
        ck_assert_uint_eq(back, i);
    }
}
END_TEST

START_TEST(test_name_roles_refuses_other_words)
{
    static const char *const word[] = { "", "P2P", "regions", "caller line", "count" };
    enum prvcut_role role = PRVCUT_ROLE_ROOT;

    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        ck_assert(!prvcut_role_of_text(word[i], &role));
    ck_assert_uint_eq(role, PRVCUT_ROLE_ROOT);
    ck_assert_str_eq(prvcut_role_text(PRVCUT_ROLES), "other");
    ck_assert_str_eq(prvcut_role_text(UINT_MAX), "other");
}
END_TEST

static Suite *roles_suite(void)
{
    Suite *suite = suite_create("roles");
    TCase *c = tcase_create("roles");

    tcase_add_test(c, test_name_roles_each_by_a_word_of_its_own);
    tcase_add_test(c, test_name_roles_refuses_other_words);
    suite_add_tcase(suite, c);
    return suite;
}

int main(void)
{
    return run_suite(roles_suite());
}
