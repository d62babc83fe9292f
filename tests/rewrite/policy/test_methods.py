"""Methods of tensors, called or taken as values: what the text shows to be something else may have their names."""

import pytest

from passnet.rewrite import check_policy
from tests.rewrite.policy.test_check import BASE, body, passes, top

LIBRARY = "import functools\nfrom passnet.kernels import cpp\nlib = cpp('extern \"C\" void softmax(float* x) {}')"
METER = "class Meter:\n    def __init__(self, n):\n        self.n = n\n    def sum(self):\n        return self.n\n"

REFUSED = {
    "taken_as_a_value": body("f = x.matmul; out = f(y)"),
    "taken_to_read_values": body("f = x.tolist; out = f()"),
    "taken_of_what_nobody_knows": body("f = next(iter([x])).matmul; out = f(y)"),
    "taken_to_be_mapped": body("out = list(map(next(iter([x])).matmul, [y]))[0]"),
    "taken_into_a_record": (
        body("out = P(next(iter([x])).mm)[0](y)")
        + "from typing import NamedTuple\nclass P(NamedTuple):\n    f: object\n"
    ),
    "taken_by_an_operator": (
        body("out = K() + next(iter([x])).relu") + "class K:\n    def __add__(self, f):\n        return f()\n"
    ),
    "taken_under_a_name_that_is_called_elsewhere": (
        body("f = next(iter([x])).relu\n    def g():\n        return f()\n    n = 1 + f; out = g()")
    ),
    "of_self": (
        top("class K:\n    def norm(self, x):\n        return x\n    def both(self, x):\n        return self.norm(x)\n")
    ),
    "of_self_of_a_static_method": (
        body("out = K.go(x)")
        + "class K:\n    @staticmethod\n    def go(self):\n        return self.relu()\n"
        + "    def relu(self):\n        return self\n"
    ),
    "of_a_name_that_a_match_hides": body("match x:\n        case torch:\n            torch.relu()"),
    "of_a_name_that_a_class_does_not_hide": (
        top(LIBRARY)
        + "def g(own):\n    class K:\n        own = cpp('')\n        def f(self):\n            own.relu()\n"
    ),
    "of_a_name_that_a_function_does_not_hide": (
        top(LIBRARY) + "def g(own):\n    def f(h=lambda: own.relu()):\n        own = cpp('')\n    return f()\n"
    ),
    "of_a_name_that_another_function_binds_later": (
        top(LIBRARY) + "LATE = ((lib := v) for v in iter([].pop, None))\ndef g(x):\n    lib.softmax(x)\n"
    ),
    "of_what_only_looks_like_a_library": (top(LIBRARY) + "def g(cpp, x):\n    lib = cpp(x)\n    lib.softmax(x)\n"),
    "of_what_a_class_makes_instead": (
        body("out = K(x).relu()") + "class K:\n    if math:\n        def __new__(cls, x):\n            return x\n"
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_each_way_to_a_method_is_refused(tmp_path, case):
    found = check_policy(passes(tmp_path, {"A.py": REFUSED[case]}), "strict")
    assert "tensor-method" in {violation.rule for violation in found}


@pytest.mark.parametrize(
    "text",
    [
        top(LIBRARY) + "def g(x):\n    lib.softmax(x)\n",
        top(LIBRARY) + "def build(lib):\n    return lib\ndef g(x):\n    lib.softmax(x)\n",
        top(LIBRARY) + "def g(x):\n    own = cpp('')\n    own.softmax(x)\n    def h():\n        own.softmax(x)\n",
        top(LIBRARY) + "@functools.cache\ndef made():\n    return cpp('')\ndef g(x):\n    made().softmax(x)\n",
        top(LIBRARY) + "softmax = lib.softmax\ndef g(x):\n    softmax(x)\n",
        top("import math\nSIDE = math.sqrt(4.0)"),
        top(METER) + "def g(x):\n    Meter(2).sum(); m = Meter(3)\n    m.sum()\n",
        BASE.replace("return x + y", "return turned(x) + y") + "def turned(x):\n    return x.relu()\n",
    ],
    ids=[
        "an export of a library",
        "where another function has a parameter of its name",
        "of a library made there",
        "of a library that a function keeps",
        "bound at the top",
        "a function of a module",
        "of an object made there",
        "in a part of the pattern",
    ],
)
def test_methods_of_what_the_text_shows_may_have_a_tensors_name(tmp_path, text):
    found = check_policy(passes(tmp_path, {"A.py": text}), "strict")
    assert [violation.text() for violation in found] == []


@pytest.mark.parametrize(
    "use",
    [
        "lib.f(x, plan.sum)",
        "lib.f(x, n=plan.sum)",
        "tile = plan.tile\n    lib.f(x, 2 * tile, -tile, int(tile))",
        "1 + plan.max if plan.norm else range(plan.repeat)",
        "f(plan.sum.rows)",
        "run[(1, 1)](x, plan.tile, N=plan.tile)",
        "f(torch.finfo(x.dtype).max)",
        "least = torch.iinfo(torch.int32)\n    f(least.min)",
        "plan = Plan(1, 2)\n    f(plan.sum)",
        "f(lib.softmax)",
    ],
)
def test_fields_that_are_reckoned_with_may_have_a_tensors_name(tmp_path, use):
    text = top(LIBRARY + "\nimport triton\nfrom typing import NamedTuple\nf = lib.f") + (
        "@triton.jit\ndef run(x, n, N):\n    pass\nclass Plan(NamedTuple):\n    sum: int\n    tile: int\n"
    )
    text += f"def g(x: torch.Tensor, plan):\n    {use}\n"
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}), "strict")] == []


