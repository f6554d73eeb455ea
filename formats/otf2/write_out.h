#ifndef PRVCUT_OTF2_WRITE_OUT_H
#define PRVCUT_OTF2_WRITE_OUT_H

#include "base/buffer.h"
#include "otf2/own.h"
#include "otf2/write.h"

/* How definitions are written: write_definitions.c all of them, write_values.c those that have
   values. */

/** Definitions on their way out. The first failure stays. */
struct o2w_out {
    struct o2w *w;
    OTF2_GlobalDefWriter *to;
    struct prvcut_buffer text;
    OTF2_StringRef next, empty, mpi;
    enum prvcut_status status;
    struct prvcut_error *err;
};

void o2w_out_done(struct o2w_out *o, OTF2_ErrorCode code, const char *what);

/** A string definition; that of "" is o->empty. */
void o2w_out_string_as(struct o2w_out *o, OTF2_StringRef id, const char *text);
OTF2_StringRef o2w_out_string(struct o2w_out *o, const char *text);
OTF2_StringRef o2w_out_format(struct o2w_out *o, const char *form, ...)
    __attribute__((format(printf, 2, 3)));

/** The text in the buffer, as a string of its own. */
void o2w_out_flush(struct o2w_out *o);

#define PUT(o, ...)                                                                                \
    ((o)->status == PRVCUT_OK                                                                      \
         ? (void)((o)->status = prvcut_buffer_printf(&(o)->text, (o)->err, __VA_ARGS__))           \
         : (void)0)

/** What a type is called. */
const char *o2w_type_text(const struct o2w_type *t, char room[32]);

/* --- write_values.c ----------------------------------------------------------------------- */

void o2w_out_metrics(struct o2w_out *o);
void o2w_out_parameters(struct o2w_out *o);
void o2w_out_details(struct o2w_out *o);
void o2w_out_marks(struct o2w_out *o);

#endif
