"""Running pass files: siblings, isolation, the checked text, and typed errors for what an author's code can do."""

import ast
import builtins
import json
import sys
from functools import reduce

import pytest
import torch

from passnet.graph.text import allowed
from passnet.rewrite import (
    ReplacementArgsComputes,
    RuleLoadError,
    RuleTraceError,
    check_policy,
    load_rules,
    read_pass_set,
    rewrite,
)
from passnet.rewrite.policy.names import BANNED_NAMES
from passnet.rewrite.policy.pattern import function_recorded
from passnet.rewrite.rules import confined
from passnet.rewrite.rules.kept_memory import pass_modules
from passnet.rewrite.rules.load import _ADDED_BY_OTHERS
from tests.rewrite.helpers import capture, run, tensors

HEAD = """
import torch
def pattern(x, y):
    return torch.nn.functional.gelu(x + y)
def replacement_args(x, y):
    return (x, y)
"""
TAIL = """
@torch.fx.wrap
def kernel(x, y):
    return torch.nn.functional.gelu(x + y)
def replacement_func():
    return kernel
"""


def written(directory, text):
    (directory / "A.py").write_text(text)
    (directory / "sorted_output_pass_rule_names.json").write_text('["A"]')
    return directory


def load(directory, files, names=("A",), device="cpu"):
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (directory / name).write_text(text)
    (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps(list(names)))
    return load_rules(read_pass_set(directory), device)


