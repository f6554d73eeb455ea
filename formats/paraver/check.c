#include "paraver/check.h"
#include "base/memory.h"

#include "paraver/check_records.h"
#include "paraver/lines.h"
#include "paraver/parse.h"
#include "paraver/row.h"

#include <inttypes.h>
#include <string.h>

/* Lines between two looks at the caller's stop. */
#define LINES_PER_LOOK 32768u

/* What the reader of the header bent. */
static void check_bent(struct prv_check_result *out, enum prv_finding_kind kind,
                       const struct prv_header *h, enum prvcut_bent bent)
{
    const struct prvcut_bent_count *c = &h->bent[bent];

    if (c->count == 0)
        return;
    prv_finding_add(out, kind, c->line, "%s", prvcut_bent_infos[bent].taken);
    out->finding[kind].count = c->count;
}

static void check_header(struct prv_check_result *out, const struct prv_header *h)
{
    if (h->communicators_counted && h->communicators_promised != h->communicator_lines)
        prv_finding_add(out, PRV_FIND_COMMUNICATOR_COUNT, 1,
                        "%" PRIu64 " communicators are announced, %" PRIu64 " lines follow",
                        h->communicators_promised, h->communicator_lines);
    if (!h->communicators_counted && h->communicator_lines > 0)
        prv_finding_add(out, PRV_FIND_COMMUNICATOR_UNCOUNTED, 1,
                        "%" PRIu64 " communicator lines follow", h->communicator_lines);
    check_bent(out, PRV_FIND_COMMUNICATOR_MEMBER, h, PRVCUT_BENT_COMMUNICATOR);
    check_bent(out, PRV_FIND_TASK_NODE, h, PRVCUT_BENT_NODE);
    /* The counts of lines go on behind the header. */
    out->counts.lines = h->lines;
    out->counts.bytes = h->text_count;
    for (size_t i = 1; i < h->text_count; i++) {
        if (h->text[i] == '\n' && h->text[i - 1] == '\r') {
            prv_finding_add(out, PRV_FIND_CRLF, 1, "the header's lines end in CR LF");
            break;
        }
    }
}

static void check_pcf(struct prv_check_result *out, const struct prv_labels *l, uint64_t damaged)
{
    if (!l->pcf_path)
        prv_finding_add(out, PRV_FIND_PCF_MISSING, 0, "Extrae's event numbers are used instead");
    if (l->pcf_crlf)
        prv_finding_add(out, PRV_FIND_PCF_CRLF, 0, "%s", l->pcf_path);
    if (damaged > 0)
        prv_finding_add(out, PRV_FIND_PCF_DAMAGED, damaged, "%s:%" PRIu64, l->pcf_path, damaged);
}

static void check_row_level(struct prv_check_result *out, const char *path,
                            const struct prv_row_level *level, uint64_t objects)
{
    if (level->size != objects)
        prv_finding_add(out, PRV_FIND_ROW_SIZE, level->line,
                        "%s:%" PRIu64 ": LEVEL %s SIZE %" PRIu64 ", the header has %" PRIu64, path,
                        level->line, level->kind, level->size, objects);
    else if (level->count != level->size)
        prv_finding_add(out, PRV_FIND_ROW_SIZE, level->line,
                        "%s:%" PRIu64 ": LEVEL %s SIZE %" PRIu64 ", but %zu names follow", path,
                        level->line, level->kind, level->size, level->count);
}

