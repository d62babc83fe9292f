"""What a record says against itself: records that the judge writes say nothing, and each rule has one that does."""

from __future__ import annotations

import json
import math
import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from passnet.bench.layers import LAYERS
from passnet.bench.names import WITH_PASSES
from passnet.bench.record.contradictions import CONTRADICTIONS, contradictions
from passnet.bench.record.protocol import make
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.rescore import Options, rescore
from passnet.bench.record.run import RECORDS, each_record
from passnet.bench.timing.estimate import PairFigures, TimingEnd, timing_of
from passnet.bench.timing.published import timing_of as published_timing_of
from passnet.bench.timing.stats import Quad
from passnet.bench.wire.replies import PublishedTimes
from passnet.errors import UsageError
from tests.report.recorded_runs import altered, record, timing, write_run

ROOT = Path(__file__).parents[3]
STORED = sorted((ROOT / "benchmarks" / "results").glob("*-c[pu]*.tar.xz"))
DIRECT, PAPER = make("direct", precision=0.02), make("paper")
Change = Callable[[dict[str, Any]], dict[str, Any]]


def test_records_of_the_bench_say_nothing_against_themselves() -> None:
    assert contradictions(record()) == ()
    assert contradictions(record(outcome="timeout")) == ()
    assert contradictions(record(outcome="accuracy")) == ()
    assert contradictions(record(compiler="inductor", pass_set_hash=None, sandbox=None)) == ()


def test_the_published_protocol_measures_in_one_process() -> None:
    times = PublishedTimes(eager_us=(9.0, 10.0, 12.0, 10.5), compiled_us=(5.0, 5.5, 4.0, 6.0))
    published = published_timing_of(times, PAPER)
    assert contradictions(record(timing=published, protocol=PAPER, tamper_proof=False)) == ()
    assert contradictions(record(timing=published, protocol=PAPER)) == ("tamper-proof, and timed without a control",)


@pytest.mark.parametrize("file", STORED, ids=lambda file: file.name.partition(".")[0])
def test_stored_runs_of_the_bench_contradict_nothing(file: Path, tmp_path: Path) -> None:
    with tarfile.open(file) as archive:
        archive.extractall(tmp_path, filter="data")
    records = [one for place in sorted(tmp_path.rglob(RECORDS)) for one in each_record(place.parent)]
    assert all(contradictions(one) == () for one in records)
    assert bool(records) == ("launch-settings" not in file.name)


US = st.floats(0.05, 1e6)
BLOCKS = st.tuples(US, US)
QUADS = st.lists(st.builds(Quad, BLOCKS, BLOCKS, BLOCKS), min_size=2, max_size=6)


ONE = (1.0, 1.0)
WILD = [[Quad(ONE, (1.0, 4.0), ONE), Quad((6763.0, 842379.0), ONE, ONE)]]


@example(WILD, 1, "decided")  # the interval's end would be no number that a record holds
@given(st.lists(QUADS, min_size=1, max_size=7), st.integers(1, 50), st.sampled_from(["narrow", "decided", "limit"]))
def test_whatever_is_timed_follows_from_itself(pairs: list[list[Quad]], calls: int, why: Any) -> None:
    """The judge's own arithmetic on any blocks: intervals, centres and medians are those of its pairs."""
    figures = [PairFigures(tuple(quads), tuple(quads[:2]), 2 * len(quads) * calls, 0.01) for quads in pairs]
    found = timing_of(figures, DIRECT, TimingEnd(why), voided=0, events={})
    if found.ended == "narrow" and found.half_width > DIRECT.precision:
        found = found.model_copy(update={"ended": "limit"})
    lower = found.model_copy(update={"speedup": found.speedup_ci[0], "scored_at": "low"})
    for measured in (found, lower):
        said = contradictions(record(timing=measured, seconds=1e9))
        # Any blocks may be alike in two pairs. Those of a clock are not.
        assert [each for each in said if not each.startswith("two pairs")] == []


