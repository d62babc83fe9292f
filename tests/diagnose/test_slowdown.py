"""`slowdown` from targets to the files of a run, with the bench's word instead of its minutes."""

from __future__ import annotations

import csv
import json

import pytest

from passnet.bench.evaluate import score_task
from passnet.bench.record.protocol import make
from passnet.bench.record.records import GraphRecord, Timing
from passnet.diagnose import slowdown as slowing
from passnet.diagnose.slowdown import Reports, SlowdownRequest, slowdown
from passnet.diagnose.subjects import Selection
from passnet.errors import UsageError
from passnet.score import Outcome
from tests.graph.graph_helpers import graph_of, spec

REPORTS = Reports(lambda step: None, lambda step: None)


@pytest.fixture
def judged(monkeypatch):
    """Every graph is slower, the second one wrong."""
    asked = []

    def evaluate(request, report):
        asked.append(request)
        scores = []
        for number, path in enumerate(sorted(request.paths[0].iterdir())):
            timing = Timing(
                speedup=0.5, speedup_ci=(0.4, 0.6), eager_us=10.0, compiled_us=20.0, control_ratio=1.0, processes=(),
                deployed_speedup=0.25, deployed_speedup_ci=(0.2, 0.3),
            )  # fmt: skip
            record = GraphRecord(
                task=path.name, graph=path.name, graph_hash="", pass_set_hash=None, protocol_hash="",
                compiler=request.compiler, device="cpu", correct_at=-6,
                outcome=Outcome.TIMEOUT if number == 1 else Outcome.CORRECT, timing=None if number == 1 else timing,
                detail="=cmd()\n<script>" if number == 1 else None,
            )  # fmt: skip
            scores.append(score_task(path.name, [record]))
        return scores

    monkeypatch.setattr(slowing, "evaluate", evaluate)
    return asked


def request(place, *targets, **more):
    chosen = {"compiler": "inductor", "device": "cpu", "protocol": make("direct"), "run_path": place / "run"} | more
    return SlowdownRequest(Selection(tuple(targets)), **chosen)


@pytest.fixture
def graphs(tmp_path):
    for number in range(3):
        graph_of([spec("x", 4, number + 1)], "a = torch.relu(x)", "return (a,)", name=f"g{number}").write(
            tmp_path / "graphs" / f"g{number}"
        )
    return str(tmp_path / "graphs")


def test_the_run_holds_the_table_and_the_document(judged, graphs, tmp_path):
    found = slowdown(request(tmp_path, graphs), REPORTS)
    assert (len(found.timed), len(found.rows)) == (2, 3)
    assert json.loads((tmp_path / "run" / slowing.DOCUMENT).read_text()) == json.loads(json.dumps(found.to_json()))
    rows = list(csv.DictReader((tmp_path / "run" / slowing.TABLE).open()))
    assert [row["outcome"] for row in rows] == ["correct", "correct", "timeout"]
    assert rows[0]["device"] == "" and float(rows[0]["wrapper_us"]) == 20.0 and rows[0]["ops"] == "relu"
    assert rows[2]["detail"].startswith("'="), "no spreadsheet takes it for a formula"


def test_the_evaluation_is_of_the_written_graphs_in_both_conventions(judged, graphs, tmp_path):
    slowdown(request(tmp_path, graphs), REPORTS)
    asked = judged[0]
    assert asked.paths == (tmp_path / "run" / "graphs",)
    assert asked.compiler == "inductor" and asked.protocol.deployed_groups > 0
    slowdown(request(tmp_path, graphs), REPORTS)
    assert judged[1] == asked, "the same command asks for the same run"


def test_passes_are_judged_elsewhere(judged, graphs, tmp_path):
    with pytest.raises(UsageError, match="without passes"):
        slowdown(request(tmp_path, graphs, compiler="passes"), REPORTS)
    assert not (tmp_path / "run").exists()


def test_a_kind_that_does_not_exist(judged, graphs, tmp_path):
    wrong = SlowdownRequest(Selection((graphs,), kinds=("best",)), "inductor", "cpu", make("direct"), tmp_path / "run")
    with pytest.raises(UsageError, match=r"no such kind.*fusible.*'best'"):
        slowdown(wrong, REPORTS)
