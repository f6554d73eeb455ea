/*
 * Faults while prvcut works: every call that can fail does, over outputs that exist, and what is
 * left is compared with what was there. README.md tells how to run it and what came of it.
 *
 *   campaign [OPTION...] PRVCUT LIBRARY INPUTS SCRATCH
 *   campaign pack FILE...    compress as OTF's .z files are, for inputs.sh
 */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "cases.h"
#include "program.h"
#include "tree.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

/* What can be wrong after a fault. */
enum verdict {
    SURVIVED,
    LOST,       /* a file that was there is gone or another */
    HALF,       /* after a kill and the next run, neither the old files nor the new ones */
    LEFT,       /* something is left that nobody asked for */
    SILENT,     /* status 0, but the output is not what it should be */
    STATUS,     /* the wrong exit status */
    WORDLESS,   /* it failed and did not say so */
    DEATH,      /* by a signal, in the program or its own library */
    IN_LIBRARY, /* by a signal, in a library of others */
    HANG,
    VERDICTS
};

static const char *const verdict_names[VERDICTS] = { "survived",  "lost",   "half set",
                                                     "left over", "silent", "status",
                                                     "no words",  "death",  "in a library",
                                                     "hang" };

/* Calls as the table's columns. */
static const char *const columns[] = { "write", "pwrite", "fsync", "rename", "open",
                                       "read",  "pread",  "mmap",  "close",  "malloc",
                                       "stdio", "folder", "stat",  "KILL",   "TERM" };
#define COLUMNS (sizeof columns / sizeof *columns)

/* Most commands in the table of cases. */
#define CASES 128

/* What all workers share. */
struct shared {
    atomic_size_t next; /* case */
    atomic_long tried[CASES][COLUMNS], survived[CASES][COLUMNS];
    atomic_long verdict[VERDICTS];
};

struct options {
    unsigned long each; /* faults of a kind on a command, at most */
    unsigned long malloc_each;
    unsigned share; /* of all kinds, in percent */
    unsigned seed, workers;
    const char *only_case, *only_call;
    const char *without; /* no command that names it: a format that is not built in */
    long only_at;
    const char *program, *library, *inputs, *scratch;
};

/* One command, and what it should do. */
struct subject {
    const struct fault_case *what;
    size_t number;
    struct tree before, after; /* with old outputs; with the new ones */
    char *out;                 /* standard output */
    int status;
    double seconds;
    struct place place;
    const struct options *options;
    struct shared *shared;
    unsigned random;
};

static const struct fault no_fault;

static unsigned draw(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 8 & 0x7fffff;
}

/* --- What a command does without faults --------------------------------------------------- */

static void subject_reset(const struct subject *s)
{
    tree_write(&s->before, s->place.folder);
    tree_remove(s->place.temporary);
    tree_write(&(struct tree){ 0 }, s->place.temporary);
}

/* Old outputs: for each new one a file of its name, and one more in each folder. */
static void subject_old(struct subject *s, const struct tree *inputs, const struct tree *made)
{
    tree_copy(&s->before, inputs);
    for (size_t i = 0; i < made->count; i++) {
        const struct leaf *l = &made->leaf[i];
        char text[600];

        if (tree_find(inputs, l->path))
            continue;
        *text = '\0';
        if (!l->is_folder)
            snprintf(text, sizeof text, "old %s\n", l->path);
        tree_add(&s->before, l->path, text);
        s->before.leaf[s->before.count - 1].is_folder = l->is_folder;
    }
}

/* What differs between two runs without a fault is not compared. */
static void subject_varies(struct subject *s)
{
    struct tree again;

    subject_reset(s);
    program_run(&s->place, s->what->arguments, &no_fault);
    tree_read(&again, s->place.folder);
    for (size_t i = 0; i < s->after.count; i++) {
        struct leaf *l = &s->after.leaf[i];
        const struct leaf *other = tree_find(&again, l->path);

        l->varies = other && (other->size != l->size ||
                              (l->size > 0 && memcmp(other->bytes, l->bytes, l->size) != 0));
        if (l->varies)
            printf("%s: %s is another in every run\n", s->what->name, l->path);
    }
    tree_fini(&again);
}

static void subject_init(struct subject *s)
{
    char inputs[600];
    struct tree given, made;
    struct outcome o;

    snprintf(inputs, sizeof inputs, "%s/%s", s->options->inputs, s->what->input);
    tree_read(&given, inputs);
    tree_write(&given, s->place.folder);
    program_run(&s->place, s->what->arguments, &no_fault);
    tree_read(&made, s->place.folder);
    subject_old(s, &given, &made);
    subject_reset(s);
    o = program_run(&s->place, s->what->arguments, &no_fault);
    s->status = o.status;
    s->seconds = o.seconds;
    s->out = program_text(s->place.out);
    tree_read(&s->after, s->place.folder);
    if (o.status != 0)
        printf("%s: status %d without any fault\n", s->what->name, o.status);
    subject_varies(s);
    tree_fini(&given);
    tree_fini(&made);
}

