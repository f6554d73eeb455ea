#include "analysis/profile/profile_rows.h"

#include "analysis/profile/profile_groups.h"
#include "analysis/profile/profile_lines.h"
#include "analysis/profile/profile_meet.h"
#include "analysis/profile/profile_pairs.h"
#include "analysis/profile/profile_sites.h"
#include "base/memory.h"
#include "model/calls.h"
#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BY_CALLER (PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_LINE)
#define BY_WHAT   (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_STATE | BY_CALLER)
#define BY_WHO    (PRVCUT_PROFILE_BY_RANK | PRVCUT_PROFILE_BY_THREAD)

struct prw_maker {
    const struct prvcut_profile_rows *in;
    struct made_profile *out;
    struct prvcut_profile_lines lines;
    bool waits; /* it is known how long threads wait */
};

/* --- Who -------------------------------------------------------------------------------------- */

/* How many rows stand for all threads. */
static uint32_t prw_count(const struct prw_maker *m)
{
    const struct prvcut_objects *o = &m->in->trace->objects;

    if (m->in->by & PRVCUT_PROFILE_BY_RANK)
        return o->tasks;
    return m->in->by & PRVCUT_PROFILE_BY_THREAD ? o->threads : 1;
}

/* The threads of the i-th. */
static struct prvcut_profile_who prw_who(const struct prw_maker *m, uint32_t slot, uint32_t i)
{
    const struct prvcut_objects *o = &m->in->trace->objects;

    if (m->in->by & PRVCUT_PROFILE_BY_RANK)
        return (struct prvcut_profile_who){ slot, o->task_first_thread[i],
                                            o->task_first_thread[i + 1] };
    if (m->in->by & PRVCUT_PROFILE_BY_THREAD)
        return (struct prvcut_profile_who){ slot, i, i + 1 };
    return (struct prvcut_profile_who){ slot, 0, o->threads };
}

/* Archives have names for their threads, traces by time numbers. */
static const char *prw_thread_text(char out[64], const struct prw_maker *m, uint32_t thread)
{
    const char **name = m->in->found->names.thread;

    if (m->in->trace->reader->by_thread && name && name[thread])
        return name[thread];
    return prvcut_objects_number_text(&m->in->trace->objects, thread, out);
}

static enum prvcut_status prw_keep(const char **to, struct made_profile *out, const char *text,
                                   struct prvcut_error *err)
{
    const enum prvcut_status st = prvcut_texts_add(&out->text, &out->texts, text, err);

    *to = st == PRVCUT_OK ? out->text[out->texts - 1] : NULL;
    return st;
}

/* A row's rank and thread. */
static enum prvcut_status prw_name_who(struct prw_maker *m, struct prvcut_profile_row *row,
                                       struct prvcut_profile_who who, struct prvcut_error *err)
{
    const bool one = who.end == who.first + 1;
    char text[64];

    row->rank = row->thread = UINT32_MAX;
    row->threads = who.end - who.first;
    if (!(m->in->by & BY_WHO) || row->threads == 0)
        return PRVCUT_OK;
    row->rank = m->in->trace->objects.thread_task[who.first];
    if (!one)
        return PRVCUT_OK;
    row->thread = who.first;
    return prw_keep(&row->thread_name, m->out, prw_thread_text(text, m, who.first), err);
}

/* Its region or iteration. */
static enum prvcut_status prw_name_part(struct prw_maker *m, struct prvcut_profile_row *row,
                                        uint32_t slot, struct prvcut_error *err)
{
    const struct prvcut_profile_part *part = m->in->part ? &m->in->part[slot] : NULL;

    if (!part || m->in->first == 0)
        return PRVCUT_OK;
    row->iteration = part->iteration;
    row->span = part->span;
    row->disturbed = part->disturbed;
    return *part->region ? prw_keep(&row->region, m->out, part->region, err) : PRVCUT_OK;
}

/* --- Rows of all that threads did ------------------------------------------------------------- */

/* Is it known how long threads wait? In calls, and for messages receives tell it; where there are
   none, and no calls that would, collectives do. */
