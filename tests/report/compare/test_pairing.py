"""Pairs of graphs: what is a regression, what is noise, what nobody can say, and what is not the same graph."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from passnet.errors import UsageError
from passnet.report.compare.pairing import PairedRuns, PairVerdict, pair_runs
from passnet.report.recorded import read_recorded
from passnet.score import Outcome
from tests.report.recorded_runs import altered, benchmark, record, slower, timing, write_run


def paired(a: Path, b: Path, threshold: float = 0.03) -> PairedRuns:
    return pair_runs(read_recorded(a), read_recorded(b), threshold)


def verdict(tmp_path: Path, one: object, other: object) -> PairVerdict:
    """What becomes of one graph between two records of it."""
    found = paired(write_run(tmp_path / "a", [one]), write_run(tmp_path / "b", [other]))
    return found.pairs[0].verdict


def test_a_planted_regression_is_found_and_nothing_else(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", benchmark())
    b = altered(a, tmp_path / "b", slower(1.3, lambda line: line["task"] == "task2" and "/3/" in line["graph"]))
    found = paired(a, b)
    slow = [pair for pair in found.pairs if pair.verdict is not PairVerdict.SAME]
    assert [(pair.name, pair.verdict) for pair in slow] == [("task2/float32/3/samples/timm/model2", PairVerdict.SLOWER)]
    assert slow[0].ratio is not None
    assert slow[0].ratio.centre == pytest.approx(1 / 1.3)
    # Half widths add in quadrature: both are 0.02 on the scale of logarithms.
    assert slow[0].ratio.log_half == pytest.approx(math.hypot(0.02, 0.02))


def test_the_other_way_round_it_is_an_improvement(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", benchmark())
    b = altered(a, tmp_path / "b", slower(1.3, lambda line: line["task"] == "task2"))
    assert {pair.verdict for pair in paired(b, a).pairs} == {PairVerdict.SAME, PairVerdict.FASTER}


def test_what_lies_within_the_interval_is_no_regression(tmp_path: Path) -> None:
    assert verdict(tmp_path, record(speedup=1.2, half=0.1), record(speedup=1.1, half=0.1)) is PairVerdict.SAME


def test_what_is_sure_and_small_is_no_regression(tmp_path: Path) -> None:
    a, b = record(speedup=1.20, half=0.001), record(speedup=1.18, half=0.001)
    assert verdict(tmp_path, a, b) is PairVerdict.SAME
    found = paired(tmp_path / "a", tmp_path / "b", threshold=0.01)
    assert found.pairs[0].verdict is PairVerdict.SLOWER


def test_many_graphs_ask_for_more_certainty(tmp_path: Path) -> None:
    """A change that would be one among a few graphs is none among hundreds."""
    few, many = benchmark(2, 2), benchmark(40, 10)
    change = slower(1.07, lambda line: line["task"] == "task1" and "/1/" in line["graph"])
    found = {}
    for name, records in (("few", few), ("many", many)):
        a = write_run(tmp_path / name, records)
        pairs = paired(a, altered(a, tmp_path / f"{name}-b", change)).pairs
        found[name] = [pair.verdict for pair in pairs if pair.log_ratio < -0.01]
    assert found == {"few": [PairVerdict.SLOWER], "many": [PairVerdict.SAME]}


def test_equal_runs_seldom_raise_an_alarm(tmp_path: Path) -> None:
    """Two runs of the same, whose figures vary as their intervals say: at most 5 % of comparisons have an alarm."""
    rng, alarms, rounds = random.Random(11), 0, 40
    for number in range(rounds):
        runs = []
        for name in "ab":
            records = [
                record("task", f"g{graph}", 1.2 * math.exp(rng.gauss(0, 0.02 / 2.228)), half=0.02)
                for graph in range(30)
            ]
            runs.append(write_run(tmp_path / f"{number}{name}", records))
        alarms += any(pair.verdict is PairVerdict.SLOWER for pair in paired(*runs, threshold=0.0).pairs)
    assert alarms / rounds <= 0.1


def test_a_speedup_scored_at_its_lower_end_is_compared_by_its_centre(tmp_path: Path) -> None:
    whole = record(speedup=1.2, half=0.05)
    low = record(timing=timing(1.2, 0.05, speedup=1.2 * math.exp(-0.05), scored_at="low"))
    found = paired(write_run(tmp_path / "a", [whole]), write_run(tmp_path / "b", [low])).pairs[0]
    assert found.ratio is not None
    assert found.ratio.centre == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("correct", "accuracy", PairVerdict.WORSE),
        ("correct", "timeout", PairVerdict.WORSE),
        ("correct", "integrity", PairVerdict.WORSE),
        ("runtime_error", "correct", PairVerdict.MENDED),
        ("runtime_error", "timeout", PairVerdict.SAME),
        ("correct", "unstable", PairVerdict.UNDECIDED),
        ("correct", "infrastructure", PairVerdict.UNDECIDED),
        ("reference_error", "correct", PairVerdict.UNDECIDED),
        ("unstable", "unstable", PairVerdict.UNDECIDED),
    ],
)
def test_outcomes_that_change(tmp_path: Path, before: str, after: str, expected: PairVerdict) -> None:
    def of(outcome: str) -> object:
        finding = {"class": "clock", "layer": "clock", "evidence": "x"}
        return record(outcome=outcome, findings=[finding] if outcome == Outcome.INTEGRITY else [])

    assert verdict(tmp_path, of(before), of(after)) is expected


def test_a_graph_of_the_same_name_with_other_content_is_not_the_same_graph(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record(graph="x"), record(graph="y"), record(graph="z")])
    b = write_run(tmp_path / "b", [record(graph="x"), record(graph="y", graph_hash="other"), record(graph="w")])
    found = paired(a, b)
    assert [pair.name for pair in found.pairs] == ["one/x"]
    assert (found.different, found.only_in_a, found.only_in_b) == (("one/y",), ("one/z",), ("one/w",))


def test_runs_without_a_common_graph_are_refused(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record(graph="x")])
    b = write_run(tmp_path / "b", [record(graph="x", graph_hash="other")])
    with pytest.raises(UsageError, match=r"shares no graph with .*1 graph alike by name only"):
        paired(a, b)


def test_a_run_with_two_records_of_one_graph_is_refused(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [record(), record(pass_set_hash="another")])
    with pytest.raises(UsageError, match="1 graph has several records"):
        paired(a, a)