static void subject_fini(struct subject *s)
{
    tree_fini(&s->before);
    tree_fini(&s->after);
    free(s->out);
}

/* Is it one of the commands that are tried? */
static bool is_tried(const struct options *o, const struct fault_case *c)
{
    if (o->without && (strstr(c->input, o->without) || strstr(c->arguments, o->without)))
        return false;
    return !o->only_case || strcmp(o->only_case, c->name) == 0;
}

/* --- Judging ------------------------------------------------------------------------------- */

/* Whose code died: the innermost frame that is neither the C library's nor ours. */
static enum verdict judge_death(const struct subject *s, char *detail, size_t space)
{
    char *stack = program_text(s->place.stack), *rest = NULL;
    enum verdict v = DEATH;

    for (char *line = strtok_r(stack, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (strstr(line, "/libc.so") || strstr(line, s->place.library) ||
            strncmp(line, "[", 1) == 0)
            continue;
        snprintf(detail, space, "%s", line);
        v = strstr(line, "prvcut") ? DEATH : IN_LIBRARY;
        break;
    }
    free(stack);
    return v;
}

/* Must the program go on as if nothing had happened? */
static bool must_go_on(const struct fault *f)
{
    return strncmp(f->how, "EINTR", 5) == 0 || strncmp(f->how, "SHORT", 5) == 0;
}

static enum verdict judge_done(const struct subject *s, const struct tree *now, char *detail,
                               size_t space)
{
    const char *path = tree_lacks(now, &s->after);
    char *out = program_text(s->place.out);
    const bool said = strcmp(out, s->out) == 0;

    free(out);
    if (!path && !said)
        path = "standard output";
    snprintf(detail, space, "%s", path ? path : "");
    if (path)
        return SILENT;
    path = tree_exceeds(now, &s->after);
    snprintf(detail, space, "%s", path ? path : "");
    return path ? LEFT : SURVIVED;
}

/* What is missing of the old files, but for those that the manual says are removed. */
static const char *judge_missing(const struct subject *s, const struct tree *now)
{
    const char *stale =
        strncmp(s->what->arguments, "csv-analysis", 12) == 0 ? "a.iterations." : NULL;

    for (size_t i = 0; i < s->before.count; i++) {
        const struct tree one = { &s->before.leaf[i], 1 };
        const char *path = tree_lacks(now, &one);

        if (path && !(stale && strncmp(path, stale, strlen(stale)) == 0 && !tree_find(now, path)))
            return path;
    }
    return NULL;
}

static enum verdict judge_failed(const struct subject *s, const struct tree *now, int status,
                                 const struct fault *f, char *detail, size_t space)
{
    const char *path = judge_missing(s, now);
    char *words = program_text(s->place.words);
    /* Libraries may have said something before. */
    const bool said = strncmp(words, "prvcut: ", 8) == 0 || strstr(words, "\nprvcut: ");
    /* It ends the process by itself. */
    const bool library = strncmp(words, "Fatal Internal Error in libarchive", 34) == 0;

    snprintf(detail, space, "%s", path ? path : "");
    if (!path)
        snprintf(detail, space, "%d, %.*s", status, (int)strcspn(words, "\n"), words);
    free(words);
    if (path)
        return LOST;
    if (library)
        return IN_LIBRARY;
    if (status != 1 || must_go_on(f))
        return STATUS;
    if (!said)
        return WORDLESS;
    path = tree_exceeds(now, &s->before);
    snprintf(detail, space, "%s", path ? path : "");
    return path ? LEFT : SURVIVED;
}

static enum verdict judge_temporary(const struct subject *s, char *detail, size_t space)
{
    struct tree left;
    enum verdict v;

    tree_read(&left, s->place.temporary);
    v = left.count > 0 ? LEFT : SURVIVED;
    if (left.count > 0)
        snprintf(detail, space, "TMPDIR/%s", left.leaf[0].path);
    tree_fini(&left);
    return v;
}

/* After a kill: another command works in the folder, then it holds the one set or the other. */
static enum verdict judge_killed(const struct subject *s, char *detail, size_t space)
{
    char next[200], path[600];
    struct tree now;
    const char *other;
    enum verdict v = SURVIVED;
    struct outcome o;

