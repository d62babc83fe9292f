"""Joins compiled kernels to Python: writes the C++ text that exports them, and loads the built library."""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from passnet.errors import InfrastructureError, UsageError
from passnet.kernels.compilation.prototypes import Parameter, Prototype
from passnet.kernels.compilation.registry import LoadedLibrary, registry
from passnet.kernels.compilation.signature import Signature

# In the order of `enum Constant` in include/binding.h. `explain` is filled in for each library.
_DTYPES: dict[str, torch.dtype] = {
    "float": torch.float32,
    "double": torch.float64,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    "int64_t": torch.int64,
    "int32_t": torch.int32,
    "int16_t": torch.int16,
    "int8_t": torch.int8,
    "uint8_t": torch.uint8,
    "bool": torch.bool,
}

# In libgomp. What locks has definitions of its own in include/regions.h. The last one frees what a region had.
_ANYWHERE = ("GOMP_parallel", "GOMP_barrier", "GOMP_taskgroup_reduction_unregister")
_LOCKS = ("GOMP_critical_start", "GOMP_critical_end", "GOMP_atomic_start", "GOMP_atomic_end")

_ALIASES = {
    "int": "int32_t",
    "long": "int64_t",
    "long long": "int64_t",
    "unsigned char": "uint8_t",
    "__half": "fp16",
    "half": "fp16",
    "__nv_bfloat16": "bf16",
    "nv_bfloat16": "bf16",
}


@dataclass(frozen=True)
class Uses:
    """What an author's object uses, so that its binding must bound it: libgomp's functions, the heap, the x87 unit."""

    openmp: frozenset[str] = frozenset()
    heap: bool = False
    x87: bool = False

    @property
    def headers(self) -> str:
        """The lines of C++ that say so to include/binding.h."""
        named = {"PASSNET_OPENMP": self.openmp, "PASSNET_SCRATCH": self.heap, "PASSNET_X87": self.x87}
        return "\n".join([*(f"#define {name} 1" for name, used in named.items() if used), '#include "binding.h"'])

    @property
    def functions(self) -> str:
        """Definitions for libgomp's functions. Those of `_ANYWHERE` work anywhere, the others in a region only."""
        return "\n".join(
            f"PASSNET_OPENMP_FUNCTION({name}, {int(name.startswith(_ANYWHERE))})"
            for name in sorted(self.openmp)
            if not name.startswith(_LOCKS)
        )


def binding_source(prototypes: Sequence[Prototype], signatures: Sequence[Signature], uses: Uses) -> str:
    """C++ that makes two Python callables of each function. It is compiled apart from the author's source.

    The first callables, in order, take tensors and check them. The second ones take addresses and check nothing.
    """
    declared = "\n".join(
        f'extern "C" {signature.returns} kernel_{index}({", ".join(signature.parameters)}) '
        f'__asm__(PASSNET_KERNEL({index}, "{prototype.name}"));'
        for index, (prototype, signature) in enumerate(zip(prototypes, signatures, strict=True))
    )
    calls = "\n".join(
        f"static Object* {kind}_{index}(Object*, Object* const* args, long count) "
        f"{{ return {function}(&kernel_{index}, {index}, args, count); }}"
        for kind, function in (("call", "dispatch"), ("replay", "replayed"))
        for index in range(len(prototypes))
    )
    rows = "\n".join(
        f'  {{"{prototype.name}", reinterpret_cast<void*>({kind}_{index}), fastcall, nullptr}},'
        for kind in ("call", "replay")
        for index, prototype in enumerate(prototypes)
    )
    return f"""{uses.headers}
#include "exports.h"
{uses.functions}
namespace passnet_binding {{
{declared}
{calls}
Method methods[] = {{
{rows}
}};
}}
"""


def load(path: Path, prototypes: Sequence[Prototype]) -> dict[str, Callable[..., object]]:
    """Load a built library and return its functions by name."""
    try:
        library = ctypes.PyDLL(str(path))
    except OSError as error:
        missing = str(error).partition("undefined symbol: ")[2]
        if missing:
            raise UsageError(f"the kernel source uses {missing} and nothing defines it") from error
        raise InfrastructureError(f"the compiled kernel library could not be loaded: {error}") from error
    tensor = torch._C.TensorBase
    asked = [tensor.data_ptr, tensor.numel, tensor.is_neg, tensor.is_conj, "is_cpu", "dtype"]
    constants: list[object] = [None, True, *asked, explainer(prototypes), *_DTYPES.values()]
    table = (ctypes.py_object * len(constants))()
    table[:] = constants  # type: ignore[assignment]  # py_object stands for every object
    library.passnet_bind(table)
    library.passnet_function.restype = ctypes.py_object
    functions = [library.passnet_function(index) for index in range(2 * len(prototypes))]
    checked, replays = functions[: len(prototypes)], functions[len(prototypes) :]
    registry.add_library(LoadedLibrary(library, tuple(zip(prototypes, checked, replays, strict=True))))
    return {prototype.name: function for prototype, function in zip(prototypes, checked, strict=True)}


