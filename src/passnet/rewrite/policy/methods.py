"""Finds methods of tensors that a pass calls, or takes as values to call them later, by what the text shows."""

from __future__ import annotations

import ast

from passnet.authored import expression_text
from passnet.rewrite.policy.names import (
    COMPUTING_METHODS,
    CONVERSIONS,
    OTHER_METHODS,
    TENSOR_METHODS,
    Level,
)
from passnet.rewrite.policy.origins import Origins
from passnet.rewrite.policy.tensors import Uses, host_code, is_part_of_tensor
from passnet.rewrite.policy.view import FUNCTIONS, FileView

_MAY_BE_READ = TENSOR_METHODS | CONVERSIONS
_TAKEN = COMPUTING_METHODS | OTHER_METHODS
_AS_ARRAY = "numpy"
_TAKE_NUMBERS = frozenset({"int", "float", "bool", "range"})


def tensor_methods(view: FileView, level: Level) -> Uses:
    """Tensor methods that compute, called or taken as values, and such names of what nobody knows.

    What `.numpy()` gives is the tensor's own memory, so it counts as a view where arrays are admitted.
    """
    origins = Origins(view)
    numbers = _Numbers(view, origins)
    for nodes, names in host_code(view):
        for node in nodes:
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load) or node.attr in _MAY_BE_READ:
                continue
            called = getattr(view.parents.get(node), "func", None) is node
            if called and node.attr == _AS_ARRAY and level == "native":
                continue
            if node in view.traced or (not called and (node.attr not in _TAKEN or numbers.holds(node))):
                continue
            what = f"method .{node.attr}()" if called else f"method .{node.attr} as a value"
            if is_part_of_tensor(node.value, names, view):
                yield node, f"{what} of a tensor"
            elif node.attr in COMPUTING_METHODS and not origins.shows(node):
                yield node, f"{what} of {expression_text(node.value)}, which may be a tensor"


class _Numbers:
    """Tells values that are only reckoned with, such as a size that a plan holds. A method would raise there."""

    def __init__(self, view: FileView, origins: Origins) -> None:
        self._view = view
        self._origins = origins
        self._reads: dict[str, list[ast.Name]] = {}
        for node in view.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._reads.setdefault(node.id, []).append(node)
        self._known: dict[str, bool] = {}

    def holds(self, value: ast.Attribute) -> bool:
        """Whether nothing can call a value. It may have a name of its own first."""
        user = self._view.parents.get(value)
        if not isinstance(user, ast.Assign) or len(user.targets) != 1 or not isinstance(user.targets[0], ast.Name):
            return self._reckons(value, user)
        return self._is_in_function(user) and self._is_number(user.targets[0].id)

    def _is_in_function(self, node: ast.AST | None) -> bool:
        """What a module or a class binds can be read as an attribute too."""
        while node is not None and not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            node = self._view.parents.get(node)
        return isinstance(node, FUNCTIONS)

    def _is_number(self, name: str) -> bool:
        if name not in self._known:
            reads = self._reads.get(name, [])
            self._known[name] = all(self._reckons(read, self._view.parents.get(read)) for read in reads)
        return self._known[name]

    def _reckons(self, value: ast.expr, user: ast.AST | None) -> bool:
        """Whether what has a value as a part needs a number, asks whether it is true, or reads an attribute of it."""
        user = self._view.parents.get(user) if isinstance(user, ast.keyword) else user
        if isinstance(user, ast.Call):
            return value is not user.func and (self._makes_number(user.func) or self._origins.launches(user))
        if isinstance(user, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            is_text = isinstance(user, ast.BinOp) and isinstance(user.op, ast.Mod)
            return not is_text and not self._view.modules.has_operators
        return isinstance(user, ast.Attribute) or value is getattr(user, "test", None)

    def _makes_number(self, function: ast.expr) -> bool:
        name = function.id if isinstance(function, ast.Name) else ""
        return name in _TAKE_NUMBERS and name not in self._view.own_names
