#include "api/database_notes.h"

#include "report/brief.h"
#include "report/patterns.h"
#include "report/profile.h"
#include "report/waits.h"

#include <stdlib.h>
#include <string.h>

/* "note: 3 damaged records skipped" */
static enum prvcut_status dnt_line(struct dbs *d, const char *about, char *line,
                                   struct prvcut_error *err)
{
    char *text = strstr(line, ": ");

    if (!text || (strncmp(line, "note", 4) != 0 && strncmp(line, "warning", 7) != 0))
        return PRVCUT_OK;
    *text = '\0';
    return dbs_put_note(d, about, line, text + 2, err);
}

/* Line by line, of which l is released. */
static enum prvcut_status dnt_lines(struct dbs *d, const char *about, struct report_lines *l,
                                    struct prvcut_error *err)
{
    char *text = NULL;
    enum prvcut_status st = report_take(l, &text);

    for (char *at = text; st == PRVCUT_OK && at && *at;) {
        char *end = at + strcspn(at, "\n");
        const bool more = *end != '\0';

        *end = '\0';
        st = dnt_line(d, about, at, err);
        at = end + more;
    }
    free(text);
    return st;
}

/* How sure the main loop is, and why. */
static enum prvcut_status dnt_sure(struct dbs *d, const struct made_reduction *r,
                                   struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put_sure(&l, r);
    return dnt_lines(d, "structure", &l, err);
}

enum prvcut_status api_note_structure(struct dbs *d, const struct made_reduction *r,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = dnt_sure(d, r, err);

    for (unsigned i = 0; i < r->is.notes && st == PRVCUT_OK; i++)
        st = dbs_put_note(d, "structure", "note", r->note[i], err);
    return st;
}

enum prvcut_status api_note_profile(struct dbs *d, const struct prvcut_profile *p,
                                    struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_profile_notes(&l, p);
    return dnt_lines(d, "profile", &l, err);
}

enum prvcut_status api_note_waits(struct dbs *d, const struct prvcut_wait_states *w,
                                  struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_waits_notes(&l, w);
    return dnt_lines(d, "waits", &l, err);
}

enum prvcut_status api_note_patterns(struct dbs *d, const struct prvcut_patterns *p,
                                     struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_patterns_notes(&l, p);
    return dnt_lines(d, "patterns", &l, err);
}
