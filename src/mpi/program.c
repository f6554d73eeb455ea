#include "base/processors.h"
#include "cli.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * prvcut-mpi: each rank does what prvcut does, and shares the reading with the others
 * (prvcut/exchange.h). Rank 0 speaks and writes. What another one says is kept: where rank 0 has to
 * end because of it, that is the reason.
 */

/* Most bytes in one message: MPI counts in int. */
#define PROGRAM_PIECE ((size_t)1 << 30)
#define PROGRAM_TAG   33
/* Longest word of a rank, with its '\0'. */
#define PROGRAM_WORDS 1024
/* Processors of a machine that are told apart. */
#define PROGRAM_PROCESSORS 4096

/* What each rank says where all meet. */
struct program_word {
    int ended;  /* it waits for the others to end, too */
    int status; /* the exit status; of one that ended */
    char text[PROGRAM_WORDS];
};

struct program {
    struct prvcut_exchange exchange;
    struct program_word *word; /* [ranks]; owned */
    int words;                 /* where standard error goes meanwhile; -1: where it always does */
};

/* The other ranks may have died: a signal ends who waits for them. */
static int program_waited(int result)
{
    cli_wait_for_others(false);
    return result;
}

static int program_gather(struct program *p, const struct program_word *mine)
{
    cli_wait_for_others(true);
    return program_waited(MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, p->word,
                                        (int)sizeof *mine, MPI_BYTE, MPI_COMM_WORLD));
}

/* The rank that comes with something else than rank 0, one that failed first; 0: none. */
static unsigned program_other(const struct program *p)
{
    unsigned other = 0;

    for (unsigned i = 0; i < p->exchange.ranks; i++) {
        const struct program_word *w = &p->word[i];

        if (w->ended && w->status != CLI_DONE)
            return i;
        if (other == 0 && (w->ended || strcmp(w->text, p->word[0].text) != 0))
            other = i;
    }
    return other;
}

__attribute__((format(printf, 2, 3))) static enum prvcut_status program_fail(
    struct prvcut_error *err, const char *format, ...)
{
    va_list args;

    if (err && err->status == PRVCUT_OK) {
        err->status = PRVCUT_EIO;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return PRVCUT_EIO;
}

static enum prvcut_status program_meet(void *ctx, const char *text, struct prvcut_error *err)
{
    struct program *p = ctx;
    struct program_word mine = { .ended = 0 };
    const struct program_word *word = p->word;
    bool same = true;
    unsigned other;

    snprintf(mine.text, sizeof mine.text, "%s", text);
    if (program_gather(p, &mine) != MPI_SUCCESS)
        return program_fail(err, "rank %u: MPI failed", p->exchange.rank);
    for (unsigned i = 0; i < p->exchange.ranks; i++)
        same = same && !word[i].ended && strcmp(word[i].text, word[0].text) == 0;
    if (same)
        return PRVCUT_OK;
    other = program_other(p);
    if (word[other].ended && *word[other].text)
        return program_fail(err, "rank %u: %.900s", other, word[other].text);
    if (word[other].ended)
        return program_fail(err, "rank %u has ended, others are at %.900s", other, text);
    return program_fail(err,
                        "the ranks do not read the same: rank 0 reads %.450s; rank %u reads %.450s",
                        word[0].text, other, word[other].text);
}

static enum prvcut_status program_send(void *ctx, unsigned to, const void *bytes, size_t count,
                                       struct prvcut_error *err)
{
    const char *at = bytes;

    (void)ctx;
    while (count > 0) {
        const size_t n = count < PROGRAM_PIECE ? count : PROGRAM_PIECE;

        cli_wait_for_others(true);
        if (program_waited(MPI_Send(at, (int)n, MPI_BYTE, (int)to, PROGRAM_TAG, MPI_COMM_WORLD)) !=
            MPI_SUCCESS)
            return program_fail(err, "MPI cannot send to rank %u", to);
        at += n;
        count -= n;
    }
    return PRVCUT_OK;
}

static enum prvcut_status program_receive(void *ctx, unsigned from, void *bytes, size_t count,
                                          struct prvcut_error *err)
{
    char *at = bytes;

