#!/bin/sh
# What the page says that ranks compute in iterations, send to each other and wait, beside what
# profile, comm and waits say (heat.py, comm.py, waits.py): sh heat.sh PRVCUT PRVGEN SAMPLES
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
here=$(cd -- "$(dirname -- "$0")" && pwd)
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
prvgen=$(cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
samples=$(cd -- "$3" && pwd)
for tool in python3 zstd; do
    command -v $tool >/dev/null || skip "no $tool is there"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
# More ranks than rows, and more iterations than columns.
"$prvgen" --tasks 70 --iterations 9 --lean --imbalance 0.5 many >/dev/null
"$prvgen" --tasks 3 --iterations 450 --lean long >/dev/null
# More ranks than fields, which send.
"$prvgen" --tasks 70 --iterations 4 wide >/dev/null
"$prvcut" -q --report wide.html wide.prv 2>/dev/null
python3 "$here/comm.py" "$prvcut" wide.prv wide.html
for name in lu many long; do
    "$prvcut" -q --report "$name.html" "$name.prv" 2>/dev/null
    printf '%s: ' $name
    python3 "$here/heat.py" "$prvcut" "$name.prv" "$name.html"
    printf '%s: ' $name
    python3 "$here/comm.py" "$prvcut" "$name.prv" "$name.html"
    [ $name = long ] || {
        printf '%s: ' $name
        python3 "$here/waits.py" "$prvcut" "$name.prv" "$name.html"
    }
done
