# A page in the cache folder: made once, shown again while the trace is the same; a browser, or how to see the page.
. "$data/loop.sh"
XDG_CACHE_HOME=$PWD/away
export XDG_CACHE_HOME
top=$PWD
place() { sed "s|$top/||; s/[0-9a-f]\{16\}/DIGITS/; s/made in .*/made now/; s/[0-9]* kB, made/SIZE, made/"; }
view() { prvcut view "$@" 2>words | place; place <words; }
view loop.prv
view loop.prv
ls -l away/prvcut | sed 1d | cut -c1-10
view -f loop.prv
page=$(prvcut view --print loop.prv)
echo "$page" | place
prvcut view --json loop.prv | grep -E '"(trace|made|complete|time_limit_s)"'
grep -c 'prvcut loop.prv' "$page"
ls
# Of other labels, options, folders, a changed trace: made anew, in the same place.
view --raw-clocks loop.prv
view loop.prv
touch -d 2001-01-01 loop.prv && view loop.prv
mkdir deep && (cd deep && prvcut view ../loop.prv 2>/dev/null | place)
(cd deep && prvcut view ../loop.prv 2>/dev/null | place)
# What does not fit is left out, and made when there is time; the cut that is there is replaced by what the page tells to type.
prvcut -q loop.prv
view --time-limit 1ms loop.prv
grep -o 'the page would take longer than [^"]*' "$page" | sort | uniq -c | sed 's/^ *//'
view --time-limit 1ms loop.prv
view loop.prv
grep -c 'prvcut -f loop.prv' "$page"
# A page of something else in its place, or none, is no page.
echo '<meta name="prvcut-page" content="' >"$page" && view loop.prv
# One that was cut short is made anew.
view -f loop.prv >/dev/null && truncate -s 1000 "$page" && view loop.prv && tail -n 1 "$page"
# A folder in its place is nobody's.
rm "$page" && mkdir "$page" && view loop.prv; echo $?; rmdir "$page"
# Archives: of parts that changed.
if needs otf2; then
    tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
    prvcut view lu.S.4_trace | place >first
    prvcut view lu.S.4_trace | place >second
    find lu.S.4_trace -name '*.evt' -exec touch -d 2001-01-01 {} +
    prvcut view lu.S.4_trace | place >third
    grep -h -o 'made .*' first second third
else
    printf 'made now\nmade before; -f makes it anew\nmade now\n'
fi 2>/dev/null
# Without a loop: why.
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:9:1\n' >none.prv
view none.prv; echo $?
# Another machine.
export SSH_CONNECTION='10.0.0.1 50000 10.0.0.2 22' LOGNAME=ann
view loop.prv | tail -n 1
SSH_CONNECTION='fe80::1 50000 fe80::2 2222' view loop.prv | tail -n 1
SSH_CONNECTION=strange view loop.prv | tail -n 1
# A browser that opens, one that fails, one that is not there.
mkdir bin old && old=$PATH
printf '#!/bin/sh\necho "$1" >%s/opened\n' "$PWD" >bin/xdg-open && chmod +x bin/xdg-open
(DISPLAY=:9 PATH=$PWD/bin:$PATH && export DISPLAY PATH && view loop.prv && place <opened)
printf '#!/bin/sh\nexit 3\n' >bin/xdg-open
(DISPLAY=:9 PATH=$PWD/bin:$PATH && export DISPLAY PATH && prvcut view -q loop.prv; echo $?) 2>&1 | place
printf '#!/bin/sh\nexit 4\n' >bin/xdg-open
(BROWSER=x PATH=$PWD/bin:$PATH && export BROWSER PATH && prvcut view -q loop.prv; echo $?) 2>&1 | place
program=$(command -v prvcut)
(DISPLAY=:9 PATH=$PWD/old && export DISPLAY PATH && "$program" view -q loop.prv; echo $?) 2>&1 | place
# No folder, none that can be, a pipe.
(unset XDG_CACHE_HOME HOME && prvcut view loop.prv; echo $?) 2>&1
XDG_CACHE_HOME=relative HOME=relative prvcut view loop.prv 2>&1; echo $?
XDG_CACHE_HOME=$PWD/loop.prv prvcut view loop.prv 2>&1 | place
prvcut view - <loop.prv 2>&1
prvcut view --print --json loop.prv 2>&1
# A hundred are kept.
i=0; while [ $i -lt 105 ]; do : >"away/prvcut/x.$(printf %016x $i).html"; i=$((i + 1)); done
touch -d 2000-01-01 away/prvcut/x.*
: >away/prvcut/kept.html
view -f loop.prv | tail -n 1
ls away/prvcut | wc -l; ls away/prvcut | grep -c loop; ls away/prvcut/kept.html
ls
