"""Every C++ library and prepared CUDA launch of this process: what can be switched off and what can be watched."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
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
    """A CUDA kernel with its grid: the record that the compiled launcher reads, and what must live as long.

    The launcher knows the record by its address, so whoever holds the launcher must hold this.
    """

    name: str
    record: Any
    owner: Any = None


@dataclass
class Registry:
    """What was loaded, and what is prepared now; `newcomers` are told of launches that are prepared from now on."""

    libraries: list[LoadedLibrary] = field(default_factory=list)
    launches: weakref.WeakSet[PreparedLaunch] = field(default_factory=weakref.WeakSet)
    newcomers: list[Callable[[PreparedLaunch], None]] = field(default_factory=list)

    def add_library(self, library: LoadedLibrary) -> None:
        """Remember a library whose functions can be called from now on."""
        library.handle.passnet_ghost.argtypes, library.handle.passnet_ghost.restype = [ctypes.c_long], ctypes.c_long
        library.handle.passnet_watch.argtypes, library.handle.passnet_watch.restype = [ctypes.py_object], None
        self.libraries.append(library)

    def handles(self) -> list[ctypes.PyDLL]:
        """The libraries as the system has them: what was loaded from one file several times is one."""
        return list({library.handle._handle: library.handle for library in self.libraries}.values())

    def add_launch(self, launch: PreparedLaunch) -> None:
        """Remember a launch for as long as somebody can make it."""
        self.launches.add(launch)
        for told in self.newcomers:
            told(launch)


registry = Registry()
