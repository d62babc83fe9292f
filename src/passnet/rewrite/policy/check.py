"""The static source policy: a table of rules over the syntax tree of pass files. It gives early, readable reasons.

It may refuse a pass but never proves that one is safe. A kernel is judged by running it elsewhere.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain

from passnet.authored import expression_text
from passnet.errors import UsageError
from passnet.graph.text.allowed import FUNCTIONS
from passnet.rewrite.passes.pass_set import PassSet
from passnet.rewrite.passes.source import ENTRY_POINTS, GUARD, imported_module, own_name
from passnet.rewrite.policy.absent import absent, is_module
from passnet.rewrite.policy.advice import advice
from passnet.rewrite.policy.entry import computed_arguments, returned_wrapper
from passnet.rewrite.policy.kernels import kernel_texts
from passnet.rewrite.policy.launches import assembly, launch_functions
from passnet.rewrite.policy.loading import (
    format_texts,
    import_time_tensors,
    leading_out,
    made_classes,
    open_contexts,
    python_names,
)
from passnet.rewrite.policy.members import is_of_a_method
from passnet.rewrite.policy.methods import tensor_methods
from passnet.rewrite.policy.modules import PYTHONS_NAMES, imported_names
from passnet.rewrite.policy.names import (
    DECORATORS,
    FUNCTOOLS_NAMES,
    IMPORTS,
    LEVELS,
    MEMOISERS,
    TELLS_WHO_RUNS,
    TENSORS_TELL,
    TORCH_IMPORTS,
    TORCH_NAMES,
    Level,
)
from passnet.rewrite.policy.pattern import is_literal, pattern_operators
from passnet.rewrite.policy.references import (
    LIBDEVICE_HOMES,
    banned_names,
    dunder_attributes,
    internals,
    kept_tensors,
    module_references,
    private_attributes,
    unknown_names,
)
from passnet.rewrite.policy.tensors import tensor_builtins, tensor_operators
from passnet.rewrite.policy.view import FileView, views

Hits = Iterator[tuple[ast.AST, str]]
# Breaches of one rule in one file. Whoever reads these needs no more.
_MOST_SHOWN = 100
# Rules that refuse names of libraries. One that the library lacks is a mistake, and is told as such.
_NAMING_RULES = frozenset({"library-call", "reference"})


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach: the rule, the place, the text there, why it is refused, and what to write instead.

    `native`: the policy `native` would admit it.
    """

    rule: str
    file: str
    line: int
    what: str
    why: str
    fix: str
    native: bool = False

    def to_json(self) -> dict[str, str | int]:
        """The record of `passnet check`."""
        return asdict(self)

    def text(self) -> str:
        """One line for a person."""
        native = "; --policy native admits it" if self.native else ""
        return f"{self.file}:{self.line}: {self.what} ({self.rule}: {self.why}; {self.fix}{native})"


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """A row: its name, its reason, what to do instead, its levels, and the function that finds breaches in a file."""

    name: str
    why: str
    fix: str
    find: Callable[[FileView, Level], Hits]
    levels: tuple[Level, ...] = LEVELS


def check_policy(pass_set: PassSet, level: Level = "strict") -> tuple[Violation, ...]:
    """Every breach of every rule that holds at `level`, by file and line. Empty means: nothing to object to."""
    if level not in LEVELS:
        raise UsageError("unknown policy level", field="--policy", expected=" or ".join(LEVELS), found=repr(level))
    seen = views(pass_set.files)
    found = dict.fromkeys(_breaches(seen, level))
    if found and level != "native":
        still = set(_breaches(seen, "native"))
        found = dict.fromkeys(replace(breach, native=breach not in still) for breach in found)
    return tuple(sorted(found, key=lambda v: (v.file, v.line, v.rule, v.what)))


