"""The quality gates of a captured graph: one row per question, each answered pass, fail or skip with a reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import fx

from passnet.dataset.capture.candidate import SEED, CaptureCandidate, difference, disturbed, run
from passnet.dataset.capture.dynamo import trace
from passnet.dataset.capture.halves import Halves, halves
from passnet.dataset.capture.record import GateResult, shortened
from passnet.errors import counted
from passnet.graph import Graph, ParsedModel, Ref, Role, degenerate, roles_of, tensors_of
from passnet.graph.text.build import resolve
from passnet.graph.text.program import map_value, refs_of


@dataclass(frozen=True)
class GateVerdict:
    """The verdict of one gate. `reason` is empty for a pass."""

    gate: str
    result: GateResult
    reason: str = ""


def _serialisable(candidate: CaptureCandidate) -> str | None:
    graph = candidate.graph
    again = Graph.from_fx(candidate.loaded, graph.specs, name=graph.name)
    if again.source != graph.source:
        return "text -> graph -> text changes the text"
    return None if again.structure_hash == graph.structure_hash else "text -> graph -> text changes the structure"


def _analysable(candidate: CaptureCandidate) -> str | None:
    program = candidate.graph.program
    for place, op in enumerate(program.ops, start=len(program.params)):
        values = (*op.args, *(value for _, value in op.kwargs))
        if any(ref.index >= place for ref in refs_of(values)):
            return f"operation {place - len(program.params)} ({op.target}) depends on a later one"
    names = candidate.graph.meta.get("op_names")
    if names is not None and (not isinstance(names, list) or len(names) != len(program.ops)):
        return "the recorded operator names do not fit the text"
    return None


def _reachable(candidate: CaptureCandidate) -> str | None:
    for target in sorted({op.target for op in candidate.graph.statements() if op.kind == "function"}):
        resolve(target)
    return None


def _runnable(candidate: CaptureCandidate) -> str | None:
    return difference(candidate.run(candidate.captured.module), candidate.outputs, values=candidate.real)


def _round_trip(candidate: CaptureCandidate) -> str | None:
    if len(candidate.graph.statements()) > candidate.limits.ops:
        raise Skip(f"more than {candidate.limits.ops} operations")
    inputs = candidate.inputs()
    mode = None if candidate.real else next((value.fake_mode for value in inputs if hasattr(value, "fake_mode")), None)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        again = trace(candidate.graph.module(propagated=False), inputs, {}, fake_mode=mode)
    if len(again.graphs) != 1:
        return f"captured again it is {counted(len(again.graphs), 'graph')}: {'; '.join(again.breaks)}"
    changed = difference(candidate.outputs, list(tensors_of(again.result)), values=candidate.real)
    return f"captured again, {changed}" if changed else _other_nodes(candidate.graph, again.graphs[0].module)


def _other_nodes(graph: Graph, module: fx.GraphModule) -> str | None:
    """The first operation that differs when the graph is captured again, or None. Inputs are matched by their names."""
    names = [str(node.target) for node in module.graph.nodes if node.op == "placeholder"]
    specs = tuple(replace(graph.specs[0], name=name) for name in names) if graph.specs else ()
    again = Graph.from_fx(module, specs, name=graph.name).program
    inputs = [_input_number(name) for name in names]
    if any(place is None or place >= len(graph.specs) for place in inputs):
        return "captured again it has other inputs"
    left, right = _normal(graph.program, range(len(graph.specs))), _normal(again, [place or 0 for place in inputs])
    if len(left) != len(right):
        return f"captured again it has {len(right)} operations instead of {len(left)}"
    different = next((place for place, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]), None)
    return None if different is None else f"captured again, operation {different} ({left[different][0]}) differs"


def _input_number(name: str) -> int | None:
    """5 for `L_in_5_`, which is how Dynamo calls the argument `in_5`."""
    digits = "".join(character for character in name.rpartition("in_")[2] if character.isdigit())
    return int(digits) if digits else None


def _normal(program: ParsedModel, inputs: Sequence[int]) -> list[tuple[str, str]]:
    """Each operation as (target, arguments), inputs and results numbered apart."""
    count = len(program.params)

    def name(leaf: object) -> object:
        if not isinstance(leaf, Ref):
            return leaf
        return f"in {inputs[leaf.index]}" if leaf.index < count else f"op {leaf.index - count}"

    written = [
        (op.args, tuple(value for _, value in op.kwargs), tuple(key for key, _ in op.kwargs)) for op in program.ops
    ]
    return [(op.target, repr(map_value(parts, name))) for op, parts in zip(program.ops, written, strict=True)]


def _decomposable(candidate: CaptureCandidate) -> str | None:
    if len(candidate.graph.statements()) < 2:
        raise Skip("a single operation")
    cut = halves(candidate.graph.module())
    if cut is None:
        return "no place where only tensors cross"
    found = _run_halves(cut, candidate.inputs(), real=candidate.real)
    return difference(candidate.outputs, found, values=candidate.real)


def _run_halves(cut: Halves, inputs: Sequence[object], *, real: bool) -> list[torch.Tensor]:
    crossing = run(cut.first, [inputs[place] for place in cut.first_inputs], real=real)
    values = [*inputs, *crossing]
    return run(cut.second, [values[place] for place in cut.second_inputs], real=real)


def _telling(candidate: CaptureCandidate) -> str | None:
    """With inputs of the default policy, some output varies and depends on the data."""
    graph = candidate.graph
    reason = candidate.too_large()
    if reason:
        raise Skip(reason)
    if not graph.specs:
        return "it has no inputs"
    inputs = graph.inputs(SEED)
    changed = _other_data(graph, inputs)
    outputs = run(candidate.loaded, inputs, real=True)
    constant = degenerate(outputs)
    if constant is not None:
        return constant
    other = run(candidate.loaded, changed, real=True)
    return "insensitive to its inputs" if difference(outputs, other, values=True) is None else None


def _other_data(graph: Graph, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The inputs with the data, or everything where nothing is data, disturbed."""
    roles = roles_of(graph.program, graph.specs)
    nothing = Role.DATA not in roles
    written = graph.mutated_inputs()

    def other(place: int, value: torch.Tensor) -> torch.Tensor:
        if nothing or roles[place] is Role.DATA:
            return disturbed(value)
        return value.clone() if place in written else value

    return [other(place, value) for place, value in enumerate(inputs)]


