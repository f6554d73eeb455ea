#include "api/archive_place.h"

#include "api/called.h"
#include "base/journal.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status archive_place_name(struct prvcut_buffer *name, const char *path,
                                      struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t stem = prvcut_archive_stem(base);
    enum prvcut_status st = prvcut_buffer_append(name, base, stem, err);

    if (st == PRVCUT_OK)
        st = prvcut_buffer_append(name, "", 1, err);
    if (st == PRVCUT_OK && (stem == 0 || strcmp(name->at, "..") == 0))
        st = prvcut_fail(err, PRVCUT_EUSAGE, "an archive needs a name: '%s'", path);
    return st;
}

enum prvcut_status archive_place_open(struct prvcut_work **work, const char *path,
                                      struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    char *place = prvcut_copied(slash ? path : ".", length > 0 ? length : 1, "a file name", err);
    enum prvcut_status st;

    if (!place)
        return PRVCUT_ENOMEM;
    prvcut_journal_recover(place);
    st = prvcut_work_open(work, place, slash ? slash + 1 : path, path, err);
    free(place);
    return st;
}