def _breaches(seen: Sequence[FileView], level: Level) -> Iterator[Violation]:
    for view in seen:
        for rule in POLICY:
            if level in rule.levels:
                for node, what in itertools.islice(rule.find(view, level), _MOST_SHOWN):
                    missing = absent(what) if rule.name in _NAMING_RULES else None
                    why, fix = missing or (rule.why, advice(rule.name, what) or rule.fix)
                    yield Violation(rule.name, view.file.path.name, getattr(node, "lineno", 1), what, why, fix)


def _foreign_imports(view: FileView, level: Level) -> Hits:
    for node in view.nodes:
        if isinstance(node, ast.Import):
            own = [own_name(alias.name) if alias.asname else "" for alias in node.names]
            names = [mine if mine in view.siblings else alias.name for mine, alias in zip(own, node.names, strict=True)]
        elif isinstance(node, ast.ImportFrom):
            module = imported_module(node)
            if node.level <= 1 and not module and all(alias.name in view.siblings for alias in node.names):
                continue
            written = "." * node.level + (node.module or "")
            names = [module if node.level <= 1 and module in view.siblings else written]
            missing = _lacking(node, view)
            yield from ((node, f"import of {name}, which the text of {module}.py does not bind") for name in missing)
            names += _modules_below(written, node, view)
        else:
            continue
        yield from ((node, f"import of {name}") for name in names if not _admitted(name, view, level))


# What a module of torch must hold to be imported from another: functions of graphs, or names that a wrapper may use.
_HOLDING = (*TORCH_NAMES, *(f"{namespace}." for namespace in FUNCTIONS))


def _modules_below(written: str, node: ast.ImportFrom, view: FileView) -> list[str]:
    """The modules among what is imported from a module of torch or PassNet: Python imports them, used or not."""
    if written.partition(".")[0] not in ("torch", "passnet") or written in view.siblings:
        return []
    below = [f"{written}.{alias.name}" for alias in node.names if is_module(written, alias.name)]
    return [name for name in below if not any(each.startswith(f"{name}.") for each in _HOLDING)]


def _lacking(node: ast.ImportFrom, view: FileView) -> list[str]:
    """The names that are imported from a file of the set and that its text does not bind: a module has others too."""
    module = imported_module(node)
    if node.level > 1 or module not in view.siblings:
        return []
    return [alias.name for alias in node.names if alias.name != "*" and not view.modules.gives(module, alias.name)]


def _ambiguous_imports(view: FileView, level: Level) -> Hits:
    """Imports under which a name of the text could mean something else than it is read as."""
    for name in sorted(view.imports.keys() & view.own_names):
        yield view.file.tree, f"{name} is imported, and bound in another way too"
    for node in view.nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if isinstance(view.parents.get(node), ast.ClassDef):
                yield node, f"import inside a class: {expression_text(node)}"
            for name, dotted in imported_names(node):
                if view.imports[name] != dotted and not {view.imports[name], dotted} <= LIBDEVICE_HOMES:
                    yield node, f"{name} is imported as {dotted} and as {view.imports[name]}"


def _whole_modules(view: FileView, level: Level) -> Hits:
    """A module of the set used as a value, or asked for what its text does not bind: neither can be checked."""
    for node, dotted in view.whole_references:
        module, _, rest = dotted.partition(".")
        if dotted in view.siblings:
            yield node, f"module {dotted} used as a value"
        elif module in view.siblings and not view.modules.gives(module, rest.partition(".")[0]):
            yield node, f"{dotted}, which the text of {module}.py does not bind"


def _admitted(name: str, view: FileView, level: Level) -> bool:
    if name in view.siblings:
        return name.isidentifier()  # what a dotted name means is not followed into such a file
    root = name.partition(".")[0]
    if root in ("torch", "passnet"):
        return name in TORCH_IMPORTS | {"passnet.kernels"}
    return any((name == key or name.startswith(key + ".")) and level in levels for key, levels in IMPORTS.items())


def _star_imports(view: FileView, level: Level) -> Hits:
    for node in view.nodes:
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            yield node, f"from {node.module} import *"


