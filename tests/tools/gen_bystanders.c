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
        t->born = t->now;
    }
}

/* Runs, and now and then writes to a file. */
static void idle_about(struct gen *g, struct gen_task *t, uint64_t ns)
{
    uint64_t begin = t->now + gen_ticks(g, (double)ns * 0.5 * gen_uniform(g));
    uint64_t end = begin + gen_ticks(g, (double)ns * 0.4 * gen_uniform(g));

    if (g->o->burst_mode) {
        gen_alone(g, t, (double)ns * 0.5);
        return;
    }
    gen_running_end(g, t, begin);
    gen_state(g, t, begin, end, STATE_IO);
    t->open = t->now = end;
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
            t->born = until;
        } else if (t->alive && progress >= t->death) {
            gen_finish_task(g, t);
            note(g, t, t->born, t->now);
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
        gen_finish_task(g, t);
        note(g, t, t->born, t->now);
    }
}
