"""The package says what the program says.

PRVCUT: the program; PRVCUT_LIBRARY: the library; SAMPLES: the folder of samples; SHARED: more
traces, each by its path, may be unset.
"""

import copy
import ctypes
import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

import prvcut
from prvcut import _library

PROGRAM = os.environ["PRVCUT"]
SAMPLE = os.path.join(os.environ["SAMPLES"], "lu.S.8.prv.zst")
TRACES = [SAMPLE] + os.environ.get("SHARED", "").split()


def told(*args):
    """What the program says in JSON, without what depends on how it was called."""
    run = subprocess.run([PROGRAM, *args, "--json"], stdout=subprocess.PIPE, check=False)
    return plain(json.loads(run.stdout))


def plain(answer):
    for key in ("command", "program", "elapsed_s", "input", "cuts", "typed"):
        answer.pop(key, None)
    return answer


def records(path):
    """Lines without the date, and without notes of what made them."""
    with open(path, "rb") as f:
        return [line for line in f if not line.startswith(b"#")]


class Same(unittest.TestCase):
    """Each answer is that of the command line."""

    maxDiff = 2000

    def each(self, ask, *args):
        for path in TRACES:
            with self.subTest(path), prvcut.open(path) as trace:
                self.assertEqual(plain(ask(trace)), told(*args, path))

    def test_structure(self):
        self.each(lambda t: t.structure(), "structure")

    def test_profile(self):
        self.each(lambda t: t.profile("rank,call"), "profile", "--by", "rank,call")

    def test_efficiency(self):
        self.each(lambda t: t.efficiency(), "efficiency")

    def test_profile_by_default(self):
        with prvcut.open(SAMPLE) as trace:
            self.assertEqual(trace.profile(None)["rows"], trace.profile("call")["rows"])

    def test_waits(self):
        self.each(lambda t: t.waits("rank"), "waits", "--by", "rank")

    def test_comm(self):
        self.each(lambda t: t.comm(), "comm")

    def test_all_regions(self):
        """Where all regions are named each is a row; where one is wanted, all are refused."""
        with prvcut.open(SAMPLE) as trace:
            for name in ("profile", "waits", "comm", "efficiency"):
                self.assertEqual(plain(getattr(trace, name)(region="all")),
                                 told(name, "--region", "all", SAMPLE))
                with self.assertRaisesRegex(prvcut.UsageError, "'all' names several"):
                    getattr(trace, name)("iteration", region="all")
            for asked in (lambda: trace.cut(region="all", dry_run=True),
                          lambda: trace.sql("SELECT 1 FROM calls", region="all")):
                with self.assertRaisesRegex(prvcut.UsageError, "'all' names several"):
                    asked()

    def test_iterations(self):
        for path in TRACES:
            with self.subTest(path), prvcut.open(path) as trace:
                text = subprocess.run([PROGRAM, "structure", "--csv", path],
                                      stdout=subprocess.PIPE, check=False).stdout.decode()
                lines = text.splitlines()
                table = trace.iterations()
                self.assertEqual(table.columns, lines[0].split(",") if lines else [])
                self.assertEqual(len(table), max(len(lines) - 1, 0))
                for row, line in zip(table, lines[1:]):
                    self.assertEqual(["" if v is None else str(v) for v in row.values()],
                                     line.split(","))

    def test_sql(self):
        question = "SELECT * FROM time_by_call"
        for path in TRACES:
            with self.subTest(path), prvcut.open(path) as trace:
                table = trace.sql(question)
                answer = told("sql", "--all", path, question)
                self.assertEqual(table.columns, answer["columns"])
                self.assertEqual([list(row.values()) for row in table], answer["rows"])


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.trace = prvcut.open(SAMPLE)

    def tearDown(self):
        self.trace.close()
        self.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_cuts(self):
        by_name = self.trace.cut(self.path("a.prv"), iteration=(20, 21))
        self.assertGreater(by_name["cut"]["messages"], 0)
        subprocess.run([PROGRAM, "cut", "-q", "--iteration", "20-21", "-o", self.path("b.prv"),
                        SAMPLE], check=True)
        self.assertEqual(records(self.path("a.prv")), records(self.path("b.prv")))
        with self.assertRaisesRegex(prvcut.ExistsError, "exists: force=True replaces it"):
            self.trace.cut(self.path("a.prv"), window=(0, 1000))
        job = self.trace.reduce(self.path("c.prv"))
        self.assertTrue(os.path.exists(self.path("c.prv")))
        self.assertEqual(len(job["chops"]), 1)

    def test_conversions(self):
        self.trace.convert(self.path("a.paje"), window=(0, 10_000_000))
        self.assertTrue(os.path.exists(self.path("a.paje")))
        base = self.trace.convert(self.path("a.sqlite"), window=(0, 20_000_000))
        inside = self.trace.sql("SELECT count(*) AS n FROM calls", window=(0, 20_000_000))
        self.assertEqual(base.sql("SELECT count(*) AS n FROM calls"), inside)
        question = "SELECT count(*) AS n, min(iteration), max(iteration), max(rank) FROM calls"
        base = self.trace.convert(self.path("b.sqlite"), iteration=(20, 21), tasks="1-2")
        self.assertEqual([*base.sql(question)[0].values()][1:], [20, 21, 1])
        base = self.trace.convert(self.path("c.sqlite"), region="1.1")
        self.assertEqual(base.sql(question), self.trace.sql(question, region="1.1"))
        base = self.trace.convert(os.fsencode(self.path("d.sqlite")), region="1.1")
        self.assertEqual(base.sql(question), self.trace.sql(question, region="1.1"))
        with self.assertRaisesRegex(prvcut.UsageError, "cut them"):
            self.trace.convert(self.path("b.paje"), iteration=3)

    def test_records(self):
        everything = self.trace.records()
        messages = self.trace.records(only="message")
        kinds = [r["kind"] if hasattr(r, "dtype") else r.kind for r in everything]
        self.assertEqual(kinds.count(4), len(messages))
        self.assertEqual(len(messages),
                         self.trace.sql("SELECT count(*) AS n FROM messages")[0]["n"])
        self.assertLess(len(self.trace.records(window=(0, 10_000_000))), len(everything))


