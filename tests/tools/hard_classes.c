#include "hard.h"

#include <math.h>

/*
 * Each class: one thing that makes the outermost iteration hard to find. Symbols that must tell an
 * iteration (a closing call of its own size) are drawn so that nothing inside looks like them.
 */

static const int both[] = { 1, -1 };
static const int ring[] = { 1 };

/* A collective that no drawn body holds: its size is of no list. */
static void closing(struct hard *h, unsigned group, unsigned site)
{
    hard_collective(h, group, HARD_ALLREDUCE, 40, site);
}

/* What is begun with: the set-up, the function of the loop. */
static struct hard_loop *begin(struct hard *h)
{
    hard_start(h);
    hard_enter(h);
    return hard_loop_add(h);
}

static void end(struct hard *h, struct hard_loop *l)
{
    hard_mark(h, l, 0);
    hard_leave(h);
    hard_finish(h);
}

/* A body that is repeated some times in a function of its own. */
static void inner(struct hard *h, unsigned group, const struct hard_body *b, unsigned times)
{
    hard_enter(h);
    for (unsigned i = 0; i < times; i++)
        hard_run(h, group, b);
    hard_leave(h);
}

/* The same function is entered again and again: its lines must not be new ones each time. */
static void inner_at(struct hard *h, unsigned group, const struct hard_body *b, unsigned times,
                     unsigned site)
{
    const unsigned next = h->next_site;

    h->next_site = site;
    inner(h, group, b, times);
    h->next_site = next;
}

/* --- Regular ------------------------------------------------------------------------------- */

/* Nested loops of fixed numbers. */
static void nest(struct hard *h)
{
    const unsigned n = (unsigned)hard_log(h, 5, 80), m = hard_between(h, 2, 12);
    const unsigned site = hard_site(h);
    const struct hard_body a = hard_draw(h, hard_between(h, 1, 4));
    const struct hard_body b = hard_draw(h, hard_between(h, 1, 4));
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &a);
        inner_at(h, 0, &b, m, site);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* The same in heavy noise. */
static void noise(struct hard *h)
{
    h->noise = 0.8;
    nest(h);
}

/* Sweeps forth and back through the ranks. */
static void stages(struct hard *h)
{
    const unsigned n = hard_between(h, 10, 40), m = hard_between(h, 4, 12), site = hard_site(h);
    struct hard_body b = hard_draw(h, 1);
    const struct hard_body a = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    b.op[0].kind = HARD_OP_SWEEP;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        inner_at(h, 0, &b, m, site);
        hard_run(h, 0, &a);
    }
    end(h, l);
}

/* Steps after which what comes every a and what comes every b steps come together again. */
static unsigned both_in(unsigned a, unsigned b)
{
    unsigned n = a;

    while (n % b != 0)
        n += a;
    return n;
}

/* Something more every k steps: checkpoint, output, sort; one or two of these. */
static void checkpoint(struct hard *h)
{
    const unsigned k = hard_between(h, 3, 12), n = k * hard_between(h, 4, 9);
    const unsigned again = hard_chance(h, 0.4) ? hard_between(h, 2, 4) : 0;
    const struct hard_body a = hard_draw(h, hard_between(h, 2, 4));
    const struct hard_body rare = hard_draw(h, hard_between(h, 1, 4));
    const struct hard_body more = hard_draw(h, 2);
    const unsigned site = hard_site(h);
    const double long_one = hard_log(h, 1e5, 4e6);
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &a);
        closing(h, 0, site);
        if (i % k == k - 1) {
            hard_work(h, 0, long_one);
            hard_run(h, 0, &rare);
        }
        if (again > 0 && i % again == again - 1)
            hard_run(h, 0, &more);
    }
    hard_multiple(l, k);
    hard_multiple(l, again);
    if (again > 0 && k % again != 0)
        hard_multiple(l, both_in(k, again));
    end(h, l);
}

/* --- As many inner ones as the data ask for ------------------------------------------------ */

