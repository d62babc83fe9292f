"""Inspects a graph: its operations, shapes, bytes, flops and its bound by the roofline model.  Runs no pass.

`passnet inspect` prints the results of these functions, and other tools call them. `inspect_graph` takes one graph,
`inspect_path` takes a path of any kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from passnet.errors import UsageError
from passnet.graph import DEFAULT_LIMIT_BYTES, Graph, Role, roles_of
from passnet.graph.targets import find_targets
from passnet.roofline.op_costs import CallCost, FlopSource
from passnet.roofline.op_trace import OpTrace, Output, Statement, TensorShape, trace
from passnet.roofline.peaks import Ceilings, RooflineBound, bound, measure

SCHEMA = 1


@dataclass(frozen=True)
class InputInfo:
    """One input.  `role` is how its values are drawn. `kind` is "activation" for data and "weight" for the rest.

    `read_bytes`: how much of it the graph reads (rows of a table, a slice). `written_bytes`: changed in place.
    """

    name: str
    value: TensorShape
    bytes: int
    role: str
    read_bytes: int
    written_bytes: int
    mutated: bool

    @property
    def kind(self) -> str:
        return "activation" if self.role == Role.DATA else "weight"


@dataclass(frozen=True)
class OpInfo:
    """One statement of the graph, in order, with the work that eager does for it.

    `kernels`: number of calls that do work. `bytes`: read and written by them. `constant`: computed from weights alone.
    """

    index: int
    name: str
    op: str
    inputs: tuple[TensorShape, ...]
    outputs: tuple[TensorShape, ...]
    kernels: int
    flops: int
    bytes: int
    aten: tuple[str, ...]
    constant: bool


@dataclass(frozen=True)
class GraphInspection:
    """The whole description of one graph on one device.

    - `input_bytes` + `output_bytes`: the least that any program must move. Each part of an input that is read counts
      once. Each output and each changed input is written once.
    - `eager_bytes`: moved by the separate kernels of eager.
    - `views`: number of eager's calls that launch no kernel.
    - `flops`: by the source of the count. "torch": products and attention by torch's formulas. "estimate": our own
      rule, such as one per element.
    - `uncounted`: operators without a rule.
    """

    task: str
    graph: str
    device: str
    inputs: tuple[InputInfo, ...]
    outputs: tuple[Output, ...]
    ops: tuple[OpInfo, ...]
    kernels: int
    views: int
    input_bytes: int
    output_bytes: int
    eager_bytes: int
    flops: dict[str, int]
    uncounted: tuple[str, ...]
    bound: RooflineBound

    @property
    def bytes(self) -> int:
        return self.input_bytes + self.output_bytes

    @property
    def total_flops(self) -> int:
        return sum(self.flops.values())

    @property
    def intensity(self) -> float | None:
        """Operations per byte that must move. None when nothing moves."""
        return self.total_flops / self.bytes if self.bytes else None

    @property
    def op_counts(self) -> dict[str, int]:
        """Number of uses of each operation, most frequent first."""
        return dict(Counter(op.op for op in self.ops).most_common())

    @property
    def mutated_inputs(self) -> tuple[str, ...]:
        return tuple(info.name for info in self.inputs if info.mutated)

    def to_json(self) -> dict[str, object]:
        """The graph's entry in the document of `passnet inspect --json`."""
        return {
            "task": self.task,
            "graph": self.graph,
            "inputs": [_input_json(info) for info in self.inputs],
            "outputs": [_output_json(output, self.inputs) for output in self.outputs],
            "ops": [_op_json(op) for op in self.ops],
            "op_counts": self.op_counts,
            "kernels": self.kernels,
            "views": self.views,
            "bytes": {
                "inputs": self.input_bytes,
                "outputs": self.output_bytes,
                "total": self.bytes,
                "eager": self.eager_bytes,
            },
            "flops": {"total": self.total_flops, **self.flops, "uncounted": list(self.uncounted)},
            "arithmetic_intensity": self.intensity,
            "mutated_inputs": list(self.mutated_inputs),
            "roofline": {
                "bound_us": self.bound.us,
                "limited_by": self.bound.limited_by,
                "level": self.bound.level,
                "memory_us": self.bound.memory_us,
                "main_memory_us": self.bound.main_memory_us,
                "compute_us": self.bound.compute_us,
                "launch_us": self.bound.launch_us,
            },
        }


@dataclass(frozen=True)
class Inspection:
    """The graphs of a path, and the ceilings of the device for their bounds."""

    device: str
    ceilings: Ceilings
    graphs: tuple[GraphInspection, ...]

    def to_json(self) -> dict[str, object]:
        """The document of `passnet inspect --json`. `task` is null when the path holds several."""
        tasks = {info.task for info in self.graphs}
        return {
            "schema": SCHEMA,
            "task": next(iter(tasks)) if len(tasks) == 1 else None,
            "device": self.device,
            "ceilings": self.ceilings.to_json(),
            "graphs": [info.to_json() for info in self.graphs],
        }


