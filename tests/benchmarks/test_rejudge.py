"""What `benchmarks/rejudge.py` makes of an earlier result: its wrong graphs anew, and everything else as it was."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.records import GraphRecord
from passnet.graph import Graph
from passnet.score import Outcome
from tests.bench.bench_helpers import record
from tests.graph.graph_helpers import graph_of, spec

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def rejudge(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("rejudge")


def row(graph: str, outcome: Outcome, speedup: float | None) -> dict[str, Any]:
    return {"graph": graph, "outcome": outcome.value, "detail": None, "direct": speedup, "deployed": speedup}


ROWS = [
    row("t/right", Outcome.CORRECT, 2.0),
    row("t/chooses", Outcome.ACCURACY, None),
    row("t/rounds", Outcome.ACCURACY, 1.5),
    row("t/vague", Outcome.UNSTABLE, None),
]


def document(rows: list[dict[str, Any]]) -> dict[str, Any]:
    figures = {"AS_gmean": 1.1, "AS_gmean_deployed": 1.0, "speedup_gmean": 1.5, "rows": rows}
    return {"environment": {"device": "cuda"}, "date": "2026-01-01", "compilers": {"inductor": figures}}


def test_only_the_graphs_that_failed_for_accuracy_are_judged_again(rejudge: Any, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps(document(ROWS)))
    assert rejudge.Source.read(tmp_path / "r.json").wrong("inductor") == ["t/chooses", "t/rounds"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"compilers": {}}', '{"compilers": {"inductor": {"rows": [{}]}}}'])
def test_what_is_no_result_is_refused_in_a_line(rejudge: Any, tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(rejudge.SourceError, match=r"r\.json"):
        rejudge.Source.read(tmp_path / "r.json")


def test_new_verdicts_take_the_place_of_old_ones_and_times_stay(
    rejudge: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    records: dict[str, GraphRecord] = {
        "t/chooses": record(Outcome.CORRECT, correct_at=-6, followed_calls=3, compared_calls=16),
        "t/rounds": record(Outcome.ACCURACY, correct_at=-3, detail="outputs are right only from t = -3"),
    }
    found = rejudge.table("inductor", document(ROWS)["compilers"]["inductor"], records)
    assert (found["right_before"], found["right"]) == (0.25, 0.5)
    assert found["right_without_time"] == ["t/chooses"]
    chooses, rounds = found["rows"][1:3]
    assert (chooses["outcome"], chooses["outcome_before"], chooses["followed_calls"]) == ("correct", "accuracy", 3)
    assert (rounds["outcome"], rounds["direct"], rounds["correct_at"]) == ("accuracy", 1.5, -3)
    assert found["rows"][0] == ROWS[0]
    assert found["AS_gmean_before"] == 1.1
    assert 1.0 < found["AS_gmean"] < 2.0
    assert "1 right graphs without a time left out" in capsys.readouterr().out


def test_other_tasks_than_those_of_the_result_are_refused(rejudge: Any, tmp_path: Path) -> None:
    graph: Graph = graph_of([spec("x", 4)], "y = x * 2.0", "return (y,)")
    graph.write(tmp_path / "task" / "g")
    (tmp_path / "task" / "graph_list.txt").write_text("g\n")
    targets = rejudge.find_targets([tmp_path / "task"])
    options = argparse.Namespace(device="cpu", set=[])
    assert list(rejudge.jobs_of(targets, ["task/g"], "inductor", options)) == ["task/g"]
    with pytest.raises(rejudge.SourceError, match="task/other is in the result"):
        rejudge.jobs_of(targets, ["task/g", "task/other"], "inductor", options)


def test_a_user_s_mistake_is_a_line_and_exit_code_2(
    rejudge: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path), "--from", str(tmp_path / "none.json"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["rejudge.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        rejudge.main()
    assert ended.value.code == 2
    assert "none.json" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