/* Newton's iterations in time steps, a linear solver in each. */
static void newton(struct hard *h)
{
    const unsigned n = hard_between(h, 8, 30), most = hard_between(h, 6, 25), site = hard_site(h);
    const struct hard_body solver = hard_draw(h, hard_between(h, 2, 3));
    const struct hard_body before = hard_draw(h, hard_between(h, 0, 2));
    struct hard_loop *l = begin(h);

    h->next_site += 2;
    for (unsigned i = 0; i < n; i++) {
        const unsigned passes = hard_between(h, 2, 5);

        hard_mark(h, l, 0);
        for (unsigned k = 0; k < passes; k++) {
            hard_run(h, 0, &before);
            inner_at(h, 0, &solver, hard_between(h, 3, most), site);
            hard_collective(h, 0, HARD_ALLREDUCE, 48, site + 1);
        }
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* Cycles over levels until converged. */
static void vcycles(struct hard *h)
{
    const unsigned n = hard_between(h, 10, 40), levels = hard_between(h, 3, 5), s = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 12;
    for (unsigned i = 0; i < n; i++) {
        const unsigned cycles = hard_between(h, 2, 9);

        hard_mark(h, l, 0);
        hard_halo(h, 0, both, 2, 30000, s, 0);
        for (unsigned c = 0; c < cycles; c++) {
            for (unsigned k = 0; k < 2 * levels - 1; k++) {
                const unsigned level = k < levels ? k : 2 * levels - 2 - k;

                hard_work(h, 0, 60000.0 / (1 << level));
                hard_halo(h, 0, both, 2, 16384U >> (2 * level), s + 3, 0);
            }
            hard_collective(h, 0, HARD_ALLREDUCE, 8, s + 6);
        }
        hard_work(h, 0, 30000);
        hard_collective(h, 0, HARD_ALLREDUCE, 24, s + 7);
    }
    end(h, l);
}

/* Tries are thrown away where the error is too large. */
static void reject(struct hard *h)
{
    const unsigned n = hard_between(h, 20, 80), stages_of = hard_between(h, 2, 4);
    const struct hard_body stage = hard_draw(h, hard_between(h, 1, 3));
    const double p = 0.1 + 0.3 * hard_real(h);
    const unsigned site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 2;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        do {
            for (unsigned k = 0; k < stages_of; k++)
                hard_run(h, 0, &stage);
            hard_collective(h, 0, HARD_ALLREDUCE, 8, site);
        } while (hard_chance(h, p));
        hard_work(h, 0, 10000);
        hard_collective(h, 0, HARD_BCAST, 36, site + 1);
    }
    end(h, l);
}

/* Self-consistent passes in steps. */
static void scf(struct hard *h)
{
    const unsigned n = hard_between(h, 8, 30), most = hard_between(h, 9, 25), site = hard_site(h);
    const struct hard_body pass = hard_draw(h, hard_between(h, 2, 4));
    const struct hard_body move = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    h->next_site += 2;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        inner_at(h, 0, &pass, hard_between(h, 4, most), site);
        hard_run(h, 0, &move);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* An optimiser whose line searches take 1 to 5 evaluations. */
static void linesearch(struct hard *h)
{
    const unsigned n = hard_between(h, 10, 40), site = hard_site(h), m = hard_between(h, 2, 8);
    const struct hard_body gradient = hard_draw(h, hard_between(h, 2, 4));
    const struct hard_body forward = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        const unsigned evaluations = hard_between(h, 1, 5);

        hard_mark(h, l, 0);
        hard_run(h, 0, &gradient);
        for (unsigned k = 0; k < evaluations; k++) {
            inner_at(h, 0, &forward, m, site);
            hard_collective(h, 0, HARD_ALLREDUCE, 48, site + 2);
        }
        closing(h, 0, site + 3);
    }
    end(h, l);
}

/* Restarted solvers: each inner iteration makes more dot products than the last. */
static void gmres(struct hard *h)
{
    const unsigned n = hard_between(h, 10, 30), restart = hard_between(h, 4, 9);
    const unsigned site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 6;
    for (unsigned i = 0; i < n; i++) {
        const unsigned passes = hard_between(h, 5, 4 * restart);

        hard_mark(h, l, 0);
        for (unsigned k = 0; k < passes; k++) {
            hard_work(h, 0, 20000);
            hard_halo(h, 0, both, 2, 4096, site, 0);
            for (unsigned d = 0; d <= k % restart; d++)
                hard_collective(h, 0, HARD_ALLREDUCE, 8, site + 3);
        }
        hard_work(h, 0, 15000);
        closing(h, 0, site + 4);
    }
    end(h, l);
}

/* Restarts of a clustering, each of so many passes as it takes. */
static void kmeans(struct hard *h)
{
    const unsigned n = hard_between(h, 5, 12), site = hard_site(h);
    const struct hard_body pass = hard_draw(h, hard_between(h, 1, 2));
    struct hard_loop *l = begin(h);

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_collective(h, 0, HARD_BCAST, 2048, site);
        inner_at(h, 0, &pass, hard_between(h, 20, 60), site);
        hard_collective(h, 0, HARD_REDUCE, 40, site + 1);
    }
    end(h, l);
}

