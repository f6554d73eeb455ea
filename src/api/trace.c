#include "prvcut/trace.h"
#include "api/entries.h"

#include "api/called.h"
#include "api/index.h"
#include "api/locate.h"
#include "api/opening.h"
#include "api/pack.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/work.h"
#include "model/formats.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a probe may look at. */
#define HEAD ((size_t)4096)

/* Files that others pack, and what unpacks them. */
static const struct {
    const char *head;
    size_t count;
    const char *what, *unpack;
} packed_by_others[] = {
    { "PK\003\004", 4, "is packed by zip, which prvcut does not read", "unzip -n TRACE" },
    { "BZh", 3, "is packed by bzip2, which prvcut does not read", "bunzip2 -k TRACE" },
    { "\3757zXZ", 5, "is packed by xz, which prvcut does not read", "unxz -k TRACE" },
};

static bool trace_is_read(const struct prvcut_format *f)
{
    size_t i = 0;

    while (prvcut_readers[i] && prvcut_readers[i]->format != f)
        i++;
    return prvcut_readers[i] != NULL;
}

/* What a file is that no format knows, as far as its head tells. */
static const char *trace_unknown(const char *head, size_t count, struct prvcut_error *err)
{
    const char *text;

    for (size_t i = 0; prvcut_formats[i]; i++)
        if (prvcut_formats[i]->untaken && (text = prvcut_formats[i]->untaken(head, count))) {
            if (!trace_is_read(prvcut_formats[i]))
                prvcut_instead(err, "prvcut formats");
            return text;
        }
    for (size_t i = 0; i < sizeof packed_by_others / sizeof *packed_by_others; i++)
        if (count >= packed_by_others[i].count &&
            memcmp(head, packed_by_others[i].head, packed_by_others[i].count) == 0) {
            prvcut_instead(err, "%s", packed_by_others[i].unpack);
            return packed_by_others[i].what;
        }
    return NULL;
}

/* "is not a trace of a known format (a Paraver .prv starts with ..., ...)" */
static enum prvcut_status trace_of_no_format(const char *path, struct prvcut_error *err)
{
    char known[300] = "";
    size_t used = 0;

    for (size_t i = 0; prvcut_readers[i]; i++)
        if (prvcut_readers[i]->format->known_by && used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used > 0 ? ", " : "", prvcut_readers[i]->format->known_by);
    prvcut_instead(err, "prvcut formats");
    return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: is not a trace of a known format (%s)", path,
                       known);
}

/* Is it that companion of a trace, compressed or not? Then the trace beside it, "" where there is
   none. */
static bool trace_is_companion(const char *path, const struct prvcut_format *f,
                               const char *companion, char *trace, size_t room)
{
    static const char *const packed[] = { "", ".gz", ".zst" };
    const size_t n = strlen(path);

    for (size_t i = 0; i < 3; i++) {
        char suffix[16];
        size_t end;

        snprintf(suffix, sizeof suffix, "%s%s", companion, packed[i]);
        end = n > strlen(suffix) ? n - strlen(suffix) : 0;
        if (end == 0 || strcmp(path + end, suffix) != 0)
            continue;
        for (size_t k = 0; k < 3; k++) {
            const int used =
                snprintf(trace, room, "%.*s%s%s", (int)end, path, f->suffix, packed[k]);

            if (used > 0 && (size_t)used < room && access(trace, F_OK) == 0)
                return true;
        }
        *trace = '\0';
        return true;
    }
    return false;
}

/* Whose companion it is, and what it holds; NULL: nobody's. */
static const struct prvcut_format *trace_companion_of(const char *path, char *trace, size_t room,
                                                      const char **holds)
{
    for (size_t i = 0; prvcut_formats[i]; i++)
        for (const struct prvcut_format_file *f = prvcut_formats[i]->file;
             f && f->part != PRVCUT_PART_END; f++)
            if (f->part == PRVCUT_PART_COMPANION &&
                trace_is_companion(path, prvcut_formats[i], f->suffix, trace, room)) {
                *holds = f->holds;
                return prvcut_formats[i];
            }
    return NULL;
}

static enum prvcut_status trace_not_known(const char *path, const char *head, size_t count,
                                          struct prvcut_error *err)
{
    const struct prvcut_format *format;
    char trace[1024];
    const char *holds;

