/* Keep three representative iterations of a trace and say how well they stand for the rest. */
#include <prvcut/reduce.h>

#include <stdio.h>

static void print(const struct prvcut_reduction *r)
{
    const struct prvcut_chop *chop = prvcut_reduction_chop(r, 0);
    const struct prvcut_proof_row *row;

    for (size_t i = 0; i < chop->cut->files; i++)
        printf("wrote %s\n", chop->cut->file[i]);
    printf("%u of %.0f iterations, cut %s\n", chop->iterations, r->iterations,
           prvcut_align_text(chop->align));
    for (size_t i = 0; i < 5 && (row = prvcut_proof_row(chop->proof, i)); i++)
        printf("  %-12s %-24s %12.4g here, %12.4g in all\n", prvcut_proof_group_text(row->group),
               row->name, row->chop, row->region);
    printf("verdict: %s\n", prvcut_faith_text(chop->proof->verdict));
}

static enum prvcut_status run(const char *in, const char *out, struct prvcut_error *err)
{
    const struct prvcut_cut_options cut = { .size = sizeof cut, .path = out, .force = true };
    const struct prvcut_reduce_options options = {
        .size = sizeof options, .iterations = 3, .proof = true, .cut = &cut
    };
    const struct prvcut_run all_processors = { .threads = 0 };
    struct prvcut_reduction *reduction = NULL;
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, in, NULL, err);

    if (st < 0)
        return st;
    st = prvcut_reduce(trace, &all_processors, &options, &reduction, err);
    if (st == PRVCUT_OK)
        print(reduction);
    else if (st == PRVCUT_NONE)
        printf("nothing was cut: %s\n", reduction->reason);
    prvcut_reduction_free(reduction);
    prvcut_trace_close(trace);
    return st;
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { 0 };

    if (argc != 3) {
        fprintf(stderr, "usage: %s TRACE OUT\n", argv[0]);
        return 2;
    }
    if (run(argv[1], argv[2], &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}
