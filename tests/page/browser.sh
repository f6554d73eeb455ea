#!/bin/sh
# Open report pages in a headless browser: nothing on its console, everything there and right.
#
#   sh tests/page/browser.sh PRVCUT PRVGEN FOLDER [TRACE...]
#
# Pages, pictures (light, and dark and narrow) and prints stay in FOLDER to be looked at. Without traces the
# sample and generated runs are taken, and only the sample's page is drawn. Exit status 77: there is no
# browser.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$1 prvgen=$2 folder=$3
shift 3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
samples=$here/../../samples
browser=
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name || true)
done
[ -n "$browser" ] || skip "no chromium is there: the page is not looked at"
mkdir -p "$folder"
folder=$(CDPATH='' cd -- "$folder" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

# browse PAGE OPTIONS...: what the browser prints; its words in $scratch/words
browse() {
    page=$1
    shift
    timeout 120 "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --hide-scrollbars --user-data-dir="$scratch/profile" --enable-logging=stderr --v=0 "$@" \
        "file://$page" 2>"$scratch/words"
}

# with_check PAGE COPY: the page with the test's own scripts at its end
with_check() {
    sed '$d' "$1" | sed '$d' >"$2"
    {
        echo '<script>(function () { "use strict";'
        cat "$here/selfcheck.js" "$here/selfcheck_drawn.js" "$here/selfcheck_hands.js"
        echo '})();</script></body></html>'
    } >>"$2"
}

# frames PAGE COPY: a page that shows it in three windows at once, and what the test's script says in each:
# starting the browser takes longer than all that it is started for
frames() {
    cat >"$2" <<END
<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><pre id="said"></pre><script>
addEventListener("message", function (e) {
    document.getElementById("said").textContent += "\n" + e.data + "\n";
});
</script>
<iframe src="file://$1" width="1280" height="1000"></iframe>
<iframe src="file://$1" width="800" height="1000"></iframe>
<iframe src="file://$1" width="500" height="1000"></iframe>
END
}

failed=0
pictures=yes
complain() {
    echo "$*" >&2
    failed=1
}

# examine NAME TRACE SUFFIX [STATUS]: make the page of a trace and look at it; STATUS any: of a run with a loop, or without
examine() {
    page=$folder/$1.html
    status=0
    "$prvcut" --quiet --force --outliers 2 --report "$page" -o "$scratch/$1.out$3" "$2" 2>"$scratch/words" ||
        status=$?
    case ${4:-0}:$status in any:0 | any:4) ;; $status:$status) ;; *) rm -f "$page" ;; esac
    if [ ! -s "$page" ]; then
        complain "$1: no page, exit status $status"
        return 0
    fi
    bytes=$(wc -c <"$page")
    [ "$bytes" -lt 2000000 ] || complain "$1: $bytes bytes are too many"
    ! grep -nEi '(src|href|action)="?(https?:|//|file:)|url\((https?:|//)|@import' "$page" ||
        complain "$1: refers to something outside"
    with_check "$page" "$scratch/$1.html"
    frames "$scratch/$1.html" "$scratch/frames.html"
    browse "$scratch/frames.html" --window-size=1400,2200 --virtual-time-budget=20000 --dump-dom \
        >"$scratch/dom" || true
    ! grep -q CONSOLE "$scratch/words" || complain "$1: $(grep CONSOLE "$scratch/words")"
    sed -n '/<pre id="said">/,/<\/pre>/p' "$scratch/dom" | sed 's/<[^>]*>//g' >"$scratch/said"
    for width in 1280 800 500; do
        grep -q "^at $width: all is well$" "$scratch/said" || {
            complain "$1: $(cat "$scratch/said")"
            break
        }
    done
    [ -z "$pictures" ] || draw "$1"
}

