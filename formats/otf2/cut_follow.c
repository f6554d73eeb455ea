#include "otf2/cut_follow.h"
#include "otf2/mark.h"

#include "base/buffer.h"

/* --- Where the reading is ----------------------------------------------------------------- */

void o2_need(struct o2_place *p, bool memory)
{
    if (memory)
        return;
    p->status = PRVCUT_ENOMEM;
    p->answer = OTF2_CALLBACK_INTERRUPT;
}

/* The survey reaches the window: a collective may be under way. */
static void fol_reach_window(struct o2_place *p)
{
    p->phase = O2_INSIDE;
    p->alive = true;
    for (size_t i = p->state.open.count; i-- > 0 && !p->begun && !p->rma_begun;) {
        const uint32_t kind = p->state.open.at[i].type;

        p->depth += kind == O2_OPEN_REGION;
        p->begun = kind == O2_OPEN_COLLECTIVE;
        p->rma_begun = kind == O2_OPEN_RMA_COLLECTIVE;
    }
    p->carried = p->begun;
}

/* So many events behind the window are read for receives that are overdue. */
#define LOOK_MOST ((uint64_t)1 << 16)

static bool fol_is_receive(const struct o2_posted *r)
{
    return r->what == O2_RECEIVE_BEFORE || r->what == O2_RECEIVE_INSIDE;
}

/* What was posted before something that is complete inside shifts it, if it is of its channel. */
static size_t fol_count_overdue(const struct o2_place *p)
{
    const struct o2_posted *r = p->pending.at;
    size_t count = 0;

    for (size_t i = 0; i < p->pending.count; i++)
        count += fol_is_receive(&r[i]) && r[i].post < p->latest_post;
    return count;
}

/* Past the window the survey goes on only to find the end of a collective, at its very end what is
   received there, and receives that are overdue. */
static bool fol_pass_window(struct o2_place *p, uint64_t time, uint64_t position)
{
    const bool collective = p->begun || p->rma_begun;

    if (p->phase == O2_INSIDE) {
        p->phase = O2_AFTER;
        p->beyond = position;
    }
    if (p->looked == 0 && time > p->to) {
        p->looked = 1;
        p->overdue = fol_count_overdue(p);
    }
    if (!collective && time > p->to && (p->overdue == 0 || p->looked++ == LOOK_MOST))
        p->answer = OTF2_CALLBACK_INTERRUPT;
    return collective;
}

static bool fol_write_at(struct o2_place *p, uint64_t time)
{
    if (!p->opened)
        o2_place_open(p);
    if (p->due)
        o2_due_put(p, time);
    o2_place_at(p, time);
    return p->answer == OTF2_CALLBACK_SUCCESS;
}

/* false: the event is not to be looked at. */
bool o2_step(struct o2_place *p, uint64_t time, uint64_t position)
{
    if (p->phase == O2_WRITING) {
        if (time < p->from)
            return false;
        if (time > p->to)
            p->answer = OTF2_CALLBACK_INTERRUPT;
        return time < p->to && fol_write_at(p, time);
    }
    if (p->phase == O2_BEFORE && time < p->from) {
        p->position = position;
        return true;
    }
    if (p->phase == O2_BEFORE)
        fol_reach_window(p);
    return time < p->to || fol_pass_window(p, time, position);
}

bool o2_step_enter(struct o2_place *p, uint64_t time, uint64_t position)
{
    p->over |= time == p->to;
    return o2_step(p, time, position);
}

bool o2_step_receive(struct o2_place *p, uint64_t time, uint64_t position)
{
    const bool inside = o2_step(p, time, position);

    p->behind = p->phase == O2_AFTER && (time > p->to || p->from >= p->to);
    if (p->behind)
        return p->overdue > 0 && p->answer == OTF2_CALLBACK_SUCCESS;
    if (time != p->to || p->from >= p->to)
        return inside;
    if (p->over)
        return false;
    return p->phase == O2_WRITING ? fol_write_at(p, time) : p->answer == OTF2_CALLBACK_SUCCESS;
}

/* What is open changes before the window, and again while it is written. */
bool o2_changes(const struct o2_place *p)
{
    return p->phase == O2_BEFORE || p->phase == O2_WRITING;
}

/* --- Collectives -------------------------------------------------------------------------- */

