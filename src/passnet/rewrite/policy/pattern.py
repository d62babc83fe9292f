"""The allow-list for `pattern`: it runs while it is traced, so it may only use operators of graphs.

A pattern is Python that is called with recording values. It may call the functions that a graph may call. Beyond its
own variables it may name tensor functions, literal constants of the file, and helpers that obey the same list.
Everything else is refused, because it is not on the list.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import count

from passnet.authored import expression_text
from passnet.graph.text import allowed
from passnet.graph.text.operators import BINARY, COMPARE, UNARY, inplace_name
from passnet.op_classes import word_set
from passnet.rewrite.canonical import op_tables
from passnet.rewrite.policy.bindings import bindings, own_bindings
from passnet.rewrite.policy.modules import Function
from passnet.rewrite.policy.names import Level
from passnet.rewrite.policy.view import FileView

Hits = Iterator[tuple[ast.AST, str]]

# Namespaces whose functions only compute. Those that a graph may call besides change the mode of the process, and a
# call without a recording value is really made.
_NAMESPACES = frozenset(name for name in allowed.FUNCTIONS if not name.startswith(("torch.amp", "torch.autograd")))
_NOT_RECORDED = word_set(
    "torch._C._set_grad_enabled "
    "torch._C._functorch._vmap_increment_nesting torch._C._functorch._vmap_decrement_nesting "
    "torch._functorch.predispatch._vmap_increment_nesting torch._functorch.predispatch._vmap_decrement_nesting "
    "torch._functorch.predispatch.lazy_load_decompositions torch._functorch.vmap.lazy_load_decompositions"
)
_ATTRIBUTES = allowed.ATTRIBUTES | op_tables.META_ATTRIBUTES | {"type", "index"}
_METHODS = allowed.METHODS | op_tables.META_METHODS | {"unfold"}
_BUILTINS = word_set("bool complex float int len list max min range slice sum tuple")
_PYTHONS = frozenset(dir(builtins))
_NAMES = word_set("Ellipsis NotImplemented")
# `operator.add` and its like, under the names that graphs are written with.
_OPERATORS = frozenset(
    f"operator.{name}"
    for name in {*BINARY.values(), *map(inplace_name, BINARY.values()), *UNARY.values(), *COMPARE.values(), "abs"}
    | {"getitem", "setitem"}
)
_CONSTANTS = frozenset(f"torch.{name}" for name in (*allowed.TORCH_CONSTANTS, *allowed.TORCH_FLOATS, "e"))
_CONSTRUCTORS = frozenset({"torch.device", "torch.Size"})
_MATH = re.compile(r"math\.[a-z]\w*")
_IMPORTED = frozenset({"torch", "math", "operator"})
_MOST_ASKED = 3  # names of a file for which a like one is searched: a hostile file has thousands, in many helpers

_STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Delete, ast.Pass, ast.For, ast.If, ast.Assert,
)  # fmt: skip
# Expressions without a meaning beyond their parts.
_COMPOUND = (
    ast.Tuple, ast.List, ast.Dict, ast.Slice, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp,
    ast.Starred, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.ListComp,
    ast.GeneratorExp, ast.comprehension,
)  # fmt: skip


def pattern_operators(view: FileView, level: Level) -> Hits:
    """Everything in the patterns of a file, and in their helpers, that no graph could hold."""
    asked, literals = count(), dict[str, bool]()
    for function in view.recorded:
        yield from _Body(view, function, asked, literals).hits()


class _Body:
    """One function that is traced, with the names that are its own.

    `inside`: those that only comprehensions bind; beside these, Python looks elsewhere. `literals`: names of the file,
    once looked at.
    """

    def __init__(self, view: FileView, function: Function, asked: Iterator[int], literals: dict[str, bool]) -> None:
        self.view = view
        self.function = function
        arguments = frozenset(node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg))
        own = bindings(function.body)
        self.local = arguments | {name for name, values in own.items() if not all(map(_is_import, values))}
        self.own = own
        self.inside = own.keys() - own_bindings(function.body, comprehensions=False).keys() - arguments
        self.asked, self.literals = asked, literals
        self.readers: Mapping[type[ast.AST], Callable[..., Hits]] = {
            ast.Name: self.name,
            ast.Attribute: self.attribute,
            ast.Call: self.call,
            ast.Constant: self.constant,
            ast.Import: self.imports,
            ast.ImportFrom: self.imports,
        }

    def hits(self) -> Hits:
        """The breaches in the body, statement by statement."""
        for name in sorted(self.own.keys() & self.local & self.view.imports.keys()):
            yield self.function, f"{name} is an import and a variable"  # which of both a line means would be a guess
        for name in sorted(self.inside & (self.view.bound.keys() | _PYTHONS)):
            if not self.is_literal(name):
                yield self.function, f"{name} of a comprehension, which is another name beside it"
        for statement in self.function.body:
            yield from self.read(statement)

    def read(self, node: ast.AST) -> Hits:
        reader = self.readers.get(type(node))
        if reader is not None:
            yield from reader(node)
        elif isinstance(node, ast.AnnAssign):  # the annotation of a local name is not evaluated
            yield from self.parts(node.target, node.value)
        elif isinstance(node, (*_STATEMENTS, *_COMPOUND)):
            yield from self.parts(*ast.iter_child_nodes(node))
        else:
            yield node, _first_line(node)

    def parts(self, *nodes: ast.AST | None) -> Hits:
        for node in nodes:
            if node is not None:
                yield from self.read(node)

    def constant(self, node: ast.Constant) -> Hits:
        if isinstance(node.value, bytes):
            yield node, _first_line(node)

    def imports(self, node: ast.Import | ast.ImportFrom) -> Hits:
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        if any(module.partition(".")[0] not in _IMPORTED for module in modules):
            yield node, expression_text(node)

    def name(self, node: ast.Name) -> Hits:
        if node.id not in self.local and node.id not in _NAMES and not self.is_literal(node.id):
            dotted = self.view.dotted(node)
            if not (node.id in self.view.imports and self.is_value(dotted or "", node.id)):
                yield node, node.id

    def attribute(self, node: ast.Attribute) -> Hits:
        dotted = self.imported(node)
        if dotted is not None:
            if not self.is_value(dotted, _root(node)):
                yield node, dotted
            return
        if node.attr not in _ATTRIBUTES or not isinstance(node.ctx, ast.Load):
            yield node, expression_text(node)
        yield from self.read(node.value)

    def call(self, node: ast.Call) -> Hits:
        yield from self.callee(node.func)
        yield from self.parts(*node.args, *(keyword.value for keyword in node.keywords))

    def callee(self, node: ast.expr) -> Hits:
        dotted = self.imported(node)
        if dotted is not None:
            if not (function_recorded(dotted) and self.is_import(_root(node))):
                namespace, _, leaf = dotted.rpartition(".")
                yield node, f"{dotted}(){self.nearest(leaf, allowed.FUNCTIONS.get(namespace, frozenset()))}"
        elif isinstance(node, ast.Attribute):
            if node.attr not in _METHODS:
                yield node, f"method .{node.attr}(){self.nearest(node.attr, _METHODS)}"
            yield from self.read(node.value)
        elif (method := _method_by_name(node)) is not None:
            if method not in _METHODS:
                yield node, f"method .{method}()"
            yield from self.read(node.func.value)  # type: ignore[attr-defined]  # `_method_by_name` saw that it is there
        elif not isinstance(node, ast.Name) or not self.is_function(node.id):
            yield node, f"{expression_text(node)}()"

    def nearest(self, name: str, known: Collection[str]) -> str:
        """A question for the known name that is most like this one. Empty where none is, and after the first few."""
        if name in known or next(self.asked) >= _MOST_ASKED:
            return ""
        near = difflib.get_close_matches(name, known, 1, 0.75)
        return f", did you mean {near[0]}?" if near else ""

    def imported(self, node: ast.expr) -> str | None:
        """The full name of a chain that starts at an import of the file."""
        root = _root(node)
        return self.view.dotted(node) if root in self.view.imports and root not in self.local else None

    def is_value(self, dotted: str, root: str | None) -> bool:
        known = dotted in _CONSTANTS or _MATH.fullmatch(dotted) is not None
        return known and self.is_import(root)

    def is_function(self, name: str) -> bool:
        if name in self.local:
            return False
        mine = any(name == function.name for function in self.view.recorded)
        return (mine and len(self.view.bound[name]) == 1) or (name in _BUILTINS and name not in self.view.bound)

    def is_literal(self, name: str) -> bool:
        """A module-level name that is bound once, to a literal: nothing that it does when used can be the author's."""
        if name not in self.literals:
            values = self.view.bound.get(name, ())
            self.literals[name] = len(values) == 1 and values[0] is not None and is_literal(values[0])
        return self.literals[name]

    def is_import(self, name: str | None) -> bool:
        """Whether a name is always an import. The same name means one import in the whole file."""
        values = self.own.get(name or "") or self.view.bound.get(name or "", ())
        return bool(values) and all(map(_is_import, values))


def function_recorded(dotted: str) -> bool:
    """Whether a pattern may call this function: it computes tensors or numbers, and the trace can record it."""
    if dotted in _OPERATORS or dotted in _CONSTRUCTORS or _MATH.fullmatch(dotted):
        return True
    namespace = dotted.rpartition(".")[0]
    known = namespace in _NAMESPACES or dotted.startswith("torch.ops.aten.")
    return known and allowed.function_allowed(dotted) and dotted not in _NOT_RECORDED


def _method_by_name(node: ast.expr) -> str | None:
    """The method in `x.__getattr__("__eq__")`, as older graphs spell it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__getattr__":
        name = node.args[0].value if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) else None
        return name if isinstance(name, str) and not node.keywords else None
    return None


def _is_import(node: ast.AST | None) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def is_literal(node: ast.AST) -> bool:
    """Numbers, texts and containers of them, arithmetic included."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, bytes)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(is_literal(item) for item in node.elts)
    if isinstance(node, ast.UnaryOp):
        return is_literal(node.operand)
    return isinstance(node, ast.BinOp) and is_literal(node.left) and is_literal(node.right)


def _first_line(node: ast.AST) -> str:
    return expression_text(node).splitlines()[0]
