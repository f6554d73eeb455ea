. "$data/loop.sh"
prvcut convert --json loop.prv again.prv | sed -E 's/("(bytes|elapsed_s)": )[0-9.e-]+/\1N/'
