"""Which names stand for an object of the file itself: the first parameter of one of its methods."""

from __future__ import annotations

import ast

from passnet.rewrite.policy.view import FileView


def is_of_a_method(node: ast.AST, view: FileView, *, python: bool = False) -> bool:
    """Whether a name is the first parameter of a method, `self` or `cls`, and is bound in no other way.

    Any function may call its first parameter `self`, and be given an object of a library. So may any method, by its
    class. `python`: only in methods that Python itself calls. No text can name one with two underscores, if nothing
    decorates it.
    """
    if not isinstance(node, ast.Name) or node.id not in ("self", "cls") or node.id in view.reassigned:
        return False
    inside = view.parents.get(node)
    while inside is not None and node.id not in view.parameters(inside):
        inside = view.parents.get(inside)
    if not isinstance(inside, ast.FunctionDef) or not isinstance(view.parents.get(inside), ast.ClassDef):
        return False
    if _is_in_a_kernel(inside, view):
        return False
    if python and (inside.decorator_list or not (inside.name.startswith("__") and inside.name.endswith("__"))):
        return False
    first, *_ = (*inside.args.posonlyargs, *inside.args.args, ast.arg(""))
    return first.arg == node.id


def _is_in_a_kernel(node: ast.AST, view: FileView) -> bool:
    """Triton reads the lines of a kernel once more. There, private names have no form of the file's own."""
    around: ast.AST | None = node
    while around is not None:
        if isinstance(around, ast.FunctionDef) and view.is_kernel(around):
            return True
        around = view.parents.get(around)
    return False
