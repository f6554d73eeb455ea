#ifndef PRVCUT_BASE_PRINT_H
#define PRVCUT_BASE_PRINT_H

#include "base/buffer.h"
#include "base/output.h"

/**
 * Text on its way into an output, held back in pieces. The first failure stays and makes all that
 * follows do nothing, so that only the end of a record needs to look at it.
 */
struct prvcut_print {
    struct prvcut_output *output; /**< owned until prvcut_print_commit or prvcut_print_abandon */
    struct prvcut_buffer buffer;
    enum prvcut_status status;
    struct prvcut_error error;
};

/** As prvcut_output_open, compressed as the path's suffix says. */
enum prvcut_status prvcut_print_open(struct prvcut_print *p, const char *path, bool force,
                                     struct prvcut_error *err);

void prvcut_print_bytes(struct prvcut_print *p, const char *bytes, size_t count);
void prvcut_print_text(struct prvcut_print *p, const char *text);
void prvcut_print_u64(struct prvcut_print *p, uint64_t value);
void prvcut_print_i64(struct prvcut_print *p, int64_t value);

/** value / 10^decimals with all its decimals (1 to 18): exact, whatever the locale. */
void prvcut_print_decimal(struct prvcut_print *p, uint64_t value, unsigned decimals);

/** "10,856": thousands apart, as all texts for people write how many there are of something. */
char *prvcut_count_text(char out[32], uint64_t n);

/** What failed so far, if anything did. */
enum prvcut_status prvcut_print_state(const struct prvcut_print *p, struct prvcut_error *err);

/** As prvcut_output_commit; releases all that p holds. */
enum prvcut_status prvcut_print_commit(struct prvcut_print *p, uint64_t *size,
                                       struct prvcut_error *err);

/** As prvcut_output_abandon; accepts a zeroed p. */
void prvcut_print_abandon(struct prvcut_print *p);

#endif
