#ifndef ACCURACY_TRUTH_H
#define ACCURACY_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_FACTORS 8
#define TRUTH_LOOPS   8

enum truth_kind { TRUTH_PERIODIC, TRUTH_APERIODIC, TRUTH_MIXED, TRUTH_ANY };

/** The loop right inside an iteration; most 0: nothing is known of one. */
struct truth_inner {
    double least, most;         /**< iterations of it in one outer one */
    double part_low, part_high; /**< share of the outer iteration that all of them take */
};

/** A loop that is right with its own count, where several are. */
struct truth_loop {
    double low, high; /**< ns */
    double iterations;
};

/** One line of the truth table. */
struct truth {
    char format[16], name[64];
    char file[128]; /**< in the table's folder */
    enum truth_kind kind;
    double low, high;               /**< accepted period without the 3 % of room, ns */
    unsigned factor[TRUTH_FACTORS]; /**< accepted multiples; the first one is 1 */
    unsigned factors;
    double iterations;
    double start, end; /**< of the loop, ns of the trace; 0: not known */
    struct truth_inner inner;
    struct truth_loop loop[TRUTH_LOOPS]; /**< [loops]: named in the note */
    unsigned loops;
};

/** Traces of FOLDER/truth.tsv; owned by the caller. NULL: not there or not readable. */
struct truth *truth_read(const char *folder, size_t *count);

/**
 * Make t->start the begin of the first iteration, where the marks beside a Paraver trace tell it:
 * where a mark 0 is when timing begins, that is the next mark, for there may be set-up between them
 * (FT: an iteration's length, which `iterations` does not count).
 */
void truth_begin_by_marks(struct truth *t, const char *prv);

/** How far a loop that was found begins (ends) behind the truth's begin (end), in its own periods.
 */
struct truth_ends {
    bool known;
    double start, end;
    bool far; /**< either of them is more than TRUTH_FAR off */
};

#define TRUTH_FAR 1.5

/** Of Paraver traces: processes of archives have clocks of their own. */
struct truth_ends truth_ends_of(const struct truth *t, double start, double end, double period);

/** Unpack a trace of traces_folder()/FOLDER ("" for its own). shape  path: as of traces_unpack */
bool truth_unpack(const char *folder, const struct truth *t, char *path, size_t room);

/** Where the iterations of a trace began, as the program itself said. */
struct marks {
    double *at; /**< ns, mean of first and last rank; ascending */
    size_t count;
};

/** Marks of NAME.truth.tsv beside NAME.prv; none where there are no marks. */
void marks_read(struct marks *m, const char *prv);
void marks_free(struct marks *m);

/** The same for one process of an archive, by its own clock. */
struct rank_marks {
    uint64_t rank, location; /**< of OTF2; other formats have other numbers */
    struct marks marks;
};

/** From iterations.tsv beside an archive's main file; by rank. NULL where there is none. */
struct rank_marks *rank_marks_read(const char *archive, size_t *count);
void rank_marks_free(struct rank_marks *m, size_t count);

/** How many marks lie between two times, and which one is the first; it is count where none does.
 */
size_t marks_inside(const struct marks *m, double from, double to, size_t *first);

/** How many iterations lie between two times, in fractions of the local ones. */
double marks_between(const struct marks *m, double from, double to);

#endif
