#include "analysis/sample/sample.h"
#include "base/memory.h"
#include "prvcut/sample.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BINS = 400 };

static char folder[256];

static const char *path(const char *name)
{
    static char out[512];

    snprintf(out, sizeof out, "%s/prvcut-sample-%ld-%s",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid(), name);
    return out;
}

/* The series of the worked example: a period of 20 intervals. */
static void put_a(FILE *f, int i)
{
    fprintf(f, "%d;%d;%d\n", 10000000, 10000000 + (i % 20 < 7 ? 10000000 : 0) + 100000 * (i % 3),
            100000 + (i % 20 < 7 ? 200000 : 0) + 1000 * (i % 5));
}

static const char *series_a(void)
{
    FILE *f;

    snprintf(folder, sizeof folder, "%s", path("a.csv"));
    f = fopen(folder, "w");
    ck_assert(f != NULL);
    fputs("instructions;cycles;L1_misses\n", f);
    for (int i = 0; i < BINS; i++)
        put_a(f, i);
    fclose(f);
    return folder;
}

/* The same intervals in random order. */
static const char *series_mixed(unsigned seed)
{
    int order[BINS];
    FILE *f;

    for (int i = 0; i < BINS; i++)
        order[i] = i;
    for (int i = BINS - 1; i > 0; i--) {
        const int k = (int)((seed = seed * 1664525u + 1013904223u) >> 8) % (i + 1);
        const int kept = order[i];

        order[i] = order[k];
        order[k] = kept;
    }
    snprintf(folder, sizeof folder, "%s", path("mixed.csv"));
    f = fopen(folder, "w");
    ck_assert(f != NULL);
    fputs("instructions;cycles;L1_misses\n", f);
    for (int i = 0; i < BINS; i++)
        put_a(f, order[i]);
    fclose(f);
    return folder;
}

static struct prvcut_sample *sample(const char *file, struct prvcut_sample_options o,
                                    enum prvcut_status wanted)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_sample *s = NULL;

    o.size = sizeof o;
    ck_assert_msg(prvcut_sample_series(file, NULL, &o, &s, &err) == wanted, "%s", err.text);
    unlink(file);
    return s;
}

/*
 * The whole table, six digits, and the interval of SSP. At 40 and at 80 % two values of a cluster
 * are as far from its mean, but for the last digit of numbers of double precision, which decides.
 */
START_TEST(test_sample_worked_example_s1)
{
    static const struct {
        const char *error[3];
        uint64_t single;
    } row[] = {
        { { "25.733929", "6.389823", "0.071692" }, 4 },
        { { "1.748194", "0.457729", "0.016544" }, 3 },
        { { "1.223674", "0.308216", "0.261796" }, 1 },
        { { "6.389823", "1.606647", "0.001838" }, 0 },
        { { "0.034927", "0.007353", "0.034927" }, 0 },
        { { "4.903889", "1.074162", "0.499703" }, 1 },
        { { "0.500797", "0.129467", "0.521431" }, 3 },
        { { "0.457729", "0.685445", "0.493958" }, 1 },
        { { "2.861368", "0.818847", "0.261796" }, 0 },
        { { "0.016544", "0.002757", "0.016544" }, 0 },
    };
    struct prvcut_sample *s = sample(series_a(), (struct prvcut_sample_options){ 0 }, PRVCUT_OK);

    puts("S1, S3: series A");
    printf("  period %g, CPI %.6f\n", s->period, s->whole);
    ck_assert_double_eq_tol(s->period, 20, 0.05);
    ck_assert_double_eq_tol(s->whole, 1.359975, 5e-7);
    ck_assert_uint_eq(s->lengths, sizeof row / sizeof *row);
    ck_assert_str_eq(s->choose_by, "L1_misses");
    for (size_t i = 0; i < s->lengths; i++) {
        printf("  %3.0f %%", 100 * prvcut_sample_length(s, i)->periods);
        for (int t = 0; t < 3; t++) {
            char text[32];

            snprintf(text, sizeof text, "%.6f",
                     prvcut_sample_choice(s, i, (enum prvcut_technique)t)->error_percent);
            printf("  %s %s (%s)", prvcut_technique_text((enum prvcut_technique)t), text,
                   row[i].error[t]);
            ck_assert_str_eq(text, row[i].error[t]);
        }
        putchar('\n');
        ck_assert_uint_eq(prvcut_sample_picks(s, i, PRVCUT_TECHNIQUE_SSP)->interval, row[i].single);
    }
    prvcut_sample_free(s);
}
END_TEST

