# What a dry run says of sizes is what the run says then, or is called an estimate.
. "$data/loop.sh"
cp loop.prv packed.prv
gzip -n packed.prv
prvcut convert -q loop.prv log.otf
said() { sed -n 's/.*iterations, \(.*B\).*/\1/p' | sed 's/ - NOT.*//'; }
for options in loop.prv '--compress none packed.prv.gz' packed.prv.gz '--compress gz loop.prv' log.otf; do
    rm -rf ./*chop1*
    # shellcheck disable=SC2086 # several words
    dry=$(prvcut -n --no-proof $options | said)
    # shellcheck disable=SC2086
    run=$(prvcut --no-proof $options | said)
    case $dry in
    about*) [ "${dry#* of }" = "${run#* of }" ] && echo "$options: an estimate" || echo "$options: '$dry' of '$run'" ;;
    *uncompressed*) [ "${dry#* of }" = "${run#* of }" ] && echo "$options: the text" || echo "$options: '$dry' of '$run'" ;;
    "$run") echo "$options: the same" ;;
    *) echo "$options: '$dry' is not '$run'" ;;
    esac
done
prvcut cut -n --from 5ms packed.prv.gz | grep Size
