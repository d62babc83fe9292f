"""Compiled kernels that outlive a run: a place for each pass set, kept by the controller where no candidate comes.

A place has a directory of what is kept, and one for each run, to which the candidates of the run write. A run begins
with a copy of what is kept. When its first process has loaded the text, before it calls anything of it, what was
compiled is copied back. So nothing that code of a pass wrote later is loaded by another run. Kernels that are compiled
by a first call (those of Triton and of Inductor) are not kept.

Where no code of a pass runs on the processor but Python that the policy read, nothing can take a process over. There
all runs share one directory, and every kernel is kept.

Who uses a place holds its lock, and nothing is removed under a candidate. A candidate decides nothing of this.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import stat
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.isolation.leftovers import remove

_KEPT, _SHARED, _RUN = "kept", "shared", "run-"
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAIN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
# The files of `kernels.compilation.compile.built`: libraries, device code, expanded texts.
_BUILT = re.compile(r"[0-9a-f]{40}\.(?:so|cubin|cpp)")
_MOST_BYTES, _MOST_FILES = 64 << 20, 1000


@dataclass
class KernelPlace:
    """A place in use. `path`: the directory for the files of this run's candidates. Its processes share it."""

    key: str
    path: Path
    _fd: int

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class KernelPlaces:
    """The places below a directory, for one run. Several threads may ask for them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._run = _RUN + secrets.token_hex(8)
        # The places of this run, and whether a process has loaded their text.
        self._loaded: dict[str, bool] = {}
        self._one_at_a_time = threading.Lock()

    def open(self, key: str, *, shared: bool = False) -> KernelPlace:
        """The place of a key. It is made if needed, and not removed before `close`. `shared`: by all runs."""
        outer = self._root / key
        with self._one_at_a_time:
            while True:
                outer.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._clear(outer)
                fd = _locked(outer, fcntl.LOCK_SH)
                if fd is not None:
                    break
            os.utime(fd)
            if shared:
                (outer / _SHARED).mkdir(exist_ok=True, mode=0o700)
                return KernelPlace(key, outer / _SHARED, fd)
            if not (outer / self._run).is_dir():
                self._begin(outer)
        return KernelPlace(key, outer / self._run, fd)

    def loaded(self, place: KernelPlace) -> None:
        """Called when a process has loaded the text of a place, and stands still. The first one's files are kept."""
        with self._one_at_a_time:
            if not self._loaded.get(place.key, True):
                self._loaded[place.key] = True
                _copy_built(place.path, place.path.parent / _KEPT)

    def forget(self, used: Collection[Path] = ()) -> None:
        """Remove what the candidates of this run wrote, without the directories that are still used."""
        with self._one_at_a_time:
            for key in list(self._loaded):
                if self._root / key / self._run not in used:
                    remove(self._root / key / self._run)
                    del self._loaded[key]

    def _begin(self, outer: Path) -> None:
        """The directory of this run, with what is kept."""
        (outer / self._run).mkdir(mode=0o700)
        self._loaded[outer.name] = False
        for entry in os.scandir(outer / _KEPT) if (outer / _KEPT).is_dir() else ():
            shutil.copyfile(entry.path, outer / self._run / entry.name)

    def _clear(self, outer: Path) -> None:
        """Remove what runs left that were broken off, where nobody uses the place now."""
        fd = unused(outer)
        if fd is not None:
            for left in outer.iterdir():
                if left.name not in (_KEPT, _SHARED, self._run):
                    remove(left)
            os.close(fd)


def _copy_built(run: Path, kept: Path) -> None:
    """Copy built files that are not kept yet. Whatever else candidates put there is left alone, links too."""
    kept.mkdir(exist_ok=True, mode=0o700)
    room, names = _MOST_BYTES, [entry.name for entry in os.scandir(run) if _BUILT.fullmatch(entry.name)]
    for name in sorted(names)[:_MOST_FILES]:
        if (kept / name).exists():
            continue
        with suppress(OSError), os.fdopen(os.open(run / name, _PLAIN_FILE), "rb") as file:
            # What is left out (a link, or no room on the disk) is compiled again.
            found = os.fstat(file.fileno())
            room -= found.st_size
            if stat.S_ISREG(found.st_mode) and room >= 0:
                partial = kept.with_name(f"{_KEPT}-{secrets.token_hex(8)}")
                with partial.open("xb") as copy:
                    shutil.copyfileobj(file, copy)
                partial.replace(kept / name)


def unused(outer: Path) -> int | None:
    """A descriptor that keeps others out of a place until it is closed. None where somebody uses it, or it is gone."""
    return _locked(outer, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _locked(outer: Path, how: int) -> int | None:
    """The locked directory. None where the lock is held, or the directory was removed or replaced before."""
    try:
        fd = os.open(outer, _DIRECTORY)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, how)
        if os.path.samestat(os.fstat(fd), outer.stat()):
            return fd
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(fd)
    return None
