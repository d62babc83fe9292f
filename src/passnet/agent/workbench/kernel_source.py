"""The kernels that TorchInductor generates for a graph or some of its statements, reduced to what a reader needs."""

from __future__ import annotations

from collections.abc import Iterator

from passnet.agent.lowering.inductor import NotGenerated, generate
from passnet.agent.lowering.pieces import LoweredPiece, Pieces
from passnet.errors import UsageError
from passnet.graph import Graph

_LINE = 200
# The parts of Inductor's module that are the same for every graph.
_BEGIN, _END = "empty_strided_p2p", "runner = Runner("
_RUNNER, _CALL = "class Runner", "    def call("
_DROPPED = (
    "async_compile.wait",
    "del async_compile",
    "# kernel path:",
    "# Graph fragment",
    "#   %",
    "#   return",
    "triton_helpers.set_driver",
)


def generated_source(graph: Graph, device: str, first: int | None = None, last: int | None = None) -> str:
    """Kernels and calls as text: Triton for "cuda", C++ for "cpu" (plain loops, which compilers turn into vectors).

    `first` and `last` are indices of statements, both inclusive. None means the first and the last of the graph.
    Nothing is compiled or run. Raises UsageError when there is no such range, or when Inductor generates nothing for
    it.
    """
    piece = LoweredPiece.whole(graph) if first is None and last is None else Pieces(graph, device).cut(first, last)
    if piece.off_device:
        raise UsageError(f"{', '.join(piece.off_device)} would not lie on {device}", path=graph.name,
                         hint="choose statements that neither take nor give them")  # fmt: skip
    try:
        text = generate(piece.graph, device, strides=piece.strides)
    except NotGenerated as error:
        raise UsageError(f"Inductor generates nothing for this: {error}", path=graph.name) from error
    return "\n".join(_readable(text))


def _readable(text: str) -> Iterator[str]:
    lines = text.splitlines()
    begin = next((number + 1 for number, line in enumerate(lines) if line.startswith(_BEGIN)), 0)
    end = next((number for number, line in enumerate(lines) if line.startswith(_END)), len(lines))
    blank = True
    inside_runner = False
    for line in lines[begin:end]:
        inside_runner = line.startswith(_RUNNER) or (inside_runner and not line.startswith(_CALL))
        if inside_runner or line.strip().startswith(_DROPPED) or (blank and not line.strip()):
            continue
        blank = not line.strip()
        yield line if len(line) <= _LINE else f"{line[:_LINE]} ..."
