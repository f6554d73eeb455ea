#ifndef ACCURACY_CUTS_H
#define ACCURACY_CUTS_H

#include "prvcut/reduce.h"
#include "truth.h"

/** What became of a cut. */
struct cut_verdict {
    const char *wrong; /**< constant; "" nothing is */
    /** The fewest and the most true iterations in any process's own window, where known. */
    double least, most;
};

/** Open, reduce, close. */
enum prvcut_status cuts_reduce(const char *path, int threads,
                               const struct prvcut_reduce_options *options,
                               struct prvcut_reduction **r, struct prvcut_error *err);

/**
 * Cut a trace down to so many iterations (of which each is `factor` true ones) and look at what
 * comes out: it is sound, the same for any number of workers, and (Paraver) as the reference cuts
 * or (archives) as the format's own tool reads it. Traces of any kind are cut by time. False: there
 * is no tool that could judge.
 */
bool cuts_judge(const struct truth *t, const char *path, unsigned iterations, unsigned factor,
                struct cut_verdict *out);

#endif
