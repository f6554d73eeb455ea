# Nobody asks the network for the host's name: the program itself answers what the OTF2 library asks.
. "$data/loop.sh"
prvcut convert -q loop.prv a.otf2 2>words || {
    grep -q 'not built in' words && echo "OTF2 is not built in" >"$SKIPPED"
    echo prvcut
    exit 0
}
LD_BIND_NOW='' LD_DEBUG=bindings LD_DEBUG_OUTPUT=bound prvcut cut -q --from 2ms --to 8ms -o b.otf2 a.otf2
cat bound.* | grep "normal symbol .gethostid'" | sed -E "s,.* to ([^ ]*/)?([^ /]+) .*,\2," | sort -u
