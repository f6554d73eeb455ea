# A folder that tells its names but cannot be entered. The superuser may enter everywhere and asks another user to
# try.
. "$data/loop.sh"
mkdir shut
cp loop.prv shut
if [ "$(id -u)" = 0 ]; then
    if ! setpriv --reuid=65534 --clear-groups prvcut --version >/dev/null 2>&1; then
        echo 'closed folders: nobody else may run the program here' >"$SKIPPED"
        exit
    fi
    chown 65534 shut
    as() { setpriv --reuid=65534 --clear-groups "$@"; }
else
    as() { "$@"; }
fi
chmod 755 ..
chmod 777 .
chmod 644 shut
try() { as prvcut "$@" 2>&1 >/dev/null | sed 's/^prvcut: //'; }
try info shut
try --iterations 2 shut/loop.prv
try structure shut/lopo.prv
try convert loop.prv shut/a.paje
# Who only looks needs no place for a cut.
at=$PWD
mkdir closed away && chmod 755 closed && chmod 777 away
[ "$(id -u)" = 0 ] || chmod 555 closed
cd closed
try sql ../loop.prv 'SELECT min(iteration) > 0 FROM calls'
XDG_CACHE_HOME=$at/away try view --print ../loop.prv
ls "$at/away/prvcut" | wc -l
cd ..
chmod 644 shut
as sh -c "$(try info -q shut/loop.prv | sed 's/.*; try: //')"
echo $?
