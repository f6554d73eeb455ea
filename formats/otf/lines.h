#ifndef PRVCUT_OTF_LINES_H
#define PRVCUT_OTF_LINES_H

#include "otf/parse.h"
#include "otf/text.h"

/**
 * The lines of a file of text, one after another; all who read streams or definitions take them
 * from here.
 *
 * A last line without an end may have been cut short: nobody is given it.
 */
struct otf_lines {
    struct otf_text text;
    const char *first; /**< of the line that was handed out last */
    const char *next;  /**< behind it */
    const char *end;   /**< of the chunk */
    /** How much was read for a chunk, once it is through; NULL: nobody wants to know. */
    enum prvcut_status (*pause)(void *ctx, uint64_t bytes, struct prvcut_error *err);
    void *pause_ctx;
    uint64_t told;    /**< bytes that pause has been told of */
    bool damage_ends; /**< damaged packed data are an end, not an error: the scan tells of it, or
                         passes over it */
    bool damaged;     /**< and so they ended */
    bool cut_short;   /**< the last line has no end */
    bool over;        /**< nothing follows */
};

/**
 * Open at a byte offset; > 0 only for plain files.
 *
 * owns    l is released with otf_lines_close, also after a failure
 * errors  as otf_text_open
 */
static inline enum prvcut_status otf_lines_open(struct otf_lines *l, const char *path, bool packed,
                                                uint64_t offset, struct prvcut_error *err)
{
    *l = (struct otf_lines){ .damage_ends = true };
    return otf_text_open(&l->text, path, packed, offset, err);
}

static inline void otf_lines_close(struct otf_lines *l)
{
    otf_text_close(&l->text);
}

/**
 * The next chunk of lines; those of the one before are no longer valid.
 *
 * errors  PRVCUT_END; what pause answers; as otf_text_next
 */
enum prvcut_status otf_lines_more(struct otf_lines *l, struct prvcut_error *err);

/** The next record of the chunk; false: there is none. */
static inline bool otf_lines_next(struct otf_lines *l, struct otf_record *r)
{
    if (l->next == l->end)
        return false;
    l->first = l->next;
    l->next = otf_parse(l->first, r);
    return true;
}

/** The next record of the file; errors as otf_lines_more. */
static inline enum prvcut_status otf_lines_record(struct otf_lines *l, struct otf_record *r,
                                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (!otf_lines_next(l, r) && st == PRVCUT_OK)
        st = otf_lines_more(l, err);
    return st;
}

/** The next line of the file, whatever it says; errors as otf_lines_more. */
enum prvcut_status otf_lines_line(struct otf_lines *l, struct prvcut_error *err);

#endif
