#include "base/memory.h"
#include "dsp/correlation.h"
#include "report/page_data.h"

#include <math.h>
#include <stdlib.h>

#define LAGS    2000 /* points of the drawing */
#define PERIODS 4.5  /* that it spans at least */
#define MOST    (1u << 22)

/** What is correlated: a region's part of a curve, some values averaged into one. */
struct lik_part {
    size_t first, count; /* samples of the curve */
    size_t step;         /* of them averaged into one */
    double ceiling;      /* what is above counts as that */
};

static bool lik_part(const struct prvcut_curve *c, const struct made_region *r, double reach,
                     struct lik_part *out)
{
    /* The first and the last iteration often hold what is before and after the loop. */
    const double edge = r->is.iterations >= 8 ? r->is.period_ns : 0;
    const double from = ceil(((double)r->is.span.start + edge - c->start) / c->step);
    const double to = floor(((double)r->is.span.end - edge - c->start) / c->step);

    out->first = from > 0 ? (size_t)from : 0;
    out->count = to > from ? (size_t)fmin(to, (double)c->count) : 0;
    out->count = out->count > out->first ? out->count - out->first : 0;
    out->step = (size_t)fmax(1, ceil(reach / c->step / LAGS));
    out->ceiling = page_ceiling(c, r);
    return out->count / out->step >= 16 && out->count / out->step <= MOST &&
           r->is.period_ns >= 4 * c->step;
}

static void lik_average(double *out, size_t count, const struct prvcut_curve *c,
                        const struct lik_part *part)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;

        for (size_t k = 0; k < part->step; k++) {
            const double x = c->at[part->first + i * part->step + k];

            sum += isfinite(x) ? fmin(x, part->ceiling) : 0;
        }
        out[i] = sum / (double)part->step;
    }
}

/* A single burst that dwarfs the loop would be all that the correlation sees: it is cut off first.
 */
enum prvcut_status page_likeness(const struct prvcut_page *page, const struct prvcut_page_search *s,
                                 double longest, struct prvcut_curve *out, double **own,
                                 struct prvcut_error *err)
{
    const struct made_region *r = &page->reduction->structure.region[s->region];
    const struct prvcut_curve *c = &s->signal;
    const double reach = fmax(PERIODS * r->is.period_ns, 1.15 * longest);
    enum prvcut_status st;
    struct lik_part part;
    double *sample;
    size_t count, lags;

    *own = NULL;
    if (!c->at || !(c->step > 0) || !lik_part(c, r, reach, &part))
        return PRVCUT_OK;
    count = part.count / part.step;
    lags = (size_t)fmin(reach / c->step / (double)part.step + 1, (double)count / 2);
    sample = prvcut_unset(count, sizeof *sample, "samples", err);
    *own = prvcut_unset(lags + 1, sizeof **own, "samples", err);
    if (!sample || !*own) {
        st = PRVCUT_ENOMEM;
    } else {
        lik_average(sample, count, c, &part);
        st = prvcut_autocorrelate(*own, lags, sample, count, err);
    }
    free(sample);
    *out = (struct prvcut_curve){
        .name = "", .unit = "", .step = (double)part.step * c->step, .at = *own, .count = lags
    };
    return st;
}
