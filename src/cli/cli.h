#ifndef PRVCUT_CLI_H
#define PRVCUT_CLI_H

#include "status.h"

#include "prvcut/archive.h"
#include "prvcut/comm.h"
#include "prvcut/convert.h"
#include "prvcut/database.h"
#include "prvcut/diff.h"
#include "prvcut/efficiency.h"
#include "prvcut/exchange.h"
#include "prvcut/filter.h"
#include "prvcut/find.h"
#include "prvcut/follow.h"
#include "prvcut/index.h"
#include "prvcut/inspect.h"
#include "prvcut/patterns.h"
#include "prvcut/predict.h"
#include "prvcut/profile.h"
#include "prvcut/reduce.h"
#include "prvcut/sample.h"
#include "prvcut/signals.h"
#include "prvcut/structure.h"
#include "prvcut/trace.h"
#include "prvcut/view.h"
#include "prvcut/waits.h"

#include <stdio.h>

/** Commands, as bits: which command takes which option. */
enum cli_commands {
    CLI_REDUCE = 1u << 0,
    CLI_CUT = 1u << 1,
    CLI_INFO = 1u << 2,
    CLI_CHECK = 1u << 3,
    CLI_SIGNAL = 1u << 4,
    CLI_HELP = 1u << 5,
    CLI_CONVERT = 1u << 6,
    CLI_FORMATS = 1u << 7,
    CLI_STRUCTURE = 1u << 8,
    CLI_FILTER = 1u << 9,
    CLI_MARK = 1u << 10,
    CLI_CSV = 1u << 11,
    CLI_ARCHIVE = 1u << 12,
    CLI_INDEX = 1u << 13,
    CLI_VERIFY = 1u << 14,
    CLI_PROFILE = 1u << 15,
    CLI_DIFF = 1u << 16,
    CLI_PREDICT = 1u << 17,
    CLI_EFFICIENCY = 1u << 18,
    CLI_SAMPLE = 1u << 19,
    CLI_WAITS = 1u << 20,
    CLI_COMM = 1u << 22,
    CLI_PATTERNS = 1u << 23,
    CLI_FIND = 1u << 24,
    CLI_SQL = 1u << 25,
    CLI_VIEW = 1u << 26,
    CLI_WORK = CLI_REDUCE | CLI_CUT | CLI_INFO | CLI_CHECK | CLI_SIGNAL | CLI_CONVERT |
               CLI_STRUCTURE | CLI_FILTER | CLI_INDEX | CLI_MARK | CLI_PROFILE | CLI_DIFF |
               CLI_EFFICIENCY | CLI_SAMPLE | CLI_PREDICT | CLI_COMM | CLI_WAITS | CLI_PATTERNS |
               CLI_FIND | CLI_SQL | CLI_VIEW | CLI_ARCHIVE,
    /** Those that write a file unasked. */
    CLI_MAKES = CLI_REDUCE | CLI_CUT | CLI_CONVERT | CLI_FILTER | CLI_INDEX | CLI_MARK | CLI_CSV |
                CLI_ARCHIVE,
};

enum cli_help { CLI_HELP_NONE, CLI_HELP_SHORT, CLI_HELP_FULL, CLI_HELP_VERSION };
enum cli_when { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };
/** How much is told on standard error; each says what the one before says, too. */
enum cli_log { CLI_ERRORS, CLI_WARNINGS, CLI_STEPS, CLI_EVERYTHING };

/** Most values of an option that may be given several times. */
#define CLI_LIST_MAX 64

/** Values of a repeatable option; NULL-ended. */
struct cli_list {
    const char *at[CLI_LIST_MAX + 1];
    size_t count;
};

/** Numbers of processes, in the order that they were given in. */
struct cli_processes {
    uint32_t at[CLI_LIST_MAX];
    size_t count;
};

/** How near something must be, and where it is sought. */
struct cli_search {
    const char *in;   /**< NULL: none was named */
    const char *mark; /**< where to write the trace with marks; NULL: nowhere */
    const char *cut;  /**< where to write what was found best; NULL: nowhere */
    uint64_t edits;
    double share;
    bool near, by_share; /**< near: edits, or a share of the calls, are given */
};

/** Which intervals stand for all. */
struct cli_sample {
    const char *series, *choose_by, *predict, *plan, *simpoints;
    unsigned clusters, level;    /**< 0: none was given */
    double length[CLI_LIST_MAX]; /**< [lengths] iterations */
    size_t lengths;
};

/** Wait states. */
struct cli_waits {
    enum prvcut_waits_by by;
    enum prvcut_waits_clocks clocks;
    bool causes, critical;
};

/** What threads repeat. */
struct cli_patterns {
    enum prvcut_symbols symbols;
    enum prvcut_tolerant tolerant;
    uint32_t of;    /**< bits of enum prvcut_patterns_of; 0: none was given */
    unsigned level; /**< 0: none was given */
    bool points, all, each_thread, repeats, raw;
    uint32_t least_length; /**< 0: none was given */
    const char *filtered;  /**< a trace to write; NULL: none */
};