/* A study: set-up, as many steps as the case takes, gathering. */
static void study(struct hard *h)
{
    const unsigned n = hard_between(h, 4, 9), site = hard_site(h);
    const struct hard_body pass = hard_draw(h, hard_between(h, 2, 4));
    const struct hard_body before = hard_draw(h, hard_between(h, 2, 4));
    struct hard_loop *l = begin(h);

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &before);
        inner_at(h, 0, &pass, hard_between(h, 12, 30), site);
        hard_collective(h, 0, HARD_GATHER, 512, site + 1);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* --- Insertions ---------------------------------------------------------------------------- */

/*
 * Steps with neighbour lists that are made anew when they must be, and output every k. Without the
 * output, nothing in the calls would tell the lists from a loop around a solver.
 */
static void rebuild(struct hard *h)
{
    const unsigned k = hard_between(h, 10, 25), n = k * hard_between(h, 4, 7);
    const unsigned every = hard_between(h, 4, 10), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 1, 3));
    const struct hard_body lists = hard_draw(h, hard_between(h, 2, 4));
    struct hard_loop *l = begin(h);
    unsigned left = every;

    h->next_site += 2;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        if (--left == 0) {
            hard_run(h, 0, &lists);
            left = hard_between(h, every / 2 + 1, 2 * every);
        }
        hard_run(h, 0, &step);
        closing(h, 0, site + 1);
        if (i % k == k - 1) {
            hard_collective(h, 0, HARD_REDUCE, 56, site);
            hard_collective(h, 0, HARD_GATHER, 88, site + 2);
        }
    }
    hard_multiple(l, k);
    end(h, l);
}

/*
 * Steps, and something at any distances: output, a checkpoint, lists that are made anew. Nothing in
 * the calls tells it from what closes a solver that goes on until it has converged.
 */
static void events(struct hard *h)
{
    const unsigned n = hard_between(h, 60, 300), least = hard_between(h, 2, 8);
    const unsigned most = least * hard_between(h, 2, 5), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 1, 4));
    const struct hard_body event = hard_draw(h, hard_between(h, 1, 2));
    const double long_one = hard_chance(h, 0.5) ? hard_log(h, 1e5, 2e6) : 0;
    struct hard_loop *l = begin(h);
    unsigned left = hard_between(h, least, most);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &step);
        closing(h, 0, site);
        if (--left > 0)
            continue;
        left = hard_between(h, least, most);
        hard_work(h, 0, long_one);
        hard_run(h, 0, &event);
    }
    end(h, l);
}

/* Generations, most of which swap something, and all of which begin anew now and then: the calls
   are those of tries that are thrown away. */
static void optional(struct hard *h)
{
    const unsigned n = hard_between(h, 50, 150), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 1, 3));
    const struct hard_body more = hard_draw(h, hard_between(h, 1, 2));
    const struct hard_body anew = hard_draw(h, hard_between(h, 1, 2));
    const double p = 0.4 + 0.45 * hard_real(h);
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &step);
        closing(h, 0, site);
        if (hard_chance(h, p))
            hard_run(h, 0, &more);
        if (hard_chance(h, 0.05))
            hard_run(h, 0, &anew);
    }
    end(h, l);
}

/* Steps, and something that comes by chance: as rare events do, close together and far apart. */
static void rare(struct hard *h)
{
    const unsigned n = hard_between(h, 100, 300), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 1, 3));
    const struct hard_body event = hard_draw(h, hard_between(h, 1, 3));
    const double p = hard_log(h, 0.03, 0.1);
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &step);
        closing(h, 0, site);
        if (hard_chance(h, p))
            hard_run(h, 0, &event);
    }
    end(h, l);
}

