"""Every cheat of the corpus wins against a naive harness, and ends here as its docstring says, in no other way."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from passnet.bench.verdict.judge import Judge
from passnet.rewrite import check_policy
from tests.integrity import corpus, naive
from tests.integrity.judging import FAST, Report, ids, judged, of_each_kind, others_slow, pass_set, reported

pytestmark = pytest.mark.integrity
# A cheat that wins once wins; quiet, the slowest is three times as fast as eager, which a busy machine can hide.
_TRIALS = 3
ENTRIES = corpus.entries(corpus.CHEATS)
ON_CPU = [entry for entry in ENTRIES if not entry.on_gpu]  # the others are in test_cheats_device.py
# By the text alone; the rest must be run.
READ = [entry for entry in ON_CPU if entry.refused_as_text]
RUN = [entry for entry in ON_CPU if entry not in READ]
# Of each of the two, one for each class and the way in which it ends without the source policy.
READ_SAMPLE, RUN_SAMPLE = of_each_kind(READ), of_each_kind(RUN)
# One of each class.
WINS_SAMPLE = list({entry.fields["Class"]: entry for entry in reversed(ON_CPU)}.values())


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


def test_the_corpus_is_large_and_documented() -> None:
    assert len(ON_CPU) >= 60
    assert len(ENTRIES) - len(ON_CPU) >= 15
    assert len({entry.fields["Class"] for entry in ENTRIES}) >= 10
    assert len({entry.path.stem for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.trick for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("entry", others_slow(ON_CPU, WINS_SAMPLE), ids=ids)
def test_it_wins_against_a_naive_harness(
    entry: corpus.Entry, graphs: dict[str, Path], tmp_path: Path, cache: Path
) -> None:
    if entry.missing:
        pytest.skip(entry.missing)
    torch.set_num_threads(1)
    for trial in range(_TRIALS):
        scratch = tmp_path / str(trial)
        scratch.mkdir()
        verdict = naive.judge(entry, graphs[entry.graph], scratch, cache)
        assert verdict.right, verdict.text
        if entry.fields["Wins"] != "speed" or verdict.speedup > FAST:
            break
    else:
        pytest.fail(f"never faster than {FAST} times eager: {verdict.text}")


@pytest.mark.parametrize("entry", READ, ids=ids)
def test_its_text_is_refused(entry: corpus.Entry, tmp_path: Path) -> None:
    found = check_policy(pass_set(entry, tmp_path / "p"), entry.level)
    assert any(violation.file == entry.path.name for violation in found)


@pytest.mark.parametrize("entry", others_slow(RUN, RUN_SAMPLE), ids=ids)
def test_it_is_caught_when_it_runs(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path, record_property: Report
) -> None:
    if entry.missing:
        pytest.skip(entry.missing)
    passes = pass_set(entry, tmp_path / "p")
    assert check_policy(passes, entry.level) == ()
    entry.endings.check(reported(judged(judge, entry, graphs, passes), record_property))


def test_what_is_run_in_every_change_has_every_class_and_ending() -> None:
    run = [*RUN_SAMPLE, *READ_SAMPLE]
    assert {entry.fields["Class"] for entry in run} == {entry.fields["Class"] for entry in ON_CPU}
    assert {entry.endings.ways for entry in run} == {entry.endings.ways for entry in ON_CPU}


@pytest.mark.parametrize("entry", others_slow(READ, READ_SAMPLE), ids=ids)
def test_how_it_ends_without_the_source_policy(
    entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path, record_property: Report
) -> None:
    entry.endings.check(reported(judged(judge, entry, graphs, pass_set(entry, tmp_path / "p")), record_property))
