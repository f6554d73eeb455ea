#!/bin/sh
# Includes go one way only: what each layer may include (CONTRIBUTING.md, "Layers").
#
#   sh tests/layers.sh [FOLDER]   the project's own folder unless another one is given
set -eu
cd "${1:-$(dirname -- "$0")/..}"
status=0

# may PLACE PATTERN: every quoted include in a folder or file matches the pattern
may() {
    [ -e "$1" ] || return 0
    wrong=$(grep -rHnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$1" |
        grep -vE "\"($2)/?[^\"]*\"" || true)
    [ -n "$wrong" ] || return 0
    status=1
    printf '%s may include only %s:\n%s\n' "$1" "$2" "$wrong" >&2
}

# alone PATTERN FOLDERS...: only these folders may include a library's header
alone() {
    header=$1
    shift
    wrong=$(grep -rlE --include='*.[ch]' "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($header)" \
        include src formats || true)
    for folder; do
        wrong=$(printf '%s\n' "$wrong" | grep -v "^$folder" || true)
    done
    [ -n "$wrong" ] || return 0
    status=1
    printf 'only %s may include <%s>:\n%s\n' "$*" "$header" "$wrong" >&2
}

base='base/|prvcut/'
model="model/|$base"
match="match/|$model"
scan="scan/|$model"
dsp="dsp/|$base"
pass="pass/|$model"
follow="follow/|$pass"
signal="signal/|dsp/|stream/|match/|$follow"
structure="structure/|$signal"

