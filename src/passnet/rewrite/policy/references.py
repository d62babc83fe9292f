"""The allow-list part of the source policy: builtins, parts of modules, attributes, and values that outlive a call."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from passnet.authored import expression_text, symbol_table, symbols
from passnet.op_classes import word_set
from passnet.rewrite.policy.bindings import Bindings, bindings
from passnet.rewrite.policy.members import is_of_a_method
from passnet.rewrite.policy.modules import Function
from passnet.rewrite.policy.names import (
    ADMITTED_NAMES,
    BANNED_NAMES,
    MEMOISERS,
    NOT_IN_FILES,
    NOT_IN_KERNELS,
    TRITON_LACKS,
    TRITON_LANGUAGE,
    Level,
)
from passnet.rewrite.policy.origins import Origins
from passnet.rewrite.policy.own_names import PREFIX, asked_of_others, own_names, private_fields
from passnet.rewrite.policy.tensors import holds_tensor, host_functions, tensor_names
from passnet.rewrite.policy.view import FUNCTIONS, FileView

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
# What describes a type. These modules have real types too, among them `type` itself and those of functions.
_ANNOTATIONS = "|".join(
    word_set("""
AbstractSet Annotated Any AnyStr Callable ClassVar Collection Concatenate Container DefaultDict Deque Dict Final
FrozenSet Generator Generic Hashable Iterable Iterator KeysView List Literal LiteralString Mapping MutableMapping
MutableSequence MutableSet NamedTuple Never NewType NoReturn NotRequired Optional OrderedDict ParamSpec Protocol
Required Reversible Self Sequence Set Sized SupportsAbs SupportsFloat SupportsIndex SupportsInt SupportsRound Text
Tuple Type TYPE_CHECKING TypeAlias TypedDict TypeGuard TypeVar TypeVarTuple Union Unpack ValuesView
""")
)
# The allowed names of each admitted module, in full. A module without a row is free at the levels that admit it.
REFERENCES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in (
        ("math", r"math\.[a-z]\w*"),
        ("typing", rf"typing\.(?:{_ANNOTATIONS}|cast|final)"),
        ("typing_extensions", rf"typing_extensions\.(?:{_ANNOTATIONS}|final)"),
        ("collections", r"collections\.(?:abc\.[A-Z]\w*|namedtuple)"),
        ("textwrap", r"textwrap\.dedent"),
        ("dataclasses", r"dataclasses\.(?:dataclass|field|KW_ONLY)"),
        ("__future__", r"__future__\.(?:annotations|division|generator_stop)"),
        ("passnet", r"passnet\.kernels\.(?:cpp|cuda)"),
        (
            "triton",
            r"triton\.(?:jit|autotune|heuristics|Config|cdiv|next_power_of_2|constexpr_function|__version__"
            r"|runtime\.jit\.jit|runtime\.driver\.active\.get_(?:current_(?:device|target|stream)|active_torch_device)"
            r"|runtime\.driver\.active\.utils\.get_device_properties"
            rf"|language\.(?:{'|'.join(sorted(TRITON_LANGUAGE | TRITON_LACKS))})"
            r"|language\.math\.(?!core\b|wraps\b)[a-z]\w*|language\.PropagateNan\.(?:ALL|NONE)"
            r"|tools\.tensor_descriptor\.TensorDescriptor(?:\.\w+)?|set_allocator"
            r"|language\.extra\.cuda\.(?:convert_custom_float8_sm\d+|gdc_\w+|num_threads|num_warps)"
            r"|language\.extra\.(?:\w+\.)?libdevice\.(?!core\b|_)\w+)",
        ),
        (
            "numpy",
            r"numpy\.(?:ndarray|asarray|ascontiguousarray|frombuffer|ctypeslib\.\w+|typing\.\w+|dtype|\w*int\d+|float\d+"
            r"|bool_|intp|empty|empty_like|zeros|zeros_like|ones|full|newaxis|pi|inf|nan)",
        ),
    )
}
# Releases of Triton have one library of device functions at several places. A pass may try one after another.
LIBDEVICE_HOMES = frozenset(f"triton.language.extra.{home}libdevice" for home in ("", "cuda.", "hip."))
# Attributes through which Python objects lead to frames, code and modules without a double underscore.
_INTERNALS = re.compile(
    r"(?:gi|cr|ag)_(?:frame|code|await|yieldfrom)|f_(?:back|globals|locals|builtins|code|trace)|tb_(?:frame|next)"
    r"|co_\w+|func_globals"
)
_MODULES = word_set(
    "sys os builtins importlib inspect gc threading signal atexit mmap ctypes subprocess modules pickle posix shutil "
    "runpy linecache typing pathlib tempfile multiprocessing bltns enum re"
)
# Texts that two tables admit. A part of one, such as a method, is refused with it.
_VERSIONS = frozenset({"torch.__version__", "triton.__version__"})
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
_KEEPERS = word_set("append add insert extend update setdefault")


def unknown_names(view: FileView, level: Level) -> Hits:
    """Builtins beyond the allow-list, without names that the table of bans explains."""
    builtin = _unbound(view)
    for node in view.nodes:
        if (
            isinstance(node, ast.Name)
            and node.id in builtin
            and node.id not in BANNED_NAMES
            and node not in view.traced
        ):
            yield node, node.id


def _unbound(view: FileView) -> frozenset[str]:
    """Builtin names that some scope looks up outside the file, even if another scope of the file binds them.

    A name that neither the file nor Python has is an author's mistake: it raises when it is used, and reaches nothing.
    """
    return (_global_names(view) & _PYTHONS) - BUILTINS


@functools.lru_cache(maxsize=1)  # two rules ask for those of one file, one after another
def _global_names(view: FileView) -> frozenset[str]:
    """Names that some scope looks up beyond itself. The body of a class does so for its own names too, until bound."""
    top = symbol_table(view.file.text, str(view.file.path))
    found: set[str] = set()
    pending = [top]
    while pending:
        table = pending.pop()
        pending += table.get_children()
        free = table is top or table.get_type() == "class"
        found |= {s.get_name() for s in symbols(table) if s.is_referenced() and (free or s.is_global())}
    augmented = (node.target for node in view.nodes if isinstance(node, ast.AugAssign))  # reads what it binds
    return frozenset(found | {target.id for target in augmented if isinstance(target, ast.Name)})


def banned_names(view: FileView, level: Level) -> Hits:
    """Builtins that defeat reading the source. A parameter with such a name is allowed, but for some in a kernel."""
    looked_up = _global_names(view)
    for node in view.nodes:
        name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
        in_kernel = name in NOT_IN_KERNELS and node in view.device_code
        is_builtin = in_kernel or (isinstance(node, ast.Name) and (name in looked_up or name.startswith("__")))
        admitted = level in ADMITTED_NAMES.get(name, ()) or (name == "hasattr" and _asks_for_public(node, view))
        if is_builtin and name in BANNED_NAMES and not admitted:
            yield node, f"{name}: {BANNED_NAMES[name]}"
    for name in sorted(NOT_IN_FILES & view.reassigned):
        yield view.file.tree, f"{name}: {BANNED_NAMES[name]}"


def _asks_for_public(node: ast.AST, view: FileView) -> bool:
    """Whether `hasattr` is called with a name that is written out and public: it says no more than `isinstance`."""
    call = view.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node or len(call.args) != 2 or call.keywords:
        return False
    name = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
    return isinstance(name, str) and not name.startswith("_")


def module_references(view: FileView, level: Level) -> Hits:
    """Names of admitted modules that a pass does not need."""
    sizes = _Sizes(view)
    for node, dotted in view.whole_references:
        pattern = REFERENCES.get(dotted.partition(".")[0])
        if pattern is None or node in view.traced or pattern.fullmatch(dotted):
            continue
        if node in view.device_code and dotted.startswith("numpy.") and not _LIBRARY_IN_KERNEL.fullmatch(dotted):
            continue
        if dotted.partition(".")[0] in view.siblings or (dotted in _TYPES and view.describes_type(node)):
            continue
        if dotted in _OF_SHAPES and sizes.reckons(view.parents.get(node), node):
            continue
        yield node, dotted


class _Sizes:
    """Tells sizes, as the text of a file shows them."""

    def __init__(self, view: FileView) -> None:
        self._view = view
        self._scopes: dict[ast.AST, Bindings] = {}
        self._known: dict[tuple[ast.AST, str, int], bool] = {}

    def reckons(self, call: ast.AST | None, function: ast.AST) -> bool:
        """Whether a function of numpy is called on sizes alone."""
        if not isinstance(call, ast.Call) or call.func is not function or call.keywords:
            return False
        scope: ast.AST = call
        while not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)):
            scope = self._view.parents[scope]
        if scope not in self._scopes:
            self._scopes[scope] = bindings(scope.body) if isinstance(scope, ast.FunctionDef) else {}
        return all(self._is_size(argument, scope, 0) for argument in call.args)

    def _is_size(self, node: ast.AST | None, scope: ast.AST, depth: int) -> bool:
        """Whether an expression is made of shapes, sizes and numbers. A name counts if it is bound once, to
        such a value.
        """
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float))
        if isinstance(node, ast.Name):
            return self._is_bound_to_size(node.id, scope, depth)
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_size(item, scope, depth) for item in node.elts)
        if isinstance(node, ast.BinOp):
            return self._is_size(node.left, scope, depth) and self._is_size(node.right, scope, depth)
        base = node.value if isinstance(node, ast.Subscript) else node
        read = base.func if isinstance(base, ast.Call) else base
        names = _SIZES if isinstance(base, ast.Call) else {"shape"}
        return (isinstance(read, ast.Attribute) and read.attr in names) or (
            base is not node and self._is_size(base, scope, depth)
        )

    def _is_bound_to_size(self, name: str, scope: ast.AST, depth: int) -> bool:
        """Found once for each name and depth: names may be made of each other many times."""
        place = (scope, name, depth)
        if place not in self._known:
            values = self._scopes[scope].get(name, ())
            self._known[place] = len(values) == 1 and depth < _MOST_NAMES and self._is_size(values[0], scope, depth + 1)
        return self._known[place]


_SIZES = frozenset({"size", "numel", "dim", "stride"})
_MOST_NAMES = 8


def internals(view: FileView, level: Level) -> Hits:
    """Attributes that lead to frames, code and modules, also those that a class pattern reads by position.

    Such a pattern reads the attributes in `__match_args__`, which `dataclass` makes from its fields. What a kernel
    enters gets Triton's compiler.
    """
    for node in view.nodes:
        if isinstance(node, ast.With) and node in view.device_code:
            yield node, "with in a kernel"
        if isinstance(node, ast.Attribute) and node not in view.traced:
            foreign = node.attr in _MODULES and level == "strict"
            if _INTERNALS.fullmatch(node.attr) or foreign:
                yield node, expression_text(node)
        elif isinstance(node, ast.MatchClass) and (node.patterns or node.kwd_attrs):
            yield node, expression_text(node)


def dunder_attributes(view: FileView, level: Level) -> Hits:
    """Attributes with two leading underscores, except a constructor's call of its base, and versions of libraries."""
    versions = {node for node, dotted in view.whole_references if dotted in _VERSIONS}
    for node in view.nodes:
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("__") or node in view.traced:
            continue
        if node not in versions and not _calls_its_base(node, view):
            yield node, expression_text(node)


