"""Observes every kernel call while it is open: C++ functions, CUDA C++ launches, Triton launches.

The observer is told first, and then the call is made as usual. Observers are not nested.
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


class Observer(Protocol):
    """Is told of calls. `aside()` surrounds the real call, because reads inside it are not the wrapper's."""

    def cpp(self, prototype: Prototype, replay: Function, args: Sequence[Any]) -> None: ...

    def cuda(self, launch: PreparedLaunch, args: Sequence[Any]) -> None: ...

    def triton(self, kernel: Any, launch: Sequence[Any]) -> None: ...

    def refuse(self, reason: str) -> None: ...

    def aside(self) -> AbstractContextManager[None]: ...


@contextmanager
def watched(observer: Observer) -> Iterator[None]:
    """Tell `observer` of every kernel call until the end of the block, in any thread."""
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

    def divert(index: int, args: tuple[Any, ...]) -> Any:
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

    diverted: dict[PreparedLaunch, Callable[..., Any]] = {}

    def watch(launch: PreparedLaunch) -> None:
        if hasattr(launch.record, "watcher"):  # recorded launches have no record to watch
            diverted[launch] = launch.record.watcher = partial(divert, launch)

    for launch in registry.launches:
        watch(launch)
    registry.newcomers.append(watch)
    try:
        yield
    finally:
        registry.newcomers.remove(watch)
        for launch in diverted:
            # A ctypes record keeps the last assigned value that is not None. It would keep an observer and all its data
            # alive.
            launch.record.watcher = _nobody
            launch.record.watcher = None


def _nobody(*_: object) -> None:
    """A record holds this function in place of an observer that is gone."""


@contextmanager
def _triton(observer: Observer) -> Iterator[None]:
    from triton.compiler.compiler import CompiledKernel
    from triton.runtime.interpreter import InterpretedFunction
    from triton.runtime.jit import JITFunction

    jit_run, interpreted_run, compiled_run = JITFunction.run, InterpretedFunction.run, CompiledKernel.run

    def run(function: Any, *args: Any, **kwargs: Any) -> Any:
        with observer.aside():  # Triton reads addresses and numbers to choose what it compiles.
            return jit_run(function, *args, **kwargs)

    def interpret(function: Any, *args: Any, **kwargs: Any) -> Any:
        observer.refuse("a Triton kernel is interpreted")
        return interpreted_run(function, *args, **kwargs)

    def launcher_of(kernel: Any) -> Callable[..., Any]:
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
