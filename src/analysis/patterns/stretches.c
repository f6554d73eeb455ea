#include "analysis/patterns/stretches.h"

#include "analysis/patterns/voters.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Threads whose nests read the same there. */
struct sfo_class {
    uint64_t key;
    char *nest; /* owned */
    size_t threads;
    uint64_t count;
    double cover; /* of its outermost loop; 0: it has none */
    enum pat_source source;
};

struct sfo_stretch {
    enum pat_alphabet vote[PAT_VOTERS], alphabet;
    size_t votes;
    enum pat_source source;
    struct sfo_class *class; /* [classes] */
    size_t classes, room;
};

struct sfo {
    struct pat_stretch *s;  /* [count] */
    struct sfo_stretch *at; /* [count] */
    size_t count;
    struct pat_voters
        voters;    /* where some make MPI calls, those that make none are not looked at */
    bool tolerant; /* the votes are of tolerant nests */
    struct pat_seer seer;
};

/* The thread's calls that begin in a stretch. */
static struct pat_thread stretch_part(const struct pat_thread *t, const struct prvcut_span *span)
{
    const size_t begin = offsetof(struct pat_call, begin);
    const size_t from = prvcut_lower_u64(t->call, t->calls, sizeof *t->call, begin, span->start);
    const size_t to = prvcut_lower_u64(t->call, t->calls, sizeof *t->call, begin, span->end);
    struct pat_thread part = *t;

    part.call += from;
    part.calls = to > from ? to - from : 0;
    return part;
}

static enum prvcut_status stretch_note(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    return pat_voters_note(&((struct sfo *)ctx)->voters, t, err);
}

static enum prvcut_status stretch_choose(struct sfo *f, const struct pat_thread *part, size_t i,
                                         struct prvcut_error *err)
{
    struct sfo_stretch *at = &f->at[i];
    struct pat_tolerant p;
    enum prvcut_status st;

    if (!f->tolerant)
        return pat_choose(part, PAT_NONE, &at->vote[at->votes++], NULL, err);
    st = pat_tolerant_find(&p, part, PAT_NONE, err);
    at->vote[at->votes++] = p.count > 0 ? p.alphabet : PAT_NONE;
    pat_tolerant_fini(&p);
    return st;
}

static enum prvcut_status stretch_vote(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct sfo *f = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (!pat_voters_has(&f->voters, t->thread))
        return PRVCUT_OK;
    for (size_t i = 0; i < f->count && st == PRVCUT_OK; i++) {
        const struct pat_thread part = stretch_part(t, &f->s[i].span);

        if (f->s[i].loop && f->at[i].alphabet == PAT_NONE && part.calls > 0)
            st = stretch_choose(f, &part, i, err);
    }
    return st;
}

static void stretch_settle(struct sfo *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct sfo_stretch *at = &f->at[i];

        if (at->alphabet != PAT_NONE)
            continue;
        at->alphabet = pat_majority(at->vote, at->votes);
        at->source = f->tolerant && at->alphabet != PAT_NONE ? PAT_TOLERANT : PAT_EXACT;
        at->votes = 0;
    }
}

static enum prvcut_status stretch_class(struct sfo_stretch *at, const char *text,
                                        const struct pat_seen *seen, struct prvcut_error *err)
{
    uint64_t key = 0;
    size_t i = 0, end = strlen(text);
    struct sfo_class *c;

    for (size_t k = 0; text[k]; k++)
        key = pat_row_hash(key, (unsigned char)text[k]);
    while (i < at->classes && at->class[i].key != key)
        i++;
    if (i == at->classes) {
        if (prvcut_grow((void **)&at->class, &at->room, i + 1, sizeof *at->class, err) < 0)
            return PRVCUT_ENOMEM;
        /* After whole words. */
        if (end > PAT_NEST_MOST)
            for (end = PAT_NEST_MOST; end > 0 && text[end] != ' '; end--)
                ;
        at->class[at->classes++] = (struct sfo_class){
            .key = key,
            .nest = prvcut_copied(text, end + 1, "nests", err),
            .count = seen->fit.outermost ? seen->fit.loop.count : 0,
            .cover = seen->fit.outermost ? seen->fit.cover : 0,
            .source = seen->source,
        };
        if (!at->class[i].nest)
            return PRVCUT_ENOMEM;
        at->class[i].nest[end] = '\0';
    }
    c = &at->class[i];
    c->threads++;
    return PRVCUT_OK;
}

