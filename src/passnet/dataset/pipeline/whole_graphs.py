"""Whole graphs of other captures, in place of models: a published tree, a list, or a dataset of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch

from passnet.dataset.capture.candidate import DEFAULT_LIMITS, SEED, CaptureCandidate
from passnet.dataset.capture.default_specs import with_defaults
from passnet.dataset.capture.dynamo import Captured
from passnet.dataset.capture.gates import GATES, judge, kept
from passnet.dataset.capture.model import gate_counts, main_dtype, noted
from passnet.dataset.capture.nodes import call_nodes, op_name
from passnet.dataset.capture.record import ModelRecord, Stage, cluster_of, peak_memory_mb, shortened
from passnet.dataset.layout import FULL, PUBLISHED, family_of_name, naming_root, place_of
from passnet.dataset.models.source import Domain
from passnet.dataset.tables.fitting import rows_of
from passnet.dataset.tables.store import Where, is_store, read_records, read_rows
from passnet.errors import PassNetError, UsageError
from passnet.graph import Graph, fake_inputs, find_graphs, read_graph_list

# The gate that captures a graph again is left out: Dynamo's result of today is no fault of a published graph.
_GATES = tuple(gate for gate in GATES if gate.required or gate.name == "telling")
_DOMAINS: tuple[Domain, ...] = ("computer_vision", "nlp", "audio", "multimodal", "graph")


@dataclass(frozen=True)
class WholeGraph:
    """One graph that exists already. `read` returns it. See `CaptureSubject`."""

    library: str
    name: str
    family: str
    read: Callable[[], Graph]
    domain: Domain = "other"

    @property
    def key(self) -> str:
        """The same as in `ModelRecord.key`."""
        return f"{self.library}:{self.name}"

    @property
    def place(self) -> str:
        """Its place in a published tree."""
        return f"samples/{self.library}/{self.name}"


def is_path(target: str) -> bool:
    """Whether a target of the command line names files rather than models."""
    return Path(target).exists() or target.startswith((".", "/"))


def of_path(target: str) -> list[WholeGraph]:
    """The whole graphs of a tree, of a list of graph directories, or of a stored dataset. Pieces are left out.

    Only names are read here. Errors: `UsageError` where there is no such path, or no whole graph.
    """
    path = Path(target)
    if not path.exists():
        raise UsageError("no such file or directory", path=path, expected="a tree, a list or a dataset of graphs")
    found = list(_of_store(path) if path.is_dir() and is_store(path) else _of_directories(path))
    if not found:
        raise UsageError("no whole graph here", path=path, expected="directories with graph_net.json and model.py")
    return found


def _of_store(path: Path) -> Iterator[WholeGraph]:
    for record in read_records(path, ("uid", "path"), Where(kinds=frozenset({FULL}))):
        yield _named(str(record["path"]), partial(_stored, path, str(record["uid"])))


def _stored(path: Path, uid: str) -> Graph:
    with rows_of(path):
        return next(read_rows(path, Where(uids=frozenset({uid})))).graph()


def _of_directories(path: Path) -> Iterator[WholeGraph]:
    roots = [path.parent / entry for entry in read_graph_list(path)] if path.is_file() else [path]
    for root in roots:
        for directory in find_graphs(root):
            place = directory.resolve().relative_to(naming_root(directory, root).resolve()).as_posix()
            known = place_of(place)
            if not known.decomposed and known.kind in {None, FULL}:
                yield _named(directory.resolve().name if place == "." else place, partial(Graph.read, directory))


def _named(place: str, read: Callable[[], Graph]) -> WholeGraph:
    """The graph at a place in a published tree. Anything outside of `samples` is the user's own."""
    _, found, below = f"/{place}".rpartition("/samples/")
    library, _, name = below.partition("/") if found and "/" in below else ("user", "", place)
    return WholeGraph(library, name, family_of_name(f"samples/{library}/{name}"), read)


def admit(whole: WholeGraph) -> tuple[ModelRecord, list[Graph]]:
    """The record of a whole graph, and the graph in our form if it passed the required gates.

    Never raises for an error in the graph. It may use any amount of memory and time, as `capture_model` may.
    """
    started = time.perf_counter()
    stage: Stage = "import"
    reason, counts, graphs = None, {}, []
    try:
        read = whole.read()
        stage = "serialise"
        candidate = _candidate(whole, read)
        stage = "gates"
        verdicts = judge(candidate, _GATES)
        counts = gate_counts([verdicts])
        if kept(verdicts):
            graphs = [noted(candidate.graph, verdicts)]
        else:
            reason = next(f"{one.gate}: {one.reason}" for one in verdicts if one.result == "fail")
    except Exception as error:  # noqa: BLE001  operations raise what they like; the record carries it
        reason = str(error) if isinstance(error, PassNetError) else shortened(error)
    record = ModelRecord(
        library=whole.library,
        model=whole.name,
        family=whole.family,
        domain=whole.domain,
        outcome="captured" if graphs else "failed",
        complete=bool(graphs),
        method=PUBLISHED,
        stage="done" if graphs else stage,
        reason=reason,
        cluster=None if reason is None else cluster_of(reason),
        pieces=1,
        graphs=len(graphs),
        ops=sum(len(graph.statements()) for graph in graphs),
        gates=counts,
        seconds=round(time.perf_counter() - started, 2),
        peak_memory_mb=peak_memory_mb(),
        versions={"torch": str(torch.__version__)},
    )
    return record, graphs


def _candidate(whole: WholeGraph, read: Graph) -> CaptureCandidate:
    """The graph and a new copy of it in our names and with our meta data."""
    module = read.module(propagated=False)
    calls = call_nodes(module)
    tag = read.meta.get("heuristic_tag")
    meta = {
        **read.meta,
        "captured_dtype": main_dtype(read.specs),
        "op_names": [op_name(node) for node in calls],
        "model_name": whole.name,
        "source": whole.library,
        "heuristic_tag": tag if tag in _DOMAINS else whole.domain,
        "family": whole.family,
        "kind": FULL,
        "capture_method": PUBLISHED,
    }
    written = Graph.from_fx(module, read.specs, name=whole.name.replace("/", "_"), meta=meta)
    graph = replace(with_defaults(written), sources={whole.place: [[0, len(calls)]]})
    shapes = tuple(fake_inputs(read.specs))
    expensive = CaptureCandidate(Captured(module, shapes), graph, real=False).too_large()
    if expensive or graph.nbytes > DEFAULT_LIMITS.input_bytes:
        return CaptureCandidate(Captured(module, shapes), graph, real=False)
    return CaptureCandidate(Captured(module, tuple(graph.inputs(SEED))), graph, real=True)
