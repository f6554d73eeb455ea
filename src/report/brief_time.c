#include "report/brief.h"

#include "base/memory.h"
#include "report/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the time of a cut goes. */

/* What the cut spends less than that share of its time in is not named; so many are. */
#define SHARE_LEAST 0.01
#define SHARES      4
/* A burst trace has states of long bursts only: more time than that without any is told. */
#define OTHER_LEAST 0.05 /* of the time, from which on what is neither is told */
#define SAME_SHARE  0.01
#define OPEN_MOST   0.05

bool brief_is_time(const struct prvcut_proof_row *r)
{
    return r->unit == PRVCUT_PROOF_IN_SHARE && r->group != PRVCUT_PROOF_OF_EFFICIENCY;
}

bool brief_same_time(const struct prvcut_proof_row *a, const struct prvcut_proof_row *b)
{
    return brief_is_time(a) && brief_is_time(b) && fabs(a->chop - b->chop) < 0.01 &&
           fabs(a->region - b->region) < 0.01;
}

static int btm_by_share(const void *a, const void *b)
{
    const struct prvcut_proof_row *x = *(const struct prvcut_proof_row *const *)a,
                                  *y = *(const struct prvcut_proof_row *const *)b;

    if (x->chop != y->chop)
        return x->chop < y->chop ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Computing is what is neither a call nor anything else that is told. */
static const char *btm_share_name(const struct prvcut_proof_row *r)
{
    if (strcmp(r->name, "outside MPI") == 0 || strcmp(r->name, "Running") == 0)
        return "computing";
    return r->name;
}

static const struct prvcut_proof_row *btm_share(const struct made_proof *p, const char *name)
{
    for (size_t i = 0; i < p->is.rows; i++)
        if (brief_is_time(&p->row[i]) && strcmp(p->row[i].name, name) == 0)
            return &p->row[i];
    return NULL;
}

/* Is it the time of a call that is told by itself? */
static bool btm_is_of_call(const struct made_proof *p, const struct prvcut_proof_row *state)
{
    for (size_t i = 0; i < p->is.rows; i++)
        if (p->row[i].group == PRVCUT_PROOF_OF_CALL && brief_same_time(&p->row[i], state))
            return true;
    return false;
}

/* What threads do outside calls is not all computing: *other is the rest, or the state that most of
   it is. The row that says how much is computed; NULL: the states do not tell. */
static const struct prvcut_proof_row *btm_computing(const struct made_proof *p,
                                                    struct prvcut_proof_row *other)
{
    const struct prvcut_proof_row *outside = btm_share(p, "outside MPI");
    const struct prvcut_proof_row *running = btm_share(p, "Running"), *most = NULL;
    const double rest = outside && running ? outside->chop - running->chop : 0;

    if (rest < OTHER_LEAST)
        return NULL;
    for (size_t i = 0; i < p->is.rows; i++) {
        const struct prvcut_proof_row *r = &p->row[i];

        if (brief_is_time(r) && r->group == PRVCUT_PROOF_OF_STATE && r != running &&
            r->chop > rest / 2 && r->chop < rest + SAME_SHARE && !btm_is_of_call(p, r) &&
            (!most || r->chop > most->chop))
            most = r;
    }
    other->chop = most ? most->chop : rest;
    other->name = most ? most->name : other->name;
    return running;
}

void brief_put_time(struct brief *b, const struct made_chop *c)
{
    const struct made_proof *p = &c->proof;
    const struct prvcut_proof_row **row = prvcut_zeroed(p->is.rows + 3, sizeof *row, "rows", NULL);
    struct brief_text t = { .count = 0 };
    char no_state[] = "in no recorded state";
    struct prvcut_proof_row open = { .name = no_state, .chop = 1 };
    char no_call[] = "neither computing nor in calls";
    struct prvcut_proof_row other = { .name = no_call };
    const struct prvcut_proof_row *computing = NULL;
    enum prvcut_proof_group group = PRVCUT_PROOF_OF_STATE;
    size_t count = 0;
    char safe[64];

    for (size_t i = 0; i < p->is.rows; i++)
        if (brief_is_time(&p->row[i]) && p->row[i].group == PRVCUT_PROOF_OF_CALL)
            group = PRVCUT_PROOF_OF_CALL;
    if (group == PRVCUT_PROOF_OF_CALL)
        computing = btm_computing(p, &other);
    for (size_t i = 0; row && i < p->is.rows; i++) {
        if (!brief_is_time(&p->row[i]) || p->row[i].group != group ||
            strcmp(p->row[i].name, "all MPI calls") == 0 ||
            (computing && strcmp(p->row[i].name, "outside MPI") == 0))
            continue;
        open.chop -= p->row[i].chop;
        if (p->row[i].chop >= SHARE_LEAST)
            row[count++] = &p->row[i];
    }
    if (row && computing) {
        row[count++] = computing;
        row[count++] = &other;
    }
    if (count > 0 && group == PRVCUT_PROOF_OF_STATE && open.chop > OPEN_MOST)
        row[count++] = &open;
    if (count > 1)
        qsort(row, count, sizeof *row, btm_by_share);
    for (size_t i = 0; i < count && i < SHARES; i++) {
        const char *name = btm_share_name(row[i]);
        const size_t before = t.count;

        brief_add(&t, "%s%.0f %% %s", i > 0 ? ", " : "", 100 * row[i]->chop,
                  prvcut_quote(safe, sizeof safe, name, strlen(name)));
        if (i > 0 && report_columns(t.at) > b->width - BRIEF_HEADING) {
            t.at[t.count = before] = '\0';
            break;
        }
    }
    if (count > 0)
        brief_line(b, "Time", "%s", t.at);
    free(row);
}
