"""The fuzzer for its budget: rewritten cheats stay refused, rewritten honest passes stay clean."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

import pytest

from passnet.rewrite import check_policy, read_pass_set
from passnet.rewrite.policy import Violation
from tests.integrity import corpus, fuzz

pytestmark = pytest.mark.integrity
# Seconds for each of the tests, and the seed; a failure is repeated with its seed and no other budget.
BUDGET_S = float(os.environ.get("PASSNET_FUZZ_S", "8"))
SEED = int(os.environ.get("PASSNET_FUZZ_SEED", "20"))
CHEATS = [entry for entry in corpus.entries(corpus.CHEATS) if entry.fields["Caught by"] == "source policy"]
HONEST = corpus.entries(corpus.HONEST)
_LEAST = 20


def violations(mutant: fuzz.Mutant, directory: Path) -> tuple[Violation, ...]:
    mutant.entry.pass_dir(directory)
    (directory / mutant.entry.path.name).write_text(mutant.text)
    manifest = directory / "sorted_output_pass_rule_names.json"
    manifest.write_text(json.dumps([mutant.entry.path.stem]))
    return check_policy(read_pass_set(directory), mutant.entry.level)


def within_budget(rng: random.Random):
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
        changed = [fuzz.ast.unparse(fuzz.ast.fix_missing_locations(mutation(fuzz.ast.parse(t), rng))) for t in texts]
        assert any(new != fuzz.ast.unparse(fuzz.ast.parse(old)) for new, old in zip(changed, texts, strict=True)), name
