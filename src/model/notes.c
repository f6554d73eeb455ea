#include "base/buffer.h"
#include "base/memory.h"
#include "model/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More would be a mistake, or an attack on the memory. */
#define NOTES_MAX 1000

enum prvcut_status prvcut_notes_add(struct prvcut_notes *n, struct prvcut_error *err,
                                    const char *format, ...)
{
    char text[512], quoted[1024];
    va_list arguments;

    if (n->count == NOTES_MAX)
        return PRVCUT_OK;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    prvcut_quote(quoted, sizeof quoted, text, strlen(text));
    if (prvcut_grow((void **)&n->at, &n->room, n->count + 1, sizeof *n->at, err) < 0)
        return PRVCUT_ENOMEM;
    n->at[n->count] = prvcut_copied_text(quoted, "a note", err);
    if (!n->at[n->count])
        return PRVCUT_ENOMEM;
    n->count++;
    return PRVCUT_OK;
}

void prvcut_notes_fini(struct prvcut_notes *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->at[i]);
    free(n->at);
    *n = (struct prvcut_notes){ 0 };
}