/** How a growing trace is followed. */
struct cli_follow {
    bool wanted, until_found;
    double idle;    /**< s; 0: none was given */
    int64_t pid;    /**< 0: none was given */
    uint64_t spool; /**< bytes; 0: none was given */
};

/** A question to a database. */
struct cli_sql {
    bool all;
    uint64_t rows; /**< 0: none was given */
};

/** What is kept and what is dropped. */
struct cli_filter {
    struct cli_list config, states, states_dropped, events, events_dropped;
    const char *only_threads;
    uint64_t min_state_ns, min_message;
    bool drop_states, drop_events, drop_messages;
};

/** A name that a rehearsal refused, and the one to take in its place; or the command to take. */
struct cli_renamed {
    char from[1024], to[1024];
    char command[256]; /**< "TRACE" stands for the trace that was named */
};

/** Everything the command line says; texts are borrowed from argv. */
struct cli {
    const struct cli_command *command;
    const char **operand; /**< [operands]; owned array of borrowed texts */
    int operands;
    int argc;          /**< the command line itself; borrowed */
    char **argv;       /**< [argc] */
    const char **role; /**< NULL-ended; owned array of borrowed texts; NULL where none was given */
    size_t roles;
    char *provenance; /**< the command line as a shell would take it; owned */
    char *typed;      /**< all of it, as it was typed; owned */
    unsigned iterations, depth, outliers;
    uint32_t by;           /**< bits of prvcut_profile_by; 0: none was given */
    size_t top;            /**< rows; 0: none was given */
    uint64_t iteration[2]; /**< first and last; 0: none was given */
    uint64_t explained[2]; /**< the same of --why */
    size_t bins;
    const char *show;              /* a step of the method */
    struct prvcut_parameters *set; /**< owned; NULL: none */
    struct cli_processes processes, from_runs;
    enum prvcut_fit fit;
    double confidence; /**< 0: none was given */
    double seconds;    /**< that an answer may take; 0: none was given */
    int threads;
    const char *metrics, *from, *to, *period, *output, *compress, *format, *tasks, *archive;
    const char *region, *level, *report, *plot, *matrix, *like, *timeline;
    struct cli_filter filter;
    const char *ideal;                           /**< --ideal: a trace to write */
    struct prvcut_efficiency_options efficiency; /**< but for what other options tell */
    const char *base;      /**< the trace that others are compared with; NULL: none was named */
    struct cli_list group; /**< NAME=TRACE[,TRACE...] */
    struct cli_sample sample;
    struct cli_search search;
    struct cli_waits waits;
    struct cli_patterns patterns;
    struct cli_sql sql;
    struct cli_follow follow;
    uint64_t max_size; /**< bytes; 0: any */
    double above;      /**< 0.05 for 5%; counts where fails_above is set */
    bool fails_above;
    enum cli_when progress, color;
    enum cli_log log;
    enum prvcut_align align;
    enum cli_help help;
    bool keep_time, keep_messages, json, csv, dry_run, force, lenient, quiet, verbose;
    bool per_rank, print, cfg;
    bool instructions;   /**< they are the clock */
    uint64_t clock_step; /**< of them in an interval; 0: none was given */
    bool raw_clocks, own_clocks, for_scalasca, all_definitions, strict, tree, proof, no_proof,
        quick, kinds, waiting, explain, progress_json, no_index;
    bool rehearsed; /**< says nothing, and ends where it would open the trace */
    /** Tells what is misused, and the command that works: that one, or what was typed with
       arguments that are known to work (cli_misuse_tell); NULL: nobody is told, it is only tried.
     */
    enum cli_exit (*tell)(const struct cli *c, const char *works, const char *command,
                          const char *text);
    bool opens; /**< of a rehearsal: where it would read the records of the trace */
    struct cli_renamed *renamed; /**< of a rehearsal: where names that are refused go; borrowed */
    /** A word of argv, and what is meant by it; NULL: no word is a slip. */
    const char *slip, *meant;
    /** The option that was meant by one whose value says something else; NULL: there is none. */
    const struct cli_option *unlike;
    const struct prvcut_exchange *exchange; /**< with whom the reading is shared; NULL: nobody */
    bool second;         /**< another rank gives the answer and writes the files */
    const char *refused; /**< the option that the trace refused, without dashes; NULL: none */
    const char *saved;   /**< the file that a piped trace is saved in first; NULL: none need be */
    char why[160];       /**< what is wrong with an argument, where no constant text says it */
    /** In place of that of the option: a value, or another option with one; "" for none. */
    char example[100];
};

/** A command: what it is called, what it takes, what it does. */
struct cli_command {
    const char *name; /**< "" for the one that runs when none is named */
    unsigned bit;
    const char *synopsis; /**< how to call it, without the operands */
    const char *operands; /**< what follows the options */
    const char *summary;  /**< one line */
    const char *about;    /**< further lines for its help */
    const char *works;    /**< the fewest arguments that work */
    enum cli_exit (*run)(struct cli *c);
    const char *examples; /**< command lines, each ends in a newline */
};

