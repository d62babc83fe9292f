"""Reads run directories for a report: what can be read is kept, what cannot is said. No link is followed."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from passnet import authored
from passnet.agent.record.journal import EPISODE, end_of, read_episode
from passnet.agent.record.records import EpisodeRecord, Start, steps_of
from passnet.authored import one_line
from passnet.bench.record.contradictions import contradictions
from passnet.bench.record.line import MAX_RECORD_BYTES
from passnet.bench.record.records import SCHEMA, GraphRecord
from passnet.bench.record.run import (
    ENVIRONMENT,
    INCIDENTS,
    RECORDS,
    Incident,
    parse_record,
    read_environment,
    read_settings,
    refuse_other_encoding,
)
from passnet.errors import UsageError, blaming_machine, counted
from passnet.graph.discover import natural_key
from passnet.writing import lines_of

Line = TypeVar("Line", bound=BaseModel)
MOST_RECORDS: Final = 50_000
MOST_EPISODES: Final = 2_000
_MOST_LINES: Final = 4 * MOST_RECORDS
_MOST_EPISODE_BYTES: Final = 64 << 20
_SHOWN: Final = 3
_LONGEST_TEXT: Final = 200
_TASKS: Final = "tasks"


@dataclass(frozen=True)
class EpisodeData:
    """One episode of a run. `place`: its directory below the run. `seed`: it made the passes that others began with."""

    place: str
    records: tuple[EpisodeRecord, ...]
    seed: bool

    @property
    def start(self) -> Start:
        first = self.records[0]
        assert isinstance(first, Start), "an episode that was read begins with its start"
        return first

    @property
    def finished(self) -> bool:
        return end_of(self.records) is not None

    @property
    def chosen_by_its_figures(self) -> bool:
        """Whether its passes are the best of several by the figures that count: no measurement confirmed them."""
        end = end_of(self.records)
        scored = {step.files_hash for step in steps_of(list(self.records)) if step.observation.score is not None}
        return end is not None and end.confirmed is None and end.score is not None and len(scored) > 1


@dataclass(frozen=True)
class RunData:
    """One run as it was found. `problems`: what could not be read, in sentences."""

    path: Path
    name: str
    settings: Mapping[str, Any]
    environment: Mapping[str, Any]
    records: tuple[GraphRecord, ...]
    incidents: tuple[Incident, ...]
    episodes: tuple[EpisodeData, ...]
    problems: tuple[str, ...]

    @cached_property
    def by_task(self) -> Mapping[str, Sequence[GraphRecord]]:
        found: dict[str, list[GraphRecord]] = {}
        for record in self.records:
            found.setdefault(record.task, []).append(record)
        return found

    @property
    def is_agent(self) -> bool:
        return self.settings.get("kind") == "agent"

    @property
    def device(self) -> str:
        return text_of(self.settings.get("device"), "unknown device")

    @property
    def fp64_factor(self) -> float | None:
        """How many times eager's own error its protocol allows. None where the run does not say."""
        protocol = self.settings.get("protocol")
        found = protocol.get("fp64_factor") if isinstance(protocol, dict) else None
        return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None

    @property
    def machine(self) -> str:
        """The device by its name where the run has it, and its kind."""
        name = text_of(self.environment.get("cpu" if self.device == "cpu" else "gpu"), "")
        return f"{name} ({self.device})" if name else self.device

    @property
    def what(self) -> str:
        """What was measured: the author of passes, or the compiler."""
        compiler = text_of(self.settings.get("compiler"), "unknown compiler")
        return f"author {text_of(self.settings.get('author'), 'unknown')}" if self.is_agent else compiler

    @property
    def tamper_proof(self) -> bool:
        return bool(self.records) and all(record.tamper_proof for record in self.records)

    def protocols(self) -> Counter[str]:
        """Hash of a protocol -> number of its records. More than one: figures of several protocols are mixed."""
        return Counter(record.protocol_hash for record in self.records)


def text_of(value: object, otherwise: str) -> str:
    """A text of a record's field in one printable line; `otherwise` where the field holds no text."""
    return one_line(value)[:_LONGEST_TEXT] if isinstance(value, str) and value else otherwise


def read_runs(paths: Sequence[Path]) -> list[RunData]:
    """The runs, each with a name of its own.  Errors: `UsageError` for what is no run, is given twice or is empty."""
    resolved = [Path(os.path.realpath(path)) for path in paths]
    twice = next((path for path, count in Counter(resolved).items() if count > 1), None)
    if twice is not None:
        raise UsageError("the same run is given twice", path=twice, hint="give each run once")
    names = _names(resolved)
    return [_read_run(path, name) for path, name in zip(paths, names, strict=True)]


def _names(paths: Sequence[Path]) -> list[str]:
    """The last part of each path, with as many more parts as are needed to tell them apart."""
    for depth in range(1, max(len(path.parts) for path in paths) + 1):
        names = ["/".join(path.parts[-depth:]) for path in paths]
        if len(set(names)) == len(names):
            return [one_line(name) for name in names]
    return [one_line(str(path)) for path in paths]


