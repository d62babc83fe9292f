"""A run directory: settings, environment, append-only records. The same name resumes. Other settings are refused."""

from __future__ import annotations

import codecs
import difflib
import errno
import fcntl
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from passnet import authored
from passnet.bench.record.contradictions import refuse_contradictory
from passnet.bench.record.line import MAX_RECORD_BYTES, fitting
from passnet.bench.record.records import SCHEMA, GraphRecord
from passnet.errors import UsageError
from passnet.graph.discover import walked
from passnet.score import OUTCOME_RULES, Outcome, Owner
from passnet.writing import append_line, end_broken_line, lines_of, write_json, writing

SETTINGS, ENVIRONMENT, RECORDS, SCORE = "settings.json", "environment.json", "records.jsonl", "aggregated_score.json"
INCIDENTS = "incidents.jsonl"
# Of the commands that have these options. Others say what they have.
OTHER_RUN = "give another --run name, or choose another with --runs DIR"
_ELSEWHERE = "use another directory"
_MOST_CHILDREN = 10_000
# Of a file's name, in bytes.
_LONGEST_NAME = 255
_FIRST_FILES = frozenset({ENVIRONMENT, *(f".{name}.partial" for name in (ENVIRONMENT, SETTINGS))})


class Incident(BaseModel):
    """A graph was tried again. `at`: seconds since the epoch. `attempt`: how often the machine failed at it by then.

    `device` is None where an earlier command ended without a verdict on the graph.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: float
    task: str
    graph: str
    device: str | None
    attempt: int
    reason: str


@dataclass
class Run:
    """One open run directory, with the records that count: the last one written for each graph."""

    path: Path
    settings: dict[str, Any]
    records: dict[tuple[str, ...], GraphRecord] = field(default_factory=dict)
    _lock: int = -1

    @classmethod
    def open(
        cls,
        path: Path,
        settings: dict[str, Any],
        environment: dict[str, Any],
        *,
        checks: bool = False,
        elsewhere: str = _ELSEWHERE,
    ) -> Run:
        """Create the directory, or resume it when it holds a run of the same settings. UsageError otherwise.

        `checks`: graphs of this run may be right without having been timed. `elsewhere`: how a user of this command
        names another directory.
        """
        settings = {"schema": SCHEMA, **json.loads(json.dumps(settings))}
        _make_directory(path, elsewhere)
        run = cls(path, settings, _lock=_lock(path, elsewhere))
        with ExitStack() as undo:  # a caller that gets no run cannot release its lock
            undo.callback(run.close)
            _refuse_links(path)
            if (path / SETTINGS).exists():
                _check_same(read_settings(path, elsewhere), settings, path, elsewhere)
            else:
                _create(path, settings, environment, elsewhere)
            end_broken_line(path / RECORDS)
            end_broken_line(path / INCIDENTS)
            run.records = {record.key(): record for record in each_record(path, checks=checks)}
            undo.pop_all()
        return run

    def done(self, key: tuple[str, ...]) -> GraphRecord | None:
        """The finished record of a graph. Failures of the harness or the reference are tried again."""
        record = self.records.get(key)
        if record is None or OUTCOME_RULES[record.outcome].owner is not Owner.CANDIDATE:
            return None
        return record

    def append(self, record: GraphRecord) -> None:
        """Write one record durably. A crash can at worst leave one broken last line, which reading skips."""
        record, line = fitting(record)
        append_line(self.path / RECORDS, line)
        self.records[record.key()] = record

    def note(self, incident: Incident) -> None:
        """Write durably that a graph was tried again, and why."""
        append_line(self.path / INCIDENTS, incident.model_dump_json())

    def write_score(self, task: str, aggregated: float | None) -> None:
        """The published `aggregated_score.json` of one task."""
        target = self.path / "tasks" / place_of(task) / SCORE
        with writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        write_json(target, {"id": task, "score": aggregated})

    def close(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def refuse_names(tasks: Sequence[str]) -> None:
    """UsageError for tasks that a run has no directory for: a name too long for one, or two names with the same."""
    first: dict[str, str] = {}
    for task in tasks:
        place = place_of(task)
        if len(place.encode()) > _LONGEST_NAME:
            raise UsageError(
                "a task's name is too long for a directory of the run", field=f"{task[:60]}...",
                expected=f"at most {_LONGEST_NAME} bytes", found=f"{len(place.encode())} bytes",
                hint="rename it; a list names graphs of one name by their paths, so evaluate them in separate runs",
            )  # fmt: skip
        other = first.setdefault(place, task)
        if other != task:
            raise UsageError(
                f"the tasks {other!r} and {task!r} would share a directory of the run", found=place,
                hint="evaluate them in separate runs",
            )  # fmt: skip


def place_of(task: str) -> str:
    """The name of a task's directory in a run."""
    return task.replace("/", "_")


