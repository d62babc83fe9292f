"""What looks at a core say of the blocks before them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import core_looks

    return core_looks


def test_blocks_are_put_beside_those_of_their_side_on_a_quiet_core(script: ModuleType) -> None:
    """A graph whose blocks are long says nothing by that."""
    sides = (("a", 10.0), ("b", 1000.0))
    quiet = [script.Look(graph, "reference", 1.0, us, False) for graph, us in sides for _ in range(20)]
    slow = [script.Look("a", "reference", 1.5, 15.0, True)] * 12
    doubtful = [script.Look("b", "reference", 1.25, 1000.0, answer) for answer in (False, False, True)]
    rows = script.bands([*quiet, *slow, *doubtful])
    assert [(row["from"], row["slow"], row["blocks"]) for row in rows] == [
        (0.0, False, 40), (1.2, False, 2), (1.2, True, 1), (1.4, True, 12)
    ]  # fmt: skip
    assert [row["p50"] for row in rows] == pytest.approx([1.0, 1.0, 1.0, 1.5])
    assert sum(row["share"] for row in rows) == pytest.approx(1.0)


def test_a_side_that_was_hardly_ever_quiet_is_left_out(script: ModuleType) -> None:
    assert script.bands([script.Look("a", "candidate", 1.5, 15.0, True)] * 40) == []
    assert script.bands([]) == []
