# Wait states for CUBE: the metrics, the sums of the table, the members of the archive, and what is refused.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
prvcut waits --causes --critical-path -o lu.cube lu.prv && grep -o '<uniq_name>[^<]*' lu.cube
prvcut waits -o lu.cubex lu.prv && tar tf lu.cubex | tail -n 3
# METRIC: its sum, ns.
sum() {
    awk -v wanted="$1" '
        /<metric id/ { split($0, part, "\""); id = part[2] }
        $0 == "<uniq_name>" wanted "</uniq_name>" { metric = id }
        /<matrix/ { split($0, part, "\""); inside = part[2] == metric && metric != "" }
        inside && /^[0-9]/ { total += $1 }
        END { printf "%.0f\n", total * 1e9 }' "$2"
}
prvcut waits --csv lu.prv | awk -F, 'NR > 1 && $2 != "" { printf "%s %.0f\n", $1, $2 * 1e9 }' >table
for pair in mpi_latesender=late_sender mpi_lswo_different=ls_wrong_order_diff mpi_latereceiver=late_receiver \
    mpi_barrier_wait=wait_barrier mpi_wait_nxn=wait_nxn mpi_nxn_completion=nxn_completion mpi_latebroadcast=late_bcast \
    mpi_init_completion=init_completion mpi_finalize_wait=finalize_wait; do
    echo "${pair#*=} $(sum "${pair%=*}" lu.cube)" | cat - table | sort | uniq -d
done
# A window; no loop; what does not go together.
prvcut waits -f -o part.cube --from 40% --to 60% lu.prv && sum mpi_latesender part.cube
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:77:1\n' >none.prv
prvcut waits -o none.cubex --iteration 3 none.prv
echo $?
prvcut waits -o none.cube none.prv && grep -cE '<(metric|cnode) ' none.cube
for words in '-o lu.cubex' '-o lu.foo' '-f -o lu.cubex --by rank' '-f -o lu.cubex --top 3' '-f -o lu.cubex --json'; do
    # shellcheck disable=SC2086 # words are words
    prvcut waits $words lu.prv
    echo $?
done 2>&1
ls ./*.cube*
