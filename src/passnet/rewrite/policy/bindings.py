"""Which names a scope binds, and to what: read from the text, for one scope and not for those inside it."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Bindings = Mapping[str, tuple[ast.AST | None, ...]]


def bindings(body: Sequence[ast.stmt]) -> Bindings:
    """Every name that the scope of `body` binds, with one entry a binding.

    The entry is the value of a plain assignment, the statement of an import, and None of anything else. A name that a
    function inside declares global or nonlocal counts too.
    """
    declared = (node for outer in body for node in ast.walk(outer) if isinstance(node, (ast.Global, ast.Nonlocal)))
    return _collected(chain(_bound(body), ((name, None) for node in declared for name in node.names)))


def own_bindings(body: Sequence[ast.stmt], *, comprehensions: bool = True) -> Bindings:
    """The same without what functions inside declare: it takes no longer where they are nested."""
    return _collected(_bound(body, comprehensions))


def _collected(pairs: Iterable[tuple[str, ast.AST | None]]) -> Bindings:
    found: dict[str, list[ast.AST | None]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in found.items()}


def own_nodes(body: Iterable[ast.AST], *, comprehensions: bool = True) -> Iterator[ast.AST]:
    """The nodes that run with the scope itself: of functions and classes inside only what their definition runs.

    `comprehensions`: these count as a part of it. Without that, only what they run over first looks names up in it.
    """
    pending = deque(body)
    while pending:
        node = pending.popleft()
        yield node
        if isinstance(node, _FUNCTIONS):
            pending += _definition(node)
        elif isinstance(node, ast.ClassDef):
            pending += [*node.decorator_list, *node.bases, *node.keywords]
        elif isinstance(node, _COMPREHENSIONS) and not comprehensions:
            pending.append(node.generators[0].iter)
        else:
            pending += ast.iter_child_nodes(node)


def _definition(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.AST]:
    parts: list[ast.AST] = [node.args]
    if not isinstance(node, ast.Lambda):
        parts += [*node.decorator_list, *([node.returns] if node.returns else [])]
    return parts


def _bound(body: Sequence[ast.stmt], comprehensions: bool = True) -> Iterator[tuple[str, ast.AST | None]]:
    plain: dict[ast.AST, ast.expr] = {}
    for node in own_nodes(body, comprehensions=comprehensions):
        if isinstance(node, ast.Assign):
            plain |= {target: node.value for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            plain[node.target] = node.value
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, None
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name.partition(".")[0], node) for alias in node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id, plain.get(node)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name, None
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest, None
