#include "api/job.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 2, 0)))
jrp_note(struct job *j, const char *format, va_list ap)
{
    struct made_reduction *r = j->out;
    char text[256];

    if (r->is.notes == sizeof r->note / sizeof *r->note)
        return;
    vsnprintf(text, sizeof text, format, ap);
    r->note[r->is.notes] = prvcut_copied_text(text, "a note", NULL);
    r->is.notes += r->note[r->is.notes] != NULL;
}

void job_note(struct job *j, const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    jrp_note(j, format, ap);
    va_end(ap);
}

void job_aside(struct job *j, const char *format, ...)
{
    const unsigned before = j->out->is.notes;
    va_list ap;

    va_start(ap, format);
    jrp_note(j, format, ap);
    va_end(ap);
    if (j->out->is.notes > before)
        j->out->asides |= UINT32_C(1) << before;
}

struct prvcut_window job_window(const struct made_chop *chop, uint64_t *border)
{
    struct prvcut_window w = { .from = chop->cut.window.start, .to = chop->cut.window.end };

    if (!chop->is.thread)
        return w;
    for (uint32_t i = 0; i < chop->is.threads; i++) {
        border[i] = chop->is.thread[i].start;
        border[chop->is.threads + i] = chop->is.thread[i].end;
    }
    w.thread_from = border;
    w.thread_to = border + chop->is.threads;
    return w;
}

enum prvcut_status job_page_without(struct job *j, enum prvcut_status st, const char *what,
                                    struct prvcut_error *err)
{
    if (st != PRVCUT_ELIMIT)
        return st;
    job_aside(j, "%s: %.200s", what, err->text);
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_OK;
}
