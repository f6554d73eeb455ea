#include "gen_truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gen_truth_init(struct gen_truth *t)
{
    *t = (struct gen_truth){ 0 };
    t->starts = gen_room(NULL, GEN_LISTED, sizeof *t->starts);
    t->lengths = gen_room(NULL, GEN_LISTED, sizeof *t->lengths);
    t->masks = gen_room(NULL, GEN_LISTED, sizeof *t->masks);
    t->inner = gen_room(NULL, GEN_LISTED, sizeof *t->inner);
}

void gen_truth_fini(struct gen_truth *t)
{
    free(t->starts);
    free(t->lengths);
    free(t->masks);
    free(t->inner);
    free(t->bystanders);
}

void gen_truth_start(struct gen_truth *t, struct gen_start s)
{
    if (t->iterations < GEN_LISTED)
        t->starts[t->iterations] = s;
    t->iterations++;
}

void gen_truth_length(struct gen_truth *t, uint64_t length, uint64_t draw)
{
    uint64_t place = t->lengths_seen < GEN_LISTED ? t->lengths_seen : draw % t->lengths_seen;

    if (place < GEN_LISTED)
        t->lengths[place] = length;
    t->lengths_seen++;
    t->lengths_sum += length;
}

void gen_truth_mask(struct gen_truth *t, struct gen_mask m)
{
    if (t->masks_seen < GEN_LISTED)
        t->masks[t->masks_seen] = m;
    t->masks_seen++;
}

void gen_truth_bystander(struct gen_truth *t, struct gen_mask b)
{
    t->bystanders = gen_room(t->bystanders, t->bystanders_seen + 1, sizeof *t->bystanders);
    t->bystanders[t->bystanders_seen++] = b;
}

void gen_truth_inner(struct gen_truth *t, uint64_t level, const uint64_t span[2], bool last)
{
    t->level_sum[level] += span[1] - span[0];
    t->level_seen[level]++;
    if (level > 0)
        return;
    for (uint64_t i = 0; i <= last; i++, t->inner_seen++)
        if (t->inner_seen < GEN_LISTED)
            t->inner[t->inner_seen] = span[i];
}

static int by_value(const void *a, const void *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static double median(const uint64_t *value, uint64_t count)
{
    uint64_t *sorted = gen_room(NULL, count + 1, sizeof *sorted);
    double m = 0;

    memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    if (count > 0)
        m = ((double)sorted[(count - 1) / 2] + (double)sorted[count / 2]) / 2;
    free(sorted);
    return m;
}

static uint64_t sample(const struct gen_truth *t)
{
    return t->lengths_seen < GEN_LISTED ? t->lengths_seen : GEN_LISTED;
}

void gen_truth_phase(struct gen_truth *t, uint64_t start, uint64_t end, uint64_t iterations)
{
    struct gen_phase *p = &t->phases[t->phase_count++];
    uint64_t have = sample(t), from = t->lengths_from < have ? t->lengths_from : 0;

    *p = (struct gen_phase){ .start = start, .end = end, .iterations = iterations };
    if (iterations > 0)
        p->mean = (double)(t->lengths_sum - t->sum_from) / (double)iterations;
    p->median = median(t->lengths + from, have - from);
    memcpy(p->level_sum, t->level_sum, sizeof p->level_sum);
    memcpy(p->level_seen, t->level_seen, sizeof p->level_seen);
    memset(t->level_sum, 0, sizeof t->level_sum);
    memset(t->level_seen, 0, sizeof t->level_seen);
    t->lengths_from = t->lengths_seen;
    t->sum_from = t->lengths_sum;
}

static void period(FILE *f, const char *name, double mean, double middle)
{
    fprintf(f, "\"%s\": {\"mean\": %.1f, \"median\": %.1f}", name, mean, middle);
}

static void write_text(FILE *f, const char *text)
{
    putc('"', f);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', f);
        if ((unsigned char)*text < ' ')
            fprintf(f, "\\u%04x", (unsigned)*text);
        else
            putc(*text, f);
    }
    putc('"', f);
}

