#include "analysis/profile/profile_lines.h"

#include "analysis/profile/profile_meet.h"
#include "base/checked.h"
#include "base/memory.h"
#include "model/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Counters --------------------------------------------------------------------------------- */

/* Those with a role of their own first, then by type. */
static int pli_by_key(const void *a, const void *b)
{
    const struct prvcut_proof_key *x = a, *y = b;

    if ((x->value > 0) != (y->value > 0))
        return x->value > 0 ? -1 : 1;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

static enum prvcut_status pli_keys(struct prvcut_profile_lines *l, struct prvcut_error *err)
{
    const struct prvcut_profile_cell *c = l->found->cell.at;
    struct prvcut_table keys = PRVCUT_TABLE_SET(struct prvcut_proof_key, "counters");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->found->cell.count && st == PRVCUT_OK; i++)
        if (c[i].key.of.kind == PRVCUT_PROOF_COUNTER &&
            !prvcut_table_make(&keys, &c[i].key.of, err))
            st = PRVCUT_ENOMEM;
    l->key = prvcut_table_take(&keys, &l->counters);
    if (l->counters > 0)
        qsort(l->key, l->counters, sizeof *l->key, pli_by_key);
    prvcut_table_fini(&keys);
    return st;
}

static size_t pli_counter(const struct prvcut_profile_lines *l, const struct prvcut_proof_key *key)
{
    size_t i = 0;

    while (i + 1 < l->counters && memcmp(&l->key[i], key, sizeof *key) != 0)
        i++;
    return i;
}

/* What no reading tells is not nothing. */
static void pli_count(uint64_t *to, uint64_t more)
{
    if (*to == PRVCUT_PROFILE_UNTOLD)
        *to = more;
    else if (more != PRVCUT_PROFILE_UNTOLD)
        prvcut_add_most(to, more);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static void pli_call(struct prvcut_profile_line *to, const struct prvcut_profile_cell *c)
{
    const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(c->key.of.type, c->key.of.value);

    to->calls += c->amount;
    to->calls_that_wait += call && call->state == PRVCUT_STATE_SYNCHRONIZATION ? c->amount : 0;
    to->entered += c->count;
    to->open += c->open;
    if (c->parts > 0 && (to->parts == 0 || c->least < to->least))
        to->least = c->least;
    to->most = c->most > to->most ? c->most : to->most;
    to->parts += c->parts;
}

static void pli_add(struct prvcut_profile_lines *l, const struct prvcut_profile_cell *c)
{
    const size_t at = (size_t)c->key.slot * l->each + (l->each > 1 ? c->key.thread : 0);
    struct prvcut_profile_line *to = &l->at[at];

    switch (c->key.of.kind) {
    case PRVCUT_PROOF_STATE:
        to->running += c->key.of.type == l->found->names.running ? c->amount : 0;
        to->waits += c->key.of.type == PRVCUT_STATE_SYNCHRONIZATION ? c->amount : 0;
        break;
    case PRVCUT_PROOF_CALL:
        pli_call(to, c);
        break;
    case PRVCUT_PROOF_MESSAGE:
        if (c->key.of.type == PRVCUT_PROFILE_TOGETHER)
            break;
        *(c->key.of.type == PRVCUT_PROFILE_SENT ? &to->sent : &to->received) += c->count;
        prvcut_add_most(c->key.of.type == PRVCUT_PROFILE_SENT ? &to->sent_bytes
                                                              : &to->received_bytes,
                        c->amount);
        break;
    case PRVCUT_PROOF_COUNTER:
        pli_count(&l->count[at * l->counters + pli_counter(l, &c->key.of)], c->amount);
        break;
    }
}

static int pli_by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static size_t pli_state(const struct prvcut_profile_lines *l, uint32_t number)
{
    size_t i = 0;

    while (i + 1 < l->states_seen && l->state[i] != number)
        i++;
    return i;
}

/* The rest by state, thread by thread. */
static enum prvcut_status pli_rest(struct prvcut_profile_lines *l, struct prvcut_error *err)
{
    const struct prvcut_profile_cell *c = l->found->rest.at;
    const size_t cells = l->found->rest.count;
    struct prvcut_table numbers = PRVCUT_TABLE_SET(uint32_t, "states");
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < cells && st == PRVCUT_OK; i++)
        if (c[i].amount > 0 && !prvcut_table_make(&numbers, &c[i].key.of.type, err))
            st = PRVCUT_ENOMEM;
    l->state = prvcut_table_take(&numbers, &l->states_seen);
    prvcut_table_fini(&numbers);
    if (l->states_seen > 0)
        qsort(l->state, l->states_seen, sizeof *l->state, pli_by_number);
    l->rest = prvcut_zeroed(l->found->cells.slots * l->each + 1,
                            (l->states_seen + 1) * sizeof *l->rest, "states", err);
    if (!l->rest)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < cells && st == PRVCUT_OK; i++)
        if (c[i].amount > 0)
            l->rest[((size_t)c[i].key.slot * l->each + (l->each > 1 ? c[i].key.thread : 0)) *
                        l->states_seen +
                    pli_state(l, c[i].key.of.type)] += c[i].amount;
    return st;
}

