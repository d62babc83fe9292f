"""Finds the names of a pass file that hold tensors outside device code, from its text."""

from __future__ import annotations

import ast
import functools
from collections import deque
from collections.abc import Iterator

from passnet.authored import expression_text
from passnet.op_classes import word_set
from passnet.rewrite.policy.modules import Function
from passnet.rewrite.policy.names import (
    CONVERSIONS,
    TAKES_NUMBERS,
    TENSOR_EVIDENCE,
    TENSOR_METHODS,
    VIEW_FUNCTIONS,
)
from passnet.rewrite.policy.view import FileView

CREATION = ("torch.empty", "torch.zeros", "torch.ones", "torch.full", "torch.as_tensor")
Uses = Iterator[tuple[ast.AST, str]]


def host_functions(view: FileView) -> list[Function]:
    """Functions that run on the host: neither device code nor the three functions of the pass."""
    return [f for f in view.functions if not view.is_kernel(f) and not view.is_entry_point(f)]


@functools.lru_cache(maxsize=1)  # several rules ask for those of one file, one after another
def tensor_names(view: FileView) -> dict[Function, set[str]]:
    """Per host function the names that hold tensors: from annotations, uses, origins, and calls that pass them on."""
    functions = host_functions(view)
    by_name = {function.name: function for function in functions}
    known = {function: _evident(function) | _annotated(function, view) for function in functions}
    for function, names in _from_replacement_args(view, by_name).items():
        known[function] |= names
    flows = _Flows()
    for function in functions:
        flows.add(function, by_name, view)
    return flows.spread(known)


class _Flows:
    """Where the value of a name, or of an expression, goes: to names of the same function, and to parameters."""

    def __init__(self) -> None:
        self._always: list[_Holder] = []
        self._next: dict[_Holder, list[_Holder]] = {}

    def add(self, function: Function, by_name: dict[str, Function], view: FileView) -> None:
        """The bindings and the calls of one function."""
        for node in _own_nodes(function):
            for target, value in _bindings(node):
                self._from_parts(value, function, view)
                self._flow(value, (function, target.id))
            if isinstance(node, (ast.For, ast.comprehension)):
                for value in _unpacked_calls(node):
                    self._from_parts(value, function, view)
                    self._flow(value, node.iter)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in by_name:
                callee = by_name[node.func.id]
                for parameter, argument in zip(_parameters(callee), node.args, strict=False):
                    if isinstance(argument, ast.Name):
                        self._flow((function, argument.id), (callee, parameter.arg))

    def _from_parts(self, value: ast.expr, function: Function, view: FileView) -> None:
        """What a value is made of flows to it."""
        if value not in self._next:
            for source in _sources(value, view):
                self._flow((function, source) if source is not None else None, value)

    def _flow(self, source: _Holder | None, target: _Holder) -> None:
        if source is None:
            self._always.append(target)
        else:
            self._next.setdefault(source, []).append(target)

    def spread(self, known: dict[Function, set[str]]) -> dict[Function, set[str]]:
        """The names that hold tensors, when these and all that is made of them do."""
        pending = [*self._always, *((function, name) for function, names in known.items() for name in names)]
        reached: set[_Holder] = set()
        while pending:
            holder = pending.pop()
            if holder in reached:
                continue
            reached.add(holder)
            if isinstance(holder, tuple):
                known[holder[0]].add(holder[1])
            pending += self._next.get(holder, ())
        return known


# A name of a function, or an expression.
_Holder = tuple[Function, str] | ast.expr


def tensor_operators(view: FileView) -> Uses:
    """Arithmetic, comparison and in-place operators on tensors: they compute without calling anything."""
    for nodes, names in host_code(view):
        for node in nodes:
            operands = _operands(node)
            found = next((expression_text(o) for o in operands if is_part_of_tensor(o, names, view)), None)
            if found is not None or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)):
                yield (
                    node,
                    expression_text(node) if found is None else f"operator on tensor {found}: {expression_text(node)}",
                )


def tensor_builtins(view: FileView) -> Uses:
    """Builtins and functions of math that compute on tensors, or read their values."""
    for function, names in tensor_names(view).items():
        for node in _own_nodes(function):
            if isinstance(node, ast.Call) and _reads_values(node.func, view):
                listed = [item for argument in node.args for item in _items(argument)]
                if any(is_part_of_tensor(item, names, view) for item in listed):
                    yield node, expression_text(node)


def _reads_values(function: ast.expr, view: FileView) -> bool:
    dotted = view.dotted(function) or ""
    return dotted in _VALUE_BUILTINS or dotted.startswith("math.")


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]


_VALUE_BUILTINS = word_set("abs bool complex divmod float int max min pow round sum all any sorted")


def host_code(view: FileView) -> Iterator[tuple[Iterator[ast.AST], set[str]]]:
    """The nodes of each host function, with the names that hold tensors there, and those of code outside functions.

    Outside there are no tensors, but a lambda that is made there may get some.
    """
    for function, names in tensor_names(view).items():
        yield _own_nodes(function), names
    yield _own_nodes(view.file.tree), set()


def _operands(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare) and not any(
        isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops
    ):
        return [node.left, *node.comparators]
    return []


def _own_nodes(scope: Function | ast.Module) -> Iterator[ast.AST]:
    """The nodes of the body of a function, or of a file. Of functions inside it, what their definition runs."""
    pending: deque[ast.AST] = deque(scope.body)
    while pending:
        node = pending.popleft()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending.extend([*node.decorator_list, node.args])
        else:
            pending.extend(ast.iter_child_nodes(node))


