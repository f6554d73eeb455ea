#ifndef PRVCUT_BASE_KEPT_H
#define PRVCUT_BASE_KEPT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * What is kept beside a file that it was made from: named sections, each compressed and with a
 * checksum of its own, loaded when they are needed, behind a head that tells the file's identity.
 */

/** By what a file is known again. */
struct prvcut_identity {
    uint64_t size;
    int64_t seconds;      /**< when it was last changed, since 1970 */
    uint32_t nanoseconds; /**< of the second */
    uint32_t first, last; /**< CRC-32 of its first and its last MiB, or of all it has */
};

/** errors: PRVCUT_EIO: not a plain file, cannot be read */
enum prvcut_status prvcut_identify(struct prvcut_identity *out, const char *path,
                                   struct prvcut_error *err);

bool prvcut_identity_same(const struct prvcut_identity *a, const struct prvcut_identity *b);

/** By what is known without reading the file: first and last are 0. */
struct prvcut_identity prvcut_identity_of(const struct stat *s);

/** A checksum of several files, one after the other: that so far (0: of none) and the next one. */
uint32_t prvcut_identity_sum(uint32_t sum, const struct prvcut_identity *next);

/** Sections that are being put together; zeroed is empty. */
struct prvcut_keeper {
    struct prvcut_keeper_section *at; /**< [count]; owned */
    size_t count, room;
};

/** Add a section: a name of at most 15 characters that no other has. The bytes are copied. */
enum prvcut_status prvcut_keeper_add(struct prvcut_keeper *k, const char *name, const void *bytes,
                                     size_t count, struct prvcut_error *err);

/**
 * Write all sections, whole or not at all.
 *
 * shape   version: of the program; only the same one takes it back. *size: bytes on disk
 * errors  those of prvcut_output_open and _commit, PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_keeper_write(const struct prvcut_keeper *k, const char *path, bool force,
                                       const char *version, const struct prvcut_identity *of,
                                       uint64_t *size, struct prvcut_error *err);

void prvcut_keeper_fini(struct prvcut_keeper *k);

/** Sections that can be loaded. */
struct prvcut_kept;

/**
 * Open what is kept of a file.
 *
 * shape   *why: constant, why it is not to be used; NULL where it is, or where there is none
 * owns    *out is the caller's, released with prvcut_kept_close; NULL: it is not to be used
 */
void prvcut_kept_open(struct prvcut_kept **out, const char **why, const char *path,
                      const char *version, const char *of);

/**
 * Load a section.
 *
 * owns    *bytes is the caller's, from malloc
 * errors  false: it is not there, or not as it was written
 */
bool prvcut_kept_load(const struct prvcut_kept *k, const char *name, char **bytes, size_t *count);

bool prvcut_kept_has(const struct prvcut_kept *k, const char *name);

/** One sum of all of its bytes, as they are now. errors: false: they cannot be read */
bool prvcut_kept_sum(const struct prvcut_kept *k, uint32_t *sum);

/** Release; accepts NULL. */
void prvcut_kept_close(struct prvcut_kept *k);

#endif
