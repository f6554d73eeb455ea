#include "browser.h"

#include "quote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

/* What xdg-open ends with where no browser is there, or none could show the page. */
#define NO_BROWSER 3
/* It waits for some browsers: one that has not failed by then is open. */
#define STEPS  150
#define STEP   20000000L /* ns */
#define SSH    22
#define DIGITS "0123456789"

static bool brw_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

/* --- From another machine ------------------------------------------------------------------- */

/* SSH_CONNECTION: "CLIENT PORT SERVER PORT". host: an address, in brackets where it has colons */
static bool brw_server(char *host, size_t room, unsigned long *port)
{
    const char *at = getenv("SSH_CONNECTION");
    size_t n;

    for (unsigned i = 0; i < 2 && at && *at; i++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    n = at ? strcspn(at, " ") : 0;
    if (n == 0 || n + 3 > room || at[n] != ' ' || at[strspn(at, DIGITS "abcdefABCDEF.:%")] != ' ')
        return false;
    snprintf(host, room, memchr(at, ':', n) ? "[%.*s]" : "%.*s", (int)n, at);
    *port = strtoul(at + n, NULL, 10);
    return *port > 0;
}

/* "scp alice@10.0.0.5:/home/alice/.cache/prvcut/lu.html ." */
static void brw_put_fetch(char *out, size_t room, const char *page)
{
    char host[100] = "HOST", from[4096], quoted[4 * sizeof from + 4];
    const char *user = getenv("LOGNAME") ? getenv("LOGNAME") : getenv("USER");
    unsigned long port = SSH;
    const bool known = brw_server(host, sizeof host, &port);
    size_t n = 0;

    snprintf(from, sizeof from, "%s%s%s:%s", user ? user : "", user ? "@" : "",
             known ? host : "HOST", page);
    quoted[cli_quote(quoted, from)] = '\0';
    n = (size_t)snprintf(out, room, "scp ");
    if (port != SSH)
        n += (size_t)snprintf(out + n, room - n, "-P %lu ", port);
    snprintf(out + n, room - n, "%s .", quoted);
}

static enum cli_exit brw_afar(const struct cli *c, const char *page)
{
    char fetch[4 * 4096 + 100];

    brw_put_fetch(fetch, sizeof fetch, page);
    cli_warn(c, "no display at this end of ssh; on your own machine type: %s", fetch);
    return CLI_DONE;
}

/* --- Here ----------------------------------------------------------------------------------- */

static enum cli_exit brw_failed(const struct cli *c, const char *page, const char *why,
                                const char *what)
{
    struct prvcut_error err = { .status = PRVCUT_EIO };

    snprintf(err.text, sizeof err.text, "%.100s%.100s; open this page yourself: %.700s", why, what,
             page);
    return cli_failed(c, PRVCUT_EIO, &err);
}

/* In a process group of its own: what interrupts this program leaves the browser alone. */
static int brw_start(pid_t *pid, const char *page)
{
    char program[] = "xdg-open", *path = cli_room(strlen(page) + 1);
    char *const argv[] = { program, path, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t usual;
    int failed = path ? 0 : ENOMEM;

    if (path)
        strcpy(path, page);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    for (int fd = 0; fd < 3 && !failed; fd++)
        failed = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    if (!failed)
        failed = posix_spawnattr_setsigdefault(&how, &usual);
    if (!failed)
        failed = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    if (!failed)
        failed = posix_spawnp(pid, program, &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    free(path);
    return failed;
}

/* How it ended; 0 also where it has not yet. */
static int brw_end(pid_t pid)
{
    const struct timespec step = { .tv_nsec = STEP };

    for (unsigned i = 0; i < STEPS && !cli_stopped(); i++) {
        int status;
        const pid_t ended = waitpid(pid, &status, WNOHANG);

        if (ended == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        if (ended < 0 && errno != EINTR)
            return 0;
        nanosleep(&step, NULL);
    }
    return 0;
}

static enum cli_exit brw_open(const struct cli *c, const char *page)
{
    pid_t pid;
    const int failed = brw_start(&pid, page);
    int end;

    if (failed == ENOENT)
        return brw_failed(c, page, "xdg-open is not there (package xdg-utils)", "");
    if (failed)
        return brw_failed(c, page, "xdg-open cannot be started: ", strerror(failed));
    end = brw_end(pid);
    if (end == NO_BROWSER)
        return brw_failed(c, page, "xdg-open finds no browser", "");
    return end == 0 ? CLI_DONE : brw_failed(c, page, "xdg-open could not open a browser", "");
}

enum cli_exit cli_browser(const struct cli *c, const char *page)
{
    if (brw_set("DISPLAY") || brw_set("WAYLAND_DISPLAY") || brw_set("BROWSER"))
        return brw_open(c, page);
    if (brw_set("SSH_CONNECTION"))
        return brw_afar(c, page);
    cli_warn(c, "no display here; open the page in a browser, from where there is one");
    return CLI_DONE;
}
