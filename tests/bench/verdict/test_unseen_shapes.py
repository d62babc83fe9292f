"""Shapes between a task's variants: what is drawn, what is left alone, and what a pass may answer."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from passnet.bench.isolation.worker_process import WorkerFailure
from passnet.bench.outcome.ownership import Verdict, found, owned_by
from passnet.bench.verdict import unseen_shapes
from passnet.bench.verdict.job import Job
from passnet.graph import Graph
from passnet.graph.targets import find_targets
from passnet.score import Outcome
from tests.graph.graph_helpers import graph_of, spec

TASKS = Path(__file__).resolve().parents[3] / "data" / "tasks"
LINES = ("y = x * w", "z = y + r", "return (z,)")


def variant(batch: int, length: int) -> Graph:
    return graph_of([spec("x", batch, length, 8), spec("r", batch * 4, 2, length), spec("w", 8)], *LINES)


def drawn(*variants: Graph, seed: int = 0) -> list[tuple[tuple[int, ...], ...]]:
    return [unseen_shapes.shapes_of(graph) for graph in unseen_shapes.graphs(variants, random.Random(seed))]


def test_sizes_that_change_together_keep_their_proportion() -> None:
    found_shapes = drawn(variant(1, 16), variant(8, 64))
    assert len(found_shapes) == unseen_shapes.TRIES
    for x, r, w in found_shapes:
        assert 1 < x[0] < 8
        assert r[0] == 4 * x[0]
        assert x[1] in {32, 48}  # between, in the steps of the declared ones
        assert (r[1], r[2], w) == (2, x[1], (8,))


def test_nothing_is_between_one_and_two() -> None:
    assert {x[0] for x, *_ in drawn(variant(1, 16), variant(2, 16))} == {3}


def test_a_task_that_declares_no_other_shapes() -> None:
    other_source = graph_of([spec("x", 8, 16, 8), spec("r", 32, 2, 16), spec("w", 8)], "y = x + r", "return (y,)")
    other_dtype = replace(variant(8, 16), specs=tuple(replace(s, dtype="float16") for s in variant(8, 16).specs))
    assert drawn(variant(1, 16)) == []
    assert drawn(variant(1, 16), variant(1, 16), other_source, other_dtype) == []


def test_numbers_that_are_stored_one_by_one_are_not_invented() -> None:
    def stored(batch: int, dtype: str) -> Graph:
        x = replace(spec("x", batch, dtype=dtype), data=tuple(range(batch)), mean=None, std=None)
        return graph_of([x, spec("y", batch)], "z = x + y", "return (z,)")

    assert drawn(stored(2, "float32"), stored(8, "float32")) == []
    graphs = list(unseen_shapes.graphs((stored(2, "int64"), stored(8, "int64")), random.Random(0)))
    assert graphs
    assert all((g.specs[0].data, g.specs[0].min_val, g.specs[0].max_val) == (None, 0, 1) for g in graphs)


@pytest.mark.parametrize("target", find_targets([TASKS]), ids=lambda target: target.name)
def test_bundled_tasks_run_on_shapes_between_theirs(target, tmp_path: Path) -> None:
    """Eager itself takes at least one of the shapes that are tried, read back from a directory."""
    variants = tuple(graph for _, _, graph in target.graphs)
    taken = 0
    for number, graph in enumerate(unseen_shapes.graphs(variants, random.Random(3))):
        graph.write(tmp_path / str(number))
        again = Graph.read(tmp_path / str(number))
        try:
            again.module("cpu").forward(*again.inputs(1))
        except RuntimeError:
            continue
        taken += 1
        assert unseen_shapes.shapes_of(again) not in {unseen_shapes.shapes_of(known) for known in variants}
    assert taken


def outcome_of(error: Exception, stage: str = "call") -> Outcome | str:
    """What is made of an error while the pass is tried on unseen shapes."""
    job = Job("task", "graph", Path("graph"), variant(3, 16), "passes", "cpu", None)
    try:
        with unseen_shapes.tried(job), owned_by(stage):
            raise error
    except unseen_shapes.UnseenRefused:
        return "refused"
    except Verdict as verdict:
        return verdict.outcome


def test_a_pass_may_refuse_a_shape_and_may_not_be_wrong_on_it() -> None:
    assert outcome_of(WorkerFailure("no_match", "none"), "build") == "refused"
    assert outcome_of(WorkerFailure("exception", "ValueError: only 512")) == "refused"
    assert outcome_of(WorkerFailure("crash", "signal 11")) is Outcome.RUNTIME_ERROR
    assert outcome_of(WorkerFailure("shape_mismatch", "expected 3")) is Outcome.SHAPE_MISMATCH
    assert outcome_of(WorkerFailure("exception", "eager fails"), "reference") is Outcome.REFERENCE_ERROR
    assert outcome_of(found("library_call", "aten.mul")) is Outcome.INTEGRITY
