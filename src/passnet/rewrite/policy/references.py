"""The allow-list part of the source policy: builtins, parts of modules, attributes, and values that outlive a call."""

from __future__ import annotations

import ast
import builtins
import enum
import re
import symtable
import typing
from collections.abc import Iterator

from passnet.graph.names import word_set
from passnet.rewrite.policy.bindings import Bindings, bindings
from passnet.rewrite.policy.names import ADMITTED_NAMES, BANNED_NAMES, MEMOISERS, OF_TORCH, Level
from passnet.rewrite.policy.tensors import holds_tensor, host_functions, tensor_names
from passnet.rewrite.policy.view import FileView

Hits = Iterator[tuple[ast.AST, str]]

BUILTINS = word_set(
    "abs all any bin bool bytes callable chr classmethod complex dict divmod enumerate filter float format frozenset "
    "hex int isinstance issubclass iter len list map max min next object oct ord pow print property range repr "
    "reversed round set slice sorted staticmethod str sum super tuple zip Ellipsis NotImplemented __name__ "
    "__doc__ __debug__ "
    "Exception ValueError TypeError RuntimeError AssertionError NotImplementedError KeyError IndexError AttributeError "
    "ArithmeticError ZeroDivisionError OverflowError LookupError ImportError StopIteration DeprecationWarning "
    "UserWarning Warning BaseException OSError FileNotFoundError PermissionError MemoryError RecursionError "
    "TimeoutError"
)
# The allowed names of each admitted module, in full. A module without a row is free at the levels that admit it.
REFERENCES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in (
        ("math", r"math\.[a-z]\w*"),
        ("typing", r"typing\.(?:(?!ForwardRef\b)[A-Z]\w*|cast|overload|final)"),
        ("typing_extensions", r"typing_extensions\.(?:(?!ForwardRef\b)[A-Z]\w*|override)"),
        ("collections", r"collections\.abc\.[A-Z]\w*"),
        ("dataclasses", r"dataclasses\.(?:dataclass|field|replace|astuple|asdict|fields|KW_ONLY)"),
        ("enum", r"enum\.(?:Enum|IntEnum|StrEnum|Flag|IntFlag|auto|unique)"),
        ("__future__", r"__future__\.\w+"),
        ("passnet", r"passnet\.kernels\.(?:cpp|cuda)"),
        (
            "triton",
            r"triton\.(?:jit|autotune|heuristics|Config|cdiv|next_power_of_2|constexpr_function|__version__"
            r"|runtime\.jit\.jit|runtime\.driver\.active\.get_(?:current_(?:device|target|stream)|active_torch_device)"
            r"|runtime\.driver\.active\.utils\.get_device_properties"
            r"|language\.(?!core\b|semantic\b|standard\b|random\b|math$|extra\b|target_info\b|extern_elementwise$|_)\w+"
            r"|language\.math\.(?!core\b|wraps\b)[a-z]\w*|language\.(?:dtype|PropagateNan)\.\w+"
            r"|tools\.tensor_descriptor\.TensorDescriptor(?:\.\w+)?|set_allocator"
            r"|language\.extra\.cuda\.(?!gdc$|libdevice$|utils$|_)\w+"
            r"|language\.extra\.(?:\w+\.)?libdevice\.(?!core\b|_)\w+)",
        ),
        (
            "numpy",
            r"numpy\.(?:ndarray|asarray|ascontiguousarray|frombuffer|ctypeslib\.\w+|typing\.\w+|dtype|\w*int\d+|float\d+"
            r"|bool_|intp|empty|empty_like|zeros|zeros_like|ones|full|newaxis|pi|inf|nan)",
        ),
    )
}
# Attributes through which Python objects lead to frames, code and modules without a double underscore.
_INTERNALS = re.compile(
    r"(?:gi|cr|ag)_(?:frame|code|await|yieldfrom)|f_(?:back|globals|locals|builtins|code|trace)|tb_(?:frame|next)"
    r"|co_\w+|func_globals"
)
_MODULES = word_set(
    "sys os builtins importlib inspect gc threading signal atexit mmap ctypes subprocess modules pickle"
)
# Classes that a text may name to say what something is, and may not call.
_TYPES = frozenset({"passnet.kernels.Library", "passnet.kernels.CudaLibrary"})
_MUTABLE = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
# Inside a numba kernel numpy's functions are compiled. These would still be calls of a library.
_LIBRARY_IN_KERNEL = re.compile(
    r"numpy\.(?:linalg|fft)\..*|numpy\.(?:dot|vdot|inner|outer|matmul|einsum|tensordot|convolve)"
)
# Functions of numpy that a wrapper may reckon with, on sizes and nothing else.
_OF_SHAPES = frozenset(f"numpy.{name}" for name in ("prod", "ceil", "floor", "sqrt", "log2", "lcm", "gcd"))
_PYTHONS = frozenset(dir(builtins))
# Private names of objects that a pass may get: a type in quotes evaluates its text, an enumeration changes modules.
_OF_LIBRARIES = OF_TORCH | frozenset(
    name
    for kind in (
        typing.ForwardRef,
        typing.TypeVar,
        type(typing.Any),
        type(typing.Annotated[int, 0]),
        enum.Enum,
        enum.EnumMeta,
    )
    for name in dir(kind)
    if name.startswith("_") and not name.startswith("__")
)
_KEEPERS = word_set("append add insert extend update setdefault")


