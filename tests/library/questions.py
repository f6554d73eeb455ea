"""What is often asked (prvcut-sqlite(5)), of real traces: SQL and Python say what the commands' JSON says; random windows
hold what the trace's text holds: python3 questions.py PRVCUT SEED TRACE...
"""

import json
import os
import random
import sqlite3
import subprocess
import sys

import prvcut

PROGRAM = sys.argv[1]
WINDOWS = 20
NO_LOOP = 4  # exit status


def told(*words):
    """What a command says in JSON."""
    run = subprocess.run([PROGRAM, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    assert run.returncode in (0, NO_LOOP), words
    return json.loads(run.stdout)


def ordered(rows):
    """Sorted; what has no name comes first."""
    return sorted(rows, key=lambda row: [(x is not None, x) for x in row])


class Trace:
    """A trace, as a database, as the commands tell it, and as the package does."""

    def __init__(self, path):
        self.path = path
        self.base = prvcut.open(path).convert("asked.sqlite", force=True)
        base = sqlite3.connect(self.base.path)
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        base.close()
        self.asked = 0

    def rows(self, question):
        """The same by the program and by Python."""
        table = self.base.sql(question)
        answer = told("sql", self.base.path, question)
        assert [list(row.values()) for row in table] == answer["rows"], question
        return [tuple(row.values()) for row in table]

    def same(self, what, mine, theirs):
        assert mine == theirs, f"{self.path}: {what}:\n{mine}\n{theirs}"
        self.asked += bool(theirs)


def questions(t):
    with prvcut.open(t.path) as trace:
        calls = told("profile", t.path)["rows"]
        assert calls == trace.profile()["rows"]
        ranks = told("profile", "--by", "rank", t.path)["rows"]
        assert ranks == trace.profile("rank")["rows"]
        each = told("profile", "--by", "iteration", t.path).get("rows", [])
        if each:
            assert each == trace.profile("iteration")["rows"]
        comm = told("comm", t.path)
        assert comm["edges"] == trace.comm()["edges"]
        waiting = told("waits", t.path)
        clock = waiting["clock"]
        waits = {w["name"]: w for w in waiting["metrics"]}
        assert list(waits.values()) == trace.waits()["metrics"]
        structure = told("structure", t.path)
        listed = trace.iterations()
    # 1: where does the time go?
    # Without calls of MPI functions are counted, of which each has what is not in others.
    mpi = told("sql", t.base.path, "SELECT count(*) FROM calls WHERE role IN ('p2p', 'collective', 'mpi')")["rows"][0][0]
    mine = ordered(t.rows("SELECT name, calls, own_ns, total_ns, most_ns FROM time_by_call WHERE calls"))
    if mpi:
        t.same("time_by_call", mine, ordered((r["call"], r["entered"], r["ns"], r["ns"], r["max_ns"]) for r in calls if r["entered"]))
    else:
        # Without functions it has what else goes on: tasks, OpenMP, threads.
        functions = [r for r in told("profile", "--by", "function", t.path).get("rows", []) if r["entered"]]
        if not functions:
            mine = []
        t.same("time_by_call of functions", [r[:4] for r in mine],
               ordered((r["function"], r["entered"], r["ns"], r["inclusive_ns"]) for r in functions))
    # 2: which rank is in MPI how long?
    t.same("time_by_rank", t.rows("SELECT rank, threads, calls, calls_ns, outside_ns FROM time_by_rank"),
           [(r["rank"], r["threads"], r["entered"], r["calls_ns"], r["window_ns"] - r["calls_ns"]) for r in ranks] if mpi else
           t.rows("SELECT rank, count(*), sum(calls), sum(own), sum(length) - sum(own) FROM (SELECT t.rank, t.end_ns - t.begin_ns AS length,"
                  " count(call) AS calls, ifnull(sum(own_ns), 0) AS own FROM threads t LEFT JOIN calls USING (thread) GROUP BY thread) GROUP BY 1"))
    # 3: what happens in each iteration?
    t.same("time_by_iteration", t.rows("SELECT iteration, sum(calls) FROM time_by_iteration GROUP BY 1 ORDER BY 1"),
           [(r["iteration"], r["entered"]) for r in each if r["entered"]] if mpi else
           t.rows("SELECT iteration, count(*) FROM calls WHERE iteration GROUP BY 1 ORDER BY 1"))
    # 4: which calls take longest?
    slowest = t.rows("SELECT name, duration_ns FROM slowest_calls")
    t.same("slowest_calls", [r[1] for r in slowest],
           [r[0] for r in t.rows(f"SELECT duration_ns FROM calls WHERE role IN ('p2p', 'collective', 'mpi') OR {not mpi} ORDER BY 1 DESC LIMIT 20")])
    for name in {r[0] for r in slowest if mpi}:
        t.same(f"slowest_calls of {name}", max(r[1] for r in slowest if r[0] == name),
               next(r["max_ns"] for r in calls if r["call"] == name))
    # 5: which iterations take longest?
    main = structure["regions"][structure["main"]] if structure["main"] is not None else None
    lengths = [r["length_ns"] for r in listed if main and r["level"] == 1 and r["loop"] == main["loop"]]
    t.same("slowest_iterations", [r[0] for r in t.rows("SELECT length_ns FROM slowest_iterations")], sorted(lengths, reverse=True)[:20])
    t.same("slowest_iterations, of the profile", t.rows("SELECT iteration, begin_ns, length_ns FROM slowest_iterations ORDER BY 1"),
           sorted(sorted(((r["iteration"], r["start_ns"], r["end_ns"] - r["start_ns"]) for r in each),
                         key=lambda r: (-r[2], r[0]))[:20]))
    # 6: who sends how much to whom?
    t.same("traffic", sorted(t.rows("SELECT sender, receiver, messages, bytes FROM traffic"
                                      " WHERE sender IS NOT NULL AND receiver IS NOT NULL")),
           sorted((e["from"], e["to"], e["messages"], e["bytes"]) for e in comm["edges"]))
    unknown = comm["unknown"] or {"messages": 0, "bytes": 0}
    # 7: which sizes do messages have?
    t.same("message_sizes", t.rows("SELECT ifnull(sum(messages), 0), ifnull(sum(bytes * messages), 0) FROM message_sizes"),
           [(comm["messages"] + unknown["messages"], comm["bytes"] + unknown["bytes"])])
    # 8: which messages were sent late?
    t.same("late_senders", t.rows("SELECT count(*), ifnull(sum(late_ns), 0) FROM late_senders"),
           [(waits["late_sender"]["instances"] or 0, round(1e9 * (waits["late_sender"]["severity_s"] or 0)))])
    # Both calls of each are there.
    t.same("late_senders' calls", t.rows("SELECT count(*) FROM late_senders l JOIN calls s ON s.call = l.send_call"
                                         " JOIN calls c ON c.call = l.complete_call WHERE s.rank = l.sender AND c.rank = l.receiver"),
           t.rows("SELECT count(*) FROM late_senders"))
    # 9: which collectives do ranks come to far apart?
    t.same("late_collectives", sorted(t.rows("SELECT name, sum(begun) FROM late_collectives GROUP BY 1")),
           sorted((c["name"], c["calls"]) for c in comm["collectives"]))
    barriers = [(round(1e9 * (waits["wait_barrier"]["severity_s"] or 0)),)]
    t.same("late_collectives, barriers", t.rows("SELECT ifnull(sum(ns), 0) FROM waiting WHERE metric = 'wait_barrier'"), barriers)
    # Where times were bent, what collectives say of themselves is of others.
    if clock["source"] != "piecewise":
        t.same("late_collectives, barriers of themselves",
               t.rows("SELECT ifnull(sum(max(0, min(k.last_begin_ns, c.end_ns) - c.begin_ns)), 0) FROM late_collectives k JOIN calls c USING (collective)"
                      " WHERE k.name LIKE '%barrier%' AND NOT k.nonblocking"), barriers)
    # 10: what do counters count in each iteration?
    # The profile spreads a reading over the time since the one before: all of them are the same.
    counted = {(r["rank"], name): value for r in ranks for name, value in (r["counters"] or {}).items()
               if value is not None}
    mine = {(rank, called(name, kind)): value for rank, name, kind, value in t.rows(
        "SELECT c.rank, t.name, t.role, sum(c.value) FROM counters c JOIN types t USING (type) GROUP BY c.rank, c.type")}
    t.same("counters", mine, counted)
    t.same("counters_by_iteration", t.rows("SELECT iteration, name, sum(value) FROM counters_by_iteration GROUP BY 1, 2 ORDER BY 1, 2"),
           sorted((r["iteration"], name, value) for r in each for name, value in (r["counters"] or {}).items()
                  if value is not None))


def called(name, role):
    """A counter as the profile calls it."""
    return role if role in ("instructions", "cycles") else name.split(" [")[0].split(" ([")[0]


def lines(path):
    """States, messages and MPI calls of a Paraver trace, as its text has them: (time, amount)."""
    states, messages, calls = [], [], []
    with open(path, encoding="ascii") as f:
        next(f)
        for line in f:
            field = line.rstrip("\n").split(":")
            if field[0] == "1":
                # COMPSs writes some that end before they begin: they are no longer than an instant.
                states.append((int(field[5]), max(0, int(field[6]) - int(field[5]))))
            elif field[0] == "3":
                messages.append((int(field[5]), int(field[13])))
            elif field[0] == "2":
                pairs = list(zip(field[6::2], field[7::2]))
                calls += [(int(field[5]), int(v)) for k, v in pairs if k in ("50000001", "50000002", "50000003") and v != "0"]
    return states, messages, calls


def windows(t, path, chance):
    """Of windows from a to b: how many begin there, and what they add up to."""
    states, messages, calls = lines(path)
    end = max(at + length for at, length in states)
    for _ in range(WINDOWS):
        a, b = sorted(chance.sample(range(end), 2))
        for what, all_of, question in (
                ("states", states, "SELECT count(*), ifnull(sum(end_ns - begin_ns), 0) FROM states WHERE begin_ns >= {} AND begin_ns < {}"),
                ("messages", messages, "SELECT count(*), ifnull(sum(bytes), 0) FROM messages WHERE sent_ns >= {} AND sent_ns < {}"),
                ("calls", calls, "SELECT count(*), ifnull(sum(value), 0) FROM calls WHERE begin_ns >= {} AND begin_ns < {}"
                                 " AND type IN (50000001, 50000002, 50000003)")):
            inside = [amount for at, amount in all_of if a <= at < b]
            row = t.base.sql(question.format(a, b))[0]
            t.same(f"{what} from {a} to {b}", list(row.values()), [len(inside), sum(inside)])
    # What reaches out of a window that is asked for is clipped.
    for _ in range(WINDOWS // 4):
        a, b = sorted(chance.sample(range(end), 2))
        inside = [min(at + length, b) - max(at, a) for at, length in states if at < b and (at + length > a or at >= a)]
        t.same(f"states in {a} to {b}", told("sql", "--from", f"{a}ns", "--to", f"{b}ns", path,
                                             "SELECT count(*), ifnull(sum(end_ns - begin_ns), 0) FROM states")["rows"],
               [[len(inside), sum(inside)]])


def main():
    chance = random.Random(int(sys.argv[2]))
    for path in sys.argv[3:]:
        t = Trace(path)
        questions(t)
        asked = t.asked
        if path.endswith(".prv"):
            windows(t, path, chance)
        print(f"{os.path.basename(path)}: {asked} answers")
        os.remove(t.base.path)


if __name__ == "__main__":
    main()
