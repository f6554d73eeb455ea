#include "api/job_why_pick.h"

#include "analysis/profile/profile.h"
#include "api/job_unusual.h"
#include "api/job_why.h"
#include "base/memory.h"
#include "dsp/order.h"
#include "structure/first_delay.h"
#include "structure/lengths_list.h"
#include "structure/parameters.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Threads, each in one iteration, that are looked at: of more, some iterations say what is usual.
 */
#define LOOKED_AT ((size_t)1 << 14)
/* Of a trace of more than JOB_WHY_RECORDS so many say it: each costs time in the reading. */
#define SPREAD 32
/* Iterations of a thread that tell what is usual of it, at least. */
#define OWN_LEAST 8
/* Iterations on either side of one that tell what is usual there. */
#define AROUND 4
/* Iterations back from one that is long on another thread: a delay from there may have come to it.
 */
#define GOES_ON 3

/* Where an iteration begins; SIZE_MAX: none does. */
static size_t jwp_at_start(const struct job_kinds *k, uint64_t start)
{
    for (size_t i = 0; i < k->count; i++)
        if (*k->border[i] == start)
            return i;
    return SIZE_MAX;
}

size_t job_why_asked(const struct job *j, const struct made_chop *c, const struct job_planned *p)
{
    const struct made_structure *s = &j->out->structure;
    const struct job_kinds *k = j->kinds;

    if (c->is.kind == PRVCUT_CHOP_TYPICAL || c->is.iterations != 1 ||
        !prvcut_regions_share_loop(&s->region[c->is.region], &s->region[k->region]))
        return SIZE_MAX;
    return jwp_at_start(k, p->unusual ? p->outlier.span.start : p->lead_ns);
}

static bool jwp_has(const struct job_why_picks *w, size_t iteration)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->at[i] == iteration)
            return true;
    return false;
}

/* So many iterations at most leave all threads told apart. */
static size_t jwp_room(const struct job *j)
{
    return PRVCUT_PROFILE_APART / ((size_t)j->trace->objects.threads + 1) / 2;
}

static void jwp_add(struct job_why_picks *w, const struct job *j, size_t iteration)
{
    if (iteration < j->kinds->count && !jwp_has(w, iteration))
        w->at[w->count++] = iteration;
}

size_t job_why_asked_at(const struct job_why_picks *p, const struct job *j, uint64_t start)
{
    for (size_t i = 0; i < p->asked; i++)
        if (*j->kinds->border[p->at[i]] == start)
            return p->at[i];
    return SIZE_MAX;
}

struct made_region *job_why_region(const struct job *j, size_t region)
{
    struct made_structure *s = &j->out->structure;

    return (!j->options || j->options->report) &&
                   prvcut_regions_share_loop(&s->region[region], &s->region[j->kinds->region])
               ? &s->region[region]
               : NULL;
}

/* The unusual iterations of the loop that are longer than others, the longest first, as far as few
   are asked for. */
static void jwp_add_longest(struct job_why_picks *w, const struct job *j)
{
    while (w->count < j->wish.causes) {
        size_t longest = SIZE_MAX;

        for (size_t i = 0; i < j->out->structure.is.regions; i++) {
            const struct made_region *r = job_why_region(j, i);

            for (size_t n = 0; r && n < r->is.outliers; n++) {
                const struct prvcut_outlier *o = &r->outlier[n];
                const size_t k = jwp_at_start(j->kinds, o->span.start);

                if (k == SIZE_MAX || !(o->deviation > 0) || jwp_has(w, k))
                    continue;
                if (longest == SIZE_MAX || j->kinds->length[k] > j->kinds->length[longest])
                    longest = k;
            }
        }
        if (longest == SIZE_MAX)
            return;
        jwp_add(w, j, longest);
    }
}

/* All unusual iterations of the loop. */
static void jwp_add_unusual(struct job_why_picks *w, const struct job *j)
{
    for (size_t i = 0; i < j->out->structure.is.regions; i++) {
        const struct made_region *r = job_why_region(j, i);

        for (size_t n = 0; r && n < r->is.outliers; n++)
            jwp_add(w, j, jwp_at_start(j->kinds, r->outlier[n].span.start));
    }
}