SPELLINGS = {
    "plain": "from helper import kernel\n",
    "relative": "from .helper import kernel\n",
    "package": "from pass_dir.helper import kernel\n",
    "module of the package": "from pass_dir import helper\nkernel = helper.kernel\n",
    "module renamed": "import pass_dir.helper as h\nkernel = h.kernel\n",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_files_of_a_set_import_each_other_under_every_name(tmp_path, spelling):
    wrapper, factory = TAIL.split("def replacement_func")
    text = HEAD + SPELLINGS[spelling] + "def replacement_func" + factory
    (rule,) = load(tmp_path / "p", {"A.py": text, "helper.py": "import torch\n" + wrapper}).rules
    assert rule.function.__name__ == "kernel"
    assert "pass_dir" not in sys.modules


def test_what_lies_below_the_files_is_not_imported(tmp_path, monkeypatch):
    """Nobody read it: a policy sees the files of the set."""
    (tmp_path / "pass_dir" / "below").mkdir(parents=True)
    (tmp_path / "pass_dir" / "below" / "__init__.py").write_text("kernel = print\n")
    monkeypatch.syspath_prepend(tmp_path)
    for statement in ("from pass_dir.below import kernel\n", "from .below import kernel\n", "import pass_dir.below\n"):
        (failed,) = load(tmp_path / "p", {"A.py": statement + HEAD + TAIL}).failed
        assert "below is no file of this pass set" in str(failed)
    assert "pass_dir.below" not in sys.modules


def test_names_that_the_interpreter_adds_to_a_file_are_known():
    from triton.runtime import interpreter

    added = {name for name in dir(interpreter) if not name.startswith("__")}
    assert added - _ADDED_BY_OTHERS == {"interpreter_semantic", "_InterpreterComparison"}
    assert added - _ADDED_BY_OTHERS <= BANNED_NAMES.keys()


def test_the_interpreter_adds_no_name_to_a_file(tmp_path):
    text = HEAD + TAIL.replace("    return torch.nn", "    inspect.getmembers(x)\n    return torch.nn", 1)
    (rule,) = load(tmp_path / "p", {"A.py": text}).rules
    with pytest.raises(NameError, match="getmembers"):
        rule.function(torch.ones(2), torch.ones(2))


REACHES = {
    "comprehension": "\n    nothing = [0 for own in ()]\n    return torch.nn.functional.gelu(own + x + y)",
    "default": "\n    return torch.nn.functional.gelu(helper(x) + y)",
    "list": "\n    return torch.nn.functional.gelu(BOX[0] + x + y)",
    "class": "\n    return torch.nn.functional.gelu(Own() + x + y)",
    "bound method": "\n    TAKE(x)\n    return torch.nn.functional.gelu(x + y)",
}


@pytest.mark.parametrize("way", REACHES)
def test_no_object_of_an_author_meets_what_is_traced(tmp_path, way):
    """Whatever its text says: a recording value leads to torch's modules."""
    own = """
SEEN = []
class Own:
    def __add__(self, other):
        SEEN.append(other)
        return other
own = Own()
BOX = [own]
TAKE = SEEN.append
def helper(x, a=own):
    return a + x
"""
    text = HEAD.replace("\n    return torch.nn.functional.gelu(x + y)", REACHES[way]) + own + TAIL
    loaded = load(tmp_path / "p", {"A.py": text})
    (failed,) = loaded.failed
    assert "is not defined" in str(failed)


def test_no_object_of_an_author_meets_what_arguments_are_made_of(tmp_path):
    own = "\nclass Own:\n    def __getitem__(self, other): return other\ngive = Own()\n"
    loaded = load(tmp_path / "p", {"A.py": HEAD.replace("return (x, y)", "return (give[x], y)") + own + TAIL})
    (failed,) = loaded.failed
    assert "give" in str(failed)


def test_a_builtin_that_python_lacks_is_no_name_of_a_file(tmp_path, monkeypatch):
    """Notebooks have some."""
    monkeypatch.setattr(builtins, "get_ipython", lambda: print, raising=False)
    (failed,) = load(tmp_path / "p", {"A.py": "KEPT = [len, open, True, print]\nget_ipython()\n" + HEAD + TAIL}).failed
    assert "line 2" in str(failed) and "get_ipython" in str(failed)


def test_who_catches_an_error_of_a_sibling_gets_a_text(tmp_path):
    text = (
        """
try:
    from bad import thing
except Exception as error:
    KEPT = (type(error) is ImportError, *map(type, error.args))
"""
        + HEAD
        + TAIL
    )
    (rule,) = load(tmp_path / "p", {"A.py": text, "bad.py": "1 / 0\n"}).rules
    assert rule.function.__globals__["KEPT"] == (True, str)


def test_a_pattern_may_have_every_function_that_it_may_call():
    """Under a name of its own, as `from torch.nn.functional import max_pool2d` gives it."""
    names = [f"{space}.{name}" for space, names in allowed.FUNCTIONS.items() for name in names]
    found = {name: reduce(lambda home, part: getattr(home, part, None), name.split(".")[1:], torch) for name in names}
    there = {name: value for name, value in found.items() if value is not None and function_recorded(name)}
    assert len(there) > 1000
    unknown = {name for name, value in there.items() if confined._kept(value, {}) != (True, value)}
    assert not unknown


def test_a_pattern_has_copies_of_lists_and_helpers_with_plain_defaults(tmp_path):
    more = "\nAXES = [1, 0]\nONE = 1\ndef helper(x, by=2, *, and_by=ONE):\n    return x.permute(AXES) * by * and_by\n"
    text = HEAD.replace("(x + y)", "(helper(x) + math.sqrt(4) * y.to(torch.float32))") + more + "import math\n" + TAIL
    (rule,) = load(tmp_path / "p", {"A.py": text}).rules
    assert len(rule.pattern.outputs) == 1


def test_a_self_test_does_not_run_whatever_the_file_is_called(tmp_path):
    """The tree that is run has none, so nothing depends on what `__name__` is then."""
    text = HEAD + TAIL + 'if __name__ == "__main__":\n    raise ValueError\n'
    passes = read_pass_set(written(tmp_path, text))
    assert "raise" not in ast.unparse(passes.files[0].tree)
    assert passes.texts()["A.py"] == text
    assert len(load(tmp_path, {"A.py": text}).rules) == 1


def test_fx_wrap_on_an_inner_wrapper_says_where_it_belongs(tmp_path):
    inner = TAIL.replace("def replacement_func():\n", "").replace("\n", "\n    ")
    (error,) = load(tmp_path, {"A.py": HEAD + f"def replacement_func():{inner}\n"}).failed
    assert "at the top of the file only; an inner wrapper needs none" in str(error)


@pytest.mark.parametrize("name", ["other", "pass_dir.other", "pass_dir"])
def test_what_no_rule_reaches_cannot_be_loaded(tmp_path, monkeypatch, name):
    """The text is as the policy would refuse it: even so the file beside it is not there."""
    text = f"__import__({name!r}, fromlist=['other']).other\n" + HEAD + TAIL
    monkeypatch.chdir(tmp_path)
    (error,) = load(tmp_path, {"A.py": text, "other.py": "other = 1\n"}).failed
    assert "Error: " in str(error) and "line 1" in str(error)


def test_the_text_of_a_wrapper_says_which_parameters_are_tensors(tmp_path):
    text = HEAD.replace("x + y", "x * y") + TAIL.replace("    return torch", "    n = y.shape\n    return torch")
    (rule,) = load(tmp_path / "p", {"A.py": text}).rules
    assert rule.pattern.tensors == {rule.pattern.parameters[1]: "kernel reads y.shape"}
    text = text.replace("    n = y.shape\n", "    if isinstance(y, torch.Tensor):\n        n = y.shape\n")
    (rule,) = load(tmp_path / "q", {"A.py": text}).rules
    assert rule.pattern.tensors == {}
    for strange in ("isinstance()", "f\"{'\1'}\".lower()"):
        text = HEAD + TAIL.replace("    return torch", f"    if y is None:\n        {strange}\n    return torch")
        assert load(tmp_path / strange[:2], {"A.py": text}).rules
    text = HEAD.replace("return (x, y)", "return (x, y, y.shape[0])") + TAIL
    (rule,) = load(tmp_path / "r", {"A.py": text}).rules
    assert list(rule.pattern.tensors.values()) == ["replacement_args reads its sizes"]


GUARD = """
def applies(match):
    if match.x.shape[-1] % 8:
        return "the last dimension is no multiple of 8"
    return match.x.dtype == torch.float32 and match.x.is_contiguous()
"""


def test_a_guard_in_a_pass_file_is_asked(tmp_path):
    text = HEAD + TAIL + GUARD
    (rule,) = load(tmp_path, {"A.py": text}).rules
    first = text.splitlines().index("def applies(match):") + 1
    assert not [breach for breach in check_policy(read_pass_set(tmp_path)) if breach.line >= first]
    for shape, total in (((4, 8), 1), ((4, 6), 0)):
        rewritten = rewrite(capture(model, *tensors((shape, shape))), [rule])
        assert rewritten.total == total
    assert rewritten.near_misses[0].reason == "applies: the last dimension is no multiple of 8"


@pytest.mark.parametrize("index", ["2", "10**5000"])
def test_a_size_that_no_matched_tensor_has_leaves_the_place(tmp_path, index):
    (rule,) = load(tmp_path, {"A.py": HEAD.replace("return (x, y)", f"return x, x.shape[{index}]") + TAIL}).rules
    rewritten = rewrite(capture(model, *tensors(((4, 8), (4, 8)))), [rule])
    assert rewritten.total == 0
    assert "reads metadata of %" in rewritten.near_misses[0].reason


@pytest.mark.parametrize("name", ["pattern", "replacement_args", "replacement_func", "applies"])
def test_a_function_of_a_library_is_none_of_a_pass(tmp_path, name):
    """Whatever a text calls it: PassNet runs what the files of the set write out."""
    text = HEAD + TAIL + f"from torch.nn.functional import has_torch_function as {name}\n"
    assert f"{name} is not a function of this pass set" in str(failure(tmp_path, text))


def test_a_set_that_lies_at_two_places_is_loaded_from_both(tmp_path):
    """A process keeps the modules of a set by its content. Their code names the first place."""
    for place in ("one", "other"):
        loaded = load(tmp_path / place, {"A.py": HEAD + TAIL + GUARD})
        assert not loaded.failed and len(loaded.rules) == 1


def test_a_guard_that_is_no_function_is_a_mistake(tmp_path):
    assert "applies is not a function" in str(failure(tmp_path, HEAD + TAIL + "applies = True\n"))


def test_a_literal_parameter_in_a_pass_file(tmp_path):
    text = """
import torch
def pattern(x, y, slope: float):
    return torch.nn.functional.leaky_relu(x + y, slope)
def replacement_args(x, y, slope):
    return (x, y, slope)
@torch.fx.wrap
def kernel(x, y, slope):
    assert slope == 0.25
    return torch.nn.functional.leaky_relu(x + y, slope)
def replacement_func():
    return kernel
"""

    def leaky(x, y):
        return torch.nn.functional.leaky_relu(y + x, negative_slope=0.25)

    for name, source in (("plain", text), ("future", "from __future__ import annotations\n" + text)):
        (rule,) = load(tmp_path / name, {"A.py": source}).rules
        inputs = tensors(((4, 8), (4, 8)))
        gm = capture(leaky, *inputs)
        rewritten = rewrite(gm, [rule])
        assert rewritten.total == 1
        assert torch.equal(run(rewritten.gm, leaky, inputs)[0], run(gm, leaky, inputs)[0])


def failure(tmp_path, text):
    loaded = load(tmp_path, {"A.py": text})
    assert loaded.rules == ()
    (error,) = loaded.failed
    return error


def model(x, y):
    return torch.nn.functional.gelu(x + y)


def test_published_style_directory_with_shared_dispatcher_end_to_end(tmp_path):
    shared = """
import torch

def _gelu(x, y):
    return torch.nn.functional.gelu(x + y)

def _relu(x):
    return torch.relu(x)

@torch.fx.wrap
def dispatch(*values):
    route = values[-1]
    if route == "gelu_add":
        return _gelu(*values[:-1])
    return _relu(*values[:-1])

def replacement_func():
    return dispatch
"""
    first = HEAD.replace("return (x, y)", 'return (x, y, "gelu_add")') + "from shared import replacement_func\n"
    second = """
import torch
from .shared import dispatch
def pattern(in_0):
    tmp_0 = torch.nn.functional.relu(in_0, inplace=False)
    in_0 = None
    return (tmp_0,)
def replacement_args(in_0):
    return (in_0, "relu")
def replacement_func():
    return dispatch
"""
    loaded = load(tmp_path, {"A.py": first, "B.py": second, "shared.py": shared}, ("A", "B"))
    assert not loaded.failed
    assert loaded.rules[0].function is loaded.rules[1].function

    def graph(x, y):
        return torch.relu(model(x, y)) + 1

    inputs = tensors(((4, 8), (4, 8)))
    gm = capture(graph, *inputs)
    rewritten = rewrite(gm, loaded.rules)
    assert rewritten.replacements == {"A": 1, "B": 1}
    assert torch.equal(run(rewritten.gm, graph, inputs)[0], run(gm, graph, inputs)[0])


def test_sets_do_not_see_each_other(tmp_path):
    for name, value in (("one", 1.0), ("two", 2.0)):
        (tmp_path / name).mkdir()
        files = {"A.py": HEAD + "import helper\n" + TAIL.replace("gelu(x + y)", "gelu(x + y) * helper.K"),
                 "helper.py": f"K = {value}\n"}  # fmt: skip
        load(tmp_path / name, files)
    inputs = tensors(((4, 8), (4, 8)))
    one, two = (load_rules(read_pass_set(tmp_path / name), "cpu").rules[0].function for name in ("one", "two"))
    assert torch.equal(one(*inputs) * 2, two(*inputs))
    assert "helper" not in sys.modules


def test_imports_inside_functions_see_siblings(tmp_path):
    tail = TAIL.replace("    return torch", "    from helper import K\n    return K * torch")
    (rule,) = load(tmp_path, {"A.py": HEAD + tail, "helper.py": "K = 3\n"}).rules
    inputs = tensors(((4, 8), (4, 8)))
    assert torch.equal(rule.function(*inputs), 3 * model(*inputs))


def test_the_loaded_text_is_the_checked_text(tmp_path):
    (tmp_path / "A.py").write_text(HEAD + TAIL)
    (tmp_path / "sorted_output_pass_rule_names.json").write_text('["A"]')
    passes = read_pass_set(tmp_path)
    (tmp_path / "A.py").write_text("raise RuntimeError('swapped')")
    (rule,) = load_rules(passes, "cpu").rules
    import inspect

    assert "def kernel" in inspect.getsource(rule.function)


def test_rules_for_other_devices_are_not_even_run(tmp_path):
    text = 'DEVICES = ("cuda",)\nraise RuntimeError("ran")\n' + HEAD + TAIL
    loaded = load(tmp_path, {"A.py": text, "B.py": HEAD + TAIL}, ("A", "B"))
    assert loaded.skipped == ("A",)
    assert [rule.name for rule in loaded.rules] == ["B"]
    assert not loaded.failed


LOAD_ERRORS = {
    "raises": (HEAD + TAIL + "1 / 0\n", RuleLoadError, "ZeroDivisionError", 13),
    "exits": (HEAD + TAIL + "raise SystemExit(0)\n", RuleLoadError, "SystemExit", 13),
    "leaves": (HEAD + TAIL + "class Stop(BaseException):\n    pass\nraise Stop('x')\n", RuleLoadError, "Stop: x", 15),
    "a generator's": (HEAD + TAIL + "raise GeneratorExit\n", RuleLoadError, "GeneratorExit", 13),
    "unsayable": (HEAD + TAIL + "raise ValueError(10**5000)\n", RuleLoadError, "a ValueError whose message", 13),
    "func_leaves": (HEAD + "def replacement_func():\n    raise BaseException\n", RuleLoadError, "BaseException", 8),
    "import": ("import no_such_module_anywhere\n" + HEAD + TAIL, RuleLoadError, "no_such_module", 1),
    "not_callable": (HEAD + "def replacement_func():\n    return 3\n", RuleLoadError, "returned int", None),
    "func_raises": (HEAD + "def replacement_func():\n    return kernle\n", RuleLoadError, "kernle", 8),
}


@pytest.mark.parametrize("case", LOAD_ERRORS)
def test_load_errors_name_file_and_line(tmp_path, case):
    text, kind, what, line = LOAD_ERRORS[case]
    error = failure(tmp_path, text)
    assert type(error) is kind
    assert what in str(error)
    assert error.line == line
    assert error.path == tmp_path / "A.py"
    assert error.rule == "A"


HELD = "def held():\n    with torch.inference_mode():\n        yield\nKEPT = held()\nnext(KEPT)\n"


def test_a_file_that_leaves_a_mode_switched_on_is_refused_and_the_mode_with_it(tmp_path):
    error = failure(tmp_path, HEAD + TAIL + HELD)
    assert "left a mode of torch switched on" in str(error)
    assert not torch.is_inference_mode_enabled()
    assert "raised" in str(failure(tmp_path, HEAD + TAIL + HELD + "1 / 0\n"))
    assert not torch.is_inference_mode_enabled()
    assert not load(tmp_path, {"A.py": HEAD + TAIL + HELD.replace("next", "iter")}).failed


@pytest.mark.parametrize(
    "drawn",
    [
        "torch.randn(4)",
        "torch.ops.aten.randn([4])",
        "torch.ops.aten.randperm.default(4)",
        "torch.ops.aten.rand.default([4])",
    ],
)
def test_a_pattern_draws_nothing_while_it_is_traced(tmp_path, drawn):
    before = torch.get_rng_state()
    load(tmp_path, {"A.py": HEAD.replace("x + y)", f"x + {drawn})") + TAIL})
    assert torch.equal(torch.get_rng_state(), before)


WRAPS = """try:
    @{above}
    @torch.fx.wrap
    def lost(x):
        return x
except AttributeError:
    pass
"""
LOST = {
    "an outer decorator raises": (HEAD + TAIL + WRAPS.format(above="torch.no_such"), True),
    "it raises in a helper": ("from helper import kernel\n" + HEAD + TAIL, True),
    "the name is given up": (HEAD + TAIL + "@torch.fx.wrap\ndef lost(x):\n    return x\ndel lost\n", True),
    "a builtin": (HEAD + TAIL + "torch.fx.wrap('len')\n", True),
    "the file raises later": (HEAD + TAIL + WRAPS.format(above="torch.fx.wrap") + "1 / 0\n", False),
    "a decorator ends the file": (HEAD + TAIL + WRAPS.format(above="int"), False),
}


@pytest.mark.parametrize("case", LOST)
def test_torch_traces_on_after_a_wrapped_function_that_no_file_bound(tmp_path, case):
    """fx wraps names of a file whenever it traces anything, and fails where the file has no such name."""
    text, loads = LOST[case]
    helper = "import torch\n" + TAIL.split("def replacement_func", maxsplit=1)[0] + WRAPS.format(above="torch.no_such")
    wrapped = torch.fx._symbolic_trace._wrapped_fns_to_patch
    before = set(wrapped)
    loaded = load(tmp_path / "p", {"A.py": text, "B.py": HEAD + TAIL, "helper.py": helper}, ("A", "B"))
    assert [rule.name for rule in loaded.rules] == (["A", "B"] if loads else ["B"])
    torch.fx.symbolic_trace(lambda x: x.exp())
    kept = [names for key, names in wrapped.items() if key not in before]
    assert "lost" not in {name for place, name in wrapped}
    assert {id(names) for names in kept} <= {id(vars(module)) for module in pass_modules()}


def pattern_file(body, arguments="x, y"):
    head = f"import torch\ndef pattern({arguments}):\n    {body}\n"
    return head + f"def replacement_args({arguments}):\n    return ({arguments},)\n{TAIL}"


TRACE_ERRORS = {
    "branch": (pattern_file("return x if x.sum() > 0 else y"), "control flow", 3),
    "loop": (pattern_file("return [v + y for v in x][0]"), "control flow", None),
    "raises": (pattern_file("return torch.no_such(x + y)"), "no_such", 3),
    "argument": (pattern_file("return x"), "returns its argument", None),
    "constant": (pattern_file("return x + y, 3"), "returns 3", None),
    "nothing": (pattern_file("return ()"), "returns nothing", None),
    "unused": (pattern_file("return x.exp()"), "does not use", None),
    "leaves": (pattern_file("raise BaseException('x')"), "BaseException: x", 3),
    "unsayable": (pattern_file("raise ValueError(10**5000)"), "a ValueError whose message", 3),
    "large constant": (pattern_file("return x + y, 10**5000"), "more than 1024 bits", 2),
    "large number": (pattern_file("return x + y * 10**5000"), "more than 1024 bits", 2),
    "a list in itself": (pattern_file("a = [x + y]; a.append(a); return a"), "RecursionError", None),
    "lost_write": (pattern_file("x[0].add_(1); return x + y"), "never uses the result", None),
}


@pytest.mark.parametrize("case", TRACE_ERRORS)
def test_patterns_that_cannot_be_traced(tmp_path, case):
    text, what, line = TRACE_ERRORS[case]
    error = failure(tmp_path, text)
    assert type(error) is RuleTraceError
    assert what in str(error)
    assert line is None or error.line == line


def test_an_unused_parameter_is_tolerated_when_nobody_needs_it(tmp_path):
    text = HEAD.replace("pattern(x, y)", "pattern(x, y, unused)").replace("args(x, y)", "args(x, y, unused)") + TAIL
    loaded = load(tmp_path, {"A.py": text})
    inputs = tensors(((4, 8), (4, 8)))
    assert rewrite(capture(model, *inputs), loaded.rules).total == 1


@pytest.mark.parametrize(
    "value",
    [
        "(x + y, y)", "(torch.relu(x), y)", "(x.exp(), y)", "(x.T, y)", "(x[0], y)", "(x, x.shape[0] * 2)",
        "(x, not y)", "(x, [*y])", "(x, x == y)", "(x, object())", "(x, torch.ones(1))", "(x, x.shape.numel())",
        "(x, type('Route', (str,), {'__repr__': lambda self: 'print()'})('gelu'))", "(x, type('N', (int,), {})(3))",
    ],
)  # fmt: skip
def test_replacement_args_that_compute(tmp_path, value):
    error = failure(
        tmp_path, HEAD.replace("(x, y)\n", f"{value}\n").replace("def pattern" + value, "def pattern(x, y)") + TAIL
    )
    assert type(error) is ReplacementArgsComputes
    assert error.kind == "replacement_args computes"


@pytest.mark.parametrize(
    "value", ["(x, y, 'r', 1, 2.0, True, None)", "([x, y], (y,))", "(x, x.shape, y.size(-1), x.dtype, x.device.type)"]
)
def test_replacement_args_that_pass_on(tmp_path, value):
    loaded = load(tmp_path, {"A.py": HEAD.replace("return (x, y)", f"return {value}") + TAIL})
    assert not loaded.failed


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("return x, y, 10**5000", "more than 1024 bits"),
        ("a = [x]; a.append(a); return x, y, a", "more than 16 deep"),
        ("a = [x]; a.append(a); return a", "more than 16 deep"),
        ("raise BaseException('x')", "BaseException: x"),
        ("raise ValueError(10**5000)", "a ValueError whose message cannot be written"),
        ("class Own(list):\n        def __iter__(self):\n            raise BaseException\n    return Own([x])", "Base"),
    ],
)
def test_what_replacement_args_cannot_return_names_the_file(tmp_path, body, what):
    text = HEAD.replace("return (x, y)\n", body + "\n") + TAIL
    loaded = load(tmp_path, {"A.py": text, "B.py": HEAD + TAIL}, ("A", "B"))
    (error,) = loaded.failed
    assert (type(error), error.path) == (RuleTraceError, tmp_path / "A.py")
    assert what in str(error)
    assert [rule.name for rule in loaded.rules] == ["B"]


