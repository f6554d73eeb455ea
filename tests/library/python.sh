#!/bin/sh
# The Python package says what the program says, also installed from a wheel that is built without a network:
#
#   sh tests/library/python.sh PRVCUT LIBRARY
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
python=
for at in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$at" -c 'import setuptools, wheel, pip' 2>/dev/null || python=$at
done
[ -n "$python" ] || skip 'no Python with pip, setuptools and wheel is there'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Building leaves files beside the source.
cp -r "$root/src/python" "$scratch/source"
"$python" -m pip wheel -q --no-index --no-build-isolation --no-deps --disable-pip-version-check \
    -w "$scratch" "$scratch/source"
"$python" -m zipfile -e "$scratch"/prvcut-*.whl "$scratch/installed"
[ -f "$scratch/installed/prvcut/py.typed" ]
cd "$scratch"
PRVCUT=$1 PRVCUT_LIBRARY=$2 SAMPLES=$root/samples PYTHONPATH=$scratch/installed \
    "$python" -W error -m unittest discover -s "$scratch/source/tests" >"$scratch/said" 2>&1 || {
    cat "$scratch/said"
    exit 1
}
tail -n 1 "$scratch/said"
