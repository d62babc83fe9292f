"""A pass library: a directory of verified pass sets. Its index says what each needs of a graph, and its results.

    LIB/index.json        the content: rules, canonical structures, devices, evidence
    LIB/passes/NAME/      an ordinary pass directory for each set

Reading a library runs no pass code. The index says which sets are worth trying in a model. Matching itself decides.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from passnet import authored
from passnet.errors import UsageError
from passnet.rewrite import PassSet, check_policy, read_pass_set
from passnet.writing import write_atomic

SCHEMA: Literal[1] = 1
INDEX, PASSES = "index.json", "passes"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Evidence(_Record):
    """The results of one run of the bench for a pass set on one device.

    `structures` are the structure hashes of the graphs on which it was right. `speedup` is their geometric mean by the
    direct convention. `lowest` is the lowest lower end of their intervals.
    """

    run: str
    device: str
    hardware: str
    torch: str
    protocol_hash: str
    tamper_proof: bool
    graphs: int
    dtypes: tuple[str, ...]
    structures: tuple[str, ...]
    speedup: float
    lowest: float


class RuleEntry(_Record):
    """One rule: the devices that it declares (None: every one), its needs in a graph, and its computation.

    `operations` are canonical names that a graph must hold for a match. `structure` is the hash of the pattern without
    its spelling. Both are None if the rule could not be loaded when it was added.
    """

    rule: str
    devices: tuple[str, ...] | None
    operations: tuple[str, ...] | None = None
    structure: str | None = None

    def may_match(self, operations: frozenset[str], device: str) -> bool:
        """Whether a graph with these operations on this device can hold a match."""
        serves = self.devices is None or device in self.devices
        return serves and (self.operations is None or operations.issuperset(self.operations))


class LibraryEntry(_Record):
    """One pass set of the library. `name` is its directory below `passes/`."""

    name: str
    content_hash: str
    policy: Literal["strict", "native"]
    rules: tuple[RuleEntry, ...]
    evidence: tuple[Evidence, ...] = ()

    def speedup(self, device: str) -> float | None:
        """The best evidence on a device. None where there is none."""
        return max((each.speedup for each in self.evidence if each.device == device), default=None)


class Index(_Record):
    """The content of `index.json`."""

    schema_version: Literal[1] = SCHEMA
    entries: tuple[LibraryEntry, ...] = ()


@dataclass(frozen=True)
class PassLibrary:
    """A library on disk. Entries are in order of their names."""

    path: Path
    entries: tuple[LibraryEntry, ...]

    @classmethod
    def read(cls, path: Path | str) -> PassLibrary:
        """The index of a library. UsageError when there is none or it is malformed."""
        path = Path(path)
        file = path / INDEX
        if not path.is_dir():
            raise UsageError("no such directory", path=path, hint="`passnet library add LIB RUN` makes a library")
        if not file.exists():
            raise UsageError(
                "not a pass library", path=path, expected=f"a file {INDEX}", hint="`passnet library add LIB RUN`"
            )
        try:
            index = Index.model_validate(authored.parse_json(authored.read_bytes(file)))
        except (OSError, ValueError) as error:  # of texts, JSON and the model
            raise _unreadable(file, error) from None
        names = [entry.name for entry in index.entries]
        repeated = sorted(name for name, count in Counter(names).items() if count > 1)
        if repeated or any(name != plain_name(name) for name in names):
            raise UsageError("wrong names in the index", path=file, found=(repeated or names)[0])
        return cls(path, index.entries)

    def directory(self, entry: LibraryEntry) -> Path:
        """The directory of the passes of an entry."""
        return self.path / PASSES / entry.name

    def pass_set(self, entry: LibraryEntry) -> PassSet:
        """The passes of an entry as data. UsageError when they are not the verified ones."""
        found = read_pass_set(self.directory(entry))
        if found.content_hash != entry.content_hash:
            raise UsageError(
                "the files differ from the verified ones",
                path=found.directory,
                hint="restore them, or evaluate them again and add the run",
            )
        return found

    def candidates(self, operations: Iterable[str], device: str) -> list[LibraryEntry]:
        """Entries with a rule that may match a graph with these operations, the best evidence first."""
        there = frozenset(operations)
        found = [entry for entry in self.entries if any(rule.may_match(there, device) for rule in entry.rules)]
        return sorted(found, key=lambda entry: (-(entry.speedup(device) or 0.0), entry.name))

    def problems(self) -> Iterator[str]:
        """Problems of the files beside the index, one line each. No file is run."""
        for entry in self.entries:
            try:
                pass_set = self.pass_set(entry)
            except UsageError as error:
                yield str(error)
                continue
            for breach in check_policy(pass_set, entry.policy):
                yield f"{entry.name}: {breach.text()}"
            if tuple(rule.name for rule in pass_set.rules) != tuple(rule.rule for rule in entry.rules):
                yield f"{entry.name}: the index names other rules than the manifest"
        known = {entry.name for entry in self.entries}
        there = self.path / PASSES
        for directory in sorted(there.iterdir()) if there.is_dir() else ():
            if directory.name not in known and not directory.name.startswith("."):
                yield f"{directory}: not in the index"


def write_index(path: Path, entries: Iterable[LibraryEntry]) -> None:
    """Write `index.json` all or nothing, entries in order of their names."""
    ordered = tuple(sorted(entries, key=lambda entry: entry.name))
    text = json.dumps(Index(entries=ordered).model_dump(mode="json"), indent=1) + "\n"
    write_atomic(path / INDEX, text)


def is_library(path: Path) -> bool:
    """Whether a directory is meant as a library."""
    return (path / INDEX).exists()


def plain_name(text: str) -> str:
    """The nearest name that an entry may have."""
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in text).lstrip(".") or "_"


def _unreadable(file: Path, error: OSError | ValueError) -> UsageError:
    if not isinstance(error, ValidationError):
        if isinstance(error, OSError):
            return UsageError(f"cannot be read: {error.strerror}", path=file)
        return UsageError(f"not an index of this version: {authored.one_line(str(error))[:200]}", path=file)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or None
    return UsageError(f"not an index of this version: {first['msg']}", path=file, field=place)