/* Failures throw back to the last checkpoint. */
static void rollback(struct hard *h)
{
    const unsigned k = hard_between(h, 6, 14), pieces = hard_between(h, 6, 14), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 2, 4));
    struct hard_loop *steps = begin(h), *piece = hard_loop_add(h);

    h->next_site += 2;
    for (unsigned i = 0; i < pieces; i++) {
        hard_mark(h, piece, 0);
        for (unsigned s = 0; s < k; s++) {
            hard_mark(h, steps, 0);
            hard_run(h, 0, &step);
            if (hard_chance(h, 0.25 / k)) {
                hard_collective(h, 0, HARD_BCAST, 3000, site);
                s = 0;
            }
        }
        hard_work(h, 0, 90000);
        hard_collective(h, 0, HARD_GATHER, 3000, site + 1);
    }
    hard_mark(h, piece, 0);
    end(h, steps);
}

/* --- Lengths that change ------------------------------------------------------------------- */

/* Refinement cycles: each has more sweeps over more blocks than the last. */
static void growing(struct hard *h)
{
    const unsigned n = hard_between(h, 5, 9), site = hard_site(h), first = hard_between(h, 3, 8);
    const double factor = 1.15 + 0.35 * hard_real(h);
    struct hard_loop *l = begin(h);
    double sweeps = first, blocks = 1;

    h->next_site += 12;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        for (unsigned s = 0; s < (unsigned)sweeps; s++) {
            hard_work(h, 0, 20000 * blocks);
            for (unsigned b = 0; b < (unsigned)blocks; b++)
                hard_halo(h, 0, both, 2, 2048, site, 0);
            hard_collective(h, 0, HARD_ALLREDUCE, 8, site + 3);
        }
        hard_collective(h, 0, HARD_ALLREDUCE, 16, site + 4);
        hard_collective(h, 0, HARD_ALLGATHER, 128, site + 5);
        for (unsigned b = hard_between(h, 0, 3); b > 0; b--)
            hard_message(h, b % h->ranks, (b + 1) % h->ranks, 9000, 3, site + 6);
        hard_collective(h, 0, HARD_BARRIER, 0, site + 8);
        sweeps *= factor;
        blocks *= factor;
    }
    end(h, l);
}

/* Blocks are dealt anew every k steps: the number of messages changes. */
static void regrid(struct hard *h)
{
    const unsigned k = hard_between(h, 4, 9), n = k * hard_between(h, 5, 12), site = hard_site(h);
    struct hard_loop *l = begin(h);
    unsigned blocks = 1;

    h->next_site += 8;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        if (i % k == 0 && i > 0) {
            hard_collective(h, 0, HARD_ALLGATHER, 256, site);
            blocks = hard_between(h, 1, 4);
        }
        for (unsigned b = 0; b < blocks; b++) {
            hard_work(h, 0, 20000);
            hard_halo(h, 0, both, 2, 2048, site + 1, 0);
        }
        hard_work(h, 0, 15000);
        closing(h, 0, site + 4);
    }
    hard_multiple(l, k);
    end(h, l);
}

/* Rounds that double, as estimators do. */
static void doubling(struct hard *h)
{
    const unsigned n = hard_between(h, 6, 9), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        inner_at(h, 0, &step, 2U << i, site);
        hard_collective(h, 0, HARD_GATHER, 72, site + 1);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* A factorisation: each panel leaves less to do. */
static void shrinking(struct hard *h)
{
    const unsigned n = hard_between(h, 16, 40), pivots = hard_between(h, 3, 8);
    const unsigned site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 6;
    for (unsigned i = 0; i < n; i++) {
        const double left = 1 - (double)i / n;

        hard_mark(h, l, 0);
        for (unsigned p = 0; p < pivots; p++) {
            hard_work(h, 0, 4000 * left);
            hard_collective(h, 0, HARD_ALLREDUCE, 16, site);
        }
        hard_collective(h, 0, HARD_BCAST, 8 * (1 + n - i), site + 1);
        hard_halo(h, 0, ring, 1, 512, site + 2, 0);
        hard_work(h, 0, 400000 * left * left);
    }
    end(h, l);
}

/* The machine becomes slower or faster half way. */
static void pace(struct hard *h)
{
    const unsigned n = hard_between(h, 16, 60), m = hard_between(h, 1, 6), site = hard_site(h);
    const struct hard_body a = hard_draw(h, hard_between(h, 1, 3));
    const struct hard_body b = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        if (i == n / 2)
            h->pace *= hard_chance(h, 0.5) ? 2.5 : 0.4;
        hard_run(h, 0, &a);
        inner_at(h, 0, &b, m, site);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* A first iteration that takes many times as long, with the same calls. */
static void first_long(struct hard *h)
{
    const unsigned n = hard_between(h, 6, 30), m = hard_between(h, 2, 10), site = hard_site(h);
    const struct hard_body a = hard_draw(h, hard_between(h, 1, 3));
    const struct hard_body b = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        h->pace = i == 0 ? 4 : 1;
        hard_run(h, 0, &a);
        inner_at(h, 0, &b, m, site);
        closing(h, 0, site + 2);
    }
    end(h, l);
}

/* No call follows the loop: its calls come early in an iteration, and then ranks compute; the trace
   ends with the last iteration, or with its last call. */
static void open_end(struct hard *h)
{
    const unsigned n = (unsigned)hard_log(h, 4, 60), m = hard_between(h, 0, 6);
    const unsigned site = hard_site(h);
    const struct hard_body a = hard_draw(h, hard_between(h, 1, 4));
    const struct hard_body b = hard_draw(h, hard_between(h, 1, 3));
    const double alone = hard_log(h, 1e5, 3e6);
    const bool goes_on = hard_chance(h, 0.7);
    struct hard_loop *l = begin(h);

    h->next_site += 2;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &a);
        inner_at(h, 0, &b, m, site);
        closing(h, 0, site + 2);
        if (goes_on || i + 1 < n)
            hard_work(h, 0, alone);
    }
    hard_mark(h, l, 0);
    hard_leave(h);
    hard_stop(h);
}

