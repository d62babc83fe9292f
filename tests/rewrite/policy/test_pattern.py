"""What may stand in `pattern`: everything that a graph may hold, and nothing that does something while it is traced."""

import json

import pytest

from passnet.rewrite import check_policy, load_rules, read_pass_set

REST = """
def replacement_args(x, y):
    return (x, y)


@torch.fx.wrap
def kernel(x, y):
    return torch.empty_like(x)


def replacement_func():
    return kernel
"""
HEAD = "import math\nimport operator\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import device\n"


def rule(*lines, top="", more=""):
    pattern = "def pattern(x, y):\n" + "".join(f"    {line}\n" for line in lines)
    return f"{HEAD}{top}\n\n{pattern}\n{more}{REST}"


HELPER = "def helper(v):\n    return 1\n"


def read(directory, text, **others):
    for name, content in {"A": text, **others}.items():
        (directory / f"{name}.py").write_text(content)
    (directory / "sorted_output_pass_rule_names.json").write_text(json.dumps(["A"]))
    return read_pass_set(directory)


HONEST = {
    "functions": rule("return F.gelu(torch.relu(x), approximate='tanh') + torch.nn.functional.silu(y, inplace=False)"),
    "private_namespace": rule("return torch._C._nn.gelu(x) + y"),
    "aten": rule("return torch.ops.aten.add.Tensor(torch.ops.aten.relu.default(x), y)"),
    "dunder": rule("m = x.__eq__(0)", "return y.masked_fill(m, -1.0)"),
    "item_assignment": rule("x[..., :2] = y[..., 2:]", "return x * 2"),
    "in_place": rule("x += y", "x = x.relu_()", "return (x,)"),
    "sizes": rule(
        "n = x.size(-1)", "s = x.shape", "return (x.reshape(s[0], n, len((1, 2))) / math.sqrt(64.0)).type_as(y)"
    ),
    "constants": rule("return x.to(torch.float32) * SCALE + y * EPS", top="SCALE = 1.0 / 8\nEPS = -1e-5\n"),
    "devices": rule(
        "z = torch.arange(0, 4, device=device(type='cpu'))", "return x + y * z.to(torch.device('cpu')) * math.pi"
    ),
    "operators": rule("return operator.add(x, operator.getitem(y, 0))"),
    "loop": rule("for i in range(3):", "    x = x * i", "return x + y"),
    "freed": rule("z = x + y", "x = y = None", "del y", "return z"),
    "slices": rule("return x[(Ellipsis, slice(None, 4, None))] + y[:, None]"),
    "helper": rule(
        "return scaled(x) + y",
        more="def scaled(v):\n    return F.relu(v) * half(v)\n\n\ndef half(v):\n    return v / 2\n",
    ),
    "import_inside": rule(
        "import torch", "from torch import device as place", "return torch.relu(x).to(place('cpu')) + y"
    ),
    "twice_imported": rule("return torch.relu(x) + y", top="import torch.fx\nimport torch\n"),
    "unfold": rule("return x.unfold(0, 2, 1).sum(-1) + y"),
    "math_constant": rule("return x * inf + y", top="from math import inf\n"),
    "comprehension": rule("return torch.cat([v * 2 for v in (x, y)], dim=-1)"),
    "branch_on_a_constant": rule("return x + y if SCALE > 1 else x - y", top="SCALE = 2\n"),
}


@pytest.mark.parametrize("case", HONEST)
def test_what_graphs_hold_is_accepted_and_traced(case, tmp_path):
    passes = read(tmp_path, HONEST[case])
    assert [v.text() for v in check_policy(passes)] == []
    loaded = load_rules(passes, "cpu")
    assert [rule.name for rule in loaded.rules] == ["A"], loaded.failed