    snprintf(next, sizeof next, "signal -q -f --metric bursts --bins 2 -o next.csv %s",
             s->what->trace);
    o = program_run(&s->place, next, &no_fault);
    snprintf(path, sizeof path, "%s/next.csv", s->place.folder);
    unlink(path);
    tree_read(&now, s->place.folder);
    *detail = '\0';
    if (o.status != 0) {
        v = STATUS;
        snprintf(detail, space, "of the next run: %d", o.status);
    } else if (judge_missing(s, &now) && tree_lacks(&now, &s->after)) {
        v = HALF;
        snprintf(detail, space, "%s", judge_missing(s, &now));
    } else {
        other =
            judge_missing(s, &now) ? tree_exceeds(&now, &s->after) : tree_exceeds(&now, &s->before);
        v = other ? LEFT : SURVIVED;
        snprintf(detail, space, "%s", other ? other : "");
    }
    tree_fini(&now);
    return v;
}

static enum verdict judge(const struct subject *s, const struct outcome *o, const struct fault *f,
                          char *detail, size_t space)
{
    struct tree now;
    enum verdict v;

    if (o->hung)
        return HANG;
    if (o->signal == SIGKILL)
        return judge_killed(s, detail, space);
    if (o->signal && o->signal != SIGTERM && o->signal != SIGINT)
        return judge_death(s, detail, space);
    tree_read(&now, s->place.folder);
    /* Before it says what is to be done about that signal, nothing can have been written. */
    if (o->signal)
        v = tree_same(&now, &s->before) ? SURVIVED : DEATH;
    else
        v = o->status == s->status ? judge_done(s, &now, detail, space)
                                   : judge_failed(s, &now, o->status, f, detail, space);
    tree_fini(&now);
    /* Who can rename or open nothing any more cannot put back or remove: the next run does. */
    if ((v == LOST || v == LEFT) && strstr(f->how, ":on"))
        return judge_killed(s, detail, space);
    if (strcmp(f->call, "open") == 0 && strstr(f->how, ":on"))
        return v;
    return v == SURVIVED ? judge_temporary(s, detail, space) : v;
}

/* --- Trying -------------------------------------------------------------------------------- */

static size_t column_of(const struct fault_kind *k)
{
    const char *name = strcmp(k->how, "KILL") == 0   ? "KILL"
                       : strcmp(k->how, "TERM") == 0 ? "TERM"
                       : strcmp(k->how, "INT") == 0  ? "TERM"
                                                     : k->call;
    size_t i = 0;

    while (i + 1 < COLUMNS && strcmp(columns[i], name) != 0)
        i++;
    return i;
}

static void subject_try(struct subject *s, const struct fault_kind *k, long at)
{
    const struct fault f = { k->call, k->how, at };
    const size_t column = column_of(k);
    char detail[600] = "";
    struct outcome o;
    enum verdict v;

    subject_reset(s);
    o = program_run(&s->place, s->what->arguments, &f);
    v = judge(s, &o, &f, detail, sizeof detail);
    atomic_fetch_add(&s->shared->tried[s->number][column], 1);
    atomic_fetch_add(&s->shared->verdict[v], 1);
    if (v == SURVIVED)
        atomic_fetch_add(&s->shared->survived[s->number][column], 1);
    else
        printf("%s: FAULT=%s:%ld:%s on '%s' (status %d, signal %d): %s: %s\n", verdict_names[v],
               k->call, at, k->how, s->what->name, o.status, o.signal, verdict_names[v], detail);
}

/* How many moments there are for a kind. */
static unsigned long moments(const struct subject *s, const struct fault_kind *k)
{
    if (strcmp(k->call, "time") == 0)
        return (unsigned long)(s->seconds * 1e6) + 1;
    return (unsigned long)program_count(&s->place, k->call);
}

/* Spread over all of them, each at random within its share. */
static void subject_sweep(struct subject *s, const struct fault_kind *k, unsigned long count)
{
    const struct options *o = s->options;
    unsigned long each = strcmp(k->call, "malloc") == 0 ? o->malloc_each : o->each;

    if (each > count)
        each = count;
    for (unsigned long i = 0; i < each; i++) {
        const unsigned long first = count * i / each, last = count * (i + 1) / each;

        if (draw(&s->random) % 100 < o->share)
            subject_try(s, k, (long)(first + draw(&s->random) % (last - first)) + 1);
    }
}

static void subject_run(struct subject *s)
{
    const struct options *o = s->options;
    unsigned long count[128];

    subject_init(s);
    for (size_t i = 0; i < fault_kind_count; i++)
        count[i] = moments(s, &fault_kinds[i]);
    for (size_t i = 0; i < fault_kind_count; i++) {
        const struct fault_kind *k = &fault_kinds[i];

        if (o->only_call && strcmp(k->call, o->only_call) != 0 && strcmp(k->how, o->only_call) != 0)
            continue;
        if (o->only_at > 0)
            subject_try(s, k, o->only_at);
        else
            subject_sweep(s, k, count[i]);
    }
    subject_fini(s);
}

static void work(const struct options *o, struct shared *shared, unsigned worker)
{
    struct place place;
    size_t i;

    place_init(&place, o->program, o->library, o->scratch, worker);
    while ((i = atomic_fetch_add(&shared->next, 1)) < fault_case_count) {
        struct subject s = { .what = &fault_cases[i],
                             .number = i,
                             .place = place,
                             .options = o,
                             .shared = shared,
                             .random = o->seed + (unsigned)i * 977 };

        if (is_tried(o, s.what))
            subject_run(&s);
    }
    place_remove(&place, o->scratch, worker);
}

/* --- The table ----------------------------------------------------------------------------- */

static void tell(const struct options *o, struct shared *shared)
{
    long tried = 0;

    printf("\n| command |");
    for (size_t c = 0; c < COLUMNS; c++)
        printf(" %s |", columns[c]);
    printf("\n|---|");
    for (size_t c = 0; c < COLUMNS; c++)
        printf("---|");
    printf("\n");
    for (size_t i = 0; i < fault_case_count; i++) {
        if (!is_tried(o, &fault_cases[i]))
            continue;
        printf("| %s |", fault_cases[i].name);
        for (size_t c = 0; c < COLUMNS; c++) {
            const long t = shared->tried[i][c], survived = shared->survived[i][c];

            tried += t;
            if (t == survived)
                printf(t ? " %ld |" : " |", t);
            else
                printf(" %ld of %ld |", survived, t);
        }
        printf("\n");
    }
    printf("\nfaults: %ld tried", tried);
    for (size_t v = 0; v < VERDICTS; v++)
        printf(", %ld %s", (long)shared->verdict[v], verdict_names[v]);
    printf("; seed %u\n", o->seed);
}

static int campaign(const struct options *o)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool broken = false;
    int how;

