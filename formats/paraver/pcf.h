#ifndef PRVCUT_PARAVER_PCF_H
#define PRVCUT_PARAVER_PCF_H

#include "paraver/labels.h"

/** An event type as one line of a .pcf gives it. */
struct prv_pcf_type {
    uint32_t number;
    const char *text;
    size_t block; /**< the EVENT_TYPE block that it stands in */
};

/** The values that the types of one EVENT_TYPE block share. */
struct prv_pcf_block {
    size_t first, count; /**< in value[] */
};

/** A .pcf, taken apart; everything in the order of the file but for the values of a block. */
struct prv_pcf {
    char *text; /**< all strings point into it */
    struct prv_pcf_type *type;
    struct prv_pcf_block *block;
    struct prv_value *value; /**< ascending in a block, no duplicates (the first one stays) */
    struct prvcut_label *state;
    size_t types, blocks, values, states;
    size_t type_room, block_room, value_room, state_room;
    bool crlf;             /**< a line ends in CR LF */
    uint64_t damaged_line; /**< first line that could not be understood, 0 = none */
};

/**
 * Take a .pcf apart; lines may end in LF, CRLF or CR.
 *
 * owns    out is initialised here and released with prv_pcf_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prv_pcf_parse(struct prv_pcf *out, const char *text, size_t count,
                                 struct prvcut_error *err);

void prv_pcf_fini(struct prv_pcf *p);

#endif
