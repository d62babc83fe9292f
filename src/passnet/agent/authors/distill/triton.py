"""Triton for one plan: Inductor's kernels without its run-time library, and a function that launches them in order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from passnet.agent.authors.distill.plan import (
    Argument,
    Buffer,
    BufferView,
    KernelCall,
    KernelPlan,
    PlannedKernel,
    base_of,
)
from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.launch_model import LaunchSettings
from passnet.agent.lowering.launches import KernelHeuristics, heuristics

_LEAVES_FIRST = "eviction_policy='evict_first'"
# Functions that Inductor's kernels take from its run-time library, written anew, by name. `_NEEDS` has the others that
# each function needs.
_HELPERS: Mapping[str, str] = {
    "maximum": """
@triton.jit
def maximum(a, b):
    return tl.where((a > b) | (a != a), a, b)
""",
    "minimum": """
@triton.jit
def minimum(a, b):
    return tl.where((a < b) | (a != a), a, b)
""",
    "max2": """
@triton.jit
def max2(a, dim):
    return tl.reduce(a, dim, maximum)
""",
    "min2": """
@triton.jit
def min2(a, dim):
    return tl.reduce(a, dim, minimum)
""",
    "maximum_with_index": """
@triton.jit
def maximum_with_index(a, place_a, b, place_b):
    first = (a > b) | ((a != a) & (b == b))
    equal = (a == b) | ((a != a) & (b != b))
    first = first | (equal & (place_a < place_b))
    return tl.where(first, a, b), tl.where(first, place_a, place_b)
""",
    "minimum_with_index": """
@triton.jit
def minimum_with_index(a, place_a, b, place_b):
    first = (a < b) | ((a != a) & (b == b))
    equal = (a == b) | ((a != a) & (b != b))
    first = first | (equal & (place_a < place_b))
    return tl.where(first, a, b), tl.where(first, place_a, place_b)
""",
    "max_with_index": """
@triton.jit
def max_with_index(a, place, dim):
    return tl.reduce((a, place), dim, maximum_with_index)
""",
    "min_with_index": """
@triton.jit
def min_with_index(a, place, dim):
    return tl.reduce((a, place), dim, minimum_with_index)
""",
    "any_of": """
@triton.jit
def any_of(a, b):
    return a | b
""",
    "any": """
@triton.jit
def any(a, dim):
    return tl.reduce(a, dim, any_of)
""",
    "div_floor_integer": """
@triton.jit
def div_floor_integer(a, b):
    quotient = a // b
    inexact = a % b != 0
    return tl.where(inexact & ((a < 0) != (b < 0)), quotient - 1, quotient)
""",
    "remainder_integer": """
@triton.jit
def remainder_integer(a, b):
    rest = a % b
    return tl.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)
""",
    "welford_combine": """
@triton.jit
def welford_combine(mean_a, square_a, weight_a, mean_b, square_b, weight_b):
    step = mean_b - mean_a
    weight = weight_a + weight_b
    share = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + step * share, square_a + square_b + step * step * weight_a * share, weight
""",
    "welford": """
@triton.jit
def welford(mean, square, weight, dim):
    return tl.reduce((mean, square, weight), dim, welford_combine)
""",
    "welford_reduce": """
@triton.jit
def welford_reduce(value, mean, square, weight, first):
    step = value - mean  # at first the mean of nothing, which is 0
    weight = weight + 1
    mean = mean + step / weight
    return mean, square + step * (value - mean), weight
""",
    "online_softmax_combine": """
@triton.jit
def online_softmax_combine(top, total, value, use_fast_math: tl.constexpr):
    highest = maximum(top, value)
    old = tl.where(top == float("-inf"), 0.0, tl.exp(top - highest))
    new = tl.where(value == float("-inf"), 0.0, tl.exp(value - highest))
    return highest, total * old + new
""",
    "online_softmax_combine_with_sum": """
@triton.jit
def online_softmax_combine_with_sum(top, total, value, weight, use_fast_math: tl.constexpr):
    highest = maximum(top, value)
    old = tl.where(top == float("-inf"), 0.0, tl.exp(top - highest))
    new = tl.where(value == float("-inf"), 0.0, tl.exp(value - highest))
    return highest, total * old + weight * new