# Each would do something while it is traced; none is run here.
REFUSED = {
    "process": rule("torch.os.system('true')", "return x + y"),
    "module_of_a_module": rule("torch.functools.update_wrapper(x, y)", "return x + y"),
    "modules": rule("torch.sys.modules['os'].system('true')", "return x + y"),
    "nested_module": rule("F.torch.os.system('true')", "return x + y"),
    "hub": rule("torch.hub.load('a/b', 'c')", "return x + y"),
    "load": rule("return x + torch.load('f')"),
    "save": rule("torch.save([1], 'f')", "return x + y"),
    "from_file": rule("return x + torch.from_file('f', size=1)"),
    "library": rule("torch.ops.load_library('f.so')", "return x + y"),
    "other_operators": rule("return torch.ops.prims.add(x, y)"),
    "extension": rule("torch.utils.cpp_extension.load_inline('a', 'b')", "return x + y"),
    "library_registry": rule("torch.library.Library('a', 'DEF')", "return x + y"),
    "wrap": rule("torch.fx.wrap('len')", "return x + y"),
    "script": rule("return torch.jit.script(x)"),
    "compile": rule("return torch.compile(x)"),
    "mode": rule("torch._C._set_grad_enabled(True)", "return x + y"),
    "autocast": rule("torch.amp.autocast_mode._enter_autocast('cpu', None, True, None)", "return x + y"),
    "seed": rule("torch.manual_seed(0)", "return x + y"),
    "threads": rule("torch.set_num_threads(1)", "return x + y"),
    "method_to_a_file": rule("return (x + y).numpy().tofile('f')"),
    "method_with_a_function": rule("return x.apply_(abs)"),
    "map": rule("return x.map_(y, max)"),
    "storage": rule("return x.untyped_storage()"),
    "address": rule("return x + y.data_ptr()"),
    "hook": rule("x.register_hook(print)", "return x + y"),
    "attribute": rule("return x.tracer.root"),
    "patched": rule("torch.allclose = None", "return x + y"),
    "patched_by_a_loop": rule("for torch.allclose in (1,):", "    pass", "return x + y"),
    "alias_of_a_module": rule("f = torch.nn", "return f.functional.relu(x)"),
    "alias_of_a_function": rule("f = torch.relu", "return f(x)"),
    "call_of_a_call": rule("return x.relu()(y)"),
    "subscripted_call": rule("return [torch.relu][0](x)"),
    "format_string": rule("f'{torch.os}'", "return x + y"),
    "format": rule("'{0.__class__}'.format(x)", "return x + y"),
    "lambda": rule("return (lambda v: v)(x)"),
    "function_inside": rule("def f(v):", "    return v", "return f(x)"),
    "class_inside": rule("class C:", "    print(1)", "return x + y"),
    "decorated_inside": rule("@print", "def f(): pass", "return x + y"),
    "with": rule("with torch.no_grad():", "    return x + y"),
    "try": rule("try:", "    return x + y", "except ValueError:", "    pass"),
    "while": rule("while True:", "    pass", "return x + y"),
    "walrus": rule("return (torch := x) + y"),
    "import": rule("import os", "return x + y"),
    "import_from": rule("from os import system", "return x + y"),
    "print": rule("print(1)", "return x + y"),
    "global": rule("global z", "return x + y"),
    "bytes": rule("return x.to(b'cpu')"),
    "getattr": rule("return getattr(torch, 'relu')(x)"),
    "dunder": rule("return x.__class__"),
    "dunder_of_a_module": rule("math.__loader__()", "return x + y"),
    "dunder_of_a_function": rule("return torch.relu.__globals__"),
    "helper_beside_a_comprehension": rule(
        "z = [helper for helper in (1, 2)]", "return max((x, y), key=helper)", more=HELPER
    ),
    "builtin_beside_a_comprehension": rule("z = [print for print in (1, 2)]", "return max((x, y), key=print)"),
    "comprehension_shadows": rule("z = [0 for torch in ()]", "torch.exp.os.system('true')", "return x + y"),
    "shadowed_builtin": rule("return len(x)", top="class len:\n    pass\n"),
    "shadowed_module": rule("return F.relu(x)", top="class F:\n    def relu(v):\n        return v\n"),
    "rebound_module": rule("return torch.relu(x)", top="for torch in (1,):\n    pass\n"),
    "rebound_constant": rule("return x * SCALE", top="SCALE = 1\nSCALE = kernel\n"),
    "object_of_the_file": rule("return x + STATE", top="STATE = dict(a=1)\n"),
    "wrapper": rule("return kernel(x, y)"),
    "helper_decorated": rule("return g(x)", more="@torch.no_grad()\ndef g(v):\n    return v\n"),
    "helper_does_more": rule("return g(x)", more="def g(v):\n    torch.os.system('true')\n    return v\n"),
    "helper_of_a_helper": rule("return g(x)", more="def g(v):\n    return h(v)\n\n\ndef h(v):\n    return v.numpy()\n"),
    "helper_twice": rule("return g(x)", more="def g(v):\n    return v\n\n\ndef g(v):\n    return v\n"),
    "helper_as_a_value": rule("return max(x, y, key=g)", more="def g(v):\n    return v\n"),
    "shadowed_in_a_helper": rule("return g(x)", more="def g(v, torch=1):\n    return torch.os.system('true')\n"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_something_while_it_is_traced_is_refused(case, tmp_path):
    for level in ("strict", "native"):
        assert check_policy(read(tmp_path, REFUSED[case]), level) != (), level


def test_only_a_few_names_of_a_file_are_searched_for_a_like_one(tmp_path):
    """A search takes milliseconds, and a hostile file may hold thousands of misspelt names in as many helpers."""
    helpers = "".join(f"def g{i}(v):\n    return torch.sigmod(v)\n\n\n" for i in range(50))
    text = rule("return " + " + ".join(f"g{i}(x)" for i in range(50)), more=helpers)
    said = [violation.text() for violation in check_policy(read(tmp_path, text))]
    assert sum("did you mean sigmoid?" in each for each in said) == 3
    assert sum("torch.sigmod()" in each for each in said) == 50


def test_a_helper_that_computes_serves_the_pattern_alone(tmp_path):
    text = rule("return g(x) + y", more="def g(v):\n    return F.relu(v)\n")
    assert check_policy(read(tmp_path, text)) == ()
    called = text.replace("return torch.empty_like(x)", "return g(x)")
    assert "library-call" in {v.rule for v in check_policy(read(tmp_path, called))}
    taken = text.replace("    return torch.empty_like(x)", "    return helper.compute(x)")
    taken = taken.replace("import torch\n", "import torch\nimport helper\n", 1)
    passes = read(tmp_path, taken, helper="from A import g as compute\n")
    assert "library-call" in {v.rule for v in check_policy(passes)}


LEADS_THROUGH_FILES = {
    "two_files": (
        "from one import t\n\n\ndef g():\n    t.hub.load('a')\n",
        {"one": "from two import t\n", "two": "import torch as t\n"},
    ),
    "two_modules": (
        "import one\n\n\ndef g():\n    one.two.t.hub.load('a')\n",
        {"one": "import two\n", "two": "import torch as t\n"},
    ),
    "module_as_a_value": (
        "import one\n\nh = one\n\n\ndef g():\n    h.t.hub.load('a')\n",
        {"one": "import torch as t\n"},
    ),
    "import_inside_renames": ("def decoy():\n    import one as torch\n\n\ntorch.hub.load('a')\n", {"one": "V = 1\n"}),
    "class_keeps_a_module": ("class K:\n    import torch as t\n\n\ndef g():\n    K.t.hub.load('a')\n", {}),
    "through_each_other": ("import one\n\n\ndef g():\n    one.A.torch.hub.load('a')\n", {"one": "import A\n"}),
}


@pytest.mark.parametrize("case", LEADS_THROUGH_FILES)
def test_a_name_is_followed_through_all_files(case, tmp_path):
    top, others = LEADS_THROUGH_FILES[case]
    assert check_policy(read(tmp_path, rule("return x + y", top=top), **others)) != ()


def test_names_that_import_each_other_end(tmp_path):
    text = rule("return x + y", top="from one import v\n\nW = v\n")
    assert check_policy(read(tmp_path, text, one="from A import v\n")) == ()
