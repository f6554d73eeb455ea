#include "api/members.h"

#include "api/mains.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MOST ((size_t)64 << 20)

/* Names told of an archive with several traces. */
#define NAMES_TOLD 4

/* In place of the length of a folder's name. */
#define ANYWHERE SIZE_MAX

enum prvcut_status members_add(struct members *m, const char *name, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&m->name, &m->room, m->count + 1, sizeof *m->name, err);

    if (st < 0)
        return st;
    m->bytes += strlen(name) + 1;
    if (m->bytes > NAMES_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%s: archive: its names have more than %zu bytes, the limit", m->archive,
                           NAMES_MOST);
    m->name[m->count] = prvcut_copied_text(name, "a name", err);
    if (!m->name[m->count])
        return PRVCUT_ENOMEM;
    m->count++;
    return PRVCUT_OK;
}

void members_fini(struct members *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->name[i]);
    free(m->name);
}

static int mbr_by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The name as the members have it; NULL: it is none of them. */
static const char *mbr_find(const struct members *m, const char *name)
{
    char *const *at = prvcut_find_by(&name, m->name, m->count, sizeof *m->name, mbr_by_name);

    return at ? *at : NULL;
}

static bool mbr_is_member(const void *ctx, const char *name)
{
    return mbr_find(ctx, name) != NULL;
}

static struct prvcut_names mbr_names_of(const struct members *m)
{
    return (struct prvcut_names){ .has = mbr_is_member, .ctx = m };
}

/* The one folder at the top: bytes of its name, slash included, at the start of *in; 0: there is
   none, or there are several. */
static size_t mbr_only_folder(const struct members *m, const char **in)
{
    size_t only = 0;

    *in = "";
    for (size_t i = 0; i < m->count; i++) {
        const char *slash = strchr(m->name[i], '/');

        if (!slash || (only > 0 && strncmp(m->name[i], *in, only) == 0))
            continue;
        if (only > 0)
            return 0;
        *in = m->name[i];
        only = (size_t)(slash - m->name[i]) + 1;
    }
    return only;
}

static struct member_trace mbr_trace_of(const char *main)
{
    const char *slash = strrchr(main, '/');

    return (struct member_trace){ .main = main,
                                  .folder = slash ? (size_t)(slash - main) + 1 : 0,
                                  .stem = prvcut_main_stem(main) };
}

/* Traces of one folder, or of all. */
struct found {
    struct member_trace first;
    size_t count;
    struct prvcut_buffer told;
};

/* The main file of that name, with or without its suffix, in that folder; NULL: none. */
static const char *mbr_find_main(const struct members *m, const char *folder, size_t length,
                                 const char *name)
{
    const struct prvcut_names names = mbr_names_of(m);
    const size_t stem = length + strlen(name);
    char *text = prvcut_unset(1, stem + PRVCUT_MAIN_SUFFIX, "a name", NULL);
    const char *found = NULL;

    if (!text)
        return NULL;
    memcpy(text, folder, length);
    strcpy(text + length, name);
    if ((prvcut_main_stem(text) > 0 && mbr_find(m, text)) ||
        prvcut_main_of_stem(text, stem, &names))
        found = mbr_find(m, text);
    free(text);
    return found;
}

static enum prvcut_status mbr_choose_named(const struct members *m, const char *wanted,
                                           struct member_trace *out)
{
    const char *in, *main = mbr_find_main(m, "", 0, wanted);
    const size_t only = mbr_only_folder(m, &in);

    if (!main && only > 0)
        main = mbr_find_main(m, in, only, wanted);
    if (main)
        *out = mbr_trace_of(main);
    return main ? PRVCUT_OK : PRVCUT_END;
}

const char *members_name(const struct members *m, const struct member_trace *t)
{
    const char *in;
    const size_t only = mbr_only_folder(m, &in);
    struct member_trace meant;

    if (only > 0 && strncmp(t->main, in, only) == 0 &&
        mbr_choose_named(m, t->main + only, &meant) == PRVCUT_OK && meant.main == t->main)
        return t->main + only;
    return t->main;
}

