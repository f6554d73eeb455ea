#include "options.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Time that the work has to notice a signal before it is ended where it stands: ns. */
#define PATIENCE 150000000L

/* Signal handlers can reach nothing but statics. */
static volatile sig_atomic_t stopped, bare;
static timer_t patience;
static volatile sig_atomic_t patient, urgent;

/* Time that it has to clean up once a second signal asks for haste: s. */
#define HASTE 1

static void main_wait(time_t s, long ns)
{
    const struct itimerspec once = { .it_value = { .tv_sec = s, .tv_nsec = ns } };

    if (patient)
        timer_settime(patience, 0, &once, NULL);
}

static void main_stop(int number)
{
    const int saved = errno;

    if (!stopped) {
        main_wait(0, PATIENCE);
    } else {
        signal(number, SIG_DFL);
        urgent = number;
        main_wait(HASTE, 0);
        if (!patient)
            raise(number);
    }
    stopped = 1;
    errno = saved;
}

/* With nothing to undo, nobody waits for the other end of a pipe. */
static void main_give_up(int number)
{
    static const char words[] = "prvcut: interrupted; nothing was written\n";

    (void)number;
    if (urgent && !bare) {
        signal(urgent, SIG_DFL);
        raise(urgent);
    }
    if (!bare)
        return;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(CLI_FAILED);
    _exit(CLI_FAILED);
}

bool cli_stopped(void)
{
    return stopped != 0;
}

void cli_bare(bool yes)
{
    bare = yes;
}

/* What was ignored from outside (a shell's background job) stays ignored. */
static void main_catch(int number, void (*handler)(int), int flags)
{
    struct sigaction old, catch = { .sa_handler = handler, .sa_flags = flags };

    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    sigemptyset(&catch.sa_mask);
    sigaction(number, &catch, NULL);
}

/* The first signal asks the work to stop and clean up; a second one gives it HASTE to be gone, a
   third one ends it at once. */
static void main_signals(void)
{
    struct sigevent tick = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };

    main_catch(SIGALRM, main_give_up, SA_RESTART);
    patient = timer_create(CLOCK_MONOTONIC, &tick, &patience) == 0;
    main_catch(SIGINT, main_stop, 0);
    main_catch(SIGTERM, main_stop, 0);
    /* A write that fails tells more than a death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* The analyses take rooms of a MiB or two and give them back, again and again; each time the system
   would lay fresh pages, which is a tenth of the time of a small trace. Rooms that grow with the
   trace still go back at once. Threads that ask for memory seldom can ask at one place. */
static void main_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 16 << 20);
    mallopt(M_ARENA_MAX, 1);
#endif
}

/* The command that the program is called by the name of, as Paraver calls it; NULL: none. */
static char *main_alias(const char *program)
{
    static char command[] = "csv-analysis";
    const char *slash = program ? strrchr(program, '/') : NULL;
    const char *name = slash ? slash + 1 : program;

    /* As of late, and as older ones do. */
    if (name && (strcmp(name, command) == 0 || strcmp(name, "spectral-csv-analysis") == 0))
        return command;
    return NULL;
}

/* Ranks that share the reading: all go the same way, and one of them writes. */
static enum cli_exit main_share(struct cli *c, const struct prvcut_exchange *x)
{
    c->exchange = x;
    if (!x)
        return CLI_DONE;
    if (!(c->command->bit & (CLI_REDUCE | CLI_STRUCTURE | CLI_INDEX | CLI_PROFILE)) ||
        c->follow.wanted)
        return cli_misuse_command(c, c->typed, "ranks cannot share '%s'; run it with prvcut alone",
                                  c->follow.wanted ? "--follow" : c->command->name);
    if (x->rank > 0)
        c->second = c->dry_run = c->force = true;
    return CLI_DONE;
}

static int main_run(int argc, char **argv, const struct prvcut_exchange *x)
{
    struct cli c = { .bins = 1000, .log = CLI_WARNINGS };
    enum cli_exit e;

    if (argc < 2) {
        cli_usage(stderr);
        return CLI_MISUSED;
    }
    main_signals();
    e = cli_parse(&c, argc, argv);
    if (e == CLI_DONE && c.help != CLI_HELP_NONE)
        e = cli_help_asked(&c);
    else if (e == CLI_DONE && (e = main_share(&c, x)) == CLI_DONE)
        e = c.command->run(&c);
    cli_fini(&c);
    return (int)e;
}

int cli_main(int argc, char **argv, const struct prvcut_exchange *x)
{
    char *alias = main_alias(argc > 0 ? argv[0] : NULL);
    char **words;
    int status;

    main_memory();
    if (!alias)
        return main_run(argc, argv, x);
    words = malloc(((size_t)argc + 2) * sizeof *words);
    if (!words) {
        fputs("prvcut: out of memory\n", stderr);
        return CLI_FAILED;
    }
    words[0] = argv[0];
    words[1] = alias;
    for (int i = 1; i <= argc; i++)
        words[i + 1] = argv[i];
    status = main_run(argc + 1, words, x);
    free(words);
    return status;
}
