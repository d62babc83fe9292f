"""Prepared GPU launches of CUDA C++ and compiled Triton kernels: only addresses and the stream are still open.

Such a launch is one call of the driver. Some Triton kernels need more (clusters, cooperative groups, scratch memory,
programmatic launch). They go through the launcher that Triton made for them.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from passnet.kernels.compilation.registry import PreparedLaunch, registry
from passnet.kernels.gpu.driver import cuda_driver
from passnet.kernels.gpu.launch import MAX_PARAMETERS, ArgumentKind, LaunchRecord, launcher
from passnet.kernels.replay.plan import NotFrozen, Prepared

_BITS = (1 << 64) - 1
_TRITON_SCALARS: dict[str, tuple[ArgumentKind, int]] = {
    "fp32": (ArgumentKind.FLOAT, 4),
    "f32": (ArgumentKind.FLOAT, 4),
    "fp64": (ArgumentKind.DOUBLE, 8),
    **{f"{sign}1": (ArgumentKind.TRUTH, 1) for sign in "iu"},
    **{f"i{8 * size}": (ArgumentKind.SIGNED, size) for size in (1, 2, 4, 8)},
    **{f"u{8 * size}": (ArgumentKind.UNSIGNED, size) for size in (1, 2, 4, 8)},
}
# Largest number of scratch addresses that compiled Triton kernels take last. They are null for kernels that need none.
_TRITON_EXTRA = 2
_WARP = 32
_MOST_SHARED = 227 * 1024


class FrozenRecord(ctypes.Structure):
    """`struct FrozenLaunch` of include/launcher.h."""

    _fields_ = (
        ("launch", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("none", ctypes.py_object),
        ("explain", ctypes.py_object),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("count", ctypes.c_int),
        ("addresses", ctypes.c_int),
        ("places", ctypes.c_ubyte * MAX_PARAMETERS),
        ("values", ctypes.c_ulonglong * MAX_PARAMETERS),
    )


@dataclass(frozen=True)
class DriverLaunch:
    """A kernel by its handle, with grid, block, shared bytes and parameters: 64-bit values, None for an address."""

    name: str
    function: int
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared: int
    values: tuple[int | None, ...]
    device: int = 0
    owner: Any = field(default=None, compare=False, repr=False)  # the object that owns the handle

    def __str__(self) -> str:
        numbers = [value for value in self.values if value is not None]
        return f"{self.name}[{self.grid}, {self.block}] with {numbers}"

    def prepare(self) -> Prepared:
        """A function of a stream handle and the addresses, as integers. It checks nothing."""
        driver = cuda_driver()
        places = [index for index, value in enumerate(self.values) if value is None]

        def explain(args: tuple[int, ...], code: int) -> object:
            if code == -1:
                raise TypeError(f"{self.name} takes a stream and {len(places)} addresses")
            if driver.entered(self.device):
                return launch(*args)
            raise RuntimeError(f"launching {self.name} failed: {driver.error(code)}")

        record = FrozenRecord(
            launch=driver.launch_address,
            function=self.function,
            none=None,
            explain=explain,
            grid=(ctypes.c_uint * 3)(*self.grid),
            block=(ctypes.c_uint * 3)(*self.block),
            shared=self.shared,
            count=len(self.values),
            addresses=len(places),
            places=(ctypes.c_ubyte * MAX_PARAMETERS)(*places),
            values=(ctypes.c_ulonglong * MAX_PARAMETERS)(*(value or 0 for value in self.values)),
        )
        prepared = PreparedLaunch(self.name, record, self.owner)
        registry.add_launch(prepared)
        launch = launcher("passnet_frozen_launcher")(ctypes.addressof(record))
        return Prepared(launch, prepared)


@dataclass(frozen=True)
class TritonLaunch:
    """A Triton kernel launched by Triton's own launcher. `template` are its arguments, None for addresses."""

    kernel: Any = field(repr=False)
    name: str
    grid: tuple[int, int, int]
    packed: Any
    template: tuple[Any, ...]
    places: tuple[int, ...]

    def prepare(self) -> Prepared:
        """A function of a stream handle and the addresses, as integers."""
        kernel, grid, packed, template, places = self.kernel, self.grid, self.packed, self.template, self.places

        def launch(stream: int, *addresses: int) -> None:
            arguments = list(template)
            for place, address in zip(places, addresses, strict=True):
                arguments[place] = address
            # `run` is looked up in every call, because launches can be switched off.
            kernel.run(*grid, stream, kernel.function, packed, None, None, None, *arguments)

        return Prepared(launch, kernel)


