"""The fuzzer for its budget: rewritten cheats stay refused and fail, rewritten honest passes stay clean and accepted.

Texts are read for `PASSNET_FUZZ_S` seconds a test; `PASSNET_FUZZ_JUDGED` mutants a test are really run (slow).
`PASSNET_FUZZ_SEED` decides both; a failure is repeated with its seed.
"""

from __future__ import annotations

import ast
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from passnet.bench.verdict.judge import Judge
from passnet.rewrite import check_policy
from passnet.rewrite.policy.check import Violation
from tests.integrity import corpus, fuzz
from tests.integrity.judging import check_honest, judged, pass_set

pytestmark = pytest.mark.integrity
BUDGET_S = float(os.environ.get("PASSNET_FUZZ_S", "8"))
JUDGED = int(os.environ.get("PASSNET_FUZZ_JUDGED", "8"))
SEED = int(os.environ.get("PASSNET_FUZZ_SEED", "20"))
ENTRIES = corpus.entries(corpus.CHEATS)
# Written anew they are no cheats any more: their trick is how the lines of a text lie.
_BY_LINES = frozenset({"device/read_without_its_indentation"})
CHEATS = [entry for entry in ENTRIES if entry.refused_as_text and entry.name not in _BY_LINES]
HONEST = corpus.entries(corpus.HONEST)
_LEAST = 20


def violations(mutant: fuzz.Mutant, directory: Path) -> tuple[Violation, ...]:
    return check_policy(pass_set(mutant.entry, directory, mutant.text), mutant.entry.level)


def runnable(entry: corpus.Entry) -> bool:
    return not entry.on_gpu and entry.missing is None


def mutant(entries: list[corpus.Entry], seed: int, number: int) -> fuzz.Mutant:
    """One of those that are to be judged, which are of different entries as far as there are."""
    rng = random.Random(seed)
    chosen = rng.sample(entries, min(JUDGED, len(entries)))
    return [fuzz.mutant(chosen[index % len(chosen)], rng) for index in range(number + 1)][-1]


def within_budget(rng: random.Random) -> Iterator[tuple[int, int]]:
    """Seeds of mutants until the budget is used up, and at least a few."""
    deadline, count = time.monotonic() + BUDGET_S, 0
    while count < _LEAST or time.monotonic() < deadline:
        yield rng.getrandbits(32), count
        count += 1


def test_rewritten_cheats_are_still_refused(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    for seed, number in within_budget(rng):
        entry = CHEATS[number % len(CHEATS)]
        mutant = fuzz.mutant(entry, random.Random(seed))
        assert violations(mutant, tmp_path / str(number)), (
            f"{entry.name} by {mutant.steps}, seed {seed}:\n{mutant.text}"
        )


def test_cheats_side_by_side_are_still_refused(tmp_path: Path) -> None:
    rng = random.Random(SEED + 1)
    for seed, number in within_budget(rng):
        pair = random.Random(seed)
        mutant = fuzz.combined(*pair.sample(CHEATS, 2), pair)
        assert violations(mutant, tmp_path / str(number)), f"seed {seed}:\n{mutant.text}"


def test_rewritten_honest_passes_are_still_clean(tmp_path: Path) -> None:
    rng = random.Random(SEED + 2)
    for seed, number in within_budget(rng):
        entry = HONEST[number % len(HONEST)]
        mutant = fuzz.mutant(entry, random.Random(seed))
        found = [violation.text() for violation in violations(mutant, tmp_path / str(number))]
        assert found == [], f"{entry.name} by {mutant.steps}, seed {seed}:\n{mutant.text}"


def test_every_mutation_changes_something() -> None:
    rng = random.Random(SEED)
    for name, mutation in fuzz.MUTATIONS.items():
        texts = [entry.path.read_text() for entry in HONEST]
        changed = [ast.unparse(ast.fix_missing_locations(mutation(ast.parse(t), rng))) for t in texts]
        assert any(new != ast.unparse(ast.parse(old)) for new, old in zip(changed, texts, strict=True)), name


@pytest.mark.slow
@pytest.mark.parametrize("number", range(JUDGED))
def test_rewritten_cheats_still_fail_when_they_run(
    number: int, judge: Judge, graphs: dict[str, Path], tmp_path: Path
) -> None:
    """Whatever their texts say, so that it is not the source policy alone that a rewritten cheat has to get past."""
    made = mutant([entry for entry in ENTRIES if runnable(entry)], SEED + 3, number)
    record = judged(judge, made.entry, graphs, pass_set(made.entry, tmp_path / "p", made.text))
    with told(made):
        made.entry.endings.check(record)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(JUDGED))
def test_rewritten_honest_passes_are_still_accepted(
    number: int, judge: Judge, graphs: dict[str, Path], tmp_path: Path
) -> None:
    made = mutant([entry for entry in HONEST if runnable(entry)], SEED + 4, number)
    record = judged(judge, made.entry, graphs, pass_set(made.entry, tmp_path / "p", made.text))
    with told(made):
        check_honest(record, made.entry)


@contextmanager
def told(mutant: fuzz.Mutant) -> Iterator[None]:
    """A failure says which text it is about."""
    try:
        yield
    except AssertionError as error:
        raise AssertionError(f"{mutant.entry.name} by {mutant.steps}: {error}\n{mutant.text}") from error
