"""No honest pass of the corpus is refused: not by its text, not when it runs, in any kernel language."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.verdict.judge import Judge
from passnet.rewrite import check_policy
from tests.integrity import corpus
from tests.integrity.judging import check_honest, ids, judged, of_each_kind, others_slow, pass_set

pytestmark = pytest.mark.integrity
ENTRIES = corpus.entries(corpus.HONEST)
ON_CPU = [entry for entry in ENTRIES if not entry.on_gpu]
ON_GPU = [entry for entry in ENTRIES if entry.on_gpu]
# One for each graph of the cheats that are run in every change, and one for each combination of what a pass may need.
ATTACKED = {entry.graph for entry in of_each_kind(corpus.entries(corpus.CHEATS))}
TWINS = {entry.graph: entry for entry in reversed(ON_CPU) if entry.graph in ATTACKED}
NEEDING = {tuple(map(entry.fields.get, ("Level", "Needs", "Unseen", "Captured"))): entry for entry in reversed(ON_CPU)}


def test_the_corpus_is_large() -> None:
    assert len({entry.path for entry in ON_CPU}) >= 25
    assert len(ON_GPU) >= 4


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_its_text_is_clean(entry: corpus.Entry, tmp_path: Path) -> None:
    found = check_policy(pass_set(entry, tmp_path / "p"), entry.level)
    assert [violation.text() for violation in found] == []


@pytest.mark.parametrize("entry", others_slow(ON_CPU, [*TWINS.values(), *NEEDING.values()]), ids=ids)
def test_it_is_accepted(entry: corpus.Entry, judge: Judge, graphs: dict[str, Path], tmp_path: Path) -> None:
    if entry.missing:
        pytest.skip(entry.missing)
    check_honest(judged(judge, entry, graphs, pass_set(entry, tmp_path / "p")), entry)


def test_the_largest_by_blocks_is_not_eagers(judge: Judge, graphs: dict[str, Path], tmp_path: Path) -> None:
    """Of the equal values it takes others, in some of the compared calls."""
    entry = next(entry for entry in ON_CPU if entry.path.stem == "largest_by_blocks")
    record = judged(judge, entry, graphs, pass_set(entry, tmp_path / "p"))
    assert 0 < record.followed_calls < record.compared_calls


@pytest.mark.gpu
@pytest.mark.parametrize("entry", ON_GPU, ids=ids)
def test_it_is_accepted_on_a_gpu(
    entry: corpus.Entry, device_judge: Judge, graphs: dict[str, Path], tmp_path: Path
) -> None:
    record = judged(device_judge, entry, graphs, pass_set(entry, tmp_path / "p"), "cuda")
    check_honest(record, entry)
    assert record.timing is not None
    if entry.fields.get("Captured") == "yes":
        assert record.not_frozen, "its calls are replayed, so a captured call does not run it"
        assert record.timing.captured_speedup is not None, record.timing.not_captured
    assert record.kernels != ()  # null where the profiler does not work; else the pass's own were seen
    slowed = [pair for pair in device_judge.pairs if pair.candidate is not None and pair.loaded is None]
    assert len(slowed) == 1, "the next graph would be timed in a process that the profiler has slowed down"
