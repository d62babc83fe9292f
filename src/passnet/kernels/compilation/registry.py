"""Every C++ library, prepared CUDA launch and replay of this process. They can be switched off and observed."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from passnet.kernels.compilation.prototypes import Prototype

Function = Callable[..., object]


@dataclass(frozen=True)
class LoadedLibrary:
    """A built C++ library: its handle, and per exported function its two callables (see `binding.wrapper_source`)."""

    handle: ctypes.PyDLL
    functions: tuple[tuple[Prototype, Function, Function], ...]


@dataclass(frozen=True, eq=False)
class PreparedLaunch:
    """A CUDA kernel with its grid: the record that the compiled launcher reads, and the objects that it needs.

    The launcher knows only the address of the record. The holder of the launcher must therefore hold this object.
    """

    name: str
    record: Any
    owner: Any = None


@dataclass
class Registry:
    """The loaded libraries, the prepared launches and the replays. Each of `newcomers` is called with every new launch.

    `replays`: functions whose globals hold `empty`, which allocates without the dispatcher, and `empty_seen`, which
    does the same through it.
    """

    libraries: list[LoadedLibrary] = field(default_factory=list)
    launches: weakref.WeakSet[PreparedLaunch] = field(default_factory=weakref.WeakSet)
    replays: weakref.WeakSet[FunctionType] = field(default_factory=weakref.WeakSet)
    newcomers: list[Callable[[PreparedLaunch], None]] = field(default_factory=list)

    def add_library(self, library: LoadedLibrary) -> None:
        """Registers a library whose functions can now be called."""
        library.handle.passnet_ghost.argtypes, library.handle.passnet_ghost.restype = [ctypes.c_long], ctypes.c_long
        library.handle.passnet_gather.argtypes, library.handle.passnet_gather.restype = [ctypes.c_long], None
        library.handle.passnet_watch.argtypes, library.handle.passnet_watch.restype = [ctypes.py_object], None
        self.libraries.append(library)

    def handles(self) -> list[ctypes.PyDLL]:
        """The libraries as the system has them. Several loads of one file count once."""
        return list({library.handle._handle: library.handle for library in self.libraries}.values())

    @contextlib.contextmanager
    def gathering(self, most_ns: int) -> Iterator[None]:
        """The threads of a region of OpenMP begin together meanwhile. They wait for that in all no longer than this."""
        handles = self.handles()
        for handle in handles:
            handle.passnet_gather(most_ns)
        try:
            yield
        finally:
            for handle in handles:
                handle.passnet_gather(0)

    def add_launch(self, launch: PreparedLaunch) -> None:
        """Registers a launch for as long as somebody can make it."""
        self.launches.add(launch)
        for told in self.newcomers:
            told(launch)


registry = Registry()
