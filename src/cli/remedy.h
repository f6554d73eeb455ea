#ifndef PRVCUT_CLI_REMEDY_H
#define PRVCUT_CLI_REMEDY_H

#include "cli.h"

/**
 * The command that works in place of one that the system refused: with the name of a file that is
 * there and called alike, or a place where a file can be written; "" where nobody knows one.
 *
 * shape   text: why it failed, which begins with the name of the file
 */
void cli_remedy(char *out, size_t room, const struct cli *c, const char *text);

/** The file that is there and called most like one that is not, of traces; NULL: none is. Valid
   until the next call. */
const char *cli_remedy_alike(const char *path);

/** What lists the folder of a file that is not there, or the nearest one above it. */
void cli_remedy_list(char *out, size_t room, const char *path);

/** What shows more of an input that is damaged, or is no trace; "" where nothing does. */
void cli_remedy_damage(char *out, size_t room, const struct cli *c, const struct prvcut_error *err);

/** Where an output that was named is a folder: a file in it. False: none is. */
bool cli_remedy_folder(char *out, size_t room, const struct cli *c, const char *text);

/** The output that text begins with, a text of argv, and that may be called other; NULL: none. */
const char *cli_remedy_output(const struct cli *c, const char *text, const char *other);

/**
 * Let another name be meant by that of an output, which is a text of argv.
 *
 * owns    word is the caller's room, borrowed by c
 */
void cli_remedy_rename(struct cli *c, const char *file, const char *other, char *word, size_t room);

/** Is it about a file that an option names beside the trace, without which the command works? */
bool cli_remedy_without(const struct cli *c, const char *text);

/** A trace in the current folder, or an archive (.tar.zst), the first by name, for commands that
    name none; NULL: there is none. Valid until the next call. */
const char *cli_remedy_trace(bool archive);

/** A name for a trace that is saved, which nothing has yet: "app.prv", "app2.prv". */
const char *cli_remedy_free_name(char out[24]);

#endif
