#!/bin/sh
# The fault campaign (README.md):
#
#   sh tests/faults/run.sh           one fault in seventeen, by chance, as the test `faults` does
#   sh tests/faults/run.sh full      all of it: some ten thousand faults, and full disks where mount may be used
#   sh tests/faults/run.sh OPTION... as campaign.c has them: -c 'job otf2' -k rename -n 2
#
# BUILD is the folder of a build with tests [build/release], JOBS how many run at once [all processors],
# SEED the seed of what is left to chance [the time of day].
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/../support/skip.sh"
build=$(CDPATH='' cd -- "${BUILD:-$here/../../build/release}" && pwd)
# Memory, where there is such a folder: the kernel then has no disk to wait for.
[ -w /dev/shm ] && base=/dev/shm || base=${TMPDIR:-/tmp}
scratch=$(mktemp -d "$base/prvcut-faults.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

sh "$here/inputs.sh" "$build/prvcut" "$build/tests/tools/prvgen" "$build/tests/faults/campaign" \
    "$here/../fuzz/corpus/litl/golden" "$scratch/inputs"
mkdir "$scratch/work"
without=
"$build/prvcut" formats | grep -q '^otf2 ' || without=otf2

# try OPTION...
try() {
    "$build/tests/faults/campaign" -j "${JOBS:-$(nproc)}" ${SEED:+-s "$SEED"} \
        ${without:+-x "$without"} "$@" \
        "$build/prvcut" "$build/tests/faults/libfaults.so" "$scratch/inputs" "$scratch/work"
}

# A disk that is full at any moment: old outputs stay, or the new ones are whole.
full_disk() {
    disk=$scratch/disk
    tried=0
    mkdir "$disk"
    for size in 56 60 64 68 72 76 80 88 96 104 112 128 160 192; do
        for command in 'cut --from 20% --to 50%' 'filter --drop states' 'mark' '--metric calls' \
            '--metric calls --regions all' '--metric calls --archive s.tar.zst' 'convert-to s.otf2' \
            'convert-to s.otf' 'convert-to s.json' 'index' 'signal --metric bursts -o s.csv'; do
            [ "$command" != "convert-to s.$without" ] || continue
            mount -t tmpfs -o size="${size}k" tmpfs "$disk" 2>/dev/null || {
                echo "SKIPPED: a full disk (mount is not allowed)"
                return 0
            }
            on_disk "$command" || status=1
            umount "$disk"
            tried=$((tried + 1))
        done
    done
    echo "full disks: $tried tried"
}

# on_disk COMMAND: run it in $disk over what it wrote there before, as far as there was room
on_disk() {
    cp "$scratch"/inputs/prv/* "$disk"
    case $1 in
    convert-to*) set -- "convert a.prv ${1#convert-to }" ;;
    *) set -- "$1 a.prv" ;;
    esac
    (cd "$disk" && "$build/prvcut" $1 -q -f >/dev/null 2>&1) || true
    before=$(cd "$disk" && find . -type f -exec sha256sum {} + | sort; find . -type d | sort)
    exit=0
    (cd "$disk" && TMPDIR=$disk "$build/prvcut" $1 -q -f >/dev/null 2>"$scratch/words") || exit=$?
    after=$(cd "$disk" && find . -type f -exec sha256sum {} + | sort; find . -type d | sort)
    [ "$exit" = 0 ] || [ "$exit" = 1 ] || {
        echo "full disk of $size kB: '$1': status $exit: $(cat "$scratch/words")"
        return 1
    }
    [ "$exit" = 0 ] || [ "$before" = "$after" ] || {
        echo "full disk of $size kB: '$1': not as before"
        return 1
    }
}

status=0
case ${1:-sample} in
sample) try -e 1 -m 2 -p 12 ;;
full)
    try -e 4 -m 24 || status=1
    full_disk
    ;;
*) try "$@" ;;
esac
[ -z "$without" ] || [ "$status" != 0 ] || skip "commands on $without, which is not built in"
exit "$status"