def read_settings(path: Path, elsewhere: str = "name another run") -> dict[str, Any]:
    """The settings of a run directory. UsageError when it is none, or has another schema version.

    `elsewhere`: what a user can do who meant to write there.
    """
    file = path / SETTINGS
    try:
        settings = authored.parse_json(authored.read_bytes(file))
    except (FileNotFoundError, NotADirectoryError) as error:
        what = "not a run directory" if os.path.lexists(path) else "not a run directory: nothing is there"
        raise UsageError(what, path=path, expected=f"a file {SETTINGS}", hint=_hint_for(path)) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"unreadable run settings: {error}", path=file, hint=elsewhere) from error
    if not isinstance(settings, dict) or settings.get("schema") != SCHEMA:
        found = settings.get("schema") if isinstance(settings, dict) else type(settings).__name__
        raise UsageError(
            "run directory of another schema version",
            path=path,
            expected=SCHEMA,
            found=found,
            hint=f"{elsewhere}, or read it with the version that wrote it",
        )
    return settings


def no_records(path: Path) -> UsageError:
    """The error for a run of which no record can be read: it was stopped too early, or its lines are broken."""
    if not any(line.strip() for _, line, _ in lines_of(path / RECORDS, MAX_RECORD_BYTES)):
        return UsageError(
            "the run has no records", path=path, hint="it was stopped before its first graph; run it again"
        )
    return UsageError(
        "the run has no records: its only line is cut", path=path / RECORDS, expected="a JSON object in each line",
        hint="the same `passnet eval` command judges that graph again",
    )  # fmt: skip


def _hint_for(path: Path) -> str:
    """What to give in place of a path that is no run: the run that a file is part of, or runs inside or beside it."""
    if path.is_file() and (path.parent / SETTINGS).is_file():
        return f"it is a file of one; give {path.parent}"
    inside = _runs_in(path)
    if inside:
        return f"{len(inside)} of its directories {'is one' if len(inside) == 1 else 'are'}; give {inside[0]}"
    beside = {str(run): run for place in (path.parent, Path("runs")) for run in _runs_in(place)}
    near = difflib.get_close_matches(path.name, [run.name for run in beside.values()], n=1, cutoff=0.5)
    found = next((name for name, run in beside.items() if near and run.name == near[0]), None)
    return f"did you mean {found}?" if found else "give runs/NAME"


def _runs_in(directory: Path) -> list[Path]:
    """The runs that stand in a directory, sorted. Of a large directory only the first entries are looked at."""
    try:
        children = list(islice(directory.iterdir(), _MOST_CHILDREN)) if directory.is_dir() else []
    except OSError:
        children = []
    return sorted(child for child in children if (child / SETTINGS).is_file())


def given_twice(paths: Sequence[Path]) -> Path | None:
    """The first path that is an earlier one again, as a link too. None where each is another place."""
    places = [os.path.realpath(path) for path in paths]
    return next((path for at, path in enumerate(paths) if places[at] in places[:at]), None)


def read_records(path: Path) -> list[GraphRecord]:
    """All records of a run in the order written, only the last of each graph. A broken last line is skipped."""
    return list({record.key(): record for record in each_record(path)}.values())


def read_environment(path: Path) -> Mapping[str, Any] | None:
    """What a run says of the machine. None where it says nothing.

    OSError or ValueError when the file cannot be read. A link is not followed: a stranger's run may lead anywhere.
    """
    file = path / ENVIRONMENT
    found = None if file.is_symlink() else authored.parse_json(authored.read_bytes(file))
    return found if isinstance(found, dict) and found else None


