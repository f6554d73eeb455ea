#include "paraver/cut_files.h"

#include "base/memory.h"
#include "model/texts.h"
#include "paraver/view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* OUT.prv[.gz|.zst] -> OUT.pcf; owned. */
static char *cut_files_companion(const char *path, const char *suffix)
{
    size_t length = strlen(path);
    char *out = prvcut_unset(1, length + strlen(suffix) + 1, "a file name", NULL);

    if (!out)
        return NULL;
    if (length > 4 && strcmp(path + length - 4, ".zst") == 0)
        length -= 4;
    else if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    if (length > 4 && strncmp(path + length - 4, ".prv", 4) == 0)
        length -= 4;
    memcpy(out, path, length);
    strcpy(out + length, suffix);
    return out;
}

/* One more file of the set; takes `to` over. */
static enum prvcut_status cut_files_add_empty(struct prv_files *f, char *to,
                                              enum prvcut_codec codec, bool force,
                                              struct prvcut_error *err)
{
    const struct prvcut_output_file file = { to, codec, force };
    enum prvcut_status st = PRVCUT_OK;

    if (!to)
        return prvcut_no_memory(err, "a file name");
    f->path[f->count] = to;
    if (!f->set)
        st = prvcut_commit_new(&f->set, err);
    return st < 0 ? st : prvcut_output_join(&f->out[f->count++], f->set, &file, err);
}

static enum prvcut_status cut_files_add_copy(struct prv_files *f, const char *from, char *to,
                                             bool force, struct prvcut_error *err)
{
    char *bytes = NULL;
    size_t count = 0;
    enum prvcut_status st = cut_files_add_empty(f, to, PRVCUT_PLAIN, force, err);

    if (st == PRVCUT_OK)
        st = prvcut_source_slurp_text(from, PRV_LABELS_MOST, &bytes, &count, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_write(f->out[f->count - 1], bytes, count, err);
    free(bytes);
    return st;
}

/* How Paraver is to show the trace. */
static enum prvcut_status cut_files_add_view(struct prv_files *f, const struct prv_labels *labels,
                                             const struct prvcut_cut_options *o,
                                             struct prvcut_error *err)
{
    struct prvcut_put text = { .err = err };
    enum prvcut_status st;

    prv_view_text(&text, labels);
    st = text.st;
    if (st == PRVCUT_OK)
        st = cut_files_add_empty(f, cut_files_companion(o->path, ".cfg"), PRVCUT_PLAIN, o->force,
                                 err);
    if (st == PRVCUT_OK)
        st = prvcut_output_write(f->out[f->count - 1], text.b.at, text.b.count, err);
    prvcut_buffer_fini(&text.b);
    return st;
}

/* The main file first. */
static enum prvcut_status cut_files_name(struct prv_files *f, struct prvcut_cut_summary *sum,
                                         struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < f->count && st == PRVCUT_OK; i++) {
        char **path = &f->path[(i + f->count - 1) % f->count];

        st = prvcut_texts_take(&sum->file, &sum->files, *path, err);
        *path = NULL;
    }
    return st;
}

static enum prvcut_status cut_files_finish_one(struct prv_files *f, unsigned i,
                                               struct prvcut_cut_summary *sum,
                                               struct prvcut_error *err)
{
    uint64_t size = 0;
    enum prvcut_status st;

    if (!f->out[i])
        return PRVCUT_OK;
    st = prvcut_output_finish(f->out[i], &size, err);
    f->out[i] = NULL;
    sum->size += size;
    if (i + 1 == f->count)
        sum->disk = size;
    return st;
}

enum prvcut_status prv_files_close_companions(struct prv_files *f, struct prvcut_cut_summary *sum,
                                              struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    f->labels = NULL;
    for (unsigned i = 0; i + 1 < f->count && st == PRVCUT_OK; i++)
        st = cut_files_finish_one(f, i, sum, err);
    return st;
}

enum prvcut_status prv_files_finish(struct prv_files *f, struct prvcut_cut_summary *sum,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0; i < f->count && st == PRVCUT_OK; i++)
        st = cut_files_finish_one(f, i, sum, err);
    return st < 0 ? st : cut_files_name(f, sum, err);
}

enum prvcut_status prv_files_commit(struct prv_files *f, struct prvcut_cut_summary *sum,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = prv_files_finish(f, sum, err);

    if (st == PRVCUT_OK) {
        st = prvcut_commit_all(f->set, err);
        f->set = NULL;
    }
    return st;
}

void prv_files_fini(struct prv_files *f)
{
    for (size_t i = 0; i < sizeof f->path / sizeof *f->path; i++) {
        prvcut_output_abandon(f->out[i]);
        free(f->path[i]);
    }
    if (!f->borrowed)
        prvcut_commit_abandon(f->set);
}

static bool cut_files_is_file_name(const char *path)
{
    struct stat s;

    return strcmp(path, "-") != 0 && (stat(path, &s) != 0 || S_ISREG(s.st_mode));
}

enum prvcut_status prv_files_open(struct prv_files *f, const struct prv_labels *labels,
                                  const struct prvcut_cut_options *o, struct prvcut_output **main,
                                  struct prvcut_error *err)
{
    /* A pipe or a device has no place for companions beside it. */
    const bool stream = !cut_files_is_file_name(o->path);
    enum prvcut_status st = PRVCUT_OK;

    if (labels->pcf_path && !stream) {
        st = cut_files_add_copy(f, labels->pcf_path, cut_files_companion(o->path, ".pcf"), o->force,
                                err);
        f->labels = f->out[0];
    }
    if (st == PRVCUT_OK && labels->row_path && !stream)
        st = cut_files_add_copy(f, labels->row_path, cut_files_companion(o->path, ".row"), o->force,
                                err);
    if (st == PRVCUT_OK && o->view && !stream)
        st = cut_files_add_view(f, labels, o, err);
    if (st < 0)
        return st;
    st = cut_files_add_empty(f, prvcut_copied_text(o->path, "a file name", err),
                             prvcut_codec_of_name(o->path), o->force, err);
    if (st == PRVCUT_OK)
        *main = f->out[f->count - 1];
    return st;
}

enum prvcut_status prv_files_label(struct prv_files *f, const char *text, struct prvcut_error *err)
{
    return f->labels ? prvcut_output_write(f->labels, text, strlen(text), err) : PRVCUT_OK;
}

enum prvcut_status prv_files_create(struct prv_files *f, const char *path, bool force,
                                    struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (cut_files_is_file_name(path)) {
        st = cut_files_add_empty(f, cut_files_companion(path, ".pcf"), PRVCUT_PLAIN, force, err);
        if (st == PRVCUT_OK)
            st =
                cut_files_add_empty(f, cut_files_companion(path, ".row"), PRVCUT_PLAIN, force, err);
    }
    return st < 0 ? st
                  : cut_files_add_empty(f, prvcut_copied_text(path, "a file name", err),
                                        prvcut_codec_of_name(path), force, err);
}
