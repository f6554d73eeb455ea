#ifndef PRVCUT_CLI_FILTER_OPTIONS_H
#define PRVCUT_CLI_FILTER_OPTIONS_H

#include "session.h"

/* Setters of the option table, for what filters are told. */
bool cli_set_config(struct cli *c, const char *argument, const char **why);
bool cli_set_states(struct cli *c, const char *argument, const char **why);
bool cli_set_drop_states(struct cli *c, const char *argument, const char **why);
bool cli_set_min_state(struct cli *c, const char *argument, const char **why);
bool cli_set_events(struct cli *c, const char *argument, const char **why);
bool cli_set_drop_events(struct cli *c, const char *argument, const char **why);
bool cli_set_min_message(struct cli *c, const char *argument, const char **why);
bool cli_set_drop(struct cli *c, const char *argument, const char **why);
bool cli_set_only_threads(struct cli *c, const char *argument, const char **why);
bool cli_set_max_size(struct cli *c, const char *argument, const char **why);

/** All filters of a command line: one a configuration, one for the options. */
struct cli_filters {
    struct prvcut_config *config[CLI_LIST_MAX];
    size_t configs;
    struct prvcut_filter filter[CLI_LIST_MAX + 1];
    size_t count;
    const struct prvcut_config *cutter; /**< the one that has a cutter; NULL: none */
};

/**
 * Read the configurations, tell what is odd in them, and put the filters together.
 *
 * owns    f is initialised here, released with cli_filters_fini, also after a failure
 */
enum cli_exit cli_filters_init(struct cli_filters *f, struct cli_session *s);
void cli_filters_fini(struct cli_filters *f);

#endif
