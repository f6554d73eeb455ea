# What is known to be a cut by its name is checked next; what is whole is cut. Filtered traces pass the strictest
# check. What verify wants is an archive.
. "$data/loop.sh"
prvcut -q --no-proof loop.prv
prvcut -q --no-proof --region 1.1 loop.prv
prvcut -q --no-proof --iteration 3 loop.prv
prvcut -q --no-proof --iteration 3-4 loop.prv
prvcut -q cut --from 5ms --to 7ms loop.prv
prvcut -q filter --drop messages loop.prv
prvcut -q mark loop.prv
for tag in 1.1.outlier1 outlier2 2.1.it3 it0 it3x region.2; do cp loop.prv "loop.$tag.prv"; done
for trace in loop*.prv; do
    next=$(prvcut info "$trace" | sed -n 's/^Next *//p' | sed 's/   .*//')
    echo "$next"
    case $next in *check*) $next >/dev/null || echo fails ;; esac
done
prvcut filter -q --tasks 1 -o one loop.prv
prvcut check -q --strict one.prv && prvcut check -q --strict loop.filtered.prv && echo strict
prvcut verify 2>&1
mkdir none && cd none
prvcut verify 2>&1
