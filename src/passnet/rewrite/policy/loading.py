"""Checks the code that runs at import: no tensors, and no way from an object of a pass to the interpreter.

Every statement of a module runs when the pass is loaded: also default arguments, decorators, annotations and bodies of
classes.
"""

from __future__ import annotations

import ast
import builtins
import re
import string
from collections import deque
from collections.abc import Iterator

from passnet.authored import expression_text
from passnet.op_classes import word_set
from passnet.rewrite.policy.bindings import own_bindings, own_nodes
from passnet.rewrite.policy.members import is_of_a_method
from passnet.rewrite.policy.modules import PYTHONS_NAMES
from passnet.rewrite.policy.names import ADMITTED_NAMES, MEMOISERS, TORCH_NAMES, Level
from passnet.rewrite.policy.tensors import CREATION
from passnet.rewrite.policy.view import FUNCTIONS, FileView

Hits = Iterator[tuple[ast.AST, str]]

# Dunder names that a module may bind or read.
_DUNDER_NAMES = word_set("__name__ __doc__ __debug__ __all__ __slots__ __version__ __author__")
# Functions keep the module's name, and torch.fx writes what is of torch into code by it.
_READ_ONLY = word_set("__name__ __debug__")
# Methods that Python calls for what a text shows: a construction, a call, an item, an operator. Others are called by
# libraries, by the collector, or while a class is made. `==` is of these too: Triton compared with functions of Python.
_METHODS = word_set(
    "__init__ __post_init__ __call__ __enter__ __exit__ __len__ __iter__ __next__ __contains__ __getitem__ "
    "__setitem__ __delitem__ __missing__ __lt__ __le__ __gt__ __ge__ __bool__ __int__ __float__ "
    "__index__ __neg__ __pos__ __abs__ __invert__ __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __divmod__ "
    "__pow__ __matmul__ __and__ __or__ __xor__ __lshift__ __rshift__ __radd__ __rsub__ __rmul__ __rtruediv__ "
    "__rfloordiv__ __rmod__ __rpow__ __rmatmul__ __rand__ __ror__ __rxor__ __iadd__ __isub__ __imul__ __itruediv__"
)
# Public attributes of objects that a pass may hold (tensors, kernels, compiled libraries, exceptions). They lead to
# namespaces, files, memory or code. A test walks these objects and finds that no other attribute does.
LEADS_OUT = word_set(
    "get_capture_scope used_global_vals cubin numpy storage untyped_storage typed_storage apply_ map_ map2_ "
    "register_hook register_post_accumulate_grad_hook share_memory_ set_ tofile dump dumps tobytes grad_fn "
    "as_subclass from_file backward module_load obj evaluate register device_caches asm prototypes SINT_TYPES "
    "UINT_TYPES FP_TYPES STANDARD_FP_TYPES OTHER_TYPES write_text write_bytes read_text read_bytes unlink open "
    "rename rmdir mkdir touch symlink_to hardlink_to iterdir rglob chmod signature from_callable preload "
    "create_binder add_pre_run_hook pre_run_hooks launch_metadata raw_src base_fn perf_model early_config_prune "
    "prune_configs nargs bench_time configs_timings check_disk_cache pre_hook post_hook user_defined_pre_hook "
    "user_defined_post_hook do_bench "
    "python_code on_generate_code owning_module tracer fake_mode shape_env rewritten_fn rewriter rewrite "
    "arg_names constexprs new do_not_specialize do_not_specialize_on_alignment storage_type untyped from_buffer "
    "pickle_storage_type filename mro KIND SIGNEDNESS cache_info cache_clear to_ir "
    "ASTSource CompiledKernel make_ir exec eval knobs lang builder semantic handle codegen_fns module_map get_context "
    "create_module create_location_snapshot create_inline_asm create_extern_elementwise replace_all_uses_with set_loc "
    "set_attr"
)
# Of an object that libraries take for a tensor, by its methods.
_OF_TENSORS = word_set("data_ptr new_empty copy_ element_size")
# What no object of a file has: Triton would take it for a function or a type of its own, a tensor, or where one lies.
ASKED = LEADS_OUT | word_set(
    "data_ptr ptr_range tma_desc_cpu_ptr mangle _flatten_ir _flatten_ir_types _unflatten_ir _set_name _to_ir load store"
)
# Of these, what Triton alone asks for, and what leads nowhere. A set that does not import it cannot give it an object.
_TRITONS = word_set("load store")
# Triton hands its compiler over as an argument of these names, and in no other way.
_COMPILERS = word_set("_semantic _generator _builder")
# Of a kernel of Triton, and of an error. Objects of the file may have such attributes themselves. A method may be given
# any object as `self`, but not one that Python itself calls.
_OF_OTHERS = word_set("params configs fn parse path")


