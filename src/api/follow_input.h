#ifndef PRVCUT_API_FOLLOW_INPUT_H
#define PRVCUT_API_FOLLOW_INPUT_H

#include "prvcut/follow.h"

#include "base/source.h"
#include "base/work.h"

#include <sys/types.h>

/** What grows: a file, or a pipe of which all is kept in a file. */
struct follow_input {
    const struct prvcut_follow_options *how; /**< borrowed */
    bool (*stop)(void *ctx);
    void *stop_ctx;
    char *path;    /**< of the file that is read; owned */
    char *told;    /**< of a pipe: what people call it; owned; NULL: it is no pipe */
    uint64_t size; /**< bytes that are there */
    enum prvcut_follow_over over;
    double grew; /**< when it grew last, s */
    /* of a file */
    dev_t device;
    ino_t inode;
    char *seen; /**< [seen_count] the last bytes before size, as they were; owned */
    size_t seen_count;
    /* of a pipe */
    struct prvcut_source *source; /**< owned */
    struct prvcut_work *work;     /**< owned: the folder of what is kept */
    int kept;                     /**< the file that it is kept in; -1: none */
    char *room;                   /**< owned */
    bool full;                    /**< no more of it is kept */
    double since;                 /**< s: it is waited for since then, or something came */
    uint64_t came;                /**< bytes that it had brought by then */
};

/** owns: released with follow_input_close, also after a failure */
enum prvcut_status follow_input_open(struct follow_input *in, const char *path,
                                     struct prvcut_error *err);

/**
 * Take a step: what a pipe brings until so many bytes are there, or a short sleep while a file
 * grows; size and over are what they are then.
 *
 * errors  PRVCUT_EFORMAT: the file got shorter, was written anew, or another one took its place;
 *         PRVCUT_EINTERRUPTED; PRVCUT_EIO
 */
enum prvcut_status follow_input_step(struct follow_input *in, uint64_t bytes,
                                     struct prvcut_error *err);

/** Is a file still the one that is followed, and goes on from what it was? Its size is what it is
    now. errors: as follow_input_step */
enum prvcut_status follow_input_same(struct follow_input *in, struct prvcut_error *err);

/** s since it grew. */
double follow_input_quiet(const struct follow_input *in);

void follow_input_close(struct follow_input *in);

#endif