/* Misses of 8 bins, less those of interval 1: whole numbers, so that a tie is one. */
static long misses_of(int interval)
{
    long sum = 0;

    for (int i = 8 * interval; i < 8 * (interval + 1); i++)
        sum += 100000 + (i % 20 < 7 ? 200000 : 0) + 1000 * (i % 5);
    return sum;
}

/* The cluster at 40 %: those of interval 1 and of interval 4 are as far from its mean, exactly. */
START_TEST(test_sample_worked_example_has_ties)
{
    long sum = 0, members = 0;

    for (int i = 0; i < 50; i++)
        if (misses_of(i) == misses_of(1) || misses_of(i) == misses_of(4)) {
            sum += misses_of(i);
            members++;
        }
    ck_assert_int_eq(members, 20);
    ck_assert_int_ne(misses_of(1), misses_of(4));
    ck_assert_int_eq(labs(members * misses_of(1) - sum), labs(members * misses_of(4) - sum));
}
END_TEST

START_TEST(test_sample_chooses_by_clusters_s1)
{
    static const struct prvcut_sample_pick wanted[] = {
        { 4, 0.4 }, { 3, 0.2 }, { 2, 0.2 }, { 0, 0.2 }
    };
    const double length = 0.4;
    struct prvcut_sample *s = sample(
        series_a(), (struct prvcut_sample_options){ .length = &length, .lengths = 1 }, PRVCUT_OK);
    const struct prvcut_sample_pick *pick = prvcut_sample_picks(s, 0, PRVCUT_TECHNIQUE_MSP);

    ck_assert_uint_eq(prvcut_sample_choice(s, 0, PRVCUT_TECHNIQUE_MSP)->picks, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(pick[i].interval, wanted[i].interval);
        ck_assert_double_eq_tol(pick[i].weight, wanted[i].weight, 1e-15);
    }
    prvcut_sample_free(s);
}
END_TEST

static void holds(const char *name, const char *wanted)
{
    char text[400] = "";
    FILE *f = fopen(name, "r");

    ck_assert_msg(f != NULL, "%s", name);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    unlink(name);
    ck_assert_str_eq(text, wanted);
}

