#include "gen_run.h"

#include <math.h>

/* Burst lengths that have no typical size: even in the logarithm. */
static double any_length(struct gen *g, double least, double most)
{
    return least * pow(most / least, gen_uniform(g));
}

static void burst_each(struct gen *g, struct gen_task *first, double least, double most)
{
    for (uint64_t i = 0; i < g->o->tasks; i++)
        gen_burst(g, &first[i], any_length(g, least, most));
}

/* Messages between partners that are drawn anew each time. */
static void random_messages(struct gen *g, struct gen_task *first)
{
    uint64_t n = g->o->tasks, count = 1 + gen_random(g) % (n > 1 ? n : 1);

    for (uint64_t i = 0; i < count && n > 1; i++) {
        uint64_t from = gen_random(g) % n, to = (from + 1 + gen_random(g) % (n - 1)) % n;
        uint64_t size = (uint64_t)any_length(g, 8, 200000);

        gen_step_message(g, &first[from], &first[to], (uint32_t)(gen_random(g) % 48), size);
        if (gen_random(g) % 2 == 0)
            gen_burst(g, &first[to], any_length(g, 3000, 200000));
    }
}

static void random_collective(struct gen *g, struct gen_task *first)
{
    static const uint64_t call[] = { CALL_BCAST, CALL_BCAST, CALL_BARRIER, CALL_REDUCE,
                                     CALL_ALLREDUCE };

    gen_step_collective(g, first, (uint32_t)(48 + gen_random(g) % 8), call[gen_random(g) % 5],
                        (uint64_t)any_length(g, 4, 100000));
}

/* The first task reads; the others wait for what it has to say. */
static void read_file(struct gen *g, struct gen_task *first, double ns)
{
    gen_burst(g, first, ns * (0.3 + gen_uniform(g)));
    gen_step_collective(g, first, 56, CALL_BCAST, (uint64_t)any_length(g, 1000, 1000000));
}

void gen_irregular(struct gen *g, struct gen_task *first, uint64_t ns, bool collectives_only)
{
    uint64_t end = first->now + ns;
    double most = (double)ns / (collectives_only ? 6 : 1.5);

    while (first->now < end) {
        uint64_t draw = gen_random(g) % 8;

        if (most > 20000)
            burst_each(g, first, most / 100, most);
        if (collectives_only && draw < 3)
            read_file(g, first, most);
        else if (collectives_only || draw < 2)
            random_collective(g, first);
        else
            random_messages(g, first);
        gen_settle(g);
    }
}

void gen_start_task(struct gen *g, struct gen_task *t, uint64_t start)
{
    static const uint64_t zero = 0;
    uint64_t cpu = t->thread % 2 + 1;

    for (uint32_t i = 0; i < g->o->threads; i++) {
        uint32_t thread = t->thread + i;
        uint64_t born = start + (i == 0 ? 0 : gen_ticks(g, 500000));

        /* Of a task that comes late, nothing may be written at time 0 any more. */
        if (born > 0 && t->birth <= 0 && !g->o->no_states)
            gen_lines_state(&g->lines, &g->name[thread], thread, (uint64_t[2]){ zero, born },
                            STATE_NOT_CREATED);
        if (g->o->no_calls)
            continue;
        gen_lines_event(&g->lines, &g->name[thread], born);
        gen_lines_pair(&g->lines, TYPE_APPLICATION, 1);
        gen_lines_pair(&g->lines, TYPE_CLOCK, UINT64_C(3469737044231) + born);
        gen_lines_pair(&g->lines, TYPE_CPU, cpu);
        gen_lines_pair(&g->lines, TYPE_CPU + 100, 0);
        gen_lines_close(&g->lines, born, thread, GEN_EARLY);
    }
    t->born = t->open = t->now = start;
    t->alive = true;
    if (g->o->no_calls)
        return;
    gen_lines_event(&g->lines, &g->name[t->thread], start);
    gen_lines_pair(&g->lines, TYPE_MODE, g->o->burst_mode ? 2 : 1);
    if (g->o->counters) {
        gen_lines_pair(&g->lines, TYPE_COUNTER_SET, 1);
        gen_lines_pair(&g->lines, TYPE_INSTRUCTIONS, 0);
        gen_lines_pair(&g->lines, TYPE_CYCLES, 0);
    }
    gen_lines_close(&g->lines, start, t->thread, GEN_EVENT);
}

