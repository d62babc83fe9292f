"""Runs the files of a pass set and turns each into a `Rule`. Only a process that may run untrusted code calls this."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import traceback
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

import torch

from passnet import authored
from passnet.errors import PassNetError, foreign
from passnet.kernels.policy.device_code import triton_evaluates_nothing
from passnet.kernels.policy.triton_values import triton_meets_plain_values
from passnet.op_classes import word_set
from passnet.rewrite.passes.errors import RuleError, RuleLoadError
from passnet.rewrite.passes.inner_types import without_inner_types
from passnet.rewrite.passes.pass_set import PassSet, RuleSource
from passnet.rewrite.passes.source import GUARD, PassFile, imported_modules, own_name
from passnet.rewrite.policy.own_names import asked_of_others, with_own_names
from passnet.rewrite.rules.arguments import trace_arguments
from passnet.rewrite.rules.confined import confined
from passnet.rewrite.rules.kept_memory import PACKAGE_PREFIX
from passnet.rewrite.rules.rule import Rule, check_bindable
from passnet.rewrite.rules.trace import trace_pattern
from passnet.rewrite.rules.wanted_tensors import taken_for_tensors

# Names that Triton's interpreter adds to the module of a kernel that it runs, if it has none. So it has one, but for
# the two that the interpreter itself needs there. No text may name these.
_ADDED_BY_OTHERS = word_set("""
    ASTTransformer Callable Dict ExtraFunctions FunctionRewriter GridExecutor InterpretedFunction InterpreterBuilder
    InterpreterError InterpreterOptions KernelInterface List Optional ReduceOps ReduceScanOpInterface ScanOps T
    TensorDescHandle TensorDescriptor TensorHandle TritonSemantic Tuple TypeVar _LangPatchScope _MISSING
    _convert_float _dot_scaled_scale_to_f32 _e2m1_to_f32 _erf _get_np_dtype _get_signed_np_dtype _implicit_cvt
    _interpreter _ir _mxfp_value_handle_to_float32 _patch_attr _patch_builtin _patch_lang _patch_lang_core
    _patch_lang_tensor _patch_reduce_scan _prepare_dot_scaled_operand _rewrap_tensor _round_f32_to_tf32
    _tuple_create _umulhi_64 _unpack_e2m1 _unwrap_tensor _validate_np_data_size annotations ast dataclass
    dataclasses inspect interpreter_builder math np np_erf_fp32 np_erf_fp64 np_umulhi_u64 partial textwrap time tl
    triton
""")


class _Nothing:
    """Stands where a file has no value of its own. Nothing can be done with it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> object:
        raise NameError(f"the file binds no value of which it could take {name}")


_NOTHING = _Nothing()


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """The usable rules in order, the rules that could not be loaded with the reason, and the rules for
    other devices.
    """

    rules: tuple[Rule, ...]
    failed: tuple[RuleError, ...]
    skipped: tuple[str, ...]


def load_rules(pass_set: PassSet, device: str) -> LoadedSet:
    """Load every rule that serves `device`. A rule that fails does not stop the others.

    Modules of one set see each other by plain names, by relative names and by names of `pass_dir`. They do not see
    another set's modules: each set has a package of its own, named after its content hash. The executed bytes are those
    that were read and checked.
    """
    imported = {name.partition(".")[0] for file in pass_set.files for name in imported_modules(file.tree)}
    if "triton" in imported:
        triton_evaluates_nothing()
        triton_meets_plain_values(PACKAGE_PREFIX)
    modules = _Modules(pass_set)
    rules: list[Rule] = []
    failed: list[RuleError] = []
    skipped: list[str] = []
    for source in pass_set.rules:
        if not source.serves(device):
            skipped.append(source.name)
            continue
        try:
            with foreign(partial(_load_error, source.file.path, what="the rule raised"), RuleError):
                rules.append(_load(source, modules))
        except RuleError as error:
            failed.append(error)
    return LoadedSet(tuple(rules), tuple(failed), tuple(skipped))


