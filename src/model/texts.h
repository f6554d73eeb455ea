#ifndef PRVCUT_MODEL_TEXTS_H
#define PRVCUT_MODEL_TEXTS_H

#include "base/error.h"

#include <stdarg.h>
#include <stddef.h>

/*
 * A list of texts, such as the files or the notes of an answer: *text is [*texts], and owns them.
 */

/** Append a copy. */
enum prvcut_status prvcut_texts_add(char ***text, size_t *texts, const char *copied,
                                    struct prvcut_error *err);

/** Append what printf makes of it, however long. */
enum prvcut_status prvcut_texts_say(char ***text, size_t *texts, struct prvcut_error *err,
                                    const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/** Append; taken: owned by the list, freed after a failure; NULL is want of memory. */
enum prvcut_status prvcut_texts_take(char ***text, size_t *texts, char *taken,
                                     struct prvcut_error *err);

/** Release; NULL is an empty list. */
void prvcut_texts_free(char **text, size_t texts);

#endif
