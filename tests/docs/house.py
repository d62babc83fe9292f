"""What the tree says of itself: rooms and their imports, the order of the layers, and what a page names in code spans.

`python -m tests.docs.house` prints the picture of `docs/architecture.md` as the imports have it.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "passnet"
# The room whose own rooms are in the picture too, because the trust boundary runs through it.
OPENED = "bench"
# Words of Mermaid's own, which no node may be called.
_TAKEN = {"graph"}
Edge = tuple[str, str]


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Each module of the package with those that it imports when it runs."""
    graph = grimp.build_graph("passnet", exclude_type_checking_imports=True, cache_dir=None)
    return {name: frozenset(graph.find_modules_directly_imported_by(name)) for name in graph.modules}


def reached_from(*starts: str) -> frozenset[str]:
    """These modules and all that they import, directly or not."""
    found: set[str] = set()
    left = list(starts)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left.extend(imports()[name])
    return frozenset(found)


def rooms(container: str = "passnet") -> list[str]:
    """The packages and single modules on the floor of a package, by name."""
    depth = container.count(".") + 1
    inside = (name.split(".") for name in imports() if name.startswith(f"{container}."))
    return sorted({parts[depth] for parts in inside})


def edges(container: str = "passnet") -> set[Edge]:
    """Room A imports room B, without the arrows that follow from longer ways."""
    depth = container.count(".") + 1
    whole: dict[str, set[str]] = {room: set() for room in rooms(container)}
    for name, targets in imports().items():
        for target in targets:
            if name.startswith(f"{container}.") and target.startswith(f"{container}."):
                whole[name.split(".")[depth]].add(target.split(".")[depth])
    whole = {room: targets - {room} for room, targets in whole.items()}
    return {(room, target) for room, targets in whole.items() for target in targets if not _longer(whole, room, target)}


def _longer(whole: Mapping[str, set[str]], start: str, goal: str) -> bool:
    """Whether there is a way of two arrows or more."""
    left, seen = [room for room in whole[start] if room != goal], {start}
    while left:
        room = left.pop()
        if room == goal:
            return True
        if room not in seen:
            seen.add(room)
            left.extend(whole[room])
    return False


def picture() -> str:
    """The rooms and their arrows in Mermaid's words, the highest first."""
    lines = ["flowchart TD"]
    for room in sorted(rooms(), key=lambda room: (-rank(f"passnet.{room}")[0], room)):
        if room == OPENED:
            lines.append(f"  subgraph {OPENED}")
            lines += [f"    {_node(inner, inside=True)}" for inner in _inner()]
            lines += [f"    {arrow}" for arrow in _arrows(edges(f"passnet.{OPENED}"), inside=True)]
            lines.append("  end")
        else:
            lines.append(f"  {_node(room)}")
    return "\n".join([*lines, *(f"  {arrow}" for arrow in _arrows(edges()))])


def _inner() -> list[str]:
    inside = f"passnet.{OPENED}"
    return sorted(rooms(inside), key=lambda room: (tuple(-part for part in rank(f"{inside}.{room}")), room))


def _arrows(found: set[Edge], *, inside: bool = False) -> list[str]:
    return [f"{_name(one, inside=inside)} --> {_name(other, inside=inside)}" for one, other in sorted(found)]


def _name(room: str, *, inside: bool = False) -> str:
    return f"{OPENED}_{room}" if inside else f"{room}_" if room in _TAKEN else room


def _node(room: str, *, inside: bool = False) -> str:
    return f"{_name(room, inside=inside)}[{room}]"


@cache
def _layers() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Package -> its floors, the lowest first, as the contracts of `pyproject.toml` have them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers":
            container = contract.get("containers", ["passnet"])[0]
            floors = (re.split(r"\s*[|:]\s*", layer.strip()) for layer in reversed(contract["layers"]))
            found[container] = tuple(tuple(room.removeprefix(f"{container}.") for room in floor) for floor in floors)
    return found


def rank(module: str) -> tuple[int, ...]:
    """How high a module stands: its floor in the house, in its room, and so on. What has no floor is on the ground."""
    parts = module.split(".")
    found = []
    for before in range(1, len(parts)):
        floors = _layers().get(".".join(parts[:before]))
        if floors is None:
            break
        found.append(next((number for number, floor in enumerate(floors, 1) if parts[before] in floor), 0))
    return tuple(found)


def goes_up(caller: str, called: str) -> bool:
    """Whether a module stands above the one that calls it. Rooms of different rooms are compared by the outer ones."""
    ours, theirs = caller.split("."), called.split(".")
    same = next((n for n, (one, other) in enumerate(zip(ours, theirs, strict=False)) if one != other), len(ours))
    return rank(called)[:same] > rank(caller)[:same]


def module_of(file: str) -> str:
    """`bench/evaluate.py` -> `passnet.bench.evaluate`."""
    return ".".join(["passnet", *Path(file).with_suffix("").parts]).removesuffix(".__init__")


@cache
def names_in(file: str) -> frozenset[str]:
    """Functions, classes, methods, fields and constants that a file of the package defines: `f`, `C`, `C.m`."""
    return frozenset(_names(ast.parse((SOURCE / file).read_text(encoding="utf-8")).body))


def _names(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield prefix + node.name
            if isinstance(node, ast.ClassDef):
                yield from _names(node.body, f"{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (prefix + target.id for target in targets if isinstance(target, ast.Name))


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of the same depth or less."""
    depth = len(heading) - len(heading.lstrip("#"))
    begin = page.index(f"\n{heading}\n") + len(heading) + 2
    end = re.search(rf"^#{{1,{depth}}} ", page[begin:], flags=re.MULTILINE)
    return page[begin : begin + end.start()] if end else page[begin:]


def table(text: str) -> list[list[str]]:
    """The rows of the first table of a text, without its head."""
    first = re.search(r"^\|.*\n\|[-|: ]+\n((?:\|.*\n)*)", text, flags=re.MULTILINE)
    assert first is not None
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in first[1].splitlines()]


def longest(text: str) -> list[str]:
    """Sentences of more than 30 words; code blocks, tables and headings are none."""
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    lines = [line for line in plain.splitlines() if not re.match(r"\s*(\||#)", line)]
    blocks = re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.)\s", "\n".join(lines))
    found = [part for block in blocks for part in re.split(r"(?<=[.!?:;])\s+", " ".join(block.split()))]
    return [sentence for sentence in found if len(sentence.split()) > 30]


if __name__ == "__main__":
    print(picture())  # noqa: T201
