#include "gen_run.h"

#define GHZ 2.3
#define IPC 1.31
/* A preempted task gets this share of its processor. */
#define SLOW 0.25
/* Shorter bursts are not written in burst mode. */
#define LONG_BURST 10000

/* splitmix: an odd step and two multiplications spread the counter over 64 bits. */
uint64_t gen_random(struct gen *g)
{
    uint64_t x = g->random += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

double gen_uniform(struct gen *g)
{
    return (double)(gen_random(g) >> 11) * 0x1p-53;
}

/* Nearly normal, of variance 1, never beyond 3.5: the sum of four uniforms. */
static double draw_normal(struct gen *g)
{
    double sum = gen_uniform(g) + gen_uniform(g) + gen_uniform(g) + gen_uniform(g);

    return (sum - 2) * 1.7320508;
}

uint64_t gen_ticks(const struct gen *g, double ns)
{
    uint64_t n = ns > 1 ? (uint64_t)ns : 1;

    return (n + g->tick - 1) / g->tick * g->tick;
}

void gen_state(struct gen *g, struct gen_task *t, uint64_t begin, uint64_t end, uint64_t state)
{
    if (g->o->no_states)
        return;
    gen_lines_state(&g->lines, &g->name[t->thread], t->thread, (uint64_t[2]){ begin, end }, state);
    t->records++;
}

static void event_open(struct gen *g, const struct gen_task *t, uint64_t time)
{
    gen_lines_event(&g->lines, &g->name[t->thread], time);
}

static void event_close(struct gen *g, struct gen_task *t, uint64_t time, enum gen_class class)
{
    gen_lines_close(&g->lines, time, t->thread, class);
    t->records++;
}

static void pair(struct gen *g, uint64_t type, uint64_t value)
{
    gen_lines_pair(&g->lines, type, value);
}

/* Line ids differ between tasks, as they do where address spaces are laid out at random. */
static void put_callers(struct gen *g, const struct gen_task *t, uint32_t site)
{
    uint64_t levels = g->o->callers;

    for (uint32_t i = 0; i < levels; i++) {
        uint32_t line = i == 0 ? site : i == 1 ? GEN_SITES + site / 4 : GEN_SITES * 5 / 4 + i;

        pair(g, TYPE_CALLER + i, i == 0 ? 2 + site / 4 : 2 + GEN_SITES / 4 + i);
        pair(g, TYPE_CALLER_LINE + i, 2 + line + (GEN_SITES * 5 / 4 + levels) * t->task);
    }
}

static void put_counters(struct gen *g, struct gen_task *t)
{
    pair(g, TYPE_INSTRUCTIONS, (uint64_t)((double)t->cycles * IPC));
    pair(g, TYPE_CYCLES, t->cycles);
    t->cycles = 0;
}

static void count_cycles(struct gen_task *t, uint64_t from, uint64_t ns, double share)
{
    if (from < t->slow_until)
        share *= SLOW;
    t->cycles += (uint64_t)((double)ns * GHZ * share);
}

static bool silent(const struct gen *g, uint64_t type)
{
    return g->o->no_calls || (g->o->burst_mode && type != TYPE_OTHER);
}

void gen_running_end(struct gen *g, struct gen_task *t, uint64_t end)
{
    if (end > t->open && !g->o->burst_mode)
        gen_state(g, t, t->open, end, STATE_RUNNING);
}

void gen_call_begin(struct gen *g, struct gen_task *t, uint64_t type, uint64_t call)
{
    uint64_t gap = gen_ticks(g, 200 + 300 * gen_uniform(g));

    count_cycles(t, t->now, gap, 1);
    t->now += gap;
    gen_running_end(g, t, t->now);
    t->call = t->now;
    t->silent = silent(g, type);
    if (t->silent)
        return;
    event_open(g, t, t->now);
    pair(g, type, call);
    t->split = call == CALL_SENDRECV;
}

void gen_call_pair(struct gen *g, const struct gen_task *t, uint64_t type, uint64_t value)
{
    if (!t->silent)
        pair(g, type, value);
}

void gen_call_opened(struct gen *g, struct gen_task *t, uint32_t site)
{
    enum gen_class class = GEN_EVENT;

    if (t->silent)
        return;
    /* Extrae splits the begin of MPI_Sendrecv around its communication line. */
    if (t->split && g->o->callers > 0) {
        event_close(g, t, t->call, GEN_EVENT);
        event_open(g, t, t->call);
        class = GEN_LATE;
    }
    if (g->o->counters)
        put_counters(g, t);
    put_callers(g, t, site);
    event_close(g, t, t->call, class);
}

static bool splits(uint64_t state)
{
    return state == STATE_SEND || state == STATE_ISEND;
}

void gen_call_end(struct gen *g, struct gen_task *t, uint64_t end, uint64_t type, uint64_t state)
{
    uint64_t length = end - t->call;

    count_cycles(t, t->call, length, 0.8);
    t->open = t->now = end;
    t->burst_calls++;
    t->burst_time += length;
    if (!g->o->burst_mode || type == TYPE_OTHER)
        gen_state(g, t, t->call, end, state);
    if (t->silent)
        return;
    event_open(g, t, end);
    pair(g, type, 0);
    /* Here it is the end of a send that is split. */
    if (g->o->counters && splits(state)) {
        event_close(g, t, end, GEN_EVENT);
        event_open(g, t, end);
        put_counters(g, t);
        event_close(g, t, end, GEN_LATE);
    } else {
        if (g->o->counters)
            put_counters(g, t);
        event_close(g, t, end, GEN_EVENT);
    }
}

void gen_flush(struct gen *g, struct gen_task *t, uint64_t length)
{
    uint64_t begin = t->now + gen_ticks(g, 300), end = begin + length;

    gen_running_end(g, t, begin);
    if (!g->o->burst_mode)
        gen_state(g, t, begin, end, STATE_IO);
    if (!g->o->no_calls) {
        event_open(g, t, begin);
        pair(g, TYPE_FLUSH, 1);
        event_close(g, t, begin, GEN_EVENT);
        event_open(g, t, end);
        pair(g, TYPE_FLUSH, 0);
        if (g->o->counters)
            put_counters(g, t);
        event_close(g, t, end, GEN_EVENT);
    }
    t->records = 0;
    t->open = t->now = end;
}

void gen_flush_if_full(struct gen *g, struct gen_task *t)
{
    struct gen_mask m = { "flush", 0, 0, t->application + 1, t->task + 1, 1 };
    uint64_t length;

    if (g->o->flush_every == 0 || t->records < g->o->flush_every)
        return;
    length = gen_ticks(g, (double)g->o->flush_ns * (0.8 + 0.4 * gen_uniform(g)));
    gen_flush(g, t, length);
    m.start = t->now - length;
    m.end = t->now;
    gen_truth_mask(&g->truth, m);
}

/* Wall time of cpu time that begins now. */
static uint64_t wall(const struct gen *g, const struct gen_task *t, uint64_t cpu)
{
    double had;

    if (t->now >= t->slow_until)
        return cpu;
    had = (double)(t->slow_until - t->now) * SLOW;
    if ((double)cpu <= had)
        return gen_ticks(g, (double)cpu / SLOW);
    return gen_ticks(g, (double)(t->slow_until - t->now + cpu) - had);
}

static const uint32_t statistics[] = { TYPE_BURST_TIME, 54000009, 54000000 };

static void put_statistics(struct gen *g, const struct gen_task *t, bool begin)
{
    const uint64_t value[] = { t->burst_time, t->burst_time, t->burst_calls };

    for (size_t i = 0; i < 3; i++)
        pair(g, statistics[i], begin ? value[i] / (i < 2 ? g->tick : 1) : 0);
}

static void write_burst(struct gen *g, struct gen_task *t, uint64_t begin, uint64_t end)
{
    if (end - begin < LONG_BURST)
        return;
    event_open(g, t, begin);
    put_statistics(g, t, true);
    event_close(g, t, begin, GEN_EVENT);
    gen_state(g, t, begin, end, STATE_RUNNING);
    event_open(g, t, end);
    put_callers(g, t, (uint32_t)(t->burst_calls % GEN_SITES));
    put_statistics(g, t, false);
    event_close(g, t, end, GEN_EVENT);
    t->burst_calls = t->burst_time = 0;
}

static uint64_t draw_cpu(struct gen *g, const struct gen_task *t, double ns)
{
    double factor = 1 + g->o->jitter * draw_normal(g);

    return gen_ticks(g, ns * t->pace * g->growth * (factor > 0.02 ? factor : 0.02));
}

static void omp_line(struct gen *g, const struct gen_part *p, uint64_t time, uint64_t type,
                     uint64_t value)
{
    if (g->o->no_calls)
        return;
    gen_lines_event(&g->lines, &g->name[p->thread], time);
    pair(g, type, value);
    if (type == TYPE_OMP_FUNCTION)
        pair(g, TYPE_OMP_FUNCTION + 100, value);
    gen_lines_close(&g->lines, time, p->thread, GEN_EVENT);
}

static void omp_state(struct gen *g, const struct gen_part *p, uint64_t from, uint64_t to,
                      uint64_t state)
{
    if (!g->o->no_states && to > from)
        gen_lines_state(&g->lines, &g->name[p->thread], p->thread, (uint64_t[2]){ from, to },
                        state);
}

/* One thread's share of a parallel region: function, barrier, end. */
static void write_part(struct gen *g, const struct gen_part *p, uint64_t barrier_end)
{
    omp_line(g, p, p->begin, TYPE_OMP_FUNCTION, 2);
    omp_state(g, p, p->begin, p->work_end, STATE_RUNNING);
    omp_line(g, p, p->work_end, TYPE_OMP_BARRIER, 1);
    omp_state(g, p, p->work_end, barrier_end, STATE_BARRIER);
    omp_line(g, p, barrier_end, TYPE_OMP_BARRIER, 0);
    omp_state(g, p, barrier_end, p->end, STATE_RUNNING);
    omp_line(g, p, p->end, TYPE_OMP_FUNCTION, 0);
}

/* The task's threads share the work; those that are not the first leave gaps between regions. */
static void run_parallel(struct gen *g, struct gen_task *t, double ns)
{
    uint64_t fork = t->now + gen_ticks(g, 400), begin = fork + gen_ticks(g, 1500), last = 0;
    uint64_t tail = gen_ticks(g, 300);
    struct gen_part *part = g->part;
    struct gen_part master = { .thread = t->thread };

    for (uint32_t i = 0; i < g->o->threads; i++) {
        part[i].thread = t->thread + i;
        part[i].begin = begin + (i == 0 ? 0 : gen_ticks(g, 1000 * gen_uniform(g)));
        part[i].work_end = part[i].begin + wall(g, t, draw_cpu(g, t, ns));
        if (part[i].work_end > last)
            last = part[i].work_end;
    }
    last += tail;
    for (uint32_t i = 0; i < g->o->threads; i++) {
        part[i].end = last + tail;
        write_part(g, &part[i], last);
    }
    gen_running_end(g, t, fork);
    omp_line(g, &master, fork, TYPE_PARALLEL, 3);
    omp_state(g, &master, fork, begin, STATE_FORK);
    omp_state(g, &master, last + tail, last + 3 * tail, STATE_FORK);
    omp_line(g, &master, last + 3 * tail, TYPE_PARALLEL, 0);
    count_cycles(t, t->now, last - fork, 1);
    t->records += 10;
    t->open = t->now = last + 3 * tail;
}

void gen_alone(struct gen *g, struct gen_task *t, double ns)
{
    uint64_t begin = t->now, cpu = draw_cpu(g, t, ns);

    t->now += wall(g, t, cpu);
    t->cycles += (uint64_t)((double)cpu * GHZ);
    if (!g->o->burst_mode)
        return;
    write_burst(g, t, begin, t->now);
    t->open = t->now;
}

void gen_burst(struct gen *g, struct gen_task *t, double ns)
{
    if (g->o->threads > 1 && !g->o->burst_mode)
        run_parallel(g, t, ns);
    else
        gen_alone(g, t, ns);
}

void gen_settle(struct gen *g)
{
    uint64_t before = UINT64_MAX;

    if (g->lines.count < g->lines.full)
        return;
    for (uint64_t i = 0; i < g->o->applications * gen_options_all_tasks(g->o); i++)
        if (g->task[i].open < before)
            before = g->task[i].open;
    gen_lines_settle(&g->lines, before);
}
