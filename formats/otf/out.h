#ifndef PRVCUT_OTF_OUT_H
#define PRVCUT_OTF_OUT_H

#include "base/buffer.h"

/** A text file on its way out, plain or packed as OTF packs; counts only where it has no path. */
struct otf_out {
    char *path; /**< owned; NULL: nothing is written */
    int fd;
    void *pack; /**< of packed files; owned */
    struct prvcut_buffer text;
    uint64_t bytes; /**< of text, not packed */
};

/** owns: path is taken, also on failure; out is released with otf_out_close */
enum prvcut_status otf_out_open(struct otf_out *out, char *path, bool packed,
                                struct prvcut_error *err);

enum prvcut_status otf_out_put(struct otf_out *out, const void *text, size_t count,
                               struct prvcut_error *err);

enum prvcut_status otf_out_finish(struct otf_out *out, struct prvcut_error *err);

void otf_out_close(struct otf_out *out);

#endif
