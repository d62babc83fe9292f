"""Checks an author's functions that Triton calls around launches: they may choose and allocate, but not compute.

Heuristics and the pruning of configurations get the tensors of a launch. An allocator is asked for memory before a
launch. Hooks get the tensors too but have nothing to choose, so they are refused. Code that Triton links or reads from
files is refused too. So are instructions in a text beyond arithmetic.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from passnet.authored import expression_text
from passnet.op_classes import word_set
from passnet.rewrite.policy.assembly import wrong_in_assembly
from passnet.rewrite.policy.modules import Function
from passnet.rewrite.policy.names import TENSOR_ATTRIBUTES, Level
from passnet.rewrite.policy.view import FUNCTIONS, FileView

Hits = Iterator[tuple[ast.AST, str]]

# Function of Triton -> the number of arguments that may come without a name, and the names of the others.
_ARGUMENTS = {
    "triton.Config": (4, word_set("kwargs num_warps num_stages num_ctas maxnreg")),
    "triton.autotune": (
        2,
        word_set("configs key prune_configs_by reset_to_zero restore_value warmup rep use_cuda_graph cache_results"),
    ),
    "triton.heuristics": (1, word_set("values")),
    "triton.set_allocator": (1, word_set("allocator")),
    "triton.jit": (1, word_set("version do_not_specialize do_not_specialize_on_alignment debug noinline")),
}
_ALIASES = {"triton.runtime.jit.jit": "triton.jit"}
_LAUNCH_OPTIONS = word_set("num_warps num_stages num_ctas maxnreg")
# Attributes under which Triton keeps functions of others, or takes code from files.
_HOOKS = word_set(
    "add_pre_run_hook pre_run_hooks pre_hook post_hook user_defined_pre_hook user_defined_post_hook do_bench "
    "early_config_prune perf_model ir_override extern_libs launch_metadata"
)
# Options of a launch that bring code, or write files. Those that remain choose among what Triton makes of the text.
_BRINGING = word_set("extern_libs ir_override ptx_options instrumentation_mode backend_name")
_ASSEMBLY = "triton.language.inline_asm_elementwise"
# The syntax that a choosing function may use.
_SYNTAX = (
    ast.Return, ast.If, ast.Assign, ast.For, ast.Continue, ast.Break, ast.Pass, ast.Assert, ast.Expr, ast.Name,
    ast.Constant, ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple,
    ast.List, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension,
    ast.Lambda, ast.arguments, ast.arg, ast.keyword, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
_BUILTINS = word_set(
    "abs all any bool dict enumerate float int isinstance len list max min range round set sorted str sum tuple zip"
)
_FUNCTIONS = word_set("triton.cdiv triton.next_power_of_2")
_METHODS = word_set(
    "size stride numel nelement dim ndimension element_size is_contiguous is_floating_point data_ptr get_device items "
    "keys values get append"
)
_OF_CONFIGS = word_set("kwargs num_warps num_stages num_ctas maxnreg")


def launch_functions(view: FileView, level: Level) -> Hits:
    """Functions given to Triton that do more than choose. Also files and options that bring other code."""
    read: set[ast.AST] = set()
    for node, dotted in view.whole_references:
        name = _ALIASES.get(dotted, dotted)
        if name in _ARGUMENTS:
            yield from _given(node, name, view, read)
    for inner in view.nodes:
        if isinstance(inner, ast.Attribute) and inner.attr in _HOOKS and inner not in view.traced:
            yield inner, expression_text(inner)
        elif isinstance(inner, ast.keyword) and inner.arg in _BRINGING:
            yield inner.value, f"{inner.arg}={expression_text(inner.value)}"
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value in _BRINGING:
            yield inner, repr(inner.value)
        elif isinstance(inner, ast.Call) and inner not in view.traced and not _is_of_the_file(inner.func, view):
            for keyword in inner.keywords:
                if keyword.arg is None and not _is_written_out(keyword.value):
                    yield keyword.value, f"**{expression_text(keyword.value)} in a launch, whose names are not shown"


def _is_of_the_file(called: ast.expr, view: FileView) -> bool:
    """Whether a call is of a function or a class at the top of the file: no launch takes another name then."""
    if not isinstance(called, ast.Name) or view.binders[called.id] != 1 or called.id in view.arguments:
        return False
    plain = any(not function.decorator_list for function in view.defined(called.id))
    return plain or len(view.classes.get(called.id, [])) == 1


def assembly(view: FileView, level: Level) -> Hits:
    """Instructions in a text beyond arithmetic on its operands, and texts that are not literals."""
    for node, dotted in view.whole_references:
        if dotted != _ASSEMBLY:
            continue
        call = view.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            yield node, f"{dotted} used as a value"
            continue
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        text = call.args[0] if call.args else named.get("asm")
        value = text.value if isinstance(text, ast.Constant) else None
        wrong = wrong_in_assembly(value) if isinstance(value, str) else "instructions that are not a literal text"
        if wrong is not None:
            yield node, wrong


def _given(node: ast.expr, name: str, view: FileView, read: set[ast.AST]) -> Hits:
    """Breaches in the arguments of a reference to one of Triton's functions."""
    call = view.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        if name != "triton.jit":
            yield node, f"{name} used as a value"
        return
    most, names = _ARGUMENTS[name]
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    if spread or len(call.args) > most or any(keyword.arg is None for keyword in call.keywords):
        yield call, f"{name} with arguments that the text does not name"
        return
    for keyword in call.keywords:
        if keyword.arg not in names:
            yield keyword.value, f"{name}({keyword.arg}=...)"
    first = call.args[0] if call.args else call.keywords[0].value if call.keywords else None
    if name == "triton.Config" and not _is_written_out(first):
        yield call, f"{expression_text(call)}, whose names are not shown"
    if name == "triton.set_allocator":
        if first is None or not _allocates(first, view):
            yield call, expression_text(call)
    elif name == "triton.heuristics":
        yield from _heuristics(call, first, view, read)
    elif name == "triton.autotune":
        pruning = [keyword.value for keyword in call.keywords if keyword.arg == "prune_configs_by"]
        for table in pruning:
            yield from _table(table, view, read)


