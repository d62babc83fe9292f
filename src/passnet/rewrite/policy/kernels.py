"""Checks kernel texts. Triton reads them again, line by line: it must get the same function that was read here."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import tokenize
from collections.abc import Iterator

from passnet.authored import syntax_tree
from passnet.rewrite.policy.bindings import own_bindings
from passnet.rewrite.policy.modules import Function
from passnet.rewrite.policy.names import Level
from passnet.rewrite.policy.view import FUNCTIONS, FileView

Hits = Iterator[tuple[ast.AST, str]]

_READ_AGAIN = frozenset({"triton.jit", "triton.runtime.jit.jit", "triton.constexpr_function"})
# Triton takes the lines from the first decorator on. In them, the kernel begins here.
_BEGINNING = re.compile(r"^def\s+\w+\s*\(", re.MULTILINE)
# The types of a kernel's parameters that are no names of a library's, and those that are a text.
_PYTHONS = frozenset({"int", "float", "bool", "str", "tuple"})
_TYPE = re.compile(r"\*?[\w.]+")
# Triton writes the parameters into a function that it executes, beside names of its own.
_OF_LAUNCHER = re.compile(r"specialize_impl|backend|JITCallable|params|specialization|options|dynamic_func|default_.*")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_SPACES = re.compile(r"[ \t]+")


def kernel_texts(view: FileView, level: Level) -> Hits:
    """Kernels that Triton would read differently, and kernels made from something else than a function of the file."""
    inside: set[ast.AST] = set()
    bound: dict[ast.AST, frozenset[str]] = {}
    for function in view.functions:  # those inside others come after them
        if not _READ_AGAIN.intersection(view.decorators(function)):
            continue
        if function in inside:
            yield function, f"kernel {function.name} inside another"
            continue
        inside.update(ast.walk(function))
        above = view.decorators(function)
        if above[-1] not in _READ_AGAIN or not all(name.startswith("triton.") for name in above):
            yield function, f"another decorator on kernel {function.name} than Triton's, or below `jit`"
        if names := _taken_from_around(function, view, bound):
            yield function, f"kernel {function.name} that takes {min(names)} of a function around it"
        if any(isinstance(each, ast.Call) and each.args for each in function.decorator_list[-1:]):
            yield function, f"jit of something else than {function.name}"
        if not _is_read_alike(function, view.lines):
            yield function, f"text of {function.name} that can be read in two ways"
        for argument in ast.walk(function.args):
            if isinstance(argument, ast.arg) and not _is_plain_type(argument.annotation, view):
                yield argument, f"annotation of {argument.arg} that is no type of Triton's"
            if isinstance(argument, ast.arg) and _OF_LAUNCHER.fullmatch(argument.arg):
                yield argument, f"parameter {argument.arg}, which is a name of Triton's launcher"
    for node, dotted in view.whole_references:
        if dotted in _READ_AGAIN and not _decorates_function(node, view):
            yield node, f"{dotted} used as a function"


def _taken_from_around(function: Function, view: FileView, bound: dict[ast.AST, frozenset[str]]) -> set[str]:
    """The names of a kernel that functions around it bind. When its text is read again, these are those of the file.

    `bound`: what the functions and classes of the file bind, found once for each.
    """
    used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    around, node = set[str](), view.parents.get(function)
    while node is not None:
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            around |= used & view.parameters(node)
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if node not in bound:
                bound[node] = frozenset(own_bindings(node.body))
            around |= used & bound[node]
        node = view.parents.get(node)
    return around - view.parameters(function)


def _is_read_alike(function: Function, lines: list[str]) -> bool:
    """Whether Triton finds the function that stands there, in the lines that `inspect` takes for it.

    Triton takes their common indentation away, also inside texts that span lines.
    """
    end = function.end_lineno or function.lineno
    while end < len(lines) and lines[end].lstrip()[:1] in ("", "#"):
        end += 1
    try:  # by the next line of code it is known where a function ends
        found = inspect.getblock(lines[function.decorator_list[0].lineno - 1 : end + 1])
    except (SyntaxError, tokenize.TokenError):
        return False
    starts = [index for index, line in enumerate(found) if line.lstrip().startswith("def ")]
    compiled = textwrap.dedent("".join(found))
    beginning = _BEGINNING.search(compiled)
    if len(starts) != 1 or beginning is None or not compiled.startswith("@"):
        return False  # the compiler takes the first such line, the interpreter the last one
    interpreted = textwrap.dedent("".join(found[starts[0] :]))
    try:
        trees = [syntax_tree(text).body for text in (compiled[beginning.start() :], interpreted)]
    except SyntaxError:
        return False
    return all(len(body) == 1 and _is_same(body[0], function) for body in trees)


def _is_same(read: ast.AST, written: ast.AST) -> bool:
    """Whether two functions are the same, but for decorators, remarks, and the spaces beside line ends in texts."""
    pending: list[tuple[object, object]] = [(read, written)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending += zip(one, other, strict=True)
        elif isinstance(one, ast.AST) and isinstance(other, ast.AST):
            if not (_is_remark(one) and _is_remark(other)):
                names = [name for name in one._fields if other is not written or name != "decorator_list"]
                pending += ((getattr(one, name, None), getattr(other, name, None)) for name in names)
        elif _as_read(one) != _as_read(other):
            return False
    return True


def _is_remark(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _as_read(value: object) -> object:
    """A text without what an indentation changes: spaces beside ends of lines, and how many there are elsewhere."""
    if isinstance(value, str):
        return _SPACES.sub(" ", _LINE_END.sub("\n", value))
    return value if not isinstance(value, (float, complex)) else repr(value)


def _is_plain_type(annotation: ast.expr | None, view: FileView) -> bool:
    """Whether an annotation names a type of Triton's or of Python's: Triton writes it into code that it executes."""
    if annotation is None:
        return True
    if isinstance(annotation, ast.Constant):
        return isinstance(annotation.value, str) and _TYPE.fullmatch(annotation.value) is not None
    root = annotation
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id in view.own_names:
        return False
    if root.id not in view.imports:
        return annotation is root and root.id in _PYTHONS
    return (view.dotted(annotation) or "").startswith(("triton.language.", "torch."))


def _decorates_function(node: ast.AST, view: FileView) -> bool:
    parent = view.parents.get(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        node, parent = parent, view.parents.get(parent)
    return isinstance(parent, FUNCTIONS) and node in parent.decorator_list
