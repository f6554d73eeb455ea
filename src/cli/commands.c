#include "cli.h"

#include <string.h>

const struct cli_command cli_commands[] = {
    { "", CLI_REDUCE, "prvcut", "[OPTIONS] TRACE",
      "find the outermost loop, keep representative iterations",
      "Finds the iteration that the program repeats, chooses the most representative\n"
      "ones, writes them as a trace of their own and reports what was found.\n",
      cli_reduce },
    { "cut", CLI_CUT, "prvcut cut", "[OPTIONS] --from TIME --to TIME TRACE",
      "cut a window of time that you choose",
      "Writes what lies between two times as a trace of its own, with what is open at\n"
      "its borders opened and closed there.\n",
      cli_cut },
    { "info", CLI_INFO, "prvcut info", "[OPTIONS] TRACE", "tell what is in a trace",
      "Time span, objects, records, event types with their labels, counters,\n"
      "communicators, flushes. TRACE may be - for standard input.\n",
      cli_info },
    { "check", CLI_CHECK, "prvcut check", "[OPTIONS] TRACE", "tell whether a trace is sound",
      "Lists every kind of fault with its count and first lines; exit status 3 when the\n"
      "trace is damaged. TRACE may be - for standard input.\n",
      cli_check },
    { "signal", CLI_SIGNAL, "prvcut signal", "[OPTIONS] --metric M[,M...] TRACE",
      "export metrics over time",
      "Averages metrics exactly over equal bins and writes them as CSV or JSON. The\n"
      "metrics are listed by 'prvcut help metrics'.\n",
      cli_signal },
    { "convert", CLI_CONVERT, "prvcut convert", "[OPTIONS] IN OUT",
      "write a trace in another format",
      "Writes a trace, or a window or some tasks of it, in another format, and tells\n"
      "what that format cannot carry. OUT's suffix names the format where -O does not;\n"
      "'prvcut formats' lists them all. IN may be - for standard input.\n",
      cli_convert },
    { "formats", CLI_FORMATS, "prvcut formats", "[OPTIONS]",
      "list the formats and what each can carry", "", cli_formats },
    { "help", CLI_HELP, "prvcut help", "[COMMAND|metrics]",
      "explain a command, or list the metrics", "", cli_help },
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const struct cli_command *cli_command_find(const char *name)
{
    for (size_t i = 1; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}
