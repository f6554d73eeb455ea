# Sizes depend on how long the version and the command are, in a comment of the output.
. "$data/loop.sh"
prvcut cut --json --from 9.9ms --to 11.9ms loop.prv | sed -E 's/"(bytes|size)": [1-9][0-9]*/"\1": N/'
