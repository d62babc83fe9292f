"""How the corpus is judged: a short protocol, the judge on one entry, and what must come of an honest pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.evaluate import pass_files
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.graph import Graph
from passnet.rewrite import PassSet, read_pass_set
from passnet.score import Outcome
from tests.integrity import corpus
from tests.integrity.endings import ended

Report = Callable[[str, object], None]
QUICK = Protocol(
    precision=0.05,
    least_pairs=2,
    most_pairs=2,
    open_pairs=2,
    visit_groups=4,
    most_groups=4,
    deployed_groups=0,
    block_us=2000.0,
    warmup_calls=5,
    spot_checks=6,
    max_half_width=1e9,
    control_band=1e9,
    build_s=60.0,
    first_call_s=5.0,
)
ON_DEVICE = QUICK.model_copy(update={"device_bytes": 1 << 30, "first_call_s": 30.0})
# Of the entries that are about captured calls; the others take their time in none.
_CAPTURED_GROUPS = 3
# What counts as a win against the naive harness.
FAST = 1.5


def ids(entry: corpus.Entry) -> str:
    return entry.name


def of_each_kind(cheats: list[corpus.Entry]) -> list[corpus.Entry]:
    """The first cheat of each class and of each way in which it must end when it is run."""
    return list({(entry.fields["Class"], entry.endings.ways): entry for entry in reversed(cheats)}.values())


def others_slow(entries: list[corpus.Entry], sample: list[corpus.Entry]) -> list[Any]:
    """All entries as parameters of a test; those that are not in the sample are slow."""
    return [pytest.param(entry, marks=() if entry in sample else pytest.mark.slow) for entry in entries]


def pass_set(entry: corpus.Entry, directory: Path, text: str | None = None) -> PassSet:
    """The entry's pass set, read from a new directory; `text` takes the place of its file's own."""
    made = entry.pass_dir(directory)
    if text is not None:
        (made / entry.path.name).write_text(text)
    return read_pass_set(made)


def judged(
    judge: Judge,
    entry: corpus.Entry,
    graphs: dict[str, Path],
    passes: PassSet,
    device: str = "cpu",
    compiler: str = "passes",
) -> GraphRecord:
    """The verdict on the pass when it is run, whatever the source policy says of its text."""
    if entry.is_captured:
        judge = replace(judge, protocol=judge.protocol.model_copy(update={"captured_groups": _CAPTURED_GROUPS}))
    path, files = graphs[entry.graph], pass_files(passes)
    variants = (Graph.read(graphs[entry.variant]),) if entry.variant else ()
    return judge.judge(Job("corpus", entry.path.stem, path, Graph.read(path), compiler, device, files, variants))


def reported(record: GraphRecord, record_property: Report) -> GraphRecord:
    """The record; how it ended goes into the test's report, from where `benchmarks/integrity_corpus.py` takes it."""
    record_property("ended", ended(record))
    return record


def check_honest(record: GraphRecord, entry: corpus.Entry) -> None:
    """An honest pass is correct, timed, and nothing is found."""
    assert record.outcome is Outcome.CORRECT, record.detail
    assert record.findings == ()
    assert record.timing is not None
    assert record.replacements == {entry.path.stem: 1}
    answer = record.unseen.answer if record.unseen else None
    assert answer == entry.fields.get("Unseen"), f"on unseen shapes: {answer}, {record.unseen}"
