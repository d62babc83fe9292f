"""What names mean across the files of a set: imports, bindings and definitions, each followed and kept once."""

from __future__ import annotations

import ast
import builtins
import functools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from passnet.rewrite.passes.source import PassFile, imported_module, own_name
from passnet.rewrite.policy.bindings import Bindings, bindings
from passnet.rewrite.policy.names import BANNED_NAMES

Function = ast.FunctionDef | ast.AsyncFunctionDef
# Methods that Python calls for other things than operators.
_NO_OPERATORS = frozenset(f"__{name}__" for name in ("init", "post_init", "call", "repr", "str", "enter", "exit"))
PYTHONS_NAMES = frozenset(dir(builtins))
# A file of the set, by its stem, and a name there.
Place = tuple[str, str]


@dataclass(frozen=True)
class Modules:
    """The files of a set, by stem.

    - `imports`: per file, local name -> dotted name.
    - `bound`: per file, name of the module -> the values it is bound to.
    """

    files: Mapping[str, PassFile]
    imports: Mapping[str, Mapping[str, str]]
    bound: Mapping[str, Bindings]
    _definitions: Mapping[Place, list[ast.FunctionDef]]
    _ends: dict[Place, tuple[Place, tuple[str, ...]]] = field(default_factory=dict)
    _wrappers: dict[Place, Place | None] = field(default_factory=dict)

    @classmethod
    def of(cls, files: tuple[PassFile, ...]) -> Modules:
        definitions: dict[Place, list[ast.FunctionDef]] = {}
        for file in files:
            for node in file.tree.body:
                if isinstance(node, ast.FunctionDef):
                    definitions.setdefault((file.stem, node.name), []).append(node)
        return cls(
            {file.stem: file for file in files},
            {file.stem: _imports(file.tree) for file in files},
            {file.stem: bindings(file.tree.body) for file in files},
            definitions,
        )

    def full_name(self, root: str, parts: list[str]) -> str:
        """The dotted name of `parts` of an import, with imports between the files of the set followed."""
        full = [*root.split("."), *parts]
        while len(full) > 1 and full[0] in self.files:
            _, end = self._end((full[0], full[1]))
            full = [*end, *full[2:]]
            if len(end) > 1:
                break
        return ".".join(full)

    def resolved(self, stem: str, name: str) -> Place:
        """The file and the name there that a name of a file means, imports between files of the set followed."""
        return self._end((stem, name))[0]

    def definition(self, stem: str, name: str) -> ast.FunctionDef | None:
        """The one top-level function that a name of a file means, here or in the file from which it is imported."""
        place = self.resolved(stem, name)
        found = self._definitions.get(place, [])
        return found[0] if len(found) == 1 and len(self.bound[place[0]][place[1]]) == 1 else None

    def defined(self, stem: str, name: str) -> list[ast.FunctionDef]:
        """The top-level functions of a file under a name."""
        return self._definitions.get((stem, name), [])

    def rules_of(self, stem: str) -> list[tuple[str, str]]:
        """The rules whose `replacement_func` returns a function of a file, with its name there.

        It may return what another function returns.
        """
        return self._rules.get(stem, [])

    @functools.cached_property
    def _rules(self) -> Mapping[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for rule in self.files:
            place = self._wrapper(self.resolved(rule, "replacement_func"))
            if place is not None:
                found.setdefault(place[0], []).append((rule, place[1]))
        return found

    def gives(self, stem: str, name: str) -> bool:
        """Whether a file has a name of its own, or has nothing under it: torch.fx and Triton put names there."""
        return name in self.bound[stem] and name not in PYTHONS_NAMES | BANNED_NAMES.keys()

    @functools.cached_property
    def stored(self) -> frozenset[str]:
        """The attributes that some file of the set writes. They may hold a method of a tensor."""
        return frozenset(
            node.attr for node in self._nodes() if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        )

    @functools.cached_property
    def has_triton(self) -> bool:
        """Whether some file of the set imports Triton, anywhere."""
        nodes = (node for file in self.files.values() for node in import_nodes(file.tree))
        return any(dotted.partition(".")[0] == "triton" for node in nodes for _, dotted in imported_names(node))

    @functools.cached_property
    def has_operators(self) -> bool:
        """Whether a class of the set may have a method that Python calls for an operator."""
        names = (node.name for node in self._nodes() if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        return any(name.startswith("__") and name not in _NO_OPERATORS for name in names)

    def _nodes(self) -> Iterator[ast.AST]:
        return (node for file in self.files.values() for node in ast.walk(file.tree))

    def _wrapper(self, place: Place) -> Place | None:
        """What the function at a place returns. Places on the way are kept, so that no chain is followed twice."""
        way: list[Place] = []
        found: Place | None = None
        while place not in self._wrappers:
            self._wrappers[place] = None  # who returns itself returns nothing
            way.append(place)
            function = self.definition(*place)
            last = function.body[-1] if function is not None else None
            value = last.value if isinstance(last, ast.Return) else None
            if isinstance(value, ast.Name):
                found = self.resolved(place[0], value.id)
                break
            if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
                break
            place = self.resolved(place[0], value.func.id)
        else:
            found = self._wrappers[place]
        self._wrappers.update(dict.fromkeys(way, found))
        return found

    def _end(self, place: Place) -> tuple[Place, tuple[str, ...]]:
        """Where a name of a file leads: the last place in the set, and the parts of the dotted name that it is there.

        Two files may import it from each other.
        """
        way: dict[Place, None] = {}
        parts: tuple[str, ...] = place
        while place not in way:
            if place in self._ends:
                place, parts = self._ends[place]
                break
            way[place] = None
            further = self.imports[place[0]].get(place[1])
            if further is None:
                break
            parts = tuple(further.split("."))
            if len(parts) != 2 or parts[0] not in self.files:
                break
            place = (parts[0], parts[1])
        self._ends.update(dict.fromkeys(way, (place, parts)))
        return place, parts


def _imports(tree: ast.Module) -> dict[str, str]:
    return {name: dotted for node in import_nodes(tree) for name, dotted in imported_names(node)}


def import_nodes(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """The imports of a file, in any place."""
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, with its dotted name."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            whole = own_name(alias.name) if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or whole, whole
        else:
            module = imported_module(node)
            yield alias.asname or alias.name, f"{module}.{alias.name}" if module else alias.name


class Mentions:
    """The names that files of a set take from other modules, by import or as an attribute."""

    def __init__(self, files: tuple[PassFile, ...]) -> None:
        self._by_file = {file.stem: _mentioned(file.tree) for file in files}
        self._count = Counter(name for names in self._by_file.values() for name in names)

    def outside(self, stem: str, name: str) -> bool:
        """Whether another file than this one takes a name."""
        return self._count[name] > (name in self._by_file[stem])


def _mentioned(tree: ast.Module) -> frozenset[str]:
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return frozenset(attributes | {alias.name for node in import_nodes(tree) for alias in node.names})
