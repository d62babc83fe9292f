"""Captures one model of a source: tries its methods in order, writes the graphs, applies the gates, keeps a record."""

from __future__ import annotations

import contextlib
import importlib.metadata
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch

from passnet.dataset.capture.candidate import CaptureCandidate
from passnet.dataset.capture.default_specs import spec_of, with_defaults
from passnet.dataset.capture.dynamo import Captured, trace
from passnet.dataset.capture.gates import GateVerdict, judge, kept
from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.dataset.capture.record import (
    CaptureAttempt,
    GateCount,
    ModelRecord,
    Stage,
    cluster_of,
    peak_memory_mb,
    shortened,
)
from passnet.dataset.layout import FULL
from passnet.dataset.models.building import NoInputs, quiet
from passnet.dataset.models.source import Method, ModelSource, domain_of
from passnet.errors import PassNetError
from passnet.graph import Graph, TensorSpec

# The distribution whose version explains a record, where it is called otherwise than the library.
_DISTRIBUTIONS: Mapping[str, str] = {"torch-geometric": "torch_geometric"}
_MAX_REASONS = 5
_STAGES: tuple[tuple[type[Exception], Stage], ...] = ((ImportError, "import"), (NoInputs, "inputs"))


def capture_model(
    source: ModelSource, name: str, *, methods: Sequence[Method] | None = None
) -> tuple[ModelRecord, list[Graph]]:
    """The record of one model, and its full graphs that passed the required gates.

    `methods` (default: the source's) are tried in order until one captures the whole call. If none does, the first one
    that gave any graphs counts, as incomplete. Never raises for an error of the model. It may use any amount of memory
    and time. A caller that cannot afford that must run it in a process of its own.
    """
    started = time.perf_counter()
    tried: list[_Try] = []
    with quiet():
        for method in methods or source.methods(name):
            tried.append(_attempt(source, name, method))
            if tried[-1].graphs and tried[-1].error is None:
                break
    chosen = next((one for one in [tried[-1], *tried] if one.graphs), tried[0])
    failures = tuple(one.failure() for one in tried if one is not chosen)
    record = ModelRecord(
        library=source.library,
        model=name,
        family=source.family(name),
        domain=domain_of(source, name),
        outcome="captured" if chosen.graphs else "failed",
        complete=chosen.error is None and bool(chosen.graphs),
        method=chosen.method,
        stage=chosen.stage,
        reason=chosen.reason(),
        cluster=None if chosen.reason() is None else cluster_of(str(chosen.reason())),
        pieces=chosen.pieces,
        graphs=len(chosen.graphs),
        ops=sum(len(graph.statements()) for graph in chosen.graphs),
        dropped=tuple(dict.fromkeys(chosen.dropped))[:_MAX_REASONS],
        breaks=chosen.breaks,
        gates=gate_counts(chosen.verdicts),
        attempts=failures,
        seconds=round(time.perf_counter() - started, 2),
        peak_memory_mb=peak_memory_mb(),
        versions=versions(source.library),
    )
    return record, chosen.graphs


@dataclass
class _Try:
    """One method applied to one model: its progress and its results so far."""

    method: Method
    stage: Stage = "build"
    error: Exception | None = None
    pieces: int = 0
    breaks: tuple[str, ...] = ()
    graphs: list[Graph] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    verdicts: list[tuple[GateVerdict, ...]] = field(default_factory=list)

    def reason(self) -> str | None:
        if self.error is not None:
            return shortened(self.error)
        return None if self.graphs else next(iter(self.dropped), "the call runs no operation")

    def failure(self) -> CaptureAttempt:
        reason = self.reason() or "incomplete"
        return CaptureAttempt(method=self.method, stage=self.stage, reason=reason, cluster=cluster_of(reason))


def _attempt(source: ModelSource, name: str, method: Method) -> _Try:
    current = _Try(method)
    try:
        case = source.build(name, method)
        current.stage = "capture"
        traced = trace(case.model, case.args, case.kwargs, fake_mode=case.fake_mode, partial=True)
        current.error = traced.error
        current.pieces, current.breaks = len(traced.graphs), traced.breaks
        _keep(current, source, name, traced.graphs)
    except Exception as error:  # noqa: BLE001  models raise whatever they like; the record carries it
        current.error = error
        current.stage = next((stage for kind, stage in _STAGES if isinstance(error, kind)), current.stage)
    return current