static bool prw_waits(const struct prvcut_profile_found *f)
{
    const struct prvcut_profile_cell *c = f->cell.at;
    bool messages = false, collectives = false;

    for (size_t i = 0; i < f->cell.count; i++) {
        const struct prvcut_mpi_call *call =
            c[i].key.of.kind == PRVCUT_PROOF_CALL
                ? prvcut_mpi_call_by_value(c[i].key.of.type, c[i].key.of.value)
                : NULL;

        messages |= call && call->role == PRVCUT_ROLE_P2P;
        collectives |= call && call->role == PRVCUT_ROLE_COLLECTIVE;
    }
    return f->any & PRVCUT_PROFILE_ANY_CALL &&
           (f->any & PRVCUT_PROFILE_ANY_RECEIVED || (collectives && !messages));
}

static enum prvcut_status prw_line_rows(struct prw_maker *m, uint32_t slot,
                                        struct prvcut_error *err)
{
    struct made_profile *out = m->out;
    const uint32_t each = prw_count(m);
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < each && st == PRVCUT_OK; i++) {
        struct prvcut_profile_row *row = &out->row[out->is.rows];
        const struct prvcut_profile_who who = prw_who(m, slot, i);

        prvcut_profile_line_row(&m->lines, who, row, out->count + out->is.rows * out->is.counters);
        row->waiting_ns = m->waits ? row->waiting_ns : PRVCUT_PROFILE_UNTOLD;
        if (prvcut_profile_line_rest(&m->lines, who, row->rest_ns,
                                     out->rest + out->is.rows * out->is.rests))
            row->rest = out->rest + out->is.rows * out->is.rests;
        out->is.rows++;
        st = prw_name_who(m, row, who, err);
        if (st == PRVCUT_OK)
            st = prw_name_part(m, row, slot, err);
    }
    return st;
}

static enum prvcut_status prw_all_line_rows(struct prw_maker *m, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = m->in->first; i < m->in->found->cells.slots && st == PRVCUT_OK; i++)
        st = prw_line_rows(m, i, err);
    return st;
}

/* --- Rows of calls and states ----------------------------------------------------------------- */

static const char *prw_what_text(char out[160], const struct prw_maker *m,
                                 const struct prvcut_proof_key *of)
{
    if (m->in->by & BY_CALLER && of->value == PRVCUT_PROFILE_NAMELESS)
        return "(not recorded)";
    return m->in->by & PRVCUT_PROFILE_BY_LINE
               ? prvcut_profile_site_text(out, 160, of, &m->in->found->names)
               : prvcut_proof_key_text(out, 160, of, &m->in->found->names);
}

/* The function of a pair. */
static struct prvcut_proof_key prw_function(const struct prw_maker *m,
                                            const struct prvcut_proof_key *of)
{
    const struct prvcut_table *named = &m->in->found->named;
    const uint64_t number = prvcut_profile_pair_function(of);

    if (number == PRVCUT_PROFILE_NO_FUNCTION)
        return (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, 0, PRVCUT_PROFILE_NAMELESS };
    return named->count > 0 ? ((const struct prvcut_proof_key *)named->at)[number - 1]
                            : (struct prvcut_proof_key){ PRVCUT_PROOF_CALL, PRVCUT_TYPE_CALLER,
                                                         (int64_t)number };
}

/* Where the source of a row's function begins. */
static enum prvcut_status prw_source(struct prw_maker *m, struct prvcut_profile_row *row,
                                     const struct prvcut_proof_key *function,
                                     struct prvcut_error *err)
{
    const struct prvcut_type_name *t = prvcut_dictionary_type(&m->in->found->names, function->type);
    const struct prvcut_value_name *v = t ? prvcut_type_value(t, function->value) : NULL;

    if (!v || !prvcut_value_has_source(v))
        return PRVCUT_OK;
    row->line = v->line;
    return prw_keep(&row->file, m->out, v->detail, err);
}

/* A row of a call that a function makes. */
static enum prvcut_status prw_name_pair(struct prw_maker *m, struct prvcut_profile_row *row,
                                        const struct prvcut_proof_key *of, struct prvcut_error *err)
{
    const struct prvcut_proof_key function = prw_function(m, of);
    const struct prvcut_proof_key call = prvcut_profile_pair_call(of);
    char text[160];
    enum prvcut_status st =
        prw_keep(&row->function, m->out, prw_what_text(text, m, &function), err);

    row->type = call.type;
    row->value = call.value;
    row->function_value = function.value;
    if (st == PRVCUT_OK)
        st = prw_source(m, row, &function, err);
    if (st < 0)
        return st;
    return prw_keep(&row->name, m->out,
                    call.type == 0
                        ? "other calls"
                        : prvcut_proof_key_text(text, sizeof text, &call, &m->in->found->names),
                    err);
}

