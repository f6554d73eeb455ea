"""Traces of parallel programs: what they repeat, where the time goes, cuts.

>>> trace = prvcut.open("app.prv")
>>> trace.iterations().to_pandas()

Threads may share a trace: it answers one after the other. Traces that are open apart answer at the
same time.
"""

from __future__ import annotations

import contextlib
import csv
import ctypes as c
import io
import math
import os
import threading
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union

from . import _library as _l
from ._library import (DamagedError, Error, ExistsError, InterruptedError, LimitError, LossError,
                       NoLoopError, NotATraceError, SystemError, UsageError)
from ._version import __version__

__all__ = [
    "DamagedError", "Database", "Error", "ExistsError", "InterruptedError", "LimitError",
    "LossError", "NoLoopError", "NotATraceError", "SystemError", "Table", "Trace", "UsageError",
    "open", "__version__",
]

Path = Union[str, "os.PathLike[str]"]
#: A window in ns: (from, to).
Window = Optional[Tuple[int, int]]
#: An iteration, or the first and the last one, from 1.
Iterations = Union[None, int, Tuple[int, int]]

#: Limits of numbers: times in ns, iterations, rows, seconds.
_TIMES, _NUMBERS, _ROWS, _SECONDS = 2**63 - 1, 2**63 - 1, 1_000_000_000, 1_000_000_000
_LEVELS, _COUNT = 2**31 - 1, 1_000_000

_KINDS = {"state": 1, "event": 2, "message": 4, "send": 8, "receive": 16}
_BY_PLACE = {None: 0, "run": 0, "region": 1, "iteration": 2}
_BY_WAITS = {None: 0, "metric": 0, "rank": 1, "path": 2, "region": 3, "iteration": 4}