static void write_head(FILE *f, const struct gen_truth *t, const struct gen_options *o,
                       const struct gen_lines *l)
{
    fprintf(f, "  \"seed\": %" PRIu64 ",\n  \"duration_ns\": %" PRIu64 ",\n", o->seed, t->duration);
    fprintf(f, "  \"bytes\": %" PRIu64 ",\n  \"lines\": %" PRIu64 ",\n", l->written,
            l->states + l->events + l->comms);
    fprintf(f,
            "  \"records\": {\"states\": %" PRIu64 ", \"events\": %" PRIu64
            ", \"communications\": %" PRIu64 "},\n",
            l->states, l->events, l->comms);
    fprintf(f, "  \"loop\": {\"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64 "},\n", t->loop_start,
            t->loop_end);
    fprintf(f, "  \"iterations\": %" PRIu64 ",\n  ", t->iterations);
    if (t->lengths_seen == 0)
        fprintf(f, "\"period_ns\": null");
    else
        period(f, "period_ns", (double)t->lengths_sum / (double)t->lengths_seen,
               median(t->lengths, sample(t)));
    fprintf(f, ",\n");
}

static double mean(uint64_t sum, uint64_t count)
{
    return count > 0 ? (double)sum / (double)count : 0;
}

static void write_phases(FILE *f, const struct gen_truth *t, const struct gen_options *o)
{
    fprintf(f, "  \"phases\": [");
    for (uint64_t i = 0; i < t->phase_count; i++) {
        const struct gen_phase *p = &t->phases[i];

        fprintf(f,
                "%s\n    {\"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
                ", \"iterations\": %" PRIu64 ", ",
                i > 0 ? "," : "", p->start, p->end, p->iterations);
        period(f, "period_ns", p->mean, p->median);
        fprintf(f, ", \"inner_ns\": [");
        for (uint64_t level = 0; level < o->levels; level++)
            fprintf(f, "%s%.1f", level > 0 ? ", " : "",
                    mean(p->level_sum[level], p->level_seen[level]));
        fprintf(f, "]}");
    }
    fprintf(f, "],\n  \"change_points_ns\": [");
    if (t->phase_count > 1)
        fprintf(f, "%" PRIu64, t->phases[1].start);
    fprintf(f, "],\n");
}

static void write_levels(FILE *f, const struct gen_truth *t, const struct gen_options *o)
{
    fprintf(f, "  \"levels\": [");
    for (uint64_t i = 0; i < o->levels && t->iterations > 0; i++) {
        uint64_t sum = 0, seen = 0;

        for (uint64_t k = 0; k < t->phase_count; k++) {
            sum += t->phases[k].level_sum[i];
            seen += t->phases[k].level_seen[i];
        }

        fprintf(f,
                "%s\n    {\"level\": %" PRIu64 ", \"count\": %" PRIu64
                ", \"period_ns\": {\"mean\": %.1f}}",
                i > 0 ? "," : "", i + 1, o->inner[i], mean(sum, seen));
    }
    fprintf(f, "],\n");
}

static void write_masks(FILE *f, const struct gen_truth *t)
{
    fprintf(f, "  \"masked_total\": %" PRIu64 ",\n  \"masked\": [", t->masks_seen);
    for (uint64_t i = 0; i < t->masks_seen && i < GEN_LISTED; i++) {
        const struct gen_mask *m = &t->masks[i];

        fprintf(f,
                "%s\n    {\"cause\": \"%s\", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
                ", \"thread\": ",
                i > 0 ? "," : "", m->cause, m->start, m->end);
        if (m->application == 0)
            fprintf(f, "\"all\"}");
        else
            fprintf(f, "\"%u.%u.%u\"}", m->application, m->task, m->thread);
    }
    fprintf(f, "],\n");
}

