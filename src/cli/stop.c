#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* Time that the work has to notice a signal before it is ended where it stands: ns. */
#define PATIENCE 150000000L

/* Signal handlers can reach nothing but statics. */
static volatile sig_atomic_t stopped, bare, waits;
static timer_t patience;
static volatile sig_atomic_t patient, urgent;

/* Time that it has to clean up once a second signal asks for haste: s. */
#define HASTE 1

/* Time that other processes have to answer one that is asked to end while it waits for them: s. */
#define OTHERS 5

static void stop_wait(time_t s, long ns)
{
    const struct itimerspec once = { .it_value = { .tv_sec = s, .tv_nsec = ns } };

    if (patient)
        timer_settime(patience, 0, &once, NULL);
}

static void stop_ask(int number)
{
    const int saved = errno;

    if (!stopped) {
        stop_wait(waits ? OTHERS : 0, waits ? 0 : PATIENCE);
    } else {
        signal(number, SIG_DFL);
        urgent = number;
        stop_wait(HASTE, 0);
        if (!patient)
            raise(number);
    }
    stopped = number;
    errno = saved;
}

/* With nothing to undo, nobody waits for the other end of a pipe. */
static void stop_give_up(int number)
{
    static const char words[] = "prvcut: interrupted; nothing was written\n";

    (void)number;
    if ((urgent || waits) && !bare) {
        const int by = urgent ? urgent : stopped;

        signal(by, SIG_DFL);
        raise(by);
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

void cli_wait_for_others(bool yes)
{
    waits = yes;
    if (yes && stopped)
        stop_wait(OTHERS, 0);
}

/* What was ignored from outside (a shell's background job) stays ignored. */
static void stop_catch(int number, void (*handler)(int), int flags)
{
    struct sigaction old, catch = { .sa_handler = handler, .sa_flags = flags };

    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    sigemptyset(&catch.sa_mask);
    sigaction(number, &catch, NULL);
}

void cli_catch_signals(void)
{
    struct sigevent tick = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };

    stop_catch(SIGALRM, stop_give_up, SA_RESTART);
    patient = timer_create(CLOCK_MONOTONIC, &tick, &patience) == 0;
    stop_catch(SIGINT, stop_ask, 0);
    stop_catch(SIGTERM, stop_ask, 0);
    /* The terminal has gone, as when a connection is lost. */
    stop_catch(SIGHUP, stop_ask, 0);
    /* A write that fails tells more than a death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