class Table(list):
    """Rows, each a dictionary with the same keys."""

    def __init__(self, rows: Iterable[Dict[str, Any]] = (), columns: Iterable[str] = ()):
        super().__init__(rows)
        #: Names of the columns, in their order.
        self.columns: List[str] = list(columns) or (list(self[0]) if self else [])
        #: There are more rows than were asked for.
        self.more: bool = False

    def column(self, name: str) -> List[Any]:
        """The values of one column."""
        return [row[name] for row in self]

    def to_pandas(self) -> Any:
        """The same as a ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)


def _typed(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text if text else None


def _table(text: str, texts: Tuple[str, ...] = ()) -> Table:
    """A table of comma-separated values; columns in texts stay texts."""
    rows = csv.DictReader(io.StringIO(text))
    return Table(({k: (v or None) if k in texts else _typed(v) for k, v in row.items()}
                  for row in rows), rows.fieldnames or ())


def _answer_table(answer: Dict[str, Any]) -> Table:
    columns = answer["columns"]
    twice = sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise UsageError(f"several columns are called {', '.join(map(repr, twice))}: rows are "
                         "dictionaries; give each a name of its own with AS")
    table = Table((dict(zip(columns, row)) for row in answer["rows"]), columns)
    table.more = answer["more"]
    return table


def _numbers(iteration: Iterations) -> Dict[str, int]:
    if iteration is None:
        return {"first": 0, "last": 0}
    first, last = _pair("iteration", iteration) if _is_pair(iteration) else (iteration, iteration)
    first = _l.whole("iteration", first, 1, _NUMBERS)
    last = _l.whole("iteration", last, 1, _NUMBERS)
    if last < first:
        raise UsageError(f"iterations {first} to {last}: the last one is before the first one")
    return {"first": first, "last": last}


def _is_pair(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes))


def _pair(what: str, value: Any) -> Tuple[Any, Any]:
    pair = tuple(value) if _is_pair(value) else ()
    if len(pair) != 2:
        raise UsageError(f"{what}: {value!r} is not two numbers, the first and the last one")
    return pair


def _span(window: Window) -> _l.Span:
    if window is None:
        return _l.Span(0, 0)
    start, end = (_l.whole("window, in ns", t, 0, _TIMES) for t in _pair("window", window))
    if start >= end:
        raise UsageError(f"the window is empty: it begins at {start}ns and ends at {end}ns")
    return _l.Span(start, end)


def _where(window: Window, region: Optional[str], iteration: Iterations) -> Dict[str, Any]:
    return {"only": _span(window), "region": _l.encoded(region, "region"), **_numbers(iteration)}


def _place(path: Optional[Path]) -> Optional[bytes]:
    return _l.encoded(None if path is None else os.fspath(path), "a path")


def _seconds(seconds: float) -> float:
    try:
        value = float(seconds)
    except (TypeError, ValueError):
        value = math.nan
    if not 0 < value <= _SECONDS:
        raise UsageError(f"seconds: {seconds!r} is not a number above 0, up to {_SECONDS}")
    return value


def _query(question: str, rows: int, seconds: float, of: Any = None) -> _l.QueryOptions:
    return _l.QueryOptions(sql=_l.encoded(question, "question"),
                           most=_l.whole("rows", rows, 1, _ROWS), seconds=_seconds(seconds),
                           of=c.pointer(of) if of is not None else None)


class Database:
    """A database that ``Trace.convert`` or the program wrote."""

    def __init__(self, path: Path):
        self.path = os.fspath(path)

    def sql(self, question: str, rows: int = 1_000_000, seconds: float = 60) -> Table:
        """Ask it; it does not change. rows, seconds: the most that it may give and take. Columns
        of one name are refused: AS renames them."""
        lib = _l.lib
        options = _query(question, rows, seconds)
        return _answer_table(_l.json_of(lib.prvcut_query_database, lib.prvcut_query_free,
                                        lib.prvcut_query_json, _place(self.path), None,
                                        c.byref(options)))


class Trace:
    """An open trace; ``with`` closes it. Threads may share it: while it answers one of them the
    others wait, also who closes it. It cannot be copied or pickled, each process opens its own."""

    def __init__(self, path: Path, *, lenient: bool = False, raw_clocks: bool = False,
                 index: bool = True, threads: int = 0):
        """lenient: damaged records are skipped; raw_clocks: times as they were recorded;
        threads: workers, 0 is one a processor."""
        if hasattr(self, "_trace"):
            raise UsageError(f"this Trace is of {self.path}: prvcut.open() makes another one")
        self.path = os.fsdecode(path)
        self._lock, self._busy = threading.RLock(), False
        self._trace = c.c_void_p()
        self._run = _l.Run(threads=_l.whole("threads", threads, 0, 1024))
        options = _l.OpenOptions(lenient=lenient, raw_clocks=raw_clocks, no_index=not index)
        err = _l.ErrorText()
        _l.check(_l.lib.prvcut_trace_open(c.byref(self._trace), _place(self.path),
                                          c.byref(options), c.byref(err)), err)

    def close(self) -> None:
        """Close it, once it answers nobody; nothing else can be asked then."""
        with self._alone():
            if self._trace:
                _l.lib.prvcut_trace_close(self._trace)
            self._trace = c.c_void_p()

    def __enter__(self) -> "Trace":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_trace", None):
            self.close()

    def __repr__(self) -> str:
        return f"<prvcut.Trace {getattr(self, 'path', None)!r}>"

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(f"a Trace is open in one place and cannot be copied or pickled: open it "
                        f"again, prvcut.open({getattr(self, 'path', None)!r})")

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """The library answers of a trace one after the other. A handler of signals runs in the
        thread that it interrupts and would wait for itself."""
        if not hasattr(self, "_lock"):
            raise UsageError("this Trace was never opened: prvcut.open() makes one")
        with self._lock:
            if self._busy:
                raise UsageError(f"{self.path} answers this thread already")
            self._busy = True
            try:
                yield
            finally:
                self._busy = False

    @contextlib.contextmanager
    def _open(self) -> Iterator[c.c_void_p]:
        """The trace, for one thread at a time."""
        with self._alone():
            if not self._trace:
                raise UsageError(f"{self.path} is closed")
            yield self._trace

    def _of_part(self, name: str, free: str, tell: str, options: Any,
                 *before: Any) -> Dict[str, Any]:
        """An answer that may be of a region or of iterations: named ones that are not there are no
        answer."""
        return self._json(name, free, tell, options, *before,
                          none_is_fine=not options.region and not options.first)

    def _json(self, name: str, free: str, tell: str, options: Any, *before: Any,
              none_is_fine: bool = True) -> Dict[str, Any]:
        lib = _l.lib
        with self._open() as trace:
            return _l.json_of(getattr(lib, name), getattr(lib, free), getattr(lib, tell), trace,
                              c.byref(self._run), c.byref(options), none_is_fine=none_is_fine,
                              before=before)

    # --- What it is ---------------------------------------------------------------------------

    @property
    def format(self) -> str:
        """"paraver", "otf2", "otf" ..."""
        with self._open() as trace:
            return _l.lib.prvcut_trace_format(trace).decode()

    @property
    def end_ns(self) -> int:
        """Length of the run."""
        with self._open() as trace:
            return _l.lib.prvcut_trace_end(trace)

    @property
    def ranks(self) -> int:
        """Tasks of all applications."""
        with self._open() as trace:
            return _l.lib.prvcut_trace_tasks(trace)

    @property
    def threads(self) -> int:
        """Threads of all tasks."""
        with self._open() as trace:
            return _l.lib.prvcut_trace_threads(trace)

    # --- What it repeats ----------------------------------------------------------------------

    def structure(self, depth: int = 0, window: Window = None, causes: int = 3) -> Dict[str, Any]:
        """Regions and loops, as ``prvcut structure --json``; depth: levels, 0 is all; causes: so
        many unusual iterations are explained."""
        return self._json("prvcut_structure_find", "prvcut_structure_free",
                          "prvcut_structure_json",
                          _l.StructureOptions(only=_span(window),
                                              levels=_l.whole("depth", depth, 0, _LEVELS),
                                              causes=_l.whole("causes", causes, 0, _ROWS)))

    def iterations(self, window: Window = None) -> Table:
        """Every iteration of every loop, as ``prvcut structure --csv``; empty without a loop."""
        lib, options = _l.lib, _l.StructureOptions(only=_span(window))
        with self._open() as trace:
            text = _l.answer(lib.prvcut_structure_find, lib.prvcut_structure_free,
                             lambda made: _l.text_of(lib.prvcut_iterations_csv, made, None),
                             trace, c.byref(self._run), c.byref(options))
        return _table(text, ("region", "marks"))

    # --- Where the time goes ------------------------------------------------------------------

    def profile(self, by: Optional[str] = None, *, window: Window = None, region: Optional[str] = None,
                iteration: Iterations = None, waiting: bool = False) -> Dict[str, Any]:
        """As ``prvcut profile --json``; its ``rows`` are a Table; by: None is "call";
        region "all" is "region", too."""
        bits, err = c.c_uint32(), _l.ErrorText()
        if by is not None:
            _l.check(_l.lib.prvcut_profile_views(_l.encoded(by, "by"), c.byref(bits), c.byref(err)),
                     err)
        answer = self._of_part("prvcut_profile_make", "prvcut_profile_free", "prvcut_profile_json",
                               _l.ProfileOptions(by=bits.value, waiting=waiting,
                                                 **_where(window, region, iteration)))
        answer["rows"] = Table(answer["rows"])
        return answer

    def efficiency(self, by: Optional[str] = None, *, window: Window = None,
                   region: Optional[str] = None, iteration: Iterations = None) -> Dict[str, Any]:
        """Factors, as ``prvcut efficiency --json``; by: None, "region" or "iteration"."""
        return self._of_part("prvcut_efficiency_make", "prvcut_efficiency_free",
                             "prvcut_efficiency_json",
                             _l.EfficiencyOptions(by=_choice(_BY_PLACE, by),
                                                  **_where(window, region, iteration)),
                             c.c_bool(False))

    def waits(self, by: Optional[str] = None, *, window: Window = None,
              region: Optional[str] = None, iteration: Iterations = None, causes: bool = False,
              critical_path: bool = False) -> Dict[str, Any]:
        """Wait states, as ``prvcut waits --json``."""
        return self._of_part("prvcut_waits_make", "prvcut_wait_states_free", "prvcut_waits_json",
                             _l.WaitsOptions(by=_choice(_BY_WAITS, by), causes=causes,
                                             critical=critical_path,
                                             **_where(window, region, iteration)))

    def comm(self, by: Optional[str] = None, *, window: Window = None,
             region: Optional[str] = None, iteration: Iterations = None) -> Dict[str, Any]:
        """Who sends to whom, as ``prvcut comm --json``."""
        return self._of_part("prvcut_comm_make", "prvcut_comm_free", "prvcut_comm_json",
                             _l.CommOptions(by=_choice(_BY_PLACE, by),
                                            **_where(window, region, iteration)))

    def sql(self, question: str, *, window: Window = None, region: Optional[str] = None,
            iteration: Iterations = None, typical: bool = False, rows: int = 1_000_000,
            seconds: float = 60) -> Table:
        """Ask it in SQL, as ``prvcut sql`` does; typical: of its typical iterations only.
        Columns of one name are refused: AS renames them. prvcut-sqlite(5) describes the tables."""
        of = None if typical else _l.DatabaseOptions(**_where(window, region, iteration))
        if typical and any(part is not None for part in (window, region, iteration)):
            raise UsageError("typical iterations, or a part of the trace: which one?")
        return _answer_table(self._json("prvcut_query_make", "prvcut_query_free",
                                        "prvcut_query_json", _query(question, rows, seconds, of)))

    # --- Records ------------------------------------------------------------------------------

    def records(self, only: Union[None, str, Iterable[str]] = None, window: Window = None) -> Any:
        """All records in the order of the input: an array of structs with the fields kind,
        thread, peer, type, begin, end, value, size; of numpy where it is, else of ctypes.

        only: "state", "event", "message", "send", "receive", or several; window: what touches it.
        Takes 48 bytes a record."""
        names = [only] if isinstance(only, str) else list(only or ())
        kinds = sum({_choice(_KINDS, name) for name in names})
        parts: List[bytes] = []

        def take(_: Any, records: int, count: int) -> int:
            parts.append(c.string_at(records, count * c.sizeof(_l.Record)))
            return _l.OK

        err = _l.ErrorText()
        wish = _l.RecordsWish(kinds=kinds, only=_span(window), take=_l.TAKE(take))
        with self._open() as trace:
            _l.check(_l.lib.prvcut_records_read(trace, c.byref(self._run), c.byref(wish),
                                                c.byref(err)), err)
        return _array(b"".join(parts))

    # --- Cuts and conversions -----------------------------------------------------------------

    def cut(self, output: Optional[Path] = None, *, window: Window = None,
            region: Optional[str] = None, iteration: Iterations = None, force: bool = False,
            dry_run: bool = False) -> Dict[str, Any]:
        """Write a window, or iterations or a region by name, as ``prvcut cut``."""
        how = _l.CutOptions(path=_place(output or None), force=force, dry_run=dry_run)
        lib = _l.lib
        if window is not None and (region is not None or iteration is not None):
            raise UsageError("a window, or iterations or a region by name: which one?")
        what: Any = _l.Selection(region=_l.encoded(region, "region"), **_numbers(iteration)) \
            if window is None else _span(window)
        with self._open() as trace:
            return _l.json_of(lib.prvcut_cut_named if window is None else lib.prvcut_cut,
                              lib.prvcut_cut_summary_free, lib.prvcut_cut_summary_json, trace,
                              c.byref(self._run), c.byref(what), c.byref(how),
                              none_is_fine=window is not None)

    def reduce(self, output: Optional[Path] = None, *, iterations: int = 2, level: int = 0,
               force: bool = False, dry_run: bool = False) -> Dict[str, Any]:
        """Find the loop and cut typical iterations: the main job, as ``prvcut --json``. Without a
        loop nothing is written, and ``reason`` says why."""
        how = _l.CutOptions(path=_place(output or None), force=force, dry_run=dry_run)
        return self._json("prvcut_reduce", "prvcut_reduction_free", "prvcut_reduction_json",
                          _l.ReduceOptions(iterations=_l.whole("iterations", iterations, 1, _COUNT),
                                           level=_l.whole("level", level, 0, _LEVELS),
                                           cheap_proof=True,
                                           cut=c.pointer(how)))

    def convert(self, output: Path, *, window: Window = None, region: Optional[str] = None,
                iteration: Iterations = None, tasks: Optional[str] = None, strict: bool = False,
                force: bool = False) -> Union[Dict[str, Any], Database]:
        """Write it in another format, which the suffix names; ``.sqlite`` gives a Database, of
        which alone a region or iterations can be named. tasks: "1-4,7", from 1."""
        path, lib = os.fsdecode(output), _l.lib
        if path.endswith(".sqlite"):
            made, err = c.c_void_p(), _l.ErrorText()
            options = _l.DatabaseOptions(tasks=_l.encoded(tasks, "tasks"),
                                         **_where(window, region, iteration))
            with self._open() as trace:
                _l.check(lib.prvcut_database_make(trace, c.byref(self._run), c.byref(options),
                                                  _place(path), c.c_bool(force), c.byref(made),
                                                  c.byref(err)), err, none_is_fine=False)
            lib.prvcut_database_free(made)
            return Database(path)
        if region is not None or iteration is not None:
            raise UsageError("a region or iterations: cut them, or convert into .sqlite")
        return self._json("prvcut_convert", "prvcut_convert_summary_free",
                          "prvcut_convert_summary_json",
                          _l.ConvertOptions(path=_place(path), only=_span(window),
                                            tasks=_l.encoded(tasks, "tasks"), strict=strict,
                                            force=force))


def _choice(known: Dict[Any, int], word: Any) -> int:
    if not isinstance(word, (str, type(None))) or word not in known:
        words = ", ".join(repr(w) for w in known if w)
        raise UsageError(f"{word!r} is none of {words}")
    return known[word]


def _array(data: bytes) -> Any:
    try:
        import numpy
    except ImportError:
        return (_l.Record * (len(data) // c.sizeof(_l.Record))).from_buffer_copy(data)
    return numpy.frombuffer(data, dtype=numpy.dtype(_l.Record))


def open(path: Path, *, lenient: bool = False, raw_clocks: bool = False,  # noqa: A001
         index: bool = True, threads: int = 0) -> Trace:
    """Open a trace, whatever its format; options: as of ``Trace``."""
    return Trace(path, lenient=lenient, raw_clocks=raw_clocks, index=index, threads=threads)
