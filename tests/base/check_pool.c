#include "base/pool.h"

#include "base/ordered.h"

#include "runner.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ROUNDS = 20000, WORKERS = 8 };

struct thing {
    struct prvcut_pooled pooled;
    atomic_bool used;
};

struct users {
    struct prvcut_pool pool;
    unsigned rounds;
    atomic_uint made, shared;
    unsigned released;
};

START_TEST(test_get_of_what_never_was_put_is_nothing)
{
    struct prvcut_pool p;
    struct thing one, two;

    prvcut_pool_init(&p);
    ck_assert_ptr_null(prvcut_pool_get(&p));
    prvcut_pool_put(&p, &one);
    prvcut_pool_put(&p, &two);
    ck_assert_ptr_eq(prvcut_pool_get(&p), &two);
    ck_assert_ptr_eq(prvcut_pool_get(&p), &one);
    ck_assert_ptr_null(prvcut_pool_get(&p));
    prvcut_pool_fini(&p, NULL, NULL);
}
END_TEST

static enum prvcut_status users_take(void *ctx, unsigned worker, void **item,
                                     struct prvcut_error *err)
{
    struct users *u = ctx;

    (void)worker;
    (void)err;
    *item = u;
    return u->rounds++ < ROUNDS ? PRVCUT_OK : PRVCUT_END;
}

static enum prvcut_status users_work(void *ctx, unsigned worker, void *item,
                                     struct prvcut_error *err)
{
    struct users *u = ctx;
    struct thing *thing = prvcut_pool_get(&u->pool);

    (void)worker;
    (void)item;
    (void)err;
    if (!thing) {
        thing = calloc(1, sizeof *thing);
        u->made++;
    }
    if (!thing)
        return PRVCUT_ENOMEM;
    if (atomic_exchange(&thing->used, true))
        u->shared++;
    atomic_store(&thing->used, false);
    prvcut_pool_put(&u->pool, thing);
    return PRVCUT_OK;
}

static enum prvcut_status users_join(void *ctx, void *item, enum prvcut_status failed,
                                     struct prvcut_error *err)
{
    (void)ctx;
    (void)item;
    (void)err;
    return failed;
}

static void users_drop(void *ctx, void *item)
{
    (void)ctx;
    (void)item;
}

static void users_release(void *ctx, void *thing)
{
    struct users *u = ctx;

    u->released++;
    free(thing);
}

/* No more things than workers, none held by two of them at once, and all of them released. */
START_TEST(test_things_are_used_again_by_one_worker_at_a_time)
{
    struct users u = { 0 };
    const struct prvcut_ordered work = {
        .ctx = &u, .take = users_take, .work = users_work, .join = users_join, .drop = users_drop
    };

    prvcut_pool_init(&u.pool);
    ck_assert_int_eq(prvcut_ordered_run(&work, WORKERS, NULL), PRVCUT_OK);
    prvcut_pool_fini(&u.pool, users_release, &u);
    ck_assert_uint_eq(u.shared, 0);
    ck_assert_uint_ge(u.made, 1);
    ck_assert_uint_le(u.made, WORKERS);
    ck_assert_uint_eq(u.released, u.made);
}
END_TEST

static Suite *pool_suite(void)
{
    Suite *s = suite_create("pool");
    TCase *t = tcase_create("pool");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, test_get_of_what_never_was_put_is_nothing);
    tcase_add_test(t, test_things_are_used_again_by_one_worker_at_a_time);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(pool_suite());
}
