#include "remedy.h"
#include "operands.h"

#include "propose.h"
#include "quote.h"
#include "suggest.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longest name of a file that is looked at. */
#define NAME_ROOM 1024
/* How the library tells that a file cannot be made where it was to stand. */
#define CREATED ": cannot be created: "
/* And that one that is followed is there no more. */
#define VANISHED ": was there and is followed, "

/* "FOLDER/" of a path, "" where it names none. */
static const char *rem_folder(char out[NAME_ROOM], const char *path)
{
    const char *slash = strrchr(path, '/');

    snprintf(out, NAME_ROOM, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
    return out;
}

static const char *rem_base(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Does the text begin with that file, or with a folder that it is to stand in? */
static bool rem_is_about(const char *text, const char *name)
{
    const size_t length = strlen(name), told = strcspn(text + (*text == '\''), ":'");

    text += *text == '\'';
    return strncmp(text, name, length) == 0 ||
           (told < length && strncmp(text, name, told) == 0 && name[told] == '/');
}

/* --- Files that are read -------------------------------------------------------------------- */

static bool rem_ends_like_trace(const char *name)
{
    const size_t length = strlen(name);
    char suffix[16];

    for (size_t i = 0; prvcut_trace_suffix(suffix, i); i++)
        if (length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0)
            return true;
    return false;
}

/* How far a name is from the one that was typed; UINT_MAX: too far. What goes on where that ends is
   further than any slip of the finger. */
static unsigned rem_distance(const char *typed, const char *name, bool trace)
{
    const unsigned edits = cli_edits(typed, name);
    const size_t length = strlen(typed);

    /* Labels beside a trace are none. */
    if (trace && rem_ends_like_trace(typed) && !rem_ends_like_trace(name) && !strstr(name, ".tar"))
        return UINT_MAX;
    if (edits > 0 && edits <= cli_edits_allowed(typed))
        return edits;
    if (length >= 2 && strncmp(typed, name, length) == 0 && name[length] != '\0' &&
        (!trace || rem_ends_like_trace(name)))
        return NAME_ROOM + (unsigned)strlen(name);
    return UINT_MAX;
}

/* The file that is most alike in the same folder, the first by name of equals; false: none. */
static bool rem_alike(char out[NAME_ROOM], const char *path, bool trace)
{
    char folder[NAME_ROOM], best[NAME_ROOM] = "";
    unsigned least = UINT_MAX;
    DIR *dir = opendir(*rem_folder(folder, path) ? folder : ".");

    if (!dir)
        return false;
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        const unsigned far =
            *e->d_name == '.' ? UINT_MAX : rem_distance(rem_base(path), e->d_name, trace);

        if (far < least || (far == least && *best && strcmp(e->d_name, best) < 0)) {
            least = far;
            snprintf(best, sizeof best, "%s", e->d_name);
        }
    }
    closedir(dir);
    return *best && snprintf(out, NAME_ROOM, "%s%s", folder, best) < NAME_ROOM;
}

const char *cli_remedy_alike(const char *path)
{
    static char alike[NAME_ROOM];

    return rem_alike(alike, path, true) ? alike : NULL;
}

static bool rem_is_kind(const char *name, bool archive)
{
    const bool packed = strstr(name, ".tar") != NULL;

    return archive ? strstr(name, ".tar.zst") != NULL : !packed && rem_ends_like_trace(name);
}

/* Is one called like a cut of the other: "app.chop1.prv" of "app.prv"? */
static bool rem_is_cut_of(const char *cut, const char *name)
{
    const char *dot = strrchr(name, '.');
    const size_t stem = dot ? (size_t)(dot - name) : strlen(name);

    return strlen(cut) > strlen(name) && strncmp(cut, name, stem) == 0 && cut[stem] == '.';
}

const char *cli_remedy_trace(bool archive)
{
    static char found[NAME_ROOM];
    struct dirent **entry = NULL;
    const int count = scandir(".", &entry, NULL, alphasort);

    *found = '\0';
    for (int i = 0; i < count; i++) {
        const char *name = entry[i]->d_name;
        struct stat s;

        if ((!*found || rem_is_cut_of(found, name)) && *name != '.' && *name != '-' &&
            rem_is_kind(name, archive) && stat(name, &s) == 0 && S_ISREG(s.st_mode) &&
            s.st_size > 0)
            snprintf(found, sizeof found, "%s", name);
        free(entry[i]);
    }
    free(entry);
    return *found ? found : NULL;
}

/* What is there: the folder, or the nearest one above it that is. */
void cli_remedy_list(char *out, size_t room, const char *path)
{
    char folder[NAME_ROOM], quoted[4 * NAME_ROOM + 4];
    struct stat s;

    rem_folder(folder, path);
    while (*folder && !(stat(folder, &s) == 0 && S_ISDIR(s.st_mode))) {
        folder[strlen(folder) - 1] = '\0';
        folder[rem_base(folder) - folder] = '\0';
    }
    quoted[cli_quote(quoted, folder)] = '\0';
    snprintf(out, room, "ls%s%s", *folder ? " " : "", *folder ? quoted : "");
}

/* The first folder on the way to a file that cannot be entered; false: all can. */
static bool rem_closed(char folder[NAME_ROOM], const char *path)
{
    struct stat s;

    for (size_t n = 1; n < NAME_ROOM && path[n - 1]; n++) {
        if (path[n] != '/' && path[n] != '\0')
            continue;
        snprintf(folder, NAME_ROOM, "%.*s", (int)n, path);
        if (stat(folder, &s) == 0 && S_ISDIR(s.st_mode) && access(folder, X_OK) != 0)
            return true;
    }
    return false;
}

/* Who owns it opens it; anybody else sees who does. */
static void rem_put_opened(char *out, size_t room, const struct cli *c, const char *folder)
{
    char quoted[4 * NAME_ROOM + 4];
    struct stat s;

    quoted[cli_quote(quoted, folder)] = '\0';
    if (stat(folder, &s) == 0 && s.st_uid == geteuid())
        snprintf(out, room, "chmod u+x %s && %s", quoted, c->typed);
    else
        snprintf(out, room, "ls -ld %s", quoted);
}

/* What is not there yet may come. */
static void rem_put_waiting(char *out, size_t room, const struct cli *c, const char *path)
{
    char quoted[4 * NAME_ROOM + 4];

    quoted[cli_quote(quoted, path)] = '\0';
    snprintf(out, room, "until [ -s %s ]; do sleep 1; done; %s", quoted, c->typed);
}

static bool rem_reads(char *out, size_t room, const struct cli *c, const char *text,
                      const char *path, bool trace)
{
    char alike[NAME_ROOM], folder[NAME_ROOM];
    const bool about = path && rem_is_about(text, path);

    /* What a pipe brought is gone. */
    if (about && strcmp(path, "-") == 0)
        return true;
    if (about && rem_closed(folder, path)) {
        rem_put_opened(out, room, c, folder);
        return true;
    }
    if (!about || access(path, F_OK) == 0)
        return false;
    /* What was there is not another one that is called alike, and does not come again. */
    if (strstr(text, VANISHED))
        cli_remedy_list(out, room, path);
    else if (rem_alike(alike, path, trace))
        cli_put_typed(out, room, c->typed, path, alike);
    else if (trace && c->follow.wanted)
        rem_put_waiting(out, room, c, path);
    else
        cli_remedy_list(out, room, path);
    return true;
}

/* --- Files that are written ----------------------------------------------------------------- */

/* A folder that is not there can be made where the nearest one above it takes files. */
static bool rem_can_be_made(const char *folder)
{
    char above[NAME_ROOM];
    struct stat s;

    snprintf(above, sizeof above, "%s", folder);
    for (char *slash = strrchr(above, '/'); slash; slash = strrchr(above, '/')) {
        slash[slash == above] = '\0';
        if (stat(above, &s) == 0)
            return S_ISDIR(s.st_mode) && access(above, W_OK) == 0;
        if (slash == above)
            return false;
    }
    return access(".", W_OK) == 0;
}

void cli_remedy_rename(struct cli *c, const char *file, const char *other, char *word, size_t room)
{
    if (c->renamed) {
        snprintf(c->renamed->from, sizeof c->renamed->from, "%s", file);
        snprintf(c->renamed->to, sizeof c->renamed->to, "%s", other);
    }
    for (int i = 1; i < c->argc && !c->slip; i++)
        if (file >= c->argv[i] && file < c->argv[i] + strlen(c->argv[i]))
            c->slip = c->argv[i];
    if (c->slip &&
        snprintf(word, room, "%.*s%s", (int)(file - c->slip), c->slip, other) < (int)room)
        c->meant = word;
    else
        c->slip = NULL;
}

#define OUTPUTS 6

/* What was named to be written; NULL: not given. */
static void rem_outputs(const struct cli *c, const char *out[OUTPUTS])
{
    out[0] = c->output;
    out[1] = c->report;
    out[2] = c->archive;
    out[3] = c->plot;
    out[4] = c->matrix;
    out[5] = cli_converts_to(c);
}

/* What stands there is a folder: a file in it, of the same suffix. */
static void rem_put_inside(char *out, size_t room, const struct cli *c, const char *path)
{
    char inside[NAME_ROOM];
    size_t length = strlen(path);
    const char *dot;

    while (length > 1 && path[length - 1] == '/')
        length--;
    dot = strspn(path, "./") == length ? NULL : strrchr(rem_base(path), '.');
    if (snprintf(inside, sizeof inside, "%.*s/out%s", (int)length, path, dot ? dot : "") <
        NAME_ROOM)
        cli_put_typed(out, room, c->typed, path, inside);
}

static bool rem_ends(const char *text, const char *reason)
{
    const size_t length = strlen(text), tail = strlen(reason);

    return length > tail && strcmp(text + length - tail, reason) == 0;
}

/* Is there no room? So the system says it, OTF2's library (which does not tell why) and SQLite. */
static bool rem_is_full(const char *text)
{
    return rem_ends(text, strerror(ENOSPC)) ||
           rem_ends(text, "the disk is full or a limit is reached") ||
           rem_ends(text, "disk is full");
}

/* A file of that name in a folder that takes one: the present one, unless it failed there. */
static const char *rem_place(char out[NAME_ROOM], const char *base, bool here)
{
    if (!here && access(".", W_OK | X_OK) == 0)
        return base;
    snprintf(out, NAME_ROOM, "/tmp/%.1000s", base);
    return out;
}

/* How much room there is where it was to stand. */
static void rem_put_room(char *out, size_t room, const char *folder)
{
    char quoted[4 * NAME_ROOM + 4];

    quoted[cli_quote(quoted, *folder ? folder : ".")] = '\0';
    snprintf(out, room, "df -h %s", quoted);
}

/* "NAME/" of a file that is named; false: it is there. */
static bool rem_lacks_folder(char folder[NAME_ROOM], const char *path)
{
    return path && *rem_folder(folder, path) && access(folder, F_OK) != 0;
}

/* Can each folder that is not there be made, and is each other one open? */
static bool rem_folders_can_be(const struct cli *c)
{
    const char *outputs[OUTPUTS];
    char folder[NAME_ROOM];

    rem_outputs(c, outputs);
    for (size_t i = 0; i < OUTPUTS; i++)
        if (rem_lacks_folder(folder, outputs[i])
                ? !rem_can_be_made(folder)
                : outputs[i] && access(*folder ? folder : ".", W_OK | X_OK) != 0)
            return false;
    return true;
}

/* Behind another command: what was typed, which takes a file in place of a pipe that it refuses. */
static void rem_put_again(char *out, size_t room, const struct cli *c)
{
    const char *trace = c->operands > 0 ? c->operand[0] : NULL;
    char name[24];
    size_t n;

    /* What comes through a pipe would go to the command before. */
    if (trace && strcmp(trace, "-") == 0)
        return;
    if (!cli_must_save(c, trace) || 4 * strlen(trace) + 40 > room) {
        snprintf(out, room, " && %s", c->typed);
        return;
    }
    cli_remedy_free_name(name);
    n = (size_t)snprintf(out, room, " && cat ");
    n += cli_quote(out + n, trace);
    n += (size_t)snprintf(out + n, room - n, " >%s && ", name);
    cli_put_typed(out + n, room - n, c->typed, trace, name);
}

static void rem_put_folders(char *out, size_t room, const struct cli *c)
{
    const char *outputs[OUTPUTS];
    char folder[NAME_ROOM], quoted[4 * NAME_ROOM + 4], before[NAME_ROOM] = "";
    size_t n = (size_t)snprintf(out, room, "mkdir -p");

    rem_outputs(c, outputs);
    for (size_t i = 0; i < OUTPUTS; i++) {
        if (!rem_lacks_folder(folder, outputs[i]) || strcmp(folder, before) == 0)
            continue;
        snprintf(before, sizeof before, "%s", folder);
        folder[strlen(folder) - 1] = '\0';
        quoted[cli_quote(quoted, folder)] = '\0';
        n += (size_t)snprintf(out + n, n < room ? room - n : 0, " %s", quoted);
    }
    if (n < room)
        rem_put_again(out + n, room - n, c);
}

/* What was typed, with another name for an output that cannot be made, and for each further one. */
static void rem_put_elsewhere(char *out, size_t room, const struct cli *c, const char *path)
{
    char elsewhere[NAME_ROOM], word[2 * NAME_ROOM], folder[NAME_ROOM];
    const char *other = rem_place(elsewhere, rem_base(path), !*rem_folder(folder, path));
    struct cli moved = *c;

    cli_remedy_rename(&moved, path, other, word, sizeof word);
    if (!c->rehearsed && !(moved.slip && cli_propose(out, room, &moved, NULL,
                                                     c->operands > 0 ? c->operand[0] : NULL)))
        cli_put_typed(out, room, c->typed, path, other);
}

static bool rem_writes(char *out, size_t room, const struct cli *c, const char *text,
                       const char *path)
{
    char folder[NAME_ROOM];
    struct stat s;

    if (!path || !rem_is_about(text, path))
        return false;
    rem_folder(folder, path);
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode) && access(path, W_OK | X_OK) == 0)
        rem_put_inside(out, room, c, path);
    else if (rem_is_full(text))
        rem_put_room(out, room, folder);
    else if (!c->rehearsed && rem_lacks_folder(folder, path) && rem_folders_can_be(c))
        rem_put_folders(out, room, c);
    else if (*rem_base(path) && strstr(text, CREATED))
        rem_put_elsewhere(out, room, c, path);
    return true;
}

