#!/bin/sh
# The fault campaign (README.md):
#
#   sh tests/faults/run.sh           one fault in seven, by chance, as the test `faults` does
#   sh tests/faults/run.sh full      all of it: some ten thousand faults, and full disks where mount may be used
#   sh tests/faults/run.sh OPTION... as campaign.c has them: -c 'job otf2' -k rename -n 2
#
# BUILD is the folder of a build with tests [build/release], JOBS how many run at once [all processors],
# SEED the seed of what is left to chance [the time of day].
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$(CDPATH='' cd -- "${BUILD:-$here/../../build/release}" && pwd)
# Memory, where there is such a folder: the kernel then has no disk to wait for.
[ -w /dev/shm ] && base=/dev/shm || base=${TMPDIR:-/tmp}
scratch=$(mktemp -d "$base/prvcut-faults.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

sh "$here/inputs.sh" "$build/prvcut" "$build/tests/tools/prvgen" "$build/tests/faults/campaign" \
    "$here/../fuzz/corpus/litl/golden" "$scratch/inputs"
mkdir "$scratch/work"

# try OPTION...
try() {
    "$build/tests/faults/campaign" -j "${JOBS:-$(nproc)}" ${SEED:+-s "$SEED"} "$@" "$build/prvcut" \
        "$build/tests/faults/libfaults.so" "$scratch/inputs" "$scratch/work"
}
case ${1:-sample} in
sample) try -e 1 -m 2 -p 30 ;;
full) try -e 8 -m 60 ;;
*) try "$@" ;;
esac
