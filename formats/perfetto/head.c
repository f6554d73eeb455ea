#include "perfetto/perfetto.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void head_print_escaped(struct prvcut_print *p, unsigned char c)
{
    char text[8];

    if (c == '"' || c == '\\')
        snprintf(text, sizeof text, "\\%c", c);
    else
        snprintf(text, sizeof text, "\\u%04x", (unsigned)c);
    prvcut_print_text(p, text);
}

void perfetto_print_string(struct prvcut_print *p, const char *text)
{
    const char *plain = text;

    prvcut_print_text(p, "\"");
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const size_t count =
            c < 0x20 || c == '"' || c == '\\' || c == 0x7f ? 0 : prvcut_utf8_bytes(text, NULL);

        if (count > 0) {
            text += count;
            continue;
        }
        prvcut_print_bytes(p, plain, (size_t)(text - plain));
        head_print_escaped(p, c);
        plain = ++text;
    }
    prvcut_print_bytes(p, plain, (size_t)(text - plain));
    prvcut_print_text(p, "\"");
}

void perfetto_print_event(struct perfetto_writing *w, const char *kind, uint32_t task)
{
    prvcut_print_text(&w->view.out, w->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    prvcut_print_text(&w->view.out, kind);
    prvcut_print_text(&w->view.out, "\",\"pid\":");
    prvcut_print_u64(&w->view.out, (uint64_t)task + 1);
    w->any = true;
}

void perfetto_print_track(struct perfetto_writing *w, uint32_t thread, bool states)
{
    prvcut_print_text(&w->view.out, ",\"tid\":");
    prvcut_print_u64(&w->view.out, w->first_track + 2 * (uint64_t)thread + (states ? 1 : 0));
}

void perfetto_print_at(struct perfetto_writing *w, const char *kind, uint32_t thread, bool states,
                       uint64_t time)
{
    perfetto_print_event(w, kind, w->view.outline->objects->thread_task[thread]);
    perfetto_print_track(w, thread, states);
    prvcut_print_text(&w->view.out, ",\"ts\":");
    prvcut_print_decimal(&w->view.out, time, 3);
}

void perfetto_print_name(struct perfetto_writing *w, const char *name, const char *category)
{
    prvcut_print_text(&w->view.out, ",\"name\":");
    perfetto_print_string(&w->view.out, name);
    prvcut_print_text(&w->view.out, ",\"cat\":");
    perfetto_print_string(&w->view.out, category);
}

void perfetto_print_arg(struct perfetto_writing *w, const char **between, const char *key,
                        int64_t value)
{
    prvcut_print_text(&w->view.out, *between);
    prvcut_print_text(&w->view.out, "\"");
    prvcut_print_text(&w->view.out, key);
    prvcut_print_text(&w->view.out, "\":");
    prvcut_print_i64(&w->view.out, value);
    *between = ",";
}

const char *perfetto_thread_text(char *out, size_t room, const struct prvcut_outline *o,
                                 uint32_t thread)
{
    uint32_t application, task, number;

    if (o->dictionary->thread && o->dictionary->thread[thread])
        return o->dictionary->thread[thread];
    prvcut_objects_name(o->objects, thread, &application, &task, &number);
    snprintf(out, room, "Thread %" PRIu32 ".%" PRIu32 ".%" PRIu32, application, task, number);
    return out;
}

/* A metadata event of a process, up to its value. */
static void head_process_fact(struct perfetto_writing *w, uint32_t task, const char *fact,
                              const char *key)
{
    perfetto_print_event(w, "M", task);
    prvcut_print_text(&w->view.out, ",\"name\":\"");
    prvcut_print_text(&w->view.out, fact);
    prvcut_print_text(&w->view.out, "\",\"args\":{\"");
    prvcut_print_text(&w->view.out, key);
    prvcut_print_text(&w->view.out, "\":");
}

static void head_thread_fact(struct perfetto_writing *w, uint32_t thread, bool states,
                             const char *fact, const char *key)
{
    perfetto_print_event(w, "M", w->view.outline->objects->thread_task[thread]);
    perfetto_print_track(w, thread, states);
    prvcut_print_text(&w->view.out, ",\"name\":\"");
    prvcut_print_text(&w->view.out, fact);
    prvcut_print_text(&w->view.out, "\",\"args\":{\"");
    prvcut_print_text(&w->view.out, key);
    prvcut_print_text(&w->view.out, "\":");
}

/* Program and node, where there are several. */
static void head_label_task(struct perfetto_writing *w, uint32_t application, uint32_t task)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    const char *const *named = w->view.outline->dictionary->node;
    char program[64] = "", node[64] = "", text[512];
    const char *on = node;

    if (o->applications > 1)
        snprintf(program, sizeof program, "program %" PRIu32, application + 1);
    if (o->nodes > 1 && o->task_node[task] < o->nodes) {
        snprintf(node, sizeof node, "node %" PRIu32, o->task_node[task] + 1);
        if (named && named[o->task_node[task]])
            on = named[o->task_node[task]];
    }
    if (!*program && !*on)
        return;
    snprintf(text, sizeof text, "%s%s%s", program, *program && *on ? "," : "", on);
    head_process_fact(w, task, "process_labels", "labels");
    perfetto_print_string(&w->view.out, text);
    prvcut_print_text(&w->view.out, "}}");
}

