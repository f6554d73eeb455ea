#include "scan/scan_inner.h"

#include "base/memory.h"

/* --- The caller's functions, one at a time ---------------------------------------------------- */

bool prvcut_scan_goes_on(struct prvcut_scan *s)
{
    bool stop = false;

    if (s->run && s->run->stop) {
        pthread_mutex_lock(&s->caller);
        stop = s->run->stop(s->run->ctx);
        pthread_mutex_unlock(&s->caller);
    }
    return !stop;
}

static enum prvcut_status scan_asks(struct prvcut_scan *s, struct prvcut_error *err)
{
    return prvcut_scan_goes_on(s) ? PRVCUT_OK
                                  : prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
}

/* With the caller's lock. */
static void scan_tell(const struct prvcut_scan *s)
{
    if (s->run && s->run->progress && s->trace->bytes > 0 && s->position > 0)
        s->run->progress(s->run->ctx, s->windowed ? PRVCUT_PHASE_FOCUSING : PRVCUT_PHASE_READING,
                         s->position, s->wanted > 0 ? s->wanted : s->trace->bytes);
}

enum prvcut_status prvcut_scan_pause(struct prvcut_scan *s, uint64_t bytes,
                                     struct prvcut_error *err)
{
    pthread_mutex_lock(&s->caller);
    s->position += bytes;
    scan_tell(s);
    pthread_mutex_unlock(&s->caller);
    return scan_asks(s, err);
}

/* --- Parts ------------------------------------------------------------------------------------ */

static struct prvcut_part *scan_get(struct prvcut_scan *s, struct prvcut_error *err)
{
    struct prvcut_part *p = prvcut_pool_get(&s->idle);

    if (!p)
        p = prvcut_zeroed(1, s->parts->room, s->parts->what, err);
    if (p)
        p->counts = (struct prvcut_counts){ .first_ns = UINT64_MAX };
    return p;
}

static void scan_put(struct prvcut_scan *s, struct prvcut_part *p)
{
    p->begun = p->empty = p->kept = false;
    p->state = NULL;
    if (s->parts->clear)
        s->parts->clear(p);
    prvcut_pool_put(&s->idle, p);
}

enum prvcut_status scan_take(void *ctx, unsigned worker, void **out, struct prvcut_error *err)
{
    struct prvcut_scan *s = ctx;
    enum prvcut_status st = scan_asks(s, err);
    struct prvcut_part *p;

    (void)worker;
    if (st < 0)
        return st;
    p = scan_get(s, err);
    if (!p)
        return PRVCUT_ENOMEM;
    st = s->parts->next(s, p, err);
    if (st == PRVCUT_OK)
        *out = p;
    else
        scan_put(s, p);
    return st;
}

enum prvcut_status scan_work(void *ctx, unsigned worker, void *item, struct prvcut_error *err)
{
    struct prvcut_scan *s = ctx;
    const struct prvcut_consumer *c = s->consumer;
    struct prvcut_part *p = item;
    enum prvcut_status st = s->parts->load ? s->parts->load(s, p, err) : PRVCUT_OK;

    p->empty = st == PRVCUT_END;
    if (st == PRVCUT_OK && c->begin) {
        st = c->begin(c->ctx, worker, p->number, &p->state, err);
        p->begun = st == PRVCUT_OK;
    }
    return st == PRVCUT_OK ? s->parts->decode(s, worker, p, err) : st;
}

/* Lines count from the beginning of the input. */
static void scan_add(struct prvcut_counts *to, const struct prvcut_counts *part)
{
    to->states += part->states;
    to->events += part->events;
    to->pairs += part->pairs;
    to->messages += part->messages;
    to->comments += part->comments;
    to->skipped += part->skipped;
    if (part->first_unsorted > 0 && to->first_unsorted == 0)
        to->first_unsorted = to->lines + part->first_unsorted;
    to->unsorted += part->unsorted;
    if (part->unsorted_ns > to->unsorted_ns)
        to->unsorted_ns = part->unsorted_ns;
    prvcut_bent_join(to->bent, part->bent, to->lines);
    to->lines += part->lines;
    to->bytes += part->bytes;
    to->beyond_end += part->beyond_end;
    to->no_last_newline |= part->no_last_newline;
    if (part->first_ns < to->first_ns)
        to->first_ns = part->first_ns;
    if (part->last_ns > to->last_ns)
        to->last_ns = part->last_ns;
}

enum prvcut_status scan_join(void *ctx, void *item, enum prvcut_status failed,
                             struct prvcut_error *err)
{
    struct prvcut_scan *s = ctx;
    const struct prvcut_consumer *c = s->consumer;
    struct prvcut_part *p = item;
    enum prvcut_status st = PRVCUT_OK;

    if (failed < 0)
        return s->parts->failed ? s->parts->failed(s, p, failed, err) : failed;
    if (p->empty)
        return PRVCUT_OK;
    scan_add(&s->counts, &p->counts);
    if (s->parts->joined)
        st = s->parts->joined(s, p, err);
    if (st < 0)
        return st;
    pthread_mutex_lock(&s->caller);
    scan_tell(s);
    pthread_mutex_unlock(&s->caller);
    return c->join ? c->join(c->ctx, p->state, err) : PRVCUT_OK;
}

void scan_drop(void *ctx, void *item)
{
    struct prvcut_scan *s = ctx;
    struct prvcut_part *p = item;

    if (p->begun && s->consumer->discard)
        s->consumer->discard(s->consumer->ctx, p->state);
    scan_put(s, p);
}