# draw NAME: its pictures
draw() {
    page=$folder/$1.html
    browse "$page" --window-size=1280,2400 --screenshot="$folder/$1-light.png"
    browse "$page" --window-size=800,2800 --blink-settings=preferredColorScheme=0 \
        --screenshot="$folder/$1-dark-narrow.png"
    browse "$page" --no-pdf-header-footer --print-to-pdf="$folder/$1.pdf"
    for picture in "$1-light.png" "$1-dark-narrow.png" "$1.pdf"; do
        [ -s "$folder/$picture" ] || complain "$picture: nothing was drawn"
    done
}

if [ $# -gt 0 ]; then
    for trace; do
        name=$(basename "$trace")
        case $name in *.otf2) suffix=.otf2 name=$(basename "$(dirname "$trace")") ;; *) suffix=.prv ;; esac
        examine "${name%%.prv*}" "$trace" $suffix any
    done
else
    zstd -q -d "$samples/lu.S.8.prv.zst" -o "$scratch/lu.S.8.prv"
    zstd -q -d "$samples/lu.S.8.pcf.zst" -o "$scratch/lu.S.8.pcf"
    cp "$samples/lu.S.8.row" "$scratch"
    examine lu.S.8 "$scratch/lu.S.8.prv" .prv
    pictures=
    # Names of a trace are anybody's words.
    # Of another application of its nothing is recorded.
    sed '1s/:1:\(8([^)]*)\)/:2:\1,2(1:1,1:1)/' "$scratch/lu.S.8.prv" >"$scratch/hostile.prv"
    bad='<script>console.error(1)<\/script><img src=x onerror=console.error(2)>"'"'"'\&amp;'
    sed "s/Running/$bad/; s/MPI_Recv/$bad/; s/Waiting a message/&$bad/" "$scratch/lu.S.8.pcf" \
        >"$scratch/hostile.pcf"
    sed "s/THREAD 1/$bad/" "$scratch/lu.S.8.row" >"$scratch/hostile.row"
    examine hostile "$scratch/hostile.prv" .prv
    "$prvgen" --tasks 4 --iterations 14 --inner 6,8 "$scratch/one" >/dev/null
    # A second application repeats a loop of its own.
    {
        sed -n '1s/:1:\(4([^)]*)\),[0-9]*$/:2:\1:8(1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1)/p' "$scratch/one.prv"
        {
            grep '^[123]:' "$scratch/one.prv"
            awk -F: -v OFS=: '/^[123]:/ { $3 = 2; if ($1 == 3) $9 = 2; print }' "$scratch/lu.S.8.prv"
        } | sort -s -t : -n -k 6,6
    } >"$scratch/nested.prv"
    cp "$scratch/one.pcf" "$scratch/nested.pcf"
    examine nested "$scratch/nested.prv" .prv
    "$prvgen" --tasks 4 --iterations 60 --aperiodic "$scratch/none" >/dev/null
    examine none "$scratch/none.prv" .prv 4
    "$prvgen" --tasks 4 --lean --iterations 30000 "$scratch/many" >/dev/null
    examine many "$scratch/many.prv" .prv
    # Functions that tell where they stand in the source.
    if "$prvcut" formats | grep -q '^otf2 '; then
        "$(dirname -- "$prvgen")/prvarchive" --processes 4 --exchanges 2 --iterations 30 "$scratch/sourced/a.otf2" >/dev/null
        examine sourced "$scratch/sourced/a.otf2" .otf2
        grep -q '"functions":true,"line":\[{"name":"[a-z_]*",[^}]*"file":"/home/ann/src/heat.c","line":[0-9]*5,' \
            "$folder/sourced.html" || complain "sourced: no source lines"
    fi
    tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst" -C "$scratch"
    if "$prvcut" check --quiet "$scratch/lu.S.4_trace" >/dev/null 2>&1; then
        examine lu.S.4_trace "$scratch/lu.S.4_trace" .otf2
    else
        echo "no OTF2 here: its page is not looked at" >&2
    fi
fi
exit $failed
