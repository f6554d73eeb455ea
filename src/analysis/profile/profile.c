#include "analysis/profile/profile.h"

#include <stdlib.h>
#include <string.h>

/* Bins of a factor of 2. */
#define BIN_BITS 6u
#define BINS     (UINT32_C(1) << BIN_BITS)

void prvcut_profile_found_fini(struct prvcut_profile_found *f)
{
    prvcut_proof_cells_fini(&f->cells);
    prvcut_dictionary_fini(&f->names);
    prvcut_table_fini(&f->cell);
    prvcut_table_fini(&f->bin);
    prvcut_table_fini(&f->rest);
    prvcut_table_fini(&f->off);
    prvcut_table_fini(&f->pace);
    prvcut_table_fini(&f->paces);
    prvcut_table_fini(&f->function);
    prvcut_table_fini(&f->named);
    prvcut_table_fini(&f->inclusive);
    prvcut_table_fini(&f->met);
    free(f->reach);
    memset(f, 0, sizeof *f);
}

/* --- Lengths ---------------------------------------------------------------------------------- */

static struct prvcut_span pro_own(const struct prvcut_profile_found *f, size_t slot,
                                  uint32_t thread)
{
    const struct prvcut_proof_piece *p = &f->cells.piece[f->cells.of[slot]];
    struct prvcut_span own = prvcut_window_own(&p->window, thread);

    own.end = own.end < f->end_ns ? own.end : f->end_ns;
    own.end = own.end > own.start ? own.end : own.start;
    return own;
}

uint64_t prvcut_profile_length(const struct prvcut_profile_found *f, size_t slot, uint32_t thread)
{
    const struct prvcut_span own = pro_own(f, slot, thread);

    return own.end - own.start;
}

uint64_t prvcut_profile_recorded(const struct prvcut_profile_found *f, size_t slot, uint32_t thread)
{
    const struct prvcut_span own = pro_own(f, slot, thread);
    const uint64_t last = f->reach[thread].inside;
    const uint64_t end = last < own.end ? last : own.end;

    return end > own.start ? end - own.start : 0;
}

/* --- Bins ----------------------------------------------------------------------------------- */

uint32_t prvcut_profile_bin_of(uint64_t ns)
{
    unsigned shift;

    if (ns < BINS)
        return (uint32_t)ns;
    shift = 63 - (unsigned)__builtin_clzll(ns) - BIN_BITS;
    return (shift + 1) * BINS + (uint32_t)((ns >> shift) - BINS);
}

uint64_t prvcut_profile_bin_ns(uint32_t bin)
{
    unsigned shift;

    if (bin < 2 * BINS)
        return bin;
    shift = bin / BINS - 1;
    return ((uint64_t)(bin % BINS + BINS) << shift) + (UINT64_C(1) << shift) / 2;
}
