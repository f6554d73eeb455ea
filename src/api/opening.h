#ifndef PRVCUT_API_OPENING_H
#define PRVCUT_API_OPENING_H

#include "api/pack.h"
#include "model/trace.h"

/** A file that was opened for reading. */
struct prvcut_opening {
    struct prvcut_source *source;
    const struct prvcut_reader *reader;
    char *archive;             /**< that the trace stands in; NULL: in none */
    struct pack_inside inside; /**< of the archive */
};

/**
 * Open a file and find out its format by content; the trace of an archive (prvcut/archive.h), or
 * the one that the name tells after a colon, is unpacked.
 *
 * shape   options: lenient, stop, ctx count; may be NULL
 * owns    out is initialised here, released with prvcut_opening_fini (but for the source, which its
 *         reader takes); empty after a failure
 * errors  PRVCUT_ENOTRACE: no built-in format knows it; those of prvcut_source_open, pack_unpack
 */
enum prvcut_status prvcut_opening_start(struct prvcut_opening *out, const char *path,
                                        const struct prvcut_open_options *options,
                                        struct prvcut_error *err);

/** Release all but the source. */
void prvcut_opening_fini(struct prvcut_opening *o);

/**
 * How a call on a trace went: in the text of a failure the temporary folder of what was unpacked
 * becomes the archive's name.
 */
enum prvcut_status prvcut_trace_outcome(const struct prvcut_trace *t, enum prvcut_status st,
                                        struct prvcut_error *err);

/** The same while it is opened or checked. */
enum prvcut_status prvcut_opening_outcome(const struct prvcut_opening *o, enum prvcut_status st,
                                          struct prvcut_error *err);

/** The same of any text in a room of at most an error's. */
void prvcut_opening_retell(char *text, size_t room, const char *folder, const char *archive);

/** The name of what was opened as people call it; owns: *out is the caller's. PRVCUT_ENOMEM */
enum prvcut_status prvcut_opening_called(char **out, const struct prvcut_opening *o,
                                         struct prvcut_error *err);

/** What outputs made of a trace are named after. */
static inline const char *prvcut_trace_shown(const struct prvcut_trace *t)
{
    return t->shown ? t->shown : t->path;
}

#endif
