"""Finds the names of a pass file that hold tensors outside device code, from its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from passnet.graph.names import word_set
from passnet.rewrite.policy.bindings import bindings
from passnet.rewrite.policy.names import CONVERSIONS, TAKES_NUMBERS, TENSOR_EVIDENCE, TENSOR_METHODS
from passnet.rewrite.policy.view import FileView, Function

CREATION = ("torch.empty", "torch.zeros", "torch.ones", "torch.full", "torch.as_tensor")
Uses = Iterator[tuple[ast.AST, str]]


def host_functions(view: FileView) -> list[Function]:
    """Functions that run on the host: neither device code nor the three functions of the pass."""
    return [f for f in view.functions() if not view.is_kernel(f) and not view.is_entry_point(f)]


def tensor_names(view: FileView) -> dict[Function, set[str]]:
    """Per host function the names that hold tensors: from annotations, uses, origins, and calls that pass them on."""
    functions = host_functions(view)
    by_name = {function.name: function for function in functions}
    known = {function: _evident(function, view) for function in functions}
    for function, names in _from_replacement_args(view, by_name).items():
        known[function] |= names
    before = -1
    while before != (size := sum(map(len, known.values()))):
        before = size
        for function in functions:
            _propagate(function, known, by_name, view)
    return known


def tensor_operators(view: FileView) -> Uses:
    """Arithmetic, comparison and in-place operators on tensors: they compute without calling anything."""
    for function, names in tensor_names(view).items():
        for node in _own_nodes(function, view):
            operands = _operands(node)
            found = next((ast.unparse(o) for o in operands if _holds_tensor(o, names, view)), None)
            if found is not None or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)):
                yield (
                    node,
                    f"{ast.unparse(node)}" if found is None else f"operator on tensor {found}: {ast.unparse(node)}",
                )


def tensor_builtins(view: FileView) -> Uses:
    """Builtins and functions of math that compute on tensors, or read their values."""
    for function, names in tensor_names(view).items():
        for node in _own_nodes(function, view):
            if isinstance(node, ast.Call) and _reads_values(node.func, view):
                listed = [item for argument in node.args for item in _items(argument)]
                if any(_holds_tensor(item, names, view) for item in listed):
                    yield node, ast.unparse(node)


def _reads_values(function: ast.expr, view: FileView) -> bool:
    dotted = view.dotted(function) or ""
    return dotted in _VALUE_BUILTINS or dotted.startswith("math.")


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]


_VALUE_BUILTINS = word_set("abs bool complex divmod float int max min pow round sum all any sorted")


def tensor_methods(view: FileView) -> Uses:
    """Calls of Tensor methods that compute."""
    for function, names in tensor_names(view).items():
        for node in _own_nodes(function, view):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            allowed = node.func.attr in TENSOR_METHODS or node.func.attr in CONVERSIONS
            if _holds_tensor(node.func.value, names, view) and not allowed:
                yield node, f"method .{node.func.attr}() of a tensor"


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


def _own_nodes(function: Function, view: FileView) -> Iterator[ast.AST]:
    """The nodes of a function's body without those of functions inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending.extend(ast.iter_child_nodes(node))


