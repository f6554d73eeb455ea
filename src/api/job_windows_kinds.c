#include "api/job_windows_inner.h"

#include "api/job_kinds.h"
#include "structure/stretch.h"

/*
 * Windows of a loop whose iterations are of several kinds. Where kinds follow one another in
 * stretches, long ones after short ones, a window of a kind is like no window of another one, and
 * the middle half of all of them may reach over all: beside all of them a window of 176 ms was
 * typical, where usual were 449 ms. So the windows of the kind that takes most of the time compete
 * there, and a cut of one kind is told beside that one's.
 */

/* Of the windows that hold any of a kind, more hold nothing else: it comes in stretches. Kinds that
   take turns by chance do not, even where two in three iterations are of one (windows of two). */
#define ALONE_LEAST 0.5

struct job_units *job_windows_row_of_kinds(const struct job_windows *w, const struct job *j)
{
    const struct job_kinds *k = j->kinds;

    for (size_t i = 0; k && k->kinds > 0 && i < w->rows; i++) {
        struct job_units *r = &w->row[i];

        if (r->of_loop && r->steps == 0 &&
            prvcut_regions_share_loop(&j->out->structure.region[r->region],
                                      &j->out->structure.region[k->region]))
            return r->thin || r->units == k->count ? r : NULL;
    }
    return NULL;
}

/* --- One kind beside itself ------------------------------------------------------------------- */

unsigned job_units_held(const struct job_units *r, size_t first, unsigned iterations)
{
    const struct job_wanted any = { .iterations = iterations };
    const size_t units = job_units_of(r, first, &any);
    unsigned held = 0;

    for (size_t i = 0; i < units; i++)
        held |= r->unit[first + i].held;
    return held;
}

unsigned job_units_kind(unsigned held)
{
    unsigned kind = 1;

    if (held == 0 || (held & (held - 1)) != 0)
        return 0;
    while (held >> kind)
        kind++;
    return kind;
}

/* Do enough windows hold that kind, and most of these nothing else? */
static bool jwk_comes_alone(const struct job_units *r, const struct job_wanted *wanted,
                            unsigned kind)
{
    size_t some = 0, alone = 0;

    for (size_t i = 0; i < r->units; i++) {
        const unsigned held =
            job_units_of(r, i, wanted) > 0 ? job_units_held(r, i, wanted->iterations) : 0;

        some += held >> (kind - 1) & 1;
        alone += job_units_kind(held) == kind;
    }
    return alone >= PRVCUT_WINDOWS_LEAST && (double)alone > ALONE_LEAST * (double)some;
}

/* The kind whose undisturbed iterations take most of the time of these; 0: all are disturbed. */
static unsigned jwk_main(const struct job_kinds *k)
{
    double time[PRVCUT_KINDS] = { 0 }, most = 0;
    unsigned main = 0;

    for (size_t i = 0; i < k->count; i++)
        time[k->label[i]] += k->clear[i] ? k->length[i] : 0;
    for (unsigned i = 0; i < k->kinds; i++)
        if (time[i] > most) {
            most = time[i];
            main = i + 1;
        }
    return main;
}

/* The one kind that a cut holds; 0: several, or it is none of the windows. */
static unsigned jwk_of_cut(const struct job_units *r, const struct job_planned *p)
{
    const size_t first = job_units_at(r, p->lead_ns);

    return first == SIZE_MAX ? 0 : job_units_kind(job_units_held(r, first, p->place.iterations));
}

/* Are they told of this row, and more than one with a few others? */
static bool jwk_are_told(const struct job_windows *w, const struct job *j,
                         const struct job_units *r, const struct job_planned *p)
{
    return !p->unusual && p->place.steps == 0 && job_windows_row_of_kinds(w, j) == r &&
           prvcut_kinds_differ(j->kinds->kind, j->kinds->kinds);
}

unsigned job_windows_kind_beside(const struct job_windows *w, const struct job *j, size_t row,
                                 const struct job_planned *p, bool chosen)
{
    const struct job_units *r = &w->row[row];
    const struct job_wanted wanted = { .iterations = p->place.iterations, .clear = chosen };
    unsigned kind;

    if (!jwk_are_told(w, j, r, p))
        return 0;
    kind = chosen ? jwk_main(j->kinds) : jwk_of_cut(r, p);
    return kind > 0 && jwk_comes_alone(r, &wanted, kind) ? kind : 0;
}

bool job_windows_is_between(const struct job_windows *w, const struct job *j, size_t row,
                            const struct job_planned *p)
{
    const struct job_units *r = &w->row[row];
    const struct job_wanted wanted = { .iterations = p->place.iterations, .clear = true };
    const size_t first = job_units_at(r, p->lead_ns);
    unsigned held, main;

    if (first == SIZE_MAX || !jwk_are_told(w, j, r, p))
        return false;
    held = job_units_held(r, first, p->place.iterations);
    main = jwk_main(j->kinds);
    return held > 0 && job_units_kind(held) == 0 && main > 0 && jwk_comes_alone(r, &wanted, main);
}