def _keep(current: _Try, source: ModelSource, name: str, pieces: Sequence[Captured]) -> None:
    """Write and check every piece. A piece that cannot be written or fails a required gate is dropped with a reason."""
    failed: Stage = "capture"
    about = About(source.library, name, domain_of(source, name), source.family(name), current.method)
    for index, captured in enumerate(pieces):
        try:
            graph = full_graph(captured, about, None if len(pieces) == 1 else index)
        except (PassNetError, NotImplementedError, RuntimeError, TypeError, ValueError) as error:
            # Sparse, quantised or nested tensors cannot be measured, and say so in many ways.
            current.dropped.append(shortened(error))
            failed = "serialise"
            continue
        verdicts = judge(CaptureCandidate(captured, graph, current.method == "real"))
        current.verdicts.append(verdicts)
        if kept(verdicts):
            current.graphs.append(noted(graph, verdicts))
        else:
            current.dropped += [f"{one.gate}: {one.reason}" for one in verdicts if one.result == "fail"]
            failed = "gates"
    if current.error is None:
        current.stage = "done" if current.graphs else failed


@dataclass(frozen=True)
class About:
    """Facts about the model in the meta data of a captured graph."""

    library: str
    model: str
    domain: str
    family: str
    method: str


def full_graph(captured: Captured, about: About, number: int | None = None) -> Graph:
    """The whole captured graph as a `Graph` with the meta data of the dataset. `number` tells pieces of a model apart.

    Errors: `GraphError` when the format cannot hold the graph.
    """
    place = f"samples/{about.library}/{about.model}" + ("" if number is None else f"/subgraph_{number}")
    calls, specs = call_nodes(captured.module), input_specs(captured)
    meta = {
        "framework": "torch",
        "num_devices_required": 1,
        "num_nodes_required": 1,
        "dynamic": False,
        "torch_version": torch.__version__.split("+")[0],
        "captured_dtype": main_dtype(specs),
        "op_names": [op_name(node) for node in calls],
        "model_name": about.model,
        "source": about.library,
        "heuristic_tag": about.domain,
        "family": about.family,
        "kind": FULL,
        "capture_method": about.method,
    }
    title = about.model.replace("/", "_") + ("" if number is None else f"_{number}")
    graph = Graph.from_fx(captured.module, specs, name=title, meta=meta)
    return replace(with_defaults(graph), sources={place: [[0, len(calls)]]})


def input_specs(captured: Captured) -> tuple[TensorSpec, ...]:
    """One spec per input: measured from real tensors, shape and dtype alone for others."""
    names = [str(node.target) for node in captured.module.graph.nodes if node.op == "placeholder"]
    return tuple(spec_of(name, value) for name, value in zip(names, captured.inputs, strict=True))


def main_dtype(specs: Sequence[TensorSpec]) -> str:
    """The floating dtype that holds most elements, float32 where there is none."""
    elements: dict[str, int] = {}
    for spec in specs:
        if spec.is_floating:
            elements[spec.dtype] = elements.get(spec.dtype, 0) + spec.numel
    return max(sorted(elements), key=elements.__getitem__, default="float32")


def versions(library: str) -> dict[str, str]:
    """The versions that decide the captured graph: of torch, and of the model's library where it is a distribution."""
    found = {"torch": str(torch.__version__)}
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        found[library] = importlib.metadata.version(_DISTRIBUTIONS.get(library, library))
    return found


def noted(graph: Graph, verdicts: Sequence[GateVerdict]) -> Graph:
    """The graph, telling in its meta data which gates it failed."""
    failed = [verdict.gate for verdict in verdicts if verdict.result == "fail"]
    return replace(graph, meta={**graph.meta, "failed_gates": failed}) if failed else graph


def gate_counts(verdicts: Sequence[Sequence[GateVerdict]]) -> dict[str, GateCount]:
    """How each gate judged all the graphs."""
    by_gate: dict[str, list[GateVerdict]] = {}
    for verdict in (one for graph in verdicts for one in graph):
        by_gate.setdefault(verdict.gate, []).append(verdict)
    return {gate: _count(found) for gate, found in by_gate.items()}


def _count(verdicts: Sequence[GateVerdict]) -> GateCount:
    results = [verdict.result for verdict in verdicts]
    reasons = dict.fromkeys(verdict.reason for verdict in verdicts if verdict.reason)
    return GateCount(
        passed=results.count("pass"),
        failed=results.count("fail"),
        skipped=results.count("skip"),
        reasons=tuple(reasons)[:_MAX_REASONS],
    )