def import_time_tensors(view: FileView, level: Level) -> Hits:
    """Tensors made while the file is imported, or made to be kept by a cache: they outlive every call."""
    for node in _at_import(view):
        if isinstance(node, ast.Call) and _creates(node, view):
            yield node, f"{expression_text(node)} while the file is imported"
    inside: set[ast.AST] = set()
    for function in view.functions:  # those inside others come after them
        if MEMOISERS.intersection(view.decorators(function)) and function not in inside:
            inside.update(ast.walk(function))
            made = (node for node in ast.walk(function) if isinstance(node, ast.Call) and _creates(node, view))
            yield from ((node, f"{expression_text(node)} kept by {function.name}") for node in made)


def _at_import(view: FileView) -> Iterator[ast.AST]:
    """Nodes that run with the module itself, bodies of classes included."""
    pending: deque[ast.AST] = deque(view.file.tree.body)
    while pending:
        for node in own_nodes([pending.popleft()]):
            yield node
            if isinstance(node, ast.ClassDef):
                pending += node.body


def _creates(node: ast.Call, view: FileView) -> bool:
    return (view.dotted(node.func) or "").startswith(CREATION)


def python_names(view: FileView, level: Level) -> Hits:
    """Names that Python itself gives a meaning, however they are bound."""
    for node in view.nodes:
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        reads = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        for name in _identifiers(node):
            known = _DUNDER_NAMES if reads else _DUNDER_NAMES - _READ_ONLY
            allowed = name in (_METHODS if is_function else known)
            if name.startswith("__") and not allowed and level not in ADMITTED_NAMES.get(name, ()):
                yield node, f"name {name}"


def _identifiers(node: ast.AST) -> Iterator[str]:
    """Names that a node binds or reads. What is imported from a module is an attribute of it."""
    if isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)
    for field in ("id", "name", "asname", "rest", "arg"):
        name = getattr(node, field, None)
        if isinstance(name, str) and not (isinstance(node, ast.alias) and field == "name"):
            yield name


# What a class may be made of, apart from exceptions and classes of the same file. What derives from a text or a number
# could write itself into code of others as it likes. None of these has a metaclass that a class of the file could stand
# in for. Two of them may be asked for with types.
_GENERIC = word_set("typing.Generic typing.Protocol typing_extensions.Generic typing_extensions.Protocol")
_BASES = _GENERIC | word_set(
    "typing.NamedTuple typing.TypedDict typing_extensions.NamedTuple typing_extensions.TypedDict"
)
_CLASS_DECORATORS = word_set("dataclasses.dataclass typing.final typing_extensions.final")


def made_classes(view: FileView, level: Level) -> Hits:
    """Classes that differ from their text: `dataclass` and `namedtuple` write code from their fields."""
    for node in view.nodes:
        if isinstance(node, ast.ClassDef):
            yield from _made(node, view)
    for reference, dotted in view.whole_references:
        if dotted in _CLASS_DECORATORS and not _decorates_class(reference, view):
            yield reference, f"{dotted} used as a function"
        if dotted.rpartition(".")[2] in ("NamedTuple", "TypedDict") and not _is_base(reference, view):
            yield reference, f"{dotted} used as a function"
        if dotted == "dataclasses.field" and not _is_of_a_field(reference, view):
            yield reference, "field used apart from the field that it describes"
        if dotted == "collections.namedtuple" and not _writes_fields_out(reference, view):
            yield reference, "namedtuple of other than a literal name and literal fields"


def _made(node: ast.ClassDef, view: FileView) -> Hits:
    """What makes one class differ from its text."""
    if node.name in PYTHONS_NAMES:
        yield node, f"{node.name} has a name of Python's"
    if node.keywords:  # a metaclass, or what one is told
        yield node, f"keywords of {node.name}"
    known = _is_plain if _is_dataclass(node, view) else _is_known
    for base in node.bases:
        if not known(base, view) and not _is_of_torch(base, view):
            yield base, f"base {expression_text(base)}"
    if _is_dataclass(node, view):
        yield from _read_fields(node, view)
    for inner in own_nodes(node.body):
        if isinstance(inner, ast.FunctionDef) and inner.name in LEADS_OUT | _OF_TENSORS:
            yield inner, f"method {inner.name} of {node.name}, which libraries ask their own objects for"
    for item in node.decorator_list:
        if _named(item.func if isinstance(item, ast.Call) else item, view) not in _CLASS_DECORATORS:
            yield item, f"decorator {expression_text(item)} of class {node.name}"


