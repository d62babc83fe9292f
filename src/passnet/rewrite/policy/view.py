"""One pass file as the source policy sees it: the meaning of names, and the code that only runs while tracing."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passnet.authored import expression_text
from passnet.rewrite.passes.source import ENTRY_POINTS, PassFile
from passnet.rewrite.policy.bindings import Bindings
from passnet.rewrite.policy.modules import Function, Mentions, Modules
from passnet.rewrite.policy.names import KERNEL_DECORATORS

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, eq=False)
class FileView:
    """A file with its siblings. What several rules ask of it is found once.

    - `modules`: what names mean across the files of the set.
    - `recorded`: `pattern` and the functions that it calls. All of them run while it is traced.
    - `traced`: the code of those that nothing else calls.
    """

    file: PassFile
    modules: Modules
    parents: Mapping[ast.AST, ast.AST]
    recorded: tuple[Function, ...]
    traced: frozenset[ast.AST]
    _foreign: dict[ast.expr, bool] = field(default_factory=dict)
    _decorators: dict[Function, list[str]] = field(default_factory=dict)
    _parameters: dict[ast.AST, frozenset[str]] = field(default_factory=dict)

    @property
    def siblings(self) -> Mapping[str, PassFile]:
        """The files of the set, by stem."""
        return self.modules.files

    @functools.cached_property
    def imports(self) -> Mapping[str, str]:
        """Local name -> dotted name."""
        return self.modules.imports[self.file.stem]

    @functools.cached_property
    def bound(self) -> Bindings:
        """Name of the module -> the values it is bound to."""
        return self.modules.bound[self.file.stem]

    @functools.cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the file, roughly in the order of the text (the order of `ast.walk`)."""
        return tuple(ast.walk(self.file.tree))

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the file as Python counts them."""
        return self.file.lines

    def defined(self, name: str) -> list[ast.FunctionDef]:
        """The top-level functions of the file under a name."""
        return self.modules.defined(self.file.stem, name)

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
        return self.modules.full_name(root, list(reversed(parts)))

    @functools.cached_property
    def whole_references(self) -> list[tuple[ast.expr, str]]:
        """Outermost name chains that start at an import, with their dotted names."""
        return list(self._whole_references())

    def _whole_references(self) -> Iterator[tuple[ast.expr, str]]:
        for node in self.nodes:
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
        return self.arguments | {name for name, imported in self._binders if not imported}

    @functools.cached_property
    def arguments(self) -> frozenset[str]:
        """The parameters of all functions of the file."""
        return frozenset(node.arg for node in self.nodes if isinstance(node, ast.arg))

    @functools.cached_property
    def reassigned(self) -> frozenset[str]:
        """Every name that the file binds in another way than as a parameter."""
        return frozenset(self.binders)

    @functools.cached_property
    def binders(self) -> Counter[str]:
        """How often some scope of the file binds each name in another way than as a parameter."""
        return Counter(name for name, _ in self._binders)

    @functools.cached_property
    def _binders(self) -> list[tuple[str, bool]]:
        """Each binding of a name but as a parameter, and whether it is an import."""
        names: list[tuple[str | None, bool]] = []
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.append((node.id, False))
            elif isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
                names.append((node.name, False))
            elif isinstance(node, ast.MatchMapping):
                names.append((node.rest, False))
            elif isinstance(node, ast.alias):
                names.append((node.asname or node.name, True))
        return [(name, imported) for name, imported in names if name is not None]

    def _is_foreign(self, node: ast.expr) -> bool:
        """Whether an expression of an annotation holds names of Python and of other libraries only."""
        if node not in self._foreign:
            self._foreign[node] = self._finds_foreign(node)
        return self._foreign[node]

    def _finds_foreign(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_foreign(node.value)
        if isinstance(node, ast.BinOp):
            return self._is_foreign(node.left) and self._is_foreign(node.right)
        if isinstance(node, ast.Constant):
            return True
        dotted = self.dotted(node)
        root = (dotted or "").partition(".")[0]
        return dotted is not None and root not in self.siblings and root not in self.own_names

    @functools.cached_property
    def functions(self) -> list[Function]:
        """Every function of the file, nested ones included."""
        return [node for node in self.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]

    def parameters(self, node: ast.AST) -> frozenset[str]:
        """The names of a function's parameters, and of those of lambdas in its defaults. None of anything else."""
        if not isinstance(node, (*FUNCTIONS, ast.Lambda)):
            return frozenset()
        if node not in self._parameters:
            self._parameters[node] = frozenset(n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg))
        return self._parameters[node]

    @functools.cached_property
    def classes(self) -> Mapping[str, list[ast.ClassDef]]:
        """The top-level classes of the file by name."""
        found: dict[str, list[ast.ClassDef]] = {}
        for node in self.file.tree.body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
        return found

    def decorators(self, function: Function) -> list[str]:
        """Dotted names of a function's decorators. A call counts as the function that it calls, anything else as its
        own text.
        """
        if function not in self._decorators:
            targets = [item.func if isinstance(item, ast.Call) else item for item in function.decorator_list]
            self._decorators[function] = [
                self._imported(target) or f"own {expression_text(target)}" for target in targets
            ]
        return self._decorators[function]

    def _imported(self, reference: ast.expr) -> str | None:
        """The dotted name of a builtin, or of what starts at an import that the file binds to nothing else."""
        root = reference
        while isinstance(root, ast.Attribute):
            root = root.value
        return self.dotted(reference) if isinstance(root, ast.Name) and root.id not in self.own_names else None

    def is_kernel(self, function: Function) -> bool:
        """Whether the function is device code (Triton, numba)."""
        return any(name in KERNEL_DECORATORS for name in self.decorators(function))

    @functools.cached_property
    def device_code(self) -> frozenset[ast.AST]:
        """The nodes of all kernels, their parameters and decorators included."""
        found: set[ast.AST] = set()
        for function in self.functions:  # those inside others come after them
            if function not in found and self.is_kernel(function):
                found.update(ast.walk(function))
        return frozenset(found)

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
    modules, mentions = Modules.of(files), Mentions(files)
    made = []
    for file in files:
        parents = {child: node for node in ast.walk(file.tree) for child in ast.iter_child_nodes(node)}
        taken = _taken_back(file.tree, modules.imports[file.stem], modules.files)
        recorded = _recorded(file, modules)
        alone = [f for f in recorded if f.name not in taken and not mentions.outside(file.stem, f.name)]
        made.append(FileView(file, modules, parents, recorded, _traced(file, recorded, parents, alone)))
    return tuple(made)


