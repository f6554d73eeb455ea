/* How do runs on more and more processors scale, and what holds them back? Of traces of any format.
 */
#include <prvcut/efficiency.h>

#include <stdio.h>

/* The factors at the bottom of the hierarchy: what their product is lost to. */
static const enum prvcut_pop leaf[] = {
    PRVCUT_POP_BALANCE,
    PRVCUT_POP_SERIALIZATION,
    PRVCUT_POP_TRANSFER,
    PRVCUT_POP_IPC_SCALABILITY,
    PRVCUT_POP_INSTRUCTION_SCALABILITY,
    PRVCUT_POP_FREQUENCY_SCALABILITY,
};

static void tell(const struct prvcut_efficiency_run *r)
{
    enum prvcut_pop worst = leaf[0];

    for (size_t i = 1; i < sizeof leaf / sizeof *leaf; i++)
        if (prvcut_efficiency_factor(r, leaf[i]) < prvcut_efficiency_factor(r, worst))
            worst = leaf[i];
    printf("%u threads: speedup %.2f, global efficiency %.1f %%, least %s %.1f %%\n", r->threads,
           prvcut_efficiency_factor(r, PRVCUT_POP_SPEEDUP),
           100 * prvcut_efficiency_factor(r, PRVCUT_POP_GLOBAL), prvcut_pop_text(worst),
           100 * prvcut_efficiency_factor(r, worst));
}

int main(int argc, char **argv)
{
    struct prvcut_error err = { .text = "usage: scaling TRACE..." };
    struct prvcut_efficiency *e = NULL;
    int st = argc > 1 ? PRVCUT_OK : PRVCUT_EUSAGE;

    for (int i = 1; i < argc && st == PRVCUT_OK; i++) {
        struct prvcut_trace *trace = NULL;

        st = prvcut_trace_open(&trace, argv[i], NULL, &err);
        if (st == PRVCUT_OK && e)
            st = prvcut_efficiency_add(e, trace, NULL, false, &err);
        else if (st == PRVCUT_OK)
            st = prvcut_efficiency_make(trace, NULL, NULL, &e, &err);
        prvcut_trace_close(trace);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < e->runs; i++)
        tell(prvcut_efficiency_run(e, i));
    if (st < 0)
        fprintf(stderr, "%s\n", err.text);
    prvcut_efficiency_free(e);
    return st < 0;
}
