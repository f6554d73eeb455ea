#include "filter_options.h"

#include "setters.h"

#include <stdlib.h>
#include <string.h>

static bool flt_add(struct cli_list *list, const char *argument, const char **why)
{
    if (list->count == CLI_LIST_MAX) {
        *why = "is one too many; the limit is 64";
        return false;
    }
    list->at[list->count++] = argument;
    return *argument != '\0';
}

bool cli_set_config(struct cli *c, const char *argument, const char **why)
{
    *why = "is not the name of a file";
    return flt_add(&c->filter.config, argument, why);
}

bool cli_set_states(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of states such as Running,3";
    return flt_add(&c->filter.states, argument, why);
}

bool cli_set_drop_states(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of states such as Running,3";
    return flt_add(&c->filter.states_dropped, argument, why);
}

bool cli_set_events(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of event types such as 50000001=3/4,50000002-50000003";
    return flt_add(&c->filter.events, argument, why);
}

bool cli_set_drop_events(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of event types such as 50000001=3/4,50000002-50000003";
    return flt_add(&c->filter.events_dropped, argument, why);
}

bool cli_set_min_state(struct cli *c, const char *argument, const char **why)
{
    struct prvcut_error err = { 0 };

    if (!cli_is_time(c, argument, why))
        return false;
    *why = "is not a time such as 10us";
    return !strchr(argument, '%') &&
           prvcut_time_parse(argument, 0, &c->filter.min_state_ns, &err) == PRVCUT_OK;
}

/* 1.005kB is 1004.9999999999999 in binary: no fraction of a byte was typed. */
static bool flt_bytes(double bytes, uint64_t *out, const char **why)
{
    const uint64_t whole = (uint64_t)(bytes + 0.5);
    const double beyond = bytes - (double)whole, off = beyond < 0.0 ? -beyond : beyond;

    if (off > 1e-12 * bytes) {
        *why = "is not a whole number of bytes";
        return false;
    }
    *out = whole;
    return true;
}

/* "100", "1.5kB", "20M": powers of 1000; "16GiB": of 1024. */
bool cli_size_of(const char *text, uint64_t *out, const char **why)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = { { "", 1 },         { "B", 1 },        { "k", 1e3 },      { "kB", 1e3 },
                  { "K", 1e3 },      { "KB", 1e3 },     { "M", 1e6 },      { "MB", 1e6 },
                  { "G", 1e9 },      { "GB", 1e9 },     { "T", 1e12 },     { "TB", 1e12 },
                  { "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 } };
    char *end = NULL;
    const double value = strtod(text, &end);

    *why = "is not a size such as 500, 20kB, 1.5MB or 2GB";
    if (*text < '0' || *text > '9' || strpbrk(text, "xXeEpP"))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].unit) == 0 && value * units[i].bytes < 0x1p63)
            return flt_bytes(value * units[i].bytes, out, why);
    return false;
}

bool cli_set_min_message(struct cli *c, const char *argument, const char **why)
{
    return cli_size_of(argument, &c->filter.min_message, why);
}

bool cli_set_max_size(struct cli *c, const char *argument, const char **why)
{
    return cli_size_of(argument, &c->max_size, why) && c->max_size > 0;
}

bool cli_set_drop(struct cli *c, const char *argument, const char **why)
{
    static const char *const words[] = { "states", "events", "messages" };
    bool *const drop[] = { &c->filter.drop_states, &c->filter.drop_events,
                           &c->filter.drop_messages };

    *why = "is not states, events, messages, or a list of them";
    for (;;) {
        const size_t length = strcspn(argument, ",");
        bool found = false;

        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i]) == length && memcmp(words[i], argument, length) == 0)
                found = *drop[i] = true;
        if (!found || argument[length] == '\0')
            return found;
        argument += length + 1;
    }
}

bool cli_set_only_threads(struct cli *c, const char *argument, const char **why)
{
    *why = "is not a list of threads such as 1.1,2-4.*";
    c->filter.only_threads = argument;
    if (*argument && argument[strspn(argument, "0123456789")] == '\0')
        snprintf(c->example, sizeof c->example, "%.20s.*", argument);
    return strchr(argument, '.') != NULL;
}

/* --- Filters -------------------------------------------------------------------------------- */

static const char *const *flt_list(const struct cli_list *list)
{
    return list->count > 0 ? list->at : NULL;
}

/* What the options say; false: nothing. */
static bool flt_options(const struct cli *c, struct prvcut_filter *out)
{
    const struct cli_filter *f = &c->filter;

    *out = (struct prvcut_filter){ .drop_states = f->drop_states,
                                   .drop_events = f->drop_events,
                                   .drop_messages = f->drop_messages,
                                   .states = flt_list(&f->states),
                                   .states_dropped = flt_list(&f->states_dropped),
                                   .min_state_ns = f->min_state_ns,
                                   .events = flt_list(&f->events),
                                   .events_dropped = flt_list(&f->events_dropped),
                                   .min_message_bytes = f->min_message,
                                   .tasks = c->tasks,
                                   .threads = f->only_threads };
    return out->drop_states || out->drop_events || out->drop_messages || out->states ||
           out->states_dropped || out->min_state_ns > 0 || out->events || out->events_dropped ||
           out->min_message_bytes > 0 || out->tasks || out->threads;
}

static enum cli_exit flt_config(struct cli_filters *f, struct cli_session *s, const char *path)
{
    struct prvcut_config **config = &f->config[f->configs++];
    const bool cuts = s->cli->command->bit == CLI_CUT;
    const enum cli_exit e = cli_session_outcome(s, prvcut_config_read(config, path, &s->err));

    if (e != CLI_DONE)
        return e;
    for (size_t i = 0; i < (*config)->notes; i++)
        cli_warn(s->cli, "%s", (*config)->note[i]);
    if ((*config)->filter)
        f->filter[f->count++] = *(*config)->filter;
    if ((*config)->cutter && !cuts) {
        cli_warn(s->cli, "%s: its <cutter> is ignored; 'prvcut cut' reads it", path);
    } else if ((*config)->cutter) {
        if (f->cutter)
            return cli_misuse(
                s->cli, NULL,
                "'%.200s' is the second configuration with a <cutter>; one is allowed", path);
        f->cutter = *config;
    }
    return CLI_DONE;
}

enum cli_exit cli_filters_init(struct cli_filters *f, struct cli_session *s)
{
    const struct cli_list *paths = &s->cli->filter.config;
    enum cli_exit e = CLI_DONE;

    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < paths->count && e == CLI_DONE; i++)
        e = flt_config(f, s, paths->at[i]);
    if (e == CLI_DONE && flt_options(s->cli, &f->filter[f->count]))
        f->count++;
    return e;
}

void cli_filters_fini(struct cli_filters *f)
{
    for (size_t i = 0; i < f->configs; i++)
        prvcut_config_free(f->config[i]);
    f->configs = 0;
}