/* Of how many iterations one is looked at, where they are spread evenly. */
static size_t jwp_step(const struct job_why_picks *w, const struct job *j, bool few)
{
    const size_t room = LOOKED_AT / ((size_t)j->trace->objects.threads + 1) + 1;
    const size_t some = few && room > SPREAD ? SPREAD : room;
    const size_t left = jwp_room(j) > w->count ? jwp_room(j) - w->count : 0;
    const size_t most = some < left ? some : left;

    return most > 0 ? j->kinds->count / most + 1 : SIZE_MAX;
}

static void jwp_add_spread(struct job_why_picks *w, const struct job *j, size_t step)
{
    const size_t before = w->count;

    for (size_t i = 0; step != SIZE_MAX && i < j->kinds->count; i += step) {
        bool is = false;

        for (size_t m = 0; m < before; m++)
            is = is || w->at[m] == i;
        if (!is)
            w->at[w->count++] = i;
    }
}

/* Is it an iteration of the region, or of any where all of the loop is wanted? */
static bool jwp_is_wanted(const struct job *j, const struct job_why_wanted *want, size_t iteration)
{
    const struct prvcut_span *span = &j->out->structure.region[want->region].is.span;
    const uint64_t *border = j->kinds->border[iteration];

    return !want->region_only || (border[0] >= span->start && border[1] <= span->end);
}

struct jwp_long {
    size_t iteration;
    double length;
};

static int jwp_by_length(const void *a, const void *b)
{
    const struct jwp_long *x = a, *y = b;

    if (x->length != y->length)
        return x->length < y->length ? 1 : -1;
    return (x->iteration > y->iteration) - (x->iteration < y->iteration);
}

/* The unusual ones of the loop. */
static enum prvcut_status jwp_mark_unusual(bool *is, const struct job *j,
                                           const struct job_why_wanted *want,
                                           struct prvcut_error *err)
{
    struct job_unusual *unusual;
    size_t count;
    const enum prvcut_status st = job_unusual_take(&unusual, &count, j, want->region, true, err);

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const size_t at = jwp_at_start(j->kinds, unusual[i].outlier.span.start);

        if (at != SIZE_MAX)
            is[at] = true;
    }
    free(unusual);
    return st;
}

bool job_why_is_unusual(const struct job *j, size_t iteration)
{
    const struct made_structure *s = &j->out->structure;

    for (size_t i = 0; i < s->is.regions; i++)
        for (size_t n = 0; n < s->region[i].is.outliers; n++)
            if (s->region[i].outlier[n].span.start == *j->kinds->border[iteration] &&
                prvcut_regions_share_loop(&s->region[i], &s->region[j->kinds->region]))
                return true;
    return false;
}

enum prvcut_status job_why_median(double *median, const struct job_kinds *k, unsigned kind,
                                  struct prvcut_error *err)
{
    double *room = prvcut_unset(k->count + 1, sizeof *room, "iterations", err);
    size_t n = 0;

    for (int all = 0; room && all < 2 && n == 0; all++)
        for (size_t i = 0; i < k->count; i++)
            if ((all || k->clear[i]) && (kind == 0 || k->label[i] + 1 == kind))
                room[n++] = k->length[i];
    *median = room ? prvcut_median(room, n) : 0;
    free(room);
    return room ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* --- Other threads than the one that leads ---------------------------------------------------- */

/* The iterations of a known loop on one of its threads. */
struct jwp_thread {
    const uint64_t *border; /* [count + 1] */
    const double *delay;    /* [count] as of prvcut_first_delay; NULL: none */
    const size_t *at;       /* [count] indices in j->kinds; SIZE_MAX: none */
    size_t count;
    uint64_t end; /* of the last of them, where its last call ends; 0: where the borders say */
    bool last;    /* that one alone is noted */
};

static double jwp_length(const struct jwp_thread *t, size_t i)
{
    const uint64_t end = t->end > 0 && i + 1 == t->count ? t->end : t->border[i + 1];

    return end > t->border[i] ? (double)(end - t->border[i]) : 0;
}

/* Which of j->kinds the iterations of a loop are, by where they begin on the thread that leads: not
   the first, in which threads wait until all have begun. */
static void jwp_find(size_t *at, const struct job_kinds *k, const uint64_t *border, size_t count)
{
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        while (next < k->count && *k->border[next] < border[i])
            next++;
        at[i] = next > 0 && next < k->count && *k->border[next] == border[i] ? next : SIZE_MAX;
    }
}