/* A region is left: a collective that began in it and did not end never will (EZTrace). */
void o2_leave_collective(struct o2_place *p)
{
    if (!p->begun && !p->rma_begun)
        return;
    if (--p->depth >= 0)
        return;
    if (p->begun)
        o2_need(p, o2_stretch_append(p, OTF2_UNDEFINED_COMM));
    p->begun = p->rma_begun = false;
}

/* Also tells whether the record is to be written. */
bool o2_begin_collective(struct o2_place *p, bool rma)
{
    uint32_t comm;

    if (o2_changes(p))
        o2_need(p,
                o2_state_push(&p->state, rma ? O2_OPEN_RMA_COLLECTIVE : O2_OPEN_COLLECTIVE, 0, 0));
    if (p->phase == O2_AFTER)
        return false;
    if (p->phase == O2_INSIDE) {
        if (p->begun)
            o2_need(p, o2_stretch_append(p, OTF2_UNDEFINED_COMM));
        p->begun = !rma;
        p->rma_begun = rma;
        p->depth = 0;
    }
    if (p->phase != O2_WRITING || rma)
        return p->phase == O2_WRITING;
    comm = o2_stretch_next(p);
    p->dropping = comm != OTF2_UNDEFINED_COMM && !o2_calls_take(p, comm, false);
    return !p->dropping;
}

static void fol_count_collective(struct o2_place *p, uint32_t comm, bool nonblocking)
{
    struct o2_calls *calls = o2_calls_of(p, comm, nonblocking);

    o2_need(p, calls != NULL);
    if (!calls)
        return;
    calls->before += p->phase == O2_BEFORE;
    calls->inside += p->phase != O2_BEFORE;
}

bool o2_end_collective(struct o2_place *p, const struct o2_late_end *end)
{
    bool write = !p->dropping || end->rma;
    size_t at;

    if (p->phase == O2_BEFORE && !end->rma &&
        prvcut_stack_find(&p->state.open, O2_OPEN_COLLECTIVE, &at))
        fol_count_collective(p, end->ref, false);
    if (o2_changes(p))
        o2_state_pop(&p->state, end->rma ? O2_OPEN_RMA_COLLECTIVE : O2_OPEN_COLLECTIVE, 0);
    if (p->phase == O2_WRITING) {
        p->dropping = end->rma && p->dropping;
        return write;
    }
    if (p->phase == O2_BEFORE || !(end->rma ? p->rma_begun : p->begun))
        return false;
    if (!end->rma) {
        fol_count_collective(p, end->ref, false);
        o2_need(p, o2_stretch_append(p, end->ref));
    }
    p->begun = p->rma_begun = false;
    if (p->phase == O2_AFTER)
        p->late = *end;
    return false;
}

/* --- Messages and requests ---------------------------------------------------------------- */

bool o2_message_key(const struct o2_place *p, uint32_t rank, uint32_t comm, struct o2_channel *key)
{
    const struct o2_definitions *d = &p->cutter->trace->defs;
    const struct o2_comm *c = o2_comm_of(d, comm);

    key->peer = c ? o2_rank_thread(d, c, rank, p->thread) : PRVCUT_NOBODY;
    key->comm = o2_channel(d, c);
    return key->peer < p->cutter->locations;
}

/* A request that is complete, taken out; false: it was not posted. */
static bool fol_take_request(struct o2_place *p, uint64_t request, struct o2_posted *out)
{
    const struct o2_posted *r = prvcut_table_find(&p->pending, &request);

    if (!r)
        return false;
    *out = *r;
    prvcut_table_drop(&p->pending, &request);
    p->overdue -= p->overdue > 0 && fol_is_receive(out) && out->post < p->latest_post;
    return true;
}

/* The receive's place in its channel; it is not counted yet. */
static void fol_note_order(struct o2_place *p, struct o2_channel *c, const struct o2_posted *r)
{
    const bool inside = p->phase != O2_BEFORE && !p->behind;

    if (inside && r->post >= p->latest_post)
        p->latest_post = r->post + 1;
    if ((o2_posts_end(p->posts, r->post) || c->order) && !o2_order_note(c, r->post, inside))
        o2_need(p, false);
}

/* A receive that waits for its message is posted and complete at once. */
static void fol_note_blocking(struct o2_place *p, struct o2_channel *c)
{
    struct o2_posted r = { .what = O2_RECEIVE_INSIDE };

    if (!p->posts || p->behind)
        return;
    o2_need(p, o2_posts_add(&p->posts, &r.post));
    fol_note_order(p, c, &r);
}

