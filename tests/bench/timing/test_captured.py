"""The captured convention: device time without launches, what limits eager, and what cannot be captured."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from passnet.bench.compare.comparison import Comparison, Criteria
from passnet.bench.compare.errors import compare
from passnet.bench.draws.secret_inputs import Key, SecretInputs
from passnet.bench.engine.bench import Bench
from passnet.bench.isolation.worker_pair import WorkerPair
from passnet.bench.outcome.ownership import Verdict
from passnet.bench.record.protocol import make
from passnet.bench.record.records import GraphRecord, Timing, regime_of
from passnet.bench.timing.blocks import Block, KeptCall
from passnet.bench.timing.captured import OTHER_OUTPUTS, CapturedCalls
from passnet.bench.timing.quiet_core import QuietCore
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.bench.wire import replies
from passnet.score import Outcome
from tests.bench.conftest import SOURCE, make_graph

US = {("reference", "captured"): 100.0, ("candidate", "captured"): 60.0, ("reference", "copied"): 20.0}
TIMING = Timing(
    speedup=2.0, speedup_ci=(1.9, 2.1), eager_us=100.0, compiled_us=50.0, control_ratio=1.0, processes=(),
    launch_us=30.0,
)  # fmt: skip
SYNCHRONISES = """import torch

class GraphModule(torch.nn.Module):

    def forward(self, in_0):
        tmp_0 = in_0 > 0
        tmp_1 = torch.masked_select(in_0, tmp_0)
        tmp_2 = tmp_1.sum()
        return (tmp_2,)
"""


@pytest.mark.parametrize(
    ("busy", "launch", "regime"),
    [(3.0, 10.0, "launch"), (10.0, 10.0, "mixed"), (29.9, 10.0, "mixed"), (30.0, 10.0, "work"), (0.0, 1.0, "launch")],
)
def test_what_limits_eager(busy: float, launch: float, regime: str) -> None:
    assert regime_of(busy, launch) == regime


@pytest.mark.parametrize(("busy", "launch"), [(None, 1.0), (1.0, None), (float("nan"), 1.0), (1.0, float("inf"))])
def test_no_regime_where_nothing_was_measured(busy: float | None, launch: float | None) -> None:
    assert regime_of(busy, launch) is None


def captured(
    monkeypatch: pytest.MonkeyPatch, why: dict[str, str], groups: int = 4, ended: list[str] | None = None
) -> CapturedCalls:
    """On two pairs whose workers take `US`, and whose calls cannot be captured where `why` says so."""

    def ask(role: str, request: Any, _timeout: float) -> replies.Reply:
        assert request.copied == (role == "reference")
        return replies.CaptureDone(why=why.get(role))

    def block(
        _self: CapturedCalls, _pair: WorkerPair, role: str, variant: str, _timed: int, *, kept: bool = False
    ) -> Block:
        return Block(US[role, variant])

    monkeypatch.setattr(CapturedCalls, "_block", block)
    given = cast("SecretInputs", SimpleNamespace(key=lambda: Key(0, (1, 2))))
    pairs = [
        cast("WorkerPair", SimpleNamespace(index=number, ask=ask, end=([] if ended is None else ended).append))
        for number in range(2)
    ]
    return CapturedCalls(pairs, given, make("direct", device="cuda", captured_groups=groups), random.Random(1))


def test_device_time_is_what_a_replay_takes_beyond_an_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    measuring = captured(monkeypatch, {})
    timing = measuring.measure(TIMING)
    assert timing.captured_speedup == pytest.approx(100 / 60)
    assert timing.busy_speedup == pytest.approx(80 / 40)
    assert (timing.eager_busy_us, timing.compiled_busy_us) == pytest.approx((80, 40))
    assert (timing.launch_us, timing.regime, timing.not_captured) == (30.0, "mixed", None)
    assert len(measuring.compared) == 2 * 2  # two blocks of each pair are compared


@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_a_call_that_cannot_be_captured_leaves_a_reason(monkeypatch: pytest.MonkeyPatch, side: str) -> None:
    ended: list[str] = []
    timing = captured(monkeypatch, {side: "RuntimeError: it waits"}, ended=ended).measure(TIMING)
    assert ended == ([side] if side == "candidate" else [])
    who = "eager" if side == "reference" else "the candidate"
    assert timing.not_captured == f"{who}: RuntimeError: it waits"
    assert timing.captured_speedup is None
    assert timing.busy_speedup is None
    assert timing.compiled_busy_us is None
    # Eager's own figure, and the regime, need no candidate.
    assert timing.eager_busy_us == (pytest.approx(80.0) if side == "candidate" else None)
    assert timing.regime == ("mixed" if side == "candidate" else None)


def test_which_replays_are_compared_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel can count replays. So no block of a pair may be one that is never, or always, looked at."""
    places: set[tuple[int, ...]] = set()
    for seed in range(60):
        measuring = captured(monkeypatch, {}, groups=3)
        measuring.rng, measuring.pairs = random.Random(seed), measuring.pairs[:1]
        seen: list[Block] = []
        outputs: list[Block] = []

        def block(
            _self: CapturedCalls, _pair: WorkerPair, role: str, variant: str, _timed: int, *, kept: bool = False
        ) -> Block:
            made = Block(US[role, variant])
            if (role, variant) == ("candidate", "captured"):
                seen.append(made)  # noqa: B023 - as above
            outputs.extend([made] * kept)  # noqa: B023 - as above
            return made

        monkeypatch.setattr(CapturedCalls, "_block", block)
        measuring.measure(TIMING)
        assert all(made is one for made, one in zip(outputs, measuring.compared, strict=True))
        timed = seen[1:]  # the first one warms up
        assert len(timed) == 6
        places.add(tuple(number for number, made in enumerate(timed) if any(made is one for one in measuring.compared)))
    assert all(len(pair) == 2 for pair in places)
    assert {number for pair in places for number in pair} == set(range(6))
    assert len(places) > 10


