"""The record of one model: how far its capture came, by which method, and why it failed if it did. No torch."""

from __future__ import annotations

import re
import resource
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from passnet.authored import as_text
from passnet.errors import UsageError
from passnet.writing import append_line, end_broken_line, lines_of

SCHEMA = 1
Stage = Literal["import", "build", "inputs", "capture", "serialise", "gates", "done"]
Outcome = Literal["captured", "failed"]
GateResult = Literal["pass", "fail", "skip"]

_REASON_LENGTH = 200
_CLUSTER_LENGTH = 90


class CaptureAttempt(BaseModel):
    """One way of capturing a model that did not work out: where it ended and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: str
    stage: Stage
    reason: str
    cluster: str


class GateCount(BaseModel):
    """The verdicts of one gate on the graphs of a model. `reasons` holds each reason for a failure or a skip once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: tuple[str, ...] = ()


class ModelRecord(BaseModel):
    """One line of `records.jsonl`.

    - `captured`: at least one graph passed the required gates.
    - `complete`: the call ran to its end. An incomplete one keeps the graphs from before the error in `reason`.
    - `stage`: the stage that failed, "done" when none did.
    - `pieces`: number of graphs that Dynamo made. `graphs`: number of kept graphs. `ops`: operations of these.
    - `dropped`: why pieces were not kept.
    - `breaks`: Dynamo's reasons for ending graphs early.
    - `attempts`: the methods tried before the one that counts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = SCHEMA
    library: str
    model: str
    family: str
    domain: str
    outcome: Outcome
    complete: bool = False
    method: str | None = None
    stage: Stage
    reason: str | None = None
    cluster: str | None = None
    pieces: int = 0
    graphs: int = 0
    ops: int = 0
    dropped: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    gates: Mapping[str, GateCount] = {}
    attempts: tuple[CaptureAttempt, ...] = ()
    seconds: float | None = None
    peak_memory_mb: float | None = None
    versions: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """`library:model`, unique in a run."""
        return f"{self.library}:{self.model}"

    @model_validator(mode="after")
    def _consistent(self) -> ModelRecord:
        if (self.outcome == "captured") != (self.graphs > 0):
            raise ValueError("a captured model has graphs, and a failed one has none")
        if self.outcome == "failed" and (self.complete or self.reason is None or self.stage == "done"):
            raise ValueError("a failed model names the stage and the reason")
        return self


def read_records(path: Path) -> dict[str, ModelRecord]:
    """The records of a JSON-lines file by key, the last of each. A last line without its end, as a killed run leaves
    it, is left out.

    Errors: UsageError when there is no file, and with the number of any other line that is no record.
    """
    if not path.is_file():
        raise UsageError("not a readable file", path=path, expected="capture records as JSON lines")
    records = (_record(line, path, number) for number, line, broken in lines_of(path) if not broken)
    return {record.key: record for record in records}


def _record(line: bytes, path: Path, number: int) -> ModelRecord:
    try:
        return ModelRecord.model_validate_json(line)
    except ValidationError as error:
        problem = error.errors()[0]
        raise UsageError(
            f"not a record of this version: {problem['msg']}", path=path, field=f"line {number}",
            hint="capture into another directory",
        ) from None  # fmt: skip


def append_record(path: Path, record: ModelRecord) -> None:
    """One more line, in place of one that a killed run did not end. Errors: UsageError when it cannot be written."""
    end_broken_line(path)
    append_line(path, record.model_dump_json())


def shortened(error: BaseException) -> str:
    """Exception class and first line of its message, without paths and addresses of this machine."""
    return reason_text(type(error).__name__, str(error))


def reason_text(kind: str, message: str) -> str:
    """`kind: message`, one line of bounded length. Dynamo's "Explanation" stands in for its bare headline."""
    lines = [line.strip() for line in as_text(message).strip().splitlines() if line.strip()] or [""]
    explanation = next((line for line in lines[1:3] if line.startswith("Explanation:")), None)
    text = lines[0] if explanation is None else _explained(lines[0], explanation)
    return _scrubbed(f"{kind}: {text}" if text else kind)[:_REASON_LENGTH]


def cluster_of(reason: str) -> str:
    """The reason with numbers, names in quotes and shapes left out: equal for failures of one kind."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'*'", reason)
    text = re.sub(r"[\[(][\d, x]*[\])]", "[*]", text)
    return re.sub(r"\d+", "N", text)[:_CLUSTER_LENGTH]


def _explained(headline: str, explanation: str) -> str:
    got = explanation.rpartition("got ")[2] if "got " in explanation else explanation.removeprefix("Explanation: ")
    return f"{headline}: {got}"


def _scrubbed(text: str) -> str:
    without_paths = re.sub(r"(?:/[\w.+\-]+){2,}/([\w.+\-]+)", r"\1", text)
    return re.sub(r"0x[0-9a-fA-F]{6,}", "0x*", without_paths)


def peak_memory_mb() -> float:
    """The largest memory of this process so far, in MiB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1024**2, 1)
