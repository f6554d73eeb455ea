#ifndef PRVCUT_PARAVER_LABELS_H
#define PRVCUT_PARAVER_LABELS_H

#include "base/error.h"
#include "model/trace.h"

/** A .pcf or .row has fewer bytes. A .pcf of a run with 64 ranks and callers has 1 MB; a .row names
    3 million threads. */
#define PRV_LABELS_MOST ((size_t)64 << 20)

/** A named value of an event type. */
struct prv_value {
    int64_t number;
    const char *text;
};

/** What a .pcf says of one event type. */
struct prv_type {
    struct prvcut_label label;
    const struct prv_value *value; /**< shared by the types of one block; ascending; may be NULL */
    size_t values;
    bool listed; /**< in the .pcf; else known by Extrae's number only */
    bool told;   /**< its role was given */
};

/** Event types and states of a trace: its .pcf where there is one, Extrae's numbers else. */
struct prv_labels {
    struct prv_type *type; /**< [types], ascending numbers, no duplicates */
    size_t types;
    struct prvcut_label *state; /**< [states], ascending; role unused */
    size_t states;
    uint32_t running; /**< number of the running state */
    char *pcf_path;   /**< the .pcf found; NULL where there is none */
    char *row_path;   /**< the .row found; NULL where there is none */
    bool pcf_crlf;    /**< the .pcf has lines in CR LF, which Paraver itself cannot read */
    void *arena;      /**< owns all texts and tables */
};

/**
 * Find and read NAME.pcf (and look for NAME.row) beside NAME.prv[.gz|.zst]; both may be
 * compressed themselves (.pcf.zst, .pcf.gz).
 *
 * A missing or damaged .pcf is not an error: what can be read is used, *damaged_line gives the
 * first line that could not be (0 = none), and Extrae's numbers fill in what is not listed.
 * roles   NULL or "name=number[,number]" settings (from options) that override everything
 * errors  PRVCUT_EUSAGE: a setting cannot be understood; PRVCUT_ENOMEM; PRVCUT_EIO other than
 *         'no such file'
 */
enum prvcut_status prv_labels_read(struct prv_labels *out, const char *prv_path,
                                   const char *const *roles, uint64_t *damaged_line,
                                   struct prvcut_error *err);

/** The same from the text of a .pcf in memory (any line ends). text may be NULL (no .pcf). */
enum prvcut_status prv_labels_parse(struct prv_labels *out, const char *text, size_t count,
                                    const char *const *roles, uint64_t *damaged_line,
                                    struct prvcut_error *err);

/** A name that settings give to a role; `running` (a state's number or name) stands beside them. */
struct prv_role_name {
    const char *name;
    enum prvcut_role role;
};

/** All of them; ended by a NULL name. */
extern const struct prv_role_name prv_role_names[];

/** What a setting may name: the state "running", then all roles; NULL beyond the last. */
const char *prv_role_name(size_t i);

/** What a type calls one of its values; NULL where it lists none. */
const struct prv_value *prv_type_value(const struct prv_type *t, int64_t number);

/** The entry of an event type; NULL where neither the .pcf nor Extrae's numbers know it. */
const struct prv_type *prv_labels_type(const struct prv_labels *l, uint32_t number);

/** Role of any number, listed or not. *region: its value holds until 0. */
enum prvcut_role prv_labels_role(const struct prv_labels *l, uint32_t number, bool *region);

void prv_labels_fini(struct prv_labels *l);

#endif
