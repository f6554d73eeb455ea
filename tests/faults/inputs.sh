#!/bin/sh
# Make the inputs of the fault campaign, a folder each; none of a format that is not built in:
#
#   sh tests/faults/inputs.sh PRVCUT PRVGEN CAMPAIGN LITL-LOG FOLDER
set -eu
prvcut=$1
prvgen=$2
campaign=$3
logs=$4
mkdir -p "$5"
cd "$5"

# Two loops, so that there are two regions; few records, so that thousands of runs take minutes.
mkdir prv
"$prvgen" --tasks 2 --iterations 12 --init-ns 2000000 --end-ns 500000 --callers 1 --change-at 0.5 prv/a
rm prv/a.truth.json
mkdir gz zst
gzip -k prv/a.prv prv/a.pcf
mv prv/*.gz gz
zstd -q prv/a.prv -o zst/a.prv.zst
zstd -q prv/a.pcf -o zst/a.pcf.zst
cp prv/a.row gz
cp prv/a.row zst
cp -r prv indexed
"$prvcut" index -q indexed/a.prv
cp -r prv config
cat >config/cutter.xml <<END
<config><cutter><by_time>1</by_time><minimum_time>60000000</minimum_time>
<maximum_time>90000000</maximum_time><break_states>1</break_states></cutter></config>
END
cp -r prv csv
"$prvcut" signal -q --metric computing --bins 200 -o signal.csv prv/a.prv
tail -n +2 signal.csv | awk '{ printf "1\t%d\t%d\t%d\n", (NR - 1) * 1000000, 1000000, NR % 17 }' >csv/t.csv
rm signal.csv
for format in otf2 otf; do
    "$prvcut" formats | grep -q "^$format " || continue
    mkdir "$format"
    "$prvcut" convert -q prv/a.prv "$format/a.$format"
done
mkdir otfz
cp otf/* otfz
"$campaign" pack otfz/*.events otfz/*.def
mkdir litl
cp "$logs" litl/a.ltt
mkdir archive otf2archive
"$prvcut" -q --archive archive/a.tar.zst prv/a.prv
[ ! -d otf2 ] || "$prvcut" -q --archive otf2archive/a.tar.zst otf2/a.otf2
