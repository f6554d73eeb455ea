/* Which iteration stands for a run? Of a table of counters, an interval a line. */
#include <prvcut/sample.h>

#include <inttypes.h>
#include <stdio.h>

static void print(const struct prvcut_sample *s)
{
    const struct prvcut_sample_choice *one = prvcut_sample_choice(s, 0, PRVCUT_TECHNIQUE_SSP);

    if (one)
        printf("interval %" PRIu64 " stands for all %" PRIu64 ", %.3f %% off\n",
               prvcut_sample_picks(s, 0, PRVCUT_TECHNIQUE_SSP)->interval,
               prvcut_sample_length(s, 0)->intervals, one->error_percent);
    for (size_t i = 0; i < s->warnings; i++)
        printf("%s\n", prvcut_sample_warning(s, i));
}

int main(int argc, char **argv)
{
    const double iteration = 1;
    const struct prvcut_sample_options options = { .size = sizeof options,
                                                   .length = &iteration,
                                                   .lengths = 1 };
    struct prvcut_error err = { 0 };
    struct prvcut_sample *s = NULL;
    enum prvcut_status st;

    if (argc != 2) {
        fprintf(stderr, "usage: %s TABLE\n", argv[0]);
        return 2;
    }
    st = prvcut_sample_series(argv[1], NULL, &options, &s, &err);
    if (st == PRVCUT_NONE)
        printf("no loop: %s\n", s->no_loop);
    else if (st == PRVCUT_OK)
        print(s);
    else
        fprintf(stderr, "%s\n", err.text);
    prvcut_sample_free(s);
    return st < 0;
}
