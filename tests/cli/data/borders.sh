# What the borders of a window do, in every format: small traces made by hand, each cut at the same
# window as Paraver, OTF2 and OTF, and converted at that window: . "$data/borders.sh"

# trace NAME TASKS END: NAME.prv of these records, in order of their times, and its conversions
trace() {
    {
        awk -v n="$2" -v end="$3" 'BEGIN {
            for (i = 1; i <= n; i++) {
                threads = threads (i > 1 ? "," : "") "1:1"
                all = all ":" i
            }
            printf "#Paraver (01/01/2026 at 12:00):%d_ns:1(%d):1:%d(%s),1\n", end, n, n, threads
            printf "c:1:1:%d%s\n", n, all
        }'
        sort -s -t: -k6,6n
    } >"$1.prv"
    cp "$data/borders.pcf" "$1.pcf"
    prvcut convert -q -f "$1.prv" "$1.otf2"
    prvcut convert -q -f "$1.prv" "$1.otf"
}

# call TASK BEGIN END TYPE VALUE [MORE]: a call of a task, with more pairs at its begin
call() {
    echo "2:$1:1:$1:1:$2:$4:$5${6:-}"
    echo "2:$1:1:$1:1:$3:$4:0"
}

# The cut, and what the window is when it is converted, as records of Paraver.
cut_all() {
    for suffix in prv otf2 otf; do
        prvcut cut -f --from "$2" --to "$3" --json -o "$1.cut.$suffix" "$1.$suffix" >"$1.$suffix.json"
    done
    prvcut convert -q -f "$1.cut.otf2" "$1.otf2.prv"
    prvcut convert -q -f "$1.cut.otf" "$1.otf.prv"
    cp "$1.cut.prv" "$1.prv.prv"
    prvcut convert -q -f --from "$2" --to "$3" "$1.prv" "$1.window.prv"
}

# said NAME SUFFIX FIELD: what the cut's JSON says
said() { sed -n "s/^ *\"$3\": \([0-9]*\),*/\1/p" "$1.$2.json"; }

# tell CASE WORD WANTED: what each format has, or that it is as wanted; $count FILE counts it
tell() {
    for suffix in prv otf2 otf window; do
        got=$($4 "$1" "$suffix")
        [ "$got" = "$3" ] && got='as wanted'
        echo "$1 $2 in $suffix: $got"
    done
}

# convert_all CASE FROM TO WANTED WHAT: the window converted from each format into each, as records of
# Paraver, of which $5 FILE tells something
convert_all() {
    for from in prv otf2 otf; do
        for into in prv otf2 otf; do
            prvcut convert -q -f --from "$2" --to "$3" "$1.$from" "$1.into.$into"
            [ $into = prv ] || prvcut convert -q -f "$1.into.$into" "$1.into.prv"
            got=$($5 "$1.into.prv")
            [ "$got" = "$4" ] || echo "$1 from $from into $into: $got"
        done
    done
    echo "$1 from each into each: $5"
}