bool prvcut_profile_line_rest(const struct prvcut_profile_lines *l, struct prvcut_profile_who who,
                              uint64_t rest_ns, uint64_t *out)
{
    const uint32_t first = l->each > 1 ? who.first : 0, end = l->each > 1 ? who.end : 1;
    uint64_t told = 0;

    if (!l->found->rests || rest_ns == PRVCUT_PROFILE_UNTOLD)
        return false;
    memset(out, 0, (l->states_seen + 1) * sizeof *out);
    for (uint32_t i = first; i < end; i++)
        for (size_t k = 0; k < l->states_seen; k++)
            out[k] += l->rest[((size_t)who.slot * l->each + i) * l->states_seen + k];
    for (size_t k = 0; k < l->states_seen; k++)
        told += out[k];
    out[l->states_seen] = told <= rest_ns ? rest_ns - told : 0;
    return told <= rest_ns;
}

static void pli_meet(struct prvcut_profile_lines *l)
{
    const struct prvcut_profile_met *met = l->found->met.at;

    for (size_t i = 0; i < l->found->met.count; i++)
        if (met[i].key.what == PRVCUT_PROFILE_MET_CALL)
            l->at[(size_t)met[i].key.slot * l->each + (l->each > 1 ? met[i].key.thread : 0)]
                .waiting += met[i].waiting;
}

enum prvcut_status prvcut_profile_lines_init(struct prvcut_profile_lines *l,
                                             const struct prvcut_profile_found *f,
                                             struct prvcut_error *err)
{
    const size_t slots = f->cells.slots;
    enum prvcut_status st;

    *l = (struct prvcut_profile_lines){ .found = f, .each = f->apart ? f->threads : 1 };
    l->states = !f->told && f->any & PRVCUT_PROFILE_ANY_RUNNING;
    l->each = l->each > 0 ? l->each : 1;
    st = pli_keys(l, err);
    if (st < 0)
        return st;
    l->at = prvcut_zeroed(slots * l->each + 1, sizeof *l->at, "threads", err);
    l->count =
        prvcut_zeroed(slots * l->each + 1, (l->counters + 1) * sizeof *l->count, "counters", err);
    if (!l->at || !l->count)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < (slots * l->each + 1) * l->counters; i++)
        l->count[i] = PRVCUT_PROFILE_UNTOLD;
    for (size_t i = 0; i < f->cell.count; i++)
        pli_add(l, (const struct prvcut_profile_cell *)f->cell.at + i);
    pli_meet(l);
    return pli_rest(l, err);
}

void prvcut_profile_lines_fini(struct prvcut_profile_lines *l)
{
    free(l->at);
    free(l->key);
    free(l->count);
    free(l->state);
    free(l->rest);
    memset(l, 0, sizeof *l);
}