def load_sets(pass_sets: Sequence[PassSet], device: str) -> LoadedSet:
    """The rules of several sets one after another, each named `directory/rule` where there is more than one set.

    Sets whose directories have one name are numbered instead.
    """
    loaded = [load_rules(pass_set, device) for pass_set in pass_sets]
    if len(loaded) == 1:
        return loaded[0]
    rules, skipped = [], []
    names = [pass_set.directory.name for pass_set in pass_sets]
    for index, (name, one) in enumerate(zip(names, loaded, strict=True)):
        place = name if names.count(name) == 1 else f"{index:02d}"
        rules += [replace(rule, name=f"{place}/{rule.name}") for rule in one.rules]
        skipped += [f"{place}/{name}" for name in one.skipped]
    return LoadedSet(tuple(rules), tuple(error for one in loaded for error in one.failed), tuple(skipped))


def _load(source: RuleSource, modules: _Modules) -> Rule:
    path = source.file.path
    module = modules.load(source.name)
    function = partial(_function, module, modules=modules, path=path)
    written = confined(function("pattern"))
    pattern = trace_pattern(written, path)
    arity = len(pattern.parameters)
    arguments = trace_arguments(confined(function("replacement_args")), arity, path)
    guard = function(GUARD) if hasattr(module, GUARD) else None
    wrapper = _wrapper(function("replacement_func"), path)
    tensors = taken_for_tensors(pattern, arguments, wrapper, modules.files)
    rule = Rule(source.name, replace(pattern, tensors=tensors), arguments, wrapper, guard, written)
    check_bindable(rule, path)
    return rule


def _function(module: ModuleType, name: str, modules: _Modules, path: Path) -> FunctionType:
    """The function of a pass under its name. It must be written in a file of the set: a library's own is none."""
    found = getattr(module, name, None)
    if type(found) is FunctionType and modules.hold(found):
        return found
    what = f"{name} is not a function of this pass set after the file ran"
    raise RuleLoadError(path, None, what, f"define {name} once, at top level")


def _wrapper(factory: FunctionType, path: Path) -> Callable[..., object]:
    with foreign(lambda error: _load_error(path, error, "replacement_func raised"), RuleError):
        wrapper: object = factory()
    if callable(wrapper):
        return wrapper  # callable is all that is asked of it
    found = type(wrapper).__name__
    raise RuleLoadError(
        path, None, f"replacement_func returned {found}, not a function", "write `return name_of_the_wrapper`"
    )


