#include "paraver/write.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/room.h"
#include "model/formats.h"
#include "model/texts.h"

#include <stdlib.h>
#include <string.h>

#define TEXT PRVCUT_ROOM((size_t)256 << 10)
/* What one record may add to the text: numbers of 20 digits, two prefixes. */
#define LINE ((size_t)512)
/* Pairs of one line; Paraver's own tools take no more than 1024. */
#define PAIRS_MAX 1000
/* Types at hand, and how many without a name are listed. */
#define MET_BITS     8
#define NAMELESS_MAX ((size_t)1 << 16)

static void write_put_number(struct prv_writing *w, uint64_t n)
{
    char digits[20], *at = digits + sizeof digits;
    size_t count;

    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    count = (size_t)(digits + sizeof digits - at);
    memcpy(w->text + w->count, at, count);
    w->count += count;
}

static void write_put_signed(struct prv_writing *w, int64_t n)
{
    if (n < 0)
        w->text[w->count++] = '-';
    write_put_number(w, n < 0 ? UINT64_C(0) - (uint64_t)n : (uint64_t)n);
}

static void write_put_colon_number(struct prv_writing *w, uint64_t n)
{
    w->text[w->count++] = ':';
    write_put_number(w, n);
}

static void write_put_prefix(struct prv_writing *w, uint32_t thread)
{
    const size_t begin = w->prefix_at[thread], count = w->prefix_at[thread + 1] - begin;

    memcpy(w->text + w->count, w->prefix + begin, count);
    w->count += count;
}

static void write_flush(struct prv_writing *w)
{
    w->bytes += w->count;
    if (w->st == PRVCUT_OK)
        w->st = prvcut_output_write(w->main, w->text, w->count, w->err);
    w->count = 0;
}

/* Begin a line of a kind: room for it, the line before it ended. */
static void write_begin_line(struct prv_writing *w, char kind, uint32_t thread)
{
    if (w->open)
        w->text[w->count++] = '\n';
    w->open = false;
    if (w->count + LINE > TEXT)
        write_flush(w);
    w->text[w->count++] = kind;
    w->text[w->count++] = ':';
    write_put_prefix(w, thread);
}

static void write_put_message(struct prv_writing *w, const struct prvcut_item *i)
{
    write_begin_line(w, '3', i->thread);
    write_put_number(w, i->time);
    write_put_colon_number(w, i->message.physical_send);
    w->text[w->count++] = ':';
    write_put_prefix(w, i->message.receiver);
    write_put_number(w, i->message.logical_receive);
    write_put_colon_number(w, i->message.physical_receive);
    write_put_colon_number(w, i->message.size);
    w->text[w->count++] = ':';
    write_put_signed(w, i->message.tag);
    w->text[w->count++] = '\n';
}

static bool write_sooner(const struct prv_later *a, const struct prv_later *b)
{
    const uint64_t x = a->item.message.physical_send, y = b->item.message.physical_send;

    return x != y ? x < y : a->number < b->number;
}

static void write_push_later(struct prv_writing *w, const struct prvcut_item *item)
{
    const struct prv_later new = { w->numbers++, *item };
    size_t i = w->laters;

    if (w->st == PRVCUT_OK)
        w->st = prvcut_grow((void **)&w->later, &w->later_room, w->laters + 1, sizeof *w->later,
                            w->err);
    if (w->st < 0)
        return;
    for (w->laters++; i > 0 && write_sooner(&new, &w->later[(i - 1) / 2]); i = (i - 1) / 2)
        w->later[i] = w->later[(i - 1) / 2];
    w->later[i] = new;
}

static void write_pop_later(struct prv_writing *w)
{
    const struct prv_later last = w->later[--w->laters];
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= w->laters)
            break;
        if (child + 1 < w->laters && write_sooner(&w->later[child + 1], &w->later[child]))
            child++;
        if (!write_sooner(&w->later[child], &last))
            break;
        w->later[i] = w->later[child];
        i = child;
    }
    w->later[i] = last;
}

/* Messages that were physically sent before that time. */
static void write_put_laters(struct prv_writing *w, uint64_t time)
{
    while (w->laters > 0 && w->later[0].item.message.physical_send < time) {
        write_put_message(w, &w->later[0].item);
        write_pop_later(w);
    }
}

static void write_put_state(struct prv_writing *w, const struct prvcut_item *i)
{
    write_begin_line(w, '1', i->thread);
    write_put_number(w, i->time);
    write_put_colon_number(w, i->state.end);
    write_put_colon_number(w, i->state.number);
    w->text[w->count++] = '\n';
}

/* A type without a name gets a line in the .pcf. */
static void write_note_type(struct prv_writing *w, uint32_t type)
{
    uint32_t *met = &w->met[prvcut_table_place(type, MET_BITS)];

    if (*met == type && type != 0)
        return;
    *met = type;
    if (!prvcut_dictionary_type(w->outline.dictionary, type) && w->nameless.count < NAMELESS_MAX &&
        !prvcut_table_make(&w->nameless, &type, w->err))
        w->st = PRVCUT_ENOMEM;
}

/* Pairs of one record are one line. */
static void write_put_event(struct prv_writing *w, const struct prvcut_item *i)
{
    if (i->head || !w->open || w->thread != i->thread || w->time != i->time ||
        w->pairs == PAIRS_MAX) {
        write_begin_line(w, '2', i->thread);
        write_put_number(w, i->time);
        w->open = true;
        w->thread = i->thread;
        w->time = i->time;
        w->pairs = 0;
    } else if (w->count + LINE > TEXT) {
        write_flush(w);
    }
    w->pairs++;
    write_note_type(w, i->event.type);
    write_put_colon_number(w, i->event.type);
    w->text[w->count++] = ':';
    write_put_signed(w, i->event.value);
}