/* --- Rows ------------------------------------------------------------------------------------- */

uint64_t prvcut_profile_window(const struct prvcut_profile_found *f, struct prvcut_profile_who who)
{
    uint64_t sum = 0;

    for (uint32_t i = who.first; i < who.end; i++)
        sum += prvcut_profile_length(f, who.slot, i);
    return sum;
}

static struct prvcut_profile_line pli_sum(const struct prvcut_profile_lines *l,
                                          struct prvcut_profile_who who, uint64_t *count)
{
    struct prvcut_profile_line s = { .running = 0 };
    const uint32_t first = l->each > 1 ? who.first : 0, end = l->each > 1 ? who.end : 1;

    for (uint32_t i = first; i < end; i++) {
        const size_t at = (size_t)who.slot * l->each + i;
        const struct prvcut_profile_line *t = &l->at[at];

        s.calls += t->calls;
        s.entered += t->entered;
        s.open += t->open;
        if (t->parts > 0 && (s.parts == 0 || t->least < s.least))
            s.least = t->least;
        s.most = t->most > s.most ? t->most : s.most;
        s.parts += t->parts;
        s.sent += t->sent;
        prvcut_add_most(&s.sent_bytes, t->sent_bytes);
        s.received += t->received;
        prvcut_add_most(&s.received_bytes, t->received_bytes);
        s.waiting += t->waiting;
        for (size_t k = 0; k < l->counters; k++)
            pli_count(&count[k], l->count[at * l->counters + k]);
    }
    return s;
}

/* What is known of one thread, or of all of them as one. */
struct pli_time {
    uint64_t recorded, computing;
    bool told; /* what it computes */
};

/* Outside calls: all that is recorded but, as far as regions tell them, waits of OpenMP. */
static struct pli_time pli_outside(const struct prvcut_profile_lines *l,
                                   const struct prvcut_profile_line *t, uint64_t recorded)
{
    const uint64_t waits =
        l->found->told && t->waits > t->calls_that_wait ? t->waits - t->calls_that_wait : 0;
    const uint64_t taken = t->calls + waits;

    return (struct pli_time){ recorded, taken < recorded ? recorded - taken : 0, true };
}

/* Where states are not recorded, a thread without calls runs as its regions tell. */
static struct pli_time pli_of(const struct prvcut_profile_lines *l,
                              const struct prvcut_profile_line *t, uint64_t recorded, bool calls)
{
    if (l->states || (!calls && l->found->any & PRVCUT_PROFILE_ANY_RUNNING))
        return (struct pli_time){ recorded, t->running, true };
    return calls ? pli_outside(l, t, recorded) : (struct pli_time){ recorded, 0, false };
}

/* Do all of the threads make calls, or none? */
static bool pli_alike(const struct prvcut_profile_found *f)
{
    for (uint32_t i = 1; i < f->threads; i++)
        if (f->reach[i].calls != f->reach[0].calls)
            return false;
    return true;
}

/* Those that are not told apart are taken as one. */
static struct pli_time pli_time_of(const struct prvcut_profile_lines *l,
                                   struct prvcut_profile_who who, uint32_t i)
{
    const struct prvcut_profile_found *f = l->found;
    uint64_t recorded = 0;

    if (l->each > 1 || f->threads < 2)
        return pli_of(l, &l->at[(size_t)who.slot * l->each + i],
                      prvcut_profile_recorded(f, who.slot, i), f->reach[i].calls);
    for (uint32_t k = 0; k < f->threads; k++)
        recorded += prvcut_profile_recorded(f, who.slot, k);
    if (!l->states && !pli_alike(f))
        return (struct pli_time){ recorded, 0, false };
    return pli_of(l, &l->at[who.slot], recorded, f->reach[0].calls);
}

/* Computing and the rest: untold where the trace tells neither states nor calls of a thread, or
   where they are longer than what was recorded. */
