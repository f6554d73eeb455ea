# One line begins two collectives, of which the first ends where the second begins: each has its own sizes, the last one those
# of lines behind, too; a barrier gets none from the call behind it.
needs otf2 && needs otf || exit 77
command -v otf2-print >/dev/null || exit 77
{
    echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1),1'
    echo c:1:1:1:1
    echo 2:1:1:1:1:100:50000002:12:50100001:7744:50100002:7745:50100004:1:50000002:10:50100001:28:50100002:29:50100004:1
    echo 2:1:1:1:1:200:50000002:0
    echo 2:1:1:1:1:300:50000002:12:50100001:3:50100002:4:50100004:1:50000002:10:50100004:1
    echo 2:1:1:1:1:300:50100001:5:50100002:6
    echo 2:1:1:1:1:400:50000002:0
    echo 2:1:1:1:1:500:50000002:8:50000002:10:50100001:28:50100002:29:50100004:1
    echo 2:1:1:1:1:600:50000002:0
} >two.prv
prvcut convert -q two.prv two.otf2
otf2-print two.otf2 | grep ^MPI_COLLECTIVE_END | tr -s ' '
prvcut convert -q two.otf2 back.prv
grep ^2 back.prv
prvcut convert -q two.prv two.otf
cat two.1.events
