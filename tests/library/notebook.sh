#!/bin/sh
# The notebook runs from its beginning to its end, gives the answers that stand in it, and is small:
#
#   sh tests/library/notebook.sh LIBRARY
#
# Without pandas and matplotlib only its form is looked at; where Debian's jupyter is there, that runs it, too. After a
# change: UPDATE=1 writes what jupyter makes of it into samples/iterations.ipynb; read the difference before you keep it.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
command -v python3 >/dev/null || skip 'no Python is there'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 "$here/notebook.py" form "$root/samples/iterations.ipynb"
python=
for at in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$at" -c 'import matplotlib, pandas' 2>/dev/null || python=$at
done
[ -n "$python" ] || skip 'no python3-pandas and python3-matplotlib are there'
# All that is written goes there: bytecode, caches, the kernel's files.
cp -r "$root/src/python/prvcut" "$root"/samples/lu.S.8.* "$root/samples/iterations.ipynb" "$scratch"
cd "$scratch"
export PRVCUT_LIBRARY="$1" PYTHONPATH="$scratch" HOME="$scratch" MPLBACKEND=Agg LC_ALL=C.UTF-8
"$python" "$here/notebook.py" run iterations.ipynb
# A kernel takes seconds to start: where that is asked for.
[ "${UPDATE:-}" = 1 ] || exit 0
unset MPLBACKEND
jupyter nbconvert --log-level=ERROR --to notebook --execute --output looked.ipynb iterations.ipynb
"$python" "$here/notebook.py" keep looked.ipynb "$root/samples/iterations.ipynb"
