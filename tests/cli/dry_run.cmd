# A dry run is refused where the run would be, with the same status, and writes nothing.
. "$data/loop.sh"
printf 'EVENT_TYPE\n0 7 Mine\n' >loop.pcf
mkdir folder
for f in loop.chop1.prv loop.cut.prv loop.filtered.prv loop.iterations.prv page.html all.tar.zst out.paje; do
    echo mine >$f
done
echo mine >beside.pcf
# both ARGUMENTS: as a dry run and for good
both() {
    dry=$(prvcut "$@" -n 2>&1 >/dev/null)
    dry="$? $dry"
    run=$(prvcut "$@" 2>&1 >/dev/null)
    run="$? $run"
    # What works in its place has the -n, too.
    if [ "${dry% -n}" = "$run" ]; then echo "$run"; else printf 'dry %s\nrun %s\n' "$dry" "$run"; fi
}
cutting="cut --from 10ms --to 12ms"
both loop.prv
both $cutting loop.prv
both filter --drop states loop.prv
both mark loop.prv
both --report page.html -o new.prv loop.prv
both --archive all.tar.zst loop.prv
both convert loop.prv out.paje
both $cutting -o beside.prv loop.prv
both filter --drop states -o beside loop.prv
both convert loop.prv beside.prv
for to in no/such.prv folder folder/; do
    both -o $to loop.prv
    both $cutting -o $to loop.prv
    both filter --drop states -o $to loop.prv
    both mark -o $to loop.prv
    both convert -O paraver loop.prv $to
done
both --report no/such.html -o new.prv loop.prv
both convert --tasks 9 loop.prv new.prv
both $cutting -o new.txt loop.prv
prvcut convert -q loop.prv old.otf
both convert loop.prv old.otf
both $cutting -o old.otf old.otf
both convert -f --strict --from 1ms --to 10.65ms loop.prv new.prv
both $cutting -q -f -o page.prv loop.prv
ls
