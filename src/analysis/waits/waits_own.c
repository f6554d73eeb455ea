#include "analysis/waits/waits_own.h"

#include "analysis/waits/waits_find.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Events that publish events, at most. */
#define DEPTH 100

/* Letters of a metric's name, at most. */
#define NAME 40

/* What one listener is told by, and books through. */
struct prvcut_waits_teller {
    struct wts_finder *f;
    const struct prvcut_waits_told *told; /* to the present listener */
    unsigned depth;
};

/* --- What a program has of its own ------------------------------------------------------------ */

enum prvcut_wait prvcut_waits_number(size_t index)
{
    return (enum prvcut_wait)(index < PRVCUT_WAITS ? index
                                                   : PRVCUT_WAIT_OWN + (index - PRVCUT_WAITS));
}

size_t prvcut_waits_index(const struct prvcut_waits_patterns *p, int number)
{
    if (number >= 0 && number < PRVCUT_WAITS)
        return (size_t)number;
    if (!p || number < PRVCUT_WAIT_OWN || (size_t)(number - PRVCUT_WAIT_OWN) >= p->metrics)
        return SIZE_MAX;
    return PRVCUT_WAITS + (size_t)(number - PRVCUT_WAIT_OWN);
}

enum prvcut_status prvcut_waits_patterns_new(struct prvcut_waits_patterns **out,
                                             struct prvcut_error *err)
{
    *out = prvcut_zeroed(1, sizeof **out, "patterns", err);
    return *out ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_waits_patterns_free(struct prvcut_waits_patterns *p)
{
    for (size_t i = 0; p && i < p->metrics; i++) {
        free(p->metric[i].name);
        free(p->metric[i].title);
    }
    if (p) {
        free(p->metric);
        free(p->listener);
    }
    free(p);
}

static bool wow_is_name(const char *name)
{
    return name && *name && strlen(name) <= NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(name);
}

static bool wow_is_taken(const struct prvcut_waits_patterns *p, const char *name)
{
    for (int i = 0; i < PRVCUT_WAITS; i++)
        if (strcmp(prvcut_wait_text((enum prvcut_wait)i), name) == 0)
            return true;
    for (size_t i = 0; i < p->metrics; i++)
        if (strcmp(p->metric[i].name, name) == 0)
            return true;
    return false;
}

enum prvcut_status prvcut_waits_patterns_metric(struct prvcut_waits_patterns *p, const char *name,
                                                const char *title, int of, enum prvcut_wait *out,
                                                struct prvcut_error *err)
{
    const size_t parent = of < 0 ? SIZE_MAX : prvcut_waits_index(p, of);
    struct wow_metric m;

    if (!wow_is_name(name))
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "the name of a metric is of at most 40 small letters, digits and _: '%s'",
            name ? name : "");
    if (wow_is_taken(p, name))
        return prvcut_fail(err, PRVCUT_EUSAGE, "there is a metric %s", name);
    if (of >= 0 && parent == SIZE_MAX)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s is a part of metric %d, which is not known",
                           name, of);
    if (prvcut_grow((void **)&p->metric, &p->metric_room, p->metrics + 1, sizeof *p->metric, err) <
        0)
        return PRVCUT_ENOMEM;
    m = (struct wow_metric){ .name = prvcut_copied_text(name, "metrics", err),
                             .title = prvcut_copied_text(title ? title : name, "metrics", err),
                             .of = of < 0 ? -1 : (int)parent };
    if (!m.name || !m.title) {
        free(m.name);
        free(m.title);
        return PRVCUT_ENOMEM;
    }
    if (out)
        *out = prvcut_waits_number(PRVCUT_WAITS + p->metrics);
    p->metric[p->metrics++] = m;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_waits_listen(struct prvcut_waits_patterns *p, int event,
                                       prvcut_waits_listener listener, void *ctx,
                                       struct prvcut_error *err)
{
    if (event < 0 || (event > PRVCUT_WAITS_ON_LATE_RECEIVER && event < PRVCUT_WAITS_ON_OWN))
        return prvcut_fail(err, PRVCUT_EUSAGE, "patterns cannot listen to event %d", event);
    if (prvcut_grow((void **)&p->listener, &p->listener_room, p->listeners + 1, sizeof *p->listener,
                    err) < 0)
        return PRVCUT_ENOMEM;
    p->listener[p->listeners++] = (struct wow_listener){ event, listener, ctx };
    return PRVCUT_OK;
}

/* --- Telling ---------------------------------------------------------------------------------- */

static enum prvcut_status wow_hand(struct prvcut_waits_teller *teller, int event,
                                   const struct prvcut_waits_told *told, struct prvcut_error *err)
{
    const struct prvcut_waits_patterns *p = teller->f->asked->patterns;
    const struct prvcut_waits_told *before = teller->told;
    enum prvcut_status st = PRVCUT_OK;

    teller->told = told;
    for (size_t i = 0; i < p->listeners && st >= 0; i++)
        if (p->listener[i].event == event)
            st = p->listener[i].listen(p->listener[i].ctx, teller, told, err);
    teller->told = before;
    return st < 0 ? st : PRVCUT_OK;
}

