# A role that is given to a type that no event has is told of, with the types that there are.
cat >some.prv <<'END'
#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)
2:1:1:1:1:10:50000001:1:42000050:7
2:1:1:1:1:20:50000001:0
2:1:1:1:1:30:123:4
END
prvcut signal --metric computing,p2p --bins 1 --role p2p=1 some.prv 2>&1; echo $?
prvcut info --role p2p=1,50000001 --role flush=99 some.prv 2>&1 >/dev/null
prvcut -q --role p2p=7 some.prv; echo $?
echo "All met:"
prvcut info --role p2p=123 some.prv 2>&1 >/dev/null
echo "No events at all:"
head -n 1 some.prv >none.prv
prvcut info --role p2p=1 none.prv 2>&1 >/dev/null
echo "Formats that tell the roles themselves:"
prvcut convert -q some.prv some.otf
prvcut info --role p2p=1 some.otf 2>&1 >/dev/null
