"""The load of `benchmarks/training_load.py`: which sets are in it, and what is a false reward."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from passnet.rewrite import check_policy, read_pass_set

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import training_load

    return training_load


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_a_round_has_sixteen_planted_sets_and_no_text_twice(script: ModuleType, device: str) -> None:
    sets = [*script.pass_sets(device, 48, 0), *script.pass_sets(device, 48, 1)]
    assert Counter(one.kind for one in sets) == {"honest": 96, **dict.fromkeys(script.PLANTED, 8)}
    assert len({tuple(one.files.values()) for one in sets}) == len(sets)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_the_source_policy_refuses_no_honest_set_and_few_planted_ones(
    script: ModuleType, device: str, tmp_path: Path
) -> None:
    refused = []
    for number, one in enumerate(script.pass_sets(device, 48, 0)):
        place = tmp_path / str(number)
        place.mkdir()
        for name, text in one.files.items():
            (place / name).write_text(text)
        if check_policy(read_pass_set(place), "strict"):
            refused.append(one)
    assert {one.kind for one in refused} <= {"cheating"}
    assert len(refused) <= 2


def answer(number: int, kind: str, reward: float | None, outcome: str) -> dict[str, Any]:
    row = {"number": number, "kind": kind, "what": "x", "status": 200, "reward": reward, "outcome": outcome}
    return {**row, "judged": 1.0, "start": 0.0, "asked": 10.0 * number, "wall": 10.0}


def test_a_planted_set_that_is_rewarded_is_false_and_no_answer_is_no_reward(script: ModuleType) -> None:
    rows = [
        answer(0, "honest", 1.5, "correct"),
        answer(1, "wrong", 0.1, "accuracy"),
        answer(2, "cheating", 1.2, "correct"),
        answer(3, "crashing", None, "infrastructure"),
    ]
    options = argparse.Namespace(by="service", precision=0.05, at=8, seed=1, graphs=1)
    found = script.reduced(options, rows, [])
    assert [one["number"] for one in found["false_rewards"]] == [2]
    assert [one["number"] for one in found["without_reward"]] == [3]
    assert found["rewards_per_minute"] == pytest.approx(60 * 3 / 40)
    assert found["planted"] == 2


def test_memory_is_compared_after_its_first_quarter(script: ModuleType) -> None:
    mib = 1 << 20
    sizes = [9, 1, 2, 2, 2, 2, 3, 3]
    rows = [{"start": 0.0, "at": float(n), "pss": size * mib, "own": mib} for n, size in enumerate(sizes)]
    found = script.of_start(rows, 0.0)
    assert (found["pss"]["second_quarter"], found["pss"]["last_quarter"], found["pss"]["most"]) == (2.0, 3.0, 9.0)
    assert found["own"]["second_quarter"] == found["own"]["last_quarter"] == 1.0
