#include "traces.h"

#include "runner.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* TRACES_DEFAULT, TRACES_UNPACKED: folders; TRACES_TAKE: 0 to 2; given by the build. */

/* The smallest of each kind. Time goes with how many traces a test takes more than with their size.
 */
static const char *const few[] = {
    "paraver lu.S.4",          /* loops of two levels */
    "paraver bt.W.4.hwc",      /* counters, many masks */
    "paraver cg.W.4.sampling", /* samples between the calls */
    "paraver comd.8.ctl",      /* tracing is switched off before the end */
    "paraver ep.W.4",          /* no loop */
    "paraver hpcc.4",          /* several programs one after the other */
    "paraver lu.S.8.flush",    /* flushes */
    "paraver lu.A.2.preempt",  /* preemption */
    "paraver sp.W.9.burst",    /* bursts alone */
    "otf2 cg.S.16",            /* loops of two levels, skewed clocks */
    "otf2 mpikinds.4",         /* every kind of message */
    "otf2 mpipth.4",           /* threads inside processes */
    "otf2 pth.4t",             /* threads alone */
    "otf2 scorep-ping-pong-otf2-papi",
    "otf lu.S.4-aux",    /* snapshots, statistics */
    "otf gtg-lu.S.4",    /* a coarse clock, no collectives */
    "otf luleshomp.8-z", /* packed streams, threads inside processes */
    "otf ping-pong-otf2-papi",
    "apps q.newton.2", /* solvers of varying length in steps */
    "apps q.scfmd.2",  /* the same in molecular dynamics */
    "apps q.adapt.4",  /* rejected tries */
    "apps q.few.4",    /* one call an iteration */
    "apps q.short3.2", /* three iterations */
    "apps q.short2.4", /* two, and what is cut inside one */
    "apps q.mw.4",     /* master and workers: none */
    "apps q.steal.4",  /* work stealing: none */
    "apps q.study.5",  /* iterations that end one way or another */
    "apps of.check",   /* a tool without a loop */
    "lots r.fmg.4",    /* multigrid of varying depth */
    "lots opm.flow",   /* a reservoir simulator */
};

/* Those that hold what the others do not; all else is as well made by the generators. */
static const char *const least[] = {
    "paraver lu.S.4",          "paraver bt.W.4.hwc",
    "paraver cg.W.4.sampling", "paraver comd.8.ctl",
    "paraver ep.W.4",          "paraver lu.S.8.flush",
    "paraver sp.W.9.burst",    "otf2 mpikinds.4",
    "otf2 mpipth.4",           "otf2 scorep-ping-pong-otf2-papi",
    "otf lu.S.4-aux",          "otf luleshomp.8-z",
};

enum traces_take traces_take(void)
{
    return (enum traces_take)TRACES_TAKE;
}

bool traces_turn(int number)
{
    return traces_take() > TRACES_LEAST || number % 3 == 0;
}

