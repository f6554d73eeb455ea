# An archive's folder stays its name when cuts stand in it.
. "$data/loop.sh"
mkdir app_trace
prvcut convert -q loop.prv app_trace/log.otf
prvcut -q app_trace; echo $?
prvcut -q -f app_trace/; echo $?
prvcut cut -q --from 0 --to 1ms app_trace/log.chop1.otf; echo $?
ls app_trace/*.otf
prvcut info app_trace | sed -n 's/,.*//; s/^Trace *//p'
prvcut convert -q loop.prv app_trace/log2.otf
prvcut info app_trace; echo $?
rm app_trace/log.otf app_trace/log2.*
prvcut info app_trace; echo $?
