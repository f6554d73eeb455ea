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
scan="scan/|$model"
dsp="dsp/|$base"
pass="pass/|$model"
follow="follow/|$pass"
signal="signal/|dsp/|$follow"
structure="structure/|$signal"

may include 'prvcut/'
may src/base "$base"
may src/model "$model"
may src/scan "$scan"
may src/pass "$pass"
may src/follow "$follow"
may src/dsp "$dsp"
may src/signal "$signal"
may src/structure "$structure"
may src/stream "stream/|$model"
may src/convert "convert/|stream/|$model"
may src/analysis "analysis/|stream/|$structure"
may src/report "report/|analysis/|$structure"
may src/cli 'prvcut/|[a-z_]*\.h'
folders=
for format in formats/*/; do
    name=$(basename "$format")
    may "formats/$name" "$name/|$scan"
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
alone 'libxml' formats/ src/api/

# called PATTERN FILES...: only these files may call what the pattern names
called() {
    names=$1
    shift
    wrong=$(grep -rnE --include='*.c' "(^|[^_a-zA-Z0-9>.\"])($names)\(" src formats |
        grep -vE '^src/cli/|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
    for file; do
        wrong=$(printf '%s\n' "$wrong" | grep -v "^$file:" || true)
    done
    [ -n "$wrong" ] || return 0
    status=1
    printf 'only %s may call %s:\n%s\n' "$*" "$names" "$wrong" >&2
}

# One function reads, one writes, one syncs (src/base/io.h); one thing gives files their names.
# The program, which sees only the public headers, asks for none of it (src/cli).
called 'open|read|pread|pread64|readv|preadv' src/base/io.c
called 'write|pwrite|pwrite64|writev|pwritev|fsync|fdatasync' src/base/io.c
called 'fopen|freopen|fdopen|fread|getline|fgets|mmap' none
called 'rename|renameat|link|linkat|symlink' src/base/commit.c src/base/journal.c

# One driver reads a trace (src/scan); what copies a trace or asks one question in many ways has its
# own order of work.
called 'prvcut_ordered_run' src/scan/scan.c src/base/encoder_zstd.c src/structure/search.c \
    formats/paraver/filter_pass.c formats/otf/cut_count.c formats/otf/cut_stream.c \
    formats/otf2/cut.c src/base/ordered.c

# Records are sorted, and ends matched on disk, by the stream alone (src/stream).
called 'prvcut_sorter_new' src/base/sorter.c src/stream/stream.c src/stream/told.c

# What files of a format are called is known in its own folder (src/model/format.h), and to the
# program, whose texts explain it.
wrong=$(grep -rnE --include='*.[ch]' '"\.(prv|otf2?|pcf|row|paje|evt|def|events)"|"(paraver|otf2?|litl|paje|perfetto)"' src |
    grep -vE '^src/cli/|/\*\*?<?.*"|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
if [ -n "$wrong" ]; then
    status=1
    printf 'only formats/NAME/format.c may say how files are called:\n%s\n' "$wrong" >&2
fi

# only PATTERN WHAT PLACES...: nothing but these files and folders holds what the pattern finds
only() {
    wanted=$1
    what=$2
    shift 2
    wrong=$(grep -rnE --include='*.[ch]' "$wanted" src formats |
        grep -vE '^src/cli/|^[^:]*:[0-9]+:[[:space:]]*(/?\*|//)' || true)
    for place; do
        wrong=$(printf '%s\n' "$wrong" | grep -v "^$place[:/]" || true)
    done
    [ -n "$wrong" ] || return 0
    status=1
    printf '%s stands in %s only:\n%s\n' "$what" "$*" "$wrong" >&2
}

# One table, one bisection, one place that tells want of memory. The formats that come last are
# named until they use them, too; the cache of plain.c forgets what it held, which no table does.
only '"[^"]*(out of|no) memory' 'want of memory' src/base/memory.c
only '[^_a-z]bsearch\(' 'bsearch' none
only '(low|first|from) \+ \(\w+ - \w+\) / 2' 'a bisection' src/base/search.h src/structure/signal_track.c
only '0x9e3779b97f4a7c15[^;]*&' 'a hash with a mask' formats/paraver/plain.c formats/otf2

# One stack says which frame an end ends; formats, and a conversion's borders, have their own still.
only '(open|at)\[[^]]*\]\.type ==' 'a follower' src/model/stack.h src/convert/border.c formats
only 'struct prvcut_frame \*at' 'a stack' src/model

exit "$status"