/* What it sends and waits for does not hang on messages. */
static bool prw_is_collective(const struct prvcut_proof_key *of)
{
    const struct prvcut_mpi_call *call = prvcut_mpi_call_by_value(of->type, of->value);

    return of->kind == PRVCUT_PROOF_CALL && call && call->role == PRVCUT_ROLE_COLLECTIVE;
}

static enum prvcut_status prw_group_row(struct prw_maker *m, const struct prvcut_profile_group *g,
                                        struct prvcut_error *err)
{
    const struct prvcut_profile_who who = prw_who(m, g->key.slot, g->key.thread);
    const bool call = g->key.of.kind == PRVCUT_PROOF_CALL;
    const bool meets =
        m->in->found->meets && m->in->by & PRVCUT_PROFILE_BY_CALL && !(m->in->by & BY_CALLER);
    const bool all = call && prw_is_collective(&g->key.of);
    const bool functions = m->in->by & PRVCUT_PROFILE_BY_FUNCTION && !m->in->found->callers;
    const bool sent = m->in->found->any & PRVCUT_PROFILE_ANY_SENT;
    const bool received = m->in->found->any & PRVCUT_PROFILE_ANY_RECEIVED;
    struct made_profile *out = m->out;
    struct prvcut_profile_row *row = &out->row[out->is.rows++];
    const uint64_t none = PRVCUT_PROFILE_UNTOLD;
    char text[160];
    enum prvcut_status st;

    *row = (struct prvcut_profile_row){
        .type = call ? g->key.of.type : 0,
        .value = call ? g->key.of.value : (int64_t)g->key.of.type,
        .window_ns = prvcut_profile_window(m->in->found, who),
        .entered = call ? g->sum.count : none,
        .open = call ? g->sum.open : none,
        .ns = g->sum.amount,
        .inclusive_ns = functions ? g->inclusive : none,
        .mean_ns = g->sum.parts > 0 ? (double)g->sum.amount / (double)g->sum.parts : (double)NAN,
        .least_ns = g->sum.parts > 0 ? g->sum.least : none,
        .most_ns = g->sum.parts > 0 ? g->sum.most : none,
        .median_ns = call && g->lengths ? g->median : none,
        .percentile_95_ns = call && g->lengths ? g->percentile_95 : none,
        .recorded_ns = none,
        .computing_ns = none,
        .calls_ns = none,
        .rest_ns = none,
        .sent = meets && (all || sent) ? g->sends : none,
        .received = meets && (all || received) ? g->receives : none,
        .sent_bytes = meets && (all || sent) ? g->sent : none,
        .received_bytes = meets && (all || received) ? g->received : none,
        .waiting_ns = meets && (all || received) ? g->waiting : none,
        .communicator = UINT32_MAX,
        .sender = UINT32_MAX,
        .receiver = UINT32_MAX,
    };
    st = prw_name_who(m, row, who, err);
    if (st == PRVCUT_OK)
        st = prw_name_part(m, row, g->key.slot, err);
    if (st == PRVCUT_OK && m->in->found->pairs)
        return prw_name_pair(m, row, &g->key.of, err);
    if (st == PRVCUT_OK && m->in->by & PRVCUT_PROFILE_BY_FUNCTION)
        st = prw_source(m, row, &g->key.of, err);
    return st == PRVCUT_OK ? prw_keep(&row->name, out, prw_what_text(text, m, &g->key.of), err)
                           : st;
}

static enum prvcut_status prw_group_rows(struct prw_maker *m, const struct prvcut_profile_group *g,
                                         size_t groups, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < groups && st == PRVCUT_OK; i++)
        st = prw_group_row(m, &g[i], err);
    return st;
}

/* --- Rows of what ranks do with each other ---------------------------------------------------- */

