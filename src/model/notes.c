#include "model/notes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_notes_add(char ***note, size_t *notes, const char *text,
                                    struct prvcut_error *err)
{
    char *copy = strdup(text);
    char **more = copy ? realloc(*note, (*notes + 1) * sizeof *more) : NULL;

    if (!more) {
        free(copy);
        return prvcut_no_memory(err, "a note");
    }
    *note = more;
    more[(*notes)++] = copy;
    return PRVCUT_OK;
}
