#!/bin/sh
# The Why of 'structure' is the longest unusual iteration, and each that it explains is explained by 'profile --why'
# in the same words and numbers: sh why_agrees.sh PRVCUT SAMPLES
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
for name in bt.W.9.flush; do
    if [ -e "$traces/$name/$name.prv.zst" ]; then
        set -- "$@" "$traces/$name/$name.prv.zst"
    else
        echo "SKIPPED: no trace $name"
    fi
done
for trace; do
    name=$(basename "$trace" .prv.zst)
    zstd -qd "$trace" -o "$scratch/$name.prv"
    [ ! -e "${trace%.prv.zst}.pcf.zst" ] || zstd -qd "${trace%.prv.zst}.pcf.zst" -o "$scratch/$name.pcf"
    python3 - "$prvcut" "$scratch/$name.prv" <<'PYTHON'
import json, re, subprocess, sys

def run(*words):
    return subprocess.run([sys.argv[1], *words, '--no-index', sys.argv[2]], capture_output=True, text=True).stdout

regions = json.loads(run('structure', '--json'))['regions']
explained = [(o['end_ns'] - o['start_ns'], o['iteration'], o['cause'])
             for r in regions for o in r.get('outliers', []) if o.get('cause')]
longer = [(o['end_ns'] - o['start_ns'], o['iteration'])
          for r in regions for o in r.get('outliers', []) if o['deviation'] > 0]
assert explained, 'nothing is explained'
assert max(explained)[:2] == max(longer), (max(explained), max(longer))
told = re.search(r'^Why +iteration (\d+)', run('structure'), re.M)
assert int(told[1]) == max(explained)[1], (told[0], max(explained))
for _, iteration, cause in explained:
    why = json.loads(run('profile', '--json', '--why', str(iteration)))['why']['slow']
    assert [w['text'] for w in why] == [cause], (iteration, cause, why)
print('%d iterations explained alike, the longest %d' % (len(explained), int(told[1])))
PYTHON
done
