# A configuration of Paraver beside a cut: MPI calls where the labels list them, else states.
. "$data/loop.sh"
prvcut --cfg -q loop.prv
grep -E '^(#ParaverCFG|ConfigFile|window_name|window_filter|window_comm_lines)|thread, ' loop.chop1.cfg | sed 's/.*{\(thread, [^}]*\)}.*/\1/'
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n\nEVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n8 MPI_Barrier\n' >loop.pcf
prvcut --cfg loop.prv; echo $?
prvcut -f --cfg loop.prv | sed -n 's/^Next *//p'
cat loop.chop1.cfg
# It is one of the files of the cut: none is written over, all or none appear.
prvcut cut --cfg --from 4ms -o x.prv.gz loop.prv | tail -n 3
rm x.prv.gz x.pcf
prvcut cut -n --cfg --from 4ms -o x.prv.gz loop.prv; echo $?
prvcut cut --cfg --from 4ms -o x.prv.gz loop.prv; echo $?
prvcut cut -q --from 4ms -o x.prv.gz loop.prv; echo $?
prvcut --cfg -q --archive all.tar.zst loop.prv
tar --zstd -tf all.tar.zst
