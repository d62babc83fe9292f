"""`benchmarks/README.md` has a row for every script and names every result, once."""

from __future__ import annotations

import re

from tests.docs import house

BENCHMARKS = house.ROOT / "benchmarks"
PAGE = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
ROWS = house.table(PAGE)


def test_every_script_has_a_row_or_is_shared() -> None:
    shared = re.findall(r"`(\w+\.py)` \(", PAGE[PAGE.index("Shared by them") :])
    named = [row[0].strip("`") for row in ROWS]
    assert sorted([*named, *shared]) == sorted(path.name for path in BENCHMARKS.glob("*.py"))


def test_every_result_is_in_the_row_of_the_script_that_wrote_it() -> None:
    results = {file: row[0] for row in ROWS for file in re.findall(r"`([\w-]+)`", row[2])}
    assert sorted(results) == sorted(path.stem for path in (BENCHMARKS / "results").glob("*.json"))


def test_what_a_script_needs_is_there() -> None:
    for row in ROWS:
        for name in re.findall(r"`([\w.]+)`", row[3]):
            assert (BENCHMARKS / name).exists(), name
