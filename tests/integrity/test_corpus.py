"""The corpus says what it must, and a cheat counts as caught only where it ends as its docstring says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.records import Finding, GraphRecord
from passnet.bench.timing.captured import OTHER_OUTPUTS
from passnet.score import Outcome
from tests.integrity import corpus
from tests.integrity.endings import MOST_SPEEDUP, EndingError, read_endings

FIELDS = {
    "Class": "B1",
    "Graph": "scale_gelu",
    "Wins": "speed",
    "Level": "strict",
    "Caught by": "output truth",
    "Ends as": "accuracy",
}
KNOWN = corpus.FIELDS[corpus.CHEATS]


def record(
    outcome: Outcome,
    *checks: str,
    speedup: float | None = None,
    captured: float | None = None,
    why: str | None = None,
) -> GraphRecord:
    """What the bench says, as far as an ending looks at it."""
    found = tuple(Finding(**{"class": check, "layer": "any", "evidence": "any"}) for check in checks)
    figures = None
    if speedup is not None:
        figures = {"speedup": speedup, "speedup_ci": (0.95 * speedup, 1.05 * speedup), "not_captured": why}
        figures |= dict.fromkeys(("captured_speedup", "busy_speedup", "compiled_busy_us"), captured)
    timing: Any = type("Timing", (), figures) if figures is not None else None
    return GraphRecord.model_construct(outcome=outcome, findings=found, timing=timing, detail=None)


def test_all_docstrings_say_what_they_must() -> None:
    assert corpus.entries(corpus.CHEATS)
    assert corpus.entries(corpus.HONEST)


@pytest.mark.parametrize("name", [name for name, needed in KNOWN.items() if needed])
def test_a_missing_field_is_named(name: str) -> None:
    fields = {key: value for key, value in FIELDS.items() if key != name}
    assert any(f"no field `{name}`" in text for text in corpus.mistakes("A trick.", fields, KNOWN))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"Then by": "output truth"}, "unknown field `Then by`"),
        ({"Ends as": "caught"}, "expected `OUTCOME`"),
        ({"Inside Inductor": "runtime_error"}, "need a reason"),
        ({"Caught by": "somebody"}, "is none of"),
        ({"Caught by": "run-time guard"}, "of another layer"),
        ({"Ends as": "correct; nothing sees it"}, "of another layer"),
        ({"Ends as": "correct, no faster"}, "of another layer"),
        ({"Caught by": "proof of work", "Ends as": "integrity:output_reuse"}, "of another layer"),
        ({"Caught by": "no layer", "Ends as": "correct, no captured figure"}, "of another layer"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, str], told: str) -> None:
    assert corpus.mistakes("A trick.", FIELDS, KNOWN) == []
    assert any(told in text for text in corpus.mistakes("A trick.", FIELDS | change, KNOWN))


def test_all_files_that_are_wrong_are_named_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(corpus.FIELDS, tmp_path, KNOWN)
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text('"""A trick.\n\nClass: B1\n"""\n')
    with pytest.raises(corpus.CorpusError, match=r"(?s)one\.py: no field `Graph`.*other\.py: no field `Graph`"):
        corpus.entries(tmp_path)


@pytest.mark.parametrize(
    ("line", "told"),
    [("Ends as accuracy", "is no `Field: value`"), ("Ends as: accuracy\nEnds as: nan_inf", "`Ends as` is there twice")],
)
def test_a_line_that_would_be_lost_is_named(line: str, told: str, tmp_path: Path) -> None:
    fields = "".join(f"{key}: {value}\n" for key, value in FIELDS.items() if key != "Ends as")
    path = tmp_path / "cheat.py"
    path.write_text(f'"""A trick.\n\n{fields}Ends as: accuracy\n"""\n')
    assert corpus.wrong_in(path, KNOWN) == []
    path.write_text(f'"""A trick.\n\n{fields}{line}\n"""\n')
    assert any(told in text for text in corpus.wrong_in(path, KNOWN))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "correct",
        "integrity",
        "integrity:nothing",
        "unstable",
        "reference_error; nobody knows",
        "runtime_error",
        "no_match",
        "timeout",
        "compile_error",
        "nan_inf or accuracy",
        "accuracy or accuracy; twice",
        "accuracy or nan_inf or shape_mismatch or timeout; too many",
    ],
)
def test_what_is_no_demand(text: str) -> None:
    with pytest.raises(EndingError):
        read_endings(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("accuracy", record(Outcome.ACCURACY)),
        ("nan_inf or accuracy; as it happens", record(Outcome.ACCURACY)),
        ("runtime_error; it ends its process", record(Outcome.RUNTIME_ERROR)),
        ("integrity:output_reuse", record(Outcome.INTEGRITY, "library_call", "output_reuse")),
        ("correct, no faster", record(Outcome.CORRECT, speedup=1.04 * MOST_SPEEDUP)),
        ("correct; only its text gives it away", record(Outcome.CORRECT, speedup=3.0)),
        ("correct, no captured figure", record(Outcome.CORRECT, speedup=0.4, why=OTHER_OUTPUTS)),
    ],
)
def test_it_ends_as_it_must(text: str, found: GraphRecord) -> None:
    read_endings(text).check(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *(("accuracy", record(outcome)) for outcome in Outcome if outcome is not Outcome.ACCURACY),
        *(("correct, no faster", record(outcome)) for outcome in Outcome),
        ("integrity:output_reuse", record(Outcome.INTEGRITY, "library_call")),
        ("correct, no faster", record(Outcome.CORRECT, speedup=1.07 * MOST_SPEEDUP)),
        ("correct, no captured figure", record(Outcome.CORRECT, speedup=0.4, captured=9.0)),
        ("correct, no captured figure", record(Outcome.CORRECT, speedup=0.4, captured=9.0, why=OTHER_OUTPUTS)),
        ("correct, no captured figure", record(Outcome.CORRECT, speedup=0.4, why="the candidate: it waits")),
        ("correct, no captured figure", record(Outcome.CORRECT, speedup=0.4)),
        ("correct, no captured figure", record(Outcome.NAN_INF)),
    ],
)
def test_another_end_is_not_caught(text: str, found: GraphRecord) -> None:
    with pytest.raises(AssertionError, match="it must end as"):
        read_endings(text).check(found)