    (void)ctx;
    while (count > 0) {
        const size_t n = count < PROGRAM_PIECE ? count : PROGRAM_PIECE;

        cli_wait_for_others(true);
        if (program_waited(MPI_Recv(at, (int)n, MPI_BYTE, (int)from, PROGRAM_TAG, MPI_COMM_WORLD,
                                    MPI_STATUS_IGNORE)) != MPI_SUCCESS)
            return program_fail(err, "MPI cannot receive from rank %u", from);
        at += n;
        count -= n;
    }
    return PRVCUT_OK;
}

/* --- What other ranks say --------------------------------------------------------------------- */

/* Standard output goes nowhere, standard error into a file without a name. */
static void program_hush(struct program *p)
{
    FILE *nowhere = fopen("/dev/null", "w"), *words = tmpfile();

    if (nowhere)
        dup2(fileno(nowhere), STDOUT_FILENO);
    if (words)
        p->words = dup(fileno(words));
    if (p->words >= 0)
        dup2(p->words, STDERR_FILENO);
    if (nowhere)
        fclose(nowhere);
    if (words)
        fclose(words);
}

/* The last line of what was said, without the program's name. */
static void program_said(const struct program *p, char out[PROGRAM_WORDS])
{
    static const char name[] = "prvcut: ";
    char all[PROGRAM_WORDS];
    ssize_t n = 0;
    char *line;

    *out = '\0';
    if (p->words >= 0) {
        const off_t end = lseek(p->words, 0, SEEK_END);
        const off_t from = end > (off_t)sizeof all - 1 ? end - (off_t)sizeof all + 1 : 0;

        n = pread(p->words, all, sizeof all - 1, from);
    }
    if (n <= 0)
        return;
    all[n] = '\0';
    while (n > 0 && all[n - 1] == '\n')
        all[--n] = '\0';
    line = strrchr(all, '\n');
    line = line ? line + 1 : all;
    line += strncmp(line, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
    memcpy(out, line, strlen(line) + 1);
}

/* Wait until all have ended: one that waits for this rank in vain hears why. Rank 0's status is
   that of all. */
static int program_end(struct program *p, int status)
{
    struct program_word mine = { .ended = 1, .status = status };
    bool all = false;

    fflush(stderr);
    if (status != CLI_DONE)
        program_said(p, mine.text);
    while (!all) {
        if (program_gather(p, &mine) != MPI_SUCCESS)
            return status;
        all = true;
        for (unsigned i = 0; i < p->exchange.ranks; i++)
            all = all && p->word[i].ended;
    }
    return p->word[0].status;
}

/* --- The program ------------------------------------------------------------------------------ */

/* This rank's part of the processors that it may run on: each is shared by the ranks of this
   machine that may, too, which is none where mpirun binds each to its own. */
static unsigned program_share(MPI_Comm here)
{
    unsigned own[PROGRAM_PROCESSORS] = { 0 }, all[PROGRAM_PROCESSORS] = { 0 };
    double part = 0;

    prvcut_processors_mark(own, PROGRAM_PROCESSORS);
    if (MPI_Allreduce(own, all, PROGRAM_PROCESSORS, MPI_UNSIGNED, MPI_SUM, here) != MPI_SUCCESS)
        return 1;
    for (size_t i = 0; i < PROGRAM_PROCESSORS; i++)
        part += own[i] > 0 ? 1.0 / all[i] : 0.0;
    /* Three thirds are a whole one. */
    return part + 1e-9 < 1 ? 1 : (unsigned)(part + 1e-9);
}

/* PRVCUT_THREADS, -T and --threads say otherwise. */
static void program_threads(void)
{
    char number[24];
    MPI_Comm here;
    unsigned threads = 1;

    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here) ==
        MPI_SUCCESS) {
        threads = program_share(here);
        MPI_Comm_free(&here);
    }
    snprintf(number, sizeof number, "%u", threads);
    setenv("PRVCUT_THREADS", number, 0);
    /* mpirun gives a terminal of its own, whose text goes anywhere. */
    setenv("NO_COLOR", "1", 0);
}

int main(int argc, char **argv)
{
    static char name[] = "prvcut";
    struct program p = {
        .exchange = { .meet = program_meet, .send = program_send, .receive = program_receive },
        .words = -1
    };
    int rank = 0, ranks = 1, given, status = CLI_FAILED;

    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
        return CLI_FAILED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    p.exchange.ctx = &p;
    p.exchange.rank = (unsigned)rank;
    p.exchange.ranks = (unsigned)ranks;
    p.word = cli_room((size_t)ranks * sizeof *p.word);
    if (!p.word)
        MPI_Abort(MPI_COMM_WORLD, CLI_FAILED);
    if (rank > 0)
        program_hush(&p);
    program_threads();
    /* Outputs say what made them, and are those of prvcut. */
    if (argc > 0)
        argv[0] = name;
    status = program_end(&p, cli_main(argc, argv, &p.exchange));
    free(p.word);
    MPI_Finalize();
    return status;
}