""",
    "online_softmax_reduce": """
@triton.jit
def online_softmax_reduce(top, total, dim, use_fast_math: tl.constexpr):
    highest = max2(top, dim)
    share = tl.where(top == float("-inf"), 0.0, tl.exp(top - tl.expand_dims(highest, dim)))
    return highest, tl.sum(total * share, dim)
""",
    "promote_to_tensor": """
@triton.jit
def promote_to_tensor(x):
    return x + tl.zeros((1,), tl.int1)
""",
}
_NEEDS = {
    "max2": ("maximum",),
    "min2": ("minimum",),
    "max_with_index": ("maximum_with_index",),
    "min_with_index": ("minimum_with_index",),
    "any": ("any_of",),
    "welford": ("welford_combine",),
    "online_softmax_combine": ("maximum",),
    "online_softmax_combine_with_sum": ("maximum",),
    "online_softmax_reduce": ("maximum", "max2"),
}
# Chooses how a kernel is launched, by its number in the plan and by what Inductor knows about it.
Choose = Callable[[int, KernelHeuristics], LaunchSettings]


def first(number: int, known: KernelHeuristics) -> LaunchSettings:
    """What is likely the fastest. Nothing was measured yet."""
    return known.likely[0]


@dataclass(frozen=True)
class TritonSource:
    """The text of the jitted kernels, and of a function `launch(inputs..., buffers...)` that uses them."""

    kernels: tuple[str, ...]
    launch: str
    inputs: tuple[str, ...]
    buffers: tuple[Buffer, ...]


def source(plan: KernelPlan, choose: Choose = first, *, suffix: str, contracts: bool = True) -> TritonSource:
    """The source of a plan for CUDA. `suffix` makes the names of several plans in one file different.

    `contracts` allows a product and a sum to become one operation, which rounds once. Raises NotGenerated for kernels
    of an unknown kind, or with unknown helpers.
    """
    kernels = {
        kernel.name: _Kernel.read(kernel, name_of(number, suffix), number) for number, kernel in enumerate(plan.kernels)
    }
    used = {
        base_of(argument)
        for call in plan.calls
        for argument in call.arguments
        if isinstance(argument, str | BufferView)
    }
    inputs = tuple(name for name in plan.inputs if name in used)
    returned = tuple(buffer for buffer in plan.buffers if buffer.name in plan.returned)
    body = []
    for buffer in plan.buffers:
        if buffer not in returned:
            if not inputs:
                raise NotGenerated("kernels that read no input, and need memory of their own")
            size, stride = buffer.size, buffer.stride
            device = f"{inputs[0]}.device"
            body.append(
                f"{buffer.name} = torch.empty_strided({size}, {stride}, dtype=torch.{buffer.dtype}, device={device})"
            )
    body += [kernels[call.kernel].launch(call, choose, inputs, contracts=contracts) for call in plan.calls]
    parameters = ", ".join((*inputs, *(buffer.name for buffer in returned)))
    launch = "\n    ".join([f"def launch{suffix}({parameters}):", *body])
    helpers = _helpers(name for kernel in kernels.values() for name in kernel.helpers)
    return TritonSource((*helpers, *(kernel.text for kernel in kernels.values())), launch, inputs, returned)


def name_of(number: int, suffix: str) -> str:
    """The name of a plan's kernel in its source, and in a profile."""
    return f"kernel_{number}{suffix}"


def _helpers(names: object) -> list[str]:
    wanted: dict[str, None] = {}
    for name in sorted(set(names)):  # type: ignore[call-overload]
        if name not in _HELPERS:
            raise NotGenerated(f"the helper {name} of Inductor's run-time library has no counterpart here")
        wanted |= dict.fromkeys((*_NEEDS.get(name, ()), name))
    return [_HELPERS[name].strip() for name in wanted]


