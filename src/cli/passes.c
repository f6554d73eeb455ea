#include "passes.h"

#include "database.h"

#include <string.h>

/* A rate means something only after a while. */
#define SETTLED 0.5

/* Weights as measured on traces of 37 to 383 MB; only their ratios count. */
static void pas_add(struct cli_pass *out, unsigned *n, enum prvcut_phase phase, double weight)
{
    out[(*n)++] = (struct cli_pass){ phase, weight };
}

static void pas_search(struct cli_pass *out, unsigned *n)
{
    pas_add(out, n, PRVCUT_PHASE_READING, 10);
    pas_add(out, n, PRVCUT_PHASE_ANALYSING, 6);
}

static void pas_reduce(const struct cli *c, struct cli_pass *out, unsigned *n)
{
    const bool page = c->report || c->archive || c->command->bit == CLI_VIEW;

    pas_search(out, n);
    if (page || c->proof || !(c->no_proof || c->quick))
        pas_add(out, n, PRVCUT_PHASE_CHOOSING, 6);
    pas_add(out, n, PRVCUT_PHASE_CUTTING, 2);
    /* For the page it is read once more, to be replayed. */
    if (page || c->proof)
        pas_add(out, n, PRVCUT_PHASE_COMPARING, page ? 12 : 6);
    if (page && !c->dry_run)
        pas_add(out, n, PRVCUT_PHASE_DRAWING, 3);
    if (c->archive && !c->dry_run)
        pas_add(out, n, PRVCUT_PHASE_CHECKSUM, 8);
}

unsigned cli_passes(const struct cli *c, struct cli_pass out[CLI_PASSES_MOST])
{
    const bool named = c->region || c->iteration[0] > 0 ||
                       c->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
    unsigned n = 0;

    switch (c->command->bit) {
    case CLI_REDUCE:
    case CLI_VIEW:
        pas_reduce(c, out, &n);
        break;
    case CLI_CUT:
        if (named)
            pas_search(out, &n);
        else
            pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        pas_add(out, &n, PRVCUT_PHASE_CUTTING, 30);
        break;
    case CLI_CONVERT:
        if (cli_is_database(c)) {
            pas_search(out, &n);
            pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 200);
            break;
        }
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        pas_add(out, &n, PRVCUT_PHASE_WRITING, 30);
        break;
    case CLI_FILTER:
        pas_add(out, &n, PRVCUT_PHASE_FILTERING, 10);
        break;
    case CLI_MARK:
    case CLI_CSV:
        pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_MARKING, 20);
        break;
    case CLI_STRUCTURE:
        pas_search(out, &n);
        break;
    case CLI_INDEX:
        pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_CHOOSING, 6);
        break;
    case CLI_PROFILE:
        if (c->explain) {
            pas_search(out, &n);
            pas_add(out, &n, PRVCUT_PHASE_COMPARING, 10);
            break;
        }
        /* fall through */
    case CLI_SIGNAL:
    case CLI_EFFICIENCY:
        if (named)
            pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        if (c->waiting || c->by & (PRVCUT_PROFILE_BY_COMMUNICATOR | PRVCUT_PROFILE_BY_PEER))
            pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 40);
        break;
    case CLI_FIND:
        if (c->like && strncmp(c->like, "iteration=", 10) == 0)
            pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 80);
        if (c->search.mark)
            pas_add(out, &n, PRVCUT_PHASE_MARKING, 20);
        break;
    case CLI_COMM:
        if (named)
            pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 40);
        break;
    case CLI_SAMPLE:
        if (!c->period)
            pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        break;
    case CLI_WAITS:
        if (named)
            pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 40);
        break;
    case CLI_SQL:
        pas_search(out, &n);
        pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 200);
        break;
    case CLI_PATTERNS:
        pas_add(out, &n, PRVCUT_PHASE_ANALYSING, 10);
        break;
    case CLI_DIFF:
        for (int i = 0; i < 2; i++)
            pas_search(out, &n);
        for (int i = 0; i < 2; i++)
            pas_add(out, &n, PRVCUT_PHASE_COMPARING, 10);
        break;
    case CLI_CHECK:
        pas_add(out, &n, PRVCUT_PHASE_CHECKING, 10);
        break;
    case CLI_ARCHIVE:
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
        pas_add(out, &n, PRVCUT_PHASE_CHECKSUM, 10);
        break;
    case CLI_VERIFY:
        pas_add(out, &n, PRVCUT_PHASE_CHECKSUM, 10);
        break;
    default:
        pas_add(out, &n, PRVCUT_PHASE_READING, 10);
    }
    return n;
}

unsigned cli_passes_at(const struct cli_pass *pass, unsigned passes, unsigned present,
                       enum prvcut_phase phase)
{
    for (unsigned i = present; i < passes; i++)
        if (pass[i].phase == phase)
            return i;
    return present;
}

double cli_passes_left(const struct cli_pass *pass, unsigned passes,
                       const struct cli_progress_state *s)
{
    const bool own = s->share > 0 && s->seconds >= SETTLED;
    const double whole = own ? s->seconds / s->share : 0;
    const double weight = s->before_weight + (own ? pass[s->at].weight : 0);
    double unit, left;

    if (!own && s->before + s->seconds < SETTLED)
        return -1;
    if (weight <= 0)
        return -1;
    /* What a weight of 1 takes, by all that is known of this run. */
    unit = (s->before + whole) / weight;
    left = (own ? whole : unit * pass[s->at].weight) - s->seconds;
    if (left < 0)
        left = 0;
    for (unsigned i = s->at + 1; i < passes; i++)
        left += unit * pass[i].weight;
    return left;
}

char *cli_whole_seconds(char out[32], double seconds)
{
    const double most = 1e9;
    unsigned long whole = (unsigned long)(seconds < 0 ? 0 : seconds < most ? seconds : most);

    whole += (double)whole < seconds && seconds < most;
    if (whole < 120)
        snprintf(out, 32, "%lus", whole);
    else
        snprintf(out, 32, "%lumin %lus", whole / 60, whole % 60);
    return out;
}
