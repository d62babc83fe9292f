"""Cheats on a GPU: each wins against a naive harness there, and ends here as its docstring says, in no other way.

What their texts say is looked at without a GPU too. With one: `pytest -m "gpu and integrity" tests/integrity`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.verdict.judge import Judge
from passnet.rewrite import check_policy
from tests.integrity import corpus
from tests.integrity.judging import FAST, Report, ids, judged, pass_set, reported

pytestmark = pytest.mark.integrity
ENTRIES = [entry for entry in corpus.entries(corpus.CHEATS) if entry.on_gpu]
ROOT = Path(__file__).resolve().parents[2]
_NAIVE_S = 240


@pytest.fixture(scope="module")
def verdicts(device: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the naive harness says of every entry."""
    target = tmp_path_factory.mktemp("naive") / "verdicts.json"
    command = [sys.executable, "-m", "tests.integrity.naive_device", str(target)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_NAIVE_S, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(target.read_text())
    return found


@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_what_its_text_gives_away(entry: corpus.Entry, tmp_path: Path) -> None:
    found = check_policy(pass_set(entry, tmp_path / "p"), entry.level)
    assert bool(found) == entry.refused_as_text


@pytest.mark.gpu
@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_it_wins_against_a_naive_harness_on_a_gpu(entry: corpus.Entry, verdicts: dict[str, Any]) -> None:
    verdict = verdicts[entry.name]
    assert verdict["right"], verdict["text"]
    if entry.fields["Wins"] == "speed":
        assert verdict["speedup"] > FAST, verdict["text"]


@pytest.mark.gpu
@pytest.mark.parametrize("entry", ENTRIES, ids=ids)
def test_how_it_ends_on_a_gpu_whatever_its_text_says(
    entry: corpus.Entry, device_judge: Judge, graphs: dict[str, Path], tmp_path: Path, record_property: Report
) -> None:
    record = judged(device_judge, entry, graphs, pass_set(entry, tmp_path / "p"), "cuda")
    entry.endings.check(reported(record, record_property))
