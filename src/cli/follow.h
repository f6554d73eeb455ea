#ifndef PRVCUT_CLI_FOLLOW_H
#define PRVCUT_CLI_FOLLOW_H

#include "session.h"

/** Begin to follow the trace that the command line names: s->follow, s->trace. */
enum prvcut_status cli_follow_open(struct cli_session *s,
                                   const struct prvcut_open_options *options);

/** Refuse what the job would refuse, then follow until it is over: s->trace is what is then there.
    archive: that all will be in; NULL: none */
enum cli_exit cli_follow_run(struct cli_session *s, const struct prvcut_reduce_options *o,
                             const char *archive);

#endif