/* An index stands beside its trace: links to the trace's files stand where it can be written. */
static void rem_put_links(char *out, size_t room, const char *trace)
{
    char here[NAME_ROOM] = "", stem[3 * NAME_ROOM], link[NAME_ROOM];
    char from[4 * sizeof stem + 4], to[4 * NAME_ROOM + 4];
    const char *dot = strrchr(rem_base(trace), '.');
    const int length = (int)(dot ? (size_t)(dot - trace) : strlen(trace));

    if (*trace != '/' && !getcwd(here, sizeof here))
        return;
    snprintf(stem, sizeof stem, "%s%s%.*s", here, *trace == '/' ? "" : "/", length, trace);
    snprintf(link, sizeof link, "/tmp/%.1000s", rem_base(trace));
    from[cli_quote(from, stem)] = '\0';
    to[cli_quote(to, link)] = '\0';
    snprintf(out, room, "ln -s %s.* /tmp && prvcut index %s", from, to);
}

/* A name that nobody typed, where nothing can be written: another folder, of what was typed that
   stands there. */
static void rem_put_named(char *out, size_t room, const struct cli *c, const char *path)
{
    char place[NAME_ROOM], works[5 * NAME_ROOM], quoted[4 * NAME_ROOM + 4];
    const char *slash = strrchr(path, '/');
    const bool archive = !c->output && c->archive;
    const char *base = rem_base(archive ? c->archive : c->output ? c->output : path);

    if (c->operands == 0)
        return;
    if (c->command->bit == CLI_INDEX) {
        rem_put_links(out, room, c->operand[0]);
        return;
    }
    quoted[cli_quote(quoted, rem_place(place, base, !slash))] = '\0';
    snprintf(works, sizeof works, "%s %s TRACE", archive ? "--archive" : "-o", quoted);
    if (!cli_propose(out, room, c, works, c->operand[0]))
        *out = '\0';
}

