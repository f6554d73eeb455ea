#ifndef PRVCUT_CLI_DATABASE_H
#define PRVCUT_CLI_DATABASE_H

#include "session.h"

#include <string.h>

/** Is what the trace is converted to a database, by its name or -O? */
static inline bool cli_is_database(const struct cli *c)
{
    if (c->format)
        return strcmp(c->format, "sqlite") == 0;
    return c->operands > 1 && prvcut_file_is(PRVCUT_FILE_SQLITE, c->operand[1]);
}

/** What only a database can be made of is refused of others. */
enum cli_exit cli_no_database(const struct cli *c);

/** Convert it to that, and end the session, which has not opened the trace. */
enum cli_exit cli_database(struct cli_session *s);

#endif
