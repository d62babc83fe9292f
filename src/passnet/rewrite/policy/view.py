"""One pass file as the source policy sees it: the meaning of names, and the code that only runs while tracing."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from passnet.rewrite.passes.source import ENTRY_POINTS, PassFile, imported_module, own_name
from passnet.rewrite.policy.bindings import Bindings, bindings
from passnet.rewrite.policy.names import KERNEL_DECORATORS

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class FileView:
    """A file with its siblings.

    - `imports`: local name -> dotted name.
    - `bound`: name of the module -> the values it is bound to.
    - `recorded`: `pattern` and the functions that it calls. All of them run while it is traced.
    - `traced`: the code of those that nothing else calls.
    """

    file: PassFile
    siblings: Mapping[str, PassFile]
    imports: Mapping[str, str]
    parents: Mapping[ast.AST, ast.AST]
    bound: Bindings
    recorded: tuple[Function, ...]
    traced: frozenset[ast.AST]
    sibling_imports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def nodes(self) -> Iterator[ast.AST]:
        """Every node of the file, roughly in the order of the text (the order of `ast.walk`)."""
        return ast.walk(self.file.tree)

    def dotted(self, node: ast.AST) -> str | None:
        """The full dotted name of a reference such as `F.relu`, with imports resolved through sibling modules too."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        root = self.imports.get(node.id)
        if root is None:
            return ".".join((node.id, *reversed(parts))) if parts else node.id
        return self._through_siblings(root, list(reversed(parts)))

    def _through_siblings(self, root: str, parts: list[str]) -> str:
        full = [*root.split("."), *parts]
        seen: set[tuple[str, str]] = set()  # two files may import a name from each other
        while len(full) > 1 and (full[0], full[1]) not in seen and full[0] in self.siblings:
            seen.add((full[0], full[1]))
            further = self.sibling_imports.get(full[0], {}).get(full[1])
            if further is None:
                break
            full = [*further.split("."), *full[2:]]
        return ".".join(full)

    def whole_references(self) -> Iterator[tuple[ast.expr, str]]:
        """Outermost name chains that start at an import, with their dotted names."""
        for node in self.nodes():
            if not isinstance(node, (ast.Name, ast.Attribute)) or isinstance(self.parents.get(node), ast.Attribute):
                continue
            base: ast.AST = node
            while isinstance(base, ast.Attribute):
                base = base.value
            if isinstance(base, ast.Name) and base.id in self.imports:
                dotted = self.dotted(node)
                if dotted is not None:
                    yield node, dotted

    def describes_type(self, node: ast.AST) -> bool:
        """Whether a reference only names a type: in a function's annotation, or as a class of `isinstance`.

        The reference must not reach an author's object on the way: a call, a subscript or `|` of an object of the file,
        or the annotations of a class, which `dataclass` keeps.
        """
        parent = self.parents.get(node)
        while isinstance(parent, (ast.Tuple, ast.List, ast.Subscript, ast.BinOp)):
            if not all(map(self._is_foreign, _receivers(parent))):
                return False
            node, parent = parent, self.parents.get(parent)
        if isinstance(parent, ast.Call):
            named = isinstance(parent.func, ast.Name) and parent.func.id == "isinstance"
            return named and "isinstance" not in self.own_names and node in parent.args[1:]
        if isinstance(parent, ast.AnnAssign):
            return node is parent.annotation and not isinstance(self.parents.get(parent), ast.ClassDef)
        return isinstance(parent, ast.arg) or (isinstance(parent, FUNCTIONS) and node is parent.returns)

    @functools.cached_property
    def own_names(self) -> frozenset[str]:
        """Every name that some scope of the file binds to something of the file's own."""
        names = {node.id for node in self.nodes() if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        arguments = {node.arg for node in self.nodes() if isinstance(node, ast.arg)}
        made = {node.name for node in self.nodes() if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
        return frozenset(names | arguments | made)

    def _is_foreign(self, node: ast.expr) -> bool:
        """Whether an expression of an annotation holds names of Python and of other libraries only."""
        if isinstance(node, ast.Subscript):
            return self._is_foreign(node.value)
        if isinstance(node, ast.BinOp):
            return self._is_foreign(node.left) and self._is_foreign(node.right)
        if isinstance(node, ast.Constant):
            return True
        dotted = self.dotted(node)
        root = (dotted or "").partition(".")[0]
        return dotted is not None and root not in self.siblings and root not in self.own_names

    def functions(self) -> Iterator[Function]:
        """Every function of the file, nested ones included."""
        return (node for node in self.nodes() if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))

    def decorators(self, function: Function) -> list[str]:
        """Dotted names of a function's decorators. A call counts as the function that it calls, anything else as its
        own text.
        """
        names = []
        for decorator in function.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            names.append(self.dotted(target) or ast.unparse(target))
        return names

    def is_kernel(self, function: Function) -> bool:
        """Whether the function is device code (Triton, numba)."""
        return any(name in KERNEL_DECORATORS for name in self.decorators(function))

    def is_entry_point(self, function: Function) -> bool:
        """Whether this is one of the three functions of a pass, at top level."""
        return function.name in ENTRY_POINTS and self.parents.get(function) is self.file.tree


def _receivers(node: ast.Tuple | ast.List | ast.Subscript | ast.BinOp) -> tuple[ast.expr, ...]:
    """The parts of an expression whose methods are called with its other parts."""
    if isinstance(node, ast.BinOp):
        return (node.left, node.right)
    return (node.value,) if isinstance(node, ast.Subscript) else ()


def views(files: tuple[PassFile, ...]) -> tuple[FileView, ...]:
    """A view of each file of a set."""
    siblings = {file.stem: file for file in files}
    imports = {file.stem: _imports(file.tree) for file in files}
    mentioned = {file.stem: _mentioned(file.tree) for file in files}
    made = []
    for file in files:
        parents = {child: node for node in ast.walk(file.tree) for child in ast.iter_child_nodes(node)}
        bound = bindings(file.tree.body)
        elsewhere = frozenset[str]().union(*(names for stem, names in mentioned.items() if stem != file.stem))
        elsewhere |= _taken_back(file.tree, imports[file.stem], siblings)
        recorded = _recorded(file, bound)
        traced = _traced(file, recorded, parents, elsewhere)
        made.append(FileView(file, siblings, imports[file.stem], parents, bound, recorded, traced, imports))
    return tuple(made)


def _recorded(file: PassFile, bound: Bindings) -> tuple[Function, ...]:
    """`pattern`, and the plain functions of the file that it calls by name, through each other too."""
    definitions = file.functions("pattern")
    if len(definitions) != 1:
        return ()
    plain = {
        node.name: node
        for node in file.tree.body
        if isinstance(node, ast.FunctionDef) and len(bound[node.name]) == 1 and not node.decorator_list
    }
    found: list[Function] = []
    pending: list[Function] = [*definitions]
    while pending:
        function = pending.pop(0)
        found.append(function)
        called = {
            node.func.id for node in _inside(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        pending += [plain[name] for name in sorted(called & plain.keys()) if plain[name] not in (*found, *pending)]
    return tuple(found)


def _traced(
    file: PassFile, recorded: tuple[Function, ...], parents: Mapping[ast.AST, ast.AST], elsewhere: frozenset[str]
) -> frozenset[ast.AST]:
    """The statements that only run while `pattern` is traced: recorded, never run on tensors. Defaults are not."""
    only = [function for function in recorded if function.name == "pattern"]
    while True:
        inside = frozenset(node for function in only for node in _inside(function))
        more = [
            function
            for function in recorded
            if function not in only
            and function.name not in elsewhere
            and all(
                node in inside and getattr(parents.get(node), "func", None) is node
                for node in ast.walk(file.tree)
                if isinstance(node, ast.Name) and node.id == function.name and isinstance(node.ctx, ast.Load)
            )
        ]
        if not more:
            return inside
        only += more


def _inside(function: Function) -> list[ast.AST]:
    return [node for statement in function.body for node in ast.walk(statement)]


def _mentioned(tree: ast.Module) -> frozenset[str]:
    """Names that a file takes from other modules, by import or as an attribute."""
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return frozenset(attributes | {alias.name for node in _import_nodes(tree) for alias in node.names})


def _taken_back(tree: ast.Module, imports: Mapping[str, str], siblings: Mapping[str, PassFile]) -> frozenset[str]:
    """Names that a file takes from modules of its set, which may include itself."""
    roots = {name for name, dotted in imports.items() if dotted.partition(".")[0] in siblings}
    taken = {dotted.rpartition(".")[2] for name, dotted in imports.items() if name in roots}
    for node in ast.walk(tree):
        base: ast.AST = node
        while isinstance(base, ast.Attribute):
            base = base.value
        if isinstance(node, ast.Attribute) and isinstance(base, ast.Name) and base.id in roots:
            taken.add(node.attr)
    return frozenset(taken)


def _import_nodes(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def _imports(tree: ast.Module) -> dict[str, str]:
    return {name: dotted for node in _import_nodes(tree) for name, dotted in imported_names(node)}


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, with its dotted name."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            whole = own_name(alias.name) if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or whole, whole
        else:
            module = imported_module(node)
            yield alias.asname or alias.name, f"{module}.{alias.name}" if module else alias.name
