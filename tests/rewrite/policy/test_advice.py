"""What a refusal says to write instead: honest authors meet these habits of ordinary Python first."""

import pytest

from passnet.rewrite import check_policy
from tests.rewrite.policy.test_check import BASE, body, passes, top

HABITS = {
    "partial": (top("import functools\nf = functools.partial(max, 1)"), "replacement_args"),
    "partial_returned": (
        BASE.replace("return kernel", "return partial(kernel, 1)").replace(
            "import torch", "from functools import partial\nimport torch"
        ),
        "replacement_args",
    ),
    "lambda_with_keywords": (BASE.replace("return kernel", "return lambda x, y: kernel(x, y=y)"), "in order"),
    "called": (BASE.replace("return kernel", "return kernel()"), "without calling it"),
    "forgotten_return": (BASE.replace("return kernel", "kernel"), "`return`"),
    "view_as_a_function": (body("x = torch.reshape(x, (-1,))"), "`x.reshape(...)`"),
    "compiled": (top("@torch.compile\ndef g(x):\n    return x"), "@torch.fx.wrap"),
    "scripted": (top("@torch.jit.script\ndef g(x):\n    return x"), "@torch.fx.wrap"),
    "module": (top("class G(torch.nn.Module):\n    pass"), "@torch.fx.wrap"),
    "part_of_a_version": (top("NEW = torch.__version__.split('.')"), '`torch.__version__ >= "2.9"`'),
    "getattr": (body("f = getattr(x, 'shape')"), "write the attribute out"),
    "type": (body("if type(x) is int: return out"), "isinstance"),
    "module_or_none": (top("try:\n    import triton\nexcept ImportError:\n    triton = None"), "DEVICES"),
    "enumeration": (top("from enum import IntEnum"), "`RELU = 1`"),
    "asked_of_a_module": (
        top("import triton.language as tl\nNEW = hasattr(tl, 'rsqrt')"),
        "write the name that the installed Triton has",
    ),
    "clone": (body("out = x.clone()"), "torch.empty_like"),
    "state": (top("N = 0\ndef g():\n    global N\n    N += 1"), "at the top of the file"),
    "missing_helper": (top("from helper import fused"), "beside this file"),
    "view_of_the_class": (body("x = torch.Tensor.view(x, -1)"), "`x.view(...)`"),
    "module_for_a_function": (top("act = torch.nn.GELU"), "torch.nn.functional"),
    "name_of_the_class": (top("Tensor = torch.Tensor"), "isinstance"),
    "constant": (top("SCALE = torch.tensor(0.5)"), "as numbers"),
    "seed": (top("torch.manual_seed(0)"), "the bench sets"),
    "precision": (top("torch.backends.cuda.matmul.allow_tf32 = True"), "the bench sets"),
    "whole_package": (top("from passnet import kernels"), "`from passnet.kernels import cpp`"),
    "copy": (body("x.copy_(y)"), "torch.empty_like"),
    "slow_path": (body("if not x.is_contiguous(): return torch.relu(x)"), "raise for what the kernel cannot do"),
    "format": (top("S = '{}' * 2\nT = S.format(1)"), "`replace`"),
    "sizes": (BASE.replace("return (x, y)", "return (x, y, x.shape[0] * 2)"), "the rest in the wrapper"),
    "pattern_called": (top("def test():\n    return pattern(1, 2)"), '`if __name__ == "__main__":`'),
}


@pytest.mark.parametrize("case", HABITS)
def test_a_refusal_says_what_to_write(tmp_path, case):
    text, words = HABITS[case]
    found = check_policy(passes(tmp_path, {"A.py": text}))
    assert found
    assert all(words in violation.fix for violation in found), [v.text() for v in found]


def test_versions_may_be_compared(tmp_path):
    text = top('import triton\nNEW = torch.__version__ >= "2.9"\nT = triton.__version__\n')
    assert check_policy(passes(tmp_path, {"A.py": text})) == ()


@pytest.mark.parametrize("use", ["torch.__version__.__class__", "x.__version__", "torch.fx.__version__"])
def test_nothing_but_these_versions_is_read(tmp_path, use):
    assert "dunder" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": body(f"k = {use}")}))}


SELF_TEST = BASE + 'if __name__ == "__main__":\n    import sys\n    print(kernel(torch.randn(4), pattern(1, 2)))\n'


@pytest.mark.parametrize("test", ['__name__ == "__main__"', "'__main__' == __name__"])
def test_a_self_test_at_the_end_is_not_read(tmp_path, test):
    text = SELF_TEST.replace('__name__ == "__main__"', test)
    assert check_policy(passes(tmp_path, {"A.py": text})) == ()


OTHERS = {
    "not_the_end": SELF_TEST + "K = 1\n",
    "other_branch": SELF_TEST + "else:\n    import os\n",
    "other_name": SELF_TEST.replace("__main__", "__mine__"),
    "other_question": SELF_TEST.replace("==", "!="),
    "longer_question": SELF_TEST.replace('"__main__":', '"__main__" == 1:'),
    "name_bound": SELF_TEST.replace("import torch", '__name__ = "__main__"\nimport torch', 1),
    "name_imported": SELF_TEST.replace("import torch", "from math import pi as __name__\nimport torch", 1),
    "inside_a_function": BASE + 'def g():\n    if __name__ == "__main__":\n        import sys\n',
}


@pytest.mark.parametrize("case", OTHERS)
def test_all_that_is_no_self_test_is_read(tmp_path, case):
    assert "import" in {v.rule for v in check_policy(passes(tmp_path, {"A.py": OTHERS[case]}))}
