#ifndef PRVCUT_MODEL_NOTES_H
#define PRVCUT_MODEL_NOTES_H

#include "base/error.h"

#include <stddef.h>

/** Append a copy of a text to a list of notes; owns: the caller frees the texts and the list. */
enum prvcut_status prvcut_notes_add(char ***note, size_t *notes, const char *text,
                                    struct prvcut_error *err);

#endif