static void pli_divide(struct prvcut_profile_lines *l, struct prvcut_profile_who who,
                       struct prvcut_profile_row *out)
{
    const uint32_t end = l->each > 1 ? who.end : who.first < who.end ? who.first + 1 : who.first;
    bool told = true, fits = true;

    out->computing_ns = out->rest_ns = 0;
    for (uint32_t i = who.first; i < end; i++) {
        const uint64_t calls = l->at[(size_t)who.slot * l->each + (l->each > 1 ? i : 0)].calls;
        const struct pli_time t = pli_time_of(l, who, i);

        out->recorded_ns += t.recorded;
        out->computing_ns += t.computing;
        told &= t.told;
        if (t.computing + calls <= t.recorded)
            out->rest_ns += t.recorded - t.computing - calls;
        else
            fits = false;
    }
    if (!told)
        out->computing_ns = PRVCUT_PROFILE_UNTOLD;
    if (!told || !fits)
        out->rest_ns = PRVCUT_PROFILE_UNTOLD;
    l->overlap |= told && !fits;
}

static uint64_t pli_if(const struct prvcut_profile_found *f, uint32_t bit, uint64_t value)
{
    return f->any & bit ? value : PRVCUT_PROFILE_UNTOLD;
}

/* Of a trace that holds MPI_Init and MPI_Finalize alone nothing is known of what is between. */
static uint64_t pli_called(const struct prvcut_profile_found *f,
                           const struct prvcut_profile_line *s, uint64_t value)
{
    const bool known = f->any & PRVCUT_PROFILE_ANY_INSIDE || s->entered > 0 || s->calls > 0;

    return known ? pli_if(f, PRVCUT_PROFILE_ANY_CALL, value) : PRVCUT_PROFILE_UNTOLD;
}

void prvcut_profile_line_row(struct prvcut_profile_lines *l, struct prvcut_profile_who who,
                             struct prvcut_profile_row *out, uint64_t *count)
{
    const struct prvcut_profile_found *f = l->found;
    struct prvcut_profile_line s;

    for (size_t i = 0; i < l->counters; i++)
        count[i] = PRVCUT_PROFILE_UNTOLD;
    s = pli_sum(l, who, count);
    *out = (struct prvcut_profile_row){
        .rank = UINT32_MAX,
        .thread = UINT32_MAX,
        .threads = who.end - who.first,
        .window_ns = prvcut_profile_window(f, who),
        .entered = pli_called(f, &s, s.entered),
        .open = pli_called(f, &s, s.open),
        .ns = pli_called(f, &s, s.calls),
        .mean_ns = s.parts > 0 ? (double)s.calls / (double)s.parts : NAN,
        .least_ns = s.parts > 0 ? s.least : PRVCUT_PROFILE_UNTOLD,
        .most_ns = s.parts > 0 ? s.most : PRVCUT_PROFILE_UNTOLD,
        .median_ns = PRVCUT_PROFILE_UNTOLD,
        .percentile_95_ns = PRVCUT_PROFILE_UNTOLD,
        .calls_ns = pli_called(f, &s, s.calls),
        .sent = pli_if(f, PRVCUT_PROFILE_ANY_SENT, s.sent),
        .sent_bytes = pli_if(f, PRVCUT_PROFILE_ANY_SENT, s.sent_bytes),
        .received = pli_if(f, PRVCUT_PROFILE_ANY_RECEIVED, s.received),
        .received_bytes = pli_if(f, PRVCUT_PROFILE_ANY_RECEIVED, s.received_bytes),
        .counter = count,
        .inclusive_ns = PRVCUT_PROFILE_UNTOLD,
        .waiting_ns = f->meets ? s.waiting : PRVCUT_PROFILE_UNTOLD,
        .communicator = UINT32_MAX,
        .sender = UINT32_MAX,
        .receiver = UINT32_MAX,
    };
    pli_divide(l, who, out);
}
