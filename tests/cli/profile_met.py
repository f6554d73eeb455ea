"""What calls wait for and carry, and who sends to whom, counted once more from the text of a .prv in
ns, as naively as can be: python3 profile_met.py PRVCUT TRACE.prv [FROM TO]

Tells each difference from `prvcut profile`, and leaves with 1 where there is one.
"""
import bisect
import json
import subprocess
import sys

# Nobody leaves these before all have come: Barrier, Allreduce, Alltoall, -v, -w, Allgather, -v,
# Reduce_scatter, _block, by their numbers.
TOGETHER = {8, 10, 11, 12, 512, 17, 18, 80, 514}


def read(path):
    calls, messages, states = {}, [], []
    known, open_call, end, callers = {}, {}, {}, {}
    with open(path) as f:
        head = f.readline()
        duration = int(head.split("):", 1)[1].split("_ns")[0])
        for line in f:
            if not line[0].isdigit():
                continue
            x = list(map(int, line.split(":")))
            if x[0] == 1:
                who = (x[3], x[4])
                if x[5] < x[6]:
                    end[who] = max(end.get(who, 0), x[6])
                if x[7] != 1:
                    states.append((who, x[5], x[6], x[7]))
            elif x[0] == 2:
                who, time = (x[3], x[4]), x[5]
                end[who] = max(end.get(who, 0), time)
                pairs = list(zip(x[6::2], x[7::2]))
                for kind, value in pairs:
                    if not 50000001 <= kind <= 50000005:
                        continue
                    if who in open_call:
                        begin, k, v = open_call.pop(who)
                        calls.setdefault(who, []).append((begin, time, k, v))
                    if value:
                        open_call[who] = (time, kind, value)
                        callers[who, time] = dict(pairs).get(70000001)
                        if kind == 50000002:
                            known[who, time] = dict(pairs)
            elif x[0] == 3:
                messages.append(x)
    for who, (begin, k, v) in open_call.items():
        calls.setdefault(who, []).append((begin, end[who], k, v))
    return duration, calls, messages, known, callers, states


def inside(begin, end, window):
    return max(0, min(end, window[1]) - max(begin, window[0]))


def holds(list_of_calls, time):
    """The call that a time is in; where one ends as the next begins, the one that ends."""
    i = bisect.bisect_left(list_of_calls, (time,)) - 1
    if i >= 0 and list_of_calls[i][1] >= time:
        return list_of_calls[i]
    if i + 1 < len(list_of_calls) and list_of_calls[i + 1][0] == time:
        return list_of_calls[i + 1]
    return None


def at(time, window):
    return window[0] <= time < window[1]


def count(path, window):
    duration, calls, messages, known, callers, states = read(path)
    window = window or (0, duration)
    waiting, sent, received, peers, groups = {}, {}, {}, {}, {}
    last = {}

    def add(table, key, more):
        table[key] = table.get(key, 0) + more

    for x in messages:
        sender, receiver = (x[3], x[4]), (x[9], x[10])
        call = holds(calls.get(sender, []), x[5])
        if call and at(x[5], window):
            add(sent, call[2:], x[13])
        if at(x[5], window):
            p = peers.setdefault((sender[0] - 1, receiver[0] - 1), [0, 0, 0])
            p[0] += 1
            p[1] += x[13]
        call = holds(calls.get(receiver, []), x[12])
        if call:
            if at(x[12], window):
                add(received, call[2:], x[13])
            if x[5] >= last.get((receiver, call), (0,))[0]:
                last[receiver, call] = (x[5], sender[0] - 1)
    for (receiver, call), (time, sender) in last.items():
        ns = inside(call[0], min(call[1], time), window)
        add(waiting, call[2:], ns)
        peers.setdefault((sender, receiver[0] - 1), [0, 0, 0])[2] += ns

    rest = {}
    for who, begin, end, number in states:
        ns, of = inside(begin, end, window), calls.get(who, [])
        i = max(0, bisect.bisect_left(of, (begin,)) - 1)
        while i < len(of) and of[i][0] < end:
            ns -= inside(max(begin, of[i][0]), min(end, of[i][1]), window)
            i += 1
        if ns > 0:
            of_rank = rest.setdefault(who[0] - 1, {})
            of_rank[number] = of_rank.get(number, 0) + ns

    functions = {}
    for who in calls:
        for begin, end, _, _ in calls[who]:
            ns = inside(begin, end, window)
            if ns > 0 or at(begin, window):
                f = functions.setdefault(callers[who, begin], [0, 0])
                f[0] += at(begin, window)
                f[1] += ns

    turn, met = {}, {}
    for who in sorted(calls):
        for call in calls[who]:
            pairs = known.get((who, call[0]))
            if call[2] != 50000002 or not pairs or 50100004 not in pairs:
                continue
            group = pairs[50100004]
            k = turn[who, group] = turn.get((who, group), -1) + 1
            met.setdefault((group, k), []).append((who, call, pairs))
    for (group, k), members in met.items():
        latest = max(call[0] for _, call, _ in members)
        for who, call, pairs in members:
            g = groups.setdefault(group, [0, 0, 0])
            begins = at(call[0], window)
            g[0] += begins
            g[1] += inside(call[0], call[1], window)
            if begins:
                add(sent, call[2:], pairs.get(50100001, 0))
                add(received, call[2:], pairs.get(50100002, 0))
            if call[3] in TOGETHER:
                ns = inside(call[0], min(call[1], latest), window)
                add(waiting, call[2:], ns)
                g[2] += ns
    return waiting, sent, received, peers, groups, functions, rest