static enum prvcut_status prw_met_row(struct prw_maker *m, const struct prvcut_profile_met *g,
                                      struct prvcut_error *err)
{
    const bool peer = g->key.what == PRVCUT_PROFILE_MET_PEER;
    const struct prvcut_profile_who who =
        peer ? prw_who(m, g->key.slot, 0) : prw_who(m, g->key.slot, g->key.thread);
    struct made_profile *out = m->out;
    struct prvcut_profile_row *row = &out->row[out->is.rows++];
    const uint64_t none = PRVCUT_PROFILE_UNTOLD;
    char text[160];
    enum prvcut_status st;

    *row = (struct prvcut_profile_row){
        .type = g->key.of.type,
        .value = g->key.of.value,
        .window_ns = prvcut_profile_window(m->in->found, who),
        .entered = peer ? none : g->count,
        .open = none,
        .ns = peer ? none : g->ns,
        .inclusive_ns = none,
        .mean_ns = (double)NAN,
        .least_ns = none,
        .most_ns = none,
        .median_ns = none,
        .percentile_95_ns = none,
        .recorded_ns = none,
        .computing_ns = none,
        .calls_ns = none,
        .rest_ns = none,
        .sent = peer ? g->count : none,
        .sent_bytes = g->sent,
        .received = none,
        .received_bytes = peer ? none : g->received,
        .waiting_ns = peer && !m->waits ? none : g->waiting,
        .communicator = peer ? UINT32_MAX : g->key.other,
        .sender = peer ? g->key.thread : UINT32_MAX,
        .receiver = peer ? g->key.other : UINT32_MAX,
    };
    st = prw_name_who(m, row, who, err);
    if (st == PRVCUT_OK)
        st = prw_name_part(m, row, g->key.slot, err);
    if (st == PRVCUT_OK && g->key.of.type != 0)
        st = prw_keep(&row->name, out,
                      prvcut_proof_key_text(text, sizeof text, &g->key.of, &m->in->found->names),
                      err);
    return st;
}