START_TEST(test_sample_writes_simpoints_s2)
{
    const double length = 0.4;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_sample *s = sample(
        series_a(), (struct prvcut_sample_options){ .length = &length, .lengths = 1 }, PRVCUT_OK);

    ck_assert(!s->of_time);
    ck_assert_msg(prvcut_sample_simpoints(s, 0, path("a"), false, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_int_eq(prvcut_sample_simpoints(s, 0, path("a"), false, &err), PRVCUT_EEXIST);
    puts("S2: a.simpoints is 4 0, 3 1, 2 2, 0 3; a.weights 0.400000, 0.200000 three times");
    holds(path("a.simpoints"), "4 0\n3 1\n2 2\n0 3\n");
    holds(path("a.weights"), "0.400000 0\n0.200000 1\n0.200000 2\n0.200000 3\n");
    ck_assert_int_ne(access(path("a.starts"), F_OK), 0);
    prvcut_sample_free(s);
}
END_TEST

START_TEST(test_sample_random_order_has_no_period_s3)
{
    struct prvcut_sample *s;

    puts("S3: 100 random orders of series A have no period");
    for (unsigned seed = 1; seed <= 100; seed++) {
        s = sample(series_mixed(seed), (struct prvcut_sample_options){ 0 }, PRVCUT_NONE);
        ck_assert(s && s->no_loop && s->lengths == 0);
        prvcut_sample_free(s);
    }
    s = sample(series_mixed(1), (struct prvcut_sample_options){ .period = 20 }, PRVCUT_OK);
    ck_assert(s->period_given && s->lengths == 10);
    prvcut_sample_free(s);
}
END_TEST

/* --- Clusters --------------------------------------------------------------------------------- */

static double cost_of(const uint32_t *cluster, const double *x, size_t count, uint32_t clusters)
{
    double total = 0;

    for (uint32_t k = 0; k < clusters; k++) {
        double sum = 0, members = 0;

        for (size_t i = 0; i < count; i++)
            if (cluster[i] == k) {
                sum += x[i];
                members++;
            }
        for (size_t i = 0; i < count; i++)
            if (cluster[i] == k)
                total += (x[i] - sum / members) * (x[i] - sum / members);
    }
    return total;
}

/* The least cost of all ways to give `count` numbers to clusters. */
static double least_cost(const double *x, size_t count, uint32_t clusters)
{
    double least = INFINITY;
    uint32_t label[10], ways = 1;

    for (size_t i = 0; i < count; i++)
        ways *= clusters;
    for (uint32_t way = 0; way < ways; way++) {
        for (uint32_t i = 0, rest = way; i < count; i++, rest /= clusters)
            label[i] = rest % clusters;
        least = fmin(least, cost_of(label, x, count, clusters));
    }
    return least;
}

/* Against all ways there are, of numbers of which some are equal. */
START_TEST(test_clusters_are_the_best_of_all_ways)
{
    unsigned seed = 7;

    for (int round = 0; round < 60; round++)
        for (uint32_t clusters = 1; clusters <= 4; clusters++) {
            double x[8];
            uint32_t cluster[8], made;
            size_t count = 1 + (size_t)(round % 8);

            for (size_t i = 0; i < count; i++)
                x[i] = ((seed = seed * 1664525u + 1013904223u) >> 8) % 6 * 0.1 + 1000;
            made = prvcut_clusters(cluster, x, count, clusters, NULL);
            ck_assert(made >= 1 && made <= clusters);
            ck_assert_double_eq_tol(cost_of(cluster, x, count, made),
                                    least_cost(x, count, clusters), 1e-9);
            for (size_t i = 0; i < count; i++)
                for (size_t k = 0; k < count; k++) {
                    ck_assert(x[i] != x[k] || cluster[i] == cluster[k]);
                    ck_assert(!(x[i] < x[k]) || cluster[i] <= cluster[k]);
                }
        }
}
END_TEST

/* A plain search of each row, at a size where all ways are too many. */
START_TEST(test_clusters_of_many_cost_what_a_plain_search_costs)
{
    enum { MANY = 300, K = 6 };
    static double x[MANY], table[K + 1][MANY + 1];
    static uint32_t cluster[MANY];
    unsigned seed = 3;

    for (size_t i = 0; i < MANY; i++)
        x[i] = (double)i * 0.01 + ((seed = seed * 1664525u + 1013904223u) >> 8) % 1000 * 1e-5 +
               (i % 50 == 0 ? 1 : 0);
    for (size_t i = 1; i < MANY; i++) /* sorted, as the plain search wants them */
        for (size_t k = i; k > 0 && x[k] < x[k - 1]; k--) {
            const double kept = x[k];

            x[k] = x[k - 1];
            x[k - 1] = kept;
        }
    for (size_t j = 1; j <= MANY; j++)
        table[0][j] = INFINITY;
    for (size_t k = 1; k <= K; k++)
        for (size_t j = 1; j <= MANY; j++) {
            double sum = 0, square = 0;

            table[k][j] = INFINITY;
            for (size_t i = j; i > 0; i--) {
                sum += x[i - 1];
                square += x[i - 1] * x[i - 1];
                table[k][j] = fmin(table[k][j],
                                   table[k - 1][i - 1] + square - sum * sum / (double)(j - i + 1));
            }
        }
    ck_assert_uint_eq(prvcut_clusters(cluster, x, MANY, K, NULL), K);
    ck_assert_double_eq_tol(cost_of(cluster, x, MANY, K), table[K][MANY], 1e-7);
}
END_TEST

/* --- Series ----------------------------------------------------------------------------------- */

static enum prvcut_status read_text(struct prvcut_series *s, const char *text,
                                    struct prvcut_error *err)
{
    FILE *f;
    enum prvcut_status st;

    snprintf(folder, sizeof folder, "%s", path("t.csv"));
    f = fopen(folder, "w");
    ck_assert(f != NULL);
    fputs(text, f);
    fclose(f);
    st = prvcut_series_read(s, folder, err);
    unlink(folder);
    return st;
}

START_TEST(test_series_takes_tables_and_perf_alike)
{
    static const char *const text[] = {
        "instructions;cycles\n10;20\n30;40\n",
        "\xef\xbb\xbfinstructions\tcycles\r\n10\t20\r\n# so far\r\n30\t40\r\n",
        "instructions, \tcycles\n10,\t20\n30,\t40\n",
        "instructions;cycles\n10,0;2,0e1\n30;40,00\n",
        "\xef\xbb\xbf# started on Fri Nov 27 22:48:26 2026\n\n"
        "1,0002;10;;instructions;1000;100,00;0,50;insn per cycle\n1,0002;20;;cycles;1000;100,00;;\n"
        "2,0005;30;;instructions;1000;100,00;0,75;insn per "
        "cycle\n2,0005;40;;cycles;1000;100,00;;\n",
        "1.0\t10\t\tinstructions:u\t1\t100.00\t\t\n1.0\t20\t\tcycles:u\t1\t100.00\t\t\n"
        "2.0\t30\t\tinstructions:u\t1\t100.00\t\t\n2.0\t40\t\tcycles:u\t1\t100.00\t\t\n",
        /* two kinds of processors; the program slept on one of them */
        "1.0,7,,cpu_core/instructions/,1,60.00,,\n1.0,3,,cpu_atom/instructions/u,1,40.00,,\n"
        "1.0,20,,cpu_core/cycles/,1,100.00,,\n1.0,<not counted>,,cpu_atom/cycles/,0,0.00,,\n"
        "2.0,<not "
        "counted>,,cpu_core/instructions/,0,0.00,,\n2.0,30,,cpu_atom/instructions/,1,100,,\n"
        "2.0,15,,cpu_core/cycles/,1,50.00,,\n2.0,25,,cpu_atom/cycles/,1,50.00,,\n",
        /* -A, --per-core, --per-die, --per-node, --per-thread */
        "1.0,S0-D0-C0,2,4,,instructions,1,100,,\n1.0,S0-D0-C1,2,6,,instructions,1,100,,\n"
        "1.0,S0-D0-C0,2,20,,cycles,1,100,,\n2.0,N0,8,30,,instructions,1,100,,\n"
        "2.0,N0,8,40,,cycles,1,100,,\n",
        "1.0,app-4711,4,,instructions:u,1,100,,\n1.0,app-4712,6,,instructions:u,1,100,,\n"
        "1.0,app-4711,20,,cycles:u,1,100,,\n2.0,app-4711,30,,instructions:u,1,100,,\n"
        "2.0,app-4711,<not counted>,,cycles:u,0,100.00,,\n2.0,app-4712,40,,cycles:u,1,100,,\n",
        "Instructions , \"cycles\"\r\n10,20\r\n\r\n30,40",
        "# started on Fri Nov 27 22:48:26 2026\n\n"
        "     1.000291612,10,,instructions,1000000000,100.00,0.50,insn per cycle\n"
        "     1.000291612,20,,cycles,1000000000,100.00,,\n"
        "     2.000591612,30,,instructions,1000000000,100.00,0.75,insn per cycle\n"
        "     2.000591612,40,,cycles,1000000000,100.00,,\n",
        "1.0,CPU0,4,,instructions:u,1,100,,\n1.0,CPU1,6,,instructions:u,1,100,,\n"
        "1.0,CPU0,20,,cycles:u,1,100,,\n2.0,CPU0,30,,instructions:u,1,100,,\n"
        "2.0,CPU0,40,,cycles:u,1,100,,\n",
        ("1.0;S0;4;10;;instructions;1;100;;\n1.0;S0;4;20;;cycles;1;100;;\n"
         "2.0;S0;4;30;;instructions;1;100;;\n2.0;S0;4;40;;cycles;1;100;;\n"),
    };

    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct prvcut_series s;
        size_t instructions, cycles;

        ck_assert_msg(read_text(&s, text[i], &err) == PRVCUT_OK, "%zu: %s", i, err.text);
        instructions = prvcut_series_find(&s, "instructions");
        cycles = prvcut_series_find(&s, "CYCLES");
        ck_assert_uint_eq(s.rows, 2);
        ck_assert_uint_lt(instructions, s.columns);
        ck_assert_uint_lt(cycles, s.columns);
        ck_assert_double_eq_tol(s.at[instructions][0], 10, 1e-12);
        ck_assert_double_eq_tol(s.at[instructions][1], 30, 1e-12);
        ck_assert_double_eq_tol(s.at[cycles][0], 20, 1e-12);
        ck_assert_double_eq_tol(s.at[cycles][1], 40, 1e-12);
        ck_assert_uint_eq(prvcut_series_gap(&s, cycles), SIZE_MAX);
        prvcut_series_fini(&s);
    }
}
END_TEST

START_TEST(test_series_tells_what_is_not_counted)
{
    struct prvcut_series s;

    ck_assert_int_eq(read_text(&s,
                               "1.0,CPU0,<not counted>,,cycles,0,0,,\n1.0,CPU1,6,,cycles,1,100,,\n"
                               "2.0,CPU0,6,,cycles,0,0,,\n",
                               NULL),
                     PRVCUT_OK);
    ck_assert_uint_eq(prvcut_series_gap(&s, 0), 0);
    prvcut_series_fini(&s);
    /* The first and the last line; neither kind of processor; a counter that comes later. */
    ck_assert_int_eq(read_text(&s,
                               "1.0,<not supported>,,L1,0,100.00,,\n1.0,5,,cycles,1,100,,\n"
                               "2.0,<not supported>,,L1,0,100.00,,\n2.0,5,,cycles,1,100,,\n"
                               "2.0,1,,late,1,100,,\n2.0,<not counted>,,cpu_core/b/,0,0.00,,\n"
                               "2.0,<not counted>,,cpu_atom/b/,0,0.00,,\n"
                               "3.0,1,,L1,1,100,,\n3.0,<not counted>,,cycles,0,0.00,,\n",
                               NULL),
                     PRVCUT_OK);
    ck_assert_uint_eq(prvcut_series_gap(&s, prvcut_series_find(&s, "L1")), 0);
    ck_assert_uint_eq(prvcut_series_gap(&s, prvcut_series_find(&s, "cycles")), 2);
    ck_assert_uint_eq(prvcut_series_gap(&s, prvcut_series_find(&s, "late")), 0);
    ck_assert_uint_eq(prvcut_series_gap(&s, prvcut_series_find(&s, "b")), 0);
    ck_assert_uint_eq(s.line[2], 9);
    prvcut_series_fini(&s);
    ck_assert_int_eq(read_text(&s, "a;b\n1;2\n1;\n", NULL), PRVCUT_OK);
    ck_assert_uint_eq(prvcut_series_gap(&s, 0), SIZE_MAX);
    ck_assert_uint_eq(prvcut_series_gap(&s, 1), 1);
    prvcut_series_fini(&s);
}
END_TEST

START_TEST(test_series_refuses_damage_with_its_line)
{
    static const struct {
        const char *text, *told;
        uint64_t line;
    } row[] = {
        { "", "no interval", 0 },
        { "instructions;cycles\n", "no interval", 1 },
        { "instructions;\n1;2\n", "column 2 has no name", 1 },
        { "a;b;A\n1;2;3\n", "two columns are called 'A'", 1 },
        { "a;b\n1;2\n1\n", "1 values where the first line names 2", 3 },
        { "a;b\n1;2\n\n1;x\n", "'x' is not a number", 4 },
        { "1.0,2\n", "no line of 'perf stat", 1 },
        { "1.0,2,,cycles\n0.5,2,,cycles\n", "a time before", 2 },
        { "1.0,2,,cycles\nstray words\n", "no line of 'perf stat", 2 },
        { "1.0,<broken>,,cycles,1,100,,\n", "no line of 'perf stat", 1 },
        /* without -I; a comma in numbers and between them */
        { "1000,,instructions,1,100.00,,\n", "no line of 'perf stat", 1 },
        { "1,000291612,10,,instructions,1000,100,00,,\n", "no line of 'perf stat", 1 },
        { "a;b\n1;2\nstray words\n", "1 values where", 3 },
        { "a;b\n1;1.234,5\n", "'1.234,5' is not a number", 2 },
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct prvcut_series s;

        ck_assert_int_eq(read_text(&s, row[i].text, &err), PRVCUT_EFORMAT);
        prvcut_series_fini(&s);
        ck_assert_msg(strstr(err.text, row[i].told), "%s", err.text);
        ck_assert_uint_eq(err.line, row[i].line);
    }
}
END_TEST

/* Cut at every byte: a series, or a fault that is told, never a crash. */
START_TEST(test_series_cut_anywhere)
{
    static const char *const whole[] = {
        "\"instr\"\"uctions\"; cycles ;L1\n10;20;3\n\n30;40;5\n",
        "# a\n1.0,S0,4,10,,instructions:u,1,100.00,,\n1.0,S0,4,<not counted>,,cycles,0,0.00,,\n"
        "2.0,S0,4,30,,instructions:u,1,100.00,,\n",
    };

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        for (size_t n = 0; n <= strlen(whole[i]); n++) {
            struct prvcut_error err = { .status = PRVCUT_OK };
            struct prvcut_series s;
            char text[300];

            memcpy(text, whole[i], n);
            text[n] = '\0';
            ck_assert(read_text(&s, text, &err) == PRVCUT_OK || (err.status < 0 && err.text[0]));
            prvcut_series_fini(&s);
        }
}
END_TEST

/* Bins of time: instructions differ, so that starts are told. */
START_TEST(test_sample_of_time_tells_instructions_before)
{
    const double length = 1;
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_sample *s;
    FILE *f;

    snprintf(folder, sizeof folder, "%s", path("b.csv"));
    f = fopen(folder, "w");
    ck_assert(f != NULL);
    fputs("instructions,cycles,misses\n", f);
    for (int i = 0; i < 200; i++)
        fprintf(f, "%d,%d,%d\n", i % 10 < 5 ? 300 : 100, 1000, i % 10 < 5 ? 10 : 20);
    fclose(f);
    s = sample(folder,
               (struct prvcut_sample_options){
                   .length = &length, .lengths = 1, .period = 10, .clusters = 1 },
               PRVCUT_OK);
    ck_assert(s->of_time);
    ck_assert_str_eq(s->choose_by, "misses");
    ck_assert_double_eq_tol(s->whole, 5, 1e-12);
    ck_assert_double_eq_tol(prvcut_sample_choice(s, 0, PRVCUT_TECHNIQUE_MSP)->error_percent, 0,
                            1e-9);
    ck_assert_int_eq(prvcut_sample_simpoints(s, 0, path("b"), false, &err), PRVCUT_OK);
    holds(path("b.simpoints"), "0 0\n");
    holds(path("b.weights"), "1.000000 0\n");
    holds(path("b.starts"), "0 0\n");
    prvcut_sample_free(s);
}
END_TEST

START_TEST(test_sample_refuses_what_it_cannot_use)
{
    static const struct {
        const char *text;
        struct prvcut_sample_options o;
        const char *told;
    } row[] = {
        { "a;cycles\n1;2\n", { .period = 1 }, "no counter 'instructions'" },
        { "instructions;a\n1;2\n", { .period = 1 }, "no counter 'cycles'" },
        { "instructions;cycles\n1;2\n",
          { .period = 1, .choose_by = "misses" },
          "no counter 'misses'" },
        { "instructions;cycles\n1;2\n", { .period = 1, .clusters = 65 }, "65 clusters" },
        { "instructions;cycles\n1;2\n1;\n",
          { .period = 1 },
          "c.csv:3: 'cycles' is not counted there" },
        { "instructions;cycles\n1;2\n1;-1\n", { .period = 1 }, "c.csv:3: 'cycles' is less than 0" },
        { "instructions;a;time\n1;2;3\n", { .period = 1 }, "there are instructions, a" },
        { "instructions;cycles\n0;2\n0;1\n", { .period = 1 }, "no instructions" },
        { "instructions;cycles\n1;2\n", { .period = -1 }, "period" },
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct prvcut_sample_options o = row[i].o;
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct prvcut_sample *s = NULL;
        FILE *f;

        o.size = sizeof o;
        snprintf(folder, sizeof folder, "%s", path("c.csv"));
        f = fopen(folder, "w");
        ck_assert(f != NULL);
        fputs(row[i].text, f);
        fclose(f);
        ck_assert_int_eq(prvcut_sample_series(folder, NULL, &o, &s, &err), PRVCUT_EUSAGE);
        ck_assert_msg(strstr(err.text, row[i].told), "%s", err.text);
        unlink(folder);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample");
    TCase *tc = tcase_create("all");

    tcase_add_test(tc, test_sample_worked_example_s1);
    tcase_add_test(tc, test_sample_worked_example_has_ties);
    tcase_add_test(tc, test_sample_chooses_by_clusters_s1);
    tcase_add_test(tc, test_sample_writes_simpoints_s2);
    tcase_add_test(tc, test_sample_random_order_has_no_period_s3);
    tcase_add_test(tc, test_clusters_are_the_best_of_all_ways);
    tcase_add_test(tc, test_clusters_of_many_cost_what_a_plain_search_costs);
    tcase_add_test(tc, test_series_takes_tables_and_perf_alike);
    tcase_add_test(tc, test_series_tells_what_is_not_counted);
    tcase_add_test(tc, test_series_refuses_damage_with_its_line);
    tcase_add_test(tc, test_series_cut_anywhere);
    tcase_add_test(tc, test_sample_of_time_tells_instructions_before);
    tcase_add_test(tc, test_sample_refuses_what_it_cannot_use);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
