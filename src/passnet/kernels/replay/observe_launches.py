"""Sees every kernel that is called while it is open: C++ functions, CUDA C++ launches, Triton launches.

The calls are made as they would have been; the observer is told first. Observers are not nested.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import Any, Protocol

from passnet.kernels.compilation.prototypes import Prototype
from passnet.kernels.compilation.registry import Function, LoadedLibrary, PreparedLaunch, registry
from passnet.kernels.gpu.launch import launcher
from passnet.kernels.replay.plan import Wrapper


class Observer(Protocol):
    """Is told of calls. `aside()` stands round the real call, whose own reads are not the wrapper's."""

    def cpp(self, prototype: Prototype, replay: Function, args: Sequence[object]) -> None: ...

    def cuda(self, launch: PreparedLaunch, args: Sequence[object]) -> None: ...

    def triton(self, kernel: object, launch: Sequence[object]) -> None: ...

    def refuse(self, reason: str) -> None: ...

    def aside(self) -> AbstractContextManager[None]: ...


@contextmanager
def watched(observer: Observer) -> Iterator[None]:
    """Tell `observer` of every kernel called until the end, in any thread."""
    with ExitStack() as stack:
        for library in registry.libraries:
            stack.enter_context(_library(library, observer))
        stack.enter_context(_launches(observer))
        if "triton.runtime.jit" in sys.modules:
            stack.enter_context(_triton(observer))
        yield


@contextmanager
def _library(library: LoadedLibrary, observer: Observer) -> Iterator[None]:
    watch = library.handle.passnet_watch

    def divert(index: int, args: tuple[object, ...]) -> object:
        prototype, checked, replay = library.functions[index]
        with observer.aside():
            observer.cpp(prototype, replay, args)
            watch(None)
            try:
                return checked(*args)
            finally:
                watch(divert)

    watch(divert)
    try:
        yield
    finally:
        watch(None)


@contextmanager
def _launches(observer: Observer) -> Iterator[None]:
    def divert(launch: PreparedLaunch, *args: Any) -> Any:
        with observer.aside():
            observer.cuda(launch, args)
            launch.record.watcher = None
            try:
                return launcher()(ctypes.addressof(launch.record))(*args)
            finally:
                launch.record.watcher = diverted[launch]

    diverted: dict[PreparedLaunch, Wrapper] = {}

    def watch(launch: PreparedLaunch) -> None:
        if hasattr(launch.record, "watcher"):  # recorded launches are nobody's call
            diverted[launch] = launch.record.watcher = partial(divert, launch)

    for launch in registry.launches:
        watch(launch)
    registry.newcomers.append(watch)
    try:
        yield
    finally:
        registry.newcomers.remove(watch)
        for launch in diverted:
            # A record of ctypes keeps alive what was last assigned and is not None: an observer, and all that it saw.
            launch.record.watcher = _nobody
            launch.record.watcher = None


def _nobody(*_: object) -> None:
    """What a record keeps in place of an observer that is gone."""


@contextmanager
def _triton(observer: Observer) -> Iterator[None]:
    from triton.compiler.compiler import CompiledKernel
    from triton.runtime.interpreter import InterpretedFunction
    from triton.runtime.jit import JITFunction

    jit_run, interpreted_run, compiled_run = JITFunction.run, InterpretedFunction.run, CompiledKernel.run

    def run(function: Any, *args: Any, **kwargs: Any) -> Any:
        with observer.aside():  # it looks at addresses and numbers to choose what it compiles
            return jit_run(function, *args, **kwargs)

    def interpret(function: object, *args: object, **kwargs: object) -> object:
        observer.refuse("a Triton kernel is interpreted")
        return interpreted_run(function, *args, **kwargs)

    def launcher_of(kernel: object) -> Callable[..., object]:
        real = compiled_run.fget(kernel)

        def launch(*arguments: Any) -> Any:
            with observer.aside():
                observer.triton(kernel, arguments)
                return real(*arguments)

        return launch

    JITFunction.run, InterpretedFunction.run, CompiledKernel.run = run, interpret, property(launcher_of)
    try:
        yield
    finally:
        JITFunction.run, InterpretedFunction.run, CompiledKernel.run = jit_run, interpreted_run, compiled_run
