# What the search is tuned by, and that reports say what was set. What is printed can be typed back.
. "$data/loop.sh"
prvcut help parameters
prvcut help parameters --csv | head -2
echo "--- set"
prvcut structure --set unusual=2,near-equal=5% loop.prv
prvcut structure -v --set useful=3 loop.prv | grep '^Set'
prvcut -n --set typical=2 loop.prv | grep 'Note'
prvcut signal --metric computing --bins 64 --set width=10% --show closing --json loop.prv | grep -v values
prvcut signal --metric computing --bins 256 --show autocorrelation loop.prv 2>&1 >lags.csv
prvcut signal --metric computing --bins 256 --set rival=0.3 --show crosscorrelation loop.prv 2>&1 >fit.csv
prvcut index -q loop.prv && prvcut structure --set unusual=2 --json loop.prv | grep '"set"'
echo "--- refused"
prvcut structure --set unusual=0 loop.prv
prvcut structure --set lamda=0.3 loop.prv
prvcut signal --set delta=1.5 --show selection loop.prv
prvcut cut --region 1.1 --set loop.prv
