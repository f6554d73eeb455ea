. "$data/loop.sh"
prvcut signal --metric computing,p2p,inflight --bins 10 --from 10ms --to 11ms loop.prv