static void rem_put_details(char *out, size_t room, const char *path)
{
    char quoted[4 * NAME_ROOM + 4];

    quoted[cli_quote(quoted, path)] = '\0';
    snprintf(out, room, "ls -l %s", quoted);
}

/* A file that the command line does not name: of the trace, or called by default. */
static void rem_other(char *out, size_t room, const struct cli *c, const char *text)
{
    const bool full = rem_is_full(text);
    const char *end = strstr(text, full ? ": " : ": cannot be ");
    char path[NAME_ROOM], folder[NAME_ROOM];
    struct stat is;

    if (!end || end == text || end - text >= NAME_ROOM)
        return;
    snprintf(path, sizeof path, "%.*s", (int)(end - text), text);
    if (full)
        rem_put_room(out, room,
                     stat(path, &is) == 0 && S_ISDIR(is.st_mode) ? path : rem_folder(folder, path));
    else if (strncmp(end, CREATED, strlen(CREATED)) == 0)
        rem_put_named(out, room, c, path);
    else if (access(path, F_OK) == 0)
        rem_put_details(out, room, path);
}

const char *cli_remedy_output(const struct cli *c, const char *text, const char *other)
{
    const struct {
        const char *file;
        enum prvcut_file kind;
    } own[] = { { c->report, PRVCUT_FILE_HTML },
                { c->archive, PRVCUT_FILE_ARCHIVE },
                { c->plot, PRVCUT_FILE_SVG } };
    const char *const second = c->operands > 1 ? c->operand[1] : NULL;

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].file && rem_is_about(text, own[i].file) && prvcut_file_is(own[i].kind, other))
            return own[i].file;
    if (c->output && rem_is_about(text, c->output))
        return c->output;
    if (c->matrix && rem_is_about(text, c->matrix))
        return c->matrix;
    return second && rem_is_about(text, second) ? second : NULL;
}

