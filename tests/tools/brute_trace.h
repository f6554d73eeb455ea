#ifndef BRUTE_TRACE_H
#define BRUTE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Place of an output line among those of the same time. */
enum rank { RANK_CLIPPED, RANK_OPENED, RANK_PLAIN, RANK_CLOSED };

struct pair {
    uint32_t type;
    int64_t value;
};

struct thread {
    int64_t application, task, thread;
    int64_t from, to; /* window, in ticks; empty when from >= to */
};

struct record {
    char *text; /* without its line end */
    size_t thread, partner;
    int64_t time[4]; /* begin, end; time; lsend, psend, lrecv, precv */
    bool split;      /* a collective begins of which not all members are in the cut */
};

struct result {
    int64_t time;
    enum rank rank;
    size_t number; /* of making: earlier first */
    char *text;
};

struct cut {
    struct thread *thread;
    size_t threads;
    struct record *record; /* in file order */
    size_t records;
    char **head; /* header, communicators, comments before the first record */
    size_t heads;
    uint32_t *region; /* types whose value holds until 0, and such as are listed but are none */
    bool *is_region;
    size_t types;
    struct result *result;
    size_t results, room;
    int64_t unit;       /* ns of a tick */
    int64_t start, end; /* hull of all windows, in ticks */
    int64_t ends;       /* of the trace, where windows reach it; else INT64_MAX */
    bool crlf, keep_time, sorted;
    size_t dropped;
};

/** Say what is wrong and leave with status 1. */
_Noreturn void brute_die(const char *what, const char *detail);

/** Room for count items and a final zero; never NULL. */
void *brute_room(void *old, size_t count, size_t size);
char *brute_copy(const char *text, size_t count);

/** The whole file, with a final zero; NULL where it is not needed and cannot be opened. */
char *brute_file(const char *path, bool needed);

/** Where the duration stands in a header line. */
char *brute_duration(char *header);

/** Objects, head and records of a trace; its lines stay in text, which is changed. */
void brute_read_trace(struct cut *c, char *text);

/** The numbers of a line; returns how many there are, at most `most`. */
size_t brute_numbers(const char *line, int64_t *out, size_t most);

/** Which types are regions, from the text of a .pcf, which is changed. */
void brute_read_labels(struct cut *c, char *text);
bool brute_is_region(const struct cut *c, uint32_t type);

/** Can a region of the type be inside another one? */
bool brute_nests(uint32_t type);
bool brute_is_counter(uint32_t type);

/** First tick that is not before a time in ns. */
int64_t brute_tick(const struct cut *c, int64_t ns);
void brute_read_windows(struct cut *c, const char *path);
void brute_set_hull(struct cut *c);

/** Note which collectives are split (brute_collective.c). */
void brute_split_collectives(struct cut *c);

#endif
