#ifndef PRVCUT_BASE_SORTER_RUNS_H
#define PRVCUT_BASE_SORTER_RUNS_H

#include "base/error.h"

#include <string.h>

/* What sorter.c is made of: sorting in memory, temporary files (paged.c has them, too), packing,
   merging. */

/** How records compare; group may be NULL. */
struct srt_order {
    size_t size; /**< bytes of a record */
    int (*compare)(const void *a, const void *b);
    uint32_t (*group)(const void *record);
};

static inline int srt_compare(const struct srt_order *o, const void *a, const void *b)
{
    if (o->group) {
        const uint32_t x = o->group(a), y = o->group(b);

        if (x != y)
            return x < y ? -1 : 1;
    }
    return o->compare(a, b);
}

/** Copy one record; the sizes in use are worth a constant each. */
static inline void srt_copy(char *to, const char *from, size_t size)
{
    if (size == 32)
        memcpy(to, from, 32);
    else if (size == 16)
        memcpy(to, from, 16);
    else if (size == 56)
        memcpy(to, from, 56);
    else
        memcpy(to, from, size);
}

/** Copy several, mostly one. */
static inline void srt_copy_some(char *to, const char *from, size_t count, size_t size)
{
    if (count == 1)
        srt_copy(to, from, size);
    else
        memcpy(to, from, count * size);
}

/** Bounds of runs while sorting; zeroed is empty and valid. */
struct srt_pairs {
    size_t *at;
    size_t count, room;
};

void srt_pairs_fini(struct srt_pairs *p);

/**
 * Sort in memory, taking advantage of the order that there is.
 *
 * shape   aux: room for as many records; its content is lost
 */
enum prvcut_status srt_sort(const struct srt_order *o, char *at, size_t count, char *aux,
                            struct srt_pairs *pairs, struct prvcut_error *err);

/** A temporary file without a name; fd < 0: none. */
struct srt_file {
    int fd;
    uint64_t end;    /**< bytes written */
    char folder[64]; /**< beginning of its folder's name, for messages */
};

/** The folder for temporary files, as a copy: the given one, else $TMPDIR, else /tmp. */
char *srt_folder(const char *given);

enum prvcut_status srt_file_open(struct srt_file *f, const char *folder, struct prvcut_error *err);
enum prvcut_status srt_file_append(struct srt_file *f, const void *bytes, size_t count,
                                   struct prvcut_error *err);
/** Write at an offset, also behind the end; f->end is as it was. */
enum prvcut_status srt_file_put(const struct srt_file *f, uint64_t offset, const void *bytes,
                                size_t count, struct prvcut_error *err);
enum prvcut_status srt_file_read(const struct srt_file *f, uint64_t offset, void *bytes,
                                 size_t count, struct prvcut_error *err);
void srt_file_close(struct srt_file *f);

/** Bytes that so many records take at most, packed; beyond what is needed, so that both ways may
    touch a little more. */
size_t srt_pack_room(size_t size, size_t count);

/**
 * Write records by what differs from the one before, and back.
 *
 * shape   packed: srt_pack_room bytes
 * return  bytes that are packed
 */
size_t srt_pack(void *packed, const char *at, size_t count, size_t size);
size_t srt_unpack(char *out, size_t count, size_t size, const void *packed);

/** Append records, packed, in blocks of up to `block`. */
enum prvcut_status srt_blocks_write(struct srt_file *f, const char *at, size_t count, size_t size,
                                    size_t block, struct prvcut_error *err);

/** The largest block. */
struct srt_block_room {
    size_t size, records; /**< bytes of a record; records of a block at most */
};

/** Sorted records in memory (at, count), or in a file (file, offset, left) read block by block. */
struct srt_run {
    const struct srt_file *file; /**< NULL: in memory */
    uint64_t offset;             /**< bytes, of what is not read from the file yet */
    size_t left;                 /**< records not read from the file yet */
    char *at;                    /**< the next record */
    size_t count;                /**< records in memory */
    char *buffer;                /**< owned by the merge; as is: */
    char *packed; /**< blocks as they are in the file, as many as were read at once */
    size_t packed_from, packed_to;
};

/** The next block of a run, into its buffer; *got: its records. errors: PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status srt_block_read(struct srt_run *r, const struct srt_block_room *room, size_t *got,
                                  struct prvcut_error *err);

/** A merge of runs: a heap of those that have records, by their next one. */
struct srt_merge {
    struct srt_order order;
    struct srt_run **heap;
    size_t count;
    struct srt_run *run; /**< borrowed */
    size_t runs;
    struct srt_block_room block;
};

/** block: records of the largest block in the files. */
enum prvcut_status srt_merge_init(struct srt_merge *m, const struct srt_order *o,
                                  struct srt_run *run, size_t runs, size_t block,
                                  struct prvcut_error *err);
/** The next records; *got < room only at the end. */
enum prvcut_status srt_merge_next(struct srt_merge *m, char *out, size_t room, size_t *got,
                                  struct prvcut_error *err);
void srt_merge_fini(struct srt_merge *m);

#endif