/* --- Few ----------------------------------------------------------------------------------- */

/* One to three calls an iteration. */
static void few_calls(struct hard *h)
{
    const unsigned n = hard_between(h, 30, 120), calls = hard_between(h, 1, 3);
    struct hard_body b = hard_draw(h, calls);
    struct hard_loop *l;

    for (unsigned i = 0; i < calls; i++)
        b.op[i].kind = HARD_OP_COLLECTIVE;
    l = begin(h);
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_work(h, 0, hard_log(h, 2e5, 6e5));
        hard_run(h, 0, &b);
    }
    end(h, l);
}

/* Three to eight long iterations. */
static void few_iterations(struct hard *h)
{
    const unsigned n = hard_between(h, 3, 8), m = hard_between(h, 30, 90), site = hard_site(h);
    const struct hard_body sweep = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        inner_at(h, 0, &sweep, m, site);
        hard_work(h, 0, 60000);
        hard_collective(h, 0, HARD_ALLTOALL, 4000, site + 1);
        hard_collective(h, 0, HARD_BCAST, 16000, site + 2);
    }
    end(h, l);
}

/* --- Groups, two loops --------------------------------------------------------------------- */

static void two_groups(struct hard *h, unsigned group[2])
{
    const unsigned half = h->ranks / 2;
    unsigned all[HARD_RANKS];

    for (unsigned i = 0; i < h->ranks; i++)
        all[i] = i;
    group[0] = hard_group_add(h, all, half);
    group[1] = hard_group_add(h, all + half, h->ranks - half);
}

/* Two codes with steps of their own that meet at windows. */
static void coupled(struct hard *h)
{
    const unsigned n = hard_between(h, 10, 30), ka = hard_between(h, 2, 8);
    const unsigned kb = hard_between(h, 1, 5), site = hard_site(h);
    const struct hard_body a = hard_draw(h, hard_between(h, 2, 3));
    const struct hard_body b = hard_draw(h, hard_between(h, 2, 3));
    unsigned group[2];
    struct hard_loop *l;

    two_groups(h, group);
    l = begin(h);
    h->next_site += 5;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        inner_at(h, group[0], &a, ka, site);
        inner_at(h, group[1], &b, kb, site + 1);
        hard_message(h, 0, h->ranks / 2, 30000, 5, site + 1);
        hard_message(h, h->ranks / 2, 0, 30000, 6, site + 3);
        hard_collective(h, group[0], HARD_BCAST, 30000, site + 4);
        hard_collective(h, group[1], HARD_BCAST, 30000, site + 4);
    }
    end(h, l);
}

