#define _XOPEN_SOURCE 700

#include "program.h"
#include "tree.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MOST 32

/* A command that takes so many seconds hangs; the longest takes one. */
#define PATIENCE 60

static void place_folder(const char *path)
{
    tree_remove(path);
    if (mkdir(path, 0777) != 0)
        give_up(path);
}

void place_init(struct place *p, const char *program, const char *library, const char *scratch,
                unsigned worker)
{
    p->program = program;
    p->library = library;
    snprintf(p->folder, sizeof p->folder, "%s/in%u", scratch, worker);
    snprintf(p->temporary, sizeof p->temporary, "%s/tmp%u", scratch, worker);
    snprintf(p->out, sizeof p->out, "%s/out%u", scratch, worker);
    snprintf(p->words, sizeof p->words, "%s/words%u", scratch, worker);
    snprintf(p->counts, sizeof p->counts, "%s/counts%u", scratch, worker);
    snprintf(p->stack, sizeof p->stack, "%s/stack%u", scratch, worker);
    place_folder(p->folder);
    place_folder(p->temporary);
}

void place_remove(struct place *p, const char *scratch, unsigned worker)
{
    (void)scratch, (void)worker;
    tree_remove(p->folder);
    tree_remove(p->temporary);
    unlink(p->out);
    unlink(p->words);
    unlink(p->counts);
    unlink(p->stack);
}

static void redirect(const char *path, int to)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (fd < 0 || dup2(fd, to) < 0)
        _exit(98);
    close(fd);
}

/* In the child. */
_Noreturn static void become(const struct place *p, const char *arguments, const struct fault *f)
{
    char text[1024], fault[64], *word[WORDS_MOST], *rest = NULL;
    size_t words = 0;

    redirect("/dev/null", STDIN_FILENO);
    redirect(p->out, STDOUT_FILENO);
    redirect(p->words, STDERR_FILENO);
    close(STDIN_FILENO);
    if (open("/dev/null", O_RDONLY) != STDIN_FILENO || chdir(p->folder) != 0)
        _exit(98);
    snprintf(text, sizeof text, "prvcut %s", arguments);
    for (char *w = strtok_r(text, " ", &rest); w && words < WORDS_MOST - 1;
         w = strtok_r(NULL, " ", &rest))
        word[words++] = w;
    word[words] = NULL;
    if (f->call && strcmp(f->call, "time") != 0) {
        snprintf(fault, sizeof fault, "%s:%ld:%s", f->call, f->at, f->how);
        setenv("FAULT", fault, 1);
    }
    setenv("FAULT_COUNT", p->counts, 1);
    setenv("FAULT_STACK", p->stack, 1);
    setenv("TMPDIR", p->temporary, 1);
    setenv("PRVCUT_THREADS", "1", 1);
    setenv("LC_ALL", "C", 1);
    setenv("LD_PRELOAD", p->library, 1);
    execv(p->program, word);
    _exit(98);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_us(long us)
{
    const struct timespec t = { us / 1000000, us % 1000000 * 1000 };

    nanosleep(&t, NULL);
}

/* Wait for the child; true: it had to be ended. */
static bool end(pid_t child, double start, int *how)
{
    for (long wait = 500; waitpid(child, how, WNOHANG) == 0; wait = wait < 8000 ? wait * 2 : wait) {
        if (now() - start > PATIENCE) {
            kill(child, SIGKILL);
            waitpid(child, how, 0);
            return true;
        }
        sleep_us(wait);
    }
    return false;
}

struct outcome program_run(const struct place *p, const char *arguments, const struct fault *f)
{
    struct outcome o = { .status = -1 };
    const double start = now();
    pid_t child;
    int how = 0;

    unlink(p->stack);
    unlink(p->counts);
    child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0)
        become(p, arguments, f);
    if (f->call && strcmp(f->call, "time") == 0) {
        sleep_us(f->at);
        kill(child, strcmp(f->how, "KILL") == 0 ? SIGKILL : SIGTERM);
    }
    o.hung = end(child, start, &how);
    o.seconds = now() - start;
    if (WIFEXITED(how))
        o.status = WEXITSTATUS(how);
    else
        o.signal = WTERMSIG(how);
    if (o.status >= 98)
        give_up("the program cannot be run");
    return o;
}

char *program_text(const char *path)
{
    char *text = room(1 << 16);
    FILE *file = fopen(path, "rb");

    if (!file)
        return text;
    if (fread(text, 1, (1 << 16) - 1, file) == 0)
        *text = '\0';
    fclose(file);
    return text;
}

long program_count(const struct place *p, const char *call)
{
    char *text = program_text(p->counts);
    const size_t length = strlen(call);
    long count = 0;

    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, call, length) == 0 && line[length] == ' ')
            count = strtol(line + length, NULL, 10);
    }
    free(text);
    return count;
}
