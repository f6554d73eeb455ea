#ifndef PRVCUT_PARAVER_TEXTS_H
#define PRVCUT_PARAVER_TEXTS_H

#include "paraver/paraver.h"

/** Blocks of a stream that are held in case they are needed again. */
#define PRV_TEXTS_KEPT 8

/** Blocks of a trace at random; a stream goes back by starting again. */
struct prv_texts {
    struct prv_trace *trace;
    struct prv_blocks blocks;
    bool open;
    struct prv_text kept[PRV_TEXTS_KEPT];
    unsigned turn;
    uint64_t newest; /**< number + 1 of the last block of the stream that was read */
};

/** owns: t is initialised here, released with prv_texts_fini, also after a failure */
enum prvcut_status prv_texts_init(struct prv_texts *t, struct prv_trace *trace,
                                  struct prvcut_error *err);

/** One block by its number; *out is valid until the next call. errors: PRVCUT_EIO: it is gone */
enum prvcut_status prv_texts_get(struct prv_texts *t, uint64_t number, struct prv_text **out,
                                 struct prvcut_error *err);

void prv_texts_fini(struct prv_texts *t);

#endif