/* A minimiser, then dynamics: the dynamics is longer. */
static void two_loops(struct hard *h)
{
    const unsigned n = hard_between(h, 50, 120), k = hard_between(h, 5, 12), site = hard_site(h);
    const struct hard_body energy = hard_draw(h, hard_between(h, 1, 2));
    const struct hard_body step = hard_draw(h, hard_between(h, 2, 4));
    struct hard_loop *l = begin(h), *first = hard_loop_add(h);

    h->next_site += 3;
    for (unsigned i = hard_between(h, 6, 12); i > 0; i--) {
        hard_mark(h, first, 0);
        inner_at(h, 0, &energy, hard_between(h, 2, 5), site);
        hard_collective(h, 0, HARD_ALLREDUCE, 48, site + 1);
    }
    hard_mark(h, first, 0);
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &step);
        if (i % k == k - 1)
            hard_collective(h, 0, HARD_REDUCE, 56, site + 2);
    }
    hard_multiple(l, k);
    end(h, l);
}

/* From half way on each step does something more: either half, or both. */
static void half_way(struct hard *h)
{
    const unsigned n = 2 * hard_between(h, 12, 40), site = hard_site(h);
    const struct hard_body step = hard_draw(h, hard_between(h, 2, 4));
    const struct hard_body more = hard_draw(h, hard_between(h, 2, 4));
    struct hard_loop *l = begin(h), *half[2] = { hard_loop_add(h), hard_loop_add(h) };

    h->next_site += 3;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_mark(h, half[i >= n / 2], 0);
        hard_run(h, 0, &step);
        if (i >= n / 2)
            inner_at(h, 0, &more, 2, site);
        closing(h, 0, site + 2);
        if (i + 1 == n / 2)
            hard_mark(h, half[0], 0);
    }
    hard_mark(h, half[1], 0);
    end(h, l);
}

/* Explicit steps, then implicit ones, whose passes make the same calls as the explicit steps. */
static void stiff(struct hard *h)
{
    const unsigned n[2] = { hard_between(h, 30, 80), hard_between(h, 15, 40) };
    const unsigned site = hard_site(h), least = hard_between(h, 2, 5),
                   most = hard_between(h, 8, 14);
    const struct hard_body pass = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h), *half[2] = { hard_loop_add(h), hard_loop_add(h) };

    for (unsigned i = 0; i < n[0] + n[1]; i++) {
        hard_mark(h, l, 0);
        hard_mark(h, half[i >= n[0]], 0);
        for (unsigned k = i < n[0] ? 1 : hard_between(h, least, most); k > 0; k--)
            hard_run(h, 0, &pass);
        closing(h, 0, site);
        if (i + 1 == n[0])
            hard_mark(h, half[0], 0);
    }
    hard_mark(h, half[1], 0);
    end(h, l);
}

/* --- Insides at random --------------------------------------------------------------------- */

/* Windows between two collectives of all; what lies between is chance. */
static void windows(struct hard *h)
{
    const unsigned n = hard_between(h, 20, 80), site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 8;
    for (unsigned i = 0; i < n; i++) {
        const unsigned messages = hard_between(h, 2, 3 * h->ranks);

        hard_mark(h, l, 0);
        for (unsigned m = 0; m < messages; m++) {
            const unsigned from = hard_between(h, 0, h->ranks - 1);
            const unsigned to = (from + hard_between(h, 1, h->ranks - 1)) % h->ranks;

            hard_work_of(h, from, 8000);
            if (hard_chance(h, 0.5))
                hard_alone(h, to, HARD_IPROBE, 0, site, 300);
            hard_message(h, from, to, 64, 1, site + 1);
        }
        hard_work(h, 0, 20000);
        hard_collective(h, 0, HARD_ALLTOALL, 4, site + 4);
        hard_collective(h, 0, HARD_ALLREDUCE, 8, site + 5);
    }
    end(h, l);
}

/* Neighbours are drawn anew in each step. */
static void neighbours(struct hard *h)
{
    const unsigned n = hard_between(h, 30, 80), site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 6;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_collective(h, 0, HARD_ALLTOALL, 4, site);
        hard_work(h, 0, 30000);
        hard_halo(h, 0, (int[]){ 1, -1, 2 }, 3, 4096, site + 1, 0.4);
        hard_work(h, 0, 30000);
        if (hard_chance(h, 0.3))
            hard_collective(h, 0, HARD_ALLREDUCE, 8, site + 4);
    }
    end(h, l);
}

/* The same while other programs use the machine. */
static void neighbours_busy(struct hard *h)
{
    h->busy = fmax(h->busy, 0.5);
    neighbours(h);
}