/* How long those around one are, as it is itself: length: [count] */
static double jwp_around(const double *length, size_t count, size_t at)
{
    const size_t from = at > AROUND ? at - AROUND : 0;
    const size_t to = at + AROUND < count ? at + AROUND + 1 : count;
    double room[2 * AROUND + 1];

    memcpy(room, length + from, (to - from) * sizeof *room);
    return prvcut_median(room, to - from);
}

/* How much longer they are than their median, where that is unusual, also beside those around.
   length: [count]; room: [2 * count] */
static void jwp_note_thread(double *longer, const struct job *j, const struct jwp_thread *t,
                            double *length, double *room)
{
    const double far = prvcut_far_among(prvcut_parameter_of(j->run->set, PRVCUT_SET_UNUSUAL),
                                        (double)j->kinds->count * j->trace->objects.threads);
    struct lengths_list share = { .at = room, .among = j->trace->objects.threads };
    double median, least;
    size_t all = 0, clear = 0, many = 0, n = 0;

    for (size_t i = 0; i < t->count; i++)
        if (t->at[i] != SIZE_MAX) {
            length[all++] = jwp_length(t, i);
            if (j->kinds->clear[t->at[i]] && (t->end == 0 || i + 1 < t->count))
                room[clear++] = length[all - 1];
        }
    if (clear < OWN_LEAST)
        return;
    median = prvcut_median(room, clear);
    least = fmax(JOB_WHY_LONGER * median, far * PRVCUT_MAD_SCALE * prvcut_mad(room, clear, median));
    for (size_t i = 0; i < all; i++) {
        share.at[share.count++] = length[i] / median - 1;
        many += length[i] - median > least;
    }
    if ((double)many > PRVCUT_LENGTHS_MANY * (double)all)
        return;
    prvcut_lengths_clear(&share, JOB_WHY_LONGER, room + all);
    for (size_t i = 0; i < t->count; i++) {
        double more;

        if (t->at[i] == SIZE_MAX)
            continue;
        more = prvcut_first_delay_off(length[n] - fmax(median, jwp_around(length, all, n)),
                                      t->delay ? t->delay[i] : 0);
        n++;
        if ((!t->last || i + 1 == t->count) && more > least &&
            length[n - 1] / median - 1 >= share.clear[0])
            longer[t->at[i]] = fmax(longer[t->at[i]], more);
    }
}

static bool jwp_is_last(const struct job *j, size_t iteration)
{
    return job_why_number(j, iteration) ==
           j->out->structure.region[j->kinds->region].is.loop_iterations;
}

/* Of the threads of a loop whose own borders are known, and of the one that leads how its last one
   ends. at, length, room: [iterations of j->kinds] */
static enum prvcut_status jwp_note_loop(double *longer, const struct job *j,
                                        const struct prvcut_known_loop *f,
                                        const struct job_why_last *tail, size_t *at, double *length,
                                        double *room, struct prvcut_error *err)
{
    const struct prvcut_call_loop *l = &f->calls;
    const struct job_kinds *k = j->kinds;
    const size_t leader = prvcut_known_loop_leader(f);
    struct prvcut_first_delay delay;
    enum prvcut_status st;
    size_t count;
    bool last, ends;

    if (leader == l->sequences || l->borders[leader] < 2 || l->borders[leader] - 1 > k->count)
        return PRVCUT_OK;
    count = l->borders[leader] - 1;
    jwp_find(at, k, l->border[leader], count);
    /* What follows the loop may be in its last one, but behind its last call. */
    last = at[count - 1] != SIZE_MAX && jwp_is_last(j, at[count - 1]);
    ends = last && tail && tail->iteration == at[count - 1];
    st = prvcut_first_delay_init(&delay, f, err);
    for (size_t i = ends ? leader : leader + 1; i < l->sequences && st == PRVCUT_OK; i++) {
        const uint32_t thread = f->sequence[i].thread;
        const uint64_t end = ends && thread < j->trace->objects.threads ? tail->end[thread] : 0;
        const struct jwp_thread t = { l->border[i], delay.count > 0 ? delay.ns : NULL,
                                      at,           last && end == 0 ? count - 1 : count,
                                      end,          i == leader };

        if (l->borders[i] != l->borders[leader] || (end == 0 && i == leader))
            continue;
        prvcut_first_delay_of(&delay, i);
        jwp_note_thread(longer, j, &t, length, room);
    }
    prvcut_first_delay_fini(&delay);
    return st;
}