may include 'prvcut/'
may src/base "$base"
may src/model "$model"
may src/match "$match"
may src/scan "$scan"
may src/pass "$pass"
may src/follow "$follow"
may src/dsp "$dsp"
may src/signal "$signal"
may src/structure "$structure"
may src/stream "stream/|match/|$follow"
may src/convert "convert/|stream/|match/|$model"
may src/analysis "analysis/|stream/|$structure"
may src/database "database/|stream/|$model"
may src/report "report/|analysis/|$structure"
may src/cli 'prvcut/|[a-z_]*\.h'
may src/mpi 'prvcut/|base/processors\.h|[a-z_]*\.h'
folders=
for format in formats/*/; do
    name=$(basename "$format")
    may "formats/$name" "$name/|match/|$scan"
    folders="$folders$name/|"
done
# The table of formats stands above them; src/api, where formats and analyses meet, includes all.
for file in formats/*.[ch]; do
    [ ! -e "$file" ] || may "$file" "formats/|$folders$model"
done

alone 'fftw3' src/dsp/
alone 'jansson' src/report/ src/api/
alone 'zlib|zstd' src/base/ src/api/ formats/otf/
alone 'otf2' formats/otf2/
alone 'sqlite3' src/database/
alone 'libxml' formats/ src/api/
alone 'archive(_entry)?\.h' src/api/ src/report/
alone 'mpi\.h' src/mpi/

# called PATTERN FILES...: only these files may call what the pattern names
called() {
    names=$1
    shift
    wrong=$(grep -rnE --include='*.[ch]' "(^|[^_a-zA-Z0-9>.\"])($names)\(" src formats |
        grep -vE '^src/(cli|mpi)/|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
    for file; do
        wrong=$(printf '%s\n' "$wrong" | grep -v "^$file:" || true)
    done
    [ -n "$wrong" ] || return 0
    status=1
    printf 'only %s may call %s:\n%s\n' "$*" "$names" "$wrong" >&2
}

# One function reads, one writes, one syncs (src/base/io.h); one thing gives files their names.
# The program, which sees only the public headers, asks for none of it (src/cli, src/mpi).
called 'open|read|pread|pread64|readv|preadv' src/base/io.c
called 'write|pwrite|pwrite64|writev|pwritev|fsync|fdatasync' src/base/io.c
called 'fopen|freopen|fdopen|fread|getline|fgets|mmap' none
called 'rename|renameat|link|linkat|symlink' src/base/commit.c src/base/journal.c src/base/work.c

# One driver reads a trace (src/scan); what copies a trace or asks one question in many ways has its
# own order of work.
called 'prvcut_ordered_run' src/scan/scan.c src/scan/shared.c src/base/encoder_zstd.c src/structure/search.c \
    formats/paraver/filter_pass.c formats/paraver/cut_middle.c formats/otf/cut_count.c \
    formats/otf/cut_stream.c formats/otf2/cut.c src/base/ordered.c src/base/ordered.h

# Records are sorted, and ends matched on disk, by the stream alone (src/stream); what waits book is
# sorted by call.
called 'prvcut_sorter_new' src/base/sorter.c src/base/sorter.h src/stream/stream.c src/stream/told_sorters.c \
    src/stream/meeting.c src/analysis/waits/waits_sorter.c

# What files of a format are called, and which programs show them, is known in its own folder
# (src/model/format.h): others ask it. The program's texts explain formats with examples, and
# csv-analysis does what Paraver's window asked for; they compare no name either. findings.c knows
# who wrote a trace.
suffix='\.(prv|otf2?|pcf|row|paje|pallas|evt|def|events|snaps?|stats|marker|thumb)'
named="[\"'](paraver|otf2?|litl|paje|perfetto|wxparaver|vampir)[\"'| ]"
wrong=$(grep -rnE --include='*.[ch]' --include='*.js' "[\"'][^\"']*$suffix([^a-z0-9_(][^\"']*)?[\"']|$named|[\"'(|:](wxparaver|vampir)[\"' |)]|eztrace_log" src |
    grep -vE '^src/cli/(commands|options|help|remedy|misuse|cmd_filter|cmd_convert|cmd_csv_analysis)\.c:|/\*\*?<?.*"|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
compared=$(grep -rnE --include="*.c" "(strcmp|strncmp|memcmp|strstr|ends_in|has_suffix)\([^;]*($named|\"$suffix)" src/cli || true)
if [ -n "$wrong$compared" ]; then
    status=1
    printf 'only formats/NAME/format.c may say how files are called:\n%s\n' "$wrong$compared" >&2
fi

# only PATTERN WHAT PLACES...: nothing but these files and folders holds what the pattern finds
only() {
    wanted=$1
    what=$2
    shift 2
    wrong=$(grep -rnE --include='*.[ch]' -e "$wanted" src formats |
        grep -vE '^src/(cli|mpi)/|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
    for place; do
        wrong=$(printf '%s\n' "$wrong" | grep -v "^${place}[:/]" || true)
    done
    [ -n "$wrong" ] || return 0
    status=1
    printf '%s stands in %s only:\n%s\n' "$what" "$*" "$wrong" >&2
}

# What a role is (a counter, a region, what tells of a collective) stands in roles.h.
only 'role (==|!=) PRVCUT_ROLE_SIZE (\|\||&& [a-z>.-]*role)|ROLE_BIT\(PRVCUT_ROLE_(SIZE|ROOT)\) *\|.*ROLE_BIT\(PRVCUT_ROLE_(ROOT|COMMUNICATOR)|ROLE_BIT\(PRVCUT_ROLE_(CYCLES|FLOPS)\) *\||role (==|!=) PRVCUT_ROLE_FLOPS *(\|\||&&)|role [<>]=? PRVCUT_ROLE_' \
    'what a role is' src/model/roles.h src/model/roles.c

# Who means one format takes it from the tables (formats/registry.c).
only 'prvcut_(paraver|otf2?|litl|paje|perfetto)_(format|reader|writer)' 'a format by its name' \
    src/model/formats.h formats

# One place that tells want of memory, and one bisection: signal_track.c, peaks.c, departures.c and
# length_groups.c take what is in the middle, and seek nothing; clusters.c fills a table by halves.
only '"[^"]*([Oo]ut of|[Nn]o|[Nn]ot enough) memory|"[^"]*([Mm]emory exhausted|[Cc]annot allocate)|strerror\(ENOMEM\)' \
    'want of memory' src/base/memory.c
only '[^_a-z]bsearch\(' 'bsearch' none
only '[^_a-z](hsearch|hcreate|tsearch|tfind|lsearch|lfind)(_r)? ?\(' 'a search' none
half='(/ ?2[uUlL]*|>> ?1[uUlL]*)([^0-9a-zA-Z.]|$)'
name='[a-zA-Z_][a-zA-Z0-9_.>-]*'
for sum in "\(([0-9]+ ?\+ ?)?[a-zA-Z0-9_.>-]+ ?\+ ?$name( ?[+-] ?[0-9]+[uUlL]*)? ?\)" \
    "(^|[^a-zA-Z0-9_.>])($name) ?\+ ?\(+$name ?- ?\2( ?[+-] ?[0-9]+[uUlL]*)?\)*"; do
    only "$sum ?$half" 'a bisection' src/base/search.h src/structure/signal_track.c \
        src/dsp/peaks.c src/structure/departures.c src/structure/separate_weights.c \
        src/structure/separate_judge.c src/structure/reach.c src/structure/length_groups.c \
        src/analysis/sample/clusters.c
done
# The same by steps that halve. A heap halves places (pending.c, timeline_messages.c, write.c, replay_heap.c), a
# wavelet its levels; bits are counted (bent.c), rooms and shares halved (calls.c, index.c,
# sampled.c, page_json.c), a lag tried (signal_sights.c), bins averaged in pairs (signals_lag.c).
only "(>>=|/=) ?[12][uUlL]*([^0-9a-zA-Z.]|$)|(^|[^a-zA-Z0-9_.>])($name) = \(?\4( ?[+-] ?[0-9]+)?\)? ?$half" \
    'a bisection by steps' src/base/search.h src/model/pending.c src/model/bent.c \
    src/structure/signal_sights.c src/signal/calls.c src/report/page_json.c src/match/sampled.c \
    src/analysis/timeline_messages.c src/dsp/wavelet.c formats/paraver/write.c formats/paraver/index.c \
    src/analysis/efficiency/replay_heap.c src/api/signals_lag.c
only "-= ?(half|step \+ 1|$name ?(/ ?2|>> ?1))([^a-z_]|$)|[?] ?(half|step)[a-z_]* ?:" 'a bisection by steps' none

# One table: its numbers mix keys. What else mixes makes one number of many, which names a call, a
# message, a place or a text (structure, signal, patterns, timeline_messages.c, write_sites.c, words.c), or is
# a sum of bytes (identify.c). digits.h packs digits; plain.c's cache forgets what it held, which no
# table does. By its constants, known or only large and odd; by what is multiplied or shifted again
# and again; by its name.
number='(U?INT(32|64)_C\()?(0x[0-9a-fA-F]{6,16}|[0-9]{6,}[1379])'
small='(31|33|37|131|137|257|1313|65599|1000003)[uUlL]*'
only "[*]=? ?$number|0x[0-9a-fA-F]{11,16}([uUlL]|\))|[*]=? ?$small([^0-9.]|$)|[^0-9.]$small ?[*] ?[a-z]" 'a hash' \
    src/base/table.h src/analysis/patterns/bodies.h \
    src/structure/call_grams.c src/structure/align_calls.c src/structure/departures.c \
    src/structure/call_same.c src/structure/separate_common.c src/structure/separate_classes.c \
    src/signal/call_mix.c src/analysis/timeline_messages.c formats/otf/write_sites.c \
    formats/otf2/identify.c formats/paraver/digits.h formats/paraver/plain.c formats/otf/words.c
only '14695981039346656037|2166136261|0x811[cC]9[dD][cC]5|([+]|\^)= ?\(?[a-z]+ ?(<<|>>) ?[0-9]+|<< ?[0-9]+\)* ?\| ?\(?[a-z]+ ?>> ?[0-9]+|(^|[^A-Z_"])[A-Z0-9_]*(FNV|PRIME|GOLDEN|MURMUR|HASH)[A-Z0-9_]* ?[(=0-9U]' \
    'a hash' src/structure/call_grams.c src/structure/align_calls.c src/structure/departures.c \
    src/analysis/patterns/bodies.h src/structure/separate_common.c src/structure/separate_classes.c src/signal/call_mix.c
only '0x[0-9a-fA-F]{15,16}\)|0x9[eE]3779[bB]|0x(cc9e2d51|1b873593|85ebca6b|c2b2ae35|01000193)|<< ?5\) ?[+^]|16777619|2654435761|[^0-9]5381[^0-9]|[*] (31|33|37|65599)[^0-9.]' 'a hash' \
    src/base/table.h src/analysis/patterns/bodies.h \
    src/structure/call_grams.c src/structure/align_calls.c src/structure/departures.c \
    src/structure/call_same.c src/structure/separate_common.c src/structure/separate_classes.c \
    src/signal/call_mix.c src/analysis/timeline_messages.c formats/otf/write_sites.c \
    formats/otf2/identify.c formats/paraver/digits.h formats/paraver/plain.c formats/otf/words.c
# Slots of a table. Those of ordered.c are a ring, of timeline_grid.c columns; pass.c, call_search.c
# and cut_files.c count round; check_records.c and plain.c keep a cache; call_same.c takes a sample; the
# replay's calls and collectives under way stand in rings, as do a thread's last calls (told_live_rows.c).
only '[a-z0-9_)] ?% ?\(?[a-z_.>-]*(slots?|buckets?|room|capacity)([^a-z_]|$)|[a-z0-9_)] & \(?[a-z_.>-]*(slots?|buckets?|room|capacity|mask)( - 1)?[]);]|(hash|key)[a-z_]*\)? ?% ?[a-z(]|\[[^]]*[a-z0-9_)] ?% ?[a-z]' \
    'a slot of a table' src/base/table.h src/base/table.c src/base/ordered.c src/pass/pass.c \
    src/analysis/timeline_grid.c src/structure/call_search.c src/structure/call_same.c \
    formats/paraver/plain.c formats/paraver/cut_files.c formats/paraver/check_records.c \
    src/analysis/efficiency/replay.c src/analysis/efficiency/replay_state.h \
    src/analysis/efficiency/replay_groups.c src/stream/told_live.c src/stream/told_live_rows.c
only '(^|[^a-zA-Z0-9_>.])(h|[a-z_]*hash|key)\)* ?([&%] ?[(A-Za-z0-9]|>> ?([(a-z]|[12456789][0-9]|3[013-9]))|[a-z0-9_)] ?[&%] ?\(?([A-Z][A-Z0-9_]*_)?(SLOTS?|BUCKETS?|SIZE|ROOM|CAPACITY|BINS|PLACES|ENTRIES)(_MASK)?( - 1)?[]);, ]' \
    'a slot of a table' src/base/table.h src/structure/call_same.c formats/paraver/plain.c \
    src/analysis/profile/profile.c
# The same with a number for the size: write_names.c keep what was last asked, write_stream.c digits;
# cut_order.c has a ring, told_live.c, too; told_walk.c keeps kinds of calls; profile.c has bins of lengths, profile_add.c guesses where a cell is.
only '\[[^]]*[a-z0-9_)] ?(% ?[A-Z0-9]|& ?[A-Z0-9])|[a-z0-9_)] (% ?|& \(?)([a-z_]+(->|[.]))*(size|count|cap|n)( - 1\)|[]);])' \
    'a slot of a table' src/pass/pass.c src/base/ordered.c formats/paraver/check_records.c \
    formats/paraver/cut_files.c formats/paraver/plain.c formats/otf/write_names.c \
    formats/otf2/write_names.c formats/otf/write_stream.c formats/otf2/cut_order.c \
    src/analysis/profile/profile_add.c src/stream/told_live.c src/stream/told_walk.c

# One stack says which frame an end ends, and one follower what threads are in. view.c keeps what a
# writer has begun; border.c and cut_open.c what is open at a window's borders, of records that come
# one by one, in order; check_events.c compares an archive's. cut_border.c writes these; describe.c
# reads definitions.
only '(open|at|stack|frame)\[[^]]*\]\.type ==' 'a follower' src/model/stack.h \
    src/model/nesting.h formats/paraver/cut_border.c formats/otf/describe.c
# What writers of archives have begun is another one (nesting.c), and calls.c keeps what is not written yet of
# what the view has found to begin and end. peaks.c climbs hills, clock_system.c has a list of work,
# profile_pass.c of what the run's end closes; cut_border.c of Paraver reads frames of a line.
only '(open|stack|frame|inside|nest|scope|entered)[a-z]*\[[^]]*(depth|- 1|count|\+\+|--|opens|top)[^]]*\]|while \([^;]*\[[a-z_>.-]+ - 1\](\.|->)?[a-z_]* != [^'"'"']|(open|stack|frame|inside)s?\[[^]]*\](\.|->)[a-z_]+ [!=]= ' \
    'a stack of its own' src/model/stack.h src/follow src/dsp/peaks.c src/model/clock_system.c \
    src/model/nesting.c src/model/nesting.h formats/perfetto/calls.c formats/paraver/cut_border.c
# As a list that is linked. job_plan_add.c has a list, pool.c what is idle, replay_groups.c and
# replay_edges.c and replay_messages.c, too, and who waits for a call; in others next is a number.
link='(next|below|outer|under|around|parent|link|up)'
inner='(top|head|stack|open|inside|innermost|current)[a-z_]*(\[[^]]*\])?'
only "(->|[. ])$link =[^;=]*(->|[.* ])$inner ?[;,}]|(^|->|[. *])$inner = [^;=]*(->|\.)$link[;,)]|->$link = $name(->|\.)[a-z_.>-]+;" \
    'a stack of its own' src/model/stack.h src/api/job_plan_add.c src/base/pool.c \
    formats/paraver/index.c formats/otf2/write_definitions.c formats/otf2/cut_match.c \
    formats/otf/definitions.c src/analysis/efficiency/replay_groups.c \
    src/analysis/efficiency/replay_messages.c src/analysis/efficiency/replay_edges.c
only 'struct prvcut_frame \*at' 'a stack' src/model
# The formats' readers, cutters and filters follow by the same stack, of what their records name.
only 'prvcut_stack_(enter|push)\(' 'a follower of its own' src/model/stack.h src/follow \
    src/model/view.c src/convert/border.c formats/paraver/cut_open.c formats/paraver/compat_state.c \
    formats/otf/walk_records.c formats/otf/cut_border.c formats/otf/marks.c formats/otf2/walk_regions.c \
    formats/otf2/cut_state.c formats/otf2/check_events.c formats/otf2/sieve_records.c

# One place decodes an event of an archive for all who read it: OTF2's by the library's calls, where only
# the cutter has more, of kinds that it copies; a line of OTF's, which one loop takes
# from the file for all.
only 'OTF2_EvtReaderCallbacks_(New|Set)' 'calls of the OTF2 library' formats/otf2/events.c \
    formats/otf2/cut_events.c
called 'otf_parse_(fields|c|rest|numbered)' formats/otf/parse.h formats/otf/parse.c
called 'otf_(parse|text_next)' formats/otf/parse.h formats/otf/text.h formats/otf/text.c formats/otf/lines.h \
    formats/otf/lines.c

# One place decides which collectives of a window are whole, in every format, and one which ends of a
# channel of messages have the other one inside; the cutters of archives hand it what they counted.
called 'prvcut_all_inside' src/match/crossing.c src/match/crossing.h src/match/callers.c
called 'prvcut_partners_inside' src/match/crossing.h formats/otf2/cut_match.c formats/otf/cut_count.c
only '[<>]=? ?[a-z_]+(->|\.)before \+ [a-z_]+(->|\.)inside|(^|[^a-z])(low|high|alone) = [^;=]*(->|\.)(before|inside)' \
    'a decider of messages' src/match/crossing.c src/match/crossing.h
only '[^_a-z]split_collectives ([+]=|=[^=]|[+][+])' 'a decider of collectives' \
    formats/otf2/cut_match.c

# One place takes a receive for that of a send before a piece of the run because of their times.
only '(recei?ve?|recv|sends?)s?\[[^]]*\](\.[a-z_]+)?( [+-] [a-z_]+)? ?[<>]=? ?[a-z>.-]*(recei?ve?|recv|send)s?\[' \
    'a matcher' src/match/piece.c
# Of what one end says, the other one's channel; of samples, which were the k-th of all.
only '(thread|task|sender|receiver) = [a-z_]+(->|\.)peer' 'a matcher' src/match src/stream
only '\[[^]]*(<<|>>) ?[^]]*shift' 'a matcher of samples' src/match/sampled.c
# The k-th collective of one member is the k-th of all others where all parts are at hand.
only '[])a-z0-9](->|\.)k = [^;(]*([+] 1|[+][+]|ordinal|count)' 'numbers of collectives' src/match/numbered.c
# Channels are put in order where it is known what one is.
only '[a-z]+(->|\.)tag [<>] [a-z]+(->|\.)tag' 'an order of channels' src/match/end.c
# Two sequences tried in several orders. call_align.c lays iterations beside each other, signal_ends.c, signal_shapes.c and signal_turns.c curves.
only 'for \([a-z0-9_ ]+ ([a-z]+) = -([A-Za-z_]+); \1 <= \2;|[a-z]+ <= 2 ?\* ?[A-Z_]+;' 'a matcher of members' \
    src/match/members.c src/structure/call_align.c \
    src/structure/signal_ends.c src/structure/signal_shapes.c src/structure/signal_turns.c

# One place knows a thread's own window.
only 'thread_(from|to) [?]|thread_(from|to)\[' "a thread's own window" src/model/trace.h formats/paraver/cut.c

# One team works, one pool keeps what it uses again. Locks of other kinds: frames.c (frames of a
# compressed file), scan.c (the caller's functions), filter_pass.c (enough is read), cut_middle.c (which counters are known), the cutters
# (what their files share), timeline.c (messages), sums.c (bins of all workers), correlation.c (FFTW's planner). sorter.c closes a
# large file beside its work, bounds.c watches the clock beside a question.
only '(pthread_create|thrd_create) ?\(' 'a thread' src/base/ordered.c src/base/sorter.c src/database/bounds.c
only 'pthread_mutex_init|PTHREAD_MUTEX_INITIALIZER|mtx_init|pthread_(spin|rwlock)_init' 'a lock' \
    src/base/lasting.c src/base/pool.c src/base/ordered.c src/base/frames.c src/scan/scan.c src/analysis/timeline.c \
    src/dsp/correlation.c src/database/bounds.c src/signal/sums.c formats/otf/cut.c formats/otf2/cut.c formats/paraver/filter_pass.c \
    formats/paraver/cut_middle.c
only '(idle|free|spare|unused) = [a-z_>.-]*->(next|idle|free)' 'a pool' src/base/pool.c
only '(>|[.])stamp (!=|==)|(!=|==) [a-z_>.-]*(>|[.])stamp|now\[[^]]*\](\.|->)(at|part) =' 'rows of a part' \
    src/base/rows.h

# What is open at the end of a part goes on in the next one where src/follow joins them. Counters begin
# nothing: who reads them knows when they were read before, and takes the next reading in a part and
# between parts by one function (counted.c all readings of an instant by themselves, counters.c together).
only '(before|previous|earlier|prior)[a-z_]* = [^;]*last[a-z_.>-]*;' 'edges of parts' \
    src/analysis/counted.c src/signal/counters.c

# One pass reads for all who listen. The stream orders all of it; records.c hands it to a program as
# it is; cut.c reads to know the trace's end.
only '(->|\.)scan(_window)? ?\(|reader->scan|prvcut_trace_scan' 'a reading' src/pass/pass.c src/stream/gather.c src/api/records.c \
    src/api/cut.c

# A file has one subject, which its name says, and no more than so many lines. Tests are cases one after
# the other; those that were longer before the rule stay, and no more come.
most=600
# long FOLDERS...: "LINES FILE" of those that have more
long() {
    find "$@" -type f \( -name '*.[ch]' -o -name '*.js' -o -name '*.css' \) -exec wc -l {} + |
        awk -v most="$most" '$2 != "total" && $1 > most { print $1, $2 }' | sort -k 2
}
wrong=$(long src formats include)
if [ -n "$wrong" ]; then
    status=1
    printf 'more than %s lines; split by subject:\n%s\n' "$most" "$wrong" >&2
fi
wrong=$([ ! -d tests ] || long tests)
if [ "$(printf '%s\n' "$wrong" | grep -c .)" -gt 21 ]; then
    status=1
    printf 'more tests than before have more than %s lines; split new ones:\n%s\n' "$most" "$wrong" >&2
fi

# Memory that says what it is wanted for comes from src/base/memory.h, whoever wants it; the program, which
# sees only the public headers, has one place of its own, which says nothing.
wrong=$(grep -rnE --include='*.[ch]' '(^|[^_a-zA-Z0-9>.])(malloc|calloc|realloc|reallocarray|strdup|strndup|v?asprintf|aligned_alloc|posix_memalign|memalign|valloc)\(' src formats |
    grep -vE '^src/base/memory\.c:|^src/cli/room\.c:|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
if [ -n "$wrong" ]; then
    status=1
    printf 'prvcut_zeroed, prvcut_unset, prvcut_resized and prvcut_copied_text (src/base/memory.h) tell what there is no memory for, cli_room in the program:\n%s\n' "$wrong" >&2
fi

exit "$status"