static bool is_one_of(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

bool traces_wanted(const char *format, const char *name)
{
    char both[128];

    if (traces_take() == TRACES_ALL)
        return true;
    snprintf(both, sizeof both, "%s %s", format, name);
    return traces_take() == TRACES_FEW ? is_one_of(few, sizeof few / sizeof *few, both)
                                       : is_one_of(least, sizeof least / sizeof *least, both);
}

bool traces_shell(const char *format, ...)
{
    char command[8192];
    va_list arguments;
    int n, status;

    va_start(arguments, format);
    n = vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof command)
        return false;
    status = system(command);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *traces_folder(void)
{
    const char *folder = getenv("PRVCUT_TRACES");

    if (!folder || !*folder)
        folder = TRACES_DEFAULT;
    if (access(folder, R_OK) == 0)
        return folder;
    test_leaves_out("there are no real traces");
    return NULL;
}

/* Unpack FROM/NAME.prv.zst with its companions as TO/NAME.prv. */
static bool unpack_paraver(const char *from, const char *to, const char *name, char *path,
                           size_t room)
{
    struct stat info;

    if (snprintf(path, room, "%s/%s.prv", to, name) >= (int)room)
        return false;
    if (stat(path, &info) == 0)
        return true;
    /* The trace comes last and gets its name when it is whole: others may unpack it too. */
    if (traces_shell("mkdir -p '%s' && cd '%s' && for f in *; do"
                     " t='%s'/${f%%.zst}; case $f in *.prv.zst) ;;"
                     " *.zst) zstd -dcq \"$f\" >\"$t.$$\" && mv \"$t.$$\" \"$t\" ;;"
                     " *) cp \"$f\" \"$t.$$\" && chmod u+w \"$t.$$\" && mv \"$t.$$\" \"$t\" ;; esac"
                     " || exit 1; done; zstd -dcq '%s.prv.zst' >'%s'.$$ && mv '%s'.$$ '%s'",
                     to, from, to, name, path, path, path))
        return true;
    test_leaves_out("a trace cannot be unpacked");
    return false;
}

bool traces_unpack(const char *name, char *path, size_t room)
{
    const char *folder = traces_folder();
    char from[2048], to[2048];

    return folder &&
           snprintf(from, sizeof from, "%s/paraver/%s", folder, name) < (int)sizeof from &&
           snprintf(to, sizeof to, "%s/%s", TRACES_UNPACKED, name) < (int)sizeof to &&
           unpack_paraver(from, to, name, path, room);
}

/* The one file FOLDER/ANY/ANY.SUFFIX. */
static bool find_main(const char *folder, const char *suffix, char *path, size_t room)
{
    char pattern[4096];
    glob_t found;
    bool good;

    if (snprintf(pattern, sizeof pattern, "%s/*/*.%s", folder, suffix) >= (int)sizeof pattern)
        return false;
    good = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc == 1 &&
           snprintf(path, room, "%s", found.gl_pathv[0]) < (int)room;
    globfree(&found);
    return good;
}

/* Unpack FROM.tar.zst with FROM.iterations.tsv.zst, where there is one, into the folder TO. */
static bool unpack_archive(const char *from, const char *to, const char *format, char *path,
                           size_t room)
{
    if (find_main(to, format, path, room))
        return true;
    /* The folder gets its name when it is whole: others may unpack it too. */
    if (traces_shell(
            "t='%s'.$$ && m='%s.iterations.tsv.zst' && mkdir -p \"$t\" &&"
            " zstd -dcq '%s.tar.zst' | tar -x -f - -C \"$t\" &&"
            " { [ ! -e \"$m\" ] || zstd -dcq \"$m\" >\"$(echo \"$t\"/*)\"/iterations.tsv; } &&"
            " { mv -T \"$t\" '%s' 2>/dev/null || rm -rf \"$t\"; }",
            to, from, from, to) &&
        find_main(to, format, path, room))
        return true;
    test_leaves_out("a trace cannot be unpacked");
    return false;
}

bool traces_unpack_archive(const char *format, const char *name, char *path, size_t room)
{
    const char *folder = traces_folder();
    char from[2048], to[2048];

    return folder &&
           snprintf(from, sizeof from, "%s/%s/%s", folder, format, name) < (int)sizeof from &&
           snprintf(to, sizeof to, "%s/%s/%s", TRACES_UNPACKED, format, name) < (int)sizeof to &&
           unpack_archive(from, to, format, path, room);
}

bool traces_unpack_file(const char *folder, const char *file, char *path, size_t room)
{
    const char *all = traces_folder(), *name = strrchr(file, '/'), *dot = strstr(file, ".tar.zst");
    char from[2048], to[2048], bare[128];
    int length;

    if (!all || !name)
        return false;
    /* Of "otf2/NAME.tar.zst" all before the suffix; of "paraver/NAME/NAME.prv.zst" the folder. */
    length = (int)((dot ? dot : name) - file);
    snprintf(bare, sizeof bare, "%.*s", (int)(strlen(name + 1) - strlen(".prv.zst")), name + 1);
    if (snprintf(from, sizeof from, "%s/%s/%.*s", all, folder, length, file) >= (int)sizeof from ||
        snprintf(to, sizeof to, "%s/%s/%.*s", TRACES_UNPACKED, folder, length, file) >=
            (int)sizeof to)
        return false;
    if (!dot)
        return unpack_paraver(from, to, bare, path, room);
    return traces_shell("mkdir -p '%.*s'", (int)(strrchr(to, '/') - to), to) &&
           unpack_archive(from, to, strncmp(file, "otf2/", 5) == 0 ? "otf2" : "otf", path, room);
}

bool traces_same_cut(const char *brute, const char *window, const char *trace, const char *cut,
                     const char *scratch)
{
    const bool same =
        traces_shell("'%s' --sorted %s '%s' >'%s.brute' 2>'%s.words' &&"
                     " grep -a '^[123]:' '%s.brute' >'%s.want';"
                     " grep -a '^[123]:' '%s' | LC_ALL=C sort >'%s.have';"
                     " grep -av '^[123]:' '%s.brute' >'%s.head';"
                     " grep -av '^[123]:' '%s' | head -n $(wc -l <'%s.head') | cmp - '%s.head' &&"
                     " cmp '%s.want' '%s.have'",
                     brute, window, trace, scratch, scratch, scratch, scratch, cut, scratch,
                     scratch, scratch, cut, scratch, scratch, scratch, scratch);

    if (!same)
        traces_shell("diff '%s.want' '%s.have' | head -n 10 >&2", scratch, scratch);
    traces_shell("rm -f '%s.brute' '%s.words' '%s.want' '%s.have' '%s.head'", scratch, scratch,
                 scratch, scratch, scratch);
    return same;
}
