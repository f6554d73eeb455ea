# Traces for a script that wants some: sets prvcut, samples and scratch, which is removed in the end.
#
#   . tests/support/traces.sh; traces_of PRVCUT SAMPLES lu.S.4 comd.8; for trace in "$scratch"/*.prv; do ...
#
# Unpacked there are the sample lu.S.8 and the real ones of these names, with what names their events; of those that are
# missing it is said.
. "$(dirname -- "$0")/../support/skip.sh"

traces_unpack() {
    name=$(basename "$1" .prv.zst)
    zstd -qd "$1" -o "$scratch/$name.prv"
    [ ! -e "${1%.prv.zst}.pcf.zst" ] || zstd -qd "${1%.prv.zst}.pcf.zst" -o "$scratch/$name.pcf"
}

traces_of() {
    prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
    samples=$(cd -- "$2" && pwd)
    real=${PRVCUT_TRACES:-$samples/../../shared/traces}/paraver
    shift 2
    for tool in python3 zstd; do
        command -v $tool >/dev/null || skip "no $tool is there"
    done
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    traces_unpack "$samples/lu.S.8.prv.zst"
    for trace; do
        if [ -e "$real/$trace/$trace.prv.zst" ]; then
            traces_unpack "$real/$trace/$trace.prv.zst"
        else
            leave_out "no trace $trace"
        fi
    done
}
