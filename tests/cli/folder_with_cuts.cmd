# An archive's folder stays its name when cuts stand in it.
. "$data/loop.sh"
mkdir app_trace
prvcut convert -q loop.prv app_trace/log.otf
prvcut -q app_trace; echo $?
prvcut -q -f app_trace/; echo $?
prvcut cut -q --from 0 --to 1ms app_trace/log.chop1; echo $?
find app_trace -name "*.otf" | sort
prvcut info app_trace | sed 's/:.*//; q'
prvcut convert -q loop.prv app_trace/log2.otf
prvcut info app_trace; echo $?
rm app_trace/log.otf app_trace/log2.*
prvcut info app_trace | head -n 1
# So do a Paraver trace's cuts, compressed or not; another trace beside them has to be named.
mkdir prv
cp loop.prv prv/app.prv
prvcut -q prv; echo $?
prvcut cut -q --compress gz --from 0 --to 1ms prv; echo $?
ls prv
prvcut info prv | sed 's/:.*//; q'
cp loop.prv prv/other.prv
prvcut info prv; echo $?
