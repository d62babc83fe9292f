"""Calls GPU kernels: the record that the compiled launcher reads, and the code for calls that it cannot make."""

from __future__ import annotations

import ctypes
import functools
import operator
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any, Protocol

import torch

from passnet.errors import UsageError
from passnet.kernels import native
from passnet.kernels.compilation.binding import describe, has_no_memory, lazy_problem, pointer_dtype
from passnet.kernels.compilation.prototypes import Parameter, Prototype
from passnet.kernels.compilation.registry import PreparedLaunch, registry

MAX_PARAMETERS = 64


class ArgumentKind(IntEnum):
    """How a parameter's value is read. The numbers are those of include/launcher.h."""

    POINTER = 0
    FLOAT = 1
    DOUBLE = 2
    TRUTH = 3
    SIGNED = 4
    UNSIGNED = 5


# Scalar types of CUDA C++ by their spellings: how each is read, and its bytes (long has 8, as on Linux).
SCALARS: dict[str, tuple[ArgumentKind, int]] = {
    "float": (ArgumentKind.FLOAT, 4),
    "double": (ArgumentKind.DOUBLE, 8),
    "bool": (ArgumentKind.TRUTH, 1),
    **dict.fromkeys(("char", "signed char", "int8_t"), (ArgumentKind.SIGNED, 1)),
    **dict.fromkeys(("short", "short int", "int16_t"), (ArgumentKind.SIGNED, 2)),
    **dict.fromkeys(("int", "signed", "signed int", "int32_t"), (ArgumentKind.SIGNED, 4)),
    **dict.fromkeys(
        ("long", "long int", "long long", "long long int", "int64_t", "ptrdiff_t"), (ArgumentKind.SIGNED, 8)
    ),
    **dict.fromkeys(("unsigned char", "uint8_t"), (ArgumentKind.UNSIGNED, 1)),
    **dict.fromkeys(("unsigned short", "unsigned short int", "uint16_t"), (ArgumentKind.UNSIGNED, 2)),
    **dict.fromkeys(("unsigned", "unsigned int", "uint32_t"), (ArgumentKind.UNSIGNED, 4)),
    **dict.fromkeys(("unsigned long", "unsigned long long", "uint64_t", "size_t"), (ArgumentKind.UNSIGNED, 8)),
}


class Driver(Protocol):
    """The CUDA driver as launching needs it."""

    launch_address: int

    def current_device(self) -> int:
        """The index of the device for new work."""

    def stream(self, device: int) -> int:
        """The handle of torch's current stream on that device."""

    def function(self, cubin: Path, name: str, device: int, shared: int) -> int:
        """A handle of the kernel `name` on `device`. It may use `shared` bytes of dynamic shared memory."""

    def entered(self, device: int) -> bool:
        """Whether this thread had no context. If so, it now has the device's."""

    def error(self, code: int) -> str:
        """The driver's text for an error code."""


class LaunchRecord(ctypes.Structure):
    """`struct Launch` of include/launcher.h."""

    _fields_ = (
        ("launch", ctypes.c_void_p),
        ("function", ctypes.c_void_p),
        ("none", ctypes.py_object),
        ("true", ctypes.py_object),
        ("data_ptr", ctypes.py_object),
        ("numel", ctypes.py_object),
        ("is_neg", ctypes.py_object),
        ("is_conj", ctypes.py_object),
        ("get_device", ctypes.py_object),
        ("name_dtype", ctypes.py_object),
        ("stream", ctypes.py_object),
        ("device_number", ctypes.py_object),
        ("explain", ctypes.py_object),
        ("device", ctypes.c_int),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("count", ctypes.c_int),
        ("dtypes", ctypes.py_object * MAX_PARAMETERS),
        ("kinds", ctypes.c_ubyte * MAX_PARAMETERS),
        ("bytes", ctypes.c_ubyte * MAX_PARAMETERS),
        ("watcher", ctypes.py_object),
    )


def scalar_kind(parameter: Parameter) -> tuple[ArgumentKind, int]:
    """How a parameter is read and its bytes. UsageError for types that cannot be passed by value."""
    if parameter.is_pointer:
        return ArgumentKind.POINTER, 8
    written = " ".join(word for word in parameter.type.replace("std::", "").split() if word != "const")
    if written not in SCALARS:
        raise UsageError(
            f"a kernel parameter `{parameter}` cannot be passed",
            expected=f"a pointer or one of {', '.join(SCALARS)}",
            found=parameter.type,
            hint="pass half-precision numbers as float",
        )
    return SCALARS[written]


@functools.cache
def launcher(name: str = "passnet_launcher") -> Callable[[int], Callable[..., Any]]:
    """The compiled function that turns the address of a record into a callable."""
    path = native.build_trusted('#include "launcher.h"\n')
    function = getattr(ctypes.PyDLL(str(path)), name)
    function.argtypes = [ctypes.py_object]
    function.restype = ctypes.py_object
    return function  # type: ignore[no-any-return]  # as its types above say