static enum prvcut_status stretch_see(struct sfo *f, const struct pat_thread *part, size_t i,
                                      struct prvcut_error *err)
{
    struct sfo_stretch *at = &f->at[i];
    const enum pat_alphabet a = at->alphabet == PAT_NONE ? PAT_CALL : at->alphabet;
    char *text = NULL;
    struct pat_seen seen;
    enum prvcut_status st = pat_see(&f->seer, part, a, at->source, NULL, &seen, err);

    if (st == PRVCUT_OK)
        st = pat_tree_text(&text, &seen.tree, seen.tree.bodies - 1, false, err);
    if (st == PRVCUT_OK)
        st = stretch_class(at, text, &seen, err);
    f->s[i].of += st == PRVCUT_OK;
    free(text);
    pat_seen_fini(&seen);
    return st;
}

static enum prvcut_status stretch_thread(void *ctx, struct pat_thread *t, struct prvcut_error *err)
{
    struct sfo *f = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->count && st == PRVCUT_OK && !(f->voters.mpi && t->regions); i++) {
        const struct pat_thread part = stretch_part(t, &f->s[i].span);

        if (part.calls > 0)
            st = stretch_see(f, &part, i, err);
    }
    return st;
}

/* Borders are those of the thread that leads, and in the midst of an iteration of others: the loop
   of which least is cut off; of equals, and without loops, that of most threads. */
static bool stretch_is_better(const struct sfo_class *a, const struct sfo_class *b)
{
    return a->cover != b->cover ? a->cover > b->cover : a->threads > b->threads;
}

static void stretch_take(struct pat_stretch *s, struct sfo_stretch *at)
{
    size_t best = 0;

    for (size_t i = 1; i < at->classes; i++)
        best = stretch_is_better(&at->class[i], &at -> class[best]) ? i : best;
    if (at->classes == 0)
        return;
    s->nest = at->class[best].nest;
    at->class[best].nest = NULL;
    s->threads = at->class[best].threads;
    s->count = at->class[best].count;
    s->source = at->class[best].source;
}

enum prvcut_status pat_stretches_fold(struct pat_stretch *s, size_t count, struct pat_store *store,
                                      struct prvcut_error *err)
{
    struct sfo f = { .s = s, .count = count };
    enum prvcut_status st;

    pat_seer_init(&f.seer, store->names);
    f.at = prvcut_zeroed(count, sizeof *f.at, "nests", err);
    st = f.at ? pat_store_each(store, stretch_note, &f, err) : PRVCUT_ENOMEM;
    for (size_t i = 0; f.at && i < count; i++)
        f.at[i].alphabet = PAT_NONE;
    for (int round = 0; round < 2 && st == PRVCUT_OK; round++) {
        f.tolerant = round > 0;
        st = pat_store_each(store, stretch_vote, &f, err);
        stretch_settle(&f);
    }
    if (st == PRVCUT_OK)
        st = pat_store_each(store, stretch_thread, &f, err);
    for (size_t i = 0; f.at && i < count; i++) {
        stretch_take(&s[i], &f.at[i]);
        for (size_t k = 0; k < f.at[i].classes; k++)
            free(f.at[i].class[k].nest);
        free(f.at[i].class);
    }
    pat_seer_fini(&f.seer);
    free(f.at);
    pat_voters_fini(&f.voters);
    return st;
}

void pat_stretches_fini(struct pat_stretch *s, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(s[i].nest);
}