def _named(reference: ast.expr, view: FileView) -> str:
    """The dotted name of what is taken from a library, under a name that the file gives nothing else. Or nothing."""
    root = reference
    while isinstance(root, ast.Attribute):
        root = root.value
    shown = isinstance(root, ast.Name) and root.id in view.imports and root.id not in view.own_names
    return (view.dotted(reference) or "") if shown else ""


def _is_known(base: ast.expr, view: FileView) -> bool:
    """Whether a base is a class of the same file, an exception, or one of the list."""
    if isinstance(base, ast.Subscript):
        return _named(base.value, view) in _GENERIC
    if isinstance(base, ast.Call):  # the fields of a named tuple are looked at where it is named
        return _named(base.func, view) == "collections.namedtuple"
    name = _named(base, view)
    if name in _BASES or name.startswith("collections.abc."):
        return True
    if not isinstance(base, ast.Name) or base.id in view.imports:
        return False
    if base.id in view.own_names:
        return _one_class(base, view) is not None
    python = getattr(builtins, base.id, None)
    return python is object or (isinstance(python, type) and issubclass(python, BaseException))


def _is_of_torch(base: ast.expr, view: FileView) -> bool:
    """Whether a base is refused as a reference."""
    name = _named(base, view)
    return name.startswith("torch.") and name not in TORCH_NAMES


def _read_fields(made: ast.ClassDef, view: FileView) -> Hits:
    """Names of fields that the body of a dataclass reads: there they are what `field` gave, and not yet the default."""
    fields = {
        node.target.id
        for node in made.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Call)
    }
    for inner in own_nodes(made.body):
        for node in ast.walk(inner) if isinstance(inner, (ast.Lambda, ast.GeneratorExp)) else [inner]:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in fields:
                yield node, f"field {node.id} read in the body of {made.name}"


def _is_of_a_field(node: ast.AST, view: FileView) -> bool:
    """Whether `field` is called where a dataclass names a field: nobody else gets hold of what it gives."""
    call = view.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    named = view.parents.get(call)
    home = view.parents.get(named) if named is not None else None
    is_value = isinstance(named, ast.AnnAssign) and named.value is call
    return is_value and isinstance(home, ast.ClassDef) and _is_dataclass(home, view)


def _is_dataclass(node: ast.ClassDef, view: FileView) -> bool:
    names = [item.func if isinstance(item, ast.Call) else item for item in node.decorator_list]
    return any(view.dotted(name) == "dataclasses.dataclass" for name in names)


def _is_plain(base: ast.expr, view: FileView) -> bool:
    """Whether a base is a dataclass of the same file. Its own bases are checked too."""
    if not isinstance(base, ast.Name):
        return False
    same = _one_class(base, view)
    return same is not None and _is_dataclass(same, view)


def _one_class(base: ast.Name, view: FileView) -> ast.ClassDef | None:
    """The class at the top of the file, above, that a name means everywhere. None if it may mean anything else."""
    same = view.classes.get(base.id, [])
    if len(same) != 1 or base.id in view.arguments or view.binders[base.id] != 1 or same[0].lineno >= base.lineno:
        return None
    return same[0]


def _decorates_class(node: ast.AST, view: FileView) -> bool:
    parent = view.parents.get(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        if parent.args or not all(each.arg and isinstance(each.value, ast.Constant) for each in parent.keywords):
            return False
        node, parent = parent, view.parents.get(parent)
    return isinstance(parent, ast.ClassDef) and node in parent.decorator_list


def _is_base(node: ast.AST, view: FileView) -> bool:
    parent = view.parents.get(node)
    return isinstance(parent, ast.ClassDef) and node in parent.bases


def _writes_fields_out(node: ast.AST, view: FileView) -> bool:
    """Whether `namedtuple` is called of a name and of fields that the text shows, and of nothing else.

    Its `defaults` would be kept, and `module` would give the class another home.
    """
    call = view.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node or len(call.args) != 2 or call.keywords:
        return False
    name, fields = call.args
    listed = fields.elts if isinstance(fields, (ast.Tuple, ast.List)) else [fields]
    return all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in (name, *listed))


def format_texts(view: FileView, level: Level) -> Hits:
    """`format` reads attributes and items that its text names. They can be seen in a literal, and in a constant of the
    file that is one.
    """
    for node in view.nodes:
        if not isinstance(node, ast.Attribute) or node.attr not in ("format", "format_map"):
            continue
        if not _formats_values(_text_of(node.value, view)):
            yield node, expression_text(node)


