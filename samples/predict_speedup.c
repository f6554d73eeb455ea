/* How fast will it be on twice as many processes? From traces of a few runs, or a table of factors.
 */
#include <prvcut/predict.h>

#include <stdio.h>

static void print(const struct prvcut_prediction *p)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, 0);

    if (at->reason) {
        printf("not known: %s\n", at->reason);
        return;
    }
    printf("%.2f times as fast on %u processes as on %u", at->speedup, (unsigned)at->processes,
           (unsigned)prvcut_prediction_run(p, 0)->processes);
    if (!at->no_interval)
        printf(", %g %% sure: %.2f to %.2f", 100 * p->confidence, at->low, at->high);
    printf("\nwhat changes most: %s\n", prvcut_factor_text(at->limit));
    for (size_t i = 0; i < p->warnings; i++)
        printf("%s\n", prvcut_prediction_warning(p, i));
}

static enum prvcut_status run(const char *const *file, size_t files, struct prvcut_error *err)
{
    uint32_t twice = 1;
    struct prvcut_predict_options options = { .size = sizeof options,
                                              .processes = &twice,
                                              .processes_count = 1 };
    struct prvcut_prediction *p = NULL;
    enum prvcut_status st = prvcut_predict_make(file, files, NULL, &options, &p, err);

    /* Of how many the largest run is, the first answer tells. */
    if (st == PRVCUT_OK) {
        twice = 2 * prvcut_prediction_run(p, p->runs - 1)->processes;
        prvcut_prediction_free(p);
        st = prvcut_predict_make(file, files, NULL, &options, &p, err);
    }
    if (st == PRVCUT_OK)
        print(p);
    prvcut_prediction_free(p);
    return st;
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { 0 };

    if (argc < 2) {
        fprintf(stderr, "usage: %s TRACE|TABLE...\n", argv[0]);
        return 2;
    }
    if (run((const char *const *)argv + 1, (size_t)argc - 1, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
