#include "otf/sieve.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "model/texts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Ticks of a clock's difference, to the nearest one. */
static uint64_t cut_shift_ticks(const struct otf_trace *t, uint32_t thread)
{
    const uint64_t ns = otf_shift(t, thread), second = UINT64_C(1000000000);

    return ns / second * t->resolution + (ns % second * t->resolution + second / 2) / second;
}

/* The last tick that the trace reaches, as its definitions tell or as its streams do. */
static uint64_t cut_end_tick(const struct otf_trace *t)
{
    const uint64_t second = UINT64_C(1000000000), ns = t->base.end_ns;
    const uint64_t end = t->origin + ns / second * t->resolution +
                         (ns % second * t->resolution + second - 1) / second;

    return t->range_max > end ? t->range_max : end;
}

static enum prvcut_status cut_make_spans(struct otf_cutter *c, const struct prvcut_window *w,
                                         struct prvcut_error *err)
{
    struct otf_trace *t = c->trace;
    const uint32_t threads = t->base.objects.threads;
    const bool together = t->base.clocks.offset && !c->options->own_clocks;
    uint64_t low = UINT64_MAX, high = 0;

    c->straight = !w->thread_from && !w->thread_to;
    c->whole = c->straight && w->from == 0 && w->to >= t->base.end_ns;
    c->span = prvcut_zeroed((size_t)threads + 1, sizeof *c->span, "threads", err);
    c->first = prvcut_zeroed((size_t)threads + 1, sizeof(struct otf_first *), "threads", err);
    if (!c->span || !c->first)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < threads; i++) {
        const struct prvcut_span own = prvcut_window_own(w, i);
        struct otf_span *s = &c->span[i];

        otf_place(t, i, own.start, &s->from, &s->from_step);
        /* The last instant belongs to a window that reaches the trace's end. */
        otf_place(t, i, own.end < t->base.end_ns ? own.end : t->base.end_ns, &s->to, &s->to_step);
        if (own.end >= t->base.end_ns && own.end > own.start)
            s->to_step = UINT64_MAX;
        s->shift = together ? cut_shift_ticks(t, i) : 0;
        if (!otf_cut_takes(s))
            continue;
        low = s->from + s->shift < low ? s->from + s->shift : low;
        high = s->to + s->shift > high ? s->to + s->shift : high;
    }
    if (c->copies) {
        low = t->range_max > 0 ? t->range_min : t->origin;
        high = cut_end_tick(t);
    }
    if (low > high)
        return prvcut_fail(err, PRVCUT_EUSAGE, "the window is empty for all processes");
    c->base = c->options->keep_time ? 0 : low;
    /* The original's own range stays where the window goes beyond it. */
    if (!together && t->range_max > 0) {
        if (low < t->range_min && high > t->range_min)
            low = t->range_min;
        if (high > t->range_max && low < t->range_max)
            high = t->range_max;
    }
    c->low = low - c->base;
    c->high = high - c->base;
    return PRVCUT_OK;
}

static enum prvcut_status cut_choose_form(struct otf_cutter *c, struct prvcut_error *err)
{
    const char *compress = c->options->compress;

    c->as_input = !compress;
    c->packed = compress && strcmp(compress, "gz") == 0;
    if (compress && !c->packed && strcmp(compress, "none") != 0)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "no compression '%s' in OTF; it has 'gz' (.z files) and 'none'",
                           compress);
    return PRVCUT_OK;
}

/* Names of all files that may come to stand beside the main one. */
static enum prvcut_status cut_list_others(const struct otf_cutter *c, char ***list,
                                          struct prvcut_error *err)
{
    static const char *const kinds[] = { "def", "def.z", "events", "events.z" };
    const struct otf_trace *t = c->trace;
    size_t n = 0;
    char **names = prvcut_zeroed(4 * ((size_t)t->streams + 1) + 3, sizeof(char *), "names", err);
    bool good = names != NULL;

    *list = names;
    for (uint32_t i = 0; i <= t->streams && good; i++)
        for (unsigned k = i == 0 ? 0 : 2; k < 4 && good; k++) {
            if ((k < 2) != (i == 0))
                continue;
            names[n] = prvcut_printed("names", err, "%s.%" PRIx32 ".%s", c->name,
                                      i == 0 ? 0 : t->stream[i - 1].id, kinds[k]);
            good = names[n++] != NULL;
        }
    for (unsigned k = 0; k < 2 && good; k++) {
        names[n] = prvcut_printed("names", err, "%s.0.marker%s", c->name, k ? ".z" : "");
        good = names[n++] != NULL;
    }
    return good ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status cut_open_folder(struct otf_cutter *c, struct prvcut_error *err)
{
    char **others = NULL;
    enum prvcut_status st;

    /* What is only counted need not have a name yet. */
    if (c->options->dry_run && !c->options->path)
        return PRVCUT_OK;
    st = prvcut_folder_stem(&c->name, c->options->path, ".otf",
                            "the name of an OTF trace ends in .otf", err);
    if (st < 0 || c->options->dry_run)
        return st;
    st = cut_list_others(c, &others, err);
    if (st == PRVCUT_OK)
        st = prvcut_folder_open(&c->folder, c->options->path, (const char *const *)others,
                                c->options->force, err);
    for (size_t i = 0; others && others[i]; i++)
        free(others[i]);
    free(others);
    return st;
}

/* Master, definitions, and the first stream's events. */
static enum prvcut_status cut_name_files(struct otf_cutter *c, struct prvcut_error *err)
{
    const struct otf_trace *t = c->trace;
    const char *path = c->options->path;
    const int stem = path ? (int)strlen(path) - 4 : 0;
    struct prvcut_cut_summary *sum = c->sum;
    const bool z[] = { c->as_input ? t->definitions_packed : c->packed,
                       c->as_input ? t->stream[0].packed : c->packed };
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; path && i < 3 && st == PRVCUT_OK; i++) {
        char *name;

        if (i == 0)
            name = prvcut_copied_text(path, "a name", err);
        else if (i == 1)
            name = prvcut_printed("a name", err, "%.*s.0.def%s", stem, path, z[0] ? ".z" : "");
        else
            name = prvcut_printed("a name", err, "%.*s.%" PRIx32 ".events%s", stem, path,
                                  t->stream[0].id, z[1] ? ".z" : "");
        st = prvcut_texts_take(&sum->file, &sum->files, name, err);
    }
    return st;
}

