"""Checks Triton kernels on a machine without a GPU: compiles launches to PTX, and says what the interpreter can run.

Triton decides at import whether kernels are compiled or interpreted (TRITON_INTERPRET=1 in the environment of the
process). The two checks therefore run in two processes. This module works in both.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from passnet.authored import syntax_tree
from passnet.errors import InfrastructureError, UsageError, causes, said, to_install
from passnet.kernels.policy.device_code import check_triton

_CAPABILITY = 90  # sm_90
_THREADS_PER_WARP = 32

# Functions that Triton's interpreter cannot run or computes wrongly, by their names in a pass file.
_UNSUPPORTED_NAMES = {
    "libdevice": "Triton's interpreter has no libdevice functions",
    "inline_asm_elementwise": "Triton's interpreter cannot run inline assembly",
}


@dataclass(frozen=True)
class CompiledKernelInfo:
    """One kernel as one launch needs it, compiled for a GPU that need not be present."""

    name: str
    target: str
    signature: tuple[tuple[str, str], ...]
    grid: tuple[int, ...]
    shared_bytes: int
    num_warps: int
    ptx: str


class TritonLaunchError(UsageError):
    """A launch that Triton refused. The author made a mistake in a kernel, its arguments or its grid."""


def available() -> str | None:
    """Why Triton cannot be used here, or None when it can."""
    if importlib.util.find_spec("triton") is None:
        return f"Triton is not installed ({to_install('triton')}; 1 GB)"
    return None


def interpreting() -> bool:
    """Whether this process interprets Triton kernels."""
    if available() is not None:
        return False
    from triton import knobs

    return bool(knobs.runtime.interpret)


def interpretable(dtypes: Iterable[torch.dtype], *sources: str) -> str | None:
    """Why a run in Triton's interpreter would prove nothing, or None when its results can be trusted.

    dtypes: of all tensors that the kernels see. sources: the texts of the pass set's files.
    """
    missing = available()
    if missing is not None:
        return missing
    if torch.bfloat16 in set(dtypes):
        # Loads give raw 16-bit integers, and arithmetic then uses these as they are (seen in 3.5 to 3.9).
        return "Triton's interpreter computes silently wrong values in bfloat16; use float32 or float16 variants here"
    used = set().union(*map(_names, sources))
    return next((reason for name, reason in _UNSUPPORTED_NAMES.items() if name in used), None)


def _names(source: str) -> set[str]:
    try:
        tree = syntax_tree(source)
    except SyntaxError:
        return set()
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found | {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}


class _NoDevice:
    """The driver of a GPU that is not present. It lets Triton compile, and it times nothing."""

    def __init__(self) -> None:
        from triton.backends.compiler import GPUTarget

        self._target = GPUTarget("cuda", _CAPABILITY, _THREADS_PER_WARP)

    def get_current_target(self) -> object:
        return self._target

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return device

    def get_benchmarker(self) -> Callable[..., list[float]]:
        def run_once(call: Callable[[], object], *, quantiles: tuple[float, ...] = (0.5,), **_: object) -> list[float]:
            call()
            return [1.0 for _ in quantiles]

        return run_once


@contextlib.contextmanager
def no_device() -> Iterator[None]:
    """Triton sees a CUDA device, of sm_90. Autotuned kernels run every configuration once.

    In an interpreting process, kernels with @triton.autotune can then run. Triton alone finds no driver. The
    interpreter's own tensor operations are hidden from a recorder of the wrapper's operators.
    """
    from triton.runtime.driver import driver

    before = driver._active
    driver.set_active(_NoDevice())
    try:
        with _hidden_from_recorders() if interpreting() else contextlib.nullcontext():
            yield
    finally:
        driver._active = before


@contextlib.contextmanager
def _hidden_from_recorders() -> Iterator[None]:
    """Hides the interpreter's copies of arguments before and after a launch. No GPU would run these operators."""
    from torch.utils._python_dispatch import _disable_current_modes
    from triton.runtime.interpreter import InterpretedFunction

    run = InterpretedFunction.run

    def unrecorded(*args: object, **kwargs: object) -> object:
        with _disable_current_modes():
            return run(*args, **kwargs)

    InterpretedFunction.run = unrecorded
    try:
        yield
    finally:
        InterpretedFunction.run = run


