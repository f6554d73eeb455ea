# Labels of another trace that stand beside a cut of a trace without any are told, and removed with -f.
. "$data/loop.sh"
rm -f loop.pcf loop.row
echo 'EVENT_TYPE' >loop.chop1.pcf
prvcut -q loop.prv
echo "status $?"
prvcut -q -f loop.prv
echo "status $?"
ls loop.chop1.*
