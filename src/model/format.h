#ifndef PRVCUT_MODEL_FORMAT_H
#define PRVCUT_MODEL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/** What a file of a format is besides its main file. */
enum prvcut_file_part {
    PRVCUT_PART_END,       /**< behind the last one */
    PRVCUT_PART_COMPANION, /**< stands beside the main file, with the same name */
    PRVCUT_PART_OTHER,     /**< no part of a trace: what else its programs save */
    PRVCUT_PART_UNREAD,    /**< a trace of its programs that is not read */
    PRVCUT_PART_OF_ARCHIVE /**< NAME.SUFFIX, NAME.1.SUFFIX or NAME/1.SUFFIX of NAME's main file */
};

struct prvcut_format_file {
    enum prvcut_file_part part;
    const char *suffix; /**< ".pcf" */
    const char *what;   /**< "the labels of a Paraver trace"; NULL: no output is called so */
    const char *holds;  /**< of a companion: "labels"; of what is not read: "is a ..., which ..." */
};

/**
 * What the files of a format are called, and what people call it: the only place that knows. One
 * constant a format, which its reader and its writer share; there also where what reads it was left
 * out of the build.
 */
struct prvcut_format {
    const char *name;      /**< "paraver": options, JSON */
    const char *title;     /**< "Paraver": texts */
    const char *what;      /**< "a Paraver trace" */
    const char *suffix;    /**< of the main file, ".prv"; NULL: any */
    const char *also;      /**< another suffix of the main file; NULL: none */
    bool packs;            /**< the main file may have .gz or .zst behind the suffix */
    bool archive;          /**< many files: NAME.SUFFIX tells of those called NAME.* or NAME/ */
    bool numbered;         /**< its objects go by their numbers, as 1.4.1 */
    const char *beside[2]; /**< what appears with an output, in place of the suffix */
    const struct prvcut_format_file *file; /**< up to PRVCUT_PART_END; NULL: none */
    const char *const *generic; /**< stems that tell nothing of a trace ("traces"); NULL-ended */
    const char *viewer;         /**< the program that shows such a trace; NULL: none */
    const char *known_by;       /**< "a Paraver .prv starts with '#Paraver ('"; NULL: not read */
    /** What a head is that no reader takes, as far as this format knows; NULL: it does not. */
    const char *(*untaken)(const char *head, size_t count);
};

/** All of them, in the order of what is looked for; NULL-ended (formats/registry.c). */
extern const struct prvcut_format *const prvcut_formats[];

#endif
