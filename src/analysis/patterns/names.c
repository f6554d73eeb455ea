#include "analysis/patterns/names.h"

#include "analysis/patterns/sequences.h"
#include "model/calls.h"
#include "model/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool nam_starts(const char *text, const char *with)
{
    return strncasecmp(text, with, strlen(with)) == 0;
}

uint32_t pat_name_runtime(const char *name)
{
    static const struct {
        const char *with;
        uint32_t of;
    } known[] = {
        { "OpenMP", PAT_OPENMP },  { "OMP", PAT_OPENMP },
        { "!$omp", PAT_OPENMP },   { "GOMP_", PAT_OPENMP },
        { "__kmpc_", PAT_OPENMP }, { "pthread", PAT_PTHREAD },
        { "sem_", PAT_PTHREAD },   { "POSIX threads", PAT_PTHREAD },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (nam_starts(name, known[i].with))
            return known[i].of;
    return 0;
}

/* Labels that say that something begins, or that nobody knows what. */
static bool nam_is_mute(const char *text)
{
    static const char *const mute[] = {
        "Begin", "begin", "Enter", "??", "Unresolved", "_NOT_Found"
    };
    const size_t length = strcspn(text, " ");

    for (size_t i = 0; i < sizeof mute / sizeof *mute; i++)
        if (strlen(mute[i]) == length && strncmp(text, mute[i], length) == 0 &&
            text[length + strspn(text + length, " ")] == '\0')
            return true;
    return false;
}

const char *pat_name_whole(char *out, size_t room, const struct prvcut_dictionary *names,
                           uint32_t type, int64_t value)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(names, type);
    const char *text = prvcut_value_text(names, type, value);

    if (!text)
        snprintf(out, room, "%" PRIu32 ":%" PRId64, type, value);
    else if (t && nam_is_mute(text) && t->text[0] != '\0')
        snprintf(out, room, "%s%s", t->text, *text == '?' ? " ??" : "");
    else
        snprintf(out, room, "%s", text);
    return out;
}

const char *pat_name(char *out, size_t room, const struct prvcut_dictionary *names, uint32_t type,
                     int64_t value)
{
    pat_name_whole(out, room, names, type, value);
    if (nam_starts(out, "MPI_"))
        memmove(out, out + 4, strlen(out + 4) + 1);
    return out;
}