    if (count == 0)
        return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: is empty", path);
    format = trace_companion_of(path, trace, sizeof trace, &holds);
    if (!format) {
        const char *what = trace_unknown(head, count, err);

        return what ? prvcut_fail(err, PRVCUT_ENOTRACE, "%s: %s", path, what)
                    : trace_of_no_format(path, err);
    }
    if (*trace) {
        prvcut_instead(err, "=%s", trace);
        return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: holds %s; the trace is beside it", path,
                           holds);
    }
    return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: holds %s of a trace, not the trace (%s)", path,
                       holds, format->suffix);
}

static enum prvcut_status trace_recognise(struct prvcut_source *s,
                                          const struct prvcut_reader **reader,
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
    return trace_not_known(prvcut_source_path(s), head, count, err);
}

/* What is damaged from its first byte on is told by whoever reads it. */
static enum prvcut_status trace_is_archive(struct prvcut_source *s, bool *archive,
                                           struct prvcut_error *err)
{
    const char *head = NULL;
    struct prvcut_error why = { 0 };
    size_t count = 0;
    enum prvcut_status st;

    *archive = false;
    if (prvcut_source_codec(s) != PRVCUT_ZSTD || prvcut_source_size(s) == 0)
        return PRVCUT_OK;
    st = prvcut_source_peek(s, HEAD, &head, &count, &why);
    *archive = st == PRVCUT_OK && pack_probe(head, count);
    return st < 0 && st != PRVCUT_EFORMAT ? prvcut_fail(err, st, "%s", why.text) : PRVCUT_OK;
}

static bool trace_is_regular(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* "ARCHIVE:MEMBER", where that is no file's name: the member, and the archive's name; NULL: it is
   none. */
static const char *trace_split(const char *path, char **archive, struct prvcut_error *err)
{
    struct stat s;

    if (strcmp(path, "-") == 0 || lstat(path, &s) == 0)
        return NULL;
    for (const char *colon = path; (colon = strchr(colon, ':')); colon++) {
        if (colon == path || !colon[1])
            continue;
        *archive = prvcut_copied(path, (size_t)(colon - path), "a name", NULL);
        if (!*archive)
            prvcut_no_memory(err, "a name");
        if (!*archive || trace_is_regular(*archive))
            return colon + 1;
        free(*archive);
        *archive = NULL;
    }
    return NULL;
}

static enum prvcut_status trace_open_inside(struct prvcut_opening *o, const char *member,
                                            const struct prvcut_open_options *options,
                                            struct prvcut_error *err)
{
    const struct pack_stop stop = { .asked = options ? options->stop : NULL,
                                    .ctx = options ? options->ctx : NULL };
    enum prvcut_status st;

    prvcut_source_close(o->source);
    o->source = NULL;
    if (strcmp(o->archive, "-") == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "-: an archive is read twice: save it to a file first");
    st = pack_unpack(&o->inside, o->archive, member, options && options->lenient, stop, err);
    return st < 0 ? st : prvcut_source_open(&o->source, o->inside.main, err);
}

/* Of a file, or of what stands in an archive: o->source, and o->archive with what is inside. */
static enum prvcut_status trace_open_source(struct prvcut_opening *o, const char *path,
                                            const struct prvcut_open_options *options,
                                            struct prvcut_error *err)
{
    const char *member = trace_split(path, &o->archive, err);
    enum prvcut_status st = PRVCUT_OK;
    bool archive = false;
    char *file = NULL;

    if (member && !o->archive)
        return PRVCUT_ENOMEM;
    if (!member)
        st = prvcut_trace_locate(&file, path, err);
    if (st == PRVCUT_OK)
        st = prvcut_source_open(&o->source, member ? o->archive : file, err);
    if (st == PRVCUT_OK)
        st = trace_is_archive(o->source, &archive, err);
    if (st == PRVCUT_OK && archive) {
        if (!member) {
            o->archive = file;
            file = NULL;
        }
        st = trace_open_inside(o, member, options, err);
    } else if (st == PRVCUT_OK && member) {
        prvcut_instead(err, "prvcut info ARCHIVE");
        st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: is no archive, so there is no '%.200s' in it",
                         o->archive, member);
    }
    free(file);
    return st;
}

