"""Large runs: a reader is told how far reading is, only what is scored is kept, and other encodings are named."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from passnet.bench.record import rescore
from passnet.bench.record.records import GraphRecord
from passnet.bench.record.run import RECORDS
from passnet.errors import UsageError
from passnet.report.recorded import read_recorded
from passnet.report.run import reading
from tests.report.recorded_runs import benchmark, write_run
from tests.score.score_oracle import Block, write_log


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", benchmark(4, 5))


def test_the_reading_of_a_large_run_is_told(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    rescore.rescore(run, rescore.Options(), told.append)
    assert told == []
    monkeypatch.setattr(rescore, "_LARGE_BYTES", 1000)
    monkeypatch.setattr(rescore, "_SAID_EVERY", 8)
    rescore.rescore(run, rescore.Options(), told.append)
    assert told[0].startswith(f"reading {run / RECORDS}, ")
    assert told[1:] == ["8 records read", "16 records read", "scoring 20 graphs"]


def test_the_reading_of_a_large_log_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "validation.log"
    log.write_text(write_log([Block("a")]))
    told: list[str] = []
    monkeypatch.setattr(rescore, "_LARGE_BYTES", 10)
    rescore.rescore(log, rescore.Options(), told.append)
    assert [line.startswith(f"reading {log}, ") for line in told] == [True]


def test_whole_records_are_not_kept(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refs: list[weakref.ref[GraphRecord]] = []
    most_alive = 0
    each = rescore.each_record

    def watched(path: Path) -> Iterator[GraphRecord]:
        nonlocal most_alive
        for record in each(path):
            refs.append(weakref.ref(record))
            most_alive = max(most_alive, sum(ref() is not None for ref in refs))
            yield record

    monkeypatch.setattr(rescore, "each_record", watched)
    assert len(rescore.read_measured(run).results) == len(refs) == 20
    assert most_alive <= 3


def test_a_repeated_graph_counts_by_its_last_record(run: Path) -> None:
    lines = (run / RECORDS).read_text().splitlines()
    again = GraphRecord.model_validate_json(lines[0]).model_copy(update={"tamper_proof": False})
    with (run / RECORDS).open("a") as file:
        file.write(again.model_dump_json(by_alias=True) + "\n")
    found = rescore.read_measured(run)
    assert len(found.results) == 20 and found.source["tamper_proof"] is False


def test_a_report_counts_lines_before_it_reads_them(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_LINES", 19)
    monkeypatch.setattr(reading, "parse_record", lambda _: pytest.fail("a line was parsed"))
    with pytest.raises(UsageError, match="too many lines for one page"):
        reading.read_runs([run])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("lines", [1, 20])
def test_another_encoding_is_named(run: Path, encoding: str, lines: int) -> None:
    text = "".join((run / RECORDS).read_text().splitlines(keepends=True)[:lines])
    (run / RECORDS).write_bytes(text.encode(encoding))
    for read in (rescore.read_measured, read_recorded, lambda path: reading.read_runs([path])):
        with pytest.raises(UsageError, match="is no UTF-8 text"):
            read(run)
