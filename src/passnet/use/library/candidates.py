"""The candidates of `passnet optimize`, as data: pass sets of a library or of one directory, and their single rules."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet.bench.evaluate import pass_files
from passnet.bench.wire.requests import PassFiles
from passnet.errors import UsageError
from passnet.rewrite import PassSet, check_policy, read_pass_set
from passnet.rewrite.passes.pass_set import OUTPUT_MANIFEST
from passnet.rewrite.policy.names import Level
from passnet.use.library.add import written
from passnet.use.library.store import PassLibrary, is_library


@dataclass(frozen=True)
class LibraryUnit:
    """Rules of one pass set that are tried together. `source` names the set, `only` the rules (all when None)."""

    source: str
    pass_set: PassSet
    only: tuple[str, ...] | None = None

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules in order of application."""
        names = tuple(rule.name for rule in self.pass_set.rules)
        return names if self.only is None else tuple(name for name in names if name in self.only)

    @property
    def label(self) -> str:
        """The unit in words, for records and progress."""
        return self.source if self.only is None else f"{self.source}:{'+'.join(self.only)}"

    def files(self) -> dict[str, str]:
        """Every file of the set by name. Rules that are not tried are then only modules."""
        return {**pass_files(self.pass_set).files, OUTPUT_MANIFEST: json.dumps(list(self.rules))}

    @property
    def content_hash(self) -> str:
        """A hash of the files as they are written. A bundle knows them again by it."""
        with tempfile.TemporaryDirectory(prefix="passnet-unit-") as scratch:
            return written(Path(scratch), self.files()).content_hash

    def narrowed(self, rules: Collection[str]) -> LibraryUnit:
        """The same set with some of its rules alone."""
        kept = tuple(name for name in self.rules if name in rules)
        return (
            self
            if kept == tuple(rule.name for rule in self.pass_set.rules)
            else LibraryUnit(self.source, self.pass_set, kept)
        )


@dataclass(frozen=True)
class LibraryCandidates:
    """Candidates that may match a model, the most promising first. Also those that were left out untried, with the
    reason.
    """

    units: tuple[LibraryUnit, ...]
    left: tuple[tuple[LibraryUnit, str], ...]


def find_candidates(path: Path, operations: frozenset[str], device: str, policy: Level) -> LibraryCandidates:
    """Units of a library, or the one of a pass directory, for a graph with these operations.

    No pass code runs. Errors: UsageError for a directory that is neither, and for files that differ from the verified
    ones.
    """
    if not path.is_dir():
        raise UsageError("no such directory", path=path, hint="give a pass library or a directory of passes")
    if not is_library(path):
        return _checked([LibraryUnit(path.resolve().name, read_pass_set(path))], policy)
    library = PassLibrary.read(path)
    if not library.entries:
        raise UsageError("the library is empty", path=path, hint="`passnet library add LIB RUN` fills it")
    return _checked([LibraryUnit(e.name, library.pass_set(e)) for e in library.candidates(operations, device)], policy)


def _checked(units: Sequence[LibraryUnit], policy: Level) -> LibraryCandidates:
    admitted, left = [], []
    for unit in units:
        breaches = check_policy(unit.pass_set, policy)
        if breaches:
            left.append((unit, f"not allowed by policy {policy}: {breaches[0].text()}"))
        else:
            admitted.append(unit)
    return LibraryCandidates(tuple(admitted), tuple(left))


def together(units: Sequence[LibraryUnit]) -> PassFiles:
    """The files of several units, each in a directory that is named by its position. One unit keeps its names."""
    files = units[0].files() if len(units) == 1 else placed(units)
    text = json.dumps(sorted(files.items()))
    return PassFiles(files, hashlib.sha256(text.encode()).hexdigest())


def placed(units: Sequence[LibraryUnit]) -> dict[str, str]:
    """Files by name below a directory for each unit, in order of application."""
    return {f"{place_of(i, unit)}/{name}": text for i, unit in enumerate(units) for name, text in unit.files().items()}


def place_of(index: int, unit: LibraryUnit) -> str:
    """The directory of a unit among others."""
    return f"{index:02d}-{unit.source}"
