#ifndef TESTS_API_HAND_H
#define TESTS_API_HAND_H

#include "convert/convert.h"
#include "hand_trace.h"

/* A writer that prints what it gets, of a trace made by hand. */

/** Prints; one at a time. */
struct hand_writing {
    struct prvcut_writing base;
    FILE *file;
};

static char *printed;
static size_t printed_count;
static bool abandoned;
static uint64_t carries_not; /* what the writer says it cannot carry */
static unsigned lose;        /* what the writer cannot carry: enum prvcut_carry + 1 */

static void print_outline(FILE *f, const struct prvcut_outline *o)
{
    fprintf(f, "end %" PRIu64, o->end_ns);
    for (uint32_t a = 0; a < o->objects->applications; a++)
        fprintf(f, " app %" PRIu32 "-%" PRIu32, o->objects->application_first_task[a],
                o->objects->application_first_task[a + 1]);
    for (uint32_t t = 0; t < o->objects->threads; t++)
        fprintf(f, " %s/%s", o->dictionary->task[o->objects->thread_task[t]],
                o->dictionary->thread[t]);
    for (uint32_t c = 0; c < o->objects->communicators; c++) {
        const struct prvcut_communicator *x = &o->objects->communicator[c];

        fprintf(f, " comm %" PRIu32 ".%" PRIu32, x->application, x->id);
        for (uint32_t m = x->first; m < x->first + x->count; m++)
            fprintf(f, ",%" PRIu32, o->objects->member[m]);
    }
    fputc('\n', f);
}

static enum prvcut_status hand_open(struct prvcut_writing **out, const char *path,
                                    const struct prvcut_outline *outline,
                                    const struct prvcut_convert_options *options,
                                    struct prvcut_error *err)
{
    struct hand_writing *w = calloc(1, sizeof *w);

    (void)path, (void)options, (void)err;
    ck_assert_ptr_nonnull(w);
    w->file = open_memstream(&printed, &printed_count);
    ck_assert_ptr_nonnull(w->file);
    print_outline(w->file, outline);
    *out = &w->base;
    return PRVCUT_OK;
}

static enum prvcut_status hand_put(struct prvcut_writing *w, const struct prvcut_item *item,
                                   size_t count, struct made_convert_summary *sum,
                                   struct prvcut_error *err)
{
    (void)err;
    if (lose > 0)
        sum->lost[lose - 1]++;
    for (size_t i = 0; i < count; i++)
        print_item(((struct hand_writing *)w)->file, &item[i]);
    return PRVCUT_OK;
}

static void hand_abandon(struct prvcut_writing *w)
{
    abandoned = true;
    fclose(((struct hand_writing *)w)->file);
    free(w);
}

static enum prvcut_status hand_commit(struct prvcut_writing *w, struct made_convert_summary *sum,
                                      struct prvcut_error *err)
{
    (void)sum, (void)err;
    fclose(((struct hand_writing *)w)->file);
    free(w);
    return PRVCUT_OK;
}

static const struct prvcut_format print_format = { .name = "print", .title = "Print" };

/* Writers of both orders, of messages whole and in halves. */
static struct prvcut_writer writer_of(enum prvcut_order order, bool whole)
{
    return (struct prvcut_writer){ .format = &print_format,
                                   .carries = ~carries_not,
                                   .order = order,
                                   .whole_messages = whole,
                                   .open = hand_open,
                                   .put = hand_put,
                                   .commit = hand_commit,
                                   .abandon = hand_abandon };
}

/** How to convert, and what comes of it. */
struct how {
    enum prvcut_order order;
    bool halves; /* the writer wants them */
    struct prvcut_convert_options options;
    int threads;
};

static enum prvcut_status convert(struct hand_trace *t, const struct how *how,
                                  struct made_convert_summary *sum, struct prvcut_error *err)
{
    const struct prvcut_writer writer = writer_of(how->order, !how->halves);
    const struct prvcut_run run = { .threads = how->threads > 0 ? how->threads : 1 };
    struct prvcut_convert_options options = how->options;
    const struct cnv_job job = {
        .trace = &t->base, .run = &run, .writer = &writer, .options = &options, .states = true
    };

    options.path = "nowhere";
    *sum = (struct made_convert_summary){ 0 };
    return cnv_run(&job, sum, err);
}

/* The text without its first line, which is about objects. */
static void expect(struct hand_trace *t, const struct how *how, struct made_convert_summary *sum,
                   const char *wanted)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(convert(t, how, sum, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_str_eq(strchr(printed, '\n') + 1, wanted);
    free(printed);
}

static void add_half(struct part *p, struct prvcut_half h)
{
    p->half[p->halves++] = h;
}

#endif
