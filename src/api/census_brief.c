#include "api/census_tell.h"

#include "model/calls.h"
#include "model/roles.h"
#include "report/command.h"
#include "report/tag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names in a list of shares, and the least share that is told. */
#define SHARES_SHOWN 6
#define FEW_SHARES   4
#define SHARE_LEAST  0.005

#define NAMES_SHOWN  4
/* Calls, those that take most time. */
#define CALLS_SHOWN 4
#define FEW_CALLS   2

/* What to watch out for, at most. */
#define WATCHED     4
#define FEW_WATCHED 2

/* --- Title ---------------------------------------------------------------------------------- */

static bool cbr_has_mpi(const struct census *c)
{
    for (size_t i = 0; i < c->types.count; i++)
        if (PRVCUT_ROLES_MPI >> c->types.at[i].role & 1)
            return true;
    return false;
}

static void cbr_tell_who(struct report_lines *l, const struct census_story *s)
{
    const struct prvcut_objects *o = &s->trace->objects;

    report_put(l, ", ");
    if (o->applications > 1) {
        tell_number(l, o->applications, "application");
        report_put(l, " of ");
    }
    if (cbr_has_mpi(s->census))
        tell_number(l, o->tasks, "MPI rank");
    else
        report_put(l, "%u process%s", o->tasks, o->tasks == 1 ? "" : "es");
    if (o->threads != o->tasks) {
        report_put(l, ", ");
        tell_number(l, o->threads, census_is_named(s->trace) ? "location" : "thread");
    }
    if (o->nodes > 0)
        report_put(l, " on ");
    if (o->nodes > 0)
        tell_number(l, o->nodes, "node");
}

/* ", labels found (.pcf), no .row" */
static void cbr_tell_companions(struct report_lines *l, const struct census_story *s)
{
    const struct prvcut_trace *t = s->trace;
    unsigned found = 0;

    for (unsigned i = 0; i < t->companions && !census_is_named(t); i++) {
        const struct prvcut_companion *p = &t->companion[i];

        if (!p->path || (p->damaged_line == 0 && s->terse >= CENSUS_NO_FOUND))
            continue;
        report_put(l, "%s%s", found++ == 0 ? ", labels found (" : ", ", p->suffix);
        if (p->damaged_line > 0)
            report_put(l, " damaged, first in line %llu", (unsigned long long)p->damaged_line);
    }
    report_put(l, found > 0 ? ")" : "");
    for (unsigned i = 0; i < t->companions && !census_is_named(t); i++)
        if (!t->companion[i].path)
            report_put(l, ", no %s", t->companion[i].suffix);
}

void tell_title(struct report_lines *l, const struct census_story *s)
{
    const struct prvcut_trace *t = s->trace;
    char text[32];

    report_put_foreign(l, s->called);
    report_put(l, ": %s", t->reader->format->title);
    if (t->bytes > 0)
        report_put(l, ", %s", prvcut_size_text(text, (double)t->bytes));
    if (census_codec(t))
        report_put(l, " (%s, ", census_codec(t));
    if (census_codec(t))
        report_put(l, "%s uncompressed)", prvcut_size_text(text, (double)s->census->counts.bytes));
    report_put(l, ", %s", prvcut_time_text(text, (double)s->census->end_ns));
    cbr_tell_who(l, s);
    cbr_tell_companions(l, s);
    report_put(l, "\n");
}

/* --- Records -------------------------------------------------------------------------------- */

static void cbr_tell_sent(struct report_lines *l, const struct census_messages *m)
{
    char text[32];

    report_put(l, ", ");
    tell_number(l, m->count, "message");
    if (m->count > 0)
        report_put(l, " (%s%s sent)", m->bytes < UINT64_MAX ? "" : "more than ",
                   prvcut_size_text(text, (double)m->bytes));
}

/* "PAPI_TOT_INS [Instr completed]": what stands in brackets says the same in other words. */
static void cbr_tell_counter_name(struct report_lines *l, const char *label)
{
    const char *round = strstr(label, " ("), *square = strstr(label, " [");
    const char *end = !round || (square && square < round) ? square : round;
    char name[100];

    snprintf(name, sizeof name, "%.*s", end ? (int)(end - label) : (int)strlen(label), label);
    report_put_foreign(l, end && end - label < (ptrdiff_t)sizeof name ? name : label);
}

