#ifndef PRVCUT_REPORT_COMMAND_H
#define PRVCUT_REPORT_COMMAND_H

#include "prvcut/trace.h"
#include "report/tag.h"

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

/** A name as a shell takes it, in quotes where that is needed; false: nobody can type it. */
bool report_quote(char *out, size_t room, const char *name);

/** "its cut: prvcut info app.chop1.prv", where that is there already; false: it is not. cuts: what
   cuts are called, with REPORT_TAG_PLACE for their tag; NULL: nobody knows. */
bool report_cut_there(char *out, size_t room, const char *cuts, const struct report_tag *tag);

/** "prvcut signal --plot app.svg app.prv", into the present folder; false: such a file is there. */
bool report_look(char *out, size_t room, const char *cuts, const struct prvcut_again *again,
                 const char *typed);

/** "prvcut cut --from 10s --to 15s app.prv": the middle of a part of the run. */
void report_middle(char *out, size_t room, const struct prvcut_span *in,
                   const struct prvcut_again *again, const char *typed);

#endif
