#include "base/paged.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/sorter_runs.h"

#include <stdlib.h>

#define DEFAULT_MEMORY ((size_t)64 << 20)
#define LEAST_SLOTS    4u

/* Bytes of a page, about. */
#define PAGE ((size_t)16 << 10)

/* Of a page that is nowhere in memory. */
#define ABSENT UINT32_MAX

/* A page in memory. */
struct pgd_slot {
    char *at;
    size_t page;
    bool dirty; /* not as in the file */
    bool used;  /* since the hand came by */
};

struct prvcut_paged {
    size_t size, count;
    size_t shift;    /* a page has 1 << shift records */
    uint32_t *where; /* [pages] its slot, or ABSENT */
    size_t pages, where_room;
    struct pgd_slot *slot; /* [slots] */
    uint32_t slots, slots_most;
    size_t slot_room;
    uint32_t hand;   /* the next slot that may have to go */
    uint32_t recent; /* the slot that was wanted last; ABSENT: none */
    struct srt_file file;
    char *folder;
    const char *what;
    char *none; /* a zeroed record, after a failure */
    struct prvcut_error failed;
};

enum prvcut_status prvcut_paged_new(struct prvcut_paged **out, const struct prvcut_paged_options *o,
                                    struct prvcut_error *err)
{
    struct prvcut_paged *p = prvcut_zeroed(1, sizeof *p, o->what, err);
    const size_t memory = o->memory > 0 ? o->memory : DEFAULT_MEMORY;
    size_t most;

    *out = p;
    if (!p)
        return PRVCUT_ENOMEM;
    p->size = o->size;
    p->what = o->what;
    p->recent = ABSENT;
    p->file.fd = -1;
    while (p->size << (p->shift + 1) <= PAGE)
        p->shift++;
    most = memory / (p->size << p->shift);
    most = most < LEAST_SLOTS ? LEAST_SLOTS : most;
    p->slots_most = most < ABSENT ? (uint32_t)most : ABSENT - 1;
    p->none = prvcut_zeroed(1, p->size, o->what, err);
    p->folder = srt_folder(o->scratch);
    if (p->none && p->folder)
        return PRVCUT_OK;
    prvcut_paged_free(p);
    *out = NULL;
    return prvcut_no_memory(err, o->what);
}

void prvcut_paged_free(struct prvcut_paged *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->slots; i++)
        free(p->slot[i].at);
    srt_file_close(&p->file);
    free(p->slot);
    free(p->where);
    free(p->none);
    free(p->folder);
    free(p);
}

size_t prvcut_paged_count(const struct prvcut_paged *p)
{
    return p->count;
}

/* --- Pages ------------------------------------------------------------------------------------ */

static size_t pgd_bytes(const struct prvcut_paged *p)
{
    return p->size << p->shift;
}

/* One more slot; *out: which. */
static enum prvcut_status pgd_more(struct prvcut_paged *p, uint32_t *out, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&p->slot, &p->slot_room, (size_t)p->slots + 1, sizeof *p->slot, err);
    char *at = st == PRVCUT_OK ? prvcut_unset(1, pgd_bytes(p), p->what, err) : NULL;

    if (!at)
        return PRVCUT_ENOMEM;
    p->slot[p->slots] = (struct pgd_slot){ .at = at, .page = SIZE_MAX };
    *out = p->slots++;
    return PRVCUT_OK;
}

/* The hand goes on, round and round; returns where it was. */
static uint32_t pgd_go_on(struct prvcut_paged *p)
{
    const uint32_t at = p->hand;

    p->hand = at + 1 < p->slots ? at + 1 : 0;
    return at;
}

/* A page gives way that was not wanted for long. */
static enum prvcut_status pgd_evict(struct prvcut_paged *p, uint32_t *out, struct prvcut_error *err)
{
    struct pgd_slot *f;
    enum prvcut_status st = PRVCUT_OK;

