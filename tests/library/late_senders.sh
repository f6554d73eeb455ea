#!/bin/sh
# The sample that computes late senders, on real traces of each format, against what was worked out
# without this library: by a search through the text of the .prv, and by Scalasca's analyser.
#
#   sh late_senders.sh SAMPLE TRACES
set -u
. "$(dirname -- "$0")/../support/skip.sh"
sample=$1
traces=${PRVCUT_TRACES:-$2}
[ -d "$traces" ] || skip "no traces in $traces"
status=0

# late TRACE WAITS...: exactly these lines, each without its words
late() {
    trace=$1
    shift
    got=$("$sample" "$traces/$trace" | sed 's/ waits / /; s/ ns for / /; s/ messages//')
    wanted=$(printf '%s\n' "$@")
    [ "$got" = "$wanted" ] || {
        printf '%s: wanted\n%s\nbut got\n%s\n' "$trace" "$wanted" "$got" >&2
        status=1
    }
}

late paraver/lu.S.4/lu.S.4.prv.zst 'MPI_Wait 209992484 133' 'MPI_Recv 606171781 207'
late waits/w.chain.3/w.chain.3.prv.zst 'MPI_Recv 2147437308 16'
late waits/w.ls-nonblock.4/w.ls-nonblock.4.prv.zst 'MPI_Wait 249853665 5' 'MPI_Waitall 592219317 19'
late otf/lu.S.4.tar.zst 'MPI_Wait 4160611 206' 'MPI_Recv 11350282 281'
if "$sample" "$traces/otf2/lu.S.4.tar.zst" 2>&1 | grep -q 'built without the OTF2 library'; then
    [ "$status" != 0 ] || skip 'OTF2 is not built in'
else
    late otf2/lu.S.4.tar.zst 'MPI_Wait 4160611 206' 'MPI_Recv 11350282 281'
    late otf2/scorep-ping-pong-otf2.tar.zst 'MPI_Recv 45122 4'
    late waits/w.chain.3.ezt/w.chain.3.ezt.tar.zst 'MPI_Recv 1842840778 12'
fi
exit $status
