/* What a rank of prvcut-mpi computes between its calls of MPI, for tests/bench/ranks.sh: loaded
   before the program, a line for each call goes to the file $RANKS_OUT.RANK: CPU seconds before it,
   its name, bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Of a job with many windows. */
#define CALLS 100000

static struct {
    double seconds;
    const char *name;
    int bytes;
} call[CALLS];
static size_t calls;
static double since;

static double ranks_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ranks_begin(const char *name, int bytes)
{
    if (calls == CALLS)
        return;
    call[calls].seconds = ranks_now() - since;
    call[calls].name = name;
    call[calls++].bytes = bytes;
}

static int ranks_end(int status)
{
    since = ranks_now();
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    ranks_begin("init", 0);
    return ranks_end(PMPI_Init_thread(argc, argv, wanted, given));
}

int MPI_Allgather(const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
                  MPI_Comm all)
{
    ranks_begin("meet", 0);
    return ranks_end(PMPI_Allgather(from, n, type, to, m, other, all));
}

int MPI_Send(const void *bytes, int n, MPI_Datatype type, int to, int tag, MPI_Comm all)
{
    ranks_begin("send", n);
    return ranks_end(PMPI_Send(bytes, n, type, to, tag, all));
}

int MPI_Recv(void *bytes, int n, MPI_Datatype type, int from, int tag, MPI_Comm all,
             MPI_Status *status)
{
    ranks_begin("recv", n);
    return ranks_end(PMPI_Recv(bytes, n, type, from, tag, all, status));
}

int MPI_Finalize(void)
{
    const char *where = getenv("RANKS_OUT");
    char path[4096];
    int rank = 0;
    FILE *f;

    ranks_begin("finalize", 0);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", where ? where : "ranks", rank);
    f = fopen(path, "w");
    for (size_t i = 0; f && i < calls; i++)
        fprintf(f, "%.6f %s %d\n", call[i].seconds, call[i].name, call[i].bytes);
    if (f)
        fclose(f);
    return PMPI_Finalize();
}
