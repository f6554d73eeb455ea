#ifndef LITL_LITL_H
#define LITL_LITL_H

#include "base/source.h"
#include "model/calls.h"
#include "model/trace.h"

/** Parameters that an event has at most. */
#define LITL_PARAMETERS 10
/** Bytes of a packed event that parameters can fill. */
#define LITL_DATA (LITL_PARAMETERS * 8)

/** One event as it is stored. */
struct litl_event {
    uint64_t time;   /**< ns of the process's clock */
    uint64_t offset; /**< of its first byte in the file */
    uint32_t code;
    uint32_t
        size;     /**< bytes of data of a packed or raw event, of which data holds the first ones */
    bool regular; /**< param holds `count` parameters; else data */
    uint8_t count;
    uint64_t param[LITL_PARAMETERS];
    unsigned char data[LITL_DATA];
};

/** The bytes of a log: read where they stand, or held where the file is compressed or a pipe. */
struct litl_file {
    struct prvcut_source *source; /**< owned */
    const char *path;
    char *held; /**< owned; NULL: read_at */
    uint64_t size;
};

struct litl_thread {
    uint64_t first;   /**< offset of its first event in the file */
    uint32_t process; /**< as the file orders them */
    uint32_t number;  /**< within its process, 1-based */
};

/** A communicator as one process knows it. */
struct litl_communicator {
    uint64_t handle;
    uint64_t time; /**< when it was made */
    uint32_t id;   /**< the same in all processes */
    size_t first;  /**< of its members in litl_trace.member */
    uint32_t count;
};

struct litl_process {
    char name[257];
    uint64_t table; /**< offset of the table of threads, which all its offsets count from */
    uint32_t threads;
    uint32_t first;                         /**< its first one in litl_trace.thread */
    int64_t rank, ranks;                    /**< -1 unknown */
    struct litl_communicator *communicator; /**< [communicators], in order of time */
    size_t communicators, communicator_room;
};

/** What a look at the whole log has found. */
enum litl_finding {
    LITL_DAMAGED,         /**< a thread whose events cannot be read to the end */
    LITL_TIME_BACK,       /**< an event earlier than the one before */
    LITL_PARAMETERS_LOST, /**< an event that has lost its parameters */
    LITL_PARAMETERS_ODD,  /**< parameters of a size that none of its codes has */
    LITL_UNKNOWN_CODE,    /**< of the MPI module */
    LITL_OTHER_MODULE,
    LITL_CALL_UNFINISHED,
    LITL_CALL_NOT_OPEN,
    LITL_RANK_UNKNOWN, /**< processes that do not tell their rank */
    LITL_FINDINGS
};

struct litl_found {
    uint64_t count;
    char example[256];
};

struct litl_trace {
    struct prvcut_trace base;
    struct litl_file file;
    struct litl_process *process; /**< [processes], as the file orders them */
    uint32_t processes;
    struct litl_thread *thread; /**< [base.objects.threads], as the file orders them */
    size_t thread_room, communicator_room, communicator_members_room; /**< allocated */
    uint32_t *order;     /**< [processes]: by task, which process of the file it is */
    uint32_t *task;      /**< [processes]: which task a process is */
    uint32_t *rank_task; /**< [ranks]: task of a rank; PRVCUT_NOBODY: not in the file */
    uint32_t ranks;
    uint32_t *member; /**< ranks in MPI_COMM_WORLD of all communicators' members */
    size_t members, member_room;
    uint64_t start; /**< earliest time of any event */
    uint64_t events;
    struct litl_found found[LITL_FINDINGS];
    bool lenient;
};

/* --- file.c ---------------------------------------------------------------------------------- */

/** Read all headers and tables of threads. */
enum prvcut_status litl_file_read(struct litl_trace *t, struct prvcut_error *err);

/** A thread's events, one after the other. */
struct litl_cursor {
    const struct litl_trace *trace;
    const struct litl_thread *thread;
    uint64_t at; /**< offset of the next event */
    uint64_t window;
    size_t held;
    char *bytes; /**< [held] from offset `window`; owned */
};

enum prvcut_status litl_cursor_init(struct litl_cursor *c, const struct litl_trace *t,
                                    const struct litl_thread *thread, struct prvcut_error *err);
void litl_cursor_fini(struct litl_cursor *c);

/**
 * errors  PRVCUT_END: no more; PRVCUT_EFORMAT with process, thread and offset
 */
enum prvcut_status litl_cursor_next(struct litl_cursor *c, struct litl_event *out,
                                    struct prvcut_error *err);

/* --- codes.c --------------------------------------------------------------------------------- */

