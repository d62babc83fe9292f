"""An episode's file: one record a line.

Each record is on disk before the next action. A broken last line is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from passnet.agent.record.records import SCHEMA, End, EpisodeRecord, Start, parse
from passnet.errors import UsageError
from passnet.writing import append_line, end_broken_line, lines_of

EPISODE = "episode.jsonl"


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
        return read_episode(self.path) if self.path.exists() else []

    def mend(self) -> None:
        """Remove the incomplete last line that a crash left, so that the next record starts on a new line."""
        end_broken_line(self.path)

    def put_aside(self) -> None:
        """Keep the file of an episode that is begun again under another name."""
        number = 1
        while (aside := self.directory / f"episode-{number}.jsonl").exists():
            number += 1
        self.path.rename(aside)


def read_episode(path: Path) -> list[EpisodeRecord]:
    """The records of an episode's file.

    Raises UsageError when there is no such file or it is of another form.
    """
    if not path.is_file():
        raise UsageError("no such file", path=path, expected=f"the {EPISODE} of an episode")
    records: list[EpisodeRecord] = []
    for number, line, last in lines_of(path):
        try:
            records.append(parse(line))
        except ValidationError as error:
            if last:  # the run was killed while writing it
                continue
            problem = error.errors(include_url=False)[0]
            raise UsageError(
                f"line {number} is no record of an episode: {problem['msg']}",
                path=path,
                field=".".join(str(part) for part in problem["loc"]) or None,
            ) from error
    _check(records, path)
    return records


def _check(records: Sequence[EpisodeRecord], path: Path) -> None:
    if records and not isinstance(records[0], Start):
        raise UsageError("the first record is not the start of an episode", path=path)
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
