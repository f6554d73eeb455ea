#include "prvcut/trace.h"

#include "api/index.h"
#include "api/locate.h"
#include "api/opening.h"
#include "api/pack.h"
#include "model/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a probe may look at. */
#define HEAD ((size_t)4096)

/* What a file is that no format knows, as far as its head tells. */
static const char *unknown(const char *head, size_t count)
{
    static const char anchor[] = "\x03"
                                 "BOTF2";

    if (count >= 6 && memcmp(head, anchor, 6) == 0)
        return "is an OTF2 archive, but this prvcut was built without the OTF2 library";
    if (count >= 3 && head[0] == 3 && (head[1] == 'B' || head[1] == '#') && head[2] == 1)
        return "is a part of an OTF2 archive, and its anchor file (NAME.otf2) is not there";
    return "is not a trace of a known format (a Paraver .prv starts with '#Paraver (', "
           "an OTF2 anchor is called NAME.otf2, an OTF master NAME.otf)";
}

static enum prvcut_status recognise(struct prvcut_source *s, const struct prvcut_reader **reader,
                                    struct prvcut_error *err)
{
    const char *head = NULL;
    size_t count = 0;
    int best = 0;
    enum prvcut_status st = prvcut_source_peek(s, HEAD, &head, &count, err);

    if (st < 0)
        return st;
    *reader = NULL;
    for (size_t i = 0; prvcut_readers[i]; i++) {
        const int bits = prvcut_readers[i]->probe(head, count);

        if (bits > best) {
            best = bits;
            *reader = prvcut_readers[i];
        }
    }
    if (*reader)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: %s", prvcut_source_path(s),
                       count == 0 ? "is empty" : unknown(head, count));
}

static enum prvcut_status open_located(struct prvcut_source **source, const char *path,
                                       struct prvcut_error *err)
{
    char *main_file = NULL;
    enum prvcut_status st = prvcut_trace_locate(&main_file, path, err);

    if (st == PRVCUT_OK)
        st = prvcut_source_open(source, main_file, err);
    free(main_file);
    return st;
}

/* In place of an archive the trace inside it. */
static enum prvcut_status open_inside(struct prvcut_source **source, char **unpacked,
                                      const char *path, struct prvcut_error *err)
{
    const char *head = NULL;
    size_t count = 0;
    enum prvcut_status st;

    if (prvcut_source_codec(*source) != PRVCUT_ZSTD || prvcut_source_size(*source) == 0 ||
        prvcut_source_peek(*source, HEAD, &head, &count, NULL) < 0 || !pack_probe(head, count))
        return PRVCUT_OK;
    prvcut_source_close(*source);
    *source = NULL;
    st = pack_unpack(unpacked, path, err);
    return st < 0 ? st : open_located(source, *unpacked, err);
}

enum prvcut_status prvcut_source_recognise(struct prvcut_source **source,
                                           const struct prvcut_reader **reader, char **unpacked,
                                           const char *path, struct prvcut_error *err)
{
    enum prvcut_status st;

    *source = NULL;
    *unpacked = NULL;
    st = open_located(source, path, err);
    if (st == PRVCUT_OK)
        st = open_inside(source, unpacked, path, err);
    if (st == PRVCUT_OK)
        st = recognise(*source, reader, err);
    if (st < 0) {
        prvcut_source_close(*source);
        pack_remove(*unpacked);
        *source = NULL;
        *unpacked = NULL;
    }
    return st;
}

/* Outputs of what an archive holds stand beside the archive. */
static char *name_beside(const char *archive, const char *inside)
{
    const char *slash = strrchr(archive, '/'), *base = strrchr(inside, '/');
    const size_t folder = slash ? (size_t)(slash - archive) + 1 : 0;
    char *out;

    base = base ? base + 1 : inside;
    out = malloc(folder + strlen(base) + 1);
    if (out) {
        memcpy(out, archive, folder);
        strcpy(out + folder, base);
    }
    return out;
}

enum prvcut_status prvcut_trace_open(struct prvcut_trace **out, const char *path,
                                     const struct prvcut_open_options *options,
                                     struct prvcut_error *err)
{
    const struct prvcut_reader *reader;
    struct prvcut_source *source;
    struct stat archive;
    char *unpacked;
    enum prvcut_status st = prvcut_source_recognise(&source, &reader, &unpacked, path, err);

