#ifndef ACCURACY_TABLES_H
#define ACCURACY_TABLES_H

#include <stdbool.h>

/**
 * The main period that each signal alone shows in real traces, as Casas' tables 3.6 and 3.7 have it
 * for other programs; what all of them together show; and what the calls do. Then what of it is
 * right, and what is wrong. names 0: all, or those that long tests take. False: a limit does not
 * hold.
 */
bool tables_print(int names, char **name);

#endif