static enum prvcut_status check_row(struct prv_check_result *out, const struct prv_header *h,
                                    const char *path, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &h->objects;
    const struct {
        const char *kind;
        uint64_t count;
    } kinds[] = { { "THREAD", o->threads },
                  { "TASK", o->tasks },
                  { "APPL", o->applications },
                  { "CPU", o->cpus },
                  { "NODE", o->nodes } };
    struct prvcut_error local = { 0 };
    struct prv_row row;
    enum prvcut_status st;

    if (!path) {
        prv_finding_add(out, PRV_FIND_ROW_MISSING, 0, "objects have numbers only");
        return PRVCUT_OK;
    }
    st = prv_row_read(&row, path, &local);
    if (st == PRVCUT_OK && row.damaged_line > 0)
        prv_finding_add(out, PRV_FIND_ROW_DAMAGED, row.damaged_line, "%s:%" PRIu64, path,
                        row.damaged_line);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && st == PRVCUT_OK; i++) {
        const struct prv_row_level *level = prv_row_find(&row, kinds[i].kind);

        /* Without a node list there is nothing to compare nodes and cpus with. */
        if (level && kinds[i].count > 0)
            check_row_level(out, path, level, kinds[i].count);
    }
    prv_row_fini(&row);
    if (st == PRVCUT_EFORMAT) {
        prv_finding_add(out, PRV_FIND_ROW_DAMAGED, 1, "%s", local.text);
        return PRVCUT_OK;
    }
    return st < 0 ? prvcut_fail(err, st, "%s", local.text) : PRVCUT_OK;
}

