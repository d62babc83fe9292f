"""Builds each file once: names from content hashes, atomic renames, and one function that runs every compiler."""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from passnet.errors import InfrastructureError

_COMPILE_LIMIT_S = 60.0
# Of addresses, for each process of a compiler: a text can make one ask for all the memory of a machine.
_COMPILE_BYTES = 8 << 30


@dataclass(frozen=True)
class Finished:
    """How a compiler process ended."""

    code: int
    output: str


class Runner(Protocol):
    """Runs one compiler command in `cwd`, which it may write to. A sandbox implements this."""

    def __call__(self, command: Sequence[str], *, cwd: Path, limit_s: float) -> Finished: ...


def run_plain(command: Sequence[str], *, cwd: Path, limit_s: float) -> Finished:
    """The default runner: a child process with limits of time and memory, and no sandbox."""
    # A session of its own. Ending it also ends the compiler's children (cc1plus, ld).
    return _run(
        command, cwd, limit_s, lambda pid: os.killpg(pid, signal.SIGKILL), _bound_memory, start_new_session=True
    )


def run_in_group(command: Sequence[str], *, cwd: Path, limit_s: float) -> Finished:
    """The runner of a sandboxed worker, which must not start sessions. CPU limits end the compiler's children."""
    seconds = math.ceil(limit_s) + 1

    def limit() -> None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        bound = seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (bound, bound))

    return _run(command, cwd, limit_s, lambda pid: os.kill(pid, signal.SIGKILL), preexec_fn=limit)


def _run(
    command: Sequence[str],
    cwd: Path,
    limit_s: float,
    end: Callable[[int], None],
    begun: Callable[[int], None] | None = None,
    **start: Any,
) -> Finished:
    try:
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # Messages in one language, because they are parsed.
            env={**os.environ, "LC_ALL": "C"},
            **start,
        )
    except OSError as error:
        raise InfrastructureError(f"the compiler {command[0]} could not be started: {error}") from error
    with process:
        if begun is not None:
            begun(process.pid)
        try:
            output, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            end(process.pid)
            return Finished(124, f"the compiler did not finish within {limit_s:g} s")
    return Finished(process.returncode, output.decode(errors="replace"))


def _bound_memory(pid: int) -> None:
    """Limits a process and those that it starts from now on. One that has ended needs no limit."""
    with contextlib.suppress(ProcessLookupError):
        _, hard = resource.prlimit(pid, resource.RLIMIT_AS)
        most = _COMPILE_BYTES if hard == resource.RLIM_INFINITY else min(_COMPILE_BYTES, hard)
        resource.prlimit(pid, resource.RLIMIT_AS, (most, most))


@dataclass(frozen=True)
class CompileSettings:
    """The directory of built files, the function that runs compilers, and whether C++ may run on the processor."""

    cache_dir: Path | None = None
    runner: Runner = run_plain
    on_processor: bool = True


_settings = CompileSettings()


def configure(
    *, cache_dir: Path | str | None = None, runner: Runner | None = None, on_processor: bool | None = None
) -> None:
    """Set this process's cache directory, its compiler runner, and whether `cpp` makes functions of the processor.
    None keeps the current one.
    """
    global _settings  # noqa: PLW0603 - the one process-wide choice of this room
    if cache_dir is not None:
        _settings = replace(_settings, cache_dir=Path(cache_dir))
    if runner is not None:
        _settings = replace(_settings, runner=runner)
    if on_processor is not None:
        _settings = replace(_settings, on_processor=on_processor)


def settings() -> CompileSettings:
    """The current settings of `configure`."""
    return _settings


def restore(earlier: CompileSettings) -> None:
    """Restores the settings that `settings()` returned."""
    global _settings  # noqa: PLW0603 - as above
    _settings = earlier


def cache_dir() -> Path:
    """The directory of built files, created if needed: the configured one or one of this user's own."""
    chosen = _settings.cache_dir
    problems = []
    for path in (chosen,) if chosen is not None else _user_caches():
        problem = _unusable(path)
        if problem is None:
            return path
        problems.append(f"{path} {problem}")
    raise InfrastructureError(
        f"no place to keep compiled kernels: {'; '.join(problems)}; call passnet.kernels.configure(cache_dir=...)"
    )


def _unusable(path: Path) -> str | None:
    """Creates `path` if needed. Returns why compiled code must not be kept there, or None."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        stat = path.stat()
    except OSError as error:
        return f"cannot be made: {error.strerror}"
    if stat.st_uid not in {os.getuid(), 0} or stat.st_mode & 0o002:
        # Files in this directory are loaded into this process.
        return "belongs to another user or can be written by everyone"
    return None if os.access(path, os.W_OK) else "is not writable"


def _user_caches() -> tuple[Path, ...]:
    try:
        home = Path.home()
    except RuntimeError:
        home = Path(os.devnull)
    return home / ".cache" / "passnet" / "kernels", Path(tempfile.gettempdir()) / f"passnet-kernels-{os.getuid()}"


def content_key(parts: Iterable[str]) -> str:
    """A hash over several texts. Each text is delimited, so that no two lists of texts give the same bytes."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:40]


def built(name: str, make: Callable[[Path], Path]) -> Path:
    """The cached file `name`. If it is absent, `make(empty directory) -> file` makes it.

    Several processes may build the same file at once. Each works in its own directory and the rename is atomic, so a
    reader sees no file or the whole file.
    """
    root = cache_dir()
    final = root / name
    if final.is_file():
        return final
    work = Path(tempfile.mkdtemp(prefix=f".{name[:12]}-", dir=root))
    try:
        make(work).replace(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return final


def run(command: Sequence[str], *, cwd: Path) -> Finished:
    """Run a compiler through the configured runner."""
    return _settings.runner(command, cwd=cwd, limit_s=_COMPILE_LIMIT_S)
