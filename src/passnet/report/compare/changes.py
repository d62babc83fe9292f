"""What differs between two runs besides their figures: machine, versions, protocol, compiler, author, passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from passnet.report.compare.pairing import PairedGraph
from passnet.report.recorded import RecordedRun

# Facts of a machine: figures of two such machines agree only as far as a speedup does.
MACHINE = ("cpu", "gpu", "cores", "memory_bytes", "system", "gpu_memory_bytes", "device")
# They differ between any two runs and change no figure.
_NO_CHANGE = frozenset({"date"})
# Of the settings, those that have a list of their own, and those that say where something lies.
_ELSEWHERE = frozenset({"protocol", "machine", "paths", "schema"})
_LONGEST = 200

Change = tuple[Any, Any]


@dataclass(frozen=True)
class RunChanges:
    """Name -> the value in A and in B, for everything that differs. A missing value is None."""

    environment: Mapping[str, Change]
    protocol: Mapping[str, Change]
    settings: Mapping[str, Change]
    passes: tuple[str, ...]

    @property
    def machines(self) -> bool:
        """Whether the runs are of two machines, as far as both say of which they are."""
        return any(name in MACHINE and None not in values for name, values in self.environment.items())

    def to_json(self) -> dict[str, Any]:
        parts = {"environment": self.environment, "protocol": self.protocol, "settings": self.settings}
        found = {part: {name: list(values) for name, values in rows.items()} for part, rows in parts.items()}
        return {**found, "passes": list(self.passes)}


def changes(a: RecordedRun, b: RecordedRun, pairs: Sequence[PairedGraph]) -> RunChanges:
    """Everything that differs. `passes`: the tasks whose pass set is another one."""
    environments = [run.environment or {} for run in (a, b)]
    passes = {pair.a.task for pair in pairs if pair.a.pass_set_hash != pair.b.pass_set_hash}
    return RunChanges(
        environment=_differing(environments[0], environments[1], _NO_CHANGE),
        protocol=_differing(a.protocol, b.protocol, frozenset()),
        settings=_differing(a.settings, b.settings, _ELSEWHERE),
        passes=tuple(sorted(passes)),
    )


def _differing(a: Mapping[str, Any], b: Mapping[str, Any], left_out: frozenset[str]) -> dict[str, Change]:
    names = [*a, *(name for name in b if name not in a)]
    return {name: (a.get(name), b.get(name)) for name in names if name not in left_out and a.get(name) != b.get(name)}


def shown(value: object) -> str:
    """A value for people, cut where it is long."""
    text = "not recorded" if value is None else value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
