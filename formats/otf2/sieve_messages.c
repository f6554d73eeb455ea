#include "base/buffer.h"
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
    return prvcut_rules_keep_between(&p->sift->sieve->rules, p->thread,
                                     known ? key->peer : PRVCUT_NOBODY, size);
}

static struct prvcut_sends_key smg_key(const struct o2_place *p, const struct o2_channel *key)
{
    return (struct prvcut_sends_key){ .from = key->receive ? key->peer : p->thread,
                                      .to = key->receive ? p->thread : key->peer,
                                      .communicator = key->comm,
                                      .tag = key->tag };
}

/* --- The survey --------------------------------------------------------------------------- */

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
    if (!key.receive && known) {
        const struct prvcut_sends_key sends = smg_key(p, &key);

        o2_need(p, prvcut_sends_note(&f->sends, &sends, 1, smg_own(p, &key, known, size), NULL) ==
                       PRVCUT_OK);
    }
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

/* Does the send of a receive stay? As the receive itself would, where none is recorded. */
static bool smg_sender(const struct o2_place *p, const struct o2_channel *key, bool own)
{
    const struct o2_channel *c = o2_channel_find(p, key);
    const struct prvcut_sends_key sends = smg_key(p, key);

    if (!c || c->next == 0)
        return own;
    return prvcut_sends_stays(&p->cutter->place[key->peer].sift->sends, &sends,
                              o2_order_ordinal(c->order, c->next - 1), own);
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
