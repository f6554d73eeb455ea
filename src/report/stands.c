#include "report/stands.h"

#include "report/chop.h"
#include "report/lines.h"
#include "report/loop.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A length is off where it differs from the median by more than this share of it and, if other
   things were compared, too, by more than so many spreads: one in twenty does so by chance. */
#define OFF_SHARE   0.15
#define OFF_SPREADS 2
/* In a longer cut the iterations may differ as those of the loop do: its mean counts as well. */
#define MEAN_FROM 3
/* Fewer windows of the cut's length say little of what is usual. */
#define WINDOWS_LEAST 5
/* A cut is elsewhere than its iterations where its length differs by more than this part of theirs.
 */
#define ELSEWHERE 0.03
/* Medians of iterations and of windows that differ by less are one. */
#define SAME_LENGTH 0.005
/* From here on no percentage is told: three times as long. */
#define TIMES_FROM 2

bool report_cut_iteration(const struct made_reduction *r, const struct made_chop *c, uint64_t k,
                          struct prvcut_span *out)
{
    const struct made_region *p = &r->structure.region[c->is.region];

    if (c->is.iteration > 0 && prvcut_iteration_span(&r->structure, p, c->is.iteration + k, out))
        return true;
    if (c->is.first == UINT64_MAX || c->is.first + k + 1 >= p->is.borders)
        return false;
    *out = (struct prvcut_span){ p->is.border[c->is.first + k], p->is.border[c->is.first + k + 1] };
    return true;
}

bool report_cut_lengths(const struct made_reduction *r, const struct made_chop *c, double out[2],
                        double *sum)
{
    struct prvcut_span one;

    out[0] = HUGE_VAL;
    out[1] = *sum = 0;
    for (uint64_t k = 0; k < c->is.iterations; k++) {
        double length;

        if (!report_cut_iteration(r, c, k, &one))
            return false;
        length = (double)(one.end - one.start);
        out[0] = fmin(out[0], length);
        out[1] = fmax(out[1], length);
        *sum += length;
    }
    return c->is.iterations > 0;
}

/* What is cut at one time for all may begin and end elsewhere than its iterations do. */
double report_cut_length(const struct made_reduction *r, const struct made_chop *c)
{
    const double window = (double)(c->cut.window.end - c->cut.window.start);
    double lengths[2], sum;

    if (!report_cut_lengths(r, c, lengths, &sum))
        return NAN;
    return c->is.align == PRVCUT_ALIGN_STRAIGHT && fabs(window - sum) > ELSEWHERE * sum ? window
                                                                                        : sum;
}

static double std_longer(const struct made_reduction *r, const struct made_chop *c, double usual)
{
    return usual > 0 ? report_cut_length(r, c) / c->is.iterations / usual - 1 : (double)NAN;
}

double report_longer(const struct made_reduction *r, const struct made_chop *c)
{
    return std_longer(r, c, report_loop_of(r, c->is.region).median_ns);
}

/* Of what it stands for: lengths as reports tell them. */
static struct report_loop std_whole(const struct made_reduction *r, const struct made_chop *c)
{
    const struct made_region *p = &r->structure.region[c->is.region];

    if (c->is.of_kind > 0 && c->is.of_kind <= r->is.kinds)
        return (struct report_loop){ .median_ns = r->kind[c->is.of_kind - 1].median_ns,
                                     .period_ns = r->kind[c->is.of_kind - 1].median_ns };
    if (report_chop_of_loop(r, c))
        return report_loop_of(r, c->is.region);
    return (struct report_loop){ .median_ns = p->is.median_ns,
                                 .spread_ns = p->is.spread_ns,
                                 .period_ns = p->is.period_ns };
}

double report_longer_there(const struct made_reduction *r, const struct made_chop *c)
{
    return std_longer(r, c, std_whole(r, c).median_ns);
}

static bool std_compared(const struct made_chop *c)
{
    return c->proof.is.verdict && c->proof.is.verdict != PRVCUT_FAITH_UNKNOWN;
}

