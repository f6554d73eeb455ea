"""The library as it is: structs, functions, and failures as exceptions."""

from __future__ import annotations

import ctypes as c
import ctypes.util
import json
import operator
import os
import re
from typing import Any, Callable, Dict, Optional

from ._version import __version__


class Error(Exception):
    """What the library refused or could not do; its text says why."""

    def __init__(self, text: str, status: int = 0, line: int = 0, offset: int = 0):
        super().__init__(text)
        #: of ``enum prvcut_status``
        self.status = status
        #: line of the input, from 1, and byte; 0: none
        self.line, self.offset = line, offset


class SystemError(Error):  # noqa: A001 - the library's word
    """The operating system refused to read or write."""


class InterruptedError(Error):  # noqa: A001
    """The caller asked to stop."""


class UsageError(Error, ValueError):
    """The call makes no sense: no such region, an empty window."""


class DamagedError(Error):
    """The trace is damaged."""


class LimitError(Error):
    """The trace exceeds a limit, or a question its time."""


class NotATraceError(Error):
    """No format is known that it is in."""


class ExistsError(Error):
    """The output exists; ``force=True`` replaces it."""


class LossError(Error):
    """Something would be lost, and that was forbidden."""


class NoLoopError(Error):
    """An iteration was asked for, and the run has no loop."""


_KINDS = {
    -1: SystemError,
    -3: InterruptedError,
    -4: UsageError,
    -5: DamagedError,
    -6: LimitError,
    -7: NotATraceError,
    -8: ExistsError,
    -9: LossError,
}
OK, NONE, ENOMEM = 0, 2, -2


class ErrorText(c.Structure):
    """struct prvcut_error"""

    _fields_ = [
        ("status", c.c_int),
        ("line", c.c_uint64),
        ("offset", c.c_uint64),
        ("text", c.c_char * 1024),
        ("instead", c.c_char * 256),
    ]


class Span(c.Structure):
    """struct prvcut_span: ns, half open."""

    _fields_ = [("start", c.c_uint64), ("end", c.c_uint64)]


class _Sized(c.Structure):
    """A struct that begins with its size; what is not named is zero."""

    def __init__(self, **fields: Any):
        super().__init__(**fields)
        self.size = c.sizeof(self)


class OpenOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("lenient", c.c_bool),
        ("raw_clocks", c.c_bool),
        ("roles", c.POINTER(c.c_char_p)),
        ("no_index", c.c_bool),
        ("stop", c.c_void_p),
        ("ctx", c.c_void_p),
        ("strict", c.c_bool),
    ]


class Run(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("threads", c.c_int),
        ("stop", c.c_void_p),
        ("columns", c.c_uint),
        ("again", c.c_void_p),
        ("progress", c.c_void_p),
        ("ctx", c.c_void_p),
    ]


class StructureOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("metrics", c.c_char_p),
        ("only", Span),
        ("period_ns", c.c_uint64),
        ("levels", c.c_uint),
        ("causes", c.c_size_t),
    ]


class ProfileOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("by", c.c_uint32),
        ("only", Span),
        ("top", c.c_size_t),
        ("region", c.c_char_p),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
        ("waiting", c.c_bool),
    ]


class CommOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("only", Span),
        ("by", c.c_int),
        ("region", c.c_char_p),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
    ]


class WaitsOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("by", c.c_int),
        ("only", Span),
        ("region", c.c_char_p),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
        ("top", c.c_size_t),
        ("causes", c.c_bool),
        ("critical", c.c_bool),
    ]


class EfficiencyOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("only", Span),
        ("by", c.c_int),
        ("region", c.c_char_p),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
        ("borders", c.c_char_p),
        ("computing", c.c_int),
        ("ideal_computing", c.c_int),
        ("starts", c.c_int),
        ("waits", c.c_int),
        ("eager", c.c_uint64),
        ("scaling", c.c_int),
        ("form", c.c_int),
        ("group", c.c_char_p),
    ]


class CutOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("path", c.c_char_p),
        ("compress", c.c_char_p),
        ("force", c.c_bool),
        ("keep_time", c.c_bool),
        ("keep_messages", c.c_bool),
        ("dry_run", c.c_bool),
        ("own_clocks", c.c_bool),
        ("all_definitions", c.c_bool),
        ("command", c.c_char_p),
        ("filter", c.c_void_p),
        ("filters", c.c_size_t),
        ("max_bytes", c.c_uint64),
    ]


class Selection(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("region", c.c_char_p),
        ("level", c.c_uint),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
    ]


class ReduceOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("iterations", c.c_uint),
        ("metrics", c.c_char_p),
        ("only", Span),
        ("period_ns", c.c_uint64),
        ("align", c.c_int),
        ("level", c.c_uint),
        ("levels", c.c_char_p),
        ("regions", c.c_char_p),
        ("first_iteration", c.c_uint64),
        ("last_iteration", c.c_uint64),
        ("whole", c.c_bool),
        ("outliers", c.c_uint),
        ("all_levels", c.c_bool),
        ("proof", c.c_bool),
        ("cheap_proof", c.c_bool),
        ("report", c.c_char_p),
        ("typed", c.c_char_p),
        ("cut", c.POINTER(CutOptions)),
        ("kinds", c.c_bool),
    ]


class ConvertOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("path", c.c_char_p),
        ("format", c.c_char_p),
        ("only", Span),
        ("tasks", c.c_char_p),
        ("strict", c.c_bool),
        ("force", c.c_bool),
        ("dry_run", c.c_bool),
        ("command", c.c_char_p),
        ("memory", c.c_size_t),
        ("scratch", c.c_char_p),
    ]


class DatabaseOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("only", Span),
        ("region", c.c_char_p),
        ("first", c.c_uint64),
        ("last", c.c_uint64),
        ("tasks", c.c_char_p),
    ]


class QueryOptions(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("sql", c.c_char_p),
        ("most", c.c_uint64),
        ("seconds", c.c_double),
        ("of", c.POINTER(DatabaseOptions)),
    ]


class Record(c.Structure):
    """struct prvcut_record"""

    _fields_ = [
        ("kind", c.c_int),
        ("thread", c.c_uint32),
        ("peer", c.c_uint32),
        ("type", c.c_uint32),
        ("begin", c.c_uint64),
        ("end", c.c_uint64),
        ("value", c.c_int64),
        ("size", c.c_uint64),
    ]


TAKE = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_size_t)


class RecordsWish(_Sized):
    _fields_ = [
        ("size", c.c_size_t),
        ("kinds", c.c_uint),
        ("only", Span),
        ("ctx", c.c_void_p),
        ("take", TAKE),
    ]


def _load() -> c.CDLL:
    name = os.environ.get("PRVCUT_LIBRARY") or ctypes.util.find_library("prvcut") or "libprvcut.so"
    try:
        lib = c.CDLL(name)
    except OSError as e:
        raise ImportError(f"the library of prvcut cannot be loaded: {e}; "
                          "PRVCUT_LIBRARY may name it") from e
    if not hasattr(lib, "prvcut_version"):
        raise ImportError(f"{name} is not the library of prvcut; PRVCUT_LIBRARY may name it")
    lib.prvcut_version.restype = c.c_char_p
    version = lib.prvcut_version().decode()
    if version != __version__:
        raise ImportError(f"this package is of version {__version__}, and the library {name} of "
                          f"version {version}: they have to be the same")
    return lib


lib = _load()
for _name in ("prvcut_trace_end",):
    getattr(lib, _name).restype = c.c_uint64
for _name in ("prvcut_trace_threads", "prvcut_trace_tasks", "prvcut_trace_task_of"):
    getattr(lib, _name).restype = c.c_uint32
for _name in ("prvcut_trace_format", "prvcut_names_thread"):
    getattr(lib, _name).restype = c.c_char_p
_libc = c.CDLL(None)
_libc.free.argtypes = [c.c_void_p]


#: What options of the program are called here.
_ARGUMENTS = {
    "-f": "force=True", "--force": "force=True", "--iteration": "iteration",
    "--lenient": "lenient=True", "--raw-clocks": "raw_clocks=True", "--region": "region",
    "--strict": "strict=True", "--time-limit": "seconds",
}


def _told(text: str) -> str:
    """What the library says, with arguments for options; names of files stand before a colon, an
    option there begins the text."""
    def called(found: Any) -> str:
        return _ARGUMENTS.get(found[0], found[0])

    head, colon, tail = text.rpartition(": ")
    return re.sub(r"^--[a-z-]+(?![^ ,;:)])", called, head) + colon + \
        re.sub(r"(?<![^ (])--?[a-z-]+(?![^ ,;:)])", called, tail)


def failed(status: int, err: ErrorText) -> Error:
    """The exception of a failure."""
    text = _told(err.text.decode("utf-8", "replace"))
    if status == ENOMEM:
        raise MemoryError(text)
    kind = NoLoopError if status == NONE else _KINDS.get(status, Error)
    return kind(text, status, err.line, err.offset)


def check(status: int, err: ErrorText, none_is_fine: bool = True) -> int:
    """Raise what a status below 0 stands for."""
    if status < 0 or (status == NONE and not none_is_fine):
        raise failed(status, err)
    return status


def text_of(tell: Callable[..., int], *args: Any) -> str:
    """What a function of the library writes into ``char **``."""
    text, err = c.c_char_p(), ErrorText()
    pointer = c.c_void_p()
    check(tell(*args, c.byref(pointer), c.byref(err)), err)
    text = c.cast(pointer, c.c_char_p).value or b""
    _libc.free(pointer)
    return text.decode("utf-8", "replace")


def answer(make: Callable[..., int], free: Callable[..., Any], tell: Callable[..., str],
           *args: Any, none_is_fine: bool = True) -> str:
    """Have an answer made of args, told as a text, and released."""
    made, err = c.c_void_p(), ErrorText()
    status = make(*args, c.byref(made), c.byref(err))
    try:
        check(status, err, none_is_fine and bool(made))
        return tell(made)
    finally:
        free(made)


def json_of(make: Callable[..., int], free: Callable[..., Any], tell: Callable[..., int],
            *args: Any, none_is_fine: bool = True, before: tuple = ()) -> Dict[str, Any]:
    """The same of its JSON, as Python has it; before: what stands before the text in tell."""
    return json.loads(answer(make, free, lambda made: text_of(tell, made, *before), *args,
                             none_is_fine=none_is_fine))


def encoded(text: Optional[str], what: str = "a text") -> Optional[bytes]:
    """A text or a path for the library."""
    if text is not None and not isinstance(text, (str, bytes)):
        raise UsageError(f"{what}: {text!r} is no text")
    code = None if text is None else os.fsencode(text)
    if code and b"\0" in code:
        raise UsageError(f"{what}: {text!r} has a NUL, where it would end")
    return code


def whole(what: str, number: Any, least: int, most: int) -> int:
    """A whole number within limits, whoever made it."""
    try:
        value = operator.index(number)
    except TypeError:
        value = None
    if value is None or isinstance(number, bool) or not least <= value <= most:
        raise UsageError(f"{what}: {number!r} is not a whole number from {least} to {most}")
    return value