def test_what_to_write_instead_of_a_refused_export_is_said(tmp_path):
    refused = top(LIBRARY + "\nKEPT = {0: lib}\n") + "def g(x):\n    KEPT[0].softmax(x)\n"
    found = check_policy(passes(tmp_path, {"A.py": refused}), "strict")
    assert ["`softmax = library.softmax`" in violation.fix for violation in found] == [True]


NUMBA = "import numba\nimport numpy\n@numba.njit\ndef loop(a, b):\n    b[0] = a[0]\n"


@pytest.mark.parametrize(
    "use", ["loop(x.detach().numpy(), out.numpy())", "loop(x.view(-1).numpy(), numpy.asarray(out.numpy().reshape(-1)))"]
)
def test_arrays_of_tensors_are_views_at_native(tmp_path, use):
    text = body(use).replace("import torch\n", f"import torch\n{NUMBA}", 1)
    assert [v.text() for v in check_policy(passes(tmp_path, {"A.py": text}), "native")] == []
    strict = check_policy(passes(tmp_path, {"A.py": text}), "strict")
    assert {v.rule for v in strict} == {"import", "decorator", "leads-out", "tensor-method"}
    assert all(v.native for v in strict)


@pytest.mark.parametrize(
    "use",
    [
        "out = x.numpy() + y.numpy()",
        "a = x.numpy(); a += 1",
        "n = float(x.numpy()[0])",
        "x.numpy().dot(y.numpy())",
        "x.numpy().tofile('f')",
        "f = x.numpy; f()",
        "a = x.numpy(); out = a[0] * 2",
    ],
)
def test_nobody_reckons_with_arrays_of_tensors(tmp_path, use):
    found = check_policy(passes(tmp_path, {"A.py": body(use)}), "native")
    assert {v.rule for v in found} <= {"tensor-method", "tensor-operator"} and found


def test_what_to_write_for_a_copy_to_the_host_is_said(tmp_path):
    (found,) = check_policy(passes(tmp_path, {"A.py": body("out = x.cpu()")}))
    assert '`x.to("cpu")`' in found.fix
    assert check_policy(passes(tmp_path, {"A.py": body('out = x.to("cpu")')})) == ()
