# Every command refuses what it cannot make sense of, with its own usage.
for command in structure cut filter info profile efficiency predict sample patterns comm find check verify index mark csv-analysis signal convert; do
    prvcut $command --no-such a.prv; echo "$command: $?"
    prvcut $command; echo "$command: $?"
done
prvcut formats a.prv; echo "formats: $?"
prvcut help no-such; echo "help: $?"
prvcut help cut info; echo "help: $?"
prvcut help completion; echo "help: $?"
prvcut help completion tcsh; echo "help: $?"
