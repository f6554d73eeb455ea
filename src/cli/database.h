#ifndef PRVCUT_CLI_DATABASE_H
#define PRVCUT_CLI_DATABASE_H

#include "session.h"

/** Is what the trace is converted to a database, by its name or -O? */
bool cli_is_database(const struct cli *c);

/** Convert it to that, and end the session, which has not opened the trace. */
enum cli_exit cli_database(struct cli_session *s);

#endif
