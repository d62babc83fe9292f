"""Ghost replay: while it is on, kernels of this room and of Triton are counted when they are called, and do nothing.

A program whose outputs stay right without its kernels gets them from somewhere else.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable, Iterator
from typing import Any

_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int)


class _Ghosts:
    """What could be called, and what was while it was switched off."""

    def __init__(self) -> None:
        self.libraries: list[ctypes.PyDLL] = []
        self.records: list[Any] = []
        self.skipped = 0
        self.launch: Any = None

    def count(self) -> int:
        self.skipped += 1
        return 0


_ghosts = _Ghosts()


def remember_library(library: ctypes.PyDLL) -> None:
    """A C++ library whose functions can be switched off."""
    library.passnet_ghost.argtypes, library.passnet_ghost.restype = [ctypes.c_long], ctypes.c_long
    _ghosts.libraries.append(library)


def remember_launch(record: Any) -> None:
    """A prepared CUDA launch that can be switched off; one made while ghosts are on is off at once."""
    _ghosts.records.append(record)
    if _ghosts.launch is not None:
        record.launch = _address(_ghosts.launch)


@contextlib.contextmanager
def ghosts() -> Iterator[Callable[[], int]]:
    """Kernels do nothing; yields a function that says how many calls were skipped so far."""
    _ghosts.skipped, _ghosts.launch = 0, _LAUNCH(_ghosts.count)
    for library in _ghosts.libraries:
        library.passnet_ghost(1)
    launches = [record.launch for record in _ghosts.records]
    for record in _ghosts.records:
        record.launch = _address(_ghosts.launch)
    try:
        with _triton_off():
            yield lambda: _ghosts.skipped + sum(library.passnet_ghost(1) for library in _ghosts.libraries)
    finally:
        for library in _ghosts.libraries:
            library.passnet_ghost(0)
        for record, launch in zip(_ghosts.records, launches, strict=False):
            record.launch = launch
        del _ghosts.records[len(launches) :]  # made meanwhile, with a launch that must not be called again
        _ghosts.launch = None


def _address(function: Any) -> int | None:
    return ctypes.cast(function, ctypes.c_void_p).value


@contextlib.contextmanager
def _triton_off() -> Iterator[None]:
    """Triton's launches count and go no further, compiled and interpreted ones."""
    found = [
        (sys.modules[name], kind)
        for name, kind in (("triton.runtime.jit", "JITFunction"), ("triton.runtime.interpreter", "InterpretedFunction"))
        if name in sys.modules
    ]
    kinds = [getattr(module, kind) for module, kind in found]
    runs = [kind.run for kind in kinds]

    def skip(*_: Any, **__: Any) -> None:
        _ghosts.count()

    for kind in kinds:
        kind.run = skip
    try:
        yield
    finally:
        for kind, run in zip(kinds, runs, strict=True):
            kind.run = run
