"""Orders to draw: a page that the controller shares with the drawer alone, and the native code on both sides of it.

The drawer also says how fast its core is (`OrderPage.core_ns`).

The drawer is a trusted process on the core of the workers. It goes before them there. So while it draws, no worker
runs, and no worker ever learns a key.

The worker whose call is due rings for the drawer. The controller could do so itself. But it is on another core, and an
interrupt from there makes the call that follows slower: by 5 us on a virtual machine, several times that of an
operator. A worker that rings late takes longer for drawing, and that is counted. After a millisecond the controller
rings. Where workers have several cores, it does so at once.
"""

from __future__ import annotations

import ctypes
import fcntl
import functools
import mmap
import os
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from passnet.bench.wire import generator

_PAGE_BYTES = 4096
# Words of the page, the same numbers as in native/orders.h.
_STANDING, _SPEED = 9, 10
_LOOK = -1
MOST_JOBS = 4096


class Standing(IntEnum):
    """How a drawer goes before the workers of its core. The numbers are the same as in native/orders.h.

    `ALIKE`: not at all. `PREFERRED`: by weight and a short slice. `ALONE`: while it runs, they do not.
    """

    ALIKE = 0
    PREFERRED = 1
    ALONE = 2


class _Job(ctypes.Structure):
    """`struct Job` of native/orders.h."""

    _fields_ = (("inputs", ctypes.c_void_p), ("count", ctypes.c_int64))


@dataclass
class Bell:
    """A page of zeros on which the drawer sleeps, and which wakes it. Nobody can write to it. Workers have it too."""

    fd: int
    memory: mmap.mmap

    @classmethod
    def create(cls) -> Bell:
        writable = os.memfd_create("passnet-bell", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        try:
            os.ftruncate(writable, _PAGE_BYTES)
            seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SEAL
            fcntl.fcntl(writable, fcntl.F_ADD_SEALS, seals)
            # Old kernels map what is sealed only where it was opened for reading.
            return cls.open(os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC))
        finally:
            os.close(writable)

    @classmethod
    def open(cls, fd: int) -> Bell:
        return cls(fd, mmap.mmap(fd, _PAGE_BYTES, prot=mmap.PROT_READ))

    @functools.cached_property
    def address(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(np.frombuffer(self.memory, np.uint8).ctypes.data)

    def ringer(self) -> Callable[[], object]:
        """A function that wakes the drawer. Who rings on the drawer's core goes on when it sleeps again."""
        return functools.partial(_function("passnet_ring", None), self.address)

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


@dataclass
class OrderPage:
    """The page, on either side, with the bell that calls the drawer to it.

    `patience_s`: the time after which the controller rings, where no worker has.
    """

    fd: int
    memory: mmap.mmap
    bell: Bell
    patience_s: float = 0.001

    @classmethod
    def create(cls) -> OrderPage:
        """Controller side. The caller passes `fds` to the drawer."""
        fd = os.memfd_create("passnet-orders", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(fd, _PAGE_BYTES)
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        return cls._over(fd, Bell.create())

    @classmethod
    def open(cls, fds: Sequence[int]) -> OrderPage:
        """Drawer side: map what the controller passed."""
        return cls._over(fds[0], Bell.open(fds[1]))

    @classmethod
    def _over(cls, fd: int, bell: Bell) -> OrderPage:
        page = cls(fd, mmap.mmap(fd, _PAGE_BYTES), bell)
        page.words[_STANDING] = -1
        return page

    @property
    def fds(self) -> tuple[int, int]:
        return self.fd, self.bell.fd

    @property
    def words(self) -> memoryview:
        return memoryview(self.memory).cast("q")

    @property
    def standing(self) -> int:
        """A `Standing`, or -1 before the drawer has taken its place."""
        return int(self.words[_STANDING])

    @property
    def address(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(self.memory)))

    def order(self, job: int, key: tuple[int, int], limit_s: float) -> int:
        """Have a job done now. Returns the nanoseconds that it took, or -1 when it was not done in time.

        The controller spins meanwhile, as it does while a call is made: it may share hardware with that core.
        """
        function = _function("passnet_order", ctypes.c_int64)
        return int(function(
            self.address, self.bell.address, ctypes.c_int64(secrets.randbits(62) | 1), ctypes.c_int64(job),
            ctypes.c_int64(key[0]), ctypes.c_int64(key[1]), ctypes.c_int64(int(limit_s * 1e9)),
        ))  # fmt: skip

    def core_ns(self, core: int | None, limit_s: float) -> int:
        """Nanoseconds that a fixed piece of work takes on this core now, or -1 when it is not done in time.

        The drawer goes there, and stays. None: where it is.
        """
        took = self.order(_LOOK, (-1 if core is None else core, 0), limit_s)
        return int(self.words[_SPEED]) if took >= 0 else -1

    def close(self) -> None:
        if self.fd >= 0:
            _function("passnet_dismiss", None)(self.address, self.bell.address)
            os.close(self.fd)
            self.fd = -1
            self.bell.close()


def _function(name: str, result: type[ctypes.c_int64] | None) -> ctypes._NamedFuncPointer:
    function = getattr(generator.processor_library(), name)
    function.restype = result
    return function  # type: ignore[no-any-return]  # ctypes leaves it open


@dataclass
class OrderTaker:
    """The drawer's side: the jobs that can be ordered, and the threads that wait for orders."""

    page: OrderPage
    cores: Sequence[int]
    _table: ctypes.Array[_Job] = field(default_factory=_Job * MOST_JOBS, repr=False)
    _kept: dict[int, object] = field(default_factory=dict, repr=False)

    def start(self) -> None:
        """Take orders in a thread of its own. Further cores of the workers are held while something is drawn."""
        serve, hold = _function("passnet_serve_orders", None), _function("passnet_hold_core", None)
        places = self.page.address, self.page.bell.address
        threads = [threading.Thread(target=serve, args=(*places, self._table), daemon=True)]
        threads += [
            threading.Thread(target=hold, args=(*places, ctypes.c_int(core)), daemon=True) for core in self.cores[1:]
        ]
        for thread in threads:
            thread.start()

    def add(self, jobs: Sequence[Sequence[generator.Filled]]) -> int:
        """Add jobs side by side. Returns the number of the first. IndexError when the table is full."""
        first = self._free(len(jobs))
        for number, inputs in enumerate(jobs, first):
            array, kept = generator.records(inputs)
            self._kept[number] = array, kept
            self._table[number] = _Job(ctypes.addressof(array), len(kept))
        return first

    def drop(self, first: int, count: int) -> None:
        for number in range(first, first + count):
            self._table[number] = _Job(None, 0)
            self._kept.pop(number, None)

    def _free(self, count: int) -> int:
        for first in range(MOST_JOBS - count + 1):
            if all(number not in self._kept for number in range(first, first + count)):
                return first
        raise IndexError(f"no room for {count} more jobs")
