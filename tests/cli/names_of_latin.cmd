# Names that are no UTF-8 are taken for Latin 1 by databases and JSON, also where they are keys; all spell them alike.
{
    echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)'
    echo '1:1:1:1:1:0:900:1'
    echo '2:1:1:1:1:0:42000051:3:60000019:7'
    echo '2:1:1:1:1:900:42000051:5:60000019:0'
} >latin.prv
printf 'STATES\n0 Idle\n1 L\344uft\n\nEVENT_TYPE\n7 42000051 F(x) Z\344hler [je (Aufruf)]\n\nEVENT_TYPE\n0 60000019 User function\nVALUES\n7 f\374r_alle(int, char)\n0 End\n' >latin.pcf
printf 'LEVEL NODE SIZE 1\nK\366ln\n' >latin.row
prvcut profile --by rank --json latin.prv | grep -A 1 -m 1 '"counters"'
prvcut profile --by function --json latin.prv | grep '"function":'
prvcut profile --by state --json latin.prv | grep '"state":'
prvcut info --json latin.prv | grep -E '"(label|name)": .*(F\(x\)|K)'
prvcut sql --csv --all latin.prv 'SELECT name FROM types UNION SELECT name FROM states UNION SELECT name FROM calls UNION SELECT node FROM threads'