_ALLOWED_REFERENCES = {"torch": TORCH_NAMES, "functools": FUNCTOOLS_NAMES, "operator": frozenset[str]()}


def _library_references(view: FileView, level: Level) -> Hits:
    for node, dotted in view.whole_references:
        allowed = _ALLOWED_REFERENCES.get(dotted.partition(".")[0])
        if allowed is None or node in view.traced or dotted in TELLS_WHO_RUNS:
            continue
        if dotted not in allowed or (dotted == "torch.Tensor" and not view.describes_type(node)):
            yield node, dotted
    for inner in view.nodes:
        if isinstance(inner, ast.Attribute) and inner.attr in _ALLOWED_REFERENCES and inner not in view.traced:
            yield inner, expression_text(inner)


def _questions(view: FileView, level: Level) -> Hits:
    """Functions of torch and attributes of tensors that say who runs the pass. A class may have such fields itself."""
    references: dict[ast.AST, str] = dict(view.whole_references)
    for node in view.nodes:
        if references.get(node) in TELLS_WHO_RUNS and node not in view.traced:
            yield node, references[node]
        if not isinstance(node, ast.Attribute) or node in view.traced or not isinstance(node.ctx, ast.Load):
            continue
        own = node in references or is_of_a_method(node.value, view, python=True)
        called = getattr(view.parents.get(node), "func", None) is node  # a kernel may be called `grad`
        if not own and (node.attr in TENSORS_TELL or (node.attr == "grad" and not called)):
            yield node, expression_text(node)


def _attribute_writes(view: FileView, level: Level) -> Hits:
    for node in view.nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
            own = is_of_a_method(node.value, view, python=True)
            if not own and not (level == "native" and node.attr in ("argtypes", "restype")):
                yield node, expression_text(node)


def _scope_statements(view: FileView, level: Level) -> Hits:
    for node in view.nodes:
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield node, expression_text(node)


def _coroutines(view: FileView, level: Level) -> Hits:
    for node in view.nodes:
        if isinstance(node, ast.AsyncFunctionDef):
            yield node, f"async def {node.name}"


def _decorators(view: FileView, level: Level) -> Hits:
    for function in view.functions:
        names = view.decorators(function)
        if view.is_entry_point(function) and names:
            yield function, f"decorator on {function.name}"
            continue
        for name in names:
            if level not in DECORATORS.get(name, ()):
                yield function, f"decorator {name} on {function.name}"
        if MEMOISERS.intersection(names) and "torch.fx.wrap" in names:
            yield function, f"results of wrapper {function.name} are kept between calls"
        if "torch.fx.wrap" in names and (function.name in PYTHONS_NAMES or view.binders[function.name] != 1):
            yield function, f"wrapper {function.name}, which has a name of Python's or is bound again"
    above = {decorator for function in view.functions for decorator in function.decorator_list}
    for node, dotted in view.whole_references:
        if dotted == "torch.fx.wrap" and node not in above:
            yield node, f"{dotted} in another place than above a function"


def _defaults(view: FileView, level: Level) -> Hits:
    for function in view.functions:
        given = [default for default in (*function.args.defaults, *function.args.kw_defaults) if default is not None]
        traced = view.is_entry_point(function) or function in view.recorded
        if traced and not all(map(is_literal, given)):
            yield function, f"default argument of {function.name}"


# PassNet calls these by their names. One that `pattern` called too would be read as one that only records.
_OF_A_PASS = frozenset({*ENTRY_POINTS, GUARD})