def _text_of(node: ast.expr | None, view: FileView) -> object:
    """The value of a literal, or of a name that one statement at the top of the file binds to it, and nothing else."""
    if isinstance(node, ast.Name):
        once = view.binders[node.id] == 1 and node.id not in view.arguments | view.imports.keys()
        values = view.bound.get(node.id, ()) if once and view.modules.gives(view.file.stem, node.id) else ()
        node = values[0] if len(values) == 1 and isinstance(values[0], ast.Constant) else None
    return node.value if isinstance(node, ast.Constant) else None


def _formats_values(text: object) -> bool:
    if not isinstance(text, str):
        return False
    try:
        fields = [(name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return False
    return not any("." in name or "[" in name or "{" in (form or "") for name, form in fields)


def leading_out(view: FileView, level: Level) -> Hits:
    """Attributes through which an object of a pass leads to files, memory or the interpreter.

    No class of the file has one of these itself: Triton would take it for a kernel or a type, and compile what it says.
    """
    asked = ASKED if view.modules.has_triton else ASKED - _TRITONS
    for node in view.nodes:
        if isinstance(node, (ast.arg, ast.keyword)) and node.arg in _COMPILERS:
            yield node, f"argument {node.arg}, by which Triton hands over its compiler"
        if isinstance(node, ast.ClassDef):
            for name in sorted(own_bindings(node.body, comprehensions=False).keys() & asked):
                yield node, f"{name} of {node.name}, which libraries ask their own objects for"
        if isinstance(node, ast.Attribute) and node.attr in asked and not isinstance(node.ctx, ast.Load):
            yield node, f"{expression_text(node)}, which libraries ask their own objects for"
        if not isinstance(node, ast.Attribute) or node in view.traced:
            continue
        own = is_of_a_method(node.value, view, python=node.attr != "path")
        of_others = node.attr in _OF_OTHERS or (node.attr in _DICTIONARIES and not _is_read(node, view))
        compiles = node.attr == "compile" and view.dotted(node) != "torch.compile"  # the latter is a library's call
        if node.attr in LEADS_OUT or ((of_others or compiles) and not own) or _asks_for_type(node, view):
            yield node, expression_text(node)
    for reference, dotted in view.whole_references:
        call = view.parents.get(reference)
        if dotted == "collections.namedtuple" and isinstance(call, ast.Call):
            texts = (str(node.value) for node in ast.walk(call) if isinstance(node, ast.Constant))
            named = {name for text in texts for name in re.split(r"[\s,]+", text)}
            yield from ((call, f"field {name} of a namedtuple") for name in sorted(named & asked))


def _asks_for_type(node: ast.Attribute, view: FileView) -> bool:
    """Whether `type` is called with something: a storage imports what a text names."""
    call = view.parents.get(node)
    return node.attr == "type" and isinstance(call, ast.Call) and call.func is node and bool(call.args or call.keywords)


# What Triton's heuristics and settings have of this name is a dictionary, which decides how a kernel is launched.
_DICTIONARIES = frozenset({"values", "kwargs"})


def _is_read(node: ast.Attribute, view: FileView) -> bool:
    """Whether of a dictionary one item or all are read at once. Dictionaries themselves have a method `values`."""
    parent = view.parents.get(node)
    if isinstance(parent, ast.Call):
        return parent.func is node
    if isinstance(parent, ast.Subscript):
        return parent.value is node and isinstance(parent.ctx, ast.Load)
    return isinstance(parent, ast.Attribute) and parent.attr in ("get", "items", "keys")


_CONTEXTS = frozenset({"torch.no_grad", "torch.inference_mode", "torch.cuda.device"})


def open_contexts(view: FileView, level: Level) -> Hits:
    """Contexts that can be left open: a generator waits inside one, a class changes how one is left, or one object is
    entered twice. Torch keeps in the object what it restores, and the second entry overwrites it.
    """
    entered = _entered_where_made(view)
    for node in view.nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and view.dotted(node) in _CONTEXTS and node not in entered:
            yield node, f"{expression_text(node)} outside the head of a with"
        if isinstance(node, (ast.With, ast.AsyncWith)):
            for inner in own_nodes(node.body):
                if isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Await)) and _is_of(inner, node, view):
                    yield inner, f"{expression_text(inner)} inside a with"


def _entered_where_made(view: FileView) -> set[ast.AST]:
    """What is called in the head of a `with`, or stands above a function. No name leads to the object."""
    made: list[ast.expr] = []
    for node in view.nodes:
        if isinstance(node, (ast.With, ast.AsyncWith)):
            made += [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
        elif isinstance(node, FUNCTIONS):
            made += node.decorator_list
    return {each.func if isinstance(each, ast.Call) else each for each in made}


def _is_of(node: ast.AST, context: ast.AST, view: FileView) -> bool:
    """Whether code runs with the block itself and not in a function inside it."""
    while node is not context:
        node = view.parents[node]
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            return False
    return True