class Shared(unittest.TestCase):
    """One trace, several threads. What is wrong here ends the process, so another one tries it."""

    def each(self, what):
        run = subprocess.run([sys.executable, "-c", "import threading, prvcut\n"
                              f"t = prvcut.open({SAMPLE!r}, index=False)\nsaid = []\n" + what],
                             stdout=subprocess.PIPE, check=False)
        self.assertEqual(run.returncode, 0)
        return run.stdout.decode().split()

    def test_threads(self):
        asked = ("t.structure()['regions']", "t.profile('rank')['rows']", "t.waits()['metrics']",
                 "t.records()", "t.sql('SELECT rank FROM threads', window=(0, 10**7))", "t.comm()['traffic']")
        asked = [f"lambda: len({one})" for one in asked if "traffic" not in one] + ["lambda: t.ranks"]
        said = self.each(f"asked = [{', '.join(asked)}] * 3\nsaid = [None] * len(asked)\n"
                         "def ask(i):\n    said[i] = asked[i]()\n"
                         "threads = [threading.Thread(target=ask, args=(i,)) for i in range(len(asked))]\n"
                         "for one in threads: one.start()\n"
                         "for one in threads: one.join()\n"
                         "print(*said, *[one() for one in asked])")
        half = len(said) // 2
        self.assertGreater(half, 0)
        self.assertEqual(said[:half], said[half:])

    def test_close_waits(self):
        said = self.each("began = threading.Event()\n"
                         "def ask():\n    began.set()\n    said.append(len(t.structure()['regions']))\n"
                         "def close():\n    began.wait()\n    t.close()\n"
                         "def late():\n    try: ask()\n    except prvcut.UsageError as e: said.append('closed')\n"
                         "threads = [threading.Thread(target=one) for one in (late, close, late, close)]\n"
                         "for one in threads: one.start()\n"
                         "for one in threads: one.join()\n"
                         "print(len(said))")
        self.assertEqual(said, ["2"])

    def test_handler_of_a_signal(self):
        """It interrupts what its thread waits for: who asks there the same trace is refused."""
        said = []
        trace = prvcut.open(SAMPLE)
        take = trace._alone  # what holds the trace while a handler runs

        def close(*_):
            try:
                trace.close()
            except prvcut.UsageError as e:
                said.append(str(e))

        before = signal.signal(signal.SIGUSR1, close)
        try:
            with take():
                signal.raise_signal(signal.SIGUSR1)
        finally:
            signal.signal(signal.SIGUSR1, before)
        self.assertEqual(len(said), 1)
        self.assertIn("answers this thread already", said[0])
        trace.close()

    def test_no_copies(self):
        with prvcut.open(SAMPLE) as trace:
            for how in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled: open it again"):
                    how(trace)
            with self.assertRaisesRegex(prvcut.UsageError, "this Trace is of .*lu.S.8.prv.zst: "):
                trace.__init__("another.prv")
            self.assertEqual(trace.ranks, 8)
        never = prvcut.Trace.__new__(prvcut.Trace)
        for ask in (never.profile, never.close, lambda: never.ranks):
            with self.assertRaisesRegex(prvcut.UsageError, "never opened"):
                ask()
        self.assertEqual(repr(never), "<prvcut.Trace None>")
        with self.assertRaises(TypeError):
            copy.copy(never)
        base = prvcut.Database("a.sqlite")
        self.assertEqual(copy.copy(base).path, pickle.loads(pickle.dumps(base)).path)


