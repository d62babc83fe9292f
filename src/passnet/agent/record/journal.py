"""An episode's file: one record a line.

Each record is on disk before the next action. A broken last line is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from passnet.agent.record.records import SCHEMA, End, EpisodeRecord, Start, parse
from passnet.errors import UsageError, shortened, shown
from passnet.writing import append_line, end_broken_line, lines_of, put_aside, reading

EPISODE = "episode.jsonl"
# All records are in memory at once.
MOST_BYTES = 1 << 30
# Every record begins so, as far as it was written.
_BEGINNING = b'{"schema_version":'
_HINT = "put the file back as it was written, or begin another run"


@dataclass(frozen=True)
class Journal:
    """The file of one episode in its directory."""

    directory: Path

    @property
    def path(self) -> Path:
        return self.directory / EPISODE

    def append(self, record: EpisodeRecord) -> None:
        append_line(self.path, record.model_dump_json())

    def read(self) -> list[EpisodeRecord]:
        """All records in order. Empty when the episode has not begun.

        Raises UsageError for a file of another form.
        """
        return read_episode(self.path) if os.path.lexists(self.path) else []

    def mend(self) -> None:
        """Remove the incomplete last line that a crash left, so that the next record starts on a new line."""
        end_broken_line(self.path)

    def put_aside(self) -> None:
        """Keep the file of an episode that is begun again under another name."""
        put_aside(self.path)


def read_episode(path: Path) -> list[EpisodeRecord]:
    """The records of an episode's file.

    Each line but a broken last one is a record, so a record's place is its line. Whether the records follow from each
    other is another question, see `env.redo`. Raises UsageError with the line when it is of another form.
    """
    if not os.path.lexists(path):
        raise UsageError("no such file", path=path, expected=f"the {EPISODE} of an episode")
    with reading(path):
        size = path.stat().st_size
    if size > MOST_BYTES:
        raise UsageError("the file is too large", path=path, expected=f"at most {MOST_BYTES} bytes", found=size)
    records: list[EpisodeRecord] = []
    broken = False
    for number, line, broken in lines_of(path):
        if number != len(records) + 1:
            raise UsageError(
                f"line {len(records) + 1} is empty",
                path=path,
                expected="a record of the episode in each line",
                hint=_HINT,
            )
        try:
            records.append(parse(line))
        except ValidationError as error:
            if broken and line.startswith(_BEGINNING[: len(line)]):  # the run was killed while writing it
                continue
            problem = error.errors(include_url=False)[0]
            raise UsageError(
                f"line {number} is no record of an episode: {shortened(problem['msg'])}",
                path=path,
                field=".".join(str(part) for part in problem["loc"]) or None,
                found=None if problem["type"] == "json_invalid" else shown(problem["input"]),
                hint=_HINT,
            ) from error
    if size and not records and not broken:
        raise UsageError("the file holds no record", path=path, expected="a record in each line", hint=_HINT)
    _check(records, path)
    return records


def _check(records: Sequence[EpisodeRecord], path: Path) -> None:
    if records and not isinstance(records[0], Start):
        raise UsageError(
            "line 1: the first record is not the start of an episode", path=path, expected="a record of kind start",
            found=records[0].kind, hint=_HINT,
        )  # fmt: skip
    for line, record in enumerate(records[1:], start=2):
        # An interruption just after the end has a record of its own.
        over = end_of(records[line - 2 : line - 1]) is not None and not isinstance(record, End)
        if isinstance(record, Start) or over:
            raise UsageError(
                f"line {line}: the record has no place here", path=path, found=record.kind, hint=_HINT,
                expected="one start, and only ends behind an end",
            )  # fmt: skip
    foreign = next((record for record in records if record.schema_version != SCHEMA), None)
    if foreign is not None:
        raise UsageError(
            "records of another schema version", path=path, expected=SCHEMA, found=foreign.schema_version,
            hint="read it with the version that wrote it",
        )  # fmt: skip


def end_of(records: Sequence[EpisodeRecord]) -> End | None:
    """The record that ends an episode for good. None while the episode may go on."""
    last = records[-1] if records else None
    return last if isinstance(last, End) and last.exit_reason.final else None