def _recorded(file: PassFile, modules: Modules) -> tuple[Function, ...]:
    """`pattern`, and the plain functions of the file that it calls by name, through each other too."""
    definitions = modules.defined(file.stem, "pattern")
    if len(definitions) != 1:
        return ()
    bound = modules.bound[file.stem]
    plain = {
        node.name: node
        for node in file.tree.body
        if isinstance(node, ast.FunctionDef) and len(bound[node.name]) == 1 and not node.decorator_list
    }
    found: dict[Function, None] = dict.fromkeys(definitions)
    pending: list[Function] = [*definitions]
    for function in pending:  # it grows on the way
        called = {
            node.func.id for node in _inside(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        more = [plain[name] for name in sorted(called & plain.keys()) if plain[name] not in found]
        found |= dict.fromkeys(more)
        pending += more
    return tuple(found)


def _traced(
    file: PassFile,
    recorded: tuple[Function, ...],
    parents: Mapping[ast.AST, ast.AST],
    alone: Sequence[Function],
) -> frozenset[ast.AST]:
    """The statements that only run while `pattern` is traced: recorded, never run on tensors. Defaults are not.

    `alone`: the recorded functions that no other file takes. Of these, one counts when all that names it is a call
    inside functions that count. `pattern` does.
    """
    open_uses = {function.name: 0 for function in alone if function.name != "pattern"}
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Name) and node.id in open_uses:  # an augmented assignment reads it too
            open_uses[node.id] += 1
    by_name = {function.name: function for function in alone}
    pending: list[Function] = [function for function in recorded if function.name == "pattern"]
    pending += [by_name[name] for name, count in open_uses.items() if not count]
    inside: set[ast.AST] = set()
    for function in pending:  # it grows on the way
        for node in _inside(function):
            if node in inside:
                continue
            inside.add(node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in open_uses:
                open_uses[node.id] -= getattr(parents.get(node), "func", None) is node
                if not open_uses[node.id]:
                    pending.append(by_name[node.id])
    return frozenset(inside)


def _inside(function: Function) -> list[ast.AST]:
    return [node for statement in function.body for node in ast.walk(statement)]


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
