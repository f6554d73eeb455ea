#ifndef ACCURACY_ARCHIVE_TEXT_H
#define ACCURACY_ARCHIVE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whose ends or participants must fit: the ends of messages or the members of a communicator. */
struct archive_party {
    bool message;
    uint64_t a, b; /**< sender and receiver (places); or communicator and 0 */
    uint64_t tag;
};

/** One end of a message, or one process's part of a collective. */
struct archive_item {
    struct archive_party party;
    uint64_t side; /**< 0 send, 1 receive; or the place of the participant */
    uint64_t time; /**< ticks */
    bool kept;
};

/** A location or process that recorded something. */
struct archive_place {
    uint64_t id;
    uint64_t first, last; /**< ticks */
    uint64_t enters, leaves;
    uint64_t *open; /**< regions entered and not left */
    size_t depth, room;
    bool crossed; /**< a region was left that was not the innermost one, or none was open */
};

/** What the format's own tool prints of an archive. */
struct archive_text {
    struct archive_place *place; /**< ascending id */
    size_t places;
    struct archive_item *item; /**< by party, side, and then as printed */
    size_t items;
    uint64_t records;
    bool failed; /**< the tool left with an error */
    char *words; /**< what it complained of, without names and numbers; each line once */
};

/** There is a tool for the format ("otf2", "otf"). */
bool archive_text_can(const char *format);

/**
 * Let otf2-print or otfprint read an archive.
 *
 * shape   scratch: an existing folder, for what the tool complains of and decompressed streams
 * owns    out is initialised here, released with archive_text_fini
 */
bool archive_text_read(struct archive_text *out, const char *format, const char *path,
                       const char *scratch);

void archive_text_fini(struct archive_text *t);

#endif
