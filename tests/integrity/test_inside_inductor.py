"""The same corpus inside Inductor, where wrappers are operators of compiled code: caught and accepted all the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.bench.engine.bench import Bench
from passnet.bench.verdict.judge import Judge
from passnet.score import Outcome
from tests.integrity import corpus
from tests.integrity.conftest import SEED, chosen
from tests.integrity.judging import QUICK, Report, check_honest, ids, judged, others_slow, pass_set, reported
from tests.patience import PatientJudge

pytestmark = pytest.mark.integrity
COMPILER = "passes+inductor"
SLOW_TO_BUILD = QUICK.model_copy(update={"build_s": 200.0, "first_call_s": 30.0})
CHEATS = [
    entry
    for entry in corpus.entries(corpus.CHEATS)
    if not entry.on_gpu and entry.fields["Caught by"] not in ("source policy", "kernel source")
]
# An operator may not change its inputs, so Inductor keeps those pieces itself.
_CHANGING = ("in_place", "in_place_alone", "squared_in_place", "bounds_never_met")
NO_OPERATOR = [entry for entry in corpus.entries(corpus.HONEST) if entry.path.stem in _CHANGING]
HONEST = [entry for entry in corpus.entries(corpus.HONEST) if not entry.on_gpu and entry not in NO_OPERATOR]
# What is run in every change: a cheat for each layer that catches one, and an honest kernel.
SAMPLE = [*{entry.fields["Caught by"]: entry for entry in reversed(CHEATS)}.values()]
SAMPLE += [entry for entry in HONEST if entry.name == "honest/one_kernel on scale_gelu"]


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    protocol = chosen(request, SLOW_TO_BUILD, "cpu")
    with Bench("cpu", COMPILER, protocol, tmp_path_factory.mktemp("logs")) as bench:
        yield PatientJudge(bench.pairs, protocol, SEED, turn=bench.turn)


@pytest.mark.parametrize("entry", others_slow(CHEATS, SAMPLE), ids=ids)
def test_a_cheat_is_caught(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path, record_property: Report
) -> None:
    if entry.missing:
        pytest.skip(entry.missing)
    record = judged(judge, entry, graphs, pass_set(entry, tmp_path / "p"), compiler=COMPILER)
    entry.endings_inside_inductor.check(reported(record, record_property))


@pytest.mark.parametrize("entry", others_slow(HONEST, SAMPLE), ids=ids)
def test_an_honest_pass_is_accepted(entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path) -> None:
    if entry.missing:
        pytest.skip(entry.missing)
    check_honest(judged(judge, entry, graphs, pass_set(entry, tmp_path / "p"), compiler=COMPILER), entry)


@pytest.mark.parametrize("entry", NO_OPERATOR, ids=ids)
def test_a_piece_that_changes_its_input_is_left_to_inductor(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path
) -> None:
    record = judged(judge, entry, graphs, pass_set(entry, tmp_path / "p"), compiler=COMPILER)
    assert record.outcome is Outcome.NO_MATCH
    assert "in place" in record.near_misses[0]["reason"]
