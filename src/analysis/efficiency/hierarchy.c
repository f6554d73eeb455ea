#include "analysis/efficiency/hierarchy.h"

#include "model/factors.h"

#include <math.h>

/* From where on instructions of a thread that stay the same are weak scaling. */
#define WEAK 0.9

static double hie_ratio(double a, double b)
{
    return b > 0 && a >= 0 ? a / b : (double)NAN;
}

static void hie_multiplicative(double f[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s)
{
    f[PRVCUT_POP_BALANCE] = hie_ratio(s->total / s->threads, s->most);
    f[PRVCUT_POP_COMMUNICATION] = hie_ratio(s->most, s->runtime);
    f[PRVCUT_POP_SERIALIZATION] = hie_ratio(s->ideal_most, s->ideal);
    /* Where serialization is of other computing, the product stays. */
    f[PRVCUT_POP_TRANSFER] = s->ideal_most == s->most ? hie_ratio(s->ideal, s->runtime)
                                                      : hie_ratio(f[PRVCUT_POP_COMMUNICATION],
                                                                  f[PRVCUT_POP_SERIALIZATION]);
    f[PRVCUT_POP_PARALLEL] = f[PRVCUT_POP_BALANCE] * f[PRVCUT_POP_COMMUNICATION];
    f[PRVCUT_POP_PROCESS_BALANCE] = hie_ratio(s->processed / s->processes, s->most);
    f[PRVCUT_POP_PROCESS_PARALLEL] = f[PRVCUT_POP_PROCESS_BALANCE] * f[PRVCUT_POP_COMMUNICATION];
}

static void hie_additive(double f[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s)
{
    f[PRVCUT_POP_BALANCE] = 1 - (s->most - s->total / s->threads) / s->runtime;
    f[PRVCUT_POP_SERIALIZATION] = 1 - (s->ideal - s->ideal_most) / s->runtime;
    f[PRVCUT_POP_TRANSFER] = s->ideal / s->runtime;
    f[PRVCUT_POP_COMMUNICATION] = s->most / s->runtime;
    if (s->ideal_most != s->most)
        f[PRVCUT_POP_TRANSFER] = f[PRVCUT_POP_COMMUNICATION] + 1 - f[PRVCUT_POP_SERIALIZATION];
    f[PRVCUT_POP_PARALLEL] = f[PRVCUT_POP_BALANCE] + f[PRVCUT_POP_COMMUNICATION] - 1;
    f[PRVCUT_POP_PROCESS_BALANCE] = 1 - (s->most - s->processed / s->processes) / s->runtime;
    f[PRVCUT_POP_PROCESS_PARALLEL] =
        f[PRVCUT_POP_PROCESS_BALANCE] + f[PRVCUT_POP_COMMUNICATION] - 1;
}

void prvcut_hierarchy_of(double factor[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s,
                         enum prvcut_factors_form form)
{
    for (unsigned i = 0; i < PRVCUT_POPS; i++)
        factor[i] = (double)NAN;
    factor[PRVCUT_POP_IPC] = hie_ratio(s->instructions, s->cycles);
    factor[PRVCUT_POP_FREQUENCY] = hie_ratio(s->cycles, s->total);
    if (!(s->most > 0) || !(s->runtime > 0))
        return;
    if (form == PRVCUT_FACTORS_ADDITIVE)
        hie_additive(factor, s);
    else
        hie_multiplicative(factor, s);
    factor[PRVCUT_POP_THREAD_PARALLEL] =
        hie_ratio(factor[PRVCUT_POP_PARALLEL], factor[PRVCUT_POP_PROCESS_PARALLEL]);
}

void prvcut_hierarchy_compare(double factor[PRVCUT_POPS], const struct prvcut_hierarchy_sums *s,
                              const struct prvcut_hierarchy_sums *base, bool weak)
{
    const double w = weak ? s->threads / base->threads : 1;

    factor[PRVCUT_POP_COMPUTATION_SCALABILITY] = w * hie_ratio(base->total, s->total);
    factor[PRVCUT_POP_GLOBAL] =
        factor[PRVCUT_POP_PARALLEL] * factor[PRVCUT_POP_COMPUTATION_SCALABILITY];
    factor[PRVCUT_POP_IPC_SCALABILITY] = hie_ratio(hie_ratio(s->instructions, s->cycles),
                                                   hie_ratio(base->instructions, base->cycles));
    factor[PRVCUT_POP_INSTRUCTION_SCALABILITY] = w * hie_ratio(base->instructions, s->instructions);
    factor[PRVCUT_POP_FREQUENCY_SCALABILITY] =
        hie_ratio(hie_ratio(s->cycles, s->total), hie_ratio(base->cycles, base->total));
    factor[PRVCUT_POP_SPEEDUP] = w * hie_ratio(base->runtime, s->runtime);
}

const char *prvcut_hierarchy_unlike(const struct prvcut_hierarchy_sums *s,
                                    const struct prvcut_hierarchy_sums *base)
{
    const double threads = hie_ratio(s->threads, base->threads);

    if (!(s->total > 0) || !(base->total > 0))
        return "what it, or the run that it is compared with, computes is not told: nobody knows "
               "whether it is the same work";
    if (s->instructions > 0 && base->instructions > 0)
        return prvcut_factors_is_other(s->instructions / base->instructions, threads)
                   ? "its instructions cannot be those of the same work as in the run that it is "
                     "compared with: another program or input"
                   : NULL;
    return prvcut_factors_is_other(s->total / base->total, threads)
               ? "its computing cannot be that of the same work as in the run that it is compared "
                 "with: another program or input"
               : NULL;
}

bool prvcut_hierarchy_is_weak(const struct prvcut_hierarchy_sums *s, size_t runs, size_t base,
                              bool *guessed)
{
    double sum = 0;
    size_t others = 0;

    for (size_t i = 0; i < runs; i++) {
        if (i == base)
            continue;
        sum += hie_ratio(hie_ratio(s[i].instructions, s[base].instructions),
                         s[i].threads / s[base].threads);
        others++;
    }
    *guessed = others > 0 && isnan(sum);
    return others > 0 && !isnan(sum) && sum / (double)others > WEAK;
}

static const char *const hie_names[PRVCUT_POPS] = {
    [PRVCUT_POP_PARALLEL] = "parallel",
    [PRVCUT_POP_BALANCE] = "balance",
    [PRVCUT_POP_COMMUNICATION] = "communication",
    [PRVCUT_POP_SERIALIZATION] = "serialization",
    [PRVCUT_POP_TRANSFER] = "transfer",
    [PRVCUT_POP_COMPUTATION_SCALABILITY] = "computation_scalability",
    [PRVCUT_POP_GLOBAL] = "global",
    [PRVCUT_POP_IPC_SCALABILITY] = "ipc_scalability",
    [PRVCUT_POP_INSTRUCTION_SCALABILITY] = "instruction_scalability",
    [PRVCUT_POP_FREQUENCY_SCALABILITY] = "frequency_scalability",
    [PRVCUT_POP_SPEEDUP] = "speedup",
    [PRVCUT_POP_IPC] = "ipc",
    [PRVCUT_POP_FREQUENCY] = "frequency_ghz",
    [PRVCUT_POP_PROCESS_BALANCE] = "process_balance",
    [PRVCUT_POP_PROCESS_PARALLEL] = "process_parallel",
    [PRVCUT_POP_THREAD_PARALLEL] = "thread_parallel",
};

const char *prvcut_pop_text(enum prvcut_pop factor)
{
    return (unsigned)factor < PRVCUT_POPS ? hie_names[factor] : NULL;
}