def unknown_names(view: FileView, level: Level) -> Hits:
    """Builtins beyond the allow-list, without names that the table of bans explains."""
    builtin = _unbound(view.file.text, str(view.file.path))
    for node in view.nodes():
        if (
            isinstance(node, ast.Name)
            and node.id in builtin
            and node.id not in BANNED_NAMES
            and node not in view.traced
        ):
            yield node, node.id


def _unbound(text: str, path: str) -> frozenset[str]:
    """Builtin names that some scope looks up outside the file, even if another scope of the file binds them.

    A name that neither the file nor Python has is an author's mistake: it raises when it is used, and reaches nothing.
    """
    return (_global_names(symtable.symtable(text, path, "exec")) & _PYTHONS) - BUILTINS


def _global_names(top: symtable.SymbolTable) -> frozenset[str]:
    """Names that some scope looks up beyond itself. The body of a class does so for its own names too, until bound."""
    found: set[str] = set()
    pending = [top]
    while pending:
        table = pending.pop()
        pending += table.get_children()
        free = table is top or table.get_type() == "class"
        found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (free or s.is_global())}
    return frozenset(found)


def banned_names(view: FileView, level: Level) -> Hits:
    """Builtins that defeat reading the source. A parameter with such a name is allowed."""
    looked_up = _global_names(symtable.symtable(view.file.text, str(view.file.path), "exec"))
    for node in view.nodes():
        name = node.id if isinstance(node, ast.Name) else ""
        is_builtin = name in looked_up or name.startswith("__")
        admitted = level in ADMITTED_NAMES.get(name, ()) or (name == "hasattr" and _asks_for_public(node, view))
        if is_builtin and name in BANNED_NAMES and not admitted:
            yield node, f"{name}: {BANNED_NAMES[name]}"


def _asks_for_public(node: ast.AST, view: FileView) -> bool:
    """Whether `hasattr` is called with a name that is written out and public: it says no more than `isinstance`."""
    call = view.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node or len(call.args) != 2 or call.keywords:
        return False
    name = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
    return isinstance(name, str) and not name.startswith("_")


def module_references(view: FileView, level: Level) -> Hits:
    """Names of admitted modules that a pass does not need."""
    device_code = {node for function in view.functions() if view.is_kernel(function) for node in ast.walk(function)}
    for node, dotted in view.whole_references():
        pattern = REFERENCES.get(dotted.partition(".")[0])
        if pattern is None or node in view.traced or pattern.fullmatch(dotted):
            continue
        if node in device_code and dotted.startswith("numpy.") and not _LIBRARY_IN_KERNEL.fullmatch(dotted):
            continue
        if dotted.partition(".")[0] in view.siblings or (dotted in _TYPES and view.describes_type(node)):
            continue
        if dotted in _OF_SHAPES and _is_reckoning(view.parents.get(node), node, view):
            continue
        yield node, dotted


def _is_reckoning(call: ast.AST | None, function: ast.AST, view: FileView) -> bool:
    """Whether a function of numpy is called on sizes alone, as the text shows it."""
    if not isinstance(call, ast.Call) or call.func is not function or call.keywords:
        return False
    scope: ast.AST = call
    while not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)):
        scope = view.parents[scope]
    given = bindings(scope.body) if isinstance(scope, ast.FunctionDef) else {}
    return all(_is_size(argument, given, 0) for argument in call.args)


