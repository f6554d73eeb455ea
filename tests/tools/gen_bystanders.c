#include "gen_run.h"

/* What is left of a bystander's time is too short to be worth a line. */
#define TOO_SHORT 5000

static bool makes_calls(const struct gen *g, const struct gen_task *t)
{
    return t->task < g->o->tasks + g->o->short_lived;
}

static void note(struct gen *g, const struct gen_task *t, uint64_t start, uint64_t end)
{
    gen_truth_bystander(&g->truth,
                        (struct gen_mask){ makes_calls(g, t) ? "short-lived" : "silent", start, end,
                                           t->application + 1, t->task + 1, 1 });
}

/* Every other short-lived one begins late, the others end early. */
static void set_life(struct gen *g, struct gen_task *t)
{
    const double turn = 0.2 + 0.4 * gen_uniform(g);
    const bool late = makes_calls(g, t) && (t->task - g->o->tasks) % 2 == 0;

    t->birth = late ? turn : 0;
    t->death = late || !makes_calls(g, t) ? 2 : turn;
}

void gen_bystanders_start(struct gen *g, struct gen_task *first)
{
    const uint64_t all = gen_options_all_tasks(g->o);

    for (struct gen_task *t = first + g->o->tasks; t < first + all; t++) {
        set_life(g, t);
        t->open = UINT64_MAX;
        if (t->birth <= 0)
            gen_start_task(g, t, gen_ticks(g, 100000 * gen_uniform(g)));
    }
}

/* Its buffer is flushed when it ends, beside a loop that goes on. */
static void end_early(struct gen *g, struct gen_task *t)
{
    struct gen_mask m = { "flush", t->now, 0, t->application + 1, t->task + 1, 1 };

    gen_finish_task(g, t);
    m.end = t->now;
    gen_truth_mask(&g->truth, m);
    note(g, t, t->born, t->now);
}

static void write_file(struct gen *g, struct gen_task *t, uint64_t end)
{
    if (end <= t->now)
        return;
    gen_running_end(g, t, t->now);
    if (!g->o->burst_mode)
        gen_state(g, t, t->now, end, STATE_IO);
    t->open = t->now = end;
}

/* Runs, and now and then writes to a file. */
static void idle_about(struct gen *g, struct gen_task *t, uint64_t ns)
{
    gen_alone(g, t, (double)ns * 0.5 * gen_uniform(g));
    write_file(g, t, t->now + gen_ticks(g, (double)ns * 0.4 * gen_uniform(g)));
}

static void follow(struct gen *g, struct gen_task *t, uint64_t until)
{
    if (until < t->now + TOO_SHORT)
        return;
    if (!makes_calls(g, t)) {
        idle_about(g, t, until - t->now);
        return;
    }
    gen_alone(g, t, (double)(until - t->now) * 0.6);
    gen_step_self(g, t, 61, 1024);
}

void gen_bystanders_follow(struct gen *g, struct gen_task *first, double progress, uint64_t until)
{
    const uint64_t all = gen_options_all_tasks(g->o);

    for (struct gen_task *t = first + g->o->tasks; t < first + all; t++) {
        if (!t->alive && t->birth > 0 && progress >= t->birth && progress < t->death) {
            gen_start_task(g, t, until);
        } else if (t->alive && progress >= t->death) {
            end_early(g, t);
        } else if (t->alive) {
            follow(g, t, until);
        }
    }
}

void gen_bystanders_finish(struct gen *g, struct gen_task *first)
{
    const uint64_t all = gen_options_all_tasks(g->o);

    for (struct gen_task *t = first + g->o->tasks; t < first + all; t++) {
        if (!t->alive)
            continue;
        write_file(g, t, first->now);
        gen_finish_task(g, t);
        note(g, t, t->born, t->now);
    }
}
