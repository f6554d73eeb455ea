#include "api/job_rows.h"

#include "base/search.h"
#include "structure/stretch.h"

size_t job_row_first(const struct job_row *r)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(r->loop, &borders);
    const size_t low = prvcut_lower_u64(border, borders, sizeof *border, 0, r->span.start);

    return r->borders > 1 && low + r->borders <= borders && border[low] == r->border[0] ? low
                                                                                        : SIZE_MAX;
}

struct prvcut_window job_row_window(const struct job *j, const struct job_row *r,
                                    const size_t skip[2], uint64_t *bound)
{
    const uint32_t threads = j->trace->objects.threads;
    uint64_t *from = bound, *to = bound ? bound + threads : NULL;
    const struct prvcut_known_loop *f = r->loop;
    const size_t first = bound && f->calls.sequences > 0 ? job_row_first(r) : SIZE_MAX;

    const struct prvcut_span own = { skip[0] > 0 ? r->border[skip[0]] : r->span.start,
                                     skip[1] > 0 ? r->border[r->borders - 1 - skip[1]]
                                                 : r->span.end };

    if (first == SIZE_MAX)
        return (struct prvcut_window){ .from = own.start, .to = own.end };
    for (uint32_t i = 0; i < threads; i++) {
        from[i] = own.start;
        to[i] = own.end;
    }
    for (size_t i = 0; i < f->calls.sequences; i++) {
        const uint32_t thread = f->sequence[i].thread;

        if (f->calls.borders[i] < first + r->borders || thread >= threads)
            continue;
        from[thread] = f->calls.border[i][first + skip[0]];
        to[thread] = f->calls.border[i][first + r->borders - 1 - skip[1]];
    }
    return (struct prvcut_window){
        .from = own.start, .to = own.end, .thread_from = from, .thread_to = to
    };
}

struct job_row job_row_of_region(const struct job *j, size_t region)
{
    const struct made_region *r = &j->out->structure.region[region];

    return (struct job_row){ .span = r->is.span,
                             .border = r->is.border,
                             .borders = r->is.borders,
                             .loop = &j->known.at[j->known.of_region[region]],
                             .iterations = r->is.iterations };
}

struct job_row job_row_between(const struct job *j, const uint64_t *border, size_t borders,
                               size_t region)
{
    const struct made_structure *s = &j->out->structure;
    struct job_row r = { .span = { border[0], border[borders - 1] },
                         .border = border,
                         .borders = borders,
                         .loop = &j->known.at[j->known.of_region[region]],
                         .iterations = (double)(borders - 1) };

    for (size_t i = 0; i < s->is.regions && job_row_first(&r) == SIZE_MAX; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[region]))
            r.loop = &j->known.at[j->known.of_region[i]];
    return r;
}

bool job_row_is_touched(const struct job *j, const struct prvcut_span *w)
{
    return prvcut_span_touched(j->mask, j->mask_spans, w->start, w->end);
}
