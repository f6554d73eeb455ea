#!/bin/sh
# Each JSON that the program prints is as its schema in man/schema says: sh schemas.sh PRVCUT
# UPDATE=1 writes the schemas from what was seen; read the difference before you keep it.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
here=$(cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for tool in python3 zstd tar; do
    command -v "$tool" >/dev/null || skip "no $tool is there"
done
"$prvcut" formats | grep -q '^otf2 ' || skip 'OTF2 is not built in'
cd "$scratch"
sh "$here/json_samples.sh" "$prvcut" "$here/data" "$here/../../samples"
python3 -c "import jsonschema" 2>/dev/null || skip "no python3-jsonschema is there"
python3 "$here/schemas.py" "$here/../../man/schema" ./*.json
