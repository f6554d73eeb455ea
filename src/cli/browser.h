#ifndef PRVCUT_CLI_BROWSER_H
#define PRVCUT_CLI_BROWSER_H

#include "cli.h"

/**
 * Show a page: with xdg-open where there is a display, or BROWSER names a browser; else it is told
 * on standard error how to come to see it: over ssh the line that fetches it.
 */
enum cli_exit cli_browser(const struct cli *c, const char *page);

#endif