def compile_launches(wrapper_call: Callable[[], object]) -> list[CompiledKernelInfo]:
    """Run a wrapper and compile every Triton launch in it to PTX instead of launching. The wrapper's result is garbage.

    wrapper_call: calls the wrapper with CPU tensors of the right shapes and dtypes. Every configuration of an autotuned
    kernel is compiled, for sm_90.

    Errors of the wrapper itself pass through. Other errors:

    - TritonLaunchError: a launch does not compile or its grid is wrong.
    - KernelPolicyError: a kernel does more than compute.
    - UsageError: this process interprets Triton kernels.
    - InfrastructureError: Triton is not installed.
    """
    missing = available()
    if missing is not None:
        raise InfrastructureError(missing)
    if interpreting():
        raise UsageError(
            "this process interprets Triton kernels and cannot compile them",
            hint="start it without TRITON_INTERPRET in its environment",
        )
    found: list[CompiledKernelInfo] = []
    with no_device(), _captured(found, f"sm_{_CAPABILITY}"):
        wrapper_call()
    return found


@contextlib.contextmanager
def _captured(found: list[CompiledKernelInfo], target: str) -> Iterator[None]:
    """Launches compile, are noted in `found`, and go no further."""

    def capture(run: Callable[..., Any], kernel: Any, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        name = kernel.fn.__name__
        try:
            size = _grid_size(grid, dict(zip(kernel.arg_names, args, strict=False)) | kwargs)
            compiled = run(kernel, *args, grid=grid, warmup=True, **kwargs)
        except _triton_exceptions() as error:
            raise TritonLaunchError(f"Triton kernel {name} does not compile for {target}: {_message(error)}") from error
        check_triton(compiled)
        info = _info(name, target, size, compiled)
        if info not in found:
            found.append(info)
        return compiled

    with instead_of_launching(capture):
        yield


@contextlib.contextmanager
def instead_of_launching(act: Callable[..., Any]) -> Iterator[None]:
    """Triton's launches do this instead: `act` gets the function that launches, the kernel, and what it got."""
    from triton.runtime.jit import JITFunction

    run = JITFunction.run

    def acted(kernel: Any, *args: Any, **kwargs: Any) -> Any:
        return act(run, kernel, *args, **kwargs)

    JITFunction.run = acted
    try:
        yield
    finally:
        JITFunction.run = run


def _triton_exceptions() -> tuple[type[Exception], ...]:
    """Errors that a kernel's author can cause. Triton raises plain exceptions for many of them, so this catches many
    types.
    """
    from triton.compiler.errors import TritonError

    return (TritonError, TypeError, ValueError, KeyError, AttributeError, NameError, AssertionError, RuntimeError)


def _message(error: Exception) -> str:
    *_, cause = causes(error)
    text, reason = said(error).strip() or type(error).__name__, said(cause)
    return text if cause is error or not reason else f"{text}\n{type(cause).__name__}: {reason}"


def _grid_size(grid: Any, arguments: dict[str, Any]) -> tuple[int, ...]:
    size = tuple(grid(arguments)) if callable(grid) else tuple(grid)
    if not 1 <= len(size) <= 3 or not all(isinstance(number, int) and number > 0 for number in size):
        raise ValueError(f"bad grid {size}: expected one to three positive integers")
    return size


def _info(name: str, target: str, grid: tuple[int, ...], compiled: Any) -> CompiledKernelInfo:
    return CompiledKernelInfo(
        name=name,
        target=target,
        signature=tuple((key, str(value)) for key, value in compiled.src.signature.items()),
        grid=grid,
        shared_bytes=int(compiled.metadata.shared),
        num_warps=int(compiled.metadata.num_warps),
        ptx=str(compiled.asm["ptx"]),
    )
