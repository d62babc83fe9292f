"""`Task`: the variants of one computation plus a directory for passes, in the published task layout."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from passnet.authored import is_below
from passnet.graph.discover import find_graphs
from passnet.graph.errors import GraphError
from passnet.graph.files import read_optional
from passnet.graph.graph import Graph
from passnet.graph.listing import read_graph_list
from passnet.writing import inside, make_new, new_directory, write_new

GRAPH_LIST = "graph_list.txt"
PASS_DIR, CONST_PASS_DIR = "pass_dir", "const_pass_dir"
_UIDS = "sample_uids.txt"
# Number of directories above a task in which the shared `graphs` directory is looked for.
_LEVELS_ABOVE = 8
_HEX64 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class GraphRef:
    """A graph of a task that is not read yet: its name (the line of `graph_list.txt`) and directory."""

    name: str
    path: Path

    def load(self) -> Graph:
        """The graph under this name.  Errors: as `Graph.read`."""
        return Graph.read(self.path, name=self.name)


@dataclass(frozen=True)
class Task:
    """A task directory.  `pass_dir` is the directory for passes. It need not exist. `uids` are the uids of
    the sample.
    """

    name: str
    path: Path
    refs: tuple[GraphRef, ...]
    pass_dir: Path
    const_pass_dir: Path | None = None
    uids: tuple[str, ...] = ()

    @cached_property
    def graphs(self) -> tuple[Graph, ...]:
        """All graphs, read once on first use."""
        return tuple(ref.load() for ref in self.refs)

    @property
    def uid_hash(self) -> str | None:
        """sha256 of the sorted uids. It is the name of a published sample directory. None without uids."""
        return hashlib.sha256("\n".join(sorted(self.uids)).encode()).hexdigest() if self.uids else None

    @property
    def uid_hash_matches(self) -> bool | None:
        """Whether the directory is named by its uids.  None when it has no uids.  This is reported, never enforced."""
        directory = self.path.resolve().name
        return None if self.uid_hash is None or not _HEX64.fullmatch(directory) else directory == self.uid_hash

    @classmethod
    def read(cls, path: Path | str, *, name: str | None = None) -> Task:
        """The task of a directory.  Its graph directories are checked to exist. They are not parsed yet.

        Errors: `GraphError` for a missing or empty directory or list, and for lines that leave the task.
        """
        path = Path(path)
        if not path.is_dir():
            raise GraphError("no such directory" if not path.exists() else "not a directory", path=path)
        listing = path / GRAPH_LIST
        if not listing.exists():
            hint = "this is a graph directory" if (path / "graph_net.json").exists() else "a task holds graph_list.txt"
            raise GraphError("file is missing", path=listing, hint=hint)
        const = path / CONST_PASS_DIR
        _refuse_link_out(path / PASS_DIR, path)
        _refuse_link_out(const, path)
        return cls(
            name=name or path.resolve().name,
            path=path,
            refs=_references(path, read_graph_list(listing, links=False)),
            pass_dir=path / PASS_DIR,
            const_pass_dir=const if const.is_dir() else None,
            uids=tuple(uid.strip() for uid in read_optional(path / _UIDS).split(",") if uid.strip()),
        )

    @classmethod
    def write(
        cls, path: Path | str, graphs: Iterable[Graph], *, uids: tuple[str, ...] = (), overwrite: bool = False
    ) -> Task:
        """Writes a task directory, all or nothing, and reads it back.

        A graph's name is its place below `graphs/`.  Errors: `GraphError` when a name leaves the task or occurs
        twice, `UsageError` when the directory exists.
        """
        path = Path(path)
        lines: list[str] = []
        with new_directory(path, overwrite=overwrite) as directory:
            for graph in graphs:
                line = _line_of(graph.name, path)
                if line in lines:
                    raise GraphError("two graphs share a name", path=path, field=graph.name)
                graph.write(inside(directory, line))
                lines.append(line)
            if not lines:
                raise GraphError("a task needs at least one graph", path=path)
            write_new(directory, GRAPH_LIST, "".join(line + "\n" for line in lines))
            if uids:
                write_new(directory, _UIDS, ",".join(uids))
            make_new(directory, PASS_DIR)
        return cls.read(path)


def _line_of(name: str, path: Path) -> str:
    _refuse_escape(name, path, name)
    return name if name.startswith("graphs/") else f"graphs/{name}"


def _refuse_escape(line: str, path: Path, field: str) -> None:
    if not is_below(line):
        raise GraphError("the path leaves the task", path=path, field=field, expected="a relative path", found=line)


def _references(root: Path, lines: tuple[str, ...]) -> tuple[GraphRef, ...]:
    refs: dict[str, GraphRef] = {}
    places: set[Path] = set()
    for number, line in enumerate(lines, start=1):
        for ref in _expand(root, line, f"entry {number}"):
            place = ref.path.resolve()  # however a line spells it: what is listed a million times is read once
            if ref.name in refs or place in places:
                raise GraphError("a graph is listed twice", path=root / GRAPH_LIST, field=ref.name)
            refs[ref.name] = ref
            places.add(place)
    return tuple(refs.values())


def _home(root: Path, line: str) -> Path:
    """The directory that a line is relative to: the task, or the nearest directory above that holds `graphs`.

    Published tasks lie six levels below the repository root, where their graphs are.
    """
    if (root / "graphs").exists() or not line.startswith("graphs/"):
        return root
    above = root.resolve().parents[:_LEVELS_ABOVE]
    return next((parent for parent in above if (parent / "graphs").is_dir()), root)


def _expand(root: Path, line: str, field: str) -> list[GraphRef]:
    """The graph on one line, or its `subgraph_<n>` directories when the model had graph breaks."""
    listing = root / GRAPH_LIST
    _refuse_escape(line, listing, field)
    home = _home(root, line)
    directory = home / line
    if not directory.is_dir():
        raise GraphError(
            "listed graph does not exist", path=listing, field=field, expected="a directory", found=directory,
            hint="paths are relative to the task; is graphs/ complete?",
        )  # fmt: skip
    _refuse_foreign(home, directory.resolve(), listing, field)
    found = find_graphs(directory)
    if not found:
        raise GraphError("listed directory holds no graph", path=listing, field=field, found=directory)
    return [GraphRef(_ref_name(line, directory, graph), graph) for graph in found]


def _refuse_foreign(home: Path, place: Path, listing: Path, field: str) -> None:
    """`place`: a listed directory, links followed. `graphs` may be a link itself, as the published layout shares it.

    No link below it may lead out of it.
    """
    allowed = (home.resolve(), (home / "graphs").resolve())
    if not any(place.is_relative_to(each) for each in allowed):
        raise GraphError(
            "a link leads out of the task", path=listing, field=field, expected=f"a place below {home}",
            found=place,
        )  # fmt: skip


def _refuse_link_out(directory: Path, task: Path) -> None:
    """A directory of passes may be copied and published with its task, so it is no link to the user's own files."""
    if not Path(os.path.realpath(directory)).is_relative_to(os.path.realpath(task)):
        raise GraphError("a link leads out of the task", path=directory, hint="copy the directory instead")


def _ref_name(line: str, directory: Path, graph: Path) -> str:
    below = graph.relative_to(directory).as_posix()
    name = line.strip("/").removeprefix("graphs/")
    return name if below == "." else f"{name}/{below}"
