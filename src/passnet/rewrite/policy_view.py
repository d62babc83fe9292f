"""One pass file as the source policy sees it: what a name means, and which code only runs while tracing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from passnet.rewrite.policy_names import KERNEL_DECORATORS
from passnet.rewrite.source import ENTRY_POINTS, PassFile

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class View:
    """A file with its siblings. `imports` maps local names to dotted names; `traced` is the code inside `pattern`."""

    file: PassFile
    siblings: Mapping[str, PassFile]
    imports: Mapping[str, str]
    parents: Mapping[ast.AST, ast.AST]
    traced: frozenset[ast.AST]
    sibling_imports: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def nodes(self) -> Iterator[ast.AST]:
        """Every node of the file, in the order of the text as far as `ast.walk` keeps it."""
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
        head, _, rest = root.partition(".")
        full = [*(rest.split(".") if rest else []), *parts]
        if head in self.siblings and full and full[0] in self.sibling_imports.get(head, {}):
            return ".".join((self.sibling_imports[head][full[0]], *full[1:]))
        return ".".join((head, *full))

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
        """Whether a reference stands in an annotation or in `isinstance`, where it can call nothing."""
        while (parent := self.parents.get(node)) is not None:
            if isinstance(parent, ast.arg) or (isinstance(parent, ast.AnnAssign) and node is parent.annotation):
                return True
            if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return node is parent.returns
            if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "isinstance":
                return True
            node = parent
        return False

    def functions(self) -> Iterator[Function]:
        """Every function of the file, nested ones included."""
        return (node for node in self.nodes() if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))

    def decorators(self, function: Function) -> list[str]:
        """Dotted names of a function's decorators; a call counts as what it calls, anything else as its own text."""
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


def views(files: tuple[PassFile, ...]) -> tuple[View, ...]:
    """A view of each file of a set."""
    siblings = {file.stem: file for file in files}
    imports = {file.stem: _imports(file.tree, frozenset(siblings)) for file in files}
    made = []
    for file in files:
        parents = {child: node for node in ast.walk(file.tree) for child in ast.iter_child_nodes(node)}
        made.append(View(file, siblings, imports[file.stem], parents, _traced(file), imports))
    return tuple(made)


def _traced(file: PassFile) -> frozenset[ast.AST]:
    """The statements inside `pattern`: they are recorded, never run on tensors. Its defaults and decorators are not."""
    definitions = file.functions("pattern")
    if len(definitions) != 1:
        return frozenset()
    return frozenset(node for statement in definitions[0].body for node in ast.walk(statement))


def _imports(tree: ast.Module, modules: frozenset[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            prefix = node.module or ""
            for alias in node.names:
                found[alias.asname or alias.name] = f"{prefix}.{alias.name}" if prefix else alias.name
    return found