static void cbr_tell_counters_shortly(struct report_lines *l, const struct census_story *s)
{
    const bool named = census_is_named(s->trace);
    const struct census_table *types = &s->census->types;
    unsigned shown = 0;

    for (size_t i = 0; i < types->count; i++) {
        const uint32_t number = (uint32_t)types->at[i].number;
        const struct prvcut_type_name *t = prvcut_dictionary_type(s->names, number);
        const char *label = census_label(s->trace->type, s->trace->types, number);

        if (!prvcut_role_is_counter(types->at[i].role) && !(t && t->gauge))
            continue;
        if (shown++ < NAMES_SHOWN)
            report_put(l, shown == 1 ? named ? "; metrics " : "; counters " : ", ");
        if (shown <= NAMES_SHOWN && *label)
            cbr_tell_counter_name(l, label);
        else if (shown <= NAMES_SHOWN)
            report_put(l, named ? "(no name)" : "%u", number);
    }
    if (shown > NAMES_SHOWN)
        report_put(l, " and %u more", shown - NAMES_SHOWN);
    if (shown == 0 && s->terse < CENSUS_NO_LACK)
        report_put(l, named ? "; no metrics" : "; no hardware counters");
    report_put(l, "\n");
}

void tell_records_shortly(struct report_lines *l, const struct census_story *s)
{
    const struct census *c = s->census;
    uint64_t calls = c->other_calls;
    char text[32];

    report_head(l, "Records");
    if (census_is_named(s->trace)) {
        for (size_t i = 0; i < c->functions.count; i++)
            calls += c->functions.at[i].count;
        report_put(l, "%s: ", report_count(text, c->counts.lines));
        tell_number(l, calls, "call");
        report_put(l, " of ");
        tell_number(l, c->functions.count, "function");
    } else {
        tell_number(l, c->counts.states, "state");
        report_put(l, ", ");
        tell_number(l, c->counts.events, "event");
    }
    cbr_tell_sent(l, &c->messages);
    cbr_tell_counters_shortly(l, s);
}

/* --- Time ----------------------------------------------------------------------------------- */

struct share {
    const char *text;
    double of; /* 0..1 */
};

struct shares {
    struct report_lines *l;
    unsigned shown, most;
};

static struct shares cbr_shares_of(struct report_lines *l, const struct census_story *s)
{
    return (struct shares){ .l = l,
                            .most = s->terse < CENSUS_FEW_SHARES ? SHARES_SHOWN : FEW_SHARES };
}

static void cbr_tell_share(struct shares *all, const struct share *s)
{
    if (s->of < SHARE_LEAST || all->shown >= all->most)
        return;
    if (all->shown++ == 0)
        report_head(all->l, "Time");
    report_put(all->l, "%s%.0f %% ", all->shown > 1 ? ", " : "", 100 * s->of);
    report_put_foreign(all->l, s->text);
}

static void cbr_tell_states_shares(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->states;
    const struct prvcut_trace *trace = s->trace;
    const double all = census_whole_time(s->census);
    struct census_entry *e = tell_sorted(l, t, tell_by_time);
    struct share open = { "in no recorded state",
                          all > 0 ? 1 - census_states_time(s->census) / all : 0 };
    struct shares told = cbr_shares_of(l, s);

    for (unsigned running = 1; e && all > 0 && running < 2; running--)
        for (size_t i = 0; i < t->count; i++) {
            const uint32_t number = (uint32_t)e[i].number;
            char text[32];
            struct share share = { running ? "computing"
                                           : census_label(trace->state, trace->states, number),
                                   (double)e[i].sum / all };

            snprintf(text, sizeof text, "state %u", number);
            share.text = *share.text ? share.text : text;
            if ((e[i].role != 0) == (running != 0))
                cbr_tell_share(&told, &share);
            if (running && i + 1 == t->count)
                cbr_tell_share(&told, &open);
        }
    report_put(l, told.shown > 0 ? "\n" : "");
    free(e);
}

/* What the program itself does: its own functions, and where none is recorded. */
static bool cbr_is_computing(uint64_t number)
{
    uint32_t type;
    int64_t value;

    census_function_of(number, &type, &value);
    return type == PRVCUT_TYPE_USER_FUNCTION;
}

static void cbr_tell_functions_shares(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    const double all = census_functions_time(s->census);
    struct census_entry *e = tell_sorted(l, t, tell_by_time);
    struct share computing = { "computing", 1 };
    struct shares told = cbr_shares_of(l, s);

    for (size_t i = 0; e && all > 0 && i < t->count; i++)
        if (!cbr_is_computing(e[i].number))
            computing.of -= (double)e[i].sum / all;
    if (e && all > 0)
        cbr_tell_share(&told, &computing);
    for (size_t i = 0; e && all > 0 && i < t->count; i++) {
        char text[160];
        const struct share share = { census_function_text(text, sizeof text, s->names, e[i].number),
                                     (double)e[i].sum / all };

        if (!cbr_is_computing(e[i].number))
            cbr_tell_share(&told, &share);
    }
    report_put(l, told.shown > 0 ? "\n" : "");
    free(e);
}