def _calls_its_base(node: ast.Attribute, view: FileView) -> bool:
    """Whether this is `super().__init__(...)` of a constructor. As a value, or of a class, it is a plain function."""
    call, base = view.parents.get(node), node.value
    called = isinstance(call, ast.Call) and call.func is node and node.attr == "__init__"
    is_super = isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "super"
    if not called or not isinstance(base, ast.Call) or not is_super or base.args or base.keywords:
        return False
    maker: ast.AST | None = node
    while maker is not None and not isinstance(maker, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
        maker = view.parents.get(maker)
    made = isinstance(maker, ast.FunctionDef) and maker.name == "__init__" and not maker.decorator_list
    if not made or not isinstance(maker, ast.FunctionDef) or not isinstance(view.parents.get(maker), ast.ClassDef):
        return False
    first, *_ = (*maker.args.posonlyargs, *maker.args.args, ast.arg(""))
    return first.arg == "self" and "self" not in view.reassigned and "super" not in view.own_names | view.imports.keys()


def private_attributes(view: FileView, level: Level) -> Hits:
    """Attributes with a leading underscore, of anything but the file's own objects.

    `self` may be any object that a method is given. Names of the file's own get another form when it is loaded, but for
    those that a file of the set asks of other objects. No text may have a name of that form itself.
    """
    own = own_names(view.file.tree) - _asked(tuple(file.tree for file in view.siblings.values()))
    fields = private_fields(node for node in view.nodes if isinstance(node, ast.ClassDef))
    for node in view.nodes:
        yield from ((node, f"name {name}") for name in _texts(node) if name.startswith(f"{PREFIX}_"))
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.startswith("__"):
            continue
        if node not in view.traced and not (node.attr in own and is_of_a_method(node.value, view)):
            yield node, f"{expression_text(node)}{', a field of a dataclass' if node.attr in fields else ''}"


def _texts(node: ast.AST) -> Iterator[str]:
    """Every name and text that a node itself holds."""
    for _, value in ast.iter_fields(node):
        yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, str))


