#!/bin/sh
# run.sh PRVCUT FOLDER: is every trace of the folder read by info, check, cut, the job, and convert
# to OTF2 and back? Prints a table: exit statuses, what was bent, and what check notes.
# FOLDER has one folder a trace, NAME/NAME.prv[.gz|.zst]. PUBLIC_ALL=1: all of them, not only the
# small ones and those named p.* .
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$1
folder=${PRVCUT_TRACES:+$PRVCUT_TRACES/apps/paraver}
folder=${folder:-$2}
[ -d "$folder" ] || skip "no traces in $folder"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
failed=0

# status WANTED COMMAND...: run quietly; the status is added to $row, and is one of WANTED.
status()
{
    wanted=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    row="$row $(printf %7s "$got")"
    case " $wanted " in
    *" $got "*) ;;
    *)
        failed=1
        bad="$bad
    $*: status $got, $wanted expected: $(head -c 300 "$scratch/err")"
        ;;
    esac
}

# What an output inherits: findings of the same name, and those that these in the original become.
inherited()
{
    for finding in $1; do
        echo "$finding"
        case $finding in
        state-backward) echo state-empty state-overlap ;; # it is taken to end where it begins
        order) echo region-not-open ;;                    # its begin stands elsewhere
        esac
    done | tr '\n' ' '
}

# sound FILE: check --strict finds nothing in it but what the original causes.
sound()
{
    [ -e "$1" ] || return 0
    "$prvcut" check --strict --json "$1" >"$scratch/out" 2>"$scratch/err"
    got=$?
    row="$row $(printf %7s "$got")"
    own=
    for finding in $(sed -n 's/^      "name": "\(.*\)",/\1/p' "$scratch/out"); do
        # A window may be empty; where the original is a cut, its header tells the whole run's length.
        case " $inherited no-records duration " in
        *" $finding "*) ;;
        *) own="$own $finding" ;;
        esac
    done
    [ "$got" = 0 ] || { [ "$got" = 3 ] && [ -z "$own" ]; } || {
        failed=1
        bad="$bad
    check --strict ${1##*/}: status $got, not in the original:$own"
    }
}

printf '%-24s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s  %s\n' trace info check cut strict job otf2 \
    strict back strict filter strict 'what check notes'
for trace in "$folder"/*/*.prv "$folder"/*/*.prv.zst "$folder"/*/*.prv.gz; do
    [ -f "$trace" ] || continue
    name=$(basename "$trace")
    name=${name%%.prv*}
    size=$(wc -c <"$trace")
    case $name in
    p.*) ;;
    *) [ "${PUBLIC_ALL:-}" ] || [ "$size" -lt 30000 ] || continue ;;
    esac
    rm -rf "$scratch"/*
    row=
    bad=
    status 0 "$prvcut" info "$trace"
    status 0 "$prvcut" check --json "$trace"
    notes=$(sed -n 's/^      "name": "\(.*\)",/\1/p; s/.*"count": \([0-9]*\),/\1/p' "$scratch/out" |
        tr '\n' ' ')
    inherited=$(inherited "$(sed -n 's/^      "name": "\(.*\)",/\1/p' "$scratch/out")")
    status 0 "$prvcut" cut --no-index --from 10% --to 60% -o "$scratch/cut.prv" "$trace"
    sound "$scratch/cut.prv"
    status '0 4' "$prvcut" --no-index -o "$scratch/job.prv" "$trace"
    status 0 "$prvcut" convert "$trace" "$scratch/x.otf2"
    sound "$scratch/x.otf2"
    status 0 "$prvcut" convert "$scratch/x.otf2" "$scratch/back.prv"
    sound "$scratch/back.prv"
    status 0 "$prvcut" filter --drop messages -o "$scratch/less.prv" "$trace"
    sound "$scratch/less.prv"
    printf '%-24s%s  %s%s\n' "$name" "$row" "$notes" "$bad"
done
exit $failed