class Refused(unittest.TestCase):
    def test_errors(self):
        with self.assertRaises(prvcut.NotATraceError):
            prvcut.open(__file__)
        with self.assertRaisesRegex(prvcut.SystemError, "nowhere.prv"):
            prvcut.open("nowhere.prv")
        with prvcut.open(SAMPLE) as trace:
            with self.assertRaises(prvcut.UsageError):
                trace.profile("nonsense")
            with self.assertRaises(prvcut.UsageError):
                trace.cut(iteration=(900, 901), dry_run=True)
            with self.assertRaises(prvcut.UsageError):
                trace.sql("DELETE FROM calls")
            with self.assertRaisesRegex(prvcut.UsageError, "'a'.* AS"):
                trace.sql("SELECT 1 AS a, 2 AS a, 3 AS b")
            with self.assertRaises(prvcut.UsageError):
                trace.waits(by="weather")
            with self.assertRaises(prvcut.UsageError):
                trace.records(window=(5, 5))
            with self.assertRaisesRegex(prvcut.UsageError, "^iteration 900: the loop runs"):
                trace.profile(iteration=900)
            with self.assertRaisesRegex(prvcut.InterruptedError, r"longer than 0.05s \(seconds\);"):
                trace.sql("WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
                          seconds=0.05)
            for asked in (trace.records, trace.profile, trace.iterations):
                with self.assertRaisesRegex(prvcut.UsageError, "begins"):
                    asked(window=(10**12, 10**13))
            for window in ((5, 3), (-1, 3), (0, 2**64), (0.5, 3), (0, float("nan")), (1,), "ab", 7, (None, 3), ()):
                with self.assertRaisesRegex(prvcut.UsageError, "window"):
                    trace.records(window=window)
            for rows in (0, -1, 10**9 + 1, 1.5, "3", None, float("nan")):
                with self.assertRaisesRegex(prvcut.UsageError, "rows: .* from 1 to 1000000000"):
                    trace.sql("SELECT 1", rows=rows)
            for seconds in (0, -1, float("nan"), float("inf"), "soon", None):
                with self.assertRaisesRegex(prvcut.UsageError, "seconds: .* up to 1000000000"):
                    trace.sql("SELECT 1", seconds=seconds)
            for iteration in (0, -3, (3, 2), 1.5, "3", True, (1, 2, 3)):
                with self.assertRaisesRegex(prvcut.UsageError, "iteration"):
                    trace.profile(iteration=iteration)
            for asked in (lambda: trace.sql(3), lambda: trace.profile(by=3), lambda: trace.waits(by=[]),
                          lambda: trace.profile(region=1.4), lambda: trace.records(only=["weather"]),
                          lambda: trace.structure(depth=-1), lambda: trace.profile(region="1.1\0x"),
                          lambda: trace.sql("SELECT 1\0"), lambda: prvcut.open(SAMPLE + "\0x"),
                          lambda: trace.reduce(iterations=0, dry_run=True),
                          lambda: prvcut.open(SAMPLE, threads=-1)):
                with self.assertRaises(prvcut.UsageError):
                    asked()
            for asked in (trace.profile, trace.waits, trace.comm, trace.efficiency):
                with self.assertRaisesRegex(prvcut.UsageError, "rows of regions.*leave out iteration$"):
                    asked("region", iteration=2)
                for what in ({"iteration": 1}, {"region": "1.1"}):
                    with self.assertRaisesRegex(prvcut.NoLoopError, "no signal shows a loop"):
                        asked(window=(10, 20), **what)
            with self.assertRaisesRegex(prvcut.UsageError, "choose from paraver,.* sqlite"):
                trace.convert("x.weather")
        with self.assertRaisesRegex(prvcut.UsageError, "closed"):
            trace.structure()

    def test_one_long_step(self):
        """SQLite counts all rows of a table in one step, and looks at no clock meanwhile."""
        with tempfile.TemporaryDirectory() as folder:
            with prvcut.open(SAMPLE) as trace:
                base = trace.convert(os.path.join(folder, "a.sqlite"))
            more = sqlite3.connect(base.path)
            for _ in range(5):
                more.execute("INSERT INTO events SELECT * FROM events")
            more.commit()
            more.close()
            late = 0
            for _ in range(50):
                try:
                    base.sql("SELECT count(*) FROM events", seconds=0.0005)
                except prvcut.InterruptedError:
                    late = late + 1
            self.assertGreater(late, 0)
            self.assertGreater(base.sql("SELECT count(*) AS n FROM events")[0]["n"], 300000)

    def test_no_loop(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "none.prv")
            with open(path, "w", encoding="ascii") as f:
                f.write("#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n"
                        "1:1:1:1:1:0:9:1\n")
            with prvcut.open(path) as trace:
                self.assertEqual(trace.iterations(), [])
                with self.assertRaises(prvcut.NoLoopError):
                    trace.cut(iteration=1, dry_run=True)
                with self.assertRaises(prvcut.NoLoopError):
                    trace.sql("SELECT count(*) FROM calls", iteration=1)
                for asked in (trace.profile, trace.waits, trace.comm, trace.efficiency):
                    with self.assertRaises(prvcut.NoLoopError):
                        asked(iteration=3)

    def test_another_library(self):
        run = subprocess.run([sys.executable, "-c", "import prvcut"], check=False, stderr=subprocess.PIPE,
                             env={**os.environ, "PRVCUT_LIBRARY": "libc.so.6"})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(b"ImportError: libc.so.6 is not the library of prvcut", run.stderr)

    def test_another_version(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "prvcut.c")
            with open(source, "w", encoding="ascii") as f:
                f.write('const char *prvcut_version(void) { return "9.9.9"; }\n')
            made = os.path.join(folder, "libprvcut.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", made, source], check=True)
            run = subprocess.run([sys.executable, "-c", "import prvcut"], check=False,
                                 stderr=subprocess.PIPE, env={**os.environ, "PRVCUT_LIBRARY": made})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(prvcut.__version__.encode(), run.stderr)
        self.assertIn(b"9.9.9", run.stderr)

    def test_layout(self):
        self.assertEqual(ctypes.sizeof(_library.Record), 48)


if __name__ == "__main__":
    unittest.main()