enum prvcut_status prvcut_opening_start(struct prvcut_opening *out, const char *path,
                                        const struct prvcut_open_options *options,
                                        struct prvcut_error *err)
{
    enum prvcut_status st;

    *out = (struct prvcut_opening){ .inside = { .lock = -1 } };
    st = trace_open_source(out, path, options, err);
    if (st == PRVCUT_OK)
        st = trace_recognise(out->source, &out->reader, err);
    if (st < 0) {
        prvcut_opening_outcome(out, st, err);
        prvcut_source_close(out->source);
        prvcut_opening_fini(out);
        out->source = NULL;
    }
    return st;
}

void prvcut_opening_fini(struct prvcut_opening *o)
{
    pack_inside_fini(&o->inside);
    free(o->archive);
    o->archive = NULL;
}

/* --- What people are told ------------------------------------------------------------------- */

/* As texts are quoted, both names are. */
void prvcut_opening_retell(char *text, size_t room, const char *folder, const char *archive)
{
    char from[PATH_MAX], to[PATH_MAX], out[sizeof((struct prvcut_error *)0)->text];
    size_t used = 0, length;

    prvcut_quote(from, sizeof from, folder, strlen(folder));
    prvcut_quote(to, sizeof to, archive, strlen(archive));
    length = strlen(from);
    room = room < sizeof out ? room : sizeof out;
    for (const char *at = text; *at && used + 1 < room;) {
        if (strncmp(at, from, length) != 0) {
            out[used++] = *at++;
            continue;
        }
        used += (size_t)snprintf(out + used, room - used, "%s%s", to, at[length] == '/' ? ":" : "");
        used = used < room ? used : room - 1;
        at += length + (at[length] == '/');
    }
    out[used] = '\0';
    memcpy(text, out, used + 1);
}

enum prvcut_status prvcut_opening_outcome(const struct prvcut_opening *o, enum prvcut_status st,
                                          struct prvcut_error *err)
{
    if (st < 0 && o->inside.folder && err)
        prvcut_opening_retell(err->text, sizeof err->text, o->inside.folder, o->archive);
    return st;
}

enum prvcut_status prvcut_trace_outcome(const struct prvcut_trace *t, enum prvcut_status st,
                                        struct prvcut_error *err)
{
    const char *told = t->told;
    char *archive;

    if (st < 0 && err)
        prvcut_work_forget(err->text);
    if (st >= 0 || !t->unpacked || !told || !err)
        return st;
    archive = prvcut_copied(told, prvcut_told_archive(t), "a name", NULL);
    if (archive)
        prvcut_opening_retell(err->text, sizeof err->text, t->unpacked, archive);
    free(archive);
    return st;
}

/*
 * Outputs of what an archive holds stand beside the archive. Where the trace's own name does not
 * tell the run, it is called as if its folder stood there: the one in the archive, else one of the
 * archive's name.
 */
static char *trace_name_beside(const char *archive, const char *run, const char *inside)
{
    const char *slash = strrchr(archive, '/'), *base = strrchr(inside, '/');
    const char *name = slash ? slash + 1 : archive, *folder = *run ? run : name;
    struct prvcut_buffer out = { 0 };
    const int length = (int)(*run ? strlen(run) : prvcut_archive_stem(name));
    const bool generic = prvcut_path_is_generic(inside);

    base = base ? base + 1 : inside;
    if (prvcut_buffer_printf(&out, NULL, "%.*s%.*s%s%s", (int)(name - archive), archive,
                             generic ? length : 0, folder, generic ? "/" : "", base) < 0)
        prvcut_buffer_fini(&out);
    return out.at;
}

enum prvcut_status prvcut_opening_called(char **out, const struct prvcut_opening *o,
                                         struct prvcut_error *err)
{
    const char *path = prvcut_source_path(o->source);
    char *shown;
    enum prvcut_status st;

    if (!o->inside.folder)
        return prvcut_path_called(out, path, err);
    if (!prvcut_path_is_generic(path))
        return prvcut_member_called(out, o->inside.told, strlen(o->archive), err);
    shown = trace_name_beside(o->archive, o->inside.run, path);
    st = shown ? prvcut_path_called(out, shown, err) : prvcut_no_memory(err, "a name");
    free(shown);
    return st;
}