def each_record(path: Path, *, checks: bool = False) -> Iterator[GraphRecord]:
    """The records of a run one after the other, older ones of a graph too. A broken last line is skipped.

    UsageError for a line that is no record, and for a record that contradicts itself.
    """
    for number, line, last in lines_of(path / RECORDS, MAX_RECORD_BYTES):
        try:
            record = parse_record(line, checks=checks)
        except ValidationError as error:
            refuse_other_encoding(number, line, path / RECORDS)
            if last:  # the run was killed while writing it
                continue
            problem = error.errors()[0]
            where = ".".join(str(part) for part in problem["loc"]) or None
            raise UsageError(
                f"line {number} is not a record of this version: {problem['msg']}", path=path / RECORDS, field=where
            ) from error
        if record.schema_version != SCHEMA:
            raise UsageError(
                f"line {number} is of another schema version", path=path / RECORDS, expected=SCHEMA,
                found=record.schema_version, hint="read it with the version that wrote it",
            )  # fmt: skip
        refuse_contradictory(record, number, path / RECORDS)
        yield record


def refuse_other_encoding(number: int, line: bytes, file: Path) -> None:
    """UsageError where a file's first line is UTF-16 text: no line of it would be read."""
    if number == 1 and (line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or line[:2] in (b"{\0", b"\0{")):
        raise UsageError("is no UTF-8 text", path=file, expected="UTF-8", found="UTF-16", hint="save it as UTF-8")


def parse_record(line: bytes, *, checks: bool = False) -> GraphRecord:
    """The record of a line. ValidationError for what is none, and for what no score can be made of.

    `checks`: a graph that is right and was not timed is a record too.
    """
    record = GraphRecord.model_validate_json(line, strict=True)
    if checks and record.outcome is Outcome.CORRECT and record.timing is None:
        return record
    return _MEASURED.validate_python(record)


def _scorable(record: GraphRecord) -> GraphRecord:
    record.result()  # a ScoreError is a ValueError, of which pydantic makes a ValidationError
    return record


_MEASURED: TypeAdapter[GraphRecord] = TypeAdapter(Annotated[GraphRecord, AfterValidator(_scorable)])


def read_incidents(path: Path) -> list[Incident]:
    """What was tried again in a run, in order. A broken last line is skipped."""
    found = []
    for number, line, last in lines_of(path / INCIDENTS, MAX_RECORD_BYTES):
        try:
            found.append(Incident.model_validate_json(line))
        except ValidationError as error:
            if not last:
                raise UsageError(f"line {number} is no incident of this version", path=path / INCIDENTS) from error
    return found


def _make_directory(path: Path, elsewhere: str) -> None:
    with writing(path, elsewhere):
        path.mkdir(parents=True, exist_ok=True)
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _refuse_links(path: Path) -> None:
    """Refuse links in a run directory. So everything that a run writes stays in it, even if others made the
    directory.
    """
    for directory, children, files in walked(path):
        for name in (*children, *files):
            if os.path.islink(os.path.join(directory, name)):
                raise UsageError("a run directory holds no links", path=Path(directory, name), hint="remove it")


def _check_same(known: dict[str, Any], settings: dict[str, Any], path: Path, elsewhere: str) -> None:
    different = sorted(k for k in known.keys() | settings.keys() if known.get(k) != settings.get(k))
    if different:
        raise UsageError(
            f"this run was made with other settings ({', '.join(different)})",
            path=path,
            hint=f"{elsewhere}; the same settings resume it",
        )


def _create(path: Path, settings: dict[str, Any], environment: dict[str, Any], elsewhere: str) -> None:
    """Write settings last. A directory with settings is a run. A run that was killed before that is begun again."""
    foreign = sorted(entry.name for entry in path.iterdir() if entry.name not in _FIRST_FILES)
    if foreign:
        raise UsageError("the run directory holds something else", path=path, found=foreign[0], hint=elsewhere)
    write_json(path / ENVIRONMENT, environment)
    write_json(path / SETTINGS, settings)


def _lock(path: Path, elsewhere: str) -> int:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(fd)
        raise UsageError("another process is writing this run", path=path, hint=elsewhere) from error
    return fd
