# Every misuse is one line, and ends with a command that works as it stands.
. "$data/loop.sh"
mkdir run
misused() {
    words=$(prvcut "$@" 2>&1 >/dev/null)
    status=$?
    lines=$(printf '%s\n' "$words" | wc -l)
    works=${words##*try: }
    works=${works##*see: }
    works=$(echo "$works" | sed 's/TRACE/loop.prv/')
    [ "$status" = 2 ] && [ "$lines" = 1 ] && [ "$works" != "$words" ] || echo "status $status: $words"
    (cd run && cp ../loop.prv . && sh -c "$works" >/dev/null 2>out.words) ||
        echo "'$works' fails: $(cat run/out.words)"
    rm -rf run/*
    told=$((told + 1))
}
told=0
for options in '--iterations two' '--iterations' '--iterations 2-3' '--iteration x' '--region one' '--level 0' '--outliers -1' \
    '--metric ' '--from 1.5' '--to 101%' '--period soon' '--align so' '--messages some' '--compress xz' '-T many' \
    '--progress=xml' '--color red' '--json=yes' '--no-such' '--levl 1' '--bins 3' '--iteration 2 --iterations 2' \
    '--archive a.tar.zst -o b' '--region 1.1 --level 1' '-o -' '--report -' '--role x' '--iteration 99' '--region 1.7'; do
    # shellcheck disable=SC2086 # several words
    misused $options loop.prv
    # shellcheck disable=SC2086
    misused structure $options --csv --json loop.prv
    # shellcheck disable=SC2086
    misused cut $options loop.prv
done
misused reduce loop.prv
misused strukture loop.prv
misused loop.prv loop.prv
misused cut loop.prv
misused cut --from 2ms --to 1ms loop.prv
misused filter loop.prv
misused filter --drop all loop.prv
misused filter --min-state 3 % loop.prv
misused filter --only-threads 1 loop.prv
misused convert loop.prv
misused convert loop.prv a.prv b.prv
misused convert --to otf loop.prv a.otf
misused convert loop.prv a
misused convert loop.prv -
misused convert loop.prv 'a b.vcd'
misused convert loop.prv page.html
misused convert loop.prv a.paje -o b.paje
misused convert -o a.paje
misused index -o x loop.prv
misused info -n loop.prv
misused check --max-size 3 loop.prv
misused signal --bins 0 loop.prv
misused signal --plot - --json loop.prv
misused formats loop.prv
misused help bananas
misused help completion
misused help cut info
misused info --json --csv loop.prv
misused info --json -o a.csv loop.prv
echo "$told misuses"