def told(prvcut, path, window, *options):
    only = ["--from", f"{window[0]}ns", "--to", f"{window[1]}ns"] if window else []
    out = subprocess.run([prvcut, "profile", "--json", "-q", *options, *only, path],
                         capture_output=True, text=True, check=True).stdout
    return json.loads(out)["rows"]


def main():
    prvcut, path = sys.argv[1:3]
    window = tuple(map(int, sys.argv[3:5])) if len(sys.argv) > 3 else None
    waiting, sent, received, peers, groups, functions, rest = count(path, window)
    wrong = 0

    def differ(what, got, want):
        nonlocal wrong
        if got != want:
            print(f"{path}: {what}: {got}, by its text {want}")
            wrong += 1

    calls = told(prvcut, path, window, "--waiting")
    for row in calls:
        key = (row["type"], row["value"])
        differ(f"{row['call']} waits", row["waiting_ns"] or 0, waiting.get(key, 0))
        differ(f"{row['call']} sends", row["sent_bytes"] or 0, sent.get(key, 0))
        differ(f"{row['call']} receives", row["received_bytes"] or 0, received.get(key, 0))
    got = {(r["sender"], r["receiver"]): [r["sent"], r["sent_bytes"], r["waiting_ns"]]
           for r in told(prvcut, path, window, "--by", "peer")}
    for key in set(got) | set(peers):
        differ(f"rank {key[0]} to {key[1]}", got.get(key, [0, 0, 0]), peers.get(key, [0, 0, 0]))
    got = {r["communicator"]: [r["entered"], r["ns"], r["waiting_ns"]]
           for r in told(prvcut, path, window, "--by", "communicator")}
    for key in set(got) | set(groups):
        differ(f"communicator {key}", got.get(key, [0, 0, 0]), groups.get(key, [0, 0, 0]))
    got = {r["value"]: [r["entered"], r["ns"]]
           for r in told(prvcut, path, window, "--by", "function")}
    for key in set(got) | set(functions):
        differ(f"function {key}", got.get(key, [0, 0]), functions.get(key, [0, 0]))
    ranks = told(prvcut, path, window, "--by", "rank")
    for row in ranks:
        states = {name: ns for name, ns in row["rest"].items() if name != "no state" and ns > 0}
        differ(f"the rest of rank {row['rank']}", sorted(states.values()),
               sorted(rest.get(row["rank"], {}).values()))
        differ(f"the sum of rank {row['rank']}'s rest", sum(row["rest"].values()), row["rest_ns"])
    if not wrong:
        print(f"{len(ranks)} ranks, {len(functions)} callers, {len(calls)} calls, {len(peers)} pairs of ranks, {len(groups)} communicators, as by its text")
    sys.exit(wrong > 0)


main()