static enum prvcut_status prw_met_rows(struct prw_maker *m, const struct prvcut_profile_met *g,
                                       size_t groups, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < groups && st == PRVCUT_OK; i++)
        st = prw_met_row(m, &g[i], err);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status prw_room(struct prw_maker *m, size_t rows, struct prvcut_error *err)
{
    struct made_profile *out = m->out;

    out->row = prvcut_zeroed(rows + 1, sizeof *out->row, "rows", err);
    out->count = prvcut_zeroed(rows + 1, (out->is.counters + 1) * sizeof *out->count, "rows", err);
    out->rest = prvcut_zeroed(rows + 1, (out->is.rests + 1) * sizeof *out->rest, "rows", err);
    return out->row && out->count && out->rest ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status prw_counters(struct prw_maker *m, struct prvcut_error *err)
{
    struct made_profile *out = m->out;
    enum prvcut_status st = PRVCUT_OK;
    char text[160];

    for (size_t i = 0; i < m->lines.counters && st == PRVCUT_OK; i++)
        st = prvcut_texts_add(
            &out->counter, &out->is.counters,
            prvcut_proof_key_text(text, sizeof text, &m->lines.key[i], &m->in->found->names), err);
    return st;
}

/* Names of the states that the rest is in, and of none. */
static enum prvcut_status prw_states(struct prw_maker *m, struct prvcut_error *err)
{
    struct made_profile *out = m->out;
    const bool told = m->in->found->rests;
    enum prvcut_status st = PRVCUT_OK;
    char text[160];

    for (size_t i = 0; told && i < m->lines.states_seen && st == PRVCUT_OK; i++) {
        const struct prvcut_proof_key of = { PRVCUT_PROOF_STATE, m->lines.state[i], 0 };

        st = prvcut_texts_add(&out->state, &out->is.rests,
                              prvcut_proof_key_text(text, sizeof text, &of, &m->in->found->names),
                              err);
    }
    return st == PRVCUT_OK && told ? prvcut_texts_add(&out->state, &out->is.rests, "no state", err)
                                   : st;
}

static void prw_reason(struct made_profile *out, bool is, const char *what, const char *text)
{
    if (is && text)
        out->reason[out->is.reasons++] = (struct prvcut_profile_reason){ what, text };
}

/* Why the table is empty; NULL: another reason tells it. */
static const char *prw_nothing(const struct prw_maker *m)
{
    const uint32_t by = m->in->by, any = m->in->found->any;

    if (by & PRVCUT_PROFILE_BY_PEER)
        return any & PRVCUT_PROFILE_ANY_SENT ? "no message is sent in the window" : NULL;
    if (by & PRVCUT_PROFILE_BY_STATE)
        return "no states are recorded in the window";
    if (by & BY_CALLER || !(any & PRVCUT_PROFILE_ANY_INSIDE))
        return NULL;
    return by & PRVCUT_PROFILE_BY_COMMUNICATOR ? "no collective is entered in the window"
                                               : "no call is made in the window";
}

/* At most MADE_REASONS. */
/* Sums of sizes that have no number. */
static bool prw_overflows(const struct made_profile *out)
{
    const struct prvcut_profile_row *t = &out->total;

    return (t->sent != PRVCUT_PROFILE_UNTOLD && t->sent_bytes == PRVCUT_PROFILE_UNTOLD) ||
           (t->received != PRVCUT_PROFILE_UNTOLD && t->received_bytes == PRVCUT_PROFILE_UNTOLD);
}

static void prw_reasons(struct prw_maker *m)
{
    const struct prvcut_profile_found *f = m->in->found;
    struct made_profile *out = m->out;
    const bool calls = f->any & PRVCUT_PROFILE_ANY_CALL,
               states = f->any & PRVCUT_PROFILE_ANY_RUNNING;
    const bool sent = f->any & PRVCUT_PROFILE_ANY_SENT;

    out->is.computing = states && !f->told ? "running" : calls || states ? "outside" : NULL;
    prw_reason(
        out, f->lost > 0 && m->in->trace->late > 0 && !m->in->trace->reader->halves, "calls_ns",
        "lines are out of order in time, so calls may be wrong; 'prvcut convert' writes them "
        "in order");
    prw_reason(out, !calls, "calls_ns", "the trace holds no MPI calls");
    prw_reason(out, calls && !(f->any & PRVCUT_PROFILE_ANY_INSIDE), "calls_ns",
               "the trace holds no MPI calls but MPI_Init and MPI_Finalize: of those between "
               "nothing is known");
    prw_reason(out, !calls && !states, "computing_ns",
               "the trace holds neither MPI calls nor a state in which threads run");
    prw_reason(
        out, calls && !states, "computing_ns",
        "no states are recorded: all time up to a thread's last record that is not in calls");
    prw_reason(out, states && f->told, "computing_ns",
               "no states are recorded: all time up to a thread's last record that is not in MPI "
               "or in waits of OpenMP");
    prw_reason(out, m->lines.overlap, "rest_ns", "threads compute while they are in calls");
    prw_reason(out,
               m->in->by & PRVCUT_PROFILE_BY_FUNCTION && !(m->in->by & PRVCUT_PROFILE_BY_CALL) &&
                   f->callers && f->function.count > 0,
               "function_ns",
               "the trace tells who calls MPI, not functions: the time is that in MPI calls");
    prw_reason(out, m->in->by & PRVCUT_PROFILE_BY_FUNCTION && f->function.count == 0, "function_ns",
               "the trace tells neither functions nor the callers of MPI calls");
    prw_reason(out, m->in->by & PRVCUT_PROFILE_BY_LINE && f->function.count > 0, "line_ns",
               "the trace tells who calls MPI: the time is that in MPI calls");
    prw_reason(out, m->in->by & PRVCUT_PROFILE_BY_LINE && f->function.count == 0, "line_ns",
               "the trace does not tell from which source lines MPI is called");
    prw_reason(out, m->in->straight, "borders",
               "the calls of some threads do not tell where their iterations begin: they have the "
               "borders of the thread that leads");
    prw_reason(out, sent && prw_overflows(out), "sent_bytes",
               "sizes of messages add up to more than 18446744073709551614 bytes");
    prw_reason(out, !sent, "sent", "the trace holds no messages");
    prw_reason(out, sent && !(f->any & PRVCUT_PROFILE_ANY_RECEIVED), "received",
               "the trace holds no receives");
    prw_reason(out, f->meets && !m->waits && sent && !(m->in->by & PRVCUT_PROFILE_BY_COMMUNICATOR),
               "waiting_ns",
               calls ? "without receives it is not known how long calls wait for messages"
                     : "without calls it is not known how long threads wait");
    prw_reason(out, m->in->by & PRVCUT_PROFILE_BY_STATE && f->told && out->is.rows > 0, "states",
               "no states are recorded: these are what the regions of each thread tell");
    prw_reason(out, out->is.rows == 0 && m->in->first < f->cells.slots, "rows", prw_nothing(m));
    prw_reason(out, out->is.counters == 0, "counters", "no hardware counters");
}

static enum prvcut_status prw_all_met_rows(struct prw_maker *m, struct prvcut_error *err)
{
    struct prvcut_profile_met *g = NULL;
    size_t groups = 0;
    enum prvcut_status st = prvcut_profile_met_make(&g, &groups, m->in, err);

    if (st == PRVCUT_OK)
        st = prw_room(m, groups, err);
    if (st == PRVCUT_OK)
        st = prw_met_rows(m, g, groups, err);
    free(g);
    return st;
}

static enum prvcut_status prw_rows(struct prw_maker *m, struct prvcut_error *err)
{
    const bool what = m->in->by & BY_WHAT;
    struct prvcut_profile_group *g = NULL;
    size_t groups = 0;
    enum prvcut_status st;

    if (m->in->by & (PRVCUT_PROFILE_BY_COMMUNICATOR | PRVCUT_PROFILE_BY_PEER))
        return prw_all_met_rows(m, err);
    st = what ? prvcut_profile_groups_make(&g, &groups, m->in, err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = prw_room(m, what ? groups : prw_count(m) * m->in->found->cells.slots, err);
    if (st == PRVCUT_OK)
        st = what ? prw_group_rows(m, g, groups, err) : prw_all_line_rows(m, err);
    free(g);
    return st;
}

static enum prvcut_status prw_too_many(const struct prvcut_profile_rows *in,
                                       struct prvcut_error *err)
{
    const uint32_t threads = in->found->threads;
    const size_t most = PRVCUT_PROFILE_APART / threads;

    if (most < 2)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%" PRIu32 " threads: too many to tell them apart",
                           threads);
    prvcut_instead(err, "--iteration 1-%zu", most - 1);
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "%" PRIu32 " threads in %zu iterations: too many to tell them apart",
                       threads, in->found->cells.slots - 1);
}