/* longer: [iterations of j->kinds] */
static enum prvcut_status jwp_note_others(double *longer, const struct job *j,
                                          const struct job_why_last *tail, struct prvcut_error *err)
{
    double *room = prvcut_unset(2 * j->kinds->count + 1, sizeof *room, "iterations", err);
    double *length = prvcut_unset(j->kinds->count + 1, sizeof *length, "iterations", err);
    size_t *at = prvcut_unset(j->kinds->count + 1, sizeof *at, "iterations", err);
    enum prvcut_status st = room && length && at ? PRVCUT_OK : PRVCUT_ENOMEM;

    /* Of iterations of several kinds the longer are not unusual: nothing is said of those. */
    for (size_t i = 0; j->kinds->kinds < 2 && i < j->known.count && st == PRVCUT_OK; i++)
        st = jwp_note_loop(longer, j, &j->known.at[i], tail, at, length, room, err);
    free(room);
    free(length);
    free(at);
    return st;
}

/* Does the thread that leads wait for what makes one longer on another, or did it, when the delay
   came to it, by a thread an iteration? is: those that are unusual on it; of the loop's last one,
   tail, nothing else says so */
static bool jwp_comes_to_leader(const struct job *j, const bool *is, double median, size_t tail,
                                size_t iteration, double longer)
{
    const struct job_kinds *k = j->kinds;
    const size_t tasks = j->trace->objects.tasks, last = iteration + tasks;

    for (size_t i = iteration > tasks ? iteration - tasks : 0; i < k->count && i <= last; i++)
        if ((is[i] || (i == iteration && i != tail)) && k->length[i] - median >= longer / 2)
            return true;
    return false;
}

/* Did a delay that is as long as that one, or longer, come to another thread shortly before? From
   one to the next it goes on to another, of which not all tell. */
static bool jwp_goes_on(const double *longer, size_t iteration)
{
    for (size_t back = 1; back <= GOES_ON && back <= iteration; back++)
        if (longer[iteration - back] >= longer[iteration] / 2)
            return true;
    return false;
}

/* Those that are unusually long on threads that the one that leads does not wait for: *is, and
   their lengths. longer: zeroed, [iterations] */
static enum prvcut_status jwp_mark_others(bool *is, double *longer, const struct job *j,
                                          double median, const struct job_why_last *tail,
                                          struct prvcut_error *err)
{
    const size_t last = tail ? tail->iteration : SIZE_MAX;
    const enum prvcut_status st = jwp_note_others(longer, j, tail, err);

    /* What it is longer behind its last call follows the loop. */
    if (st == PRVCUT_OK && last < j->kinds->count && tail->lead > *j->kinds->border[last] &&
        j->kinds->length[last] > median &&
        (double)(tail->lead - *j->kinds->border[last]) < (1 + JOB_WHY_LONGER) * median)
        is[last] = false;

    for (size_t i = j->kinds->count; i-- > 0 && st == PRVCUT_OK;)
        if (longer[i] > 0 && (is[i] || jwp_goes_on(longer, i) ||
                              jwp_comes_to_leader(j, is, median, last, i, longer[i])))
            longer[i] = 0;
    for (size_t i = 0; i < j->kinds->count && st == PRVCUT_OK; i++)
        is[i] |= longer[i] > 0;
    return st;
}

/* The unusual ones, and those that something disturbs and that are longer than usual: the longest
   first. */
static enum prvcut_status jwp_add_slow(struct job_why_picks *w, const struct job *j,
                                       const struct job_why_wanted *want, struct prvcut_error *err)
{
    const struct job_kinds *k = j->kinds;
    struct jwp_long *slow = prvcut_unset(k->count + 1, sizeof *slow, "iterations", err);
    bool *is = prvcut_zeroed(k->count + 1, sizeof *is, "iterations", err);
    double *longer = prvcut_zeroed(k->count + 1, sizeof *longer, "iterations", err);
    double median = 0;
    size_t count = 0;
    enum prvcut_status st =
        slow && is && longer ? job_why_median(&median, k, 0, err) : PRVCUT_ENOMEM;

    for (size_t i = 0; i < k->count && st == PRVCUT_OK; i++) {
        is[i] = !k->clear[i] && job_kinds_own_length(k, i, median) >= (1 + JOB_WHY_LONGER) * median;
        w->disturbed |= is[i] && jwp_is_wanted(j, want, i);
    }
    if (st == PRVCUT_OK)
        st = jwp_mark_unusual(is, j, want, err);
    if (st == PRVCUT_OK)
        st = jwp_mark_others(is, longer, j, median, want->tail, err);
    for (size_t i = 0; i < k->count && st == PRVCUT_OK; i++)
        if (is[i] && jwp_is_wanted(j, want, i))
            slow[count++] = (struct jwp_long){ i, k->length[i] + longer[i] };
    if (count > 0)
        qsort(slow, count, sizeof *slow, jwp_by_length);
    for (size_t i = 0; i < count && i < want->most; i++)
        w->at[w->count++] = slow[i].iteration;
    w->seen = count;
    free(slow);
    free(is);
    free(longer);
    return st;
}