bool cli_remedy_without(const struct cli *c, const char *text)
{
    bool about = c->timeline && rem_is_about(text, c->timeline);

    for (size_t i = 0; i < c->filter.config.count && !about; i++)
        about = rem_is_about(text, c->filter.config.at[i]);
    return about;
}

bool cli_remedy_folder(char *out, size_t room, const struct cli *c, const char *text)
{
    const char *outputs[OUTPUTS];
    struct stat s;

    *out = '\0';
    rem_outputs(c, outputs);
    for (size_t i = 0; i < OUTPUTS && !*out; i++)
        if (outputs[i] && rem_is_about(text, outputs[i]) && stat(outputs[i], &s) == 0 &&
            S_ISDIR(s.st_mode) && access(outputs[i], W_OK | X_OK) == 0)
            rem_put_inside(out, room, c, outputs[i]);
    return *out != '\0';
}

const char *cli_remedy_free_name(char out[24])
{
    snprintf(out, 24, "app.prv");
    for (int i = 2; i < 100 && access(out, F_OK) == 0; i++)
        snprintf(out, 24, "app%d.prv", i);
    return out;
}

void cli_remedy(char *out, size_t room, const struct cli *c, const char *text)
{
    const char *outputs[OUTPUTS];
    const char *const inputs[] = { c->timeline, c->sample.series,
                                   c->command->bit == CLI_CSV && c->operands > 1 ? c->operand[1]
                                                                                 : NULL };

    *out = '\0';
    rem_outputs(c, outputs);
    for (size_t i = 0; i < OUTPUTS; i++)
        if (rem_writes(out, room, c, text, outputs[i]))
            return;
    if (c->operands > 0 && rem_reads(out, room, c, text, c->operand[0], true))
        return;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (rem_reads(out, room, c, text, inputs[i], false))
            return;
    for (size_t i = 0; i < c->filter.config.count; i++)
        if (rem_reads(out, room, c, text, c->filter.config.at[i], false))
            return;
    rem_other(out, room, c, text);
}