@given(st.lists(US, min_size=1, max_size=30), st.lists(US, min_size=1, max_size=30))
def test_whatever_the_published_protocol_times_follows_from_itself(eager: list[float], compiled: list[float]) -> None:
    found = published_timing_of(PublishedTimes(eager_us=tuple(eager), compiled_us=tuple(compiled)), PAPER)
    low, high = found.speedup_ci
    said = contradictions(record(timing=found, protocol=PAPER, tamper_proof=False))
    assert said == () or not low <= found.speedup <= high


def timed(**figures: Any) -> Change:
    return lambda line: line | {"timing": line["timing"] | figures}


def pairs(*changes: dict[str, Any]) -> Change:
    """Other figures of the first pairs."""

    def change(line: dict[str, Any]) -> dict[str, Any]:
        of_pairs = line["timing"]["processes"]
        changed = [pair | one for pair, one in zip(of_pairs, changes, strict=False)]
        return timed(processes=[*changed, *of_pairs[len(changed) :]])(line)

    return change


def fields(**other: Any) -> Change:
    return lambda line: line | other


SAME = {"ratio": 1.2, "eager_us": 90.0, "compiled_us": 75.0}
BROKEN: list[tuple[str, Change, str]] = [
    ("compared", fields(compared_calls=0), "correct, and no call was compared"),
    ("compared", fields(compared_calls=0, outcome="accuracy", correct_at=0), "right at some tolerance, and no call"),
    ("error", fields(max_error=None), "without an error of its outputs"),
    ("error", fields(max_error={"abs": -1.0, "rel": 0.0}), "an error of -1"),
    ("unseen", fields(unseen={"shapes": [[2]], "answer": "wrong"}), "wrong on shapes between the variants"),
    ("level", fields(published_at=9), "right from t = 9"),
    ("followed", fields(followed_calls=41), "41 calls followed of 40"),
    ("compared in time", fields(compared_calls=10**9), "1000000000 calls compared in 4 s"),
    ("passes named", fields(pass_set_hash=None), "without their hash"),
    ("passes named", fields(compiler="inductor", sandbox=None), "passes under inductor, which runs none"),
    ("known device", fields(device="../x"), "judged on '../x', which is no device"),
    ("passes ran", fields(sandbox=None), "the record says that none ran"),
    ("layers", fields(sandbox=[*LAYERS, "magic"]), "'magic', which no system has"),
    ("layers", fields(sandbox=[*LAYERS, "rlimits"]), "a layer of the sandbox twice"),
    ("layers", fields(compiler="inductor", pass_set_hash=None), "a sandbox round inductor"),
    ("closed", fields(sandbox=[]), "tamper-proof, and files, network, processes open"),
    ("published", timed(control_ratio=None), "pairs of processes without a control"),
    ("device", timed(launch_us=3.0), "launch_us of a CPU"),
    ("interval", timed(speedup=1e6), "a speedup of 1e+06 beside its interval"),
    ("interval", timed(scored_at="low"), "scored at the lower end"),
    ("interval", timed(speedup_ci=[1.2, 1.2]), "an interval without width"),
    ("centre", timed(speedup=49.0, speedup_ci=[49.0, 51.0], scored_at="low"), "49 to 51, and pairs of processes"),
    ("narrow", timed(precision=0.01), "narrow enough for 0.01"),
    ("pairs", timed(processes=[]), "timed without a pair of processes"),
    ("pairs", pairs({"quads": 0}), "timed without groups of blocks"),
    ("pairs", pairs({"calls": 0}), "timed with fewer calls than blocks"),
    ("pairs", pairs(SAME, SAME, SAME), "two pairs of processes with the same times"),
    ("centre", timed(speedup=50.0, speedup_ci=[49.0, 51.0]), "a speedup of 50, and pairs of processes say 1.2"),
    ("times", timed(eager_us=900.0), "eager_us of 900, and pairs of processes say 90"),
    ("times", timed(control_ratio=1.5), "control_ratio of 1.5"),
    ("others", timed(cold_speedup=2.0, cold_eager_us=9.0, cold_compiled_us=9.0), "cold_speedup of 2, and its own"),
    ("others", timed(deployed_speedup=2.0, deployed_speedup_ci=[3.0, 4.0]), "2 beside its interval, 3 to 4"),
    (
        "captured",
        lambda line: line | timed(captured_speedup=1.0, captured_speedup_ci=[1, 1], not_captured="x")(line),
        "a captured figure, and the reason why there is none",
    ),
    ("timed in time", fields(seconds=0.001), "0.001 s in all, and its timed calls took"),
]  # fmt: skip