    while (p->slot[p->hand].used)
        p->slot[pgd_go_on(p)].used = false;
    *out = pgd_go_on(p);
    f = &p->slot[*out];
    if (f->dirty && p->file.fd < 0)
        st = srt_file_open(&p->file, p->folder, err);
    if (st == PRVCUT_OK && f->dirty)
        st = srt_file_put(&p->file, f->page * pgd_bytes(p), f->at, pgd_bytes(p), err);
    if (st < 0)
        return st;
    if (f->page != SIZE_MAX)
        p->where[f->page] = ABSENT;
    f->page = SIZE_MAX;
    f->dirty = false;
    return PRVCUT_OK;
}

/* A slot that holds no page. */
static enum prvcut_status pgd_free_slot(struct prvcut_paged *p, uint32_t *out,
                                        struct prvcut_error *err)
{
    return p->slots < p->slots_most ? pgd_more(p, out, err) : pgd_evict(p, out, err);
}

static void pgd_take(struct prvcut_paged *p, uint32_t slot, size_t page)
{
    p->slot[slot].page = page;
    p->slot[slot].used = true;
    p->where[page] = slot;
    p->recent = slot;
}

/* Bring a page to memory. */
static enum prvcut_status pgd_load(struct prvcut_paged *p, size_t page, struct prvcut_error *err)
{
    uint32_t slot;
    enum prvcut_status st = pgd_free_slot(p, &slot, err);

    if (st == PRVCUT_OK)
        st = srt_file_read(&p->file, page * pgd_bytes(p), p->slot[slot].at, pgd_bytes(p), err);
    if (st == PRVCUT_OK)
        pgd_take(p, slot, page);
    return st;
}

/* The slot of a page; ABSENT after a failure. */
static uint32_t pgd_slot_of(struct prvcut_paged *p, size_t page)
{
    if (p->recent != ABSENT && p->slot[p->recent].page == page)
        return p->recent;
    if (p->failed.status < 0)
        return ABSENT;
    if (p->where[page] == ABSENT)
        return pgd_load(p, page, &p->failed) == PRVCUT_OK ? p->recent : (p->recent = ABSENT);
    p->recent = p->where[page];
    p->slot[p->recent].used = true;
    return p->recent;
}

/* --- Records ---------------------------------------------------------------------------------- */

static char *pgd_record(struct prvcut_paged *p, size_t i, bool change)
{
    const size_t page = i >> p->shift;
    const uint32_t slot = pgd_slot_of(p, page);

    if (slot == ABSENT) {
        memset(p->none, 0, p->size);
        return p->none;
    }
    p->slot[slot].dirty |= change;
    return p->slot[slot].at + (i - (page << p->shift)) * p->size;
}

const void *prvcut_paged_at(struct prvcut_paged *p, size_t i)
{
    return pgd_record(p, i, false);
}

void *prvcut_paged_change(struct prvcut_paged *p, size_t i)
{
    return pgd_record(p, i, true);
}

/* The page behind all others, zeroed: what of it is not used yet is written, too. */
static enum prvcut_status pgd_begin_page(struct prvcut_paged *p, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&p->where, &p->where_room, p->pages + 1, sizeof *p->where, err);
    uint32_t slot;

    if (st == PRVCUT_OK)
        st = pgd_free_slot(p, &slot, err);
    if (st < 0)
        return st;
    memset(p->slot[slot].at, 0, pgd_bytes(p));
    p->slot[slot].dirty = true;
    pgd_take(p, slot, p->pages++);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_paged_add(struct prvcut_paged *p, const void *record,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_paged_status(p, err);

    if (st == PRVCUT_OK && p->count >> p->shift == p->pages)
        st = pgd_begin_page(p, err);
    if (st < 0)
        return st;
    memcpy(pgd_record(p, p->count, true), record, p->size);
    p->count++;
    return prvcut_paged_status(p, err);
}

enum prvcut_status prvcut_paged_status(const struct prvcut_paged *p, struct prvcut_error *err)
{
    return p->failed.status < 0 ? prvcut_fail_as(err, p->failed.status, &p->failed) : PRVCUT_OK;
}