@functools.lru_cache(maxsize=1)  # the rules ask for one set, file by file
def _asked(trees: tuple[ast.Module, ...]) -> frozenset[str]:
    return asked_of_others(trees)


def kept_tensors(view: FileView, level: Level) -> Hits:
    """Tensors put where they outlive the call, and defaults that are the same object in every call."""
    holding, scopes = tensor_names(view), _Scopes(view)
    for function in host_functions(view):
        defaults = [*function.args.defaults, *(default for default in function.args.kw_defaults if default)]
        yield from (
            (default, f"default {expression_text(default)}") for default in defaults if isinstance(default, _MUTABLE)
        )
        if holding.get(function) and MEMOISERS.intersection(view.decorators(function)):
            yield function, f"results of {function.name} are kept by its tensors"
        for puts in scopes.puts(function):
            outside = [place for place in puts.places if (root := _root(place)) and not scopes.binds(function, root)]
            held = [value for value in puts.values if holds_tensor(value, holding[function], view)] if outside else []
            yield from (
                (place, f"{expression_text(value)} kept in {expression_text(place)}")
                for place in outside
                for value in held
            )


@dataclass(frozen=True)
class _Puts:
    """Items and attributes that are written at once, and the values that they may get."""

    places: list[ast.expr]
    values: list[ast.expr]