def inspect_path(path: Path, device: str = "cpu", *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> Inspection:
    """Inspect a task, a graph, a directory of either, or a list file.

    Errors: `UsageError` when a graph is malformed, does not run, has shapes that follow from data or is larger than
    `limit_bytes`, or when the device is absent.
    """
    targets = find_targets([path])
    for _, _, graph in (row for target in targets for row in target.graphs):
        graph.check_size(limit_bytes)
    ceilings = measure(device)
    graphs = tuple(
        inspect_graph(graph, device, task=target.name, name=name, ceilings=ceilings, limit_bytes=limit_bytes)
        for target in targets
        for name, _, graph in target.graphs
    )
    return Inspection(device, ceilings, graphs)


def inspect_graph(
    graph: Graph,
    device: str = "cpu",
    *,
    task: str = "",
    name: str | None = None,
    ceilings: Ceilings | None = None,
    limit_bytes: int = DEFAULT_LIMIT_BYTES,
) -> GraphInspection:
    """Inspect one graph.  By default `ceilings` are measured on this device, once per process."""
    graph.check_size(limit_bytes)
    roles = roles_of(graph.program, graph.specs)
    weights = frozenset(index for index, role in enumerate(roles) if role is not Role.DATA)
    run = trace(graph, device, weights)
    inputs = _inputs(graph, roles, run)
    calls = [call for statement in run.statements for call in statement.calls]
    kernels = sum(call.kernel for call in calls)
    input_bytes = sum(info.read_bytes for info in inputs)
    output_bytes = sum(output.new_bytes for output in run.outputs) + sum(info.written_bytes for info in inputs)
    return GraphInspection(
        task=task,
        graph=name or graph.name,
        device=device,
        inputs=inputs,
        outputs=run.outputs,
        ops=tuple(_op(index, statement) for index, statement in enumerate(run.statements)),
        kernels=kernels,
        views=len(calls) - kernels,
        input_bytes=input_bytes,
        output_bytes=output_bytes,
        eager_bytes=_moved(calls),
        flops={source.value: _flops_of(calls, source) for source in (FlopSource.TORCH, FlopSource.ESTIMATE)},
        uncounted=tuple(sorted({call.op for call in calls if call.source is FlopSource.UNKNOWN})),
        bound=_bound(run, calls, ceilings or measure(device)),
    )


@dataclass(frozen=True)
class LeastWork:
    """What a graph must do at least: bytes moved, operations by the rate that bounds them, and kernels.

    `products`: the rates of its products.
    """

    nbytes: int
    flops: Mapping[str | None, int]
    kernels: int
    products: frozenset[str | None]

    def bound(self, ceilings: Ceilings) -> RooflineBound | None:
        """Its least time at these peaks. None where the peak of one of its products is not known."""
        if not all(ceilings.knows(rate) for rate in self.products):
            return None
        return bound(ceilings, nbytes=self.nbytes, flops=dict(self.flops), kernels=self.kernels)


def least_work(graph: Graph, device: str) -> LeastWork | None:
    """The least work of one graph, by its shapes alone: nothing is allocated or computed.

    None where shapes follow from values.
    """
    try:
        run = trace(graph, device)
    except UsageError:
        return None
    return _least(run, [call for statement in run.statements for call in statement.calls])


def _least(run: OpTrace, calls: Iterable[CallCost]) -> LeastWork:
    flops: Counter[str | None] = Counter()
    kernels, products = 0, set()
    for call in calls:
        flops[call.rate] += call.flops
        kernels += call.kernel
        if call.matmul and call.flops:
            products.add(call.rate)
    moved = sum(run.read_bytes) + sum(run.written_bytes) + sum(output.new_bytes for output in run.outputs)
    return LeastWork(moved, dict(flops), kernels, frozenset(products))


def _bound(run: OpTrace, calls: Iterable[CallCost], ceilings: Ceilings) -> RooflineBound:
    least = _least(run, calls)
    return bound(ceilings, nbytes=least.nbytes, flops=dict(least.flops), kernels=least.kernels)


def _inputs(graph: Graph, roles: Iterable[Role], run: OpTrace) -> tuple[InputInfo, ...]:
    rows = zip(graph.specs, roles, run.read_bytes, run.written_bytes, strict=True)
    return tuple(
        InputInfo(
            name=spec.name,
            value=TensorShape(spec.shape, spec.dtype),
            bytes=spec.nbytes,
            role=role.value,
            read_bytes=read,
            written_bytes=written,
            mutated=index in run.mutated,
        )
        for index, (spec, role, read, written) in enumerate(rows)
    )


def _op(index: int, statement: Statement) -> OpInfo:
    return OpInfo(
        index=index,
        name=statement.name,
        op=statement.op,
        inputs=statement.inputs,
        outputs=statement.outputs,
        kernels=sum(call.kernel for call in statement.calls),
        flops=sum(call.flops for call in statement.calls),
        bytes=_moved(statement.calls),
        aten=tuple(call.op for call in statement.calls),
        constant=statement.constant,
    )


def _moved(calls: Iterable[CallCost]) -> int:
    return sum(call.read_bytes + call.written_bytes for call in calls)


def _flops_of(calls: Iterable[CallCost], source: FlopSource) -> int:
    return sum(call.flops for call in calls if call.source is source)


def _shape_json(value: TensorShape) -> dict[str, object]:
    return {"shape": list(value.shape), "dtype": value.dtype}


def _input_json(info: InputInfo) -> dict[str, object]:
    return {
        "name": info.name,
        **_shape_json(info.value),
        "bytes": info.bytes,
        "kind": info.kind,
        "role": info.role,
        "read_bytes": info.read_bytes,
        "written_bytes": info.written_bytes,
        "mutated": info.mutated,
    }


def _output_json(output: Output, inputs: tuple[InputInfo, ...]) -> dict[str, object]:
    alias = None if output.alias_of is None else inputs[output.alias_of].name
    return {**_shape_json(output.value), "bytes": output.bytes, "alias_of": alias}


def _op_json(op: OpInfo) -> dict[str, object]:
    return {
        "index": op.index,
        "name": op.name,
        "op": op.op,
        "inputs": [_shape_json(value) for value in op.inputs],
        "outputs": [_shape_json(value) for value in op.outputs],
        "kernels": op.kernels,
        "flops": op.flops,
        "bytes": op.bytes,
        "aten": list(op.aten),
        "constant": op.constant,
    }