def test_ctrl_c_in_a_file_is_the_users(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        load(tmp_path, {"A.py": HEAD + TAIL + "raise KeyboardInterrupt\n"})


def test_a_pattern_has_no_list_that_lies_in_itself(tmp_path):
    text = "gelu = []\ngelu.append(gelu)\n" + HEAD + TAIL
    assert not load(tmp_path / "p", {"A.py": text}).failed  # it names an attribute of torch's
    text = text.replace("x + y", "x + y + gelu[0]", 1)
    assert "name 'gelu' is not defined" in str(failure(tmp_path / "q", text))


def test_a_rule_that_fails_anywhere_does_not_stop_the_others(tmp_path):
    helpers = "".join(f"def h{n}(x):\n    return h{n + 1}(x)\n" for n in range(2000))
    text = helpers + HEAD.replace("x + y", "h0(x) + y") + TAIL
    loaded = load(tmp_path, {"A.py": text, "B.py": HEAD + TAIL}, ("A", "B"))
    (error,) = loaded.failed
    assert (type(error), error.path) == (RuleLoadError, tmp_path / "A.py")
    assert "RecursionError" in str(error)
    assert [rule.name for rule in loaded.rules] == ["B"]


def test_replacement_args_must_return_a_tuple(tmp_path):
    error = failure(tmp_path, HEAD.replace("return (x, y)", "return x") + TAIL)
    assert "not a tuple" in str(error)


def test_code_names_a_wrapper_by_its_own_module(tmp_path):
    """torch.fx writes what is of torch into code by the module that a function claims."""
    borrowed = "\nkernel.__module__ = 'torch.float32 and print'\n"
    loaded = load(tmp_path, {"A.py": HEAD + TAIL + borrowed})
    captured = capture(lambda x, y: torch.nn.functional.gelu(x + y), *tensors(((4, 4), (4, 4))))
    made = rewrite(captured, loaded.rules).gm
    call, *_ = (node for node in made.graph.nodes if node.op == "call_function")
    assert "torch.float32" not in made.code and call.target.__module__.startswith("passnet.")


def test_triton_evaluates_no_text_of_a_type(tmp_path):
    language = pytest.importorskip("triton.language")
    load(tmp_path, {"A.py": "import triton\n" + HEAD + TAIL})
    with pytest.raises(ValueError, match="would be evaluated"):
        language.str_to_ty("tensordesc<fp32[1],print()>", None)
    with pytest.raises(ValueError, match="would be evaluated"):
        language.eval("Layout(print())", {"Layout": tuple})
    assert language.eval("Layout((1, 2))", {"Layout": tuple}) == (1, 2), "a user's own layouts stay what they are"