uint32_t job_why_own(const struct job *j)
{
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[j->kinds->region]];
    uint32_t known = 0;

    for (size_t i = 0; i < f->calls.sequences; i++)
        known += f->calls.borders[i] > 1;
    return j->kinds->kinds > 1 && known > 1 ? 1 : known;
}

/* Those that have these numbers. */
static void jwp_add_named(struct job_why_picks *w, const struct job *j,
                          const struct job_why_wanted *want)
{
    for (uint64_t n = want->first; n <= want->last; n++)
        for (size_t i = 0; i < j->kinds->count; i++)
            if (job_why_number(j, i) == n)
                jwp_add(w, j, i);
    w->missed = want->last - want->first + 1 - w->count;
}

uint64_t job_why_number(const struct job *j, size_t iteration)
{
    const struct made_structure *s = &j->out->structure;
    const uint64_t *border = j->kinds->border[iteration];

    for (size_t i = 0; i < s->is.stretches; i++)
        if (border >= s->stretch[i].border && border < s->stretch[i].border + s->stretch[i].borders)
            return s->stretch[i].first + (uint64_t)(border - s->stretch[i].border);
    return 0;
}

/* Those that are asked for have two neighbours each, and some are usual. */
static void jwp_limit(struct job_why_picks *w, const struct job *j)
{
    const size_t room = jwp_room(j),
                 usual = JOB_WHY_USUAL * (j->kinds->kinds > 1 ? j->kinds->kinds : 1);
    const size_t most = room > usual ? (room - usual) / 3 : 0;

    w->left = w->count > most ? w->count - most : 0;
    w->count -= w->left;
    w->asked = w->count;
}

enum prvcut_status job_why_pick(struct job_why_picks *w, const struct job *j,
                                const struct job_plan *plan, const struct job_why_wanted *want,
                                struct prvcut_error *err)
{
    /* The page shows all that there is room for. */
    const bool page = j->options && j->options->report;
    size_t step;

    *w = (struct job_why_picks){ .count = 0 };
    w->at = prvcut_unset(j->kinds->count + 1, sizeof *w->at, "iterations", err);
    w->says = prvcut_zeroed(j->kinds->count + 1, sizeof *w->says, "iterations", err);
    if (!w->at || !w->says)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && i < j->out->is.chops; i++)
        jwp_add(w, j, job_why_asked(j, &j->out->chop[i], &plan->at[i]));
    if (want && want->first > 0)
        jwp_add_named(w, j, want);
    else if (want && jwp_add_slow(w, j, want, err) < 0)
        return PRVCUT_ENOMEM;
    else if (!want && j->options)
        jwp_add_unusual(w, j);
    else if (!want)
        jwp_add_longest(w, j);
    jwp_limit(w, j);
    for (size_t i = 0; i < w->asked; i++) {
        jwp_add(w, j, w->at[i] + 1);
        if (w->at[i] > 0)
            jwp_add(w, j, w->at[i] - 1);
    }
    step = jwp_step(w, j, job_records(j) > JOB_WHY_RECORDS);
    for (size_t i = 0; step != SIZE_MAX && i < j->kinds->count; i += step)
        w->says[i] = true;
    if (w->asked > 0 || page)
        jwp_add_spread(w, j, step);
    if (page)
        jwp_add_spread(w, j, jwp_step(w, j, false));
    return PRVCUT_OK;
}

void job_why_picks_fini(struct job_why_picks *w)
{
    free(w->at);
    free(w->says);
}