enum prvcut_status prvcut_profile_rows_make(struct made_profile *out,
                                            const struct prvcut_profile_rows *in,
                                            struct prvcut_error *err)
{
    struct prw_maker m = { .in = in, .out = out, .waits = prw_waits(in->found) };
    enum prvcut_status st;

    if (in->by & BY_WHO && !in->found->apart)
        return prw_too_many(in, err);
    st = prvcut_profile_lines_init(&m.lines, in->found, err);
    if (st == PRVCUT_OK)
        st = prw_counters(&m, err);
    if (st == PRVCUT_OK)
        st = prw_states(&m, err);
    if (st == PRVCUT_OK)
        st = prw_rows(&m, err);
    if (st == PRVCUT_OK) {
        const struct prvcut_profile_who all = { 0, 0, in->found->threads };

        prvcut_profile_line_row(&m.lines, all, &out->total,
                                out->count + out->is.rows * out->is.counters);
        if (!m.waits)
            out->total.waiting_ns = PRVCUT_PROFILE_UNTOLD;
        if (prvcut_profile_line_rest(&m.lines, all, out->total.rest_ns,
                                     out->rest + out->is.rows * out->is.rests))
            out->total.rest = out->rest + out->is.rows * out->is.rests;
        prw_reasons(&m);
        out->is.by = in->by;
        out->is.end_ns = in->found->end_ns;
        out->is.tasks = in->trace->objects.tasks;
        out->is.threads = in->trace->objects.threads;
        out->is.lost = in->found->lost;
        out->is.skipped = in->found->skipped;
        out->is.waiting = in->found->meets;
        out->clock = prvcut_causality_as_read(&in->found->order, in->trace);
    }
    prvcut_profile_lines_fini(&m.lines);
    return st;
}

void prvcut_profile_rows_fini(struct made_profile *p)
{
    free(p->row);
    free(p->count);
    free(p->rest);
    prvcut_texts_free(p->state, p->is.rests);
    prvcut_texts_free(p->counter, p->is.counters);
    prvcut_texts_free(p->text, p->texts);
    free(p->called);
    free(p->typed);
    free(p->no_loop);
    free(p->leader);
    memset(p, 0, sizeof *p);
}