    *out = NULL;
    if (st < 0)
        return st;
    st = reader->open(out, source, options, err);
    if (st == PRVCUT_OK) {
        (*out)->kept_asked = options && options->no_index;
        (*out)->roles_given = options && options->roles && options->roles[0];
    }
    if (st < 0 || !unpacked) {
        pack_remove(unpacked);
        return st;
    }
    (*out)->unpacked = unpacked;
    if (stat(path, &archive) == 0) {
        (*out)->packed_device = archive.st_dev;
        (*out)->packed_inode = archive.st_ino;
    }
    (*out)->shown = name_beside(path, (*out)->path);
    if ((*out)->shown)
        return PRVCUT_OK;
    prvcut_trace_close(*out);
    *out = NULL;
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a name");
}

void prvcut_trace_close(struct prvcut_trace *trace)
{
    char *unpacked, *shown;

    if (!trace)
        return;
    prvcut_kept_close(trace->kept);
    unpacked = trace->unpacked;
    shown = trace->shown;
    trace->reader->close(trace);
    pack_remove(unpacked);
    free(shown);
}

enum prvcut_status prvcut_trace_unmet(const struct prvcut_trace *trace, char **text,
                                      struct prvcut_error *err)
{
    struct prvcut_buffer b = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    *text = NULL;
    if (trace->roles_given && trace->reader->unmet)
        st = trace->reader->unmet(trace, &b, err);
    else if (trace->roles_given)
        st = prvcut_buffer_printf(&b, err,
                                  "it changes nothing: a trace in format %s tells the roles itself",
                                  trace->reader->name);
    if (st == PRVCUT_OK && b.count > 0)
        st = prvcut_buffer_append(&b, "", 1, err);
    if (st < 0)
        prvcut_buffer_fini(&b);
    *text = b.at;
    return st;
}

/* --- What is the trace's own ---------------------------------------------------------------- */

static bool leads_to(const char *path, const struct stat *what)
{
    struct stat s;
    const int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &s) : stat(path, &s);

    return failed == 0 && s.st_dev == what->st_dev && s.st_ino == what->st_ino;
}

bool prvcut_trace_holds(const struct prvcut_trace *trace, const char *path)
{
    char *index = NULL;
    struct stat what;
    bool own;

    if (strcmp(path, "-") == 0 || stat(path, &what) != 0 ||
        (!S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode)))
        return false;
    own = leads_to(trace->path, &what);
    for (unsigned i = 0; i < trace->companions && !own; i++)
        own = trace->companion[i].path && leads_to(trace->companion[i].path, &what);
    if (!own && index_name(&index, trace, NULL) == PRVCUT_OK)
        own = leads_to(index, &what);
    free(index);
    if (!own && trace->unpacked)
        own = what.st_dev == trace->packed_device && what.st_ino == trace->packed_inode;
    return own || prvcut_trace_has_part(trace->path, &what);
}

uint64_t prvcut_trace_end(const struct prvcut_trace *trace)
{
    return trace->end_ns;
}

enum prvcut_status prvcut_time_parse(const char *text, uint64_t end, uint64_t *ns,
                                     struct prvcut_error *err)
{
    static const struct {
        const char *name;
        double ns;
    } unit[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
    char *rest = NULL;
    const double value = strtod(text, &rest);
    double scale = 0;

    if (rest == text || !isfinite(value) || strpbrk(text, "xXpP"))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "'%s' is not a time (a number with ns, us, ms, s or %%)", text);
    if (value < 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "time '%s' is negative", text);
    if (strcmp(rest, "%") == 0) {
        if (value > 100)
            return prvcut_fail(err, PRVCUT_EUSAGE, "time '%s' is above 100 %%", text);
        *ns = (uint64_t)llround(value / 100 * (double)end);
        return PRVCUT_OK;
    }
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (strcmp(rest, unit[i].name) == 0)
            scale = unit[i].ns;
    /* Nobody means a part of a nanosecond. */
    if (*rest == '\0' && strchr(text, '.'))
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s what? %ss, %sms", text, text, text);
    if (scale == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "'%s' has no known unit of time (ns, us, ms, s or %%)", text);
    if (value * scale > 0x1p60)
        return prvcut_fail(err, PRVCUT_EUSAGE, "time '%s' is beyond the limit of 2^60 ns", text);
    /* Whole nanoseconds are exact, whatever their size. */
    if (scale == 1 && !strpbrk(text, ".eE"))
        *ns = strtoull(text, NULL, 10);
    else
        *ns = (uint64_t)llround(value * scale);
    return PRVCUT_OK;
}
