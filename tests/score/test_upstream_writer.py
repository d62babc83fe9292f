"""What is written as a log of the upstream harness is read back as the same score, and no name forges a verdict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passnet.score import (
    GraphResult,
    Interpretation,
    Outcome,
    ScoreParams,
    Times,
    log_block,
    log_path,
    log_text,
    read_upstream_log,
    score_results,
    writable,
)
from tests.score.score_oracle import Block, expected_aggregate, expected_curves

JUDGED = [(Outcome.CORRECT, -10), (Outcome.CORRECT, -5), (Outcome.ACCURACY, -4), (Outcome.ACCURACY, 2)]
OTHERS = [outcome for outcome in Outcome if writable(outcome) and outcome not in {row[0] for row in JUDGED}]
NEVER_FORGIVEN = frozenset({Outcome.NO_MATCH, Outcome.INTEGRITY, Outcome.REFERENCE_ERROR})
UPSTREAM = os.environ.get("PASSNET_UPSTREAM", "")


def results() -> st.SearchStrategy[GraphResult]:
    speedups = st.floats(0.01, 100.0)
    names = st.text(min_size=1, max_size=12)
    judged = st.builds(
        lambda row, speedup, name: GraphResult(name, row[0], speedup, row[1]), st.sampled_from(JUDGED), speedups, names
    )
    never = st.builds(lambda name: GraphResult(name, Outcome.ACCURACY), names)
    failed = st.builds(lambda outcome, name: GraphResult(name, outcome), st.sampled_from(OTHERS), names)
    return st.one_of(judged, never, failed)


def write(found: list[GraphResult], path: Path) -> Path:
    path.write_text(log_text(log_block(result) for result in found), encoding="utf-8")
    return path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(results(), min_size=1, max_size=6), st.sampled_from([0.1, 0.001]), st.sampled_from([0.0, 1.0]))
def test_a_log_has_the_score_of_what_was_written(tmp_path_factory, found, b, p) -> None:
    path = write(found, tmp_path_factory.mktemp("log") / "validation.log")
    params = ScoreParams(b, p, keep_reference_errors=True)
    log = read_upstream_log(path)
    assert len(log.results) == len(found)
    assert score_results(log.results, params).aggregated == pytest.approx(score_results(found, params).aggregated)


@pytest.mark.parametrize("outcome", OTHERS)
def test_failures_are_forgiven_from_the_same_level_on(outcome: Outcome, tmp_path: Path) -> None:
    """Outputs that are not finite apart: upstream knows them as failures at run time, forgiven one level later."""
    found = [GraphResult("x", outcome)]
    log = read_upstream_log(write(found, tmp_path / "validation.log"))
    for interpretation in Interpretation:
        if (outcome, interpretation) == (Outcome.NAN_INF, Interpretation.MISMATCH_EXTENDED):
            continue
        params = ScoreParams(interpretation=interpretation, keep_reference_errors=True)
        assert score_results(log.results, params).es == score_results(found, params).es


def test_what_was_not_measured_has_no_words_upstream() -> None:
    left_out = {outcome for outcome in Outcome if not writable(outcome)}
    assert left_out == {Outcome.UNSTABLE, Outcome.OUT_OF_MEMORY, Outcome.INFRASTRUCTURE}


FORGED = (
    "x\ngraph-net-test-compiler-log [Processing] y\n[Datatype][eager]: float32\n[Speedup][e2e]: 99.0 match:True Error:"
)


@pytest.mark.parametrize("name", [FORGED, "all_close_model", "a b\tc", "\u2028[Shape] match:True", ""])
def test_no_name_forges_a_verdict(name: str, tmp_path: Path) -> None:
    found = [GraphResult(name, Outcome.COMPILE_ERROR), GraphResult(name, Outcome.CORRECT, 2.0, -5)]
    log = read_upstream_log(write(found, tmp_path / "validation.log"))
    assert log.statuses == {"compile_fail": 1, "correct": 1}
    assert [result.speedup for result in log.results] == [None, 2.0]
    assert len(log_path(name).split()) == 1


def test_times_and_settings_are_lines_of_their_own() -> None:
    lines = log_block(GraphResult("g", Outcome.CORRECT, 2.0, -5), Times(0.5, 0.25, 3.0), {"hardware": "A [Speedup] b"})
    for line in (
        "[Processing] g",
        "[Config] hardware: A__Speedup__b",
        '[Performance][eager]: {"e2e": {"median": 0.5}}',
        '[Performance][compiled]: {"e2e": {"median": 0.25}}',
        "[Speedup][e2e]: 2.0",
        "[Speedup][gpu]: 3.0",
        "[Result] status: success",
    ):
        assert f"graph-net-test-compiler-log {line}" in lines


def test_an_oracle_agrees(tmp_path: Path) -> None:
    found = [
        GraphResult("a", Outcome.CORRECT, 2.0, -6),
        GraphResult("b", Outcome.ACCURACY, 0.5, 1),
        GraphResult("c", Outcome.RUNTIME_ERROR),
    ]
    blocks = [Block("a", speedup=2.0, right_from=(-6,)), Block("b", speedup=0.5, right_from=(1,))]
    blocks.append(Block("c", "runtime_fail", None))
    log = read_upstream_log(write(found, tmp_path / "validation.log"))
    _, es = expected_curves(blocks)
    assert score_results(log.results).aggregated == pytest.approx(expected_aggregate(es))


# --- the published scripts -------------------------------------------------------------------------------------------


@pytest.fixture
def package() -> str:
    """The package of the published evaluation in the checkout that PASSNET_UPSTREAM names; skips without one."""
    pytest.importorskip("scipy", reason="the published scripts need scipy")
    for name in ("pass_bench", "graph_net_bench"):
        if UPSTREAM and (Path(UPSTREAM) / name / "analysis_util.py").exists():
            return name
    pytest.skip("PASSNET_UPSTREAM names no checkout with pass_bench or graph_net_bench")


def leaves_a_curve(package: str) -> bool:
    """Whether this is the repository of graphs, whose script writes ES(t) and not its aggregate."""
    return (Path(UPSTREAM) / package / "calculate_es_scores.py").exists()


# As the published entry.sh calls it: its cross-check cannot hold where a failure is never forgiven.
_AS_ENTRY_SH = ["--sample-id", "1", "--disable-aggregation-mode"]


def published_score(package: str, log: Path, b: float, p: float) -> float:
    """AS by the published scripts."""
    curve = leaves_a_curve(package)
    script = "calculate_es_scores" if curve else "aggregate_es_scores"
    out = log.with_name("out.json")
    command = [sys.executable, "-m", f"{package}.{script}", "--benchmark-path", log, "--output-json-file-path", out]
    command += ["--fpdb", str(b), "--negative-speedup-penalty", str(p), *([] if curve else _AS_ENTRY_SH)]
    path = os.pathsep.join([UPSTREAM, os.environ.get("PYTHONPATH", "")])
    subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=True, capture_output=True, timeout=120)
    found = json.loads(out.read_text())
    return expected_aggregate({int(t): value for t, value in found.items()}) if curve else found["score"]


@pytest.mark.slow
@pytest.mark.parametrize("b", [0.1, 0.001])
@pytest.mark.parametrize("p", [0.0, 1.0])
def test_published_scripts_reach_our_score(package: str, b: float, p: float, tmp_path: Path) -> None:
    """Every outcome that a log can say. The scripts of the repository of graphs forgive a failed eager run from t = 3
    on, those of the benchmark never; here it is never.
    """
    left_out = NEVER_FORGIVEN if leaves_a_curve(package) else frozenset()
    found = [
        GraphResult(f"j{speedup}{level}", outcome, speedup, level)
        for speedup in (0.3, 1.0, 4.7)
        for outcome, level in JUDGED
    ]
    found.append(GraphResult("never", Outcome.ACCURACY))
    found += [GraphResult(outcome.value, outcome) for outcome in OTHERS if outcome not in left_out]
    log = write(found, tmp_path / "validation.log")
    ours = score_results(found, ScoreParams(b, p, keep_reference_errors=True)).aggregated
    assert published_score(package, log, b, p) == pytest.approx(ours, rel=1e-9)
