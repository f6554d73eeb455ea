#ifndef PRVCUT_REPORT_COMMAND_H
#define PRVCUT_REPORT_COMMAND_H

#include "prvcut/trace.h"

#include <stdbool.h>

/** A command that goes on from an answer. */
struct report_command {
    const char *name;    /**< "" for the job, "structure", ... */
    const char *own;     /**< what it adds, such as "--iterations 6"; "" for nothing */
    const char *without; /**< options that it does not repeat: "iterations,iteration"; NULL: none */
    bool force;          /**< it replaces what exists */
    const char *typed;   /**< the trace as a shell takes it */
};

/** The command as it can be typed, with the options that the answer was asked for with, as far as
    they decide what it finds; returns out. */
char *report_command(char *out, size_t room, const struct prvcut_again *again,
                     const struct report_command *c);

#endif
