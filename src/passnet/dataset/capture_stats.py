"""What became of the models that a build tried: counts and a table of failures from capture records.  No torch."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from passnet.errors import UsageError

CAPTURED = "captured"


@dataclass(frozen=True)
class Failure:
    """One model that gave no graph."""

    library: str
    model: str
    family: str
    domain: str
    stage: str
    method: str
    reason: str


@dataclass(frozen=True)
class CaptureStats:
    """Counts over the records of a capture, each mapping largest first.

    `libraries` and `domains` map a name to {"tried", "captured", "failed"}; `stages` and `reasons` count failures;
    `methods` counts captures; `gates` maps a gate to {"passed", "failed", "skipped"} graphs.
    """

    libraries: Mapping[str, Mapping[str, int]]
    domains: Mapping[str, Mapping[str, int]]
    methods: Mapping[str, int]
    stages: Mapping[str, int]
    reasons: Mapping[str, int]
    gates: Mapping[str, Mapping[str, int]]
    failures: tuple[Failure, ...]
    seconds: float

    @property
    def tried(self) -> int:
        """Models tried."""
        return sum(row["tried"] for row in self.libraries.values())

    @property
    def captured(self) -> int:
        """Models that gave at least one graph."""
        return sum(row["captured"] for row in self.libraries.values())


def read_capture_records(path: Path | str) -> Iterator[dict[str, Any]]:
    """The records of a JSON-lines file.  A last line without its end, as a killed run leaves it, is left out.

    Errors: `UsageError` with the number of any other line that is no JSON object.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError("no such file", path=path, expected="capture records as JSON lines")
    with path.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                if not line.endswith("\n"):
                    return
                raise UsageError(f"not valid JSON: {error.msg}", path=path, field=f"line {number}") from None
            if not isinstance(record, dict):
                raise UsageError("not a JSON object", path=path, field=f"line {number}")
            yield record


def of_records(records: Iterable[Mapping[str, Any]]) -> CaptureStats:
    """Count capture records; of several for one model the last counts."""
    last = {(str(record.get("library")), str(record.get("model"))): record for record in records}
    tables: dict[str, dict[str, Counter[str]]] = {"library": {}, "domain": {}}
    methods, stages, reasons = Counter[str](), Counter[str](), Counter[str]()
    gates: dict[str, Counter[str]] = {}
    failures = []
    seconds = 0.0
    for key in sorted(last):
        record = last[key]
        captured = record.get("outcome") == CAPTURED
        for name, table in tables.items():
            row = table.setdefault(_word(record, name), Counter({"tried": 0, "captured": 0, "failed": 0}))
            row.update(["tried", "captured" if captured else "failed"])
        if captured:
            methods[_word(record, "method")] += 1
        else:
            stages[_word(record, "stage")] += 1
            reasons[str(record.get("cluster") or _word(record, "reason"))] += 1
            failures.append(_failure(record))
        _add_gates(gates, record)
        seconds += float(record.get("seconds") or 0.0)
    return CaptureStats(
        libraries=_by_size(tables["library"]),
        domains=_by_size(tables["domain"]),
        methods=largest_first(methods),
        stages=largest_first(stages),
        reasons=largest_first(reasons),
        gates={name: dict(counts) for name, counts in sorted(gates.items())},
        failures=tuple(failures),
        seconds=seconds,
    )


def largest_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Sorted by count, then by name."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _word(record: Mapping[str, Any], name: str) -> str:
    return str(record.get(name) or "unknown")


def _failure(record: Mapping[str, Any]) -> Failure:
    words = {
        name: _word(record, name) for name in ("library", "model", "family", "domain", "stage", "method", "reason")
    }
    return Failure(**words)


def _add_gates(gates: dict[str, Counter[str]], record: Mapping[str, Any]) -> None:
    stated = record.get("gates")
    for name, counts in (stated if isinstance(stated, Mapping) else {}).items():
        known = gates.setdefault(str(name), Counter({"passed": 0, "failed": 0, "skipped": 0}))
        known.update({word: int(counts.get(word, 0)) for word in ("passed", "failed", "skipped")})


def _by_size(table: Mapping[str, Counter[str]]) -> dict[str, Mapping[str, int]]:
    return {name: dict(row) for name, row in sorted(table.items(), key=lambda item: (-item[1]["tried"], item[0]))}
