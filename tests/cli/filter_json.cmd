. "$data/loop.sh"
prvcut filter --json --min-state 1ms --drop events --only-threads 1.1 loop.prv |
    sed 's|"bytes": [0-9]*|"bytes": N|; s|"size": [0-9]*|"size": N|'
