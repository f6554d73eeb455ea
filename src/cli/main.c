#include "options.h"

#include <signal.h>

/* A signal handler can reach nothing but a static. */
static volatile sig_atomic_t stopped;

static void main_stop(int number)
{
    (void)number;
    stopped = 1;
}

bool cli_stopped(void)
{
    return stopped != 0;
}

/* What was ignored from outside (a shell's background job) stays ignored. */
static void main_catch(int number, void (*handler)(int))
{
    struct sigaction old, catch = { .sa_handler = handler };

    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
        return;
    catch.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&catch.sa_mask);
    sigaction(number, &catch, NULL);
}

/* The first signal asks the work to stop and clean up; a second one ends it at once. */
static void main_signals(void)
{
    main_catch(SIGINT, main_stop);
    main_catch(SIGTERM, main_stop);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    struct cli c = { .iterations = 2, .bins = 1000, .log = CLI_WARNINGS };
    enum cli_exit e;

    if (argc < 2) {
        cli_usage(stderr);
        return CLI_MISUSED;
    }
    main_signals();
    e = cli_parse(&c, argc, argv);
    if (e == CLI_DONE)
        e = c.help != CLI_HELP_NONE ? cli_help_asked(&c) : c.command->run(&c);
    cli_fini(&c);
    return (int)e;
}