/* Communicators are made anew in each step. */
static void communicators(struct hard *h)
{
    const unsigned n = hard_between(h, 20, 60), site = hard_site(h);
    struct hard_loop *l = begin(h);

    h->next_site += 8;
    for (unsigned i = 0; i < n; i++) {
        const unsigned half = hard_between(h, 2, h->ranks - 2);
        unsigned order[HARD_RANKS], group[2];

        for (unsigned r = 0; r < h->ranks; r++)
            order[r] = r;
        for (unsigned r = h->ranks - 1; r > 0; r--) {
            const unsigned with = hard_between(h, 0, r), old = order[r];

            order[r] = order[with];
            order[with] = old;
        }
        hard_mark(h, l, 0);
        hard_work(h, 0, 30000);
        hard_collective(h, 0, HARD_SPLIT, 0, site);
        group[0] = hard_group_add(h, order, half);
        group[1] = hard_group_add(h, order + half, h->ranks - half);
        for (unsigned g = 0; g < 2; g++) {
            hard_halo(h, group[g], both, 2, 2048, site + 1, 0);
            hard_work(h, group[g], 50000);
            hard_collective(h, group[g], HARD_ALLREDUCE, 8, site + 4);
        }
        hard_work(h, 0, 20000);
        hard_collective(h, 0, HARD_ALLREDUCE, 24, site + 5);
    }
    end(h, l);
}

/* Particles are handed on until none is left; sorted every k steps. */
static void particles(struct hard *h)
{
    const unsigned n = hard_between(h, 30, 90), k = hard_between(h, 6, 13), site = hard_site(h);
    const struct hard_body fields = hard_draw(h, hard_between(h, 1, 3));
    struct hard_loop *l = begin(h);

    h->next_site += 8;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_run(h, 0, &fields);
        for (unsigned r = hard_between(h, 1, 4); r > 0; r--) {
            hard_work(h, 0, 9000);
            hard_halo(h, 0, both, 2, 600, site, 0);
            hard_collective(h, 0, HARD_ALLREDUCE, 4, site + 3);
        }
        if (i % k == k - 1) {
            hard_work(h, 0, 150000);
            hard_collective(h, 0, HARD_ALLREDUCE, 88, site + 4);
        }
    }
    hard_multiple(l, k);
    end(h, l);
}

/* --- Master and workers, work that moves --------------------------------------------------- */

static unsigned first_done(const struct hard *h, const double *done)
{
    unsigned best = 1;

    for (unsigned r = 2; r < h->ranks; r++)
        best = done[r] < done[best] ? r : best;
    return best;
}

/* A task begins on a worker; when it will be done. */
static double task(struct hard *h, unsigned rank)
{
    return h->now[rank] + 40000 * hard_log(h, 0.3, 4);
}

/* Tasks are handed out as workers come back. */
static void hand_out(struct hard *h, unsigned tasks, unsigned site)
{
    double done[HARD_RANKS];

    for (unsigned r = 1; r < h->ranks; r++) {
        hard_message(h, 0, r, 64, 1, site);
        done[r] = task(h, r);
    }
    for (unsigned i = 0; i < tasks; i++) {
        const unsigned r = first_done(h, done);

        h->now[r] = done[r];
        hard_message(h, r, 0, 128, 2, site + 2);
        hard_message(h, 0, r, i + h->ranks <= tasks ? 64 : 4, 1, site);
        done[r] = i + h->ranks <= tasks ? task(h, r) : HUGE_VAL;
    }
}

static void worker_rounds(struct hard *h)
{
    const unsigned n = hard_between(h, 6, 30), site = hard_site(h);
    const unsigned tasks = h->ranks * hard_between(h, 2, 6);
    struct hard_loop *l = begin(h);

    h->next_site += 8;
    for (unsigned i = 0; i < n; i++) {
        hard_mark(h, l, 0);
        hard_collective(h, 0, HARD_BCAST, 2000, site + 4);
        hand_out(h, tasks + hard_between(h, 0, 3), site);
        hard_collective(h, 0, HARD_GATHER, 500, site + 5);
    }
    end(h, l);
}

static void workers(struct hard *h)
{
    const unsigned site = hard_site(h);

    h->next_site += 6;
    hard_start(h);
    hard_enter(h);
    hand_out(h, h->ranks * hard_between(h, 30, 80), site);
    hard_leave(h);
    hard_finish(h);
}

