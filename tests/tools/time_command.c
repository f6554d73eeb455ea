/* prvtime: run a command, print its wall, user and system time (s) and largest memory (KiB). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    struct rusage used;
    double start;
    pid_t child;
    FILE *out;
    int status;

    if (argc < 3) {
        fputs("usage: prvtime FILE COMMAND [ARGUMENT...]\n"
              "Run COMMAND; append a line `wall user system maxrss` (s, s, s, KiB) to FILE\n"
              "and leave with the command's status.\n",
              stderr);
        return 2;
    }
    start = now();
    child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "prvtime: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        fprintf(stderr, "prvtime: %s\n", strerror(errno));
        return 1;
    }
    start = now() - start;
    /* The only child: what all children used is what this one used. */
    getrusage(RUSAGE_CHILDREN, &used);
    out = fopen(argv[1], "a");
    if (out == NULL) {
        fprintf(stderr, "prvtime: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    fprintf(out, "%.4f %.4f %.4f %ld\n", start, seconds(used.ru_utime), seconds(used.ru_stime),
            used.ru_maxrss);
    if (fclose(out) != 0)
        return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
