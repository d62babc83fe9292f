"""Ghost replay: while it is on, calls of this room's kernels and of Triton kernels are counted and do nothing.

If a program's outputs stay right without its kernels, it takes them from somewhere else.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from collections.abc import Callable, Iterator

from passnet.kernels.compilation.registry import PreparedLaunch, registry

_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int)


@contextlib.contextmanager
def ghosts() -> Iterator[Callable[[], int]]:
    """Kernels do nothing, recorded launches included, and every allocation goes through the dispatcher.

    Yields a function that returns the number of skipped calls.
    """
    skipped = 0

    def count() -> int:
        nonlocal skipped
        skipped += 1
        return 0

    ghost = _LAUNCH(count)
    address = ctypes.cast(ghost, ctypes.c_void_p).value
    real: list[tuple[PreparedLaunch, int]] = []

    def switch_off(launch: PreparedLaunch) -> None:
        real.append((launch, launch.record.launch))
        launch.record.launch = address

    for handle in registry.handles():
        handle.passnet_ghost(1)
    for launch in registry.launches:
        switch_off(launch)
    registry.newcomers.append(switch_off)
    try:
        with _triton_off(count), _seen_allocations():
            yield lambda: skipped + sum(handle.passnet_ghost(1) for handle in registry.handles())
    finally:
        registry.newcomers.remove(switch_off)
        for handle in registry.handles():
            handle.passnet_ghost(0)
        for launch, before in real:
            launch.record.launch = before


@contextlib.contextmanager
def _seen_allocations() -> Iterator[None]:
    """Replays allocate where a dispatch mode sees it, which can then overwrite what earlier calls left there."""
    changed = [(replay.__globals__, replay.__globals__["empty"]) for replay in registry.replays]
    for space, _ in changed:
        space["empty"] = space["empty_seen"]
    try:
        yield
    finally:
        for space, before in changed:
            space["empty"] = before


@contextlib.contextmanager
def _triton_off(count: Callable[[], int]) -> Iterator[None]:
    """Counts Triton's launches and skips them: compiled ones, interpreted ones, and those of a kernel that is kept
    compiled.
    """

    def skip(*_: object, **__: object) -> None:
        count()

    replaced = [
        (getattr(sys.modules[module], kind), off)
        for module, kind, off in (
            ("triton.runtime.jit", "JITFunction", skip),
            ("triton.runtime.interpreter", "InterpretedFunction", skip),
            ("triton.compiler.compiler", "CompiledKernel", property(lambda _: skip)),
        )
        if module in sys.modules
    ]
    runs = [kind.run for kind, _ in replaced]
    for kind, off in replaced:
        kind.run = off
    try:
        yield
    finally:
        for (kind, _), run in zip(replaced, runs, strict=True):
            kind.run = run
