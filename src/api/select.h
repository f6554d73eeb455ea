#ifndef PRVCUT_API_SELECT_H
#define PRVCUT_API_SELECT_H

#include "model/made.h"

/** Regions as they are printed: 1.4 is region 4 of level 1, 1.2-1.4 are three. */
struct prvcut_region_name {
    unsigned level, number, last; /**< last: number where it is one, or the last of a range */
    bool range;                   /**< it is one of "1.2-1.4" */
};

/** "1.4", "1.2-1.4", or "4", "2-4" of that level (0: 1), up to a comma or the end; false: it is
 * none. */
bool prvcut_region_parse(const char *text, unsigned level, struct prvcut_region_name *out);

/**
 * The next of a list of regions, whose ranges are taken one by one: *at is the rest of the list,
 * *name zeroed before the first one. False: there is no more, or *at is no region.
 */
bool prvcut_region_next(const char **at, unsigned level, struct prvcut_region_name *name);

/** What the rows of an answer are of. */
struct api_rows {
    const char **region; /**< as named; NULL where all are rows */
    uint64_t first;      /**< iteration that is named; 0: none */
    bool regions;        /**< rows are of regions */
    bool nothing;        /**< rows are of nothing that was named: "all" regions are rows then */
};

/**
 * Is "all" named, so that rows are of regions in place of what they were of?
 *
 * errors  PRVCUT_EUSAGE: "all" where one region is wanted; iterations where rows are of regions
 */
enum prvcut_status api_rows_agree(const struct api_rows *rows, bool *all, struct prvcut_error *err);

/** Fail where several regions are named in place of one. */
enum prvcut_status api_region_is_one(const char *region, struct prvcut_error *err);

/** errors: PRVCUT_EUSAGE, there is no such region; the text says which there are */
enum prvcut_status prvcut_region_find(const struct made_structure *s,
                                      struct prvcut_region_name name, size_t *out,
                                      struct prvcut_error *err);

/** The region of the level that takes the most time; at level 1 the one the structure names;
    SIZE_MAX: there is none. */
size_t prvcut_region_longest(const struct made_structure *s, unsigned level);

#endif
