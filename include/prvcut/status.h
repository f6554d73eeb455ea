#ifndef PRVCUT_STATUS_H
#define PRVCUT_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version that this header came with; prvcut_version() is that of the library. */
#define PRVCUT_VERSION_MAJOR 1
#define PRVCUT_VERSION_MINOR 0
#define PRVCUT_VERSION_PATCH 0

/** What a shared library shows of itself. */
#if defined(__GNUC__)
#define PRVCUT_API __attribute__((visibility("default")))
#else
#define PRVCUT_API
#endif

/** Outcome of every call that can fail: >= 0 go on, < 0 stop. */
enum prvcut_status {
    PRVCUT_OK = 0,
    PRVCUT_END = 1,           /**< nothing (more) to deliver; not an error */
    PRVCUT_NONE = 2,          /**< a sound trace without what was looked for: no loop; no error */
    PRVCUT_UNSOUND = 3,       /**< what was looked at is damaged, as was asked; no error */
    PRVCUT_EIO = -1,          /**< the operating system refused to read or write */
    PRVCUT_ENOMEM = -2,       /**< out of memory */
    PRVCUT_EINTERRUPTED = -3, /**< the caller asked to stop */
    PRVCUT_EUSAGE = -4,       /**< the call or its options make no sense */
    PRVCUT_EFORMAT = -5,      /**< the input is damaged */
    PRVCUT_ELIMIT = -6,       /**< the input exceeds a documented limit */
    PRVCUT_ENOTRACE = -7,     /**< the input is not a trace of a known format */
    PRVCUT_EEXIST = -8,       /**< the output exists and may not be replaced */
    PRVCUT_ELOSS = -9,        /**< something would be lost, and that was forbidden */
};

/**
 * Where a failure leaves its text; owned by the caller, zeroed before first use.
 *
 * The first failure wins: a filled error is not overwritten.
 */
struct prvcut_error {
    enum prvcut_status status; /**< PRVCUT_OK while nothing failed */
    uint64_t line;             /**< 1-based line of the input, 0 where there is none */
    uint64_t offset;           /**< byte offset in the (decompressed) input, with line; of a
                                    compressed stream that is damaged, in the file; else 0 */
    char text[1024];           /**< one line for a person: what, the value, the limit */
    /** What works in place of what was refused: options of the program ("--iteration 300"), or a
        command, where TRACE stands for the trace, or "=" and another name for the file that text
        begins with; empty: nobody knows. */
    char instead[256];
};

#ifdef __cplusplus
}
#endif

#endif