/* The file that a text begins with, where it is one: "loop.pcf: ...", "loop.prv:7: ..." */
static bool rem_told(char out[NAME_ROOM], const char *text)
{
    const size_t length = strcspn(text, ":");

    if (length == 0 || length >= NAME_ROOM)
        return false;
    snprintf(out, NAME_ROOM, "%.*s", (int)length, text);
    return access(out, R_OK) == 0;
}

static bool rem_is_packed(const char *path)
{
    const char *dot = strrchr(rem_base(path), '.');

    return dot && (strcmp(dot, ".zst") == 0 || strcmp(dot, ".gz") == 0);
}

/* What the file looks like is all that can be said of one that is no trace, or of its first line;
   of others, check says more. */
void cli_remedy_damage(char *out, size_t room, const struct cli *c, const struct prvcut_error *err)
{
    const char *trace = c->operands > 0 ? c->operand[0] : "-";
    const bool checks = c->command->bit & (CLI_CHECK | CLI_VERIFY);
    const bool timeline = c->command->bit == CLI_CSV && c->operands > 1;
    char file[NAME_ROOM], quoted[4 * NAME_ROOM + 4];

    *out = '\0';
    if (!rem_told(file, err->text))
        snprintf(file, sizeof file, "%s", trace);
    if (strlen(trace) >= NAME_ROOM || access(file, R_OK) != 0)
        return;
    quoted[cli_quote(quoted, file)] = '\0';
    if (err->line == 1 && !rem_is_packed(file)) {
        snprintf(out, room, "head -n 1 %s", quoted);
    } else if (err->status == PRVCUT_ENOTRACE || checks || timeline || access(trace, R_OK) != 0) {
        rem_put_details(out, room, file);
    } else {
        quoted[cli_quote(quoted, trace)] = '\0';
        snprintf(out, room, "prvcut check %s", quoted);
    }
}