/* The trace owns from now on what was unpacked. */
static enum prvcut_status trace_take_inside(struct prvcut_trace *t, struct prvcut_opening *o,
                                            struct prvcut_error *err)
{
    struct stat archive;

    t->unpacked = o->inside.folder;
    t->unpacked_lock = o->inside.lock;
    t->told = o->inside.told;
    o->inside.folder = o->inside.told = NULL;
    if (stat(o->archive, &archive) == 0) {
        t->packed_device = archive.st_dev;
        t->packed_inode = archive.st_ino;
        t->packed_bytes = (uint64_t)archive.st_size;
        t->packed_ns = UINT64_C(1000000000) * (uint64_t)archive.st_mtim.tv_sec +
                       (uint64_t)archive.st_mtim.tv_nsec;
    }
    t->shown = trace_name_beside(o->archive, o->inside.run, t->path);
    return t->shown ? PRVCUT_OK : prvcut_no_memory(err, "a name");
}

enum prvcut_status api_trace_open(struct prvcut_trace **out, const char *path,
                                  const struct prvcut_open_options *options,
                                  struct prvcut_error *err)
{
    struct prvcut_opening o;
    enum prvcut_status st;

    *out = NULL;
    st = prvcut_opening_start(&o, path, options, err);
    if (st < 0)
        return st;
    st = o.reader->open(out, o.source, options, err);
    if (st < 0)
        *out = NULL;
    if (st == PRVCUT_OK) {
        (*out)->raw_clocks = options && options->raw_clocks;
        (*out)->kept_asked = options && options->no_index;
        (*out)->roles_given = options && options->roles && options->roles[0];
    }
    if (st == PRVCUT_OK && o.inside.folder)
        st = trace_take_inside(*out, &o, err);
    prvcut_opening_outcome(&o, st, err);
    prvcut_opening_fini(&o);
    if (st < 0) {
        prvcut_trace_close(*out);
        *out = NULL;
    }
    return st;
}

void prvcut_trace_close(struct prvcut_trace *trace)
{
    struct pack_inside inside, made;
    struct prvcut_trace *origin;
    char *shown;

    if (!trace)
        return;
    prvcut_kept_close(trace->kept);
    inside = (struct pack_inside){ .folder = trace->unpacked,
                                   .lock = trace->unpacked_lock,
                                   .told = trace->told };
    shown = trace->shown;
    made = (struct pack_inside){ .folder = trace->scratch, .lock = trace->scratch_lock };
    origin = trace->origin;
    free(trace->series);
    prvcut_asked_free(trace->asked);
    trace->reader->close(trace);
    pack_inside_fini(&inside);
    if (made.folder)
        pack_inside_fini(&made);
    free(shown);
    prvcut_trace_close(origin);
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
                                  trace->reader->format->name);
    if (st == PRVCUT_OK && b.count > 0)
        st = prvcut_buffer_append(&b, "", 1, err);
    if (st < 0)
        prvcut_buffer_fini(&b);
    *text = b.at;
    return st;
}

/* --- What is the trace's own ---------------------------------------------------------------- */

static bool trace_leads_to(const char *path, const struct stat *what)
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

    if (trace->origin)
        return prvcut_trace_holds(trace->origin, path);
    if (strcmp(path, "-") == 0 || stat(path, &what) != 0 ||
        (!S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode)))
        return false;
    own = trace_leads_to(trace->path, &what);
    for (unsigned i = 0; i < trace->companions && !own; i++)
        own = trace->companion[i].path && trace_leads_to(trace->companion[i].path, &what);
    if (!own && index_name(&index, trace, NULL) == PRVCUT_OK)
        own = trace_leads_to(index, &what);
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
    rest += *rest == ' ' && rest[1] != '\0';
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
        return prvcut_fail(err, PRVCUT_EUSAGE, "time '%s' is beyond the limit of 2^60ns", text);
    /* Whole nanoseconds are exact, whatever their size. */
    if (scale == 1 && !strpbrk(text, ".eE"))
        *ns = strtoull(text, NULL, 10);
    else
        *ns = (uint64_t)llround(value * scale);
    return PRVCUT_OK;
}