    if (shared == MAP_FAILED)
        give_up("memory");
    printf("seed %u\n", o->seed);
    fflush(stdout);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (unsigned i = 0; i < o->workers; i++) {
        const pid_t child = fork();

        if (child < 0)
            give_up("fork");
        if (child == 0) {
            work(o, shared, i);
            exit(0);
        }
    }
    while (wait(&how) > 0)
        broken = broken || how != 0;
    tell(o, shared);
    for (size_t v = 1; v < VERDICTS; v++)
        broken = broken || (v != IN_LIBRARY && shared->verdict[v] > 0);
    return broken ? 1 : 0;
}

/* --- Arguments ----------------------------------------------------------------------------- */

static int pack(char **file)
{
    for (; *file; file++) {
        char path[600], *text;
        static unsigned char packed[1 << 20];
        uLongf size = sizeof packed;
        struct tree t = { 0 };
        FILE *in = fopen(*file, "rb"), *out;
        size_t count;

        (void)t;
        text = room(1 << 19);
        if (!in)
            give_up(*file);
        count = fread(text, 1, 1 << 19, in);
        fclose(in);
        snprintf(path, sizeof path, "%s.z", *file);
        out = fopen(path, "wb");
        if (!out || compress(packed, &size, (const Bytef *)text, count) != Z_OK ||
            fwrite(packed, 1, size, out) != size || fclose(out) != 0)
            give_up(path);
        free(text);
        unlink(*file);
    }
    return 0;
}

static int usage(void)
{
    fputs(
        "usage: campaign [-e EACH] [-m MALLOCS] [-p PERCENT] [-s SEED] [-j WORKERS] [-c COMMAND]\n"
        "                [-x FORMAT] [-k CALL|SIGNAL] [-n N] PRVCUT LIBRARY INPUTS SCRATCH\n"
        "       campaign pack FILE...\n",
        stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct options o = { .each = 8,
                         .malloc_each = 40,
                         .share = 100,
                         .workers = 2,
                         .seed = (unsigned)time(NULL) % 1000000 };
    int c;

    if (argc > 1 && strcmp(argv[1], "pack") == 0)
        return pack(argv + 2);
    while ((c = getopt(argc, argv, "e:m:p:s:j:c:x:k:n:")) != -1) {
        const unsigned long number = optarg ? strtoul(optarg, NULL, 10) : 0;

        if (c == 'e')
            o.each = number;
        else if (c == 'm')
            o.malloc_each = number;
        else if (c == 'p')
            o.share = (unsigned)number;
        else if (c == 's')
            o.seed = (unsigned)number;
        else if (c == 'j')
            o.workers = (unsigned)number;
        else if (c == 'c')
            o.only_case = optarg;
        else if (c == 'x')
            o.without = optarg;
        else if (c == 'k')
            o.only_call = optarg;
        else if (c == 'n')
            o.only_at = (long)number;
        else
            return usage();
    }
    if (argc - optind != 4)
        return usage();
    o.program = argv[optind];
    o.library = argv[optind + 1];
    o.inputs = argv[optind + 2];
    o.scratch = argv[optind + 3];
    return campaign(&o);
}
