"""C++ for one plan: Inductor's loops behind one function that takes the inputs and the memory of the outputs.

Memory that is not returned lives inside the function, so a call allocates nothing but its outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from passnet.agent.authors.distill.plan import (
    Argument,
    BufferView,
    KernelCall,
    KernelPlan,
    PlannedKernel,
    base_of,
    extent,
)
from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.pieces import LoweredPiece

_TYPES = {
    "float32": "float",
    "float64": "double",
    "float16": "passnet::fp16",
    "bfloat16": "passnet::bf16",
    "int64": "int64_t",
    "int32": "int32_t",
    "int16": "int16_t",
    "int8": "int8_t",
    "uint8": "uint8_t",
    "bool": "bool",
}
_HALF = {"passnet::fp16", "passnet::bf16"}
# The names of Inductor, in order, and the names that replace them.
_WORDS = (
    (r'#include [<"][^>"]*[>"]', ""),
    (r"^.*inductor_cpu_(?:integer_div_error|throw_if).*$", ""),
    (r"\bat::Half\b", "passnet::fp16"),
    (r"\bat::BFloat16\b", "passnet::bf16"),
    (r"\bc10::(convert|bit_cast|div_floor_integer)\b", r"inductor::\1"),
    (r"\bstd::(exp|tanh|erf)\(", r"inductor::\1("),
    (r"\bstatic (WelfordHelper)\b", r"\1"),
    (r"\b(tmp_acc\d+\w*)\.(mean|m2)\b", r"\1.\2()"),
)
_HEAD = re.compile(r'extern\s+"C"\s+(?:__attribute__\(\(\w+\)\)\s+)?void\s+kernel\(([^)]*)\)')
_POINTER = re.compile(r"^(const )?(\S+?)\s*\*\s*(\w+)$")


@dataclass(frozen=True)
class CppSource:
    """A C++ source with one exported function, `run`, which takes the named inputs and then the named buffers."""

    text: str
    inputs: tuple[str, ...]
    buffers: tuple[str, ...]


def source(plan: KernelPlan, piece: LoweredPiece, *, wide: bool = False) -> CppSource:
    """The source of a plan of this piece for the CPU.

    `wide`: half-precision inputs are widened to floats as a whole before the loops, and outputs are narrowed after
    them. This costs memory traffic, but the loops then work on floats only. Raises NotGenerated for a value that has no
    C++ type.
    """
    return _Writer(plan, piece, wide).source()


class _Writer:
    """Writes one plan."""

    def __init__(self, plan: KernelPlan, piece: LoweredPiece, wide: bool) -> None:
        self.plan, self.wide = plan, wide
        self.specs = dict(zip(plan.inputs, piece.graph.specs, strict=True))
        self.strides = dict(zip(plan.inputs, piece.strides, strict=True))
        used = {name for call in plan.calls for argument in call.arguments if (name := _held_by(argument))}
        self.inputs = tuple(name for name in plan.inputs if name in used)
        self.returned = tuple(buffer.name for buffer in plan.buffers if buffer.name in plan.returned)
        changed = set(_changed(plan))
        self.written = (*(name for name in self.inputs if name in changed), *self.returned)
        self.scratch = tuple(buffer for buffer in plan.buffers if buffer.name in used - set(self.returned))

    def source(self) -> CppSource:
        kernels = [self.kernel(number, kernel) for number, kernel in enumerate(self.plan.kernels)]
        body = [*self.opening(), *(self.call(call) for call in self.plan.calls), *self.closing()]
        parameters = [
            f"{'' if name in self.written else 'const '}{self.type_of(name)}* {name}"
            for name in (*self.inputs, *self.returned)
        ]
        lines = [
            '#include "inductor.h"',
            "using namespace inductor;",
            "",
            *kernels,
            "",
            f'extern "C" void run({", ".join(parameters)}) {{',
            *(f"  {line}" for line in body),
            "}",
        ]
        return CppSource("\n".join(lines) + "\n", self.inputs, self.returned)

    # --- memory ------------------------------------------------------------------------------------------------

    def type_of(self, name: str) -> str:
        buffer = self.plan.buffer(name)
        dtype = buffer.dtype if buffer is not None else self.specs[name].dtype.removeprefix("torch.")
        if dtype not in _TYPES:
            raise NotGenerated(f"{dtype} has no C++ type here")
        return _TYPES[dtype]

    def is_widened(self, name: str) -> bool:
        return self.wide and self.type_of(name) in _HALF

    def elements(self, name: str) -> int:
        buffer = self.plan.buffer(name)
        if buffer is not None:
            return buffer.elements
        return extent(self.specs[name].shape, self.strides[name])

    def opening(self) -> list[str]:
        """Scratch memory, and the widened copies of inputs and outputs."""
        lines = []
        for buffer in self.scratch:
            kind = "float" if self.is_widened(buffer.name) else self.type_of(buffer.name)
            lines.append(_room(kind, buffer.name, buffer.elements))
        for name in (*self.inputs, *self.returned):
            if self.is_widened(name):
                lines.append(_room("float", f"wide_{name}", self.elements(name)))
        for name in self.inputs:
            if self.is_widened(name):
                lines.append(f"passnet::widen({name}, wide_{name}, {self.elements(name)});")
        return lines

    def closing(self) -> list[str]:
        return [
            f"passnet::narrow(wide_{name}, {name}, {self.elements(name)});"
            for name in self.written
            if self.is_widened(name)
        ]

    def place(self, argument: Argument) -> str:
        if isinstance(argument, int | float):
            return repr(argument)
        name = base_of(argument)
        known = name in self.inputs or name in self.returned
        text = f"wide_{name}" if known and self.is_widened(name) else name
        return f"{text} + {argument.offset}" if isinstance(argument, BufferView) and argument.offset else text

    # --- kernels -----------------------------------------------------------------------------------------------

    def call(self, call: KernelCall) -> str:
        return f"{self.local_name(call.kernel)}({', '.join(self.place(argument) for argument in call.arguments)});"

    def local_name(self, kernel: str) -> str:
        return f"kernel_{[known.name for known in self.plan.kernels].index(kernel)}"

    def kernel(self, number: int, kernel: PlannedKernel) -> str:
        text = kernel.text
        for pattern, word in _WORDS:
            text = re.sub(pattern, word, text, flags=re.MULTILINE)
        head = _HEAD.search(text)
        if head is None:
            raise NotGenerated("a kernel has another head than expected")
        parameters = [" ".join(part.split()) for part in head.group(1).split(",")]
        apart = self.apart(kernel)
        written = ", ".join(self.parameter(text, place in apart) for place, text in enumerate(parameters))
        text = text[: head.start()] + f"static void kernel_{number}({written})" + text[head.end() :]
        if self.wide:
            text = re.sub(r"\bpassnet::(?:fp16|bf16)\b", "float", text)
        return re.sub(r"\n\s*\n+", "\n", text).strip()

    def parameter(self, text: str, alone: bool) -> str:
        pointer = _POINTER.match(text)
        if pointer is None:
            return text
        constant, kind, name = pointer.groups()
        return f"{constant or ''}{kind}* {'__restrict__ ' if alone else ''}{name}"

    def apart(self, kernel: PlannedKernel) -> frozenset[int]:
        """Places of the parameters whose memory no other parameter shares, in every call of the kernel."""
        together = set()
        for call in self.plan.calls:
            if call.kernel == kernel.name:
                bases = [_held_by(argument) for argument in call.arguments]
                together |= {place for place, base in enumerate(bases) if base is not None and bases.count(base) > 1}
        return frozenset(range(64)) - together


def _held_by(argument: Argument) -> str | None:
    """The input or buffer that holds an argument. None for numbers."""
    return base_of(argument) if isinstance(argument, str | BufferView) else None


def _changed(plan: KernelPlan) -> Iterator[str]:
    """The inputs that a kernel writes to."""
    signatures = {kernel.name: kernel.signature for kernel in plan.kernels}
    for call in plan.calls:
        for kind, argument in zip(signatures[call.kernel], call.arguments, strict=True):
            name = _held_by(argument)
            if name in plan.inputs and not kind.startswith("const "):
                yield name


def _room(kind: str, name: str, elements: int) -> str:
    held = f"room_{name}"
    return f"std::unique_ptr<{kind}[]> {held}(new {kind}[{max(elements, 1)}]); {kind}* {name} = {held}.get();"
