#include "base/buffer.h"
#include "base/search.h"
#include "otf2/cut_follow.h"
#include "otf2/sieve.h"

#include <string.h>

/*
 * Both ends of a message stay or go. Where sizes decide it is the send's that counts, because a
 * receive may tell how much it has room for (EZTrace): the survey keeps which sends stay, in runs.
 * What becomes of a receive's post, which stands before it, the survey keeps in a bit for each.
 */

static bool smg_own(const struct o2_place *p, const struct o2_channel *key, bool known,
                    uint64_t size)
{
    const uint32_t peer = known ? key->peer : p->thread;
    const struct prvcut_message m = { .size = size,
                                      .sender = key->receive ? peer : p->thread,
                                      .receiver = key->receive ? p->thread : peer };

    return prvcut_rules_keep_message(&p->sift->sieve->rules, &m);
}

/* --- The survey --------------------------------------------------------------------------- */

static bool smg_append(struct o2_sift *f, const struct o2_channel *key, bool stays)
{
    const struct o2_sift_channel wanted = { .peer = key->peer, .tag = key->tag, .comm = key->comm };
    struct o2_sift_channel *c = prvcut_table_make(&f->channels, &wanted, NULL);
    const uint64_t end = c && c->runs > 0 ? c->run[c->runs - 1].end : 0;

    if (!c)
        return false;
    if (c->runs > 0 && c->run[c->runs - 1].stays == stays) {
        c->run[c->runs - 1].end++;
        return true;
    }
    if (c->runs == UINT32_MAX ||
        prvcut_grow((void **)&c->run, &c->room, c->runs + (size_t)1, sizeof *c->run, NULL) < 0)
        return false;
    c->run[c->runs++] = (struct o2_sift_run){ end + 1, stays };
    return true;
}

static bool smg_gone(struct o2_sift *f, uint64_t number)
{
    const size_t byte = (size_t)(number / 8), before = f->gone_room;

    if (prvcut_grow((void **)&f->gone, &f->gone_room, byte + 1, 1, NULL) < 0)
        return false;
    memset(f->gone + before, 0, f->gone_room - before);
    f->gone[byte] |= (uint8_t)(1u << number % 8);
    return true;
}

void o2_sift_note(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size,
                  const uint64_t *request)
{
    struct o2_sift *f = p->sift;
    const struct o2_sift_post *post;
    bool known;

    if (!f || p->phase == O2_WRITING || !(f->sieve->by_size || f->sieve->by_thread))
        return;
    known = o2_message_key(p, rank, key.comm, &key);
    if (!key.receive && known)
        o2_need(p, smg_append(f, &key, smg_own(p, &key, known, size)));
    post = request ? prvcut_table_find(&f->posts, request) : NULL;
    if (!post)
        return;
    if (!smg_own(p, &key, known, size))
        o2_need(p, smg_gone(f, post->number));
    prvcut_table_drop(&f->posts, request);
}

void o2_sift_note_post(struct o2_place *p, uint64_t request)
{
    struct o2_sift *f = p->sift;
    struct o2_sift_post *post;

    if (!f || p->phase == O2_WRITING || !(f->sieve->by_size || f->sieve->by_thread))
        return;
    post = prvcut_table_make(&f->posts, &request, NULL);
    o2_need(p, post != NULL);
    if (post)
        post->number = f->post++;
}

/* --- The writing -------------------------------------------------------------------------- */

struct smg_wanted {
    const struct o2_sift_channel *channel;
    uint64_t ordinal;
};

static bool smg_is_behind(const void *ctx, size_t i)
{
    const struct smg_wanted *w = ctx;

    return w->channel->run[i].end > w->ordinal;
}

/* Does the send of a receive stay? As the receive itself would, where none is recorded. */
static bool smg_sender(const struct o2_place *p, const struct o2_channel *key, bool own)
{
    const struct o2_channel *c = o2_channel_find(p, key);
    const struct o2_sift *other = p->cutter->place[key->peer].sift;
    const struct o2_sift_channel wanted = { .peer = p->thread, .tag = key->tag, .comm = key->comm };
    struct smg_wanted w = { .channel =
                                other ? prvcut_table_find(&other->channels, &wanted) : NULL };
    size_t at;

    if (!c || !w.channel || c->next == 0)
        return own;
    w.ordinal = o2_order_ordinal(c->order, c->next - 1);
    at = prvcut_first(0, w.channel->runs, smg_is_behind, &w);
    return at < w.channel->runs ? w.channel->run[at].stays : own;
}

bool o2_stays_message(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size)
{
    struct o2_sift *f = p->sift;
    bool known, stays;

    if (!f)
        return true;
    known = o2_message_key(p, rank, key.comm, &key);
    stays = smg_own(p, &key, known, size);
    if (f->sieve->by_size && f->sieve->messages && key.receive && known)
        stays = smg_sender(p, &key, stays);
    if (!key.receive)
        *(stays ? &f->sum.messages : &f->sum.dropped_messages) += 1;
    return stays;
}

/* The completion goes with its send. */
bool o2_stays_isend(struct o2_place *p, struct o2_channel key, uint32_t rank, uint64_t size,
                    uint64_t request)
{
    const bool stays = o2_stays_message(p, key, rank, size);

    if (!stays && p->completes)
        o2_need(p, o2_map_put(&p->sends, request, 2));
    return stays;
}

bool o2_stays_post(struct o2_place *p)
{
    const struct o2_sift *f = p->sift;
    uint64_t number;

    if (!f)
        return true;
    number = p->sift->post++;
    if (!f->sieve->messages)
        return false;
    return number / 8 >= f->gone_room || (f->gone[number / 8] >> number % 8 & 1) == 0;
}