static void head_describe_task(struct perfetto_writing *w, uint32_t application, uint32_t task)
{
    const struct prvcut_objects *o = w->view.outline->objects;
    const struct prvcut_dictionary *d = w->view.outline->dictionary;
    char name[64];

    snprintf(name, sizeof name, "Task %" PRIu32 ".%" PRIu32, application + 1,
             task - o->application_first_task[application] + 1);
    head_process_fact(w, task, "process_name", "name");
    perfetto_print_string(&w->view.out, d->task && d->task[task] ? d->task[task] : name);
    prvcut_print_text(&w->view.out, "}}");
    head_process_fact(w, task, "process_sort_index", "sort_index");
    prvcut_print_u64(&w->view.out, task);
    prvcut_print_text(&w->view.out, "}}");
    head_label_task(w, application, task);
}

void perfetto_describe_thread(struct perfetto_writing *w, uint32_t thread, bool states)
{
    char name[64], text[512];
    const char *called = perfetto_thread_text(name, sizeof name, w->view.outline, thread);

    snprintf(text, sizeof text, "%s%s", called, states ? " (state)" : "");
    head_thread_fact(w, thread, states, "thread_name", "name");
    perfetto_print_string(&w->view.out, text);
    prvcut_print_text(&w->view.out, "}}");
    head_thread_fact(w, thread, states, "thread_sort_index", "sort_index");
    prvcut_print_u64(&w->view.out, 2 * (uint64_t)thread + (states ? 1 : 0));
    prvcut_print_text(&w->view.out, "}}");
}

void perfetto_write_head(struct perfetto_writing *w)
{
    const struct prvcut_outline *o = w->view.outline;

    prvcut_print_text(&w->view.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (uint32_t a = 0; a < o->objects->applications; a++)
        for (uint32_t t = o->objects->application_first_task[a];
             t < o->objects->application_first_task[a + 1]; t++)
            head_describe_task(w, a, t);
    for (uint32_t t = 0; t < o->objects->threads; t++)
        perfetto_describe_thread(w, t, false);
}

static void head_print_other(struct perfetto_writing *w, const char *key, const char *text)
{
    if (!text)
        return;
    prvcut_print_text(&w->view.out, ",\"");
    prvcut_print_text(&w->view.out, key);
    prvcut_print_text(&w->view.out, "\":");
    perfetto_print_string(&w->view.out, text);
}

void perfetto_write_tail(struct perfetto_writing *w)
{
    const struct prvcut_outline *o = w->view.outline;

    prvcut_print_text(&w->view.out,
                      "\n],\"otherData\":{\"converter\":\"prvcut " PRVCUT_VERSION "\"");
    head_print_other(w, "source", o->source);
    head_print_other(w, "format", o->format);
    head_print_other(w, "command", o->command);
    if (o->wall_clock != INT64_MIN) {
        prvcut_print_text(&w->view.out, ",\"start\":");
        prvcut_print_i64(&w->view.out, o->wall_clock);
    }
    prvcut_print_text(&w->view.out, "}}\n");
}