bool report_length_is_off(const struct made_reduction *r, const struct made_chop *c)
{
    const struct report_loop whole = std_whole(r, c);
    const double longer = std_longer(r, c, whole.median_ns);

    if (prvcut_loop_is_all(&r->structure.region[c->is.region], c->is.iterations) ||
        !(fabs(longer) > OFF_SHARE))
        return false;
    if (c->is.iterations >= MEAN_FROM && fabs(std_longer(r, c, whole.period_ns)) <= OFF_SHARE)
        return false;
    return !std_compared(c) || fabs(longer) * whole.median_ns > OFF_SPREADS * whole.spread_ns;
}

static bool std_few(const struct made_chop *c)
{
    const double iterations = c->proof.is.iterations_region;

    return iterations > 0 && iterations - c->is.iterations + 1 < WINDOWS_LEAST;
}

enum prvcut_chop_verdict report_stands(const struct made_reduction *r, const struct made_chop *c)
{
    if (c->proof.is.verdict == PRVCUT_FAITH_UNKNOWN)
        return PRVCUT_CHOP_IS_UNKNOWN;
    if (c->is.verdict && !prvcut_loop_is_all(&r->structure.region[c->is.region], c->is.iterations))
        return c->is.verdict;
    if (!c->proof.is.verdict)
        return PRVCUT_CHOP_UNASKED;
    if (!std_compared(c))
        return PRVCUT_CHOP_IS_UNKNOWN;
    if (prvcut_loop_is_all(&r->structure.region[c->is.region], c->is.iterations))
        return PRVCUT_CHOP_IS_TYPICAL;
    if (c->proof.is.verdict == PRVCUT_FAITH_DOUBTFUL || report_length_is_off(r, c))
        return PRVCUT_CHOP_IS_UNUSUAL;
    if (std_few(c))
        return PRVCUT_CHOP_IS_FEW;
    return c->proof.is.verdict == PRVCUT_FAITH_FAITHFUL ? PRVCUT_CHOP_IS_TYPICAL
                                                        : PRVCUT_CHOP_IS_ORDINARY;
}

char *report_longer_text(char out[64], double longer)
{
    char times[32];

    if (longer >= TIMES_FROM)
        snprintf(out, 64, "%s times as long as the median",
                 longer < 9 ? report_tenths(times, longer + 1)
                            : report_count(times, (uint64_t)fmin(longer + 1.5, 1e18)));
    else
        snprintf(out, 64, "%.0f %% %s than the median", 100 * fabs(longer),
                 longer > 0 ? "longer" : "shorter");
    return out;
}

char *report_longer_chop(char out[64], const struct made_reduction *r, const struct made_chop *c,
                         double least)
{
    const double each = c->usual_ns / c->is.iterations;
    const double other = fabs(each / report_loop_of(r, c->is.region).median_ns - 1);
    const bool told = c->is.worst == PRVCUT_QUANTITY_LENGTH && c->is.usual > 0;
    /* One iteration is beside the median of all but where that is no window's. */
    const bool beside =
        each > 0 && (c->beside_kind > 0 ? c->is.verdict != PRVCUT_CHOP_IS_FEW
                     : c->is.iterations > 1
                         ? (told || c->is.verdict != PRVCUT_CHOP_IS_FEW) && other > SAME_LENGTH
                         : c->is.verdict != PRVCUT_CHOP_IS_FEW && other > OFF_SHARE);
    const double longer = !beside ? report_longer(r, c)
                          : told  ? c->is.value / c->is.usual - 1
                                  : std_longer(r, c, each);

    if (isnan(longer) || fabs(longer) < least) {
        *out = '\0';
        return out;
    }
    report_longer_text(out, longer);
    if (beside && c->beside_kind > 0)
        snprintf(out + strlen(out), 64 - strlen(out), " of its kind");
    else if (beside)
        snprintf(strstr(out, "the median"), sizeof "the median", "usual");
    return out;
}