/* A request is complete: one of before the window has to be posted again. */
void o2_complete_request(struct o2_place *p, uint64_t request, struct o2_channel *channel)
{
    struct o2_posted r;

    if (!fol_take_request(p, request, &r))
        return;
    if (fol_is_receive(&r) && channel)
        fol_note_order(p, channel, &r);
    else if (fol_is_receive(&r))
        o2_posts_end(p->posts, r.post);
    if (p->phase == O2_BEFORE || p->phase == O2_WRITING || p->behind ||
        r.what == O2_RECEIVE_INSIDE || r.what == O2_COLLECTIVE_INSIDE)
        return;
    if (prvcut_grow((void **)&p->repost, &p->repost_room, p->reposts + 1, sizeof *p->repost, NULL) <
        0) {
        o2_need(p, false);
        return;
    }
    p->repost[p->reposts++] = (struct o2_repost){
        .request = request,
        .collective = r.what == O2_COLLECTIVE_BEFORE,
        .kept = !channel,
        .key = channel ? *channel : (struct o2_channel){ 0 },
        .index = channel ? channel->before + channel->inside : 0,
    };
}

/* Also tells whether the record is to be written. */
bool o2_message(struct o2_place *p, struct o2_channel key, uint32_t rank, const uint64_t *request)
{
    struct o2_channel *c;
    const bool known = o2_message_key(p, rank, key.comm, &key);

    if (p->phase == O2_AFTER && !key.receive)
        return false;
    if (p->phase == O2_WRITING) {
        c = known ? o2_channel_find(p, &key) : NULL;
        if (c)
            return o2_channel_take(p, c);
        p->messages += !key.receive;
        return true;
    }
    c = known ? o2_channel_count(p, &key) : NULL;
    o2_need(p, !known || c);
    if (request && key.receive)
        o2_complete_request(p, *request, c);
    else if (key.receive && c)
        fol_note_blocking(p, c);
    if (c && !p->behind) {
        c->before += p->phase == O2_BEFORE;
        c->inside += p->phase != O2_BEFORE;
    }
    return false;
}

bool o2_post_request(struct o2_place *p, uint64_t request, enum o2_request what)
{
    const bool inside = p->phase == O2_INSIDE, receive = what == O2_RECEIVE_BEFORE;
    struct o2_posted key = { .request = request }, *r;

    if (p->phase != O2_BEFORE && !inside)
        return p->phase == O2_WRITING;
    r = prvcut_table_make(&p->pending, &key, NULL);
    o2_need(p, r && (!receive || o2_posts_add(&p->posts, &r->post)));
    if (r && !inside)
        r->what = (uint8_t)what;
    else if (r)
        r->what = receive ? O2_RECEIVE_INSIDE : O2_COLLECTIVE_INSIDE;
    return false;
}

/* Sends' requests are followed only where their completion is recorded: others would pile up. */
bool o2_isend(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t request)
{
    const bool write = o2_message(p, key, rank, NULL);

    if (p->phase == O2_WRITING && p->completes)
        o2_need(p, o2_map_put(&p->sends, request, write ? 1 : 2));
    return write;
}

/* The completion goes with its send; one whose send was before the window has none in the cut. */
bool o2_isend_complete(struct o2_place *p, uint64_t request)
{
    uint8_t what;

    p->completes = true;
    if (p->phase != O2_WRITING)
        return false;
    what = o2_map_get(&p->sends, request);
    if (what == 0)
        return p->position == 0;
    o2_map_drop(&p->sends, request);
    return what == 1;
}

bool o2_nonblocking_complete(struct o2_place *p, uint32_t comm, uint64_t request)
{
    if (p->phase == O2_WRITING)
        return o2_calls_take(p, comm, true);
    if (p->phase == O2_AFTER)
        return false;
    fol_count_collective(p, comm, true);
    o2_complete_request(p, request, NULL);
    return false;
}

/* --- Metrics ------------------------------------------------------------------------------ */

static bool fol_is_total(const struct o2_place *p, OTF2_MetricRef metric, uint8_t member)
{
    const struct o2_definitions *d = &p->cutter->trace->defs;
    const struct o2_metric *m = o2_metric_of(d, metric);

    return m && member < m->count &&
           (d->member_of[m->first + member].mode & OTF2_METRIC_VALUE_MASK) ==
               OTF2_METRIC_VALUE_ACCUMULATED;
}

