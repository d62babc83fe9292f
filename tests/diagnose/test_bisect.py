"""`bisect` with planted compilers and the real bench: which operator is wrong. Resumed, bounded, written as a task."""

from __future__ import annotations

import json

import pytest

from passnet.bench.record.records import GraphRecord, Timing
from passnet.diagnose import bisect as bisecting
from passnet.diagnose.bisect import Bisected, BisectRequest, bisect
from passnet.diagnose.search_judge import SearchJudge
from passnet.errors import UsageError
from passnet.graph import Task
from passnet.graph.targets import find_targets
from passnet.score import Outcome
from tests.bench.conftest import SHORT
from tests.graph.graph_helpers import graph_of, spec

GRAPH = graph_of(
    [spec("x", 8, 32), spec("y", 32)],
    "a = x * y",
    "b = a + 1",
    "c = torch.sigmoid(b)",
    "d = torch.tanh(c)",
    "e = d * 3",
    "f = torch.exp(e)",
    "g = f - y",
    "h = torch.nn.functional.softplus(g)",
    "return (h,)",
    name="chain",
)
FAST = {name: value for name, value in SHORT.model_dump().items() if value != bisecting.Protocol().model_dump()[name]}
TANH = 3


@pytest.fixture
def request_(tmp_path):
    GRAPH.write(tmp_path / "chain")

    def make(compiler, **more):
        return BisectRequest(tmp_path / "chain", compiler, tmp_path / "out", overrides=FAST, **more)

    return make


def found_by(request):
    steps = []
    return bisect(request, steps.append), steps


@pytest.mark.slow
def test_the_operator_that_a_compiler_gets_wrong(planted, request_):
    request = request_("planted-wrong-tanh")
    found, steps = found_by(request)
    assert found.trouble == "wrong" and found.complete and found.piece is not None
    assert found.piece.ops == ("tanh",) and found.piece.place == (TANH, TANH + 1)
    assert found.whole.outcome is Outcome.ACCURACY and found.record.outcome is Outcome.ACCURACY
    assert any(not step.shows for step in steps)
    json.dumps(found.to_json(), allow_nan=False)

    task = Task.read(request.out)
    assert [graph.program.ops[0].target for graph in task.graphs] == ["torch.tanh"]
    assert len(find_targets([request.out])[0].graphs) == 1

    again, more = found_by(request)
    assert again.piece.place == found.piece.place and len(more) == len(steps)
    with pytest.raises(UsageError, match=r"already exists|of another search"):
        bisect(request_("planted-raises"), steps.append)


@pytest.mark.slow
def test_the_operator_that_a_compiler_makes_slow(planted, request_):
    """Twenty milliseconds in one operator: no noise hides that."""
    found, _ = found_by(request_("planted-slow-tanh", look_for="slow", minutes=0.0))
    assert found.trouble == "slow" and found.piece is not None
    start, end = found.piece.place
    assert (start, end) == (TANH, TANH + 1)
    assert found.record.timing.compiled_us > found.record.timing.eager_us


@pytest.mark.slow
def test_nothing_is_written_where_nothing_is_wrong(planted, request_):
    request = request_("planted-right", look_for="wrong")
    found, _ = found_by(request)
    assert found.trouble is None and found.piece is None and not request.out.exists()
    assert found.to_json()["piece"] is None


@pytest.fixture
def said(monkeypatch):
    """The bench's word without the bench: what each range of operators ends as."""

    def use(answer):
        def record(judge, graph, look):
            judge.new += 1
            first, last = _place(graph)
            outcome, us = answer(first, last, look)
            timing = None
            if us is not None:
                low = 100.0 / us
                timing = Timing(
                    speedup=low, speedup_ci=(low * 0.98, low * 1.02), eager_us=100.0, compiled_us=us,
                    control_ratio=1.0, processes=(),
                )  # fmt: skip
            return GraphRecord(
                task="chain", graph=graph.name, graph_hash="", pass_set_hash=None, protocol_hash="",
                compiler="inductor", device="cpu", outcome=outcome, correct_at=-6, timing=timing,
            )  # fmt: skip

        monkeypatch.setattr(SearchJudge, "record", record)

    return use


def _place(graph):
    parts = graph.name.removeprefix("start").split("_end")
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 else (0, 8)


def test_what_loses_most_is_found_not_what_loses_a_little(request_, said):
    """Each operator loses a microsecond. The third one loses ninety."""

    def answer(first, last, look):
        us = 100.0 + (last - first) + (90.0 if first <= 2 < last else 0.0)
        return Outcome.CORRECT, None if look == "checked" else us

    said(answer)
    found, _ = found_by(request_("inductor"))
    assert found.trouble == "slow" and found.piece.place == (2, 3)
    assert found.to_json()["piece"]["compiled_us"] > 150


def test_nan_behind_a_wrong_operator_is_the_same_trouble(request_, said):
    def answer(first, last, look):
        if not first <= 2 < last:
            return Outcome.CORRECT, None
        return Outcome.NAN_INF if last < 8 else Outcome.ACCURACY, None

    said(answer)
    assert found_by(request_("inductor"))[0].piece.place == (2, 3)


def test_another_failure_is_another_trouble(request_, said):
    """Only the whole does not compile. That a half is wrong is something else."""

    def answer(first, last, look):
        return Outcome.COMPILE_ERROR if last - first > 6 else Outcome.ACCURACY, None

    said(answer)
    assert found_by(request_("inductor"))[0].piece.place[1] - found_by(request_("inductor"))[0].piece.place[0] == 7


def test_the_minutes_end_the_search_with_what_is_known(request_, said, monkeypatch):
    clock = iter(range(0, 10_000, 40))
    monkeypatch.setattr(bisecting.time, "monotonic", lambda: float(next(clock)))
    said(lambda first, last, look: (Outcome.ACCURACY if first <= 2 < last else Outcome.CORRECT, None))
    request = request_("inductor", minutes=2.0)
    found, _ = found_by(request)
    assert not found.complete and found.piece.place == (0, 4)
    assert isinstance(found, Bisected) and request.out.exists()


def test_a_whole_that_nobody_can_judge_is_one_line(request_, said):
    said(lambda first, last, look: (Outcome.REFERENCE_ERROR, None))
    with pytest.raises(UsageError, match="cannot be judged: reference_error"):
        found_by(request_("inductor"))


def test_a_graph_that_the_task_lacks(request_):
    with pytest.raises(UsageError, match=r"no such graph.*chain.*'other'"):
        bisect(request_("inductor", graph="other"), print)


def test_an_existing_directory_is_kept(request_, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        bisect(request_("inductor"), print)
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


def test_overwrite_replaces_another_search(request_, said):
    said(lambda first, last, look: (Outcome.ACCURACY if first <= 2 < last else Outcome.CORRECT, None))
    bisect(request_("inductor"), lambda step: None)
    with pytest.raises(UsageError, match="of another search"):
        bisect(request_("dynamo:eager"), print)
    found = bisect(request_("dynamo:eager", overwrite=True), lambda step: None)
    assert found.piece is not None
