#!/bin/sh
# The Why of 'structure' is the longest unusual iteration, and each that it explains is explained by 'profile --why'
# in the same words and numbers: sh why_agrees.sh PRVCUT SAMPLES
set -eu
. "$(dirname -- "$0")/../support/traces.sh"
traces_of "$1" "$2" bt.W.9.flush
for trace in "$scratch"/*.prv; do
    python3 - "$prvcut" "$trace" <<'PYTHON'
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
