# A window that holds nothing makes a trace that holds nothing, sound in every format; one that lost its events is damaged.
needs otf2 || exit 77
cat >some.prv <<'ROWS'
#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)
2:1:1:1:1:10:1:1
2:1:1:1:1:990:1:1
ROWS
prvcut convert -q some.prv some.otf2
prvcut convert -q some.prv some.otf
for suffix in prv otf2 otf; do
    prvcut cut -q --from 30% --to 70% -o none.$suffix some.$suffix
    prvcut check none.$suffix | head -n 2
    echo $?
done
head -n 1 some.prv >header.prv
prvcut convert -q header.prv header.otf2
prvcut check header.otf2 | head -n 2
for events in some/*.evt; do cp none/"${events##*/}" "$events"; done
prvcut check some.otf2 | head -n 2