static void write_applications(FILE *f, const struct gen_truth *t, const struct gen_options *o)
{
    fprintf(f, "  \"applications\": [");
    for (uint64_t i = 0; i < o->applications && t->iterations > 0; i++) {
        const struct gen_application *a = &t->application[i];

        fprintf(f,
                "%s\n    {\"application\": %" PRIu64 ", \"start_ns\": %" PRIu64
                ", \"end_ns\": %" PRIu64 ", \"iterations\": %" PRIu64
                ", \"period_ns\": {\"mean\": %.1f}}",
                i > 0 ? "," : "", i + 1, a->start, a->end, a->iterations,
                mean(a->end - a->start, a->iterations));
    }
    fprintf(f, "],\n  \"bystanders\": [");
    for (uint64_t i = 0; i < t->bystanders_seen; i++) {
        const struct gen_mask *b = &t->bystanders[i];

        fprintf(f,
                "%s\n    {\"kind\": \"%s\", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
                ", \"thread\": \"%u.%u.%u\"}",
                i > 0 ? "," : "", b->cause, b->start, b->end, b->application, b->task, b->thread);
    }
    fprintf(f, "],\n");
}

static void write_departures(FILE *f, const struct gen_truth *t, const struct gen_options *o)
{
    if (o->every_k == 0 || t->iterations == 0)
        fprintf(f, "  \"departures\": null,\n");
    else
        fprintf(f,
                "  \"departures\": {\"first\": %" PRIu64 ", \"every\": %" PRIu64
                ", \"count\": %" PRIu64 "},\n",
                o->every_k - 1, o->every_k, t->iterations / o->every_k);
}

/* Whole lines only: what is not listed any more is left out. */
static void write_inner(FILE *f, const struct gen_truth *t, const struct gen_options *o)
{
    const uint64_t each = o->levels > 0 ? o->inner[0] + 1 : 0;
    const uint64_t listed = t->inner_seen < GEN_LISTED ? t->inner_seen : GEN_LISTED;

    fprintf(f, "  \"inner_starts_ns\": [");
    for (uint64_t at = 0; each > 0 && at + each <= listed; at += each) {
        fprintf(f, "%s\n    {\"at\": [", at > 0 ? "," : "");
        for (uint64_t i = 0; i < each; i++)
            fprintf(f, "%s%" PRIu64, i > 0 ? ", " : "", t->inner[at + i]);
        fprintf(f, "]}");
    }
    fprintf(f, "],\n");
}

static void write_starts(FILE *f, const struct gen_truth *t)
{
    fprintf(f, "  \"starts_ns\": [");
    for (uint64_t i = 0; i < t->iterations && i < GEN_LISTED; i++)
        fprintf(f, "%s\n    [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", i > 0 ? "," : "",
                t->starts[i].first, t->starts[i].last, t->starts[i].one);
    fprintf(f, "]\n");
}

void gen_truth_write(const struct gen_truth *t, const struct gen_options *o,
                     const struct gen_lines *l, int argc, char **argv)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s.truth.json", o->name);
    f = fopen(path, "w");
    if (f == NULL)
        gen_die(path);
    fprintf(f, "{\n  \"options\": [");
    for (int i = 1; i < argc; i++) {
        if (argv[i] == o->name)
            continue;
        write_text(f, argv[i]);
        if (i + 1 < argc && !(argv[i + 1] == o->name && i + 2 == argc))
            fprintf(f, ", ");
    }
    fprintf(f, "],\n");
    write_head(f, t, o, l);
    write_phases(f, t, o);
    write_levels(f, t, o);
    write_applications(f, t, o);
    write_departures(f, t, o);
    write_masks(f, t);
    write_inner(f, t, o);
    write_starts(f, t);
    fprintf(f, "}\n");
    if (ferror(f) || fclose(f) != 0)
        gen_die(path);
}