def _dim3(size: object, what: str) -> tuple[int, int, int]:
    given = size if isinstance(size, tuple) else (size,)
    try:
        numbers = [operator.index(number) for number in given]
    except TypeError:
        numbers = []
    if not 1 <= len(numbers) <= 3 or any(number < 1 for number in numbers):
        raise UsageError(f"bad {what}", expected="one to three positive integers", found=repr(size))
    return (*numbers, 1, 1)[:3]  # type: ignore[return-value]  # three of at least three


class GpuKernel(dict[object, Callable[..., object]]):
    """One `__global__` function: `kernel[grid, block](*arguments)` or `kernel[grid, block, shared_bytes](...)`.

    grid and block: an integer or a tuple of up to three. The launch goes to torch's current stream on the tensors'
    device. The class is a dictionary of prepared launches by (grid, block, shared), so that a repeated call costs one
    look-up.
    """

    def __init__(self, cubin: Path, prototype: Prototype, driver: Driver) -> None:
        super().__init__()
        if len(prototype.parameters) > MAX_PARAMETERS:
            raise UsageError(f"{prototype.name} has too many parameters", expected=f"at most {MAX_PARAMETERS}")
        self.prototype = prototype
        self._cubin = cubin
        self._driver = driver
        self._kinds = [scalar_kind(parameter) for parameter in prototype.parameters]
        self._prepared: list[PreparedLaunch] = []

    def __missing__(self, configuration: object) -> Callable[..., object]:
        prepared = self._prepare(configuration, self._driver.current_device())
        self[configuration] = prepared
        return prepared

    def __call__(self, *_: object) -> None:
        raise TypeError(f"{self.prototype.name} needs a grid: {self.prototype.name}[grid, block](...)")

    def __repr__(self) -> str:
        return f"<passnet CUDA kernel {self.prototype}>"

    def _prepare(self, configuration: object, device: int) -> Callable[..., object]:
        if not isinstance(configuration, tuple) or len(configuration) not in {2, 3}:
            raise UsageError("bad launch", expected="kernel[grid, block] or kernel[grid, block, shared]")
        grid, block = _dim3(configuration[0], "grid"), _dim3(configuration[1], "block")
        shared = operator.index(configuration[2]) if len(configuration) == 3 else 0
        record = LaunchRecord(
            launch=self._driver.launch_address,
            function=self._driver.function(self._cubin, self.prototype.name, device, shared),
            none=None,
            true=True,
            data_ptr=torch._C.TensorBase.data_ptr,
            numel=torch._C.TensorBase.numel,
            is_neg=torch._C.TensorBase.is_neg,
            is_conj=torch._C.TensorBase.is_conj,
            get_device=torch._C.TensorBase.get_device,
            name_dtype="dtype",
            stream=self._driver.stream,
            device_number=device,
            explain=functools.partial(self._explain, configuration, device),
            device=device,
            grid=(ctypes.c_uint * 3)(*grid),
            block=(ctypes.c_uint * 3)(*block),
            shared=shared,
            count=len(self._kinds),
            watcher=None,
        )
        self._describe_parameters(record)
        launch = PreparedLaunch(self.prototype.name, record)
        self._prepared.append(launch)  # the launcher keeps only the record's address
        registry.add_launch(launch)
        return launcher()(ctypes.addressof(record))

    def _describe_parameters(self, record: LaunchRecord) -> None:
        for index, ((kind, size), parameter) in enumerate(zip(self._kinds, self.prototype.parameters, strict=True)):
            record.kinds[index], record.bytes[index] = kind, size
            dtype = pointer_dtype(parameter) if parameter.is_pointer else None
            if dtype is not None:
                record.dtypes[index] = dtype

    def _explain(self, configuration: object, device: int, args: tuple[object, ...], code: int) -> object:
        """Raises why a launch was not made, or makes it on the device of the tensors."""
        name, parameters = self.prototype.name, self.prototype.parameters
        if code:
            if self._driver.entered(device):
                return self[configuration](*args)
            raise RuntimeError(f"launching {name}[{configuration}] failed: {self._driver.error(code)}")
        if len(args) != len(parameters):
            raise TypeError(f"{self.prototype} takes {len(parameters)} arguments, found {len(args)}")
        if any(has_no_memory(value) for value in args):
            return None
        for number, (parameter, value) in enumerate(zip(parameters, args, strict=True), 1):
            problem = _problem(parameter, value)
            if problem is not None:
                raise TypeError(f"{name}: argument {number}, `{parameter}`: {problem}")
        devices = {value.get_device() for value in args if isinstance(value, torch.Tensor)}
        if len(devices) != 1 or devices == {device}:
            raise TypeError(f"{self.prototype} cannot be called with {', '.join(map(describe, args))}")
        elsewhere = devices.pop()
        with torch.cuda.device(elsewhere):
            return self._prepare(configuration, elsewhere)(*args)


def _problem(parameter: Parameter, value: object) -> str | None:
    if not parameter.is_pointer:
        return None if isinstance(value, int | float) or hasattr(value, "__index__") else "expected a number"
    if value is None:
        return None
    if not isinstance(value, torch.Tensor):
        return f"expected a tensor or None, found {describe(value)}"
    wanted = pointer_dtype(parameter)
    if wanted is not None and value.dtype != wanted:
        return f"expected a tensor of {wanted}, found {describe(value)}"
    return lazy_problem(value)
