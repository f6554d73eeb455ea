#ifndef PRVCUT_OTF_OUT_H
#define PRVCUT_OTF_OUT_H

#include "base/buffer.h"

/**
 * A text file on its way out, plain or packed as OTF packs; counts only where it has no path. The
 * first failure stays and makes all that follows do nothing: only the end of a file needs to look
 * at it, and a loop that would go on for long.
 */
struct otf_out {
    enum prvcut_status st;
    struct prvcut_error *err; /**< takes the text of the first failure */
    char *path;               /**< owned; NULL: nothing is written */
    int fd;
    void *pack; /**< of packed files; owned */
    struct prvcut_buffer text, line;
    uint64_t bytes; /**< of text, not packed */
};

/** owns: path is taken, also on failure; out is released with otf_out_close */
enum prvcut_status otf_out_open(struct otf_out *out, char *path, bool packed,
                                struct prvcut_error *err);

void otf_out_put(struct otf_out *out, const void *text, size_t count);
void otf_out_string(struct otf_out *out, const char *text);
void otf_out_printf(struct otf_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Something that what is written depends on has this outcome. */
static inline void otf_out_depends(struct otf_out *out, enum prvcut_status st)
{
    if (out->st == PRVCUT_OK)
        out->st = st;
}

/** Write what is left, and tell what failed, if anything did. */
enum prvcut_status otf_out_finish(struct otf_out *out);

void otf_out_close(struct otf_out *out);

#endif
