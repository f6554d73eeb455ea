#ifndef PRVCUT_BASE_LASTING_H
#define PRVCUT_BASE_LASTING_H

#include "base/error.h"

/**
 * A text that lasts as long as the process, the same one for the same letters: names that users
 * give and that answers go on telling when the trace they were given for is closed. Few, and short.
 *
 * returns  NULL with err filled where there is no memory
 */
const char *prvcut_lasting_text(const char *text, struct prvcut_error *err);

#endif
