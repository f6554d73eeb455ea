/*
 * A small iterative MPI program with a known number of iterations: an initialisation, so many times
 * a halo exchange around a ring, computing and a reduction, and an end.
 *
 * usage   ring ITERATIONS
 * prints  (rank 0) "iteration NS" for each iteration: how long it was, by the program's own clock
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CELLS      2048
#define LOAD_NS    1000000 /* of computing in an iteration */
#define WARM_UP_NS 15000000
#define ROUNDS     5 /* of the initialisation */

struct ring {
    int rank, ranks, left, right;
    double cell[CELLS + 2]; /* with one of each neighbour's */
};

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Relax the cells for a given time: a busy machine makes fewer sweeps, not longer iterations. */
static double compute(struct ring *r, long long ns)
{
    const long long end = now() + ns;
    double change = 0;

    do {
        change = 0;
        for (int i = 1; i <= CELLS; i++) {
            const double next = (r->cell[i - 1] + 2 * r->cell[i] + r->cell[i + 1]) / 4;

            change += fabs(next - r->cell[i]);
            r->cell[i] = next;
        }
    } while (now() < end);
    return change;
}

static void exchange(struct ring *r)
{
    MPI_Request request[4];

    MPI_Irecv(&r->cell[0], 1, MPI_DOUBLE, r->left, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&r->cell[CELLS + 1], 1, MPI_DOUBLE, r->right, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&r->cell[CELLS], 1, MPI_DOUBLE, r->right, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&r->cell[1], 1, MPI_DOUBLE, r->left, 2, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

/* Longer than an iteration, and made of other calls. */
static void begin(struct ring *r, int *iterations)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->ranks);
    r->left = (r->rank + r->ranks - 1) % r->ranks;
    r->right = (r->rank + 1) % r->ranks;
    MPI_Bcast(iterations, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < CELLS + 2; i++)
        r->cell[i] = sin(i * (r->rank + 1));
    for (int i = 0; i < ROUNDS; i++) {
        compute(r, WARM_UP_NS / ROUNDS);
        MPI_Bcast(&r->cell[1], CELLS, MPI_DOUBLE, i % r->ranks, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void end(struct ring *r)
{
    double all = 0;

    compute(r, WARM_UP_NS / ROUNDS);
    MPI_Reduce(&r->cell[1], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static struct ring ring;
    int iterations = argc > 1 ? atoi(argv[1]) : 1;
    double change, total = 0;
    long long *took;

    MPI_Init(&argc, &argv);
    begin(&ring, &iterations);
    took = iterations > 0 ? calloc((size_t)iterations, sizeof *took) : NULL;
    if (!took)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (int i = 0; i < iterations; i++) {
        const long long start = now();

        exchange(&ring);
        change = compute(&ring, LOAD_NS);
        MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        took[i] = now() - start;
    }
    end(&ring);
    for (int i = 0; ring.rank == 0 && i < iterations; i++)
        printf("iteration %lld\n", took[i]);
    free(took);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
