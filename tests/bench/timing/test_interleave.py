"""How long is warmed up; and when an interval is too wide: whose fault it is, and what is scored then."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from passnet.bench.record.protocol import make
from passnet.bench.timing import observe, stats
from passnet.bench.timing.blocks import Block
from passnet.bench.timing.draws import SecretInputs
from passnet.bench.timing.estimate import PairFigures
from passnet.bench.timing.interleave import TimingRun, Unstable, net
from passnet.bench.timing.sizing import GraphShape
from passnet.bench.wire.replies import OutputFacts

EAGER = 100.0


def pair(candidate: Sequence[float], control: Sequence[float]) -> PairFigures:
    """One group per given time: eager takes 100 us, candidate and control what is said."""
    pairs = zip(candidate, control, strict=True)
    quads = tuple(stats.Quad((EAGER, EAGER), (c, c), (k, k)) for c, k in pairs)
    return PairFigures(quads, (), 100, 1.0)


def context() -> TimingRun:
    shape = GraphShape("cpu", [((4,), "float32")], [((4,), "float32")], False)
    given = SecretInputs([], [], "cpu", random.Random(0), ())
    protocol = make("direct", deployed_quads=0)
    return TimingRun((), protocol, given, random.Random(0), shape, OutputFacts())


def pairs(candidate: Sequence[float], control: Sequence[float]) -> list[PairFigures]:
    """Five processes: the candidate's and the control's time in each."""
    return [pair([c] * 4, [k] * 4) for c, k in zip(candidate, control, strict=True)]


STEADY = [100.0] * 5
UNSTEADY = [60.0, 150.0, 100.0, 70.0, 140.0]


def test_a_narrow_interval_is_scored_at_its_centre() -> None:
    timing = context()._accept(pairs([50.0, 50.1, 49.9, 50.0, 50.2], STEADY), 0, "cpu")
    assert timing.scored_at == "centre"
    assert timing.speedup == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("candidate", [[80.0, 140.0, 90.0, 200.0, 110.0], [20.0, 50.0, 25.0, 60.0, 30.0]])
def test_a_candidate_that_varies_on_a_steady_machine_is_scored_at_the_low_end(candidate: list[float]) -> None:
    timing = context()._accept(pairs(candidate, STEADY), 0, "cpu")
    assert timing.scored_at == "low"
    assert timing.speedup == timing.speedup_ci[0] < 100.0 / sorted(candidate)[2]


def test_a_clear_winner_on_an_unsteady_machine_is_scored_at_the_low_end() -> None:
    timing = context()._accept(pairs([20.0, 50.0, 25.0, 60.0, 30.0], UNSTEADY), 0, "cpu")
    assert timing.speedup == timing.speedup_ci[0] > 1.0


def test_an_unsteady_machine_that_cannot_tell_gives_no_score() -> None:
    with pytest.raises(Unstable, match="wider than"):
        context()._accept(pairs([80.0, 140.0, 90.0, 200.0, 60.0], UNSTEADY), 0, "cpu")


def test_no_figures_at_all_is_the_control() -> None:
    with pytest.raises(Unstable, match="control left its band"):
        context()._accept([], 5, "cpu")


@pytest.mark.parametrize(("us", "expected"), [(10.0, [3, 25, 25]), (2e5, [3, 5, 5]), (5e6, [3, 3, 3])])
def test_what_takes_long_is_warm_after_fewer_calls(
    us: float, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def block(self: TimingRun, pair: object, role: str, variant: str, timed: int) -> SimpleNamespace:
        calls.append(timed)
        return SimpleNamespace(us_per_call=us)

    monkeypatch.setattr(TimingRun, "_block", block)
    assert context()._warm_up(None, "reference").us_per_call == us  # type: ignore[arg-type]
    assert calls == expected


def test_lateness_counts_in_full_and_more_whatever_the_harness_costs():
    """What is done while inputs are drawn may not hide in what is subtracted for the harness."""
    blocks = [Block(10.0), Block(12.0)]
    assert net(blocks, 4.0) == (6.0, 8.0)
    assert net(blocks, 4.0, late_us=3.0) == (6.0 + 3.0 * observe.LATE_COUNTS, 8.0 + 3.0 * observe.LATE_COUNTS)
    least, _ = net(blocks, 40.0)
    assert net(blocks, 40.0, late_us=3.0)[0] == least + 3.0 * observe.LATE_COUNTS
    assert observe.LATE_COUNTS >= 2.0


def test_only_what_drawing_takes_beyond_eagers_is_late():
    eager = [Block(1.0, draw_us=100.0), Block(1.0, draw_us=90.0)]
    assert observe.late_us(eager, [Block(1.0, draw_us=100.0), Block(1.0, draw_us=300.0)]) == 0.0
    assert observe.late_us(eager, [Block(1.0, draw_us=150.0), Block(1.0, draw_us=300.0)]) == pytest.approx(44.0)