class Skip(Exception):
    """A check costs too much or does not apply. The message says why."""


@dataclass(frozen=True)
class Gate:
    """One row. A graph that fails a required gate is not kept. `check` returns why it fails, or None."""

    name: str
    why: str
    required: bool
    check: Callable[[CaptureCandidate], str | None]


GATES: tuple[Gate, ...] = (
    Gate("serialisable", "the text must be the graph: text -> graph -> text is a fixed point", True, _serialisable),
    Gate("analysable", "operators and their dependencies are known without running", True, _analysable),
    Gate("reachable", "every operator named exists in this torch", True, _reachable),
    Gate("runnable", "the module built from the text computes what the captured one does", True, _runnable),
    Gate("round_trip", "captured again from its text, it has the same nodes and outputs", False, _round_trip),
    Gate("decomposable", "cut in two disjoint halves it computes the same", False, _decomposable),
    Gate("telling", "on made inputs its outputs vary and follow the data, so that a wrong pass shows", False, _telling),
)


def judge(candidate: CaptureCandidate, gates: Sequence[Gate] = GATES) -> tuple[GateVerdict, ...]:
    """Every gate's verdict, in order. After a required one fails, the rest are skipped."""
    verdicts: list[GateVerdict] = []
    for gate in gates:
        stopped = next((verdict.gate for verdict in verdicts if _fatal(verdict)), None)
        verdicts.append(GateVerdict(gate.name, "skip", f"{stopped} failed") if stopped else _verdict(gate, candidate))
    return tuple(verdicts)


def kept(verdicts: Sequence[GateVerdict]) -> bool:
    """Did the graph pass every required gate?"""
    return not any(_fatal(verdict) for verdict in verdicts)


def _fatal(verdict: GateVerdict) -> bool:
    return verdict.result == "fail" and any(gate.required for gate in GATES if gate.name == verdict.gate)


def _verdict(gate: Gate, candidate: CaptureCandidate) -> GateVerdict:
    try:
        reason = gate.check(candidate)
    except Skip as skipped:
        return GateVerdict(gate.name, "skip", str(skipped))
    except Exception as error:  # noqa: BLE001  operations raise what they like; it is the gate's answer
        return GateVerdict(gate.name, "fail", shortened(error))
    return GateVerdict(gate.name, "pass") if reason is None else GateVerdict(gate.name, "fail", reason)
