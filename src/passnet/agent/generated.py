"""What Inductor would make of a graph or of some of its statements, cut down to what a reader needs."""

from __future__ import annotations

from collections.abc import Iterator

from passnet.errors import UsageError
from passnet.graph import Graph, TensorSpec, dtype_name

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

    `first` and `last` are indices of statements, both inclusive; None means the first and the last of the graph.
    Compiles and runs nothing. Errors: UsageError when there is no such range, or Inductor makes nothing of it.
    """
    from passnet.agent.distill.inductor import NotGenerated, generate

    piece = graph if first is None and last is None else region(graph, first, last)
    try:
        text = generate(piece, device)
    except NotGenerated as error:
        raise UsageError(f"Inductor generates nothing for this: {error}", path=graph.name) from error
    return "\n".join(_readable(text))


def region(graph: Graph, first: int | None, last: int | None) -> Graph:
    """Statements first..last as a graph of its own, widened where a tuple would cross its borders."""
    from passnet.dataset.cut.parent import Parent, Unfit

    count = len(graph.statements())
    begin, end = first or 0, count - 1 if last is None else last
    if not 0 <= begin <= end < count:
        raise UsageError("no such range of statements", expected=f"0 <= first <= last <= {count - 1}",
                         found=f"{begin} to {end}")  # fmt: skip
    parent = Parent(graph)
    try:
        span = parent.snapped(begin, end + 1, growth=count)
    except Unfit as error:
        raise UsageError(f"statements {begin} to {end} are no graph of their own: {error}") from error
    specs = []
    for node in span.before:
        known = parent.spec(node)
        value = node.meta["val"]
        specs.append(known or TensorSpec(node.name, tuple(value.shape), dtype_name(value.dtype)))
    return Graph.from_fx(span.module(), tuple(specs), name=f"{graph.name}[{begin}:{end + 1}]")


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
