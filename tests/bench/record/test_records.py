"""Records: what is impossible cannot be made, what is possible survives the disk."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from passnet.bench.record.records import SCHEMA, Finding, GraphRecord, GraphSummary, MaxError, Timing
from passnet.score import JUDGED, STRICT_T, Outcome
from tests.bench.bench_helpers import TIMING, record

FINDING = Finding(**{"class": "input_mutation", "layer": "verify", "evidence": "input x was changed"})


def allowed(outcome: Outcome, correct_at: int | None, timing: bool, findings: bool) -> bool:
    """The truth table, written out on its own."""
    if outcome is Outcome.CORRECT and (correct_at is None or correct_at > STRICT_T):
        return False
    if timing and outcome not in {Outcome.CORRECT, Outcome.ACCURACY}:
        return False
    return findings == (outcome is Outcome.INTEGRITY)


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("correct_at", [None, -10, STRICT_T, STRICT_T + 1, 4])
@pytest.mark.parametrize("timing", [False, True])
@pytest.mark.parametrize("findings", [False, True])
def test_truth_table(outcome: Outcome, correct_at: int | None, timing: bool, findings: bool) -> None:
    fields = {
        "correct_at": correct_at,
        "timing": TIMING if timing else None,
        "findings": (FINDING,) if findings else (),
    }
    if allowed(outcome, correct_at, timing, findings):
        assert record(outcome, **fields).outcome is outcome
    else:
        with pytest.raises(ValidationError):
            record(outcome, **fields)


def test_judged_outcomes_are_those_that_may_carry_a_timing() -> None:
    assert {Outcome.CORRECT, Outcome.ACCURACY} == JUDGED


def test_records_are_frozen_and_know_their_fields() -> None:
    made = record()
    with pytest.raises(ValidationError):
        made.task = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        record(surprise=1)
    with pytest.raises(ValidationError):
        record(outcome="no such outcome")


_times = st.floats(1e-100, 1e100)
_numbers = st.floats(allow_nan=False)


@given(_times, _times, st.none() | _times, _numbers, st.text(), st.dictionaries(st.text(), st.integers()))
def test_a_record_survives_its_line(
    low: float, high: float, ratio: float | None, error: float, detail: str, replacements: dict[str, int]
) -> None:
    timing = TIMING.model_copy(update={"speedup_ci": (min(low, high), max(low, high)), "control_ratio": ratio})
    made = record(
        Outcome.CORRECT,
        correct_at=-7,
        timing=timing,
        detail=detail,
        replacements=replacements,
        max_error=MaxError(abs=error, rel=None, fp64_ratio=ratio),
        near_misses=({"rule": "A", "why": detail},),
    )
    line = made.model_dump_json(by_alias=True)
    assert "\n" not in line
    assert GraphRecord.model_validate_json(line) == made


def test_findings_are_written_under_their_published_name() -> None:
    made = record(Outcome.INTEGRITY, findings=(FINDING,))
    (found,) = json.loads(made.model_dump_json(by_alias=True))["findings"]
    assert found == {"class": "input_mutation", "layer": "verify", "evidence": "input x was changed"}
    assert made.summary()["findings"] == [found]


def test_the_summary_keeps_the_machine_contract() -> None:
    keys = {
        "graph", "outcome", "detail", "speedup", "speedup_ci", "deployed_speedup", "gpu_speedup", "eager_us",
        "compiled_us", "control_ratio", "correct_at", "max_error", "replacements", "findings",
        "tamper_proof",
    }  # fmt: skip
    bare, timed = record().summary(), record(Outcome.CORRECT, correct_at=-5, timing=TIMING).summary()
    assert keys <= bare.keys()
    assert bare.keys() == timed.keys()
    assert bare["speedup"] is None
    assert bare["tamper_proof"]
    assert not record(tamper_proof=False).summary()["tamper_proof"]
    assert (timed["speedup"], timed["speedup_ci"], timed["outcome"]) == (1.5, [1.4, 1.6], "correct")
    json.dumps([bare, timed], allow_nan=False)


def test_the_key_tells_measurements_apart() -> None:
    base = record()
    for change in ({"task": "u"}, {"graph": "v"}, {"graph_hash": "w"}, {"pass_set_hash": "x"}, {"compiler": "eager"},
                   {"device": "cuda"}):  # fmt: skip
        assert record(**change).key() != base.key()
    assert record(Outcome.CORRECT, correct_at=-5, seconds=3.0).key() == base.key()
    assert base.schema_version == SCHEMA


def test_an_infinite_figure_survives_its_line() -> None:
    made = record(max_error=MaxError(abs=math.inf, rel=None))
    assert GraphRecord.model_validate_json(made.model_dump_json(by_alias=True)) == made


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 0.0, -1.0, 1e308, 5e-324, "1e400"])
@pytest.mark.parametrize(
    "name",
    ["speedup", "eager_us", "compiled_us", "control_ratio", "deployed_speedup", "launch_us", "eager_busy_us",
     "cold_speedup", "captured_speedup_ci", "speedup_ci", "precision", "ratio", "processes"],
)  # fmt: skip
def test_a_time_or_a_ratio_is_a_positive_number(name: str, value: object) -> None:
    """Whoever reads a record divides by these, and takes logarithms of them."""
    one = {"quads": 4, "calls": 8, "ratio": 1.5, "eager_us": 3.0, "compiled_us": 2.0, "control_ratio": 1.0}
    row = json.loads(TIMING.model_dump_json()) | {"processes": [one | {"harness_us": 0.0}]}
    assert Timing.model_validate(row)
    if name == "processes":
        row["processes"][0]["control_ratio"] = value
    elif name == "ratio":
        row["processes"][0]["ratio"] = value
    else:
        row[name] = value if not name.endswith("_ci") else [1.0, value]
    with pytest.raises(ValidationError):
        Timing.model_validate(row)
    with pytest.raises(ValidationError):
        Timing.model_validate_json(json.dumps(row))


def test_an_interval_begins_with_its_low_end() -> None:
    row = TIMING.model_dump()
    assert Timing.model_validate(row | {"deployed_speedup_ci": [1.5, 1.5]})
    with pytest.raises(ValidationError, match="the low end is above the high end"):
        Timing.model_validate(row | {"deployed_speedup_ci": [1.5, 1.4]})


def timed(low: float) -> Timing:
    return TIMING.model_copy(update={"speedup_ci": (low, low + 0.1)})


@pytest.mark.parametrize(
    ("fields", "solved"),
    [
        ({"timing": timed(1.2), "own_kernels": True}, True),
        ({"timing": timed(1.05), "own_kernels": True}, False),
        ({"timing": timed(1.2), "own_kernels": False}, False),
        ({"timing": timed(1.2)}, None),
        ({"timing": timed(1.0)}, False),
        ({"timing": timed(1.2), "kernels": ("gelu",)}, True),
        ({"timing": timed(1.2), "kernels": ()}, False),
        ({"timing": timed(1.2), "own_kernels": True, "compiler": "inductor"}, None),
        ({}, None),
    ],
)
def test_what_is_solved_follows_from_the_record(fields: dict[str, Any], solved: bool | None) -> None:
    """Records of before the proof was kept say so with a reason; those of a GPU tell by the kernels that were seen."""
    made = record(**({"outcome": Outcome.CORRECT, "correct_at": -10, "timing": None} | fields))
    found, reason = made.solution
    assert found is solved
    assert bool(reason) == (solved is None)
    assert made.summary()["solved"] is solved
    if made.timing is None:  # of a check: nothing to score
        return
    result, again = made.result(), GraphSummary.model_validate(made.summary()).result(made.task)
    assert (result.solved, result.outcome, result.correct_at) == (solved, again.outcome, again.correct_at)
    assert again.solved is solved


def test_a_summary_of_before_knows_only_what_its_interval_tells() -> None:
    row = record(Outcome.CORRECT, correct_at=-10, own_kernels=True, timing=timed(1.2)).summary()
    del row["solved"]
    assert GraphSummary.model_validate(row).result().solved is None
    row["speedup_ci"] = [0.99, 1.01]
    assert GraphSummary.model_validate(row).result().solved is False


CALLS = TIMING.model_copy(update={"bound_us": 5.0, "bound_by": "memory"})
BUSY = CALLS.model_copy(update={"eager_busy_us": 20.0, "compiled_busy_us": 8.0})


@pytest.mark.parametrize(
    ("device", "timing", "shares"),
    [
        ("cpu", CALLS, (5 / 30, 5 / 20)),
        ("cpu", BUSY, (5 / 30, 5 / 20)),
        ("cuda", CALLS, (None, None)),  # the time of a call is not the device's, and stands in for nothing
        ("cuda", BUSY, (5 / 20, 5 / 8)),
        ("cpu", TIMING, (None, None)),
        ("cpu", CALLS.model_copy(update={"bound_us": 0.0}), (None, None)),
        ("cpu", CALLS.model_copy(update={"bound_us": 5e-324}), (None, None)),
        ("cpu", None, (None, None)),
    ],
)
def test_the_share_of_the_bound_is_of_device_time_or_of_calls_on_a_cpu(
    device: str, timing: Timing | None, shares: tuple[float | None, float | None]
) -> None:
    found = record(Outcome.CORRECT if timing else Outcome.TIMEOUT, device=device, timing=timing, correct_at=-6)
    assert found.bound_shares == pytest.approx(shares)
    summary = found.summary()
    assert (summary["eager_bound_share"], summary["bound_share"]) == pytest.approx(shares)
    assert summary["bound_us"] == (timing.bound_us if timing else None)


def test_a_record_of_before_the_bound_is_read() -> None:
    old = json.loads(record(Outcome.CORRECT, timing=CALLS, correct_at=-6).model_dump_json(by_alias=True))
    for name in ("bound_us", "bound_by"):
        del old["timing"][name]
    found = GraphRecord.model_validate_json(json.dumps(old))
    assert found.timing == TIMING
    assert found.bound_shares == (None, None)


@pytest.mark.parametrize("us", [-1.0, math.nan, math.inf])
def test_an_impossible_bound_cannot_be_stored(us: float) -> None:
    with pytest.raises(ValidationError):
        Timing.model_validate(TIMING.model_dump() | {"bound_us": us})