def _entry_point_uses(view: FileView, level: Level) -> Hits:
    """What else a file does with the functions of a pass. What is run must be the function that was read."""
    for name in sorted(_OF_A_PASS & view.bound.keys()):
        defined = sum(isinstance(node, ast.FunctionDef) and node.name == name for node in view.file.tree.body)
        imported = sum(_takes_from_sibling(node, name, view) for node in view.file.tree.body)
        if len(view.bound[name]) != 1 or defined + imported != 1:
            yield view.file.tree, f"{name} is bound in another way than by one `def` or one import from its own file"
    for node in view.nodes:
        read = isinstance(node, ast.Name) and (isinstance(node.ctx, ast.Load) or _is_augmented(node, view))
        if isinstance(node, ast.Name) and read and node.id in _OF_A_PASS:
            yield node, f"use of {node.id}"
        elif isinstance(node, ast.ImportFrom):
            renamed = [
                alias for alias in node.names if alias.name in _OF_A_PASS and alias.asname not in (None, alias.name)
            ]
            yield from ((node, f"{alias.name} imported as {alias.asname}") for alias in renamed)
        elif isinstance(node, ast.Attribute) and node.attr in _OF_A_PASS:
            yield node, expression_text(node)


def _takes_from_sibling(node: ast.stmt, name: str, view: FileView) -> int:
    """How often a statement imports a function of a pass from another file of the set, under its own name."""
    if not isinstance(node, ast.ImportFrom) or node.level > 1 or imported_module(node) not in view.siblings:
        return 0
    return sum(alias.name == name and alias.asname in (None, name) for alias in node.names)


def _is_augmented(node: ast.Name, view: FileView) -> bool:
    """Whether a name is read and bound at once."""
    return isinstance(view.parents.get(node), ast.AugAssign)


def _operators(view: FileView, level: Level) -> Hits:
    yield from tensor_operators(view)
    yield from tensor_builtins(view)


def _methods(view: FileView, level: Level) -> Hits:
    return tensor_methods(view, level)


_COMPUTE_IN_KERNEL = (
    "compute in the kernel; outside it only create outputs, read metadata, and raise for what the kernel cannot do"
)
_COMPUTE_OR_RENAME = (
    f"{_COMPUTE_IN_KERNEL}; give a kernel, a method or a field of your own another name, or bind the kernel at the top "
    "of the file (`softmax = library.softmax`)"
)