/* Main files whose folder's name has that length; ANYWHERE: all. */
static enum prvcut_status mbr_look(const struct members *m, size_t folder, struct found *f,
                                   struct prvcut_error *err)
{
    const struct prvcut_names names = mbr_names_of(m);
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < m->count && st == PRVCUT_OK; i++) {
        const struct member_trace t = mbr_trace_of(m->name[i]);
        bool cut = false;

        if (t.stem == 0 || (folder != ANYWHERE && t.folder != folder) || t.main[t.folder] == '.')
            continue;
        st = prvcut_main_is_cut(&cut, t.main, &names, err);
        if (st < 0 || cut)
            continue;
        if (f->count++ == 0)
            f->first = t;
        if (f->count <= NAMES_TOLD)
            st = prvcut_buffer_printf(&f->told, err, "%s%s", f->count > 1 ? ", " : "",
                                      members_name(m, &t));
    }
    if (f->count > NAMES_TOLD && st == PRVCUT_OK)
        st = prvcut_buffer_printf(&f->told, err, ", ...");
    return st;
}

static enum prvcut_status mbr_look_everywhere(const struct members *m, struct found *f,
                                              struct prvcut_error *err)
{
    const char *in;
    const size_t only = mbr_only_folder(m, &in);
    enum prvcut_status st = mbr_look(m, 0, f, err);

    if (st == PRVCUT_OK && f->count == 0 && only > 0)
        st = mbr_look(m, only, f, err);
    if (st == PRVCUT_OK && f->count == 0)
        st = mbr_look(m, ANYWHERE, f, err);
    return st;
}

/* As one types it: in quotes where a shell would not take it as it is. */
static enum prvcut_status mbr_put_word(struct prvcut_buffer *b, const char *archive,
                                       const char *member, struct prvcut_error *err)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,+@%";
    const bool quoted =
        strspn(archive, plain) < strlen(archive) || strspn(member, plain) < strlen(member);

    return prvcut_buffer_printf(b, err, quoted ? "'%s:%s'" : "%s:%s", archive, member);
}

/* Which there are, and how to name one. */
static enum prvcut_status mbr_tell_all(const struct members *m, const struct found *f,
                                       const char *wanted, struct prvcut_error *err)
{
    struct prvcut_buffer word = { 0 };
    enum prvcut_status st = mbr_put_word(&word, m->archive, members_name(m, &f->first), err);

    if (st == PRVCUT_OK)
        prvcut_instead(err, "prvcut info %s", word.at);
    if (st == PRVCUT_OK && wanted)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: holds no trace '%.200s' but %s", m->archive,
                         wanted, f->told.at);
    else if (st == PRVCUT_OK)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "%s: holds %zu traces (%s); name one", m->archive,
                         f->count, f->told.at);
    prvcut_buffer_fini(&word);
    return st;
}

static enum prvcut_status mbr_without_trace(const struct members *m, struct prvcut_error *err)
{
    char names[80];

    return prvcut_fail(err, PRVCUT_ENOTRACE, "%s: is an archive without a trace (%s)", m->archive,
                       prvcut_main_names(names, sizeof names));
}

enum prvcut_status members_choose(struct members *m, const char *wanted, struct member_trace *out,
                                  struct prvcut_error *err)
{
    struct found f = { .count = 0 };
    enum prvcut_status st;

    if (m->count > 0)
        qsort(m->name, m->count, sizeof *m->name, mbr_by_name);
    if (wanted && mbr_choose_named(m, wanted, out) == PRVCUT_OK)
        return PRVCUT_OK;
    st = mbr_look_everywhere(m, &f, err);
    if (st == PRVCUT_OK && f.count == 0)
        st = mbr_without_trace(m, err);
    if (st == PRVCUT_OK && (wanted || f.count > 1))
        st = mbr_tell_all(m, &f, wanted, err);
    if (st == PRVCUT_OK)
        *out = f.first;
    prvcut_buffer_fini(&f.told);
    return st;
}

/* What begins with the main file's name without its suffix, unless a longer one claims it. */
bool members_is_part(const struct members *m, const struct member_trace *t, const char *name)
{
    const struct prvcut_names names = mbr_names_of(m);
    char text[PATH_MAX];
    size_t stem = strlen(name);
    bool claimed = false;

    if (strcmp(name, t->main) == 0)
        return true;
    if (strncmp(name, t->main, t->stem) != 0 || (name[t->stem] != '.' && name[t->stem] != '/') ||
        stem + PRVCUT_MAIN_SUFFIX > sizeof text)
        return false;
    if (prvcut_main_stem(name) > 0 && !memchr(name + t->stem, '/', stem - t->stem))
        return false;
    while (!claimed && --stem > t->stem) {
        if (name[stem] != '.' && name[stem] != '/')
            continue;
        memcpy(text, name, stem);
        claimed = prvcut_main_of_stem(text, stem, &names);
    }
    return !claimed;
}