def _is_written_out(table: ast.expr | None) -> bool:
    """Whether a dictionary's keys stand in the text."""
    if isinstance(table, ast.Call):
        plain = isinstance(table.func, ast.Name) and table.func.id == "dict" and not table.args
        return plain and all(keyword.arg is not None for keyword in table.keywords)
    return isinstance(table, ast.Dict) and all(isinstance(key, ast.Constant) for key in table.keys)


def _heuristics(call: ast.Call, table: ast.expr | None, view: FileView, read: set[ast.AST]) -> Hits:
    kernel = view.parents.get(call)
    if not isinstance(kernel, FUNCTIONS) or table is None:
        yield call, "triton.heuristics that is not the decorator of a kernel"
        return
    yield from _table(table, view, read)
    fixed = _constants(kernel, view)
    for key in table.keys if isinstance(table, ast.Dict) else ():
        name = key.value if isinstance(key, ast.Constant) else None
        if name not in fixed and name not in _LAUNCH_OPTIONS:
            yield call, f"heuristic for {name!r}, which is no constexpr of {kernel.name}"


@functools.lru_cache(maxsize=1)  # a kernel may have many heuristics
def _constants(kernel: Function, view: FileView) -> frozenset[str]:
    """The parameters of a kernel that are constants of its compiler."""
    parameters = [*kernel.args.posonlyargs, *kernel.args.args, *kernel.args.kwonlyargs]
    constants = (p for p in parameters if p.annotation and view.dotted(p.annotation) == "triton.language.constexpr")
    return frozenset(p.arg for p in constants)


def _table(table: ast.expr, view: FileView, read: set[ast.AST]) -> Hits:
    if not isinstance(table, ast.Dict):
        yield table, f"{expression_text(table)} in place of a dictionary that is written out"
        return
    for key, value in zip(table.keys, table.values, strict=True):
        if not isinstance(key, ast.Constant):
            yield value, "a key that is not written out"
        elif not isinstance(value, ast.Constant):
            yield from _choosing(value, view, read)


def _choosing(function: ast.expr, view: FileView, read: set[ast.AST]) -> Hits:
    """Parts of a function beyond choosing, and the functions of the file that it calls. `read`: what was looked at."""
    pending: list[ast.AST] = [function]
    while pending:
        body = _body(pending.pop(), view)
        if body is None:
            yield function, f"{expression_text(function)}, which is no plain function of this file"
            return
        if body and body[0] in read:
            continue
        for node in (inner for part in body if part not in read for inner in ast.walk(part)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and _body(node.func, view) is not None:
                pending.append(node.func)
            elif not _chooses(node, view):
                yield node, expression_text(node).splitlines()[0]
        read.update(body)


def _body(function: ast.AST, view: FileView) -> list[ast.AST] | None:
    """The statements of a plain function of the file, or the value of a lambda."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    if not isinstance(function, ast.Name):
        return None
    found = view.defined(function.id)
    if len(found) != 1 or len(view.bound[function.id]) != 1 or found[0].decorator_list:
        return None
    return [*found[0].body]


def _chooses(node: ast.AST, view: FileView) -> bool:
    if isinstance(node, ast.Call):
        return _may_call(node, view)
    if isinstance(node, ast.Attribute):
        dotted = view.dotted(node) or ""
        library = dotted.startswith(("torch.", "math.", "triton.")) and dotted.partition(".")[0] not in view.own_names
        method = node.attr in _METHODS and getattr(view.parents.get(node), "func", None) is node
        return library or method or node.attr in TENSOR_ATTRIBUTES | _OF_CONFIGS
    if isinstance(node, (ast.Subscript, ast.Name)) and not isinstance(node.ctx, ast.Load):
        return isinstance(node, ast.Name)
    return isinstance(node, _SYNTAX) and not isinstance(node, ast.MatMult)


def _may_call(node: ast.Call, view: FileView) -> bool:
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return True
    dotted = view.dotted(node.func) or ""
    if isinstance(node.func, ast.Name) and dotted == node.func.id:
        return dotted in _BUILTINS and dotted not in view.own_names
    return dotted in _FUNCTIONS or dotted.startswith("math.")


def _allocates(function: ast.expr, view: FileView) -> bool:
    """Whether a function only returns new, unwritten memory, of as many bytes as it is asked for, where it says."""
    body = _body(function, view) or []
    text = [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    last = text[0] if len(text) == 1 else None
    value = last.value if isinstance(last, ast.Return) else last
    if not isinstance(value, ast.Call) or view.dotted(value.func) != "torch.empty" or len(value.args) != 1:
        return False
    asked = (
        function.args.args if isinstance(function, ast.Lambda) else view.defined(expression_text(function))[0].args.args
    )
    size = value.args[0]
    placed = any(keyword.arg == "device" for keyword in value.keywords)
    return placed and bool(asked) and isinstance(size, ast.Name) and size.id == asked[0].arg