static struct prvcut_waits_call wow_call(const struct wts_finder *f, const struct wts_call *c)
{
    if (!c->is)
        return (struct prvcut_waits_call){ .known = false };
    return (struct prvcut_waits_call){ .span = { c->begin, c->end },
                                       .rank = f->out->objects->thread_task[c->thread],
                                       .thread = c->thread,
                                       .name = wts_call_name(f, c),
                                       .known = true };
}

static enum prvcut_status wow_members(struct wts_finder *f, const struct wts_group *g,
                                      struct prvcut_waits_told *out, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&f->own_member, &f->own_room[0], g->count + 1, sizeof *f->own_member,
                    err) < 0 ||
        prvcut_grow((void **)&f->own_at, &f->own_room[1], g->count + 1, sizeof *f->own_at, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < g->count; i++) {
        const struct wts_member *m = &g->at[i];

        f->own_member[i] = (struct prvcut_waits_member){ .call = wow_call(f, &m->call),
                                                         .done = wow_call(f, &m->done),
                                                         .sent = m->sent,
                                                         .received = m->received,
                                                         .root = m->root };
        f->own_at[i] = &f->own_member[i];
    }
    out->member = f->own_at;
    out->members = g->count;
    return PRVCUT_OK;
}

/* The call that an event is about: that ended, or that waited. */
static const struct wts_call *wow_about(enum prvcut_waits_event event, const struct wts_told *told)
{
    if (event == PRVCUT_WAITS_ON_LATE_SENDER)
        return &told->message->receive;
    return event == PRVCUT_WAITS_ON_LATE_RECEIVER ? &told->message->done : told->call;
}

enum prvcut_status wts_tell_own(struct wts_finder *f, enum prvcut_waits_event event,
                                const struct wts_told *told, struct prvcut_error *err)
{
    struct prvcut_waits_teller teller = { .f = f };
    const struct wts_call *about = wow_about(event, told);
    struct prvcut_waits_message message;
    struct prvcut_waits_call call;
    struct prvcut_waits_told own = { .ns = told->ns };
    enum prvcut_status st = PRVCUT_OK;

    if (told->message) {
        message = (struct prvcut_waits_message){ .send = wow_call(f, &told->message->send),
                                                 .done = wow_call(f, &told->message->done),
                                                 .post = wow_call(f, &told->message->post),
                                                 .receive = wow_call(f, &told->message->receive),
                                                 .sent_ns = told->message->at,
                                                 .received_ns = told->message->got,
                                                 .from = told->message->from,
                                                 .to = told->message->to };
        own.message = &message;
    }
    if (about) {
        call = wow_call(f, about);
        own.call = &call;
    }
    if (told->group)
        st = wow_members(f, told->group, &own, err);
    return st == PRVCUT_OK ? wow_hand(&teller, (int)event, &own, err) : st;
}

enum prvcut_status prvcut_waits_publish(struct prvcut_waits_teller *teller, int event,
                                        const void *own, struct prvcut_error *err)
{
    struct prvcut_waits_told told = *teller->told;
    enum prvcut_status st;

    if (event < PRVCUT_WAITS_ON_OWN)
        return prvcut_fail(err, PRVCUT_EUSAGE, "event %d is not a program's own", event);
    if (teller->depth >= DEPTH)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "event %d is published by those who listen to it, %d times over", event,
                           DEPTH);
    told.own = own;
    teller->depth++;
    st = wow_hand(teller, event, &told, err);
    teller->depth--;
    return st;
}

enum prvcut_status prvcut_waits_book(struct prvcut_waits_teller *teller, enum prvcut_wait metric,
                                     const struct prvcut_waits_call *call, uint64_t ns,
                                     const struct prvcut_waits_call *cause,
                                     struct prvcut_error *err)
{
    struct wts_finder *f = teller->f;
    const size_t index = prvcut_waits_index(f->asked->patterns, (int)metric);
    const bool known = call && call->known && call->thread < f->out->threads;
    struct wts_call own, its;

    if (index == SIZE_MAX || index < PRVCUT_WAITS)
        return prvcut_fail(err, PRVCUT_EUSAGE, "metric %d is not a program's own", (int)metric);
    if (!known || ns > call->span.end - call->span.start)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: %" PRIu64 " ns are more than the call lasts",
                           f->asked->patterns->metric[index - PRVCUT_WAITS].name, ns);
    own = (struct wts_call){ .begin = call->span.start,
                             .end = call->span.end,
                             .thread = call->thread };
    if (!cause || !cause->known || cause->thread >= f->out->threads)
        return wts_book(f, (uint32_t)index, &own, ns, NULL, err);
    its = (struct wts_call){ .begin = cause->span.start,
                             .end = cause->span.end,
                             .thread = cause->thread };
    return wts_book(f, (uint32_t)index, &own, ns, &its, err);
}