def _read_run(path: Path, name: str) -> RunData:
    settings = read_settings(path)
    problems: list[str] = []
    records = _lines(path, RECORDS, _record, problems)
    latest = {record.key(): record for record in records}
    if len(latest) > MOST_RECORDS:
        raise UsageError("the run has too many graphs for one page", path=path, expected=f"at most {MOST_RECORDS}",
                         found=len(latest), hint="report parts of it, or use passnet score")  # fmt: skip
    episodes = tuple(_episodes(path, problems))
    if not latest and not episodes:
        why = problems[0] if problems else "it was stopped before its first graph; run it again"
        raise UsageError("the run has no record that can be shown", path=path, hint=why)
    return RunData(
        path=path,
        name=name,
        settings=settings,
        environment=_environment(path, problems),
        records=tuple(latest.values()),
        incidents=tuple(_lines(path, INCIDENTS, Incident.model_validate_json, problems)),
        episodes=episodes,
        problems=tuple(problems),
    )


def _record(line: bytes) -> GraphRecord:
    """The record of a line.  Errors: `UsageError` for one that no figure may count: it is of another schema version, or
    contradicts itself.
    """
    record = parse_record(line)
    if record.schema_version != SCHEMA:
        raise UsageError("a record of another schema version", expected=SCHEMA, found=record.schema_version)
    said = contradictions(record)
    if said:
        raise UsageError(f"it contradicts itself: {said[0]}")
    return record


def _lines(path: Path, file: str, parse: Callable[[bytes], Line], problems: list[str]) -> list[Line]:
    """The lines of a file in their form. Lines of another form are counted, and the first ones named."""
    found: list[Line] = []
    broken: list[str] = []
    if (path / file).is_symlink():
        problems.append(f"{file} is a link and was not read")
        return found
    # Lines are counted before any is parsed, which takes most of the time.
    if any(number > _MOST_LINES for number, _, _ in lines_of(path / file, MAX_RECORD_BYTES)):
        raise UsageError("too many lines for one page", path=path / file, expected=f"at most {_MOST_LINES}",
                         hint="use passnet score")  # fmt: skip
    for number, line, last in lines_of(path / file, MAX_RECORD_BYTES):
        try:
            found.append(parse(line))
        except UsageError as error:
            broken.append(f"line {number}: {one_line(str(error))}")
        except ValidationError as error:
            refuse_other_encoding(number, line, path / file)
            if last:
                problems.append(f"the last line of {file} is incomplete: the run was stopped while writing it")
            else:
                broken.append(f"line {number}: {one_line(error.errors(include_url=False)[0]['msg'])}")
    if broken:
        more = f", and {len(broken) - _SHOWN} more" if len(broken) > _SHOWN else ""
        problems.append(
            f"{counted(len(broken), 'line')} of {file} not of this version or against themselves, left out of every "
            f"figure ({'; '.join(broken[:_SHOWN])}{more})"
        )
    return found


def _environment(path: Path, problems: list[str]) -> Mapping[str, Any]:
    try:
        found = read_environment(path)
    except (OSError, ValueError) as error:
        problems.append(f"{ENVIRONMENT} cannot be read: {one_line(str(error))}")
        return {}
    if found is None:
        problems.append(f"{ENVIRONMENT} says nothing of the machine")
    return found or {}


def _episodes(path: Path, problems: list[str]) -> Iterator[EpisodeData]:
    for number, (place, seed) in enumerate(_episode_places(path)):
        if number >= MOST_EPISODES:
            problems.append(f"only the first {MOST_EPISODES} episodes are shown")
            return
        file = path / place / EPISODE
        try:
            size = file.lstat().st_size
            if size > _MOST_EPISODE_BYTES:
                raise UsageError("the file is too large to be shown", found=f"{size} bytes")
            records = read_episode(file)
        except (UsageError, OSError) as error:
            problems.append(f"the episode in {one_line(place)} cannot be shown: {one_line(str(error))}")
            continue
        if records:
            yield EpisodeData(place, tuple(records), seed)


def _episode_places(path: Path) -> Iterator[tuple[str, bool]]:
    """The directories with an episode, below the run, in order of task and attempt."""
    for task in _directories(path / _TASKS):
        for attempt in _directories(task):
            file = attempt / EPISODE
            if file.is_file() and not file.is_symlink():
                yield str(attempt.relative_to(path)), attempt.name == "seed"


def _directories(path: Path) -> list[Path]:
    """The directories in a directory, without links, in natural order. None where it cannot be read."""
    try:
        with blaming_machine(path), os.scandir(path) as entries:
            found = [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return sorted(found, key=lambda place: natural_key(place.name))


def planned_tasks(run: RunData) -> int | None:
    """How many tasks an author's run has, as its summary says. None where it does not."""
    file = run.path / "summary.json"
    try:
        found = authored.parse_json(authored.read_bytes(file)) if not file.is_symlink() else None
    except (OSError, ValueError):
        return None
    total = found.get("tasks_total") if isinstance(found, dict) else None
    return total if isinstance(total, int) else None


def protocol_rows(run: RunData) -> dict[str, str]:
    """The settings of a run's protocol as texts, by name."""
    protocol = run.settings.get("protocol")
    if not isinstance(protocol, dict):
        return {}
    return {one_line(str(key)): one_line(json.dumps(value)) for key, value in protocol.items()}