def cuda_launch(name: str, record: LaunchRecord, arguments: Sequence[Any]) -> DriverLaunch:
    """The launch of a prepared CUDA C++ kernel with these arguments."""
    values = [
        None if kind == ArgumentKind.POINTER and value is not None else packed_scalar(name, ArgumentKind(kind), value)
        for kind, value in zip(record.kinds, arguments, strict=False)
    ]
    grid, block = tuple(record.grid), tuple(record.block)
    function, shared, device = int(record.function or 0), int(record.shared), int(record.device)
    return DriverLaunch(name, function, grid, block, shared, tuple(values), device)


def triton_launch(
    kernel: Any, grid: Sequence[int], packed: Any, arguments: Sequence[Any], device: int
) -> DriverLaunch | TritonLaunch:
    """The launch of a compiled Triton kernel with all its bound arguments, compile-time ones included."""
    size = (int(grid[0]), int(grid[1]), int(grid[2]))
    direct = _direct(kernel, size, packed, arguments)
    if direct is not None:
        return replace(direct, device=device, owner=kernel)
    return _through_triton(kernel, size, packed, arguments)


def packed_scalar(name: str, kind: ArgumentKind, value: Any) -> int:
    """The 64 bits from which the driver reads a parameter, little-endian. 0 for a null pointer."""
    if kind == ArgumentKind.POINTER:
        return 0
    if type(value) not in (int, float, bool):
        raise NotFrozen(f"{name} is given a {type(value).__name__}, which cannot be recorded")
    if kind == ArgumentKind.FLOAT:
        return int.from_bytes(struct.pack("<f", value), "little")
    if kind == ArgumentKind.DOUBLE:
        return int.from_bytes(struct.pack("<d", value), "little")
    return (int(bool(value)) if kind == ArgumentKind.TRUTH else int(value)) & _BITS


def _direct(kernel: Any, grid: tuple[int, int, int], packed: Any, arguments: Sequence[Any]) -> DriverLaunch | None:
    """None for a kernel that needs more than a grid and parameters, or has other parameters than expected."""
    types = list(kernel.src.signature.values())
    given = [(kind, value) for kind, value in zip(types, arguments, strict=True) if kind != "constexpr"]
    known = all(isinstance(kind, str) and (kind[0] == "*" or kind in _TRITON_SCALARS) for kind, _ in given)
    if not known or not _plain(kernel.metadata) or len(given) + _TRITON_EXTRA > MAX_PARAMETERS:
        return None
    sizes = tuple(8 if kind[0] == "*" else _TRITON_SCALARS[kind][1] for kind, _ in given)
    found = cuda_driver().parameter_sizes(kernel.function)
    extra = len(found) - len(sizes) if found is not None else 0
    if found is None or not 0 <= extra <= _TRITON_EXTRA or found != sizes + (8,) * extra:
        return None
    values: list[int | None] = [
        (0 if value is None else None)
        if kind[0] == "*"
        else packed_scalar(kernel.name, _TRITON_SCALARS[kind][0], value)
        for kind, value in given
    ]
    values += [0] * _TRITON_EXTRA
    block = (_WARP * packed[0], 1, 1)
    return DriverLaunch(kernel.name, int(kernel.function), grid, block, int(packed[2]), tuple(values))


def _plain(metadata: Any) -> bool:
    return (
        getattr(metadata, "num_ctas", 1) == 1
        and not getattr(metadata, "launch_cooperative_grid", False)
        and not getattr(metadata, "launch_pdl", False)
        and not getattr(metadata, "global_scratch_size", 0)
        and not getattr(metadata, "profile_scratch_size", 0)
        and metadata.shared <= _MOST_SHARED
    )


def _through_triton(kernel: Any, grid: tuple[int, int, int], packed: Any, arguments: Sequence[Any]) -> TritonLaunch:
    types = list(kernel.src.signature.values())
    places = tuple(
        index
        for index, (kind, value) in enumerate(zip(types, arguments, strict=True))
        if isinstance(kind, str) and kind[0] == "*" and value is not None
    )
    template = [None if index in places else value for index, value in enumerate(arguments)]
    for kind, value in zip(types, template, strict=True):
        if kind != "constexpr" and value is not None and type(value) not in (int, float, bool):
            raise NotFrozen(f"{kernel.name} is given a {type(value).__name__}, which cannot be recorded")
    return TritonLaunch(kernel, kernel.name, grid, packed, tuple(template), places)