void tell_shares(struct report_lines *l, const struct census_story *s)
{
    if (census_is_named(s->trace) && s->census->functions.count > 0)
        cbr_tell_functions_shares(l, s);
    else
        cbr_tell_states_shares(l, s);
}

/* --- Calls ---------------------------------------------------------------------------------- */

void tell_calls_shortly(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    const unsigned most = s->terse < CENSUS_FEW_CALLS ? CALLS_SHOWN : FEW_CALLS;
    struct census_entry *e = tell_sorted(l, t, tell_by_time);
    unsigned calls = 0;
    char text[160], number[32];

    for (size_t i = 0; e && i < t->count; i++) {
        if (!census_is_call(&e[i]) || calls++ >= most)
            continue;
        if (calls == 1)
            report_head(l, "Calls");
        report_put(l, calls > 1 ? ", " : "");
        report_put_foreign(l, census_function_text(text, sizeof text, s->names, e[i].number));
        report_put(l, " %s in", prvcut_time_text(number, (double)e[i].sum));
        report_put(l, " %s", report_count(number, e[i].count));
    }
    if (calls > most)
        report_put(l, " and %u more", calls - most);
    report_put(l, calls > 0 ? "\n" : "");
    free(e);
}

/* --- Watch out ------------------------------------------------------------------------------ */

struct watch {
    struct report_lines *l;
    unsigned told, most;
};

/* Begin a line; false: there are enough. */
static bool cbr_watch_line(struct watch *w)
{
    if (w->told++ >= w->most)
        return false;
    report_head(w->l, w->told == 1 ? "Watch out" : "");
    return true;
}

static void cbr_watch_flushes(struct watch *w, const struct census_flushes *f)
{
    char text[32];

    if (f->count == 0 || !cbr_watch_line(w))
        return;
    report_put(w->l, "%s flush%s", report_count(text, f->count), f->count == 1 ? "" : "es");
    report_put(w->l, f->last == f->count ? " at the end of the run" : " of the trace buffer");
    if (f->count > 1)
        report_put(w->l, " (counted per thread)");
    if (f->last < f->count && f->last > 0)
        report_put(w->l, ", %s at the end of the run", report_count(text, f->last));
    if (f->count > 1)
        report_put(w->l, ", %s of flushing in all", prvcut_time_text(text, (double)f->total));
    report_put(w->l, f->count > 1 ? ", the longest %s\n" : ", %s\n",
               prvcut_time_text(text, (double)f->longest));
}

void tell_contradictions(struct report_lines *l, const struct census_clocks *whole)
{
    char text[32];

    report_put(l, "%s of ", report_count(text, whole->contradictions));
    report_put(l, "%s messages and collectives contradict the clocks",
               report_count(text, whole->checked));
    report_put(l, ", by up to %s\n", prvcut_time_text(text, (double)whole->worst_ns));
}

static void cbr_watch_clocks(struct watch *w, const struct prvcut_clocks *k,
                             const struct census_clocks *whole)
{
    char text[32];

    if (k->skewed && cbr_watch_line(w)) {
        report_put(w->l, "clocks of the ranks %s apart",
                   prvcut_time_text(text, (double)(k->most - k->least)));
        report_put(w->l, "; brought together to within %s\n",
                   prvcut_time_text(text, (double)k->doubt));
    }
    if (whole->contradictions > 0 && cbr_watch_line(w))
        tell_contradictions(w->l, whole);
    if (k->unknown > 0 && cbr_watch_line(w)) {
        tell_number(w->l, k->unknown, "clock");
        report_put(w->l, " tied to no other\n");
    }
}

static void cbr_watch_messages(struct watch *w, const struct census_story *s)
{
    const struct census_messages *m = &s->census->messages;

    if (m->lone_sends + m->lone_receives == 0 || !cbr_watch_line(w))
        return;
    if (m->lone_sends > 0) {
        tell_number(w->l, m->lone_sends, "send");
        report_put(w->l, " without a receive");
    }
    if (m->lone_receives > 0) {
        report_put(w->l, m->lone_sends > 0 ? " and " : "");
        tell_number(w->l, m->lone_receives, "receive");
        report_put(w->l, " without a send");
    }
    report_put(w->l, ": arrows will be missing\n");
}

