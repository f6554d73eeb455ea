"""Archives as Debian's python3-otf2 reads them: every record, in the order of time, regions left as they were entered:
python3 otf2_reads.py ARCHIVE SENDS [RECORDS]
"""

import sys
from collections import Counter

import otf2
from otf2 import events as of


def read(path):
    """Kinds of records and how many; refuses what is out of order or not balanced."""
    kinds, last, inside = Counter(), {}, {}
    with otf2.reader.open(path) as trace:
        for location, event in trace.events:
            kinds[type(event).__name__] += 1
            assert event.time >= last.get(location, 0), f"{location.name}: {event} is out of order"
            last[location] = event.time
            if isinstance(event, of.Enter):
                inside.setdefault(location, []).append(event.region)
            elif isinstance(event, of.Leave):
                entered = inside[location].pop() if inside.get(location) else None
                assert entered == event.region, f"{location.name}: {event.region} left, {entered} entered"
    for location, regions in inside.items():
        assert not regions, f"{location.name}: {len(regions)} regions are not left"
    return kinds


def main(path, sends, records=None):
    kinds = read(path)
    sent = kinds["MpiSend"] + kinds["MpiIsend"]
    received = kinds["MpiRecv"] + kinds["MpiIrecv"]
    assert sent == received == int(sends), f"{sent} sent, {received} received, not {sends}"
    total = sum(kinds.values())
    assert records is None or total == int(records), f"{total} records, not {records}"
    print(f"{total} records in order, {kinds['Enter']} regions balanced, {sent} messages")


if __name__ == "__main__":
    main(*sys.argv[1:])
