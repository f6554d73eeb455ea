#!/bin/sh
# What the verdict tells of a cut is what the written cut holds, to the message and the byte, and the same where the
# proof is asked for: sh verdict_counts.sh PRVCUT SAMPLES
set -eu
. "$(dirname -- "$0")/../support/traces.sh"
traces_of "$1" "$2" bt.W.9.flush lu.S.8.flush is.W.8 cg.W.4.sampling lu.S.4 comd.8
for trace in "$scratch"/*.prv; do
    python3 - "$prvcut" "$trace" <<'PYTHON'
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
