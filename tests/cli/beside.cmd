# A flush that comes after a thread's own last iteration is not in the cut, though another thread is
# still in its own while it lasts; what falls into one thread's own borders is.
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"lu.S.8.$suffix"; done
for which in 20-23 7 8 19-24; do
    echo "$which:"
    prvcut --iteration $which -n lu.S.8.prv | sed -n '/^Disturbed/,/^Sure/{/^Sure/!p}; /^Stands/,/^Time/{/^Time/!p}'
done
# So does an index know.
prvcut index -q lu.S.8.prv
prvcut --iteration 20-23 -n lu.S.8.prv | sed -n '/^Disturbed/p'
