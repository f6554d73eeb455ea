/*
 * prvarchive: write archives of any size, with known truth: NAME.otf2 or NAME.otf in a folder.
 */
#include "archive_program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef PRVCUT_OTF2
#define FORMATS "otf2, otf"
#else
#define FORMATS "otf"
#endif

static const char usage[] =
    "usage: prvarchive [OPTION...] FOLDER/NAME.otf2|FOLDER/NAME.otf\n"
    "Write an archive of a program that iterates (formats: " FORMATS "); print as JSON what is\n"
    "true of it. FOLDER is made; nothing of that name may be in it.\n"
    "  --processes N   [16]\n"
    "  --exchanges N   of halos in an iteration [8]\n"
    "  --iterations N  [100]\n"
    "  --events N      in all, about: decides the iterations\n"
    "  --skew NS       clocks of the processes differ by up to so much [0]\n"
    "  --eztrace       definitions of its own for each process, no roles\n";

struct settings {
    struct archive_options o;
    uint64_t events;
    char folder[4096], name[256];
    bool otf;
};

static bool set_number(struct settings *s, const char *option, const char *text)
{
    char *end;
    const uint64_t n = strtoull(text, &end, 10);

    if (*text < '0' || *text > '9' || *end)
        return false;
    if (strcmp(option, "--processes") == 0)
        s->o.processes = (uint32_t)n;
    else if (strcmp(option, "--exchanges") == 0)
        s->o.exchanges = (uint32_t)n;
    else if (strcmp(option, "--iterations") == 0)
        s->o.iterations = n;
    else if (strcmp(option, "--events") == 0)
        s->events = n;
    else if (strcmp(option, "--skew") == 0)
        s->o.skew_ns = n;
    else
        return false;
    return n <= UINT32_MAX || strcmp(option, "--events") == 0 || strcmp(option, "--skew") == 0;
}

/* "FOLDER/NAME.otf2" */
static bool set_path(struct settings *s, const char *path)
{
    const char *name = strrchr(path, '/'), *suffix;

    name = name ? name + 1 : path;
    suffix = strrchr(name, '.');
    if (!suffix || (strcmp(suffix, ".otf2") != 0 && strcmp(suffix, ".otf") != 0))
        return false;
    s->otf = suffix[4] == '\0';
    snprintf(s->folder, sizeof s->folder, "%.*s", (int)(name > path ? name - path - 1 : 1),
             name > path ? path : ".");
    snprintf(s->name, sizeof s->name, "%.*s", (int)(suffix - name), name);
    s->o.folder = s->folder;
    s->o.name = s->name;
    return true;
}

static bool parse(struct settings *s, int argc, char **argv)
{
    int i = 1;

    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--eztrace") == 0)
            s->o.eztrace = true;
        else if (i + 1 >= argc || !set_number(s, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    if (i + 1 != argc || !set_path(s, argv[i]) || s->o.processes < 2 || s->o.exchanges < 1)
        return false;
    if (s->events > 0)
        s->o.iterations = s->events / s->o.processes / archive_iteration_events(&s->o);
    return true;
}

static bool write_archive(const struct settings *s)
{
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "prvarchive: %s: %s\n", s->folder, strerror(errno));
        return false;
    }
    if (s->otf)
        return archive_write_otf(&s->o);
#ifdef PRVCUT_OTF2
    return archive_write_otf2(&s->o);
#else
    fputs("prvarchive: built without OTF2\n", stderr);
    return false;
#endif
}

int main(int argc, char **argv)
{
    struct settings s = { .o = { .processes = 16, .exchanges = 8, .iterations = 100 } };

    if (!parse(&s, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!write_archive(&s))
        return EXIT_FAILURE;
    printf("{ \"period_ns\": %.0f, \"iterations\": %" PRIu64 ", \"processes\": %" PRIu32
           ", \"events_per_iteration\": %" PRIu64 " }\n",
           archive_period(&s.o), s.o.iterations, s.o.processes, archive_iteration_events(&s.o));
    return EXIT_SUCCESS;
}
