# Nobody asks the network for the host's name: the program itself answers what the OTF2 library asks.
needs otf2 || exit 77
. "$data/loop.sh"
prvcut convert -q loop.prv a.otf2
LD_BIND_NOW='' LD_DEBUG=bindings LD_DEBUG_OUTPUT=bound prvcut cut -q --from 2ms --to 8ms -o b.otf2 a.otf2
cat bound.* | grep "normal symbol .gethostid'" | sed -E "s,.* to ([^ ]*/)?([^ /]+) .*,\2," | sort -u
