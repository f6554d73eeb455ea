#ifndef TESTS_TRACES_H
#define TESTS_TRACES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Real traces, where there are some: the folder that PRVCUT_TRACES names, else shared/traces
 * beside the source tree. NULL: none.
 */
const char *traces_folder(void);

/** How much long tests take; given by the build. */
enum traces_take {
    TRACES_LEAST, /* what differs in what is read and written: with sanitizers */
    TRACES_FEW,   /* a few of each kind */
    TRACES_ALL    /* all traces and random runs (PRVCUT_TESTS_ALL) */
};
enum traces_take traces_take(void);

/** Does a long test take this one of many alike cases: any, or every third one? */
bool traces_turn(int number);

/** Does a long test take this trace: any, or only a small one of its kind? */
bool traces_wanted(const char *format, const char *name);

/** Run a command of the shell; true where it leaves with 0. */
bool traces_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Unpack paraver/NAME/NAME.prv.zst with its companions into the build folder, once.
 *
 * shape   path: of the plain NAME.prv, with room for its final zero
 */
bool traces_unpack(const char *name, char *path, size_t room);

/**
 * Unpack FORMAT/NAME.tar.zst ("otf2", "otf") into the build folder, once, with the program's own
 * marks, where there are some, as iterations.tsv beside the main file.
 *
 * shape   path: of the main file (the anchor of OTF2), with room for its final zero
 */
bool traces_unpack_archive(const char *format, const char *name, char *path, size_t room);

/**
 * Unpack FOLDER/FILE ("paraver/NAME/NAME.prv.zst" or "otf2/NAME.tar.zst" of the traces' folder
 * "apps") into the build folder, once.
 *
 * shape   path: of the plain NAME.prv or the main file, with room for its final zero
 */
bool traces_unpack_file(const char *folder, const char *file, char *path, size_t room);

/**
 * Does a cut hold just what the reference program cuts? Records in any order; what stands before
 * them in the reference stands in the cut too.
 *
 * shape   window: options of prvbrute that give it ("--from 1 --to 9", "--keep-time ...");
 *         brute: path of prvbrute; cut, trace: plain files; scratch: prefix of files that are
 *         written and removed
 */
bool traces_same_cut(const char *brute, const char *window, const char *trace, const char *cut,
                     const char *scratch);

#endif
