"""Parses the text of a `model.py` into a `ParsedModel`. Anything that is not straight-line tensor code is refused."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NoReturn, cast

from passnet.graph.errors import GraphError
from passnet.graph.text import allowed
from passnet.graph.text.allowed import MAX_DIMENSIONS
from passnet.graph.text.literals import parse_python, snippet
from passnet.graph.text.operands import NAMED_CONSTANTS, Scope, dotted_name, is_torch_path
from passnet.graph.text.operators import BINARY, COMPARE, UNARY, inplace_name
from passnet.graph.text.program import Op, ParsedModel, Ref, SliceValue, Value, refs_of

MAX_PARAMETERS = 20_000
MAX_STATEMENTS = 400_000
# `device` is not in this set: a graph that does not import it may give that name to a result.
_RESERVED = NAMED_CONSTANTS.keys() | {"torch", "self", "slice"}


def parse_model(text: str, path: Path) -> ParsedModel:
    """The program of a `model.py`.

    Errors: `GraphError` with the file, the line, the expected construct and the found one.
    """
    forward = _forward_of(parse_python(text, path), path)
    return _Body(path, forward).program()


def _refuse(path: Path, node: ast.AST, what: str, expected: str, hint: str | None = None) -> NoReturn:
    line = f"line {getattr(node, 'lineno', '?')}"
    raise GraphError(what, path=path, field=line, expected=expected, found=snippet(node), hint=hint)


def _check_import(node: ast.Import | ast.ImportFrom, path: Path) -> None:
    if isinstance(node, ast.Import):
        imported = [(alias.name, "", alias.asname) for alias in node.names]
    else:
        imported = [(node.module or "", alias.name, alias.asname) for alias in node.names]
    for module, name, renamed in imported:
        if module.split(".")[0] == "paddle":
            _refuse(path, node, "this is a Paddle sample", "a torch sample", "only framework torch is supported")
        if (module, name) not in allowed.IMPORTS or renamed is not None or _is_relative(node):
            _refuse(path, node, "import refused", "import torch, from torch import device, inf or nan")


def _is_relative(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and node.level > 0


def _forward_of(tree: ast.Module, path: Path) -> ast.FunctionDef:
    """The `forward` of the only class. The file may hold nothing else, which is checked first."""
    classes: list[ast.ClassDef] = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            _check_import(node, path)
        elif isinstance(node, ast.ClassDef):
            classes.append(node)
        else:
            _refuse(path, node, "statement refused", "imports and one class GraphModule(torch.nn.Module)")
    if len(classes) != 1:
        raise GraphError(
            "wrong number of classes", path=path, expected="one class GraphModule", found=len(classes) or "none"
        )
    return _method_of(classes[0], path)


def _method_of(cls: ast.ClassDef, path: Path) -> ast.FunctionDef:
    if [dotted_name(base) for base in cls.bases] == ["paddle.nn.Layer"]:
        _refuse(path, cls, "this is a Paddle sample", "a torch sample", "only framework torch is supported")
    if [dotted_name(base) for base in cls.bases] != ["torch.nn.Module"] or cls.keywords or cls.decorator_list:
        _refuse(path, cls, "class refused", "class GraphModule(torch.nn.Module)")
    body = cls.body
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef) or body[0].name != "forward":
        extra = next((n for n in body if getattr(n, "name", None) != "forward"), cls)
        _refuse(path, extra, "class body refused", "exactly one method, forward")
    return body[0]


def _parameters(forward: ast.FunctionDef, path: Path) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    arguments = forward.args
    plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs)
    if not plain or arguments.defaults or forward.decorator_list or not arguments.args:
        _refuse(path, forward, "signature refused", "self and plain parameters without defaults")
    if arguments.args[0].arg != "self":
        _refuse(path, forward, "signature refused", "self as the first parameter")
    parameters = arguments.args[1:]
    if len(parameters) > MAX_PARAMETERS:
        raise GraphError("too many parameters", path=path, expected=f"at most {MAX_PARAMETERS}", found=len(parameters))
    names = tuple(arg.arg for arg in parameters)
    if len(set(names)) != len(names):
        raise GraphError("two parameters share a name", path=path, field=f"line {forward.lineno}")
    return names, tuple(_annotation(arg, path) for arg in parameters)


def _annotation(arg: ast.arg, path: Path) -> str | None:
    """The annotation as text: a torch type, or the quoted `"f32[2, 3]"` of verbose printouts. It may be absent."""
    if arg.annotation is None:
        return None
    if isinstance(arg.annotation, ast.Constant) and isinstance(arg.annotation.value, str):
        return arg.annotation.value
    name = dotted_name(arg.annotation)
    if name not in allowed.ANNOTATIONS:
        _refuse(path, arg.annotation, f"annotation of {arg.arg} refused", "torch.Tensor, Parameter or SymInt")
    return name


def _is_size(value: Value) -> bool:
    """Whether it is a result of `torch.Size`: a short tuple of sizes, each a number or a result."""
    flat = isinstance(value, tuple) and len(value) <= MAX_DIMENSIONS
    return flat and all(isinstance(item, (int, Ref)) for item in cast("tuple[Value, ...]", value))


class _Body:
    """Walks the statements of `forward` in order. It binds names as Python would."""

    def __init__(self, path: Path, forward: ast.FunctionDef) -> None:
        self.path = path
        self.forward = forward
        self.params, self.annotations = _parameters(forward, path)
        self.scope = Scope(path)
        self.scope.bound = {name: Ref(index) for index, name in enumerate(self.params)}
        self.ops: list[Op] = []
        self.readers: Mapping[type[ast.AST], Callable[..., None]] = {
            ast.Assign: self.assign,
            ast.AnnAssign: self.annotated,
            ast.AugAssign: self.augmented,
            ast.Expr: self.bare,
            ast.Delete: self.delete,
            ast.Pass: lambda node: None,
        }
        self.makers: Mapping[type[ast.AST], Callable[..., Value]] = {
            ast.Call: self.call,
            ast.BinOp: self.binary,
            ast.UnaryOp: self.unary,
            ast.Compare: self.compare,
            ast.Subscript: self.subscript,
            ast.Attribute: self.attribute,
        }

    def program(self) -> ParsedModel:
        statements = self.forward.body
        if len(statements) > MAX_STATEMENTS:
            raise GraphError(
                "too many statements", path=self.path, expected=f"at most {MAX_STATEMENTS}", found=len(statements)
            )
        for node in statements[:-1]:
            reader = self.readers.get(type(node))
            if reader is None:
                raise self.scope.refuse(node, "statement refused", expected="an assignment, a free, or the last return")
            reader(node)
        return ParsedModel(self.params, self.annotations, tuple(self.ops), self.outputs(statements[-1]))

    def outputs(self, node: ast.stmt) -> tuple[Value, ...]:
        if not isinstance(node, ast.Return) or node.value is None:
            raise self.scope.refuse(
                node, "forward does not end in a return of values", expected="return (...,)", hint="file truncated?"
            )
        value = self.scope.value(node.value)
        return tuple(value) if isinstance(value, (tuple, list)) else (value,)

    def add(
        self,
        node: ast.AST,
        name: str,
        kind: Literal["function", "method"],
        target: str,
        args: tuple[Value, ...],
        *,
        kwargs: tuple[tuple[str, Value], ...] = (),
    ) -> Ref:
        self.ops.append(Op(kind, target, args, kwargs, name, getattr(node, "lineno", 0)))
        return Ref(len(self.params) + len(self.ops) - 1)

    def assign(self, node: ast.Assign) -> None:
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            return self.free(node.targets, node)
        if len(node.targets) != 1:
            raise self.scope.refuse(node, "several targets", expected="one name, or a free (a = b = None)")
        target = node.targets[0]
        if isinstance(target, ast.Subscript):
            return self.set_item(node, target)
        if not isinstance(target, ast.Name):
            raise self.scope.refuse(node, "assignment target refused", expected="a plain name or name[index]")
        self.bind(target.id, self.result(node.value, target.id), node)
        return None

    def annotated(self, node: ast.AnnAssign) -> None:
        """`x: "f32[2, 3]" = ...`, the form of verbose printouts."""
        quoted = isinstance(node.annotation, ast.Constant) and isinstance(node.annotation.value, str)
        if not quoted or node.value is None or not isinstance(node.target, ast.Name):
            raise self.scope.refuse(node, "annotated assignment refused", expected='name: "f32[2]" = value')
        self.bind(node.target.id, self.result(node.value, node.target.id), node)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        if name in _RESERVED:
            raise self.scope.refuse(node, f"the name {name!r} may not be rebound")
        if isinstance(value, (tuple, list, SliceValue)) and not _is_size(value):
            # Without this, a container of containers could grow without bound.
            raise self.scope.refuse(node, "a container has no name", expected="one operation per statement")
        self.scope.bound[name] = value

    def free(self, targets: list[ast.expr], node: ast.AST) -> None:
        for target in targets:
            if not isinstance(target, ast.Name):
                raise self.scope.refuse(node, "free refused", expected="plain names")
            if self.scope.bound.pop(target.id, self) is not self:
                self.scope.freed[target.id] = getattr(node, "lineno", 0)

    def delete(self, node: ast.Delete) -> None:
        self.free(node.targets, node)

    def bare(self, node: ast.Expr) -> None:
        """A call whose result is not kept, such as an assertion."""
        if not isinstance(node.value, ast.Call):
            raise self.scope.refuse(node, "statement refused", expected="an assignment, a free, or the last return")
        self.result(node.value, "")

    def set_item(self, node: ast.Assign, target: ast.Subscript) -> None:
        container, index = self.scope.value(target.value), self.scope.value(target.slice)
        self.add(node, "setitem", "function", "operator.setitem", (container, index, self.scope.value(node.value)))

    def augmented(self, node: ast.AugAssign) -> None:
        operator = BINARY.get(type(node.op))
        if operator is None or not isinstance(node.target, ast.Name):
            raise self.scope.refuse(node, "augmented assignment refused", expected="name += value")
        left, right = self.scope.lookup(node.target), self.scope.value(node.value)
        name = inplace_name(operator)
        self.bind(node.target.id, self.add(node, name, "function", f"operator.{name}", (left, right)), node)

    def result(self, node: ast.expr, name: str) -> Value:
        """The value of a right-hand side: a new operation, or an alias of an existing value."""
        maker = self.makers.get(type(node))
        return maker(node, name) if maker is not None else self.scope.value(node)

    def binary(self, node: ast.BinOp, name: str) -> Value:
        return self.operator(node, name, BINARY[type(node.op)], node.left, node.right)

    def compare(self, node: ast.Compare, name: str) -> Value:
        if len(node.ops) != 1 or type(node.ops[0]) not in COMPARE:
            raise self.scope.refuse(node, "comparison refused", expected="one comparison of two values")
        return self.operator(node, name, COMPARE[type(node.ops[0])], node.left, node.comparators[0])

    def subscript(self, node: ast.Subscript, name: str) -> Value:
        return self.operator(node, name, "getitem", node.value, node.slice)

    def operator(self, node: ast.expr, name: str, operator: str, *operands: ast.expr) -> Value:
        values = tuple(self.scope.value(operand) for operand in operands)
        if not any(True for _ in refs_of(values)):
            raise self.scope.refuse(node, "arithmetic on constants alone", expected="an operand that is a result")
        return self.add(node, name, "function", f"operator.{operator}", values)

    def unary(self, node: ast.UnaryOp, name: str) -> Value:
        if isinstance(node.operand, ast.Constant):
            return self.scope.value(node)
        return self.operator(node, name, UNARY[type(node.op)], node.operand)

    def attribute(self, node: ast.Attribute, name: str) -> Value:
        if is_torch_path(node, self.scope):
            return self.scope.value(node)
        if node.attr not in allowed.ATTRIBUTES:
            raise self.scope.refuse(node, f"attribute {node.attr!r} refused", expected="a plain attribute of a tensor")
        return self.add(node, name, "function", "getattr", (self.scope.value(node.value), node.attr))

    def call(self, node: ast.Call, name: str) -> Value:
        if any(isinstance(arg, ast.Starred) for arg in node.args) or any(k.arg is None for k in node.keywords):
            raise self.scope.refuse(node, "starred arguments refused", expected="plain arguments")
        if any(k.arg == "check_invariants" for k in node.keywords):
            raise self.scope.refuse(node, "whether indices are checked is not the graph's to say")
        path = dotted_name(node.func)
        if path is not None and path in {"device", "torch.device", "slice", "torch.Size", "float"}:
            return self.scope.value(node)
        if isinstance(node.func, ast.Attribute) and not is_torch_path(node.func, self.scope):
            return self.method(node, node.func, name)
        if path is None or not is_torch_path(node.func, self.scope) or not allowed.function_allowed(path):
            reason = allowed.refusal_reason(path or "")
            raise self.scope.refuse(node.func, f"call of {path or 'an expression'} refused: {reason}")
        args, kwargs = self.arguments(node)
        return self.add(node, name, "function", path, args, kwargs=kwargs)

    def method(self, node: ast.Call, function: ast.Attribute, name: str) -> Value:
        if isinstance(function.value, ast.Name) and function.value.id not in self.scope.bound:
            self.refuse_receiver(function)
        if function.attr not in allowed.METHODS:
            raise self.scope.refuse(node.func, f"method {function.attr!r} refused", expected="a tensor method")
        args, kwargs = self.arguments(node)
        return self.add(node, name, "method", function.attr, (self.scope.value(function.value), *args), kwargs=kwargs)

    def refuse_receiver(self, function: ast.Attribute) -> None:
        """Refuses a call on a module that was never imported: "os.system is refused" says more than "os is not
        defined".
        """
        receiver = function.value
        if isinstance(receiver, ast.Name) and receiver.id not in self.scope.freed:
            reason = allowed.refusal_reason("")
            raise self.scope.refuse(function, f"call of {dotted_name(function)} refused: {reason}")

    def arguments(self, node: ast.Call) -> tuple[tuple[Value, ...], tuple[tuple[str, Value], ...]]:
        args = tuple(self.scope.value(arg) for arg in node.args)
        return args, tuple((str(keyword.arg), self.scope.value(keyword.value)) for keyword in node.keywords)