/* Of an intercommunicator the model knows no members. */
static void write_count_communicators(struct prv_writing *w, struct made_convert_summary *sum)
{
    for (uint32_t i = 0; i < w->outline.objects->communicators && !w->counted; i++)
        sum->lost[PRVCUT_CARRY_COMMUNICATORS] += w->outline.objects->communicator[i].count == 0;
    w->counted = true;
}

static enum prvcut_status write_prv_put(struct prvcut_writing *base, const struct prvcut_item *item,
                                        size_t count, struct made_convert_summary *sum,
                                        struct prvcut_error *err)
{
    struct prv_writing *w = (struct prv_writing *)base;

    w->err = err;
    write_count_communicators(w, sum);
    for (size_t i = 0; i < count && w->st == PRVCUT_OK; i++) {
        write_put_laters(w, item[i].time);
        if (item[i].kind == PRVCUT_ITEM_STATE)
            write_put_state(w, &item[i]);
        else if (item[i].kind == PRVCUT_ITEM_EVENT)
            write_put_event(w, &item[i]);
        else
            write_push_later(w, &item[i]);
    }
    return w->st;
}

static void write_prv_release(struct prv_writing *w)
{
    prv_files_fini(&w->files);
    free(w->text);
    free(w->prefix);
    free(w->prefix_at);
    free(w->later);
    free(w->met);
    prvcut_table_fini(&w->nameless);
    free(w);
}

static void write_prv_abandon(struct prvcut_writing *base)
{
    write_prv_release((struct prv_writing *)base);
}

/* A whole text, which is released. */
static enum prvcut_status write_text(struct prvcut_output *out, struct prvcut_put *text)
{
    const enum prvcut_status st =
        text->st < 0 ? text->st : prvcut_output_write(out, text->b.at, text->b.count, text->err);

    prvcut_buffer_fini(&text->b);
    return st;
}

/* The companions hold nothing that is known only at the end, but the .prv comes first. */
static enum prvcut_status write_put_companions(struct prv_writing *w, struct prvcut_error *err)
{
    struct prvcut_put pcf = { .err = err }, row = { .err = err };
    enum prvcut_status st = PRVCUT_OK;

    if (w->files.count == 3) {
        prv_write_pcf(&pcf, w->outline.dictionary);
        prv_write_nameless(&pcf, w->nameless.at, w->nameless.count);
        st = write_text(w->files.out[0], &pcf);
        if (st == PRVCUT_OK) {
            prv_write_row(&row, &w->outline);
            st = write_text(w->files.out[1], &row);
        }
    }
    return st;
}

static enum prvcut_status write_prv_commit(struct prvcut_writing *base,
                                           struct made_convert_summary *sum,
                                           struct prvcut_error *err)
{
    struct prv_writing *w = (struct prv_writing *)base;
    struct prvcut_cut_summary files = { 0 };
    enum prvcut_status st;

    w->err = err;
    write_put_laters(w, UINT64_MAX);
    if (w->open)
        w->text[w->count++] = '\n';
    write_flush(w);
    st = w->st < 0 ? w->st : write_put_companions(w, err);
    if (st == PRVCUT_OK)
        st = prv_files_commit(&w->files, &files, err);
    if (st == PRVCUT_OK) {
        sum->is.file = files.file;
        sum->is.files = files.files;
        sum->is.bytes = files.size;
    } else {
        prvcut_texts_free(files.file, files.files);
    }
    write_prv_release(w);
    return st;
}

static enum prvcut_status write_start(struct prv_writing *w, const char *path, bool force,
                                      struct prvcut_error *err)
{
    struct prvcut_put header = { .err = err };
    enum prvcut_status st = prv_files_create(&w->files, path, force, err);

    if (st < 0)
        return st;
    w->main = w->files.out[w->files.count - 1];
    prvcut_output_workers(w->main, prvcut_workers(w->outline.threads));
    w->text = prvcut_unset(1, TEXT, "the output", err);
    w->met = prvcut_zeroed((size_t)1 << MET_BITS, sizeof *w->met, "the output", err);
    w->nameless = (struct prvcut_table)PRVCUT_TABLE_SET(uint32_t, "event types");
    if (!w->text || !w->met)
        return PRVCUT_ENOMEM;
    st = prv_write_prefixes(w->outline.objects, &w->prefix, &w->prefix_at, err);
    if (st < 0)
        return st;
    prv_write_header(&header, &w->outline);
    w->bytes = header.b.count;
    return write_text(w->main, &header);
}

static enum prvcut_status write_open_writing(struct prvcut_writing **out, const char *path,
                                             const struct prvcut_outline *outline,
                                             const struct prvcut_convert_options *options,
                                             struct prvcut_error *err)
{
    struct prv_writing *w = prvcut_zeroed(1, sizeof *w, "the output", err);
    enum prvcut_status st;

    *out = NULL;
    if (!w)
        return PRVCUT_ENOMEM;
    w->base.writer = &prvcut_paraver_writer;
    w->outline = *outline;
    st = write_start(w, path, options->force, err);
    if (st < 0) {
        write_prv_release(w);
        return st;
    }
    *out = &w->base;
    return PRVCUT_OK;
}

const struct prvcut_writer prvcut_paraver_writer = {
    .format = &prvcut_paraver_format,
    .summary = "Paraver .prv trace with its .pcf and .row",
    .carries = (UINT64_C(1) << PRVCUT_CARRIES) - 1,
    .order = PRVCUT_BY_TIME,
    .whole_messages = true,
    .open = write_open_writing,
    .put = write_prv_put,
    .commit = write_prv_commit,
    .abandon = write_prv_abandon,
};
