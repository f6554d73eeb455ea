# A reader that goes away is not worth a word.
. "$data/loop.sh"
prvcut signal --metric computing --bins 1000000 loop.prv | head -n 1
