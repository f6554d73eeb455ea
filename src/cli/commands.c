#include "cli.h"

#include <string.h>

const struct cli_command cli_commands[] = {
    { "", CLI_REDUCE, "prvcut", "[OPTIONS] TRACE",
      "find the outermost loop, cut two typical iterations",
      "Finds the loop that the program repeats, cuts out its most typical iterations as a\n"
      "trace of their own and reports what was found. 'prvcut help files' lists the names\n"
      "of files.\n",
      "TRACE", cli_reduce,
      "prvcut --iterations 2 app.prv\n"
      "prvcut --level 2 --report app.html app.prv\n" },
    { "structure", CLI_STRUCTURE, "prvcut structure", "[OPTIONS] [TRACE | --series FILE]",
      "divide the run into its regions, at every level of its loops",
      "Prints what the run consists of: the start, regions where a loop runs, the loops\n"
      "inside one iteration, what lies between, and the end. --csv lists every iteration.\n",
      "TRACE", cli_structure,
      "prvcut structure app.prv\n"
      "prvcut structure --tree --depth 2 app.prv\n"
      "prvcut structure --series counters.csv\n" },
    { "cut", CLI_CUT, "prvcut cut", "[OPTIONS] [--from TIME] [--to TIME] TRACE",
      "cut a window of time that you choose",
      "Writes a window of time as a trace of its own. Give the window as --from, --to or\n"
      "both, or name it: --iteration, --region, or --config for one that Paraver saved. What\n"
      "is open at its borders is opened and closed there.\n",
      "--from 40% --to 60% TRACE", cli_cut,
      "prvcut cut --from 1s --to 1.5s app.prv\n"
      "prvcut cut --region 1.2 app.prv\n"
      "prvcut cut --from 90% -o end.prv.zst app.prv\n"
      "prvcut cut --config cutter.xml app.prv\n" },
    { "filter", CLI_FILTER, "prvcut filter", "[OPTIONS] TRACE",
      "keep some of the records of a trace",
      "Copies the records that pass every given option and configuration, in the same\n"
      "format (Paraver, OTF2, OTF). Event types are numbers, ranges N-M or labels, with\n"
      "values after '='; a value's name alone will do. TRACE may be - for a Paraver trace\n"
      "from standard input.\n",
      "--drop messages TRACE", cli_filter,
      "prvcut filter --events 50000001,50000002 --drop states app.prv\n"
      "prvcut filter --config filter.xml -o small.prv.zst app.prv\n" },
    { "info", CLI_INFO, "prvcut info", "[OPTIONS] TRACE", "print what is in a trace",
      "Time span, objects, records, event types with their labels, counters,\n"
      "communicators, flushes. TRACE may be - for standard input.\n",
      "TRACE", cli_info,
      "prvcut info app.prv\n"
      "zcat app.prv.gz | prvcut info --json -\n" },
    { "profile", CLI_PROFILE, "prvcut profile", "[OPTIONS] TRACE",
      "tell where the time goes: calls, states, ranks",
      "Adds up how often each call is made and how long it takes; --by rank tells what each\n"
      "rank does: computing, calls, messages, counters; --by iteration what happens in each\n"
      "iteration of the loop. TRACE may be - for standard input.\n",
      "TRACE", cli_profile,
      "prvcut profile app.prv\n"
      "prvcut profile --by rank app.prv\n"
      "prvcut profile --by iteration app.prv\n"
      "prvcut profile --why outliers app.prv\n"
      "prvcut profile --by call,rank --from 40% --to 60% --csv app.prv\n" },
    { "diff", CLI_DIFF, "prvcut diff", "[OPTIONS] A B", "compare the same loop in two traces",
      "Says what changed from trace A to trace B in an iteration of their loop, in whatever\n"
      "formats: how long it takes, computing, calls, messages, counters, and on which rank.\n"
      "Changed is what differs by more than the iterations of one run do. --fail-above P%\n"
      "leaves with status 7 if B is worse by more than P % in the length or the number of\n"
      "iterations, in computing, calls, messages, bytes or instructions of any rank.\n",
      "TRACE other.prv", cli_diff,
      "prvcut diff before.prv after.prv\n"
      "prvcut diff --fail-above 5% --json -o diff.json before.prv after.prv\n" },
    { "predict", CLI_PREDICT, "prvcut predict", "[OPTIONS] --processes P[,P...] RUN...",
      "predict the speedup on more processes",
      "Predicts the speedup on P processes from two runs or more: fits each factor of it (load\n"
      "balance, serialization, transfer, IPC, clock, instructions) and multiplies the fitted\n"
      "values. RUN is a trace, or a table of factors (modelfactors.csv) from 'prvcut efficiency\n"
      "--csv' or basicanalysis.\n",
      "--processes 16 TRACE", cli_predict,
      "prvcut predict --processes 16,32 app.1.prv app.2.prv app.4.prv\n"
      "prvcut predict --processes 64 --fit power --plot speedup.svg modelfactors.csv\n" },
    { "efficiency", CLI_EFFICIENCY, "prvcut efficiency",
      "[OPTIONS] [TRACE... | --group NAME=TRACE...]",
      "tell how well processors are used, and how runs scale",
      "Prints the efficiency factors of a run (POP): load balance, serialization, transfer.\n"
      "A replay on a network that takes no time tells the last two apart. Several runs, on\n"
      "more and more processors, are compared, too: how do they scale? TRACE may be - for\n"
      "standard input.\n",
      "TRACE", cli_efficiency,
      "prvcut efficiency app.prv\n"
      "prvcut efficiency app.4.prv app.8.prv app.16.prv\n"
      "prvcut efficiency --group gcc=gcc.4.prv,gcc.16.prv --group icc=icc.4.prv,icc.16.prv\n"
      "prvcut efficiency --by iteration app.prv\n"
      "prvcut efficiency --csv app.4.prv app.8.prv >modelfactors.csv\n" },
    { "sample", CLI_SAMPLE, "prvcut sample", "[OPTIONS] [TRACE | --series FILE]",
      "choose intervals that stand for the run, for simulators",
      "Chooses intervals that stand for a run: the best single one (SSP), a few in a row\n"
      "(LSP), and one of each cluster (MSP). Cache misses per instruction choose; cycles per\n"
      "instruction tell the error. FILE is a table of counters with a line for each interval,\n"
      "or the output of 'perf stat -I 10 -x,'.\n",
      "TRACE", cli_sample,
      "prvcut sample app.prv\n"
      "prvcut sample --series counters.csv --simpoints app\n"
      "prvcut sample --plan 'PAPI_TOT_INS,PAPI_TOT_CYC;PAPI_L1_DCM' app.prv\n" },
    { "comm", CLI_COMM, "prvcut comm", "[OPTIONS] TRACE",
      "tell who sends to whom, and in which shape",
      "Adds up messages and bytes from each rank to each, tells collectives apart, and names\n"
      "the shape: a mesh, a torus, a ring, all to all; --by region does so for each region of\n"
      "the loop and its typical iteration. TRACE may be - for standard input.\n",
      "TRACE", cli_comm,
      "prvcut comm app.prv\n"
      "prvcut comm --by region app.prv\n"
      "prvcut comm --plot matrix.svg --matrix matrix.tsv app.prv\n" },
    { "waits", CLI_WAITS, "prvcut waits", "[OPTIONS] TRACE",
      "tell where ranks wait for others, how long, and for whom",
      "Finds the wait states of MPI and OpenMP as Scalasca does: late senders and receivers,\n"
      "messages in the wrong order, collectives whose members come apart; with ranks, call\n"
      "paths and the longest waits.\n",
      "TRACE", cli_waits,
      "prvcut waits app.prv\n"
      "prvcut waits --by rank app.prv\n"
      "prvcut waits --by iteration app.prv\n"
      "prvcut waits --json app.prv >waits.json\n" },
    { "patterns", CLI_PATTERNS, "prvcut patterns", "[OPTIONS] TRACE",
      "show what threads repeat, and the iterations worth a look",
      "Folds what each thread calls into nested loops, puts threads together that do the\n"
      "same, and lists the patterns with how often, how long and in which functions. --poi\n"
      "lists the iterations that are unlike the others, and why.\n",
      "TRACE", cli_patterns,
      "prvcut patterns app.prv\n"
      "prvcut patterns --poi app.prv\n"
      "prvcut patterns --poi --filtered few.prv app.prv\n"
      "prvcut patterns --symbols partner --json app.prv\n" },
    { "find", CLI_FIND, "prvcut find", "[OPTIONS] --like WHAT TRACE",
      "find where a piece of communication happens again",
      "Looks for the calls of a window (--like 2s..2.1s), of an iteration (--like iteration=3)\n"
      "or of another trace (--like CUT) on every rank, also nearly, and joins what is found by\n"
      "the messages and collectives that belong together.\n",
      "--like iteration=2 TRACE", cli_find,
      "prvcut find --like iteration=3 app.prv\n"
      "prvcut find --like 40%..41% --max-distance 5% app.prv\n"
      "prvcut find --like iteration=3 --in after.prv before.prv\n" },
    { "view", CLI_VIEW, "prvcut view", "[OPTIONS] TRACE",
      "show all that was found, as a page in a browser",
      "Finds the loop, compares, replays, looks for waits, writes one page of it all into the\n"
      "user's cache folder, and opens it in a browser. No cut is written. A page that was\n"
      "made before of the same trace is shown again.\n",
      "TRACE", cli_view,
      "prvcut view app.prv\n"
      "prvcut view --print app.prv\n" },
    { "sql", CLI_SQL, "prvcut sql", "[OPTIONS] TRACE QUESTION",
      "ask a trace, or a database that was made of one, in SQL",
      "Makes a database of what the question needs, and prints the answer; of a trace with a\n"
      "loop the typical iterations are asked, with --all all of it. TRACE may be a database\n"
      "that 'prvcut convert' wrote. Tables: calls, messages, collectives, states, events,\n"
      "counters, iterations, regions, threads, profile, waits, points; prvcut-sqlite(5) tells\n"
      "of their columns, and of views such as time_by_call.\n",
      "TRACE 'SELECT * FROM time_by_call'", cli_sql,
      "prvcut sql app.prv 'SELECT * FROM time_by_call'\n"
      "prvcut sql --all app.prv 'SELECT * FROM slowest_iterations'\n"
      "prvcut sql --csv app.sqlite 'SELECT rank, sum(duration_ns) FROM calls GROUP BY rank'\n" },
    { "check", CLI_CHECK, "prvcut check", "[OPTIONS] TRACE", "check whether a trace is sound",
      "Lists every kind of fault with its count and first lines; exit status 3 when the\n"
      "trace is damaged, with --strict when anything is found. TRACE may be - for\n"
      "standard input.\n",
      "TRACE", cli_check,
      "prvcut check app.prv\n"
      "prvcut check --strict app.chop1.prv\n" },
    { "verify", CLI_VERIFY, "prvcut verify", "[OPTIONS] ARCHIVE",
      "check that an archive is unchanged",
      "Compares every file in an archive that --archive wrote with its checksum; exit\n"
      "status 3 when one is damaged, missing or not listed.\n",
      "ARCHIVE", cli_verify, "prvcut verify app.chop1.tar.zst\n" },
    { "archive", CLI_ARCHIVE, "prvcut archive", "[OPTIONS] -o FILE TRACE...",
      "put finished cuts, or other traces, into one archive",
      "Puts traces as they are, with all their files and what is in each, into one .tar.zst\n"
      "with checksums. Nothing is cut again. 'prvcut verify' checks the archive, and all\n"
      "commands read it: FILE:NAME is one of several traces in it.\n",
      "-o small.tar.zst TRACE", cli_archive,
      "prvcut archive -o cuts.tar.zst app.chop1.prv app.1.4.prv\n"
      "prvcut verify cuts.tar.zst\n" },
    { "index", CLI_INDEX, "prvcut index", "[OPTIONS] TRACE",
      "write an index, so that later commands answer at once",
      "Writes NAME.prvx beside a Paraver trace: where things are in it, its signals, its\n"
      "structure. From then on prvcut, structure, cut and info answer from it, with the\n"
      "same words, as long as the trace is unchanged.\n",
      "TRACE", cli_index, "prvcut index app.prv\n" },
    { "mark", CLI_MARK, "prvcut mark", "[OPTIONS] TRACE",
      "copy a trace with a mark at each iteration",
      "Writes all of the trace with an event of type 666001 where each iteration of the\n"
      "outermost loop begins (value 1) and where a region's last one ends (value 0), on\n"
      "each task. Paraver's spectral/periodicity.cfg shows them; in an archive they are a\n"
      "metric (OTF2) or a counter (OTF), which Vampir shows.\n",
      "TRACE", cli_mark,
      "prvcut mark app.prv\n"
      "prvcut mark --timeline useful.csv -o marked.prv.gz app.prv\n" },
    { "csv-analysis", CLI_CSV, "prvcut csv-analysis", "[OPTIONS] TRACE CSV [N]",
      "mark iterations from Paraver's menu Run",
      "Marks TRACE's iterations as 'prvcut mark' does, also with the help of the timeline\n"
      "in CSV, and prints the window of the N most typical ones [0: none]. The output is\n"
      "TRACE's name without its last suffix, plus .iterations.prv; an existing file is\n"
      "replaced. The program is also called csv-analysis: in wxparaver, Run > User Command\n"
      "'csv-analysis %TRACE CSV'; before 4.10.1, with SPECTRAL_HOME=/usr, Run > Spectral.\n",
      "TRACE useful.csv", cli_csv_analysis, "csv-analysis app.prv useful.csv 3\n" },
    { "signal", CLI_SIGNAL, "prvcut signal", "[OPTIONS] [TRACE | --series FILE]",
      "print or draw metrics over time",
      "Averages metrics exactly over equal bins of time and prints them as CSV or JSON, or\n"
      "draws them. 'prvcut help metrics' lists the metrics.\n",
      "--metric bursts TRACE", cli_signal,
      "prvcut signal --metric computing,p2p --bins 500 -o app.csv app.prv\n"
      "prvcut signal --metric computing --plot app.svg app.prv\n"
      "prvcut signal --series counters.csv --metric ipc --plot ipc.svg\n" },
    { "convert", CLI_CONVERT, "prvcut convert", "[OPTIONS] IN OUT",
      "write a trace in another format",
      "Writes a trace, or a window or some tasks of it, in another format, and says what\n"
      "that format cannot hold. OUT's suffix or -O names the format; 'prvcut formats'\n"
      "lists them all. IN may be - for standard input.\n",
      "TRACE out.paje", cli_convert,
      "prvcut convert app.prv app.otf2\n"
      "prvcut convert --from 40% --to 60% app.prv app.json.gz\n" },
    { "formats", CLI_FORMATS, "prvcut formats", "[OPTIONS]",
      "list the formats and what each can hold", "", "", cli_formats, "prvcut formats\n" },
    { "help", CLI_HELP, "prvcut help",
      "[COMMAND | metrics | parameters | files | completion SHELL]",
      "explain a command, list metrics, parameters or names of files",
      "'prvcut help completion SHELL' prints a script that completes command lines in that\n"
      "shell (bash, zsh or fish); packages install it where the shell finds it.\n",
      "", cli_help,
      "prvcut help cut\n"
      "prvcut help metrics\n"
      "prvcut help parameters\n" },
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const struct cli_command *cli_command_find(const char *name)
{
    for (size_t i = 1; i < cli_command_count; i++)
        if (strcmp(cli_commands[i].name, name) == 0)
            return &cli_commands[i];
    return NULL;
}