static enum prvcut_status check_look(const struct prvcut_run *run,
                                     const struct prvcut_source *source, struct prvcut_error *err)
{
    if (!run)
        return PRVCUT_OK;
    if (run->progress)
        run->progress(run->ctx, PRVCUT_PHASE_CHECKING, prvcut_source_consumed(source),
                      prvcut_source_size(source));
    if (run->stop && run->stop(run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return PRVCUT_OK;
}

/* vouched: the last line is as its writer left it. */
static enum prvcut_status check_line(struct prv_checker *c, const struct prv_line *line,
                                     bool vouched)
{
    struct prvcut_counts *counts = &c->out->counts;

    c->line++;
    counts->lines++;
    counts->bytes += line->bytes;
    if (line->crlf)
        prv_finding_add(c->out, PRV_FIND_CRLF, c->line, "the line ends in CR LF");
    if (line->unterminated)
        prv_finding_add(c->out,
                        vouched || prv_last_line_is_whole(line->at, line->end)
                            ? PRV_FIND_LAST_LINE_END
                            : PRV_FIND_LAST_LINE,
                        c->line, "no line end after '%.*s'",
                        (int)(line->end - line->at < 80 ? line->end - line->at : 80), line->at);
    if (line->too_long) {
        prv_finding_add(c->out, PRV_FIND_LINE_LENGTH, c->line,
                        "%" PRIu64 " bytes, more than %zu, after '%.*s'", line->bytes, PRV_LINE_MAX,
                        40, line->at);
        return PRVCUT_OK;
    }
    return prv_checker_line(c, line->at, line->end);
}

static enum prvcut_status check_lines(struct prv_checker *c, struct prv_lines *lines,
                                      const struct prvcut_run *run, struct prvcut_error *err)
{
    const bool vouched = prvcut_source_codec(lines->source) != PRVCUT_PLAIN;
    struct prvcut_error local = { 0 };
    struct prv_line line;
    enum prvcut_status st;

    while ((st = prv_lines_next(lines, &line, &local)) == PRVCUT_OK) {
        if ((st = check_line(c, &line, vouched)) < 0)
            return st;
        if (c->line % LINES_PER_LOOK == 0 && (st = check_look(run, lines->source, err)) < 0)
            return st;
    }
    if (st == PRVCUT_EFORMAT)
        prv_finding_add(c->out, PRV_FIND_STREAM, c->line, "%s", local.text);
    else if (st < 0)
        return prvcut_fail(err, st, "%s", local.text);
    return prv_checker_end(c);
}

/* Does a comment tell that the trace is a cut, or that records were filtered out of it? */
static bool check_tells_part(const char *line, size_t length)
{
    static const char own[] = "#prvcut ", filter[] = ": prvcut filter ", tasks[] = " --tasks ";
    const char *end = line + length, *filtered = strstr(line, filter), *some = strstr(line, tasks);
    const size_t stamp = strcspn(line, ":");

    if (*line != '#')
        return false;
    if (stamp < length && strncmp(line + stamp, ":CUTTER:", 8) == 0)
        return true;
    return strncmp(line, own, strlen(own)) == 0 &&
           ((filtered && filtered < end) || (some && some < end));
}

/* A cut ends where its window does, whatever lies there; a trace of some records keeps the duration
   of the run. */
static bool check_is_part(const struct prv_header *h)
{
    const char *at = h->text;

    while (at && (at = strchr(at, '\n')) != NULL)
        if (at++, check_tells_part(at, strcspn(at, "\n")))
            return true;
    return false;
}

static enum prvcut_status check_body(struct prv_check_result *out, const struct prv_header *header,
                                     const struct prv_labels *labels, struct prv_lines *lines,
                                     const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prv_checker checker;
    enum prvcut_status st = prv_checker_init(&checker, out, header, labels, err);

    if (st == PRVCUT_OK)
        st = check_lines(&checker, lines, run, err);
    if (st == PRVCUT_OK && !checker.records)
        prv_finding_add(out, PRV_FIND_NO_RECORDS, checker.line, "nothing follows the header");
    if (st == PRVCUT_OK && checker.records && checker.last < header->end && !check_is_part(header))
        prv_finding_add(out, PRV_FIND_DURATION, 1,
                        "the header says %" PRIu64 ", the last time is %" PRIu64, header->end,
                        checker.last);
    if (checker.records && checker.first != UINT64_MAX) {
        out->counts.first_ns = checker.first * header->unit_ns;
        out->counts.last_ns = checker.last * header->unit_ns;
    }
    prv_checker_fini(&checker);
    return st;
}

enum prvcut_status prv_check_source(struct prv_check_result *out, struct prvcut_source *source,
                                    const struct prvcut_open_options *options,
                                    const struct prvcut_run *run, struct prvcut_error *err)
{
    const char *path = prvcut_source_path(source);
    struct prvcut_buffer rest = { 0 };
    struct prv_header header = { 0 };
    struct prv_labels labels = { 0 };
    struct prv_lines lines = { 0 };
    uint64_t damaged = 0;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    if (run)
        prvcut_source_watch(source, run->stop, run->ctx);
    if ((st = prv_header_read(&header, source, &rest, err)) < 0 ||
        (st = prv_labels_read(&labels, path, options ? options->roles : NULL, &damaged, err)) < 0)
        goto out;
    check_header(out, &header);
    check_pcf(out, &labels, damaged);
    if ((st = check_row(out, &header, labels.row_path, err)) < 0 ||
        (st = prv_lines_init(&lines, source, &rest, err)) < 0)
        goto out;
    st = check_body(out, &header, &labels, &lines, run, err);
out:
    prv_lines_fini(&lines);
    prv_labels_fini(&labels);
    prv_header_fini(&header);
    prvcut_buffer_fini(&rest);
    prvcut_source_close(source);
    return st;
}

enum prvcut_status prv_check(struct prv_check_result *out, const char *path,
                             const struct prvcut_open_options *options,
                             const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_source *source = NULL;
    const enum prvcut_status st = prvcut_source_open(&source, path, err);

    memset(out, 0, sizeof *out);
    return st < 0 ? st : prv_check_source(out, source, options, run, err);
}

enum prvcut_status prv_check_findings(struct prvcut_findings *out, struct prvcut_source *source,
                                      const struct prvcut_open_options *options,
                                      const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prv_check_result *r = prvcut_unset(1, sizeof *r, "findings", NULL);
    enum prvcut_status st = PRVCUT_OK;

    out->at = prvcut_zeroed(PRV_FINDINGS, sizeof *out->at, "findings", NULL);
    if (!r || !out->at) {
        prvcut_source_close(source);
        st = prvcut_no_memory(err, "findings");
    } else {
        out->room = PRV_FINDINGS;
        st = prv_check_source(r, source, options, run, err);
    }
    if (st == PRVCUT_OK)
        prv_findings_tell(out, r);
    free(r);
    return st;
}
