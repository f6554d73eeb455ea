#ifndef ACCURACY_TABLES_H
#define ACCURACY_TABLES_H

#include "truth.h"

/**
 * The main period that each signal alone shows, in milliseconds, as Casas' tables 3.6 and 3.7 have
 * it for other programs.
 */
void tables_head(void);
void tables_row(const struct truth *t, const char *name, const char *path);

/** How many of the periodic traces each signal is right on. */
void tables_total(void);

#endif