@pytest.mark.parametrize("role", ["reference", "candidate"])
def test_a_candidate_that_dies_while_it_is_captured_decides_nothing(monkeypatch: pytest.MonkeyPatch, role: str) -> None:
    ended: list[str] = []
    measuring = captured(monkeypatch, {}, ended=ended)
    outcome = Outcome.RUNTIME_ERROR if role == "candidate" else Outcome.REFERENCE_ERROR

    def ask(asked: str, request: Any, _timeout: float) -> replies.Reply:
        if asked == role:
            raise Verdict(outcome, "signal 11")
        return replies.CaptureDone()

    for pair in measuring.pairs:
        monkeypatch.setattr(pair, "ask", ask)
    if role == "reference":
        with pytest.raises(Verdict, match="signal 11"):
            measuring.measure(TIMING)
        return
    timing = measuring.measure(TIMING)
    assert (timing.not_captured, timing.captured_speedup) == ("capturing failed: signal 11", None)
    assert timing.eager_busy_us == pytest.approx(80.0)
    assert ended == ["candidate"]


@pytest.mark.parametrize("outcome", [Outcome.RUNTIME_ERROR, Outcome.TIMEOUT])
def test_a_replay_that_fails_decides_nothing(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    ended: list[str] = []
    measuring = captured(monkeypatch, {}, ended=ended)
    fail_replays(monkeypatch, Verdict(outcome, "signal 11"))
    timing = measuring.measure(TIMING)
    assert (timing.not_captured, timing.captured_speedup) == ("a replay failed: signal 11", None)
    assert ended == ["candidate"]
    assert (timing.eager_busy_us, timing.regime) == (pytest.approx(80.0), "mixed")


@pytest.mark.parametrize("outcome", [Outcome.INTEGRITY, Outcome.REFERENCE_ERROR])
def test_findings_and_failures_of_eager_count_in_replays_too(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> None:
    measuring = captured(monkeypatch, {})
    fail_replays(monkeypatch, Verdict(outcome, "seen"))
    with pytest.raises(Verdict, match="seen"):
        measuring.measure(TIMING)


def fail_replays(monkeypatch: pytest.MonkeyPatch, verdict: Verdict) -> None:
    """The candidate's replays fail."""

    def block(
        _self: CapturedCalls, _pair: WorkerPair, role: str, variant: str, _timed: int, *, kept: bool = False
    ) -> Block:
        if role == "candidate":
            raise verdict
        return Block(US[role, variant])

    monkeypatch.setattr(CapturedCalls, "_block", block)


def test_nothing_is_measured_where_no_groups_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert captured(monkeypatch, {}, groups=0).measure(TIMING) is TIMING


@pytest.mark.parametrize("raised", [Outcome.NAN_INF, Outcome.REFERENCE_ERROR])
def test_a_replay_that_gives_nan_is_no_fault(monkeypatch: pytest.MonkeyPatch, raised: Outcome) -> None:
    """What a call does beside torch's streams is not in its graph. Eager's own failure stays one."""

    def measure(self: CapturedCalls, timing: Timing) -> Timing:
        self.compared.append(Block(1.0))
        return timing.model_copy(update={"captured_speedup": 3.0, "compiled_busy_us": 1.0, "eager_busy_us": 40.0})

    def compare(*_: object) -> list[Comparison]:
        raise Verdict(raised, "so it is")

    monkeypatch.setattr(CapturedCalls, "measure", measure)
    protocol = make("direct", device="cuda")
    judge = Judge(cast("Any", [SimpleNamespace(trusted=True)]), protocol, 7)
    reference = SimpleNamespace(compare_blocks=compare, pair=None)
    trial = SimpleNamespace(rng=random.Random(1))
    given = (judge.pairs, *cast("tuple[Any, ...]", (reference, trial, None, TIMING, QuietCore())))
    if raised is Outcome.NAN_INF:
        found = judge._captured(*given)
        assert (found.captured_speedup, found.not_captured) == (None, "a replay gives other outputs than a call")
        assert (found.eager_busy_us, found.compiled_busy_us) == (40.0, None)
    else:
        with pytest.raises(Verdict, match="so it is"):
            judge._captured(*given)


EAGER = torch.linspace(-3.0, 3.0, 4096, dtype=torch.float64)
KEPT = EAGER.flip(0)  # what an earlier replay left


@pytest.mark.parametrize(
    ("replays", "right"),
    [
        ([EAGER, EAGER], True),
        ([EAGER, KEPT], False),
        ([KEPT, EAGER], False),
        ([EAGER, torch.cat([EAGER[:64], torch.zeros(4032, dtype=torch.float64)])], False),
    ],
)
def test_replays_that_work_less_have_no_captured_figure(
    monkeypatch: pytest.MonkeyPatch, replays: list[torch.Tensor], right: bool
) -> None:
    """Of the compared blocks all must be right: what an earlier replay left is not, nor a part of the work."""
    figures = {"captured_speedup": 3.0, "busy_speedup": 4.0, "compiled_busy_us": 10.0, "eager_busy_us": 40.0}

    def measure(self: CapturedCalls, timing: Timing) -> Timing:
        self.compared.extend(Block(1.0, kept={0: KeptCall(Key(0, (1, 2)), [found.float()])}) for found in replays)
        return timing.model_copy(update=figures)

    def compare_blocks(_given: object, seen: list[Block], _rng: object) -> list[Comparison]:
        calls = [call for block in seen for call in block.kept.values()]
        return [compare(call.outputs, [EAGER.float()], [EAGER], Criteria(4.0, 0.1)) for call in calls]

    monkeypatch.setattr(CapturedCalls, "measure", measure)
    judge = Judge(cast("Any", [SimpleNamespace(trusted=True)]), make("direct", device="cuda"), 7)
    reference = SimpleNamespace(compare_blocks=compare_blocks, pair=None)
    trial = SimpleNamespace(rng=random.Random(1))
    found = judge._captured(judge.pairs, *cast("tuple[Any, ...]", (reference, trial, None, TIMING, QuietCore())))
    expected = figures if right else {"not_captured": OTHER_OUTPUTS, "eager_busy_us": 40.0}
    assert found == TIMING.model_copy(update=expected)


def judged(tmp_path: Path, source: str, **tensors: torch.Tensor) -> GraphRecord:
    """Eager against eager on a GPU."""
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device on this machine")
    graph = make_graph(source, tensors)
    graph.write(tmp_path / "graph")
    protocol = make("direct", device="cuda", precision=0.05, least_pairs=2, most_pairs=2, max_half_width=1e9)
    with Bench("cuda", "eager", protocol, tmp_path / "logs") as bench:
        judge = Judge(bench.pairs, protocol, 7, turn=bench.turn)
        return judge.judge(Job("task", "graph", tmp_path / "graph", graph, "eager", "cuda", None, ()))


@pytest.mark.gpu
def test_eager_as_a_graph_is_as_fast_as_eager_as_a_graph(tmp_path: Path) -> None:
    record = judged(tmp_path, SOURCE, **{f"in_{i}": torch.rand(512, 512) for i in range(3)})
    timing = record.timing
    assert timing is not None
    assert timing.bound_us is not None
    assert all(share is not None and 0 < share < 2 for share in record.bound_shares)
    assert timing.not_captured is None
    assert timing.captured_speedup == pytest.approx(1.0, rel=0.2)
    assert timing.busy_speedup == pytest.approx(1.0, rel=0.3)
    assert timing.eager_busy_us is not None
    assert 0.3 < timing.eager_busy_us < timing.eager_us


@pytest.mark.gpu
def test_a_graph_that_waits_for_the_device_is_timed_without_being_captured(tmp_path: Path) -> None:
    record = judged(tmp_path, SYNCHRONISES, in_0=torch.randn(64, 64))
    assert record.timing is not None, record.detail
    assert record.timing.not_captured is not None
    assert record.timing.not_captured.startswith("eager: ")
    assert record.timing.captured_speedup is None


def test_nothing_is_captured_where_no_process_is_left_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    measuring = captured(monkeypatch, {})
    measuring.pairs = []
    assert measuring.measure(TIMING).not_captured == "no process is left for it"
