#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Files that are written and hold less in all are freed at once. */
#define LARGE ((off_t)32 << 20)

/* What a file holds that is not worth it. */
#define SMALL ((off_t)1 << 20)

/* Descriptors that are looked at; the program opens few, and each the lowest that is free. */
#define LOOKED_AT 1024

/* Bytes of a file that is written; 0: it is none. */
static off_t hold_size(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    struct stat info;

    return flags != -1 && (flags & O_ACCMODE) != O_RDONLY && fstat(fd, &info) == 0 &&
                   S_ISREG(info.st_mode)
               ? info.st_size
               : 0;
}

static bool hold_large(void)
{
    off_t sum = 0;

    for (int fd = STDERR_FILENO + 1; fd < LOOKED_AT; fd++)
        sum += hold_size(fd);
    return sum > LARGE;
}

/*
 * Have large files open until the process that we come from has ended; nobody waits for us. All
 * else is closed: others wait for the end of a pipe, or for a lock.
 */
_Noreturn static void hold_until(int gone)
{
    struct pollfd end = { .fd = gone };

    for (int fd = 0; fd < LOOKED_AT; fd++)
        if (fd != gone && (fd <= STDERR_FILENO || hold_size(fd) < SMALL))
            close(fd);
    while (poll(&end, 1, -1) < 0 && errno == EINTR)
        continue;
    _exit(0);
}

/* Only what a signal handler may do: other threads may hold any lock. */
static void hold_fork(void)
{
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0)
        return;
    child = fork();
    if (child == 0) {
        if (fork() == 0)
            hold_until(ends[0]);
        _exit(0);
    }
    close(ends[0]);
    if (child > 0) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    } else {
        close(ends[1]);
    }
}

void cli_hold_files(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;

    if (!atomic_flag_test_and_set(&done) && hold_large())
        hold_fork();
}