def _parameters(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _annotated(function: Function, view: FileView) -> set[str]:
    return {p.arg for p in _parameters(function) if p.annotation is not None and _is_tensor(p.annotation, view)}


def _evident(function: Function) -> set[str]:
    """The parameters of which an attribute of tensors is used."""
    parameters = {p.arg for p in _parameters(function)}
    return {
        node.value.id
        for node in _own_nodes(function)
        if isinstance(node, ast.Attribute)
        and node.attr in TENSOR_EVIDENCE
        and isinstance(node.value, ast.Name)
        and node.value.id in parameters
    }


def _is_tensor(annotation: ast.expr, view: FileView) -> bool:
    return view.dotted(annotation) == "torch.Tensor" or expression_text(annotation).strip("'\"") == "torch.Tensor"


def _bindings(node: ast.AST) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each name that a node binds, with its value: plain, unpacked, annotated, walrus, or a loop over a tuple."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from _pairs(node.target, node.value)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, (ast.Tuple, ast.List)):
        unpacked = _unpacked_calls(node)
        for item in node.iter.elts:
            if item not in unpacked:
                yield from _pairs(node.target, item)
        if unpacked:  # what one of them gives, each name of the target may hold
            for name in _names_of(node.target):
                yield name, node.iter


def _unpacked_calls(node: ast.For | ast.comprehension) -> dict[ast.expr, None]:
    """The calls among the items of a loop whose target is several names. Names times calls are too many pairs."""
    if not isinstance(node.target, (ast.Tuple, ast.List)) or not isinstance(node.iter, (ast.Tuple, ast.List)):
        return {}
    return dict.fromkeys(item for item in node.iter.elts if isinstance(item, ast.Call))


def _names_of(target: ast.expr) -> Iterator[ast.Name]:
    """The names that a call's result is unpacked into."""
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _names_of(part.value if isinstance(part, ast.Starred) else part)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _pairs(one, other)
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, ast.Call):
        for one in target.elts:  # parts of a tensor, or of a list of them, are tensors
            yield from _pairs(one.value if isinstance(one, ast.Starred) else one, value)


def is_part_of_tensor(node: ast.expr, names: set[str], view: FileView) -> bool:
    """Whether the text shows a value to be a tensor, a view of one or an item of a list of them."""
    return any(source is None or source in names for source in _sources(node, view))


def _sources(node: ast.expr, view: FileView) -> Iterator[str | None]:
    """The names of which an expression is a view or a part. None where it makes a tensor itself."""
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.NamedExpr):
            pending.append(node.value)
        elif isinstance(node, ast.Subscript):
            pending += _items(node.value)
        elif isinstance(node, ast.Call):
            if (view.dotted(node.func) or "").startswith((*CREATION, *VIEW_FUNCTIONS)):
                yield None
            elif isinstance(node.func, ast.Attribute) and node.func.attr in _GIVES_TENSOR:
                pending.append(node.func.value)
        elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            pending.append(node.value)


def holds_tensor(node: ast.expr, names: set[str], view: FileView) -> bool:
    """Whether the text shows a value to be a tensor or a container with one: `x` in `(x, n)`, not in `x.shape`."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(holds_tensor(item, names, view) for item in node.elts)
    if isinstance(node, ast.Dict):
        return any(holds_tensor(item, names, view) for item in node.values)
    return is_part_of_tensor(node, names, view)


# An array of numpy is the tensor's memory: whoever reckons with it reckons with the tensor.
_GIVES_TENSOR = (TENSOR_METHODS | CONVERSIONS | {"numpy"}) - word_set(
    "size dim numel nelement stride element_size is_contiguous is_floating_point is_complex storage_offset data_ptr "
    "get_device ndimension chunk split unbind"
)


def _from_replacement_args(view: FileView, by_name: dict[str, Function]) -> dict[Function, set[str]]:
    """Parameters of the file's wrappers that `replacement_args` of some rule of the set fills with matched values."""
    found: dict[Function, set[str]] = {}
    for stem, name in view.modules.rules_of(view.file.stem):
        rule = view.modules.definition(stem, "replacement_args")
        if name not in by_name or rule is None:
            continue
        returned = [n.value for n in ast.walk(rule) if isinstance(n, ast.Return)]
        if len(returned) != 1 or not isinstance(returned[0], ast.Tuple):
            continue
        values, function = _matched(stem, rule, view), by_name[name]
        pairs = zip(_parameters(function), returned[0].elts, strict=False)
        names = {p.arg for p, item in pairs if isinstance(item, ast.Name) and item.id in values}
        found.setdefault(function, set()).update(names)
    return found


def _matched(stem: str, rule: Function, view: FileView) -> set[str]:
    """The parameters of `replacement_args`, without those that stand for numbers in the text of `pattern`."""
    pattern = view.modules.definition(stem, "pattern")
    numbers = _numbers(pattern) if pattern else []
    given = [*numbers, *[False] * len(_parameters(rule))]
    return {p.arg for p, is_number in zip(_parameters(rule), given, strict=False) if not is_number}


def _numbers(pattern: Function) -> list[bool]:
    """Per parameter, whether it is annotated, or used where functions take numbers and nowhere else."""
    nodes = list(ast.walk(pattern))
    there = {value for node in nodes if isinstance(node, ast.Call) for value in _numbers_of(node)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    used, elsewhere = {node.id for node in names}, {node.id for node in names if node not in there}
    return [p.annotation is not None or (p.arg in used and p.arg not in elsewhere) for p in _parameters(pattern)]


def _numbers_of(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that are numbers: all of a method, all but the first of a function."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in TAKES_NUMBERS:
        is_function = isinstance(call.func, ast.Attribute) and _is_library(call.func.value)
        for value in (*call.args[is_function:], *(keyword.value for keyword in call.keywords)):
            yield from _items(value)


def _is_library(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("torch", "F", "nn")