static enum prvcut_status cut_lay(struct otf_cutter *c, const struct prvcut_window *window,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = cut_choose_form(c, err);

    if (st == PRVCUT_OK)
        st = cut_make_spans(c, window, err);
    return st < 0 ? st : cut_open_folder(c, err);
}

static enum prvcut_status cut_fill(struct otf_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = otf_cut_streams(c, err);

    if (c->trace->base.end_told && c->trace->base.end_ns > c->end_ns)
        c->end_ns = c->trace->base.end_ns;
    return st < 0 ? st : otf_cut_files(c, err);
}

static enum prvcut_status cut_appear(struct otf_cutter *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (c->folder) {
        st = prvcut_folder_commit(c->folder, &c->sum->size, err);
        c->sum->disk = c->sum->size;
        c->folder = NULL;
    }
    return st < 0 ? st : cut_name_files(c, err);
}

/* All are counted in one reading, and written before the first one appears. */
static enum prvcut_status cut_together(struct otf_cutter *row, size_t rows,
                                       const struct prvcut_subtrace *sub, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        st = cut_lay(&row[i], sub[i].window, err);
    if (st == PRVCUT_OK && !row->copies)
        st = otf_cut_count(row, rows, err);
    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        st = cut_fill(&row[i], err);
    for (size_t i = 0; i < rows && st == PRVCUT_OK; i++)
        st = cut_appear(&row[i], err);
    return st;
}

static enum prvcut_status cut_carry_out(struct otf_cutter *row, size_t rows,
                                        const struct prvcut_subtrace *sub, struct prvcut_error *err)
{
    enum prvcut_status st;

    for (size_t i = 0; i < rows; i++) {
        struct otf_cutter *c = &row[i];

        c->channels = (struct prvcut_table)OTF_CHANNELS;
        c->workers = prvcut_workers(c->run->threads);
        memset(c->sum, 0, sizeof *c->sum);
        c->sum->window = prvcut_window_within(sub[i].window, c->trace->base.end_ns);
        pthread_mutex_init(&c->lock, NULL);
    }
    st = cut_together(row, rows, sub, err);
    for (size_t i = 0; i < rows; i++) {
        struct otf_cutter *c = &row[i];

        prvcut_folder_abandon(c->folder);
        prvcut_table_fini(&c->channels);
        for (uint32_t t = 0; c->first && t < c->trace->base.objects.threads; t++)
            free(c->first[t]);
        free(c->first);
        free(c->span);
        free(c->name);
        pthread_mutex_destroy(&c->lock);
    }
    return st;
}

enum prvcut_status otf_cut(struct prvcut_trace *t, const struct prvcut_run *run,
                           const struct prvcut_subtrace *sub, size_t count,
                           struct prvcut_error *err)
{
    struct otf_cutter *row = prvcut_zeroed(count, sizeof *row, "cuts", err);
    enum prvcut_status st;

    if (!row)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++)
        row[i] = (struct otf_cutter){ .trace = (struct otf_trace *)t,
                                      .run = run,
                                      .options = sub[i].options,
                                      .sum = sub[i].out,
                                      .total = 2 * t->bytes };
    st = cut_carry_out(row, count, sub, err);
    free(row);
    return st;
}

enum prvcut_status otf_copy(struct otf_trace *t, const struct prvcut_run *run,
                            const struct otf_change *change,
                            const struct prvcut_cut_options *options,
                            struct prvcut_cut_summary *out, struct prvcut_error *err)
{
    const struct prvcut_window all = { .from = 0, .to = UINT64_MAX };
    struct prvcut_cut_options whole = *options;
    struct otf_cutter c = { .trace = t,
                            .run = run,
                            .options = &whole,
                            .sum = out,
                            .copies = true,
                            .sieve = change->sieve,
                            .counts = change->counts,
                            .marker = change->marker,
                            .total = t->base.bytes };

    whole.keep_time = whole.keep_messages = true;
    return cut_carry_out(&c, 1, &(struct prvcut_subtrace){ &all, &whole, out }, err);
}
