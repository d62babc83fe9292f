"""What an author is advised to fix first, and which statements it is told that patterns can match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from passnet.agent.env.advice import HINTS, fix_first
from passnet.agent.env.render import labels_of, profile
from passnet.agent.record.figures import VariantFigures
from passnet.agent.workbench.matchable import matchable
from passnet.graph import Graph, Task
from passnet.graph.targets import Target
from passnet.score import Outcome
from tests.agent.agent_helpers import BUNDLED
from tests.graph.graph_helpers import graph_of, spec

LABELS = {"a": "0 (a)", "b": "1 (b)", "c": "2 (c)"}


def row(graph: str, outcome: str = "correct", **fields: Any) -> VariantFigures:
    return VariantFigures.model_validate({"graph": graph, "outcome": outcome, "eager_us": 500.0, **fields})


def test_every_outcome_but_correct_has_a_hint() -> None:
    assert set(HINTS) == set(Outcome) - {Outcome.CORRECT}


def test_the_failure_that_most_variants_share_comes_first() -> None:
    rows = [row("a", "timeout"), row("b", "accuracy", detail="right from t = -2"), row("c", "accuracy")]
    words = fix_first(rows, LABELS, {"a": 0.4, "b": 0.5, "c": 0.6})
    assert words.startswith("accuracy on 1 (b), 2 (c): right from t = -2")
    assert "makes AS 0.600" in words


def test_integrity_comes_before_all_else() -> None:
    rows = [row("a", "accuracy"), row("b", "accuracy"), row("c", "integrity", detail="ctypes is not allowed")]
    assert fix_first(rows, LABELS, {}).startswith("integrity on 2 (c): ctypes is not allowed")


def test_what_is_not_the_author_s_fault_is_no_advice() -> None:
    rows = [row("a", "unstable"), row("b", speedup=1.2)]
    assert fix_first(rows, LABELS, {}).startswith("1 (b) gains least (1.200x")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"eager_us": 20.0}, "decided by calls and launches"),
        ({"eager_us": 20.0, "not_frozen": {"Fused": "reads data_ptr of a tensor"}}, "not replayed (reads data_ptr"),
        ({"eager_us": 2000.0}, "profile says which statement"),
        ({"speedup": 0.8, "busy_speedup": 1.4}, "the wrapper is too slow on the host"),
    ],
)
def test_the_slowest_is_named_with_what_decides_it(fields: dict[str, Any], words: str) -> None:
    rows = [row("a", speedup=2.0), row("b", **({"speedup": 1.1} | fields))]
    found = fix_first(rows, LABELS, {})
    assert found.startswith("1 (b) gains least")
    assert words in found


def reasons(graph: Graph) -> list[str | None]:
    return [found.reason for found in matchable(graph, "cpu")]


def test_calls_without_effects_can_be_matched_and_others_say_why_not() -> None:
    graph = graph_of(
        [spec("x", 4, 6), spec("w", 6, 6)],
        "a = x @ w",
        "b = torch.relu(a)",
        "b += x",
        "c = torch.nn.functional.dropout(b, 0.5, True, False)",
        "d = x.add_(1.0)",
        "e = w.exp()",
        "e[0] = 0.0",
        "return (c, d, e)",
    )
    found = matchable(graph, "cpu")
    assert [one.operation for one in found] == ["matmul", "relu", "add", "dropout", "add", "exp", "setitem"]
    assert [one.reason for one in found] == [None, None, None, "draws random numbers", "writes to x", None, None]
    assert [one.library for one in found] == [True, False, False, False, False, False, False]
    assert [one.run for one in found] == [None, 0, 0, None, None, 1, 1]


@pytest.mark.parametrize("name", sorted(path.name for path in BUNDLED.iterdir() if path.is_dir()))
def test_every_statement_of_a_bundled_task_has_a_row(name: str) -> None:
    task = Task.read(BUNDLED / name)
    graph = task.graphs[0]
    rows = matchable(graph, "cpu")
    assert [one.index for one in rows] == list(range(len(graph.statements())))
    labels = labels_of(Target(name, tuple((ref.name, ref.path, ref.load()) for ref in task.refs), None))
    assert len(set(labels.values())) == len(task.refs)


def test_a_profile_shows_how_kernels_were_launched() -> None:
    launch = {"grid": [12, 2, 1], "block": [128, 1, 1], "registers": 16, "shared_bytes": 64, "occupancy_percent": 75}
    found = {
        "device": "cuda",
        "total_us": 20.0,
        "statements": [{"index": 0, "name": "relu", "us": 4.0}],
        "kernels": [{"name": "relu_kernel", "count": 1, "us": 4.0, **launch}, {"name": "fill", "count": 2, "us": 1.0}],
    }
    lines = profile(found, ["tmp_0 = x.relu()"], "0").splitlines()
    assert lines[-2].endswith("relu_kernel  [24 blocks of 128, 16 registers, 64 B shared, 75 % occupancy]")
    assert lines[-1].endswith("2x  fill")


@pytest.mark.parametrize("depth", [1, 90, 100, 300])
def test_labels_of_variants_that_differ_in_their_last_part(depth: int) -> None:
    graph = graph_of([spec("x", 2)], "return (x,)")
    names = ["/".join(["d"] * (depth - 1) + [last]) for last in "ab"]
    found = labels_of(Target("t", tuple((name, Path(name), graph) for name in names), None))
    assert found == {name: f"{number} ({name})" for number, name in enumerate(names)}