static void call_init(struct gen *g, struct gen_task *t, uint64_t init_end)
{
    gen_call_begin(g, t, TYPE_OTHER, CALL_INIT);
    for (uint32_t i = 0; i < 3; i++)
        gen_call_pair(g, t, TYPE_PID + i, i == 0 ? 4461 + t->task : i - 1);
    gen_call_opened(g, t, 57);
    gen_call_end(g, t, init_end + gen_ticks(g, 100000 * gen_uniform(g)), TYPE_OTHER, STATE_OTHER);
    for (uint64_t call = CALL_COMM_RANK; call <= CALL_COMM_SIZE; call++) {
        gen_call_begin(g, t, TYPE_OTHER, call);
        gen_call_opened(g, t, 58);
        gen_call_end(g, t, t->now + gen_ticks(g, 5000 + 5000 * gen_uniform(g)), TYPE_OTHER,
                     STATE_OTHER);
    }
}

void gen_start_tasks(struct gen *g, struct gen_task *first)
{
    /* The first process of the first application is time 0. */
    uint64_t early = first == g->task ? gen_random(g) % g->o->tasks : UINT64_MAX, all = 0;
    double spread = (double)g->o->init_ns / 20 + 100000;

    for (uint64_t i = 0; i < g->o->tasks; i++) {
        struct gen_task *t = &first[i];
        uint64_t start = i == early ? 0 : gen_ticks(g, gen_uniform(g) * spread);

        gen_start_task(g, t, start);
        gen_alone(g, t, 3000000);
        all = t->now > all ? t->now : all;
    }
    for (uint64_t i = 0; i < g->o->tasks; i++)
        call_init(g, &first[i], all + gen_ticks(g, 600000));
}

static void finish_worker(struct gen *g, uint32_t thread, uint64_t end)
{
    static const uint64_t length = 60000;
    static const uint32_t type[] = { TYPE_FLUSH, TYPE_FLUSH, TYPE_APPLICATION };

    if (!g->o->no_states)
        gen_lines_state(&g->lines, &g->name[thread], thread, (uint64_t[2]){ end - length, end },
                        STATE_IO);
    for (size_t i = 0; i < 3 && !g->o->no_calls; i++) {
        uint64_t time = i == 0 ? end - length : end;

        gen_lines_event(&g->lines, &g->name[thread], time);
        gen_lines_pair(&g->lines, type[i], i == 0);
        gen_lines_close(&g->lines, time, thread, GEN_EVENT);
    }
}

void gen_finish_task(struct gen *g, struct gen_task *t)
{
    gen_flush(g, t, gen_ticks(g, 300000));
    for (uint32_t k = 1; k < g->o->threads; k++)
        finish_worker(g, t->thread + k, t->now);
    t->now += gen_ticks(g, 3000);
    gen_running_end(g, t, t->now);
    if (t->now > g->truth.duration)
        g->truth.duration = t->now;
    if (!g->o->no_calls) {
        gen_lines_event(&g->lines, &g->name[t->thread], t->now);
        gen_lines_pair(&g->lines, TYPE_APPLICATION, 0);
        gen_lines_pair(&g->lines, TYPE_CLOCK, UINT64_C(3469737044231) + t->now);
        gen_lines_close(&g->lines, t->now, t->thread, GEN_LATE);
    }
    t->open = UINT64_MAX;
    t->alive = false;
}

void gen_finish_tasks(struct gen *g, struct gen_task *first)
{
    for (uint64_t i = 0; i < g->o->tasks; i++) {
        struct gen_task *t = &first[i];

        gen_call_begin(g, t, TYPE_OTHER, CALL_FINALIZE);
        gen_call_opened(g, t, 58);
        gen_call_end(g, t, t->now + gen_ticks(g, 15000), TYPE_OTHER, STATE_OTHER);
        t->now += gen_ticks(g, 2000000 * (0.5 + gen_uniform(g)));
        gen_finish_task(g, t);
    }
}
