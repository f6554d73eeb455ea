#ifndef PRVCUT_OTF_WRITE_H
#define PRVCUT_OTF_WRITE_H

#include "base/folder.h"
#include "base/table.h"
#include "model/calls.h"
#include "model/formats.h"
#include "model/nesting.h"
#include "model/runs.h"
#include "otf/out.h"

/** What an event type becomes. */
enum otfw_kind {
    OTFW_REGION,  /**< Enter and Leave of functions */
    OTFW_COUNTER, /**< counter that adds up */
    OTFW_LEVEL,   /**< counter with a value at a time */
    OTFW_DETAIL,  /**< part of a collective's record, else lost */
    OTFW_CALLER,  /**< part of where a function is entered from, else lost */
    OTFW_LOST,
};

struct otfw_type {
    uint32_t number;
    enum prvcut_role role;
    enum otfw_kind kind;
    const struct prvcut_type_name *name; /**< NULL: the dictionary does not know it */
    uint32_t counter;                    /**< id; 0: not needed so far */
    struct prvcut_nested_type now;
};

struct otfw_function {
    int64_t value;
    uint32_t type, zero;                /**< index; 0: the key ends here */
    const struct prvcut_mpi_call *call; /**< NULL: none that is known */
};

struct otfw_names {
    struct otfw_type *type;
    size_t types, room;
    struct prvcut_table functions; /**< of struct otfw_function: id - 1 */
    uint32_t counters;
    uint32_t near[256]; /**< type + 1 by the lower bits of its number */
};

enum prvcut_status otfw_names_init(struct otfw_names *n, const struct prvcut_dictionary *d,
                                   struct prvcut_error *err);
void otfw_names_fini(struct otfw_names *n);

enum prvcut_status otfw_type_of(struct otfw_names *n, uint32_t number, enum prvcut_role role,
                                uint32_t *type, struct prvcut_error *err);

static inline const struct otfw_function *otfw_function_at(const struct otfw_names *n, uint32_t id)
{
    return (const struct otfw_function *)n->functions.at + id - 1;
}

/** Id of a function, from 1. */
enum prvcut_status otfw_function_of(struct otfw_names *n, uint32_t type, int64_t value,
                                    uint32_t *id, struct prvcut_error *err);

/** Where functions are entered from: a path of callers, named by its innermost line. */
struct otfw_site {
    uint64_t path; /**< all of them; the key */
    uint32_t type;
    int64_t value;
};

/** The thread whose stream is written. */
struct otfw_thread {
    bool open;
    uint32_t thread, task, application;
    uint64_t time;              /**< ns, of the last record; UINT64_MAX: none yet */
    uint64_t last;              /**< ns, of the last item */
    struct prvcut_nesting nest; /**< of functions, by id */
    uint64_t matches;
    struct otf_out out; /**< what of the stream cannot be written fails here */
};

struct otfw {
    struct prvcut_writing base;
    const struct prvcut_outline *outline;
    struct prvcut_folder *folder;
    char *path, *stem; /**< of the master; its name without the suffix */
    struct otfw_names names;
    struct prvcut_table sites; /**< of struct otfw_site: id - 1 */
    struct otfw_thread at;
    uint8_t *written; /**< [threads] has a stream */
    uint32_t *world;  /**< [applications] communicator of all its tasks; UINT32_MAX: none */
    bool made_world, made_all;
    struct prvcut_runs runs;
};

/* write_sites.c */

/** Id of the call site that a line of events tells, from 1; 0: it tells none. */
enum prvcut_status otfw_site_of(struct otfw *w, const struct prvcut_item *item, size_t count,
                                uint32_t *site, struct prvcut_error *err);

/** No call sites yet. */
#define OTFW_SITES PRVCUT_TABLE(struct otfw_site, type, "call sites")

/* write_stream.c */

extern const struct prvcut_nesting_format otfw_nesting;

/** A stream begins. */
void otfw_begin(struct otfw *w, uint64_t time);

/** All items of one thread and time, in order. */
void otfw_run(struct otfw *w, const struct prvcut_item *item, size_t count,
              struct made_convert_summary *sum);

/** Leave everything that is open. */
void otfw_leave_all(struct otfw *w);

/* write_definitions.c */

/** The definitions and the master, into the folder. */
enum prvcut_status otfw_definitions(struct otfw *w, struct prvcut_error *err);

/** Ids of communicators: those of the trace, then made-up worlds, then all processes. */
static inline uint32_t otfw_comm_id(const struct otfw *w, uint32_t place)
{
    (void)w;
    return place + 1;
}

/** Path of a file of the set, in the folder where it is made; free it. */
char *otfw_file(const struct otfw *w, const char *suffix, struct prvcut_error *err);

#endif