static void cbr_watch_odd(struct watch *w, uint64_t count, const char *noun, const char *what)
{
    if (count == 0 || !cbr_watch_line(w))
        return;
    tell_number(w->l, count, noun);
    report_put(w->l, " %s\n", what);
}

static void cbr_watch_records(struct watch *w, const struct census_story *s)
{
    const struct prvcut_counts *n = &s->census->counts;
    char text[200];

    cbr_watch_odd(w, n->skipped, "damaged record", "skipped");
    cbr_watch_odd(w, n->unsorted, s->trace->reader->halves ? "record" : "line", "out of order");
    cbr_watch_odd(w, n->beyond_end, "record", "beyond the header's duration");
    if (n->no_last_newline && cbr_watch_line(w))
        report_put(w->l, "the last line has no line end\n");
    for (unsigned i = 0; i < PRVCUT_BENTS; i++)
        if (n->bent[i].count > 0 && cbr_watch_line(w))
            report_put(w->l, "%s\n", prvcut_bent_text(text, sizeof text, i, &n->bent[i]));
}

void tell_watch(struct report_lines *l, const struct census_story *s)
{
    const unsigned most = s->terse < CENSUS_FEW_WATCHED   ? WATCHED
                          : s->terse < CENSUS_ONE_WATCHED ? FEW_WATCHED
                                                          : 1;
    struct watch w = { .l = l, .most = most };

    cbr_watch_records(&w, s);
    cbr_watch_clocks(&w, &s->trace->clocks, &s->census->clocks);
    cbr_watch_messages(&w, s);
    cbr_watch_flushes(&w, &s->census->flushes);
    if (w.told > most)
        report_put(l, "%-12sand %u more (-v lists them)\n", "", w.told - most);
}

/* Is it a cut, by the name of its file or folder? A few iterations show no loop. */
static bool cbr_next_is_cut(const char *path)
{
    for (const char *at = strchr(path, '.'); at; at = strchr(at + 1, '.')) {
        const size_t length = report_tag_length(at + 1);

        if (length > 0 && strchr("./", at[1 + length]))
            return true;
    }
    return false;
}

static bool cbr_next_is_empty(const struct census_story *s)
{
    const struct prvcut_counts *n = &s->census->counts;

    return (s->trace->reader->halves ? n->lines : n->states + n->events + n->messages) == 0;
}

/* What comes after a look at it: the cut, or what is there of it; of what holds nothing to cut, a
   check. */
static void cbr_next_first(char *out, size_t room, const struct census_story *s)
{
    const struct report_tag tag = { .kind = REPORT_TAG_CHOP };
    struct report_command job = { .name = "", .own = "", .typed = s->typed };

    if (cbr_next_is_empty(s) || cbr_next_is_cut(s->trace->path))
        job.name = "check";
    else if (!s->cuts)
        job.name = "structure";
    else if (report_cut_there(out, room, s->cuts, &tag))
        return;
    report_command(out, room, s->again, &job);
}

/* A look at the records does not tell whether they repeat. */
static bool cbr_next_finds(const struct census_story *s)
{
    const struct report_tag tag = { .kind = REPORT_TAG_CHOP };
    char there[4096];

    return s->cuts && !cbr_next_is_empty(s) && !cbr_next_is_cut(s->trace->path) &&
           !report_cut_there(there, sizeof there, s->cuts, &tag);
}

void tell_next(struct report_lines *l, const struct census_story *s)
{
    const char *all =
        census_is_named(s->trace) ? "all functions and locations" : "all event types and states";
    const struct report_command more = { .name = "info", .own = "-v", .typed = s->typed };
    char first[4096], second[4096];
    size_t n;

    if (!s->typed)
        return;
    n = cbr_next_finds(s) ? (size_t)snprintf(first, sizeof first, "look for a loop to cut: ") : 0;
    cbr_next_first(first + n, sizeof first - n, s);
    report_command(second, sizeof second, s->again, &more);
    report_head(l, "Next");
    if (s->terse >= CENSUS_ONE_NEXT)
        report_put(l, "%s\n", first);
    else if (12 + strlen(first) + 6 + strlen(all) + 2 + strlen(second) <= s->columns)
        report_put(l, "%s      %s: %s\n", first, all, second);
    else
        report_put(l, "%s\n%-12s%s: %s\n", first, "", all, second);
}
