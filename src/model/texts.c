#include "model/texts.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_texts_take(char ***text, size_t *texts, char *taken,
                                     struct prvcut_error *err)
{
    char **more = taken ? prvcut_resized(*text, *texts + 1, sizeof *more, "texts", err) : NULL;

    if (!more) {
        free(taken);
        return prvcut_no_memory(err, "a text");
    }
    *text = more;
    more[(*texts)++] = taken;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_texts_add(char ***text, size_t *texts, const char *copied,
                                    struct prvcut_error *err)
{
    return prvcut_texts_take(text, texts, prvcut_copied_text(copied, "a text", err), err);
}

enum prvcut_status prvcut_texts_say(char ***text, size_t *texts, struct prvcut_error *err,
                                    const char *format, va_list args)
{
    struct prvcut_buffer said = { .at = NULL };
    const enum prvcut_status st = prvcut_buffer_vprintf(&said, err, format, args);

    if (st == PRVCUT_OK)
        return prvcut_texts_take(text, texts, said.at, err);
    prvcut_buffer_fini(&said);
    return st;
}

void prvcut_texts_free(char **text, size_t texts)
{
    for (size_t i = 0; i < texts; i++)
        free(text[i]);
    free(text);
}