/**
 * All that the program does.
 *
 * shape   x: with whom the reading is shared, in each rank with the same arguments; NULL: nobody
 * returns the exit status
 */
int cli_main(int argc, char **argv, const struct prvcut_exchange *x);

/** The first one is what runs when no command is named. */
extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;

/** The command of that name; NULL where there is none. */
const struct cli_command *cli_command_find(const char *name);

/** What the command line asks for in place of work: --help, -h, --version. */
enum cli_exit cli_help_asked(const struct cli *c);

/** The short usage of the whole program, for whoever gave no argument at all. */
void cli_usage(FILE *to);

/**
 * Report a misuse on one line of standard error, which ends with a command that works.
 *
 * works   its arguments, "TRACE" stands for the trace that was named; NULL: the fewest that work
 */
enum cli_exit cli_misuse(const struct cli *c, const char *works, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same; command: all of what works. */
enum cli_exit cli_misuse_command(const struct cli *c, const char *command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Tell of it (struct cli.tell, misuse.c). */
enum cli_exit cli_misuse_tell(const struct cli *c, const char *works, const char *command,
                              const char *text);

/** Must what comes by a pipe of that name be saved before the command reads it? trace: NULL: no. */
bool cli_must_save(const struct cli *c, const char *trace);

/** Report a failed call on standard error, and as JSON where that is asked for. */
enum cli_exit cli_failed(const struct cli *c, enum prvcut_status st,
                         const struct prvcut_error *err);

/** Tell that no loop was found, why, and what to do; JSON tells it by itself. */
void cli_tell_no_loop(const struct cli *c, const char *reason);

/** Tell that no loop was found, and why; also as JSON where that is asked for. */
enum cli_exit cli_no_loop(const struct cli *c, const char *reason);

/** Room for so many bytes, all zero; owned, NULL: there is no memory (cli_no_memory). */
void *cli_room(size_t bytes);

/** The same of no memory. */
enum cli_exit cli_no_memory(const struct cli *c);

/** A time to the nanosecond as it can be typed: "33.173s"; returns out. */
char *cli_time(char out[40], uint64_t ns);

/** Print data on standard output; a reader that went away is not worth a word. */
enum cli_exit cli_print(const char *text);

/** Columns that a report may take: 132 where the terminal has them, else 80. */
unsigned cli_columns(void);

/** As cli_print, with the headings in bold where --color and the terminal allow it. */
enum cli_exit cli_print_report(const struct cli *c, const char *text);

/** Tell on standard error what is no failure, unless nothing but errors is asked for. */
void cli_warn(const struct cli *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "prvcut: " and the text on standard error, one line that cannot steer a terminal. */
void cli_words(const char *text);

/** Escape sequences may go to that file (STDOUT_FILENO, STDERR_FILENO). */
bool cli_colours(const struct cli *c, int file);

/** From now on the first signal asks the work to stop and clean up, a second one gives it a second,
    a third one ends the program at once. */
void cli_catch_signals(void);

/** True once the user asked to stop. */
bool cli_stopped(void);

/**
 * Before large files are given up: what the system has of them in memory takes a second and more to
 * be freed, and who has a file open last waits for it. Another process is made that has them, too,
 * and outlives this one. Any thread may call this, at any time; the first call counts.
 */
void cli_hold_files(void);

/**
 * Tell whether there is anything to undo. While there is not, a signal ends the program soon even
 * where it waits for a pipe that gives or takes nothing.
 */
void cli_bare(bool bare);

/** What waits for another process, which may be there no more: a signal ends it in the end, files
 * or not. */
void cli_wait_for_others(bool waits);

/** If that is a pipe, it was read, and no command that reads it again is proposed from here on.
    shape: path: lives as long as the program */
void cli_pipe_is_read(const char *path);

enum cli_exit cli_reduce(struct cli *c);
enum cli_exit cli_cut(struct cli *c);
enum cli_exit cli_filter(struct cli *c);
enum cli_exit cli_info(struct cli *c);
enum cli_exit cli_profile(struct cli *c);
enum cli_exit cli_diff(struct cli *c);
enum cli_exit cli_predict(struct cli *c);
enum cli_exit cli_efficiency(struct cli *c);
enum cli_exit cli_comm(struct cli *c);
enum cli_exit cli_find(struct cli *c);
enum cli_exit cli_sql(struct cli *c);
enum cli_exit cli_view(struct cli *c);
enum cli_exit cli_sample(struct cli *c);
enum cli_exit cli_waits(struct cli *c);
enum cli_exit cli_patterns(struct cli *c);
enum cli_exit cli_check(struct cli *c);
enum cli_exit cli_signal(struct cli *c);
enum cli_exit cli_structure(struct cli *c);
enum cli_exit cli_convert(struct cli *c);
enum cli_exit cli_formats(struct cli *c);
enum cli_exit cli_verify(struct cli *c);
enum cli_exit cli_archive(struct cli *c);
enum cli_exit cli_index(struct cli *c);
enum cli_exit cli_mark(struct cli *c);
enum cli_exit cli_csv_analysis(struct cli *c);
enum cli_exit cli_help(struct cli *c);

#endif