class _Modules:
    """The modules of one pass set, executed at most once each, in the order in which they are needed."""

    def __init__(self, pass_set: PassSet) -> None:
        self._package = PACKAGE_PREFIX + pass_set.content_hash[:16]
        self._files: Mapping[str, PassFile] = {file.stem: file for file in pass_set.files}
        self._asked = asked_of_others(file.tree for file in pass_set.files)
        self._builtins = _of_python() | {"__import__": self._import}
        package = sys.modules.setdefault(self._package, ModuleType(self._package))
        package.__path__ = []

    @property
    def files(self) -> Iterable[PassFile]:
        """The texts of the modules."""
        return self._files.values()

    def hold(self, function: FunctionType) -> bool:
        """Whether a function was made by a file of the set, wherever the set lay when it was first loaded."""
        made = (sys.modules.get(f"{self._package}.{stem}") for stem in self._files)
        return any(module is not None and function.__globals__ is vars(module) for module in made)

    def load(self, stem: str) -> ModuleType:
        """The module of a file. Runs it if it was not run yet. Raises `RuleLoadError` with the line that failed."""
        name = f"{self._package}.{stem}"
        if name in sys.modules:
            return sys.modules[name]
        file = self._files[stem]
        module = ModuleType(name)
        module.__file__ = str(file.path)
        module.__package__ = self._package
        module.__dict__["__builtins__"] = self._builtins
        module.__dict__.update(dict.fromkeys(_ADDED_BY_OTHERS, _NOTHING))
        sys.modules[name] = module
        with ExitStack() as undo:
            undo.callback(_forget_wrapped, module)
            undo.callback(sys.modules.pop, name)
            self._execute(file, module)
            undo.pop_all()
        _forget_wrapped(module, but=vars(module).keys() | vars(builtins).keys())
        setattr(sys.modules[self._package], stem, module)
        return module

    def _changed(self, tree: ast.Module) -> ast.Module:
        """What runs of a text. Its lines are those of the text."""
        return with_own_names(without_inner_types(tree), self._asked)

    def _execute(self, file: PassFile, module: ModuleType) -> None:
        filename = str(file.path)
        # Tools that read source (Triton, inspect) must see the checked text, even if the file on disk changes.
        linecache.cache[filename] = (len(file.text), None, file.lines, filename)
        before = _modes()
        try:
            with foreign(lambda error: _load_error(file.path, error, "the file raised"), RuleError):
                exec(authored.compiled(self._changed(file.tree), filename), module.__dict__)
        finally:
            switched = _modes() != before
            if switched:
                _drop_values(module)
        if switched:
            hint = "leave every context that the file enters"
            raise RuleLoadError(file.path, None, "the file left a mode of torch switched on or off", hint)

    def _import(
        self,
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` of the pass modules: siblings by their names in the set, libraries as usual, nothing else of the
        set's own package.
        """
        own = own_name(name) if level == 0 else name
        if level <= 1 and not own:
            for item in fromlist or ():
                if item in self._files:
                    self.load(item)
            return sys.modules[self._package]
        if level <= 1 and own in self._files:
            try:
                module = self.load(own)
            except RuleError as error:  # whoever catches it gets a text alone
                raise ImportError(str(error)) from None
            # `import pass_dir.kernels as k` takes k from this returned module.
            return module if fromlist or own == name else sys.modules[self._package]
        if level or own != name:  # what lies beside or below the files was read by nobody
            raise ImportError(f"{own} is no file of this pass set")
        return builtins.__import__(name, globals_, locals_, fromlist or (), level)


def _of_python() -> dict[str, object]:
    """Python's own builtins. Notebooks and debuggers add others, which lead anywhere."""
    return {
        name: value
        for name, value in vars(builtins).items()
        if (isinstance(value, (type, BuiltinFunctionType)) and value.__module__ in ("builtins", "_io", "io"))
        or any(value is each for each in (None, True, False, ..., NotImplemented))
    }


def _modes() -> tuple[object, ...]:
    """Settings of torch that hold for everything that runs from now on in this thread."""
    stacks = (torch._C._len_torch_dispatch_stack(), torch._C._len_torch_function_stack())
    return (torch.is_inference_mode_enabled(), torch.is_grad_enabled(), torch.get_default_dtype(), *stacks)


def _forget_wrapped(module: ModuleType, but: Container[str] = ()) -> None:
    """Take the functions of a file from those that torch.fx wraps whenever it traces. `but`: names that may stay.

    fx raises KeyError in every later trace of the process for a name that the file did not bind in the end.
    """
    wrapped = torch.fx._symbolic_trace._wrapped_fns_to_patch
    for key in [key for key, names in wrapped.items() if names is vars(module) and key[1] not in but]:
        del wrapped[key]


def _drop_values(module: ModuleType) -> None:
    """A generator that waits inside a context leaves it when it is dropped. Functions stay, because torch.fx knows
    them.
    """
    for name, value in list(vars(module).items()):
        if not isinstance(value, FunctionType):
            setattr(module, name, None)


def _load_error(path: Path, error: BaseException, what: str) -> RuleLoadError:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = frames[-1].lineno if frames else getattr(error, "lineno", None)
    hint = "correct the file"
    if isinstance(error, ImportError):
        hint = "import torch, triton, math, passnet.kernels or a module beside this file; or restrict DEVICES"
    elif isinstance(error, NotImplementedError) and "top level of a module" in str(error):  # torch.fx.wrap's own words
        hint = "write @torch.fx.wrap on functions at the top of the file only; an inner wrapper needs none"
    kind = "" if isinstance(error, PassNetError) else f" {type(error).__name__}"  # ours say what they are
    return RuleLoadError(path, line, f"{what}{kind}: {error}", hint)