def explainer(prototypes: Sequence[Prototype]) -> Callable[[int, tuple[object, ...], int], None]:
    """The compiled code calls this when a call cannot be made. It raises, or returns for tensors without memory."""

    def explain(index: int, args: tuple[object, ...], thrown: int) -> None:
        prototype = prototypes[index]
        if thrown:
            message = ctypes.string_at(thrown).decode(errors="replace")
            raise RuntimeError(f"{prototype.name} threw: {message}")
        if len(args) != len(prototype.parameters):
            raise TypeError(f"{prototype} takes {len(prototype.parameters)} arguments, found {len(args)}")
        problems = [_problem(parameter, value) for parameter, value in zip(prototype.parameters, args, strict=True)]
        for number, (parameter, problem) in enumerate(zip(prototype.parameters, problems, strict=True), 1):
            if problem is not None:
                raise TypeError(f"{prototype.name}: argument {number}, `{parameter}`: {problem}")
        if any(has_no_memory(value) for value in args):
            return
        raise TypeError(f"{prototype} cannot be called with {', '.join(map(describe, args))}")

    return explain


def has_no_memory(value: object) -> bool:
    """Fake and meta tensors have shapes only. A wrapper that runs on them gives its output's shape and computes
    nothing.
    """
    if not isinstance(value, torch.Tensor):
        return False
    return value.is_meta or type(value).__name__ == "FakeTensor"


def _problem(parameter: Parameter, value: object) -> str | None:
    if not parameter.is_pointer:
        return _scalar_problem(parameter, value)
    if value is None:
        return None
    if not isinstance(value, torch.Tensor):
        return f"expected a tensor or None, found {describe(value)}"
    wanted = pointer_dtype(parameter)
    if wanted is not None and value.dtype != wanted:
        return f"expected a tensor of {wanted}, found {describe(value)}"
    if value.device.type not in {"cpu", "meta"} and type(value).__name__ != "FakeTensor":
        return f"expected a tensor on the CPU, found one on {value.device}"
    return lazy_problem(value)


def lazy_problem(value: torch.Tensor) -> str | None:
    """Why a kernel cannot read a tensor's bytes. None when it can."""
    lazily = "negates" if value.is_neg() else "conjugates" if value.is_conj() else None
    return f"torch {lazily} it lazily, so its bytes are other numbers; pass its .clone()" if lazily else None


def _scalar_problem(parameter: Parameter, value: object) -> str | None:
    if parameter.type in {"float", "double"}:
        try:
            float(value)  # type: ignore[arg-type]  # the question is whether it has a float value
        except (TypeError, ValueError):
            return f"expected a number, found {describe(value)}"
        return None
    if parameter.type == "bool":
        return None
    if not hasattr(value, "__index__"):
        return f"expected an integer, found {describe(value)}"
    # Types may be the author's own names, so the size decides what fits, not the type.
    number = operator.index(value)
    return f"the number {number} does not fit" if number < 0 or number.bit_length() > 31 else None


def pointer_dtype(parameter: Parameter) -> torch.dtype | None:
    """The dtype that a pointer parameter needs. None where any dtype is allowed."""
    base = parameter.type.removesuffix("*").replace("const", "").replace("std::", "").replace("passnet::", "").strip()
    return _DTYPES.get(_ALIASES.get(base, base))


def describe(value: object) -> str:
    """A short text for an argument in an error message."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of {value.dtype}, shape {list(value.shape)}, on {value.device}"
    return f"{type(value).__name__} {value!r}"[:80]


def check_settings(source: object, fast_math: object) -> None:
    """Raises UsageError for other than a plain text and a bool: the text that is checked must be the one compiled."""
    if type(source) is not str:
        raise UsageError("the source is no text", field="source", expected="a str", found=type(source).__name__)
    if type(fast_math) is not bool:
        raise UsageError(
            "fast_math is no bool", field="fast_math", expected="True or False", found=repr(fast_math)[:80]
        )


def no_exports(language: str, example: str) -> UsageError:
    """The error for a source that exports nothing."""
    return UsageError(f"the {language} source exports no function", expected=f"at least one `{example}`")