def test_every_rule_has_a_record_that_breaks_it() -> None:
    assert {name for name, _, _ in BROKEN} == {rule.name for rule in CONTRADICTIONS}
    assert len({rule.name for rule in CONTRADICTIONS}) == len(CONTRADICTIONS)


@pytest.mark.parametrize(("rule", "change", "said"), BROKEN, ids=[f"{row[0]}-{at}" for at, row in enumerate(BROKEN)])
def test_a_contradiction_is_one_line_with_file_and_line(rule: str, change: Change, said: str, tmp_path: Path) -> None:
    good = write_run(tmp_path / "good", [record(graph="a"), record(graph="b")])
    bad = altered(good, tmp_path / "bad", lambda line: change(line) if line["graph"] == "b" else line)
    (_, found) = (GraphRecord.model_validate_json(line) for line in (bad / RECORDS).read_bytes().splitlines())
    (broken,) = (each for each in CONTRADICTIONS if each.name == rule)
    sentence = broken.find(found)
    assert sentence is not None and said in sentence
    with pytest.raises(UsageError) as refused:
        rescore(bad, Options())
    assert re.match(re.escape(f"{bad / RECORDS}: line 2, one/b, contradicts itself: "), str(refused.value))
    assert "\n" not in str(refused.value)
    assert rescore(good, Options()).document["notes"] == []


def test_times_at_the_least_that_can_be_told_may_be_alike() -> None:
    """A graph that only views its input takes no longer than the harness, in all pairs."""
    figures = [PairFigures((Quad((0.05,) * 2, (0.05,) * 2, (0.05,) * 2),) * 4, (), 80, 0.2) for _ in range(3)]
    found = timing_of(figures, make("direct", deployed_groups=0), TimingEnd(), voided=0, events={})
    assert contradictions(record(timing=found)) == ()


def test_a_hostile_worker_makes_no_record_unreadable() -> None:
    """What a worker tells of itself may be anything: no rule looks at it."""
    told = {"replacements": {"x": -5}, "kernels": ("\n",), "kernel_us": {"k": 1e99}, "compile_s": 1e99,
            "not_frozen": {"a": "b"}, "near_misses": ({"a": "b"},), "own_kernels": False}  # fmt: skip
    assert contradictions(record(**told)) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("compiler", "preset"), [("passes", "direct"), ("eager", "direct"), ("passes", "paper")])
def test_what_the_judge_really_writes_contradicts_nothing(tmp_path: Path, compiler: str, preset: str) -> None:
    from passnet.bench.evaluate import EvaluationRequest, evaluate

    task = Path(shutil.copytree(ROOT / "data" / "tasks" / "bloom_gelu", tmp_path / "bloom_gelu"))
    quick = make(preset, least_pairs=2, most_pairs=2, visit_groups=2, most_groups=4, max_half_width=1e9,
                 control_band=1e9)  # fmt: skip
    evaluate(EvaluationRequest((task,), "cpu", compiler, quick, tmp_path / "run", 1), lambda step: None)
    (found,) = each_record(tmp_path / "run")
    assert contradictions(found) == ()
    assert found.compiler in WITH_PASSES or found.sandbox is None
    assert json.loads((tmp_path / "run" / RECORDS).read_text())["outcome"] == found.outcome


def test_the_fixture_is_centred_as_it_says() -> None:
    assert math.isclose(timing(1.7).speedup, 1.7)