static void stealing(struct hard *h)
{
    const unsigned site = hard_site(h), tasks = h->ranks * hard_between(h, 40, 100);

    h->next_site += 8;
    hard_start(h);
    for (unsigned i = 0; i < tasks; i++) {
        const unsigned thief = hard_between(h, 0, h->ranks - 1);
        const unsigned victim = (thief + hard_between(h, 1, h->ranks - 1)) % h->ranks;

        for (unsigned k = hard_between(h, 0, 3); k > 0; k--) {
            hard_work_of(h, thief, hard_log(h, 1e4, 2e5));
            hard_alone(h, thief, HARD_IPROBE, 0, site, 300);
        }
        hard_message(h, thief, victim, 4, 1, site + 1);
        hard_message(h, victim, thief, hard_chance(h, 0.5) ? 4 : 2000, 2, site + 3);
    }
    hard_finish(h);
}

/* Calls at random. */
static void random_calls(struct hard *h)
{
    const unsigned calls = hard_between(h, 60, 400), bodies = 8;
    struct hard_body b[8];

    hard_start(h);
    for (unsigned i = 0; i < bodies; i++)
        b[i] = hard_draw(h, 1);
    for (unsigned i = 0; i < calls; i++) {
        const unsigned from = hard_between(h, 0, h->ranks - 1);

        hard_work(h, 0, hard_log(h, 6e3, 6e5));
        if (hard_chance(h, 0.6))
            hard_run(h, 0, &b[hard_between(h, 0, bodies - 1)]);
        else
            hard_message(h, from, (from + hard_between(h, 1, h->ranks - 1)) % h->ranks,
                         hard_between(h, 1, 9000), hard_between(h, 0, 9), 2);
    }
    hard_finish(h);
}

/* Ranks are split again and again, with something else on each level. */
static void recursion_of(struct hard *h, unsigned group, unsigned depth)
{
    const struct hard_group g = h->group[group];
    const struct hard_body b = hard_draw(h, hard_between(h, 1, 3));

    inner(h, group, &b, hard_between(h, 1, 2));
    if (g.count >= 2 && depth < 7) {
        const unsigned half = hard_between(h, 1, g.count - 1);

        recursion_of(h, hard_group_add(h, g.rank, half), depth + 1);
        recursion_of(h, hard_group_add(h, g.rank + half, g.count - half), depth + 1);
    }
}

static void recursion(struct hard *h)
{
    hard_start(h);
    for (unsigned i = hard_between(h, 2, 4); i > 0; i--)
        recursion_of(h, 0, 0);
    hard_finish(h);
}

/* Set-up, distribution, reductions: each once. */
static void once(struct hard *h)
{
    hard_start(h);
    for (unsigned i = hard_between(h, 10, 40); i > 0; i--) {
        const struct hard_body b = hard_draw(h, hard_between(h, 1, 4));

        hard_work(h, 0, hard_log(h, 1e5, 3e6));
        hard_run(h, 0, &b);
    }
    hard_finish(h);
}

const struct hard_class hard_classes[] = {
    { "nest", nest, true },
    { "noise", noise, true },
    { "stages", stages, true },
    { "checkpoint", checkpoint, true },
    { "newton", newton, true },
    { "vcycles", vcycles, true },
    { "reject", reject, true },
    { "scf", scf, true },
    { "linesearch", linesearch, true },
    { "gmres", gmres, true },
    { "kmeans", kmeans, true },
    { "study", study, true },
    { "rebuild", rebuild, true },
    { "events", events, true },
    { "optional", optional, true },
    { "rare", rare, true },
    { "rollback", rollback, true },
    { "growing", growing, true },
    { "regrid", regrid, true },
    { "doubling", doubling, true },
    { "shrinking", shrinking, true },
    { "pace", pace, true },
    { "first-long", first_long, true },
    { "open-end", open_end, true },
    { "few-calls", few_calls, true },
    { "few-iterations", few_iterations, true },
    { "coupled", coupled, true },
    { "two-loops", two_loops, true },
    { "half-way", half_way, true },
    { "stiff", stiff, true },
    { "windows", windows, true },
    { "neighbours", neighbours, true },
    { "neighbours-busy", neighbours_busy, true },
    { "communicators", communicators, true },
    { "particles", particles, true },
    { "worker-rounds", worker_rounds, true },
    { "workers", workers, false },
    { "stealing", stealing, false },
    { "random", random_calls, false },
    { "recursion", recursion, false },
    { "once", once, false },
};
const unsigned hard_class_count = sizeof hard_classes / sizeof *hard_classes;