POLICY: tuple[PolicyRule, ...] = (
    PolicyRule(
        "import",
        "a pass needs torch, triton, math, modules of types and containers, passnet.kernels and its own files",
        "remove the import, write that module beside this file, or pass C++/CUDA as a text to passnet.kernels",
        _foreign_imports,
    ),
    PolicyRule(
        "ambiguous-import",
        "a name must mean one thing in a file",
        "import each name once, at the top or in a function, and import the needed names of a module",
        lambda view, level: chain(_ambiguous_imports(view, level), _whole_modules(view, level)),
    ),
    PolicyRule("star-import", "the text must show where a name comes from", "import names one by one", _star_imports),
    PolicyRule("library-call", "a pass must not call a library that computes", _COMPUTE_IN_KERNEL, _library_references),
    PolicyRule(
        "who-runs",
        "it tells a check from a user's call: who traces or trains, with which threads and settings",
        "do the same in every call: a wrapper is opaque to compilers and records no gradient; give each tensor that is "
        "made a dtype",
        _questions,
    ),
    PolicyRule("banned-name", "the name defeats reading the source", "write the pass without it", banned_names),
    PolicyRule(
        "unknown-name",
        "beyond the file's own names, only names that a pass needs may be used",
        "use the file's own names and ordinary builtins",
        unknown_names,
    ),
    PolicyRule(
        "reference",
        "only the parts of a module that a pass needs may be named",
        "name functions and constants of math, triton and triton.language, and passnet.kernels' cpp and cuda",
        module_references,
    ),
    PolicyRule(
        "kernel-text",
        "Triton reads a kernel's lines again, and must find the same text as this check",
        "decorate a plain `def`, with no text over several lines before it",
        kernel_texts,
    ),
    PolicyRule(
        "launch-function",
        "functions that Triton calls around a launch may choose or allocate, but not compute",
        "write heuristics and pruning as functions of sizes, an allocator as `return torch.empty(...)`, and no hooks",
        launch_functions,
    ),
    PolicyRule(
        "assembly",
        "instructions in a kernel's text may only compute from registers to registers",
        "write the kernel in Triton's own language, or its instructions as a literal text of arithmetic",
        assembly,
    ),
    PolicyRule("internals", "it leads to frames, code or other modules", "write the pass without it", internals),
    PolicyRule(
        "leads-out",
        "it leads from an object of the pass to files, memory or the interpreter",
        "pass tensors to kernels, and read only their shape, dtype, stride and device",
        leading_out,
        levels=("strict",),
    ),
    PolicyRule(
        "made-class",
        "a class must do only what its text shows",
        "write classes without keywords, of the file's own classes, exceptions or NamedTuple; use dataclass "
        "as a decorator, on classes without other bases, and write `field(...)` behind a field's name",
        made_classes,
    ),
    PolicyRule(
        "format",
        "it reads attributes that the text does not show",
        "use an f-string, `replace`, or a format that is a literal or a constant of the file, with plain fields",
        format_texts,
    ),
    PolicyRule(
        "kept-tensor",
        "a tensor that outlives the call can replace a later result",
        "keep kernels and launch plans by shape and dtype, never tensors",
        lambda view, level: chain(kept_tensors(view, level), import_time_tensors(view, level)),
    ),
    PolicyRule(
        "dunder",
        "it reaches the interpreter's internals",
        "write the pass without it",
        lambda view, level: chain(dunder_attributes(view, level), python_names(view, level)),
    ),
    PolicyRule(
        "private",
        "a name with an underscore is private to its owner",
        "use what is public",
        private_attributes,
    ),
    PolicyRule(
        "attribute-write",
        "a pass must not change other modules or objects",
        "keep state in local variables or in a module-level dict of kernels; a class may write to `self` in `__init__`",
        _attribute_writes,
    ),
    PolicyRule(
        "open-context",
        "a context that is entered and not left changes later code",
        "write `with torch.no_grad():`, compute inside it, and yield after it",
        open_contexts,
    ),
    PolicyRule(
        "scope",
        "hidden state between calls",
        "pass values as arguments; compile kernels at the top of the file, where it happens once",
        _scope_statements,
    ),
    PolicyRule(
        "coroutine",
        "nobody awaits what a pass returns, so its code would not run in the call",
        "write a plain `def`; who reads an output waits for the kernel",
        _coroutines,
    ),
    PolicyRule(
        "decorator",
        "a decorator may run other code, or keep results",
        "use torch.fx.wrap on wrappers and triton's on kernels, nothing on the three functions",
        _decorators,
    ),
    PolicyRule(
        "default", "a default argument runs when the file is loaded", "remove the default or write a literal", _defaults
    ),
    PolicyRule(
        "pattern",
        "a pattern runs while it is traced, so it may only hold what a graph may hold",
        "use torch's tensor functions, Tensor methods, operators (`ys = ys + [y]`) and the file's literals; helpers "
        "may do the same",
        pattern_operators,
    ),
    PolicyRule(
        "entry-point-use",
        "the functions of a pass describe it, and are its own",
        "write what you need under another name; a self-test is left out when all of it stands in "
        '`if __name__ == "__main__":` at the end of the file',
        _entry_point_uses,
    ),
    PolicyRule(
        "replacement_args computes",
        "it may only pass on arguments, constants and sizes",
        'return a tuple such as (x, w, "route", x.shape[0]), and do the rest in the wrapper',
        computed_arguments,
    ),
    PolicyRule(
        "replacement_func",
        "it only names the wrapper",
        "write `return name_of_the_wrapper`; the wrapper itself may be defined before that line",
        returned_wrapper,
    ),
    PolicyRule(
        "tensor-operator", "an operator or a builtin on tensors is a library call", _COMPUTE_IN_KERNEL, _operators
    ),
    PolicyRule("tensor-method", "the method computes, or is none that a wrapper needs", _COMPUTE_OR_RENAME, _methods),
)