def _is_size(node: ast.AST | None, given: Bindings, depth: int) -> bool:
    """Whether an expression is made of shapes, sizes and numbers. A name counts if it is bound once, to
    such a value.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    if isinstance(node, ast.Name):
        values = given.get(node.id, ())
        return len(values) == 1 and depth < _MOST_NAMES and _is_size(values[0], given, depth + 1)
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_is_size(item, given, depth) for item in node.elts)
    if isinstance(node, ast.BinOp):
        return _is_size(node.left, given, depth) and _is_size(node.right, given, depth)
    base = node.value if isinstance(node, ast.Subscript) else node
    read = base.func if isinstance(base, ast.Call) else base
    names = _SIZES if isinstance(base, ast.Call) else {"shape"}
    return (isinstance(read, ast.Attribute) and read.attr in names) or (
        base is not node and _is_size(base, given, depth)
    )


_SIZES = frozenset({"size", "numel", "dim", "stride"})
_MOST_NAMES = 8


def internals(view: FileView, level: Level) -> Hits:
    """Attributes that lead to frames, code and modules, also those that a class pattern reads by position.

    Such a pattern reads the attributes in `__match_args__`, which `dataclass` makes from its fields.
    """
    for node in view.nodes():
        if isinstance(node, ast.Attribute) and node not in view.traced:
            foreign = node.attr in _MODULES and level == "strict"
            if _INTERNALS.fullmatch(node.attr) or foreign:
                yield node, ast.unparse(node)
        elif isinstance(node, ast.MatchClass) and (node.patterns or node.kwd_attrs):
            yield node, ast.unparse(node)


def dunder_attributes(view: FileView, level: Level) -> Hits:
    """Attributes with two leading underscores, except a constructor's call of its base."""
    for node in view.nodes():
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and node not in view.traced:
            is_super = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "super"
            if not (is_super and node.attr == "__init__"):
                yield node, ast.unparse(node)


def private_attributes(view: FileView, level: Level) -> Hits:
    """Attributes with a leading underscore, of anything but the file's own objects.

    `self` may be any object that a method is given. The name must therefore be one that the file itself sets, and one
    that no object of a library has.
    """
    given = view.own_names | {
        node.attr for node in view.nodes() if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    for node in view.nodes():
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            own = own and node.attr in given and node.attr not in _OF_LIBRARIES
            if not own and node not in view.traced:
                yield node, ast.unparse(node)


def kept_tensors(view: FileView, level: Level) -> Hits:
    """Tensors put where they outlive the call, and defaults that are the same object in every call."""
    holding = tensor_names(view)
    for function in host_functions(view):
        defaults = [*function.args.defaults, *(default for default in function.args.kw_defaults if default)]
        yield from (
            (default, f"default {ast.unparse(default)}") for default in defaults if isinstance(default, _MUTABLE)
        )
        if holding.get(function) and MEMOISERS.intersection(view.decorators(function)):
            yield function, f"results of {function.name} are kept by its tensors"
        local = _local_names(function)
        for node in ast.walk(function):
            for target, value in _puts(node):
                root = _root(target)
                if root is not None and root not in local and holds_tensor(value, holding[function], view):
                    yield target, f"{ast.unparse(value)} kept in {ast.unparse(target)}"


def _puts(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(container, value) of everything that may store a value in a container: whatever binds names binds items too."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPERS:
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        yield from ((node.func.value, argument) for argument in given)
    for target, value in _bindings_of(node):
        yield from ((place, value) for place in _places(target))


def _bindings_of(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(target, value) of every form of binding that takes other targets than names."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        entered = node.context_expr
        given = (*entered.args, *(each.value for each in entered.keywords)) if isinstance(entered, ast.Call) else ()
        yield from ((node.optional_vars, value) for value in (entered, *given))


def _places(target: ast.expr) -> Iterator[ast.expr]:
    """The items and attributes among the parts of a target."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _places(part)
    elif isinstance(target, ast.Starred):
        yield from _places(target.value)
    elif isinstance(target, (ast.Subscript, ast.Attribute)):
        yield target


def _local_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
