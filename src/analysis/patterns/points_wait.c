#include "analysis/patterns/points_wait.h"

#include "base/memory.h"
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 160

/* What a call does with requests. */
enum pwt_kind {
    PWT_NONE,   /* nothing: it waits for its own message, if for any */
    PWT_STARTS, /* one more is open */
    PWT_WAIT,   /* one of them ends */
    PWT_WAITS,  /* all of them end */
    PWT_SOME    /* some end or begin, it is not known which */
};

static enum pwt_kind pwt_kind_of(const char *name)
{
    static const char *const some[] = { "MPI_Wait",         "MPI_Test",   "MPI_Start",
                                        "MPI_Request_free", "MPI_Cancel", "MPI_Mrecv" };
    const struct prvcut_mpi_call *call = prvcut_mpi_call_of(name, NULL);

    if (!call)
        return PWT_NONE;
    if (strcmp(call->name, "MPI_Wait") == 0)
        return PWT_WAIT;
    if (strcmp(call->name, "MPI_Waitall") == 0)
        return PWT_WAITS;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (strncmp(call->name, some[i], strlen(some[i])) == 0)
            return PWT_SOME;
    return call->nonblocking || call->state == PRVCUT_STATE_IMMEDIATE_SEND ||
                   call->state == PRVCUT_STATE_IMMEDIATE_RECEIVE
               ? PWT_STARTS
               : PWT_NONE;
}

enum prvcut_status pat_waiting_take(struct pat_waiting *w, const struct pat_thread *t,
                                    const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    char name[NAME_ROOM];

    w->thread = t;
    if (prvcut_grow((void **)&w->kind, &w->room, t->symbols + 1, sizeof *w->kind, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < t->symbols; i++)
        w->kind[i] = (uint8_t)pwt_kind_of(
            pat_name_whole(name, sizeof name, names, t->symbol[i].type, t->symbol[i].value));
    return PRVCUT_OK;
}

/* The one that all open requests are of; *open: how many there are. */
static uint32_t pwt_open(const struct pat_waiting *w, uint64_t from, uint64_t call, size_t *open)
{
    const struct pat_thread *t = w->thread;
    uint32_t partner = UINT32_MAX;
    bool told = true;

    *open = 0;
    for (uint64_t i = from; i < call; i++) {
        const struct pat_symbol *s = &t->symbol[t->call[i].symbol];
        const enum pwt_kind kind = w->kind[t->call[i].symbol];

        if (kind == PWT_STARTS) {
            const uint32_t other = s->messages == 1 ? s->partner : UINT32_MAX;

            told = *open == 0 ? other != UINT32_MAX : told && other == partner;
            partner = other;
            (*open)++;
        } else if (kind == PWT_WAITS) {
            *open = 0;
        } else if (kind == PWT_WAIT) {
            *open -= *open > 0;
        } else if (kind == PWT_SOME) {
            return UINT32_MAX;
        }
    }
    return told && *open > 0 ? partner : UINT32_MAX;
}

uint32_t pat_waiting_for(const struct pat_waiting *w, uint64_t from, uint64_t call)
{
    const struct pat_thread *t = w->thread;
    const struct pat_symbol *s = &t->symbol[t->call[call].symbol];
    const enum pwt_kind kind = w->kind[t->call[call].symbol];
    uint32_t partner = UINT32_MAX;
    size_t open;

    if (kind == PWT_NONE || (kind == PWT_WAIT && s->messages > 0))
        partner = s->messages == 1 ? s->partner : UINT32_MAX;
    else if ((kind == PWT_WAIT || kind == PWT_WAITS) && s->messages == 0)
        partner = pwt_open(w, from, call, &open);
    return partner == t->task ? UINT32_MAX : partner;
}

void pat_waiting_fini(struct pat_waiting *w)
{
    free(w->kind);
    *w = (struct pat_waiting){ .kind = NULL };
}