/** What an event's code does. */
enum litl_action {
    LITL_START, /**< a call begins */
    LITL_STOP,  /**< it ends */
    LITL_POINT, /**< a call of which only one moment is recorded */
    LITL_INFO,  /**< more of what the event before has told */
    LITL_SILENT /**< known, but no call */
};

/** What is to be done with an event's parameters. */
enum litl_meaning {
    LITL_NOTHING,
    LITL_INIT,
    LITL_INIT_INFO,
    LITL_NEW_COMM,
    LITL_NEW_COMM_INFO,
    LITL_SEND,
    LITL_RECV,
    LITL_SENDRECV,
    LITL_ISEND,
    LITL_IRECV,
    LITL_WAIT,
    LITL_WAITANY,
    LITL_WAITALL,
    LITL_COLLECTIVE, /**< communicator, size, rank */
    LITL_BARRIER,    /**< communicator, rank, size */
    LITL_SEND_INIT,
    LITL_RECV_INIT,
    LITL_PERSISTENT,
    LITL_MORE,
};

struct litl_code {
    uint32_t code;
    enum litl_action action;
    enum litl_meaning meaning;
    const char *call;   /**< name of the MPI function; NULL: none */
    const char *layout; /**< i int, p pointer, h MPI handle (as wide as the library makes it) */
};

/** NULL: not known. */
const struct litl_code *litl_code_find(uint32_t code);

/** All of them, ascending; ended by a code 0. */
extern const struct litl_code litl_codes[];

/** Module of a code. */
#define LITL_MODULE(code) ((code) >> 16)
#define LITL_MODULE_MPI   4u

/**
 * The parameters of an event as its code lays them out; integers with their sign.
 *
 * shape   value holds LITL_PARAMETERS; returns how many there are; 0: lost, or not to be understood
 */
unsigned litl_parameters(const struct litl_event *e, const struct litl_code *c, int64_t *value,
                         bool *odd);

/* --- walk.c ---------------------------------------------------------------------------------- */

/** What one thread's events tell, call by call; the walker's caller gets it in order of time. */
struct litl_listener {
    void *ctx;
    /** A call begins (call) or ends (NULL). collective: parameters follow. */
    enum prvcut_status (*call)(void *ctx, uint64_t time, const struct prvcut_mpi_call *call,
                               const struct prvcut_event *detail, unsigned details,
                               struct prvcut_error *err);
    enum prvcut_status (*half)(void *ctx, const struct prvcut_half *half, struct prvcut_error *err);
};

/**
 * Go through a thread's events.
 *
 * shape   found: counts what is wrong; NULL: not wanted. *first, *last: times of the process's
 *         clock; *events: how many; first > last where there is none
 * errors  those of the listener; PRVCUT_EFORMAT: damage, unless the trace is lenient
 * Several threads may be gone through at once where found is NULL.
 */
enum prvcut_status litl_walk(const struct litl_trace *t, uint32_t thread,
                             const struct litl_listener *listener, struct litl_found *found,
                             uint64_t span[3], struct prvcut_error *err);

/** Note a finding; the first one of its kind leaves an example. thread may be NULL. */
void litl_note(struct litl_found *found, enum litl_finding kind, const struct litl_thread *thread,
               uint64_t offset, const char *text);

/* --- open.c, scan.c, check.c -------------------------------------------------------------------
 */

enum prvcut_status litl_open(struct prvcut_trace **out, struct prvcut_source *source,
                             const struct prvcut_open_options *options, struct prvcut_error *err);
void litl_close(struct prvcut_trace *t);
enum prvcut_status litl_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                             const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                             struct prvcut_error *err);
enum prvcut_status litl_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                    uint64_t from, uint64_t to,
                                    const struct prvcut_consumer *consumer,
                                    struct prvcut_error *err);
enum prvcut_status litl_check(struct prvcut_findings *out, struct prvcut_source *source,
                              const struct prvcut_open_options *options,
                              const struct prvcut_run *run, struct prvcut_error *err);
enum prvcut_status litl_describe(struct prvcut_trace *t, struct prvcut_dictionary *out,
                                 struct prvcut_error *err);

/** Id of MPI_COMM_WORLD. */
#define LITL_WORLD 1u

/** Thread of the model's order: dense, tasks by rank. */
uint32_t litl_dense_thread(const struct litl_trace *t, uint32_t thread);

/** Task of rank `rank` of a communicator as process knows it at a time; PRVCUT_NOBODY: unknown. */
uint32_t litl_rank_task(const struct litl_trace *t, const struct litl_communicator *c,
                        int64_t rank);
/** NULL: not known. */
const struct litl_communicator *litl_communicator_at(const struct litl_process *p, uint64_t handle,
                                                     uint64_t time);

#endif