/* The survey: what was read before the window is read at its very beginning. */
static void fol_note_anew(struct o2_place *p, OTF2_MetricRef metric, uint8_t count)
{
    for (size_t i = 0; i < p->state.readings; i++) {
        struct o2_reading *r = &p->state.reading[i];

        r->anew |= r->metric == metric && r->count == count && r->before;
    }
}

/* The survey: totals are told at the left border as they were first read inside. One that was not
   read before may begin with its base, at the same time. */
static void fol_first_reading(struct o2_place *p, uint64_t time, OTF2_MetricRef metric,
                              uint8_t count, const OTF2_Type *type, const OTF2_MetricValue *value)
{
    struct o2_reading *r;
    uint8_t total = 0;

    while (total < count && !fol_is_total(p, metric, total))
        total++;
    if (total == count)
        return;
    r = o2_state_reading(&p->state, metric, count);
    o2_need(p, r != NULL);
    if (!r || (r->inside && (r->before || time != r->tick)))
        return;
    for (uint8_t i = 0; i < count; i++)
        if (!r->before || fol_is_total(p, metric, i)) {
            r->type[i] = type[i];
            r->value[i] = value[i];
        }
    r->inside = true;
    r->tick = time;
}

/* It was told at the border, as what came of it. */
static bool fol_is_base(struct o2_place *p, uint64_t time, OTF2_MetricRef metric, uint8_t count,
                        const OTF2_MetricValue *value)
{
    const struct o2_reading *r = o2_state_reading(&p->state, metric, count);
    bool same = true;

    if (!r || r->before || !r->inside || time != r->tick)
        return false;
    for (uint8_t i = 0; i < count; i++)
        same = same &&
               (!fol_is_total(p, metric, i) || r->value[i].unsigned_int == value[i].unsigned_int);
    return !same;
}

bool o2_read_metric(struct o2_place *p, uint64_t time, OTF2_MetricRef metric, uint8_t count,
                    const OTF2_Type *type, const OTF2_MetricValue *value)
{
    const bool before = p->phase == O2_BEFORE;

    if (p->phase == O2_INSIDE && p->from > 0)
        fol_first_reading(p, time, metric, count, type, value);
    if (p->phase == O2_INSIDE && time == p->from)
        fol_note_anew(p, metric, count);
    if (!o2_changes(p) || (!before && fol_is_base(p, time, metric, count, value)))
        return false;
    o2_need(p, o2_state_read(&p->state, metric, count, type, value));
    if (before && p->status == PRVCUT_OK)
        o2_state_reading(&p->state, metric, count)->before = true;
    return true;
}

/* --- Other things that stay open ---------------------------------------------------------- */

static struct o2_held *fol_handle_of(struct o2_state *s, uint32_t handle)
{
    for (size_t i = 0; i < s->helds; i++)
        if (s->held[i].kind == O2_HELD_HANDLE && s->held[i].ref == handle)
            return &s->held[i];
    return NULL;
}

bool o2_duplicate_handle(struct o2_state *s, uint32_t old, uint32_t new, uint32_t status)
{
    const struct o2_held *h = fol_handle_of(s, old);
    const uint32_t mode = h ? h->more[0] : OTF2_IO_ACCESS_MODE_READ_WRITE;

    return o2_state_hold(
        s, (struct o2_held){ .kind = O2_HELD_HANDLE, .ref = new, .more = { mode, 0, status } });
}

void o2_change_status(struct o2_state *s, uint32_t handle, uint32_t status)
{
    struct o2_held *h = fol_handle_of(s, handle);

    if (h)
        h->more[2] = status;
}

void o2_begin_thread(struct o2_state *s, uint32_t contingent, uint64_t sequence)
{
    s->thread = true;
    s->contingent = contingent;
    s->sequence = sequence;
}

void o2_flush(struct o2_state *s, uint64_t stop)
{
    s->flush_end = stop > s->flush_end ? stop : s->flush_end;
}

/* The end of a flush lies in the window, too. */
uint64_t o2_flush_stop(const struct o2_place *p, uint64_t stop)
{
    stop = stop < p->to ? stop + p->shift : p->to + p->shift;
    return stop < p->now ? p->now : stop;
}

void o2_enter_region(struct o2_place *p)
{
    p->depth += p->begun || p->rma_begun;
}