class _Scopes:
    """What each function of a file writes and binds, the functions inside it included."""

    def __init__(self, view: FileView) -> None:
        origins = Origins(view)
        self._inner: dict[Function, list[Function]] = {function: [] for function in view.functions}
        self._puts: dict[Function, list[_Puts]] = {function: [] for function in view.functions}
        self._names: dict[Function, set[str]] = {function: set() for function in view.functions}
        pending: list[tuple[ast.AST, Function | None]] = [(view.file.tree, None)]
        while pending:
            node, owner = pending.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if owner is not None:
                    self._inner[owner].append(node)
                owner = node
            if owner is not None:
                self._puts[owner] += [] if _is_launch(node, origins) else _puts(node)
                self._names[owner] |= _bound_by(node)
            pending += ((child, owner) for child in ast.iter_child_nodes(node))
        for function in reversed(view.functions):  # those inside come after those around them
            self._names[function].update(*(self._names[inner] for inner in self._inner[function]))

    def puts(self, function: Function) -> Iterator[_Puts]:
        """Whatever a function writes into containers."""
        pending = [function]
        while pending:
            inner = pending.pop()
            yield from self._puts[inner]
            pending += self._inner[inner]

    def binds(self, function: Function, name: str) -> bool:
        """Whether a name is a parameter or is bound somewhere in a function."""
        return name in self._names[function]


def _bound_by(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return {node.id}
    return {node.arg} if isinstance(node, ast.arg) else set()


def _is_launch(node: ast.AST, origins: Origins) -> bool:
    """Whether this runs a kernel of a library of the file, which may be called as a container's methods are."""
    return isinstance(node, ast.Call) and origins.launches(node)


def _puts(node: ast.AST) -> Iterator[_Puts]:
    """Whatever may store a value in a container: what binds names binds items too."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPERS:
        yield _Puts([node.func.value], [*node.args, *(keyword.value for keyword in node.keywords)])
    targets, values = _bindings_of(node)
    places = [place for target in targets for place in _places(target)]
    if places:
        yield _Puts(places, values)


def _bindings_of(node: ast.AST) -> tuple[list[ast.expr], list[ast.expr]]:
    """The targets and the values of every form of binding that takes other targets than names."""
    if isinstance(node, ast.Assign):
        return node.targets, [node.value]
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
        return [node.target], [node.value]
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return [node.target], [node.iter]
    if isinstance(node, ast.withitem) and node.optional_vars is not None:
        entered = node.context_expr
        given = [*entered.args, *(each.value for each in entered.keywords)] if isinstance(entered, ast.Call) else []
        return [node.optional_vars], [entered, *given]
    return [], []


def _places(target: ast.expr) -> Iterator[ast.expr]:
    """The items and attributes among the parts of a target."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _places(part)
    elif isinstance(target, ast.Starred):
        yield from _places(target.value)
    elif isinstance(target, (ast.Subscript, ast.Attribute)):
        yield target


def _root(node: ast.expr) -> str | None:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