@dataclass(frozen=True)
class _Kernel:
    """A kernel as Inductor wrote it: text under a new name, its parameters, and how Inductor would launch it."""

    number: int
    name: str
    text: str
    parameters: tuple[str, ...]
    known: KernelHeuristics
    helpers: tuple[str, ...]

    @classmethod
    def read(cls, kernel: PlannedKernel, name: str, number: int) -> _Kernel:
        tree = ast.parse(kernel.text)
        *steps, function = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        function.decorator_list = [ast.parse("triton.jit", mode="eval").body]
        # The functions that a scan joins two values with.
        own = {step.name: f"{name}_step_{place}" for place, step in enumerate(steps)}
        function.name = name
        rename = _Rename(own)
        steps, function = [rename.visit(step) for step in steps], rename.visit(function)
        function.body = _with_barriers(function.body)
        parameters = tuple(argument.arg for argument in function.args.args if not _is_compile_time(argument.annotation))
        text = "\n\n\n".join(ast.unparse(ast.fix_missing_locations(each)) for each in (*steps, function))
        return cls(number, name, text, parameters, heuristics(kernel.text), tuple(rename.helpers))

    def launch(self, call: KernelCall, choose: Choose, inputs: Sequence[str], *, contracts: bool) -> str:
        given = dict(zip(self.parameters, call.arguments, strict=True))
        counts = {name: value for name, value in given.items() if isinstance(value, int)}
        settings = choose(self.number, self.known)
        x, y, z = self.known.grid(settings, counts)
        grid = (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)
        arguments = ", ".join(_text(value, inputs) for value in given.values())
        options = dict(settings.values) | {"num_warps": settings.warps, "num_stages": settings.stages}
        options["enable_fp_fusion"] = contracts
        chosen = ", ".join(f"{name}={value}" for name, value in options.items())
        return f"{self.name}[{_tuple(grid)}]({arguments}, {chosen})"


def _is_compile_time(annotation: ast.expr | None) -> bool:
    return annotation is not None and ast.unparse(annotation) == "tl.constexpr"


class _Rename(ast.NodeTransformer):
    """Names of Inductor's run-time library become names of Triton or of `_HELPERS`, and `own` functions others.

    Loads lose the hint that what they read may leave the caches first. On an H200, 10 of 15 reductions over rows were
    faster without it, one by a fifth: it read rows of a small table many times.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self.helpers: dict[str, None] = {}
        self._own = own

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._own.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._own.get(node.id, node.id), node.ctx), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node.func) == "tl.load":
            node.keywords = [each for each in node.keywords if ast.unparse(each) != _LEAVES_FIRST]
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = node.value.id if isinstance(node.value, ast.Name) else None
        if owner == "triton_helpers":
            self.helpers[node.attr] = None
            return ast.copy_location(ast.Name(node.attr, ast.Load()), node)
        if owner == "tl_math":
            return ast.copy_location(ast.parse(f"tl.math.{node.attr}", mode="eval").body, node)
        return self.generic_visit(node)


def _with_barriers(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements, with a barrier before one that loads what an earlier one stored in the same memory.

    Triton may give a store and a load of the same elements to different threads, and lets none wait for the other. Seen
    in half precision: a loop over a row read what another warp had yet to write.
    """
    found: list[ast.stmt] = []
    stored: set[str] = set()
    for statement in body:
        if stored & _pointers(statement, "load"):
            found.append(ast.parse("tl.debug_barrier()").body[0])
            stored.clear()
        if isinstance(statement, ast.For):
            statement.body = _with_barriers(statement.body)
        found.append(statement)
        stored |= _pointers(statement, "store")
    return found


def _pointers(statement: ast.stmt, function: str) -> set[str]:
    """The names of the pointers that `tl.load` or `tl.store` are given in a statement."""
    calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call) and node.args)
    places = (call.args[0] for call in calls if ast.unparse(call.func) == f"tl.{function}")
    names = (node.id for place in places for node in ast.walk(place) if isinstance(node, ast.Name))
    return {name for name in names if "ptr" in name}


def _text(value: Argument, inputs: Sequence[str]) -> str:
    if isinstance(value, BufferView):
        return value.text(value.base, owned=value.base not in inputs)
    return value if isinstance(value, str) else repr(value)


def _tuple(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values))}{',' if len(values) == 1 else ''})"
