# Where calls wait, as marks in a copy: from mark to mark it is as long as the table says, in every format.
needs otf2 || exit 77
needs otf || exit 77
zstd -dqc "$samples/lu.S.8.prv.zst" >lu.prv
zstd -dqc "$samples/lu.S.8.pcf.zst" >lu.pcf
cp "$samples/lu.S.8.row" lu.row
# Kind and ns of all marks of a trace; of each wait in the table. A late sender has its parts apart.
marked() {
    grep '^2:' "$1" | awk -F: '{
        for (i = 7; i < NF; i += 2) if ($i == 666002) {
            thread = $3 "." $4 "." $5
            if (kind[thread] > 0) sum[kind[thread]] += $6 - since[thread]
            kind[thread] = $(i + 1); since[thread] = $6
        }
    } END { sum[1] += sum[2] + sum[3]; for (k in sum) if (sum[k] > 0) printf "%d %.0f\n", k, sum[k] }' | sort -n
}
told() {
    prvcut waits --json "$@" | awk '/^  "metrics": / { on = 1 } /^  "delay"|^  "instances"/ { on = 0 }
        on && /^      "name": / { k++ } on && /^      "severity_s": [0-9]/ { sub(/,/, ""); if ($2 > 0) printf "%d %.0f\n", k, $2 * 1e9 }'
}
prvcut waits --top 1 --mark marked.prv lu.prv | tail -n 1
marked marked.prv >marks
told lu.prv >table
cmp marks table && cat marks
prvcut check --strict marked.prv
grep -A 3 666002 marked.pcf
grep -v '^#' lu.prv >records
grep -vE '^#|:666002:' marked.prv | cmp - records && echo 'else the same'
# Only what counts is marked.
prvcut waits -q --from 40% --to 60% --tasks 3 --mark part.prv lu.prv
marked part.prv >marks
told --from 40% --to 60% --tasks 3 lu.prv | cmp - marks && grep ':666002:' part.prv | cut -d: -f4 | uniq
prvcut convert -q lu.prv lu.otf2
prvcut waits -q --mark two.otf2 lu.otf2
prvcut convert -q "$(find two* -name '*.otf2')" two.prv
marked two.prv | cmp - table
# Marks of iterations and of waits stand in one archive.
prvcut mark -q -o three.otf2 "$(find two* -name '*.otf2')"
prvcut convert -q "$(find three* -name '*.otf2')" three.prv
marked three.prv | cmp - table
grep -c ':666001:' three.prv
grep -A 2 -h '66600[12]' three.pcf
prvcut convert -q lu.prv lu.otf
prvcut waits -q --mark four.otf lu.otf
prvcut convert -q "$(find four* -name '*.otf')" four.prv
marked four.prv >marks
told lu.otf | cmp - marks
# Nothing to mark; what is in the way; what cannot be.
. "$data/loop.sh"
sed '/^2/d' loop.prv >bare.prv
prvcut waits --mark none.prv bare.prv >/dev/null; echo $?
prvcut waits --mark marked.prv lu.prv >/dev/null; echo $?
prvcut waits --mark - lu.prv >/dev/null; echo $?
prvcut waits --mark x.prv - <lu.prv >/dev/null; echo $?
prvcut waits --mark x.prv -o x.cubex lu.prv; echo $?
ls none.prv x.prv 2>/dev/null
:
