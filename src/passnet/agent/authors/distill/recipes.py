"""Recipes: the ways to make a kernel of a plan (dtype of loops, block sizes, rounding). The author compares them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from passnet.agent.authors.distill import cpp, triton
from passnet.agent.authors.distill.plan import KernelPlan
from passnet.agent.authors.distill.rules import CPP, TRITON, Language, RuleKernel
from passnet.agent.lowering.inductor import NotGenerated
from passnet.agent.lowering.pieces import LoweredPiece
from passnet.graph import Graph

# Makes the kernel of a piece by its plan and a number for names. Raises NotGenerated.
Make = Callable[[LoweredPiece, KernelPlan, int], RuleKernel]

_HALF = frozenset({"float16", "bfloat16"})


@dataclass(frozen=True)
class KernelRecipe:
    """A named way: a piece, its plan and a number for names give a kernel. Raises NotGenerated.

    `settings` of Inductor's configuration change the plan. `tunes` means that it computes the same as the first recipe
    with other block sizes. So one variant is enough to judge all that are alike.
    """

    name: str
    make: Make
    settings: Mapping[str, object] = field(default_factory=dict, hash=False)
    tunes: bool = False


def recipes(device: str) -> Sequence[KernelRecipe]:
    """The recipes in the order in which they are tried. The first works for every graph that has a kernel at all."""
    if device == "cpu":
        return (
            KernelRecipe("scalar", _plain),
            KernelRecipe("widened", _widened),
        )
    return (KernelRecipe("likely settings", triton_kernel()),)


@functools.cache  # one object, so that equality finds it again
def exact(device: str) -> KernelRecipe:
    """The recipe that rounds like the graph, for variants that the others got wrong."""
    if device != "cpu":
        # Half precision is rounded after every operator, as in eager. A contraction would skip a rounding.
        return KernelRecipe("eager's rounding", triton_kernel(contracts=False), {"emulate_precision_casts": True})
    return KernelRecipe("without fast-math", lambda piece, plan, number: _cpp(piece, plan, number, fast_math=False))


def is_half(graph: Graph) -> bool:
    """Whether some inputs of a graph are numbers of two bytes."""
    return any(spec.dtype in _HALF for spec in graph.specs)


def language(device: str) -> Language:
    """The first lines of the files for a device."""
    return CPP if device == "cpu" else TRITON


def _cpp(
    piece: LoweredPiece, plan: KernelPlan, number: int, *, wide: bool = False, fast_math: bool = True
) -> RuleKernel:
    source = cpp.source(plan, piece, wide=wide)
    lines = (f'SOURCE_{number} = r"""', source.text.rstrip(), '"""')
    options = "" if fast_math else ", fast_math=False"
    buffers = tuple(buffer for buffer in plan.buffers if buffer.name in source.buffers)
    places = tuple(plan.inputs.index(name) for name in source.inputs)
    return RuleKernel(("\n".join(lines),), f"cpp(SOURCE_{number}{options}).run", places, buffers)


def _plain(piece: LoweredPiece, plan: KernelPlan, number: int) -> RuleKernel:
    return _cpp(piece, plan, number)


def _widened(piece: LoweredPiece, plan: KernelPlan, number: int) -> RuleKernel:
    if not is_half(piece.graph):
        raise NotGenerated("nothing is in half precision")
    return _cpp(piece, plan, number, wide=True)


def triton_kernel(choose: triton.Choose = triton.first, *, contracts: bool = True) -> Make:
    """Makes Triton kernels that are launched with chosen settings."""

    def make(piece: LoweredPiece, plan: KernelPlan, number: int) -> RuleKernel:
        source = triton.source(plan, choose, suffix=f"_{number}", contracts=contracts)
        prelude = (*(f"{text}\n\n" for text in source.kernels), f"{source.launch}\n\n")
        places = tuple(plan.inputs.index(name) for name in source.inputs)
        return RuleKernel(prelude, f"launch_{number}", places, source.buffers)

    return make
