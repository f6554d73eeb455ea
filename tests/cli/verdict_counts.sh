#!/bin/sh
# What the verdict tells of a cut is what the written cut holds, to the message and the byte, and the same where the
# proof is asked for: sh verdict_counts.sh PRVCUT SAMPLES
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
samples=$(cd -- "$2" && pwd)
traces=${PRVCUT_TRACES:-$samples/../../shared/traces}/paraver
for tool in python3 zstd; do
    command -v $tool >/dev/null || skip "no $tool is there"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
set -- "$samples/lu.S.8.prv.zst"
for name in bt.W.9.flush lu.S.8.flush is.W.8 cg.W.4.sampling lu.S.4 comd.8; do
    if [ -e "$traces/$name/$name.prv.zst" ]; then
        set -- "$@" "$traces/$name/$name.prv.zst"
    else
        echo "SKIPPED: no trace $name"
    fi
done
for trace; do
    name=$(basename "$trace" .prv.zst)
    zstd -qd "$trace" -o "$scratch/$name.prv"
    zstd -qd "${trace%.prv.zst}.pcf.zst" -o "$scratch/$name.pcf"
    python3 - "$prvcut" "$scratch/$name.prv" <<'PYTHON'
import json, math, subprocess, sys

prvcut, trace = sys.argv[1:]
ITERATIONS = 2  # that a cut holds unless told otherwise

def chop(*words):
    told = subprocess.run([prvcut, '-q', '--json', '--no-index', *words, trace], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)['chops'][0]

cut = chop('-o', trace + '.cut.prv')
counted = {'messages': 0, 'bytes': 0}
for line in open(trace + '.cut.prv'):
    if line.startswith('3:'):
        counted['messages'] += 1
        counted['bytes'] += int(line.split(':')[13])
for of in cut, chop('-n', '--proof'):
    for row in of['proof']['rows']:
        if row['group'] == 'traffic' and row['name'] in counted:
            told = row['chop'] * ITERATIONS
            assert math.isclose(told, counted[row['name']], abs_tol=0.5), (trace, row, counted)
    if of['worst'] and of['worst']['quantity'] == 'bytes':
        assert math.isclose(of['worst']['value'], counted['bytes'], abs_tol=0.5), (trace, of['worst'], counted)
PYTHON
done