def _parameters(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _evident(function: Function, view: FileView) -> set[str]:
    names = {p.arg for p in _parameters(function) if p.annotation is not None and _is_tensor(p.annotation, view)}
    parameters = {p.arg for p in _parameters(function)}
    for node in _own_nodes(function, view):
        if not isinstance(node, ast.Attribute) or node.attr not in TENSOR_EVIDENCE:
            continue
        if isinstance(node.value, ast.Name) and node.value.id in parameters:
            names.add(node.value.id)
    return names


def _is_tensor(annotation: ast.expr, view: FileView) -> bool:
    return view.dotted(annotation) == "torch.Tensor" or ast.unparse(annotation).strip("'\"") == "torch.Tensor"


def _propagate(
    function: Function, known: dict[Function, set[str]], by_name: dict[str, Function], view: FileView
) -> None:
    names = known[function]
    for node in _own_nodes(function, view):
        for target, value in _bindings(node):
            if _holds_tensor(value, names, view):
                names.add(target.id)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in by_name:
            callee = by_name[node.func.id]
            for parameter, argument in zip(_parameters(callee), node.args, strict=False):
                if isinstance(argument, ast.Name) and argument.id in names:
                    known[callee].add(parameter.arg)


def _bindings(node: ast.AST) -> Iterator[tuple[ast.Name, ast.expr]]:
    """Each name that a node binds, with its value: plain, unpacked, annotated, walrus, or a loop over a tuple."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from _pairs(node.target, node.value)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, (ast.Tuple, ast.List)):
        for item in node.iter.elts:
            yield from _pairs(node.target, item)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _pairs(one, other)


def _holds_tensor(node: ast.expr, names: set[str], view: FileView) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.NamedExpr):
        return _holds_tensor(node.value, names, view)
    if isinstance(node, ast.Subscript):
        listed = node.value.elts if isinstance(node.value, (ast.Tuple, ast.List)) else [node.value]
        return any(_holds_tensor(item, names, view) for item in listed)
    if isinstance(node, ast.Call):
        dotted = view.dotted(node.func)
        if dotted is not None and dotted.startswith(CREATION):
            return True
        is_view = isinstance(node.func, ast.Attribute) and node.func.attr in _GIVES_TENSOR
        return is_view and isinstance(node.func, ast.Attribute) and _holds_tensor(node.func.value, names, view)
    return isinstance(node, ast.Attribute) and node.attr in ("T", "mT") and _holds_tensor(node.value, names, view)


def holds_tensor(node: ast.expr, names: set[str], view: FileView) -> bool:
    """Whether the text shows a value to be a tensor or a container with one: `x` in `(x, n)`, not in `x.shape`."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(holds_tensor(item, names, view) for item in node.elts)
    if isinstance(node, ast.Dict):
        return any(holds_tensor(item, names, view) for item in node.values)
    return _holds_tensor(node, names, view)


_GIVES_TENSOR = (TENSOR_METHODS | CONVERSIONS) - word_set(
    "size dim numel nelement stride element_size is_contiguous is_floating_point is_complex storage_offset data_ptr "
    "get_device is_pinned ndimension chunk split unbind"
)


def _from_replacement_args(view: FileView, by_name: dict[str, Function]) -> dict[Function, set[str]]:
    """Parameters of the file's wrappers that `replacement_args` of some rule of the set fills with matched values."""
    found: dict[Function, set[str]] = {}
    for stem in view.siblings:
        wrapper, rule = _wrapper_of(stem, view), _definition(stem, "replacement_args", view)
        if wrapper is None or wrapper[0] != view.file.stem or wrapper[1] not in by_name or rule is None:
            continue
        returned = [n.value for n in ast.walk(rule) if isinstance(n, ast.Return)]
        if len(returned) != 1 or not isinstance(returned[0], ast.Tuple):
            continue
        values, function = _matched(stem, rule, view), by_name[wrapper[1]]
        pairs = zip(_parameters(function), returned[0].elts, strict=False)
        names = {p.arg for p, item in pairs if isinstance(item, ast.Name) and item.id in values}
        found.setdefault(function, set()).update(names)
    return found


def _matched(stem: str, rule: Function, view: FileView) -> set[str]:
    """The parameters of `replacement_args`, without those that stand for numbers in the text of `pattern`."""
    pattern = _definition(stem, "pattern", view)
    numbers = [_is_number(p, pattern) for p in _parameters(pattern)] if pattern else []
    given = [*numbers, *[False] * len(_parameters(rule))]
    return {p.arg for p, is_number in zip(_parameters(rule), given, strict=False) if not is_number}


def _is_number(parameter: ast.arg, pattern: Function) -> bool:
    """Whether a parameter is annotated, or used where functions take numbers and nowhere else."""
    uses = {n for n in ast.walk(pattern) if isinstance(n, ast.Name) and n.id == parameter.arg}
    calls = [n for n in ast.walk(pattern) if isinstance(n, ast.Call)]
    there = {value for call in calls for value in _numbers_of(call)}
    return parameter.annotation is not None or (bool(uses) and uses <= there)


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


def _wrapper_of(stem: str, view: FileView) -> tuple[str, str] | None:
    """File and name of the function that a rule's `replacement_func` returns, if need be by asking another one."""
    place = _resolved(stem, "replacement_func", view)
    for _ in view.siblings:
        function = _definition(*place, view)
        last = function.body[-1] if function is not None else None
        value = last.value if isinstance(last, ast.Return) else None
        if isinstance(value, ast.Name):
            return _resolved(place[0], value.id, view)
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            return None
        place = _resolved(place[0], value.func.id, view)
    return None


def definition(name: str, view: FileView) -> Function | None:
    """The one top-level function that a name of the file means, here or in the file from which it is imported."""
    return _definition(view.file.stem, name, view)


def _definition(stem: str, name: str, view: FileView) -> Function | None:
    stem, name = _resolved(stem, name, view)
    found = view.siblings[stem].functions(name)
    return found[0] if len(found) == 1 and len(bindings(view.siblings[stem].tree.body)[name]) == 1 else None


def _resolved(stem: str, name: str, view: FileView) -> tuple[str, str]:
    """The file and the name there that a name of a file means, imports between files of the set followed."""
    for _ in view.siblings:
        module, _, imported = view.sibling_imports.get(stem, {}).get(name, "").rpartition(".")
        if module not in view.siblings:
            break
        stem, name = module, imported
    return stem, name
