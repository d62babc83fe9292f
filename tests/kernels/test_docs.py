"""docs/passes.md quotes the example pass sets exactly, and each example computes what its pattern computes."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.kernels import cpp, triton_check
from passnet.rewrite.passes.pass_set import read_pass_set
from passnet.rewrite.policy.check import check_policy
from tests.kernels.kernel_marks import needs_cuda_compiler, needs_gpu, needs_triton

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
QUOTED = re.compile(r"^```python file=(\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Import a rule of an example the way its directory expects: siblings by their names."""
    before = set(sys.modules)

    def rule(language: str, name: str):
        monkeypatch.syspath_prepend(str(EXAMPLES / language / "pass_dir"))
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / language / "pass_dir" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    yield rule
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(EXAMPLES) in str(sys.modules[name].__file__):
            del sys.modules[name]


def check(rule, *inputs: torch.Tensor) -> None:
    """The wrapper's result against the pattern's, in float64 rounded to the inputs' dtype."""
    dtype = inputs[0].dtype
    got = rule.replacement_func()(*rule.replacement_args(*inputs))
    expected = rule.pattern(*(value.double() for value in inputs))
    torch.testing.assert_close(got, expected.to(dtype))


def test_every_example_is_quoted_as_it_is() -> None:
    quoted = dict(QUOTED.findall((DOCS / "passes.md").read_text(encoding="utf-8")))
    files = {str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.py")}
    assert quoted == files


def test_the_example_of_numbers_that_are_not_finite(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```python\n(exact = .*?)^```", (DOCS / "passes.md").read_text(), re.MULTILINE | re.DOTALL)
    space = {"cpp": cpp}
    exec(text, space)
    assert space["found"] == 1
    assert space["exact"].is_nan(1.0) == 0


@pytest.mark.parametrize("language", sorted(path.name for path in EXAMPLES.iterdir()))
def test_manifests_name_their_rules(language: str) -> None:
    directory = EXAMPLES / language / "pass_dir"
    for name in json.loads((directory / "sorted_output_pass_rule_names.json").read_text(encoding="utf-8")):
        text = (directory / f"{name}.py").read_text(encoding="utf-8")
        assert all(f"def {function}(" in text for function in ("pattern", "replacement_args", "replacement_func"))


@pytest.mark.parametrize("language", sorted(path.name for path in EXAMPLES.iterdir()))
def test_examples_keep_the_policy_that_the_page_states(language: str) -> None:
    pass_set = read_pass_set(EXAMPLES / language / "pass_dir")
    assert check_policy(pass_set, "native" if language == "numba" else "strict") == ()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["ScaleShiftGelu", "ScaleShiftRelu"])
def test_cpp(load, name: str, dtype: torch.dtype) -> None:
    rule = load("cpp", name)
    for columns in (1, 7, 300, 768):
        check(
            rule, torch.randn(3, 5, columns).to(dtype), torch.randn(columns).to(dtype), torch.randn(columns).to(dtype)
        )
    with pytest.raises(ValueError, match="contiguous"):
        check(rule, torch.randn(5, 3).t(), torch.randn(5), torch.randn(5))


def test_both_rules_share_one_wrapper(load) -> None:
    assert load("cpp", "ScaleShiftGelu").replacement_func() is load("cpp", "ScaleShiftRelu").replacement_func()


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed (pip install numba)")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_numba(load, dtype: torch.dtype) -> None:
    check(load("numba", "AddRelu"), torch.randn(4, 100).to(dtype), torch.randn(4, 100).to(dtype))


@needs_cuda_compiler
def test_cuda_compiles(load) -> None:
    rule = load("cuda", "AddLayerNorm")
    assert list(rule.library) == ["f32", "f16", "bf16"]


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_cuda(load, dtype: torch.dtype) -> None:
    rule = load("cuda", "AddLayerNorm")
    inputs = [torch.randn(*shape, device="cuda").to(dtype) for shape in ((4, 9, 768), (4, 9, 768), (768,), (768,))]
    added, normal = rule.replacement_func()(*rule.replacement_args(*inputs))
    expected, _ = rule.pattern(*inputs)
    torch.testing.assert_close(added, expected)
    weight, bias = (value.double() for value in inputs[2:])
    exact = torch.nn.functional.layer_norm(expected.double(), (768,), weight, bias, 1e-5)
    torch.testing.assert_close(normal, exact.to(dtype))


INTERPRET = """
import sys, torch
torch.set_num_threads(1)
sys.path.insert(0, sys.argv[1])
import SiluMul as rule
from passnet.kernels import triton_check
assert triton_check.interpreting()
for dtype in (torch.float32, torch.float16):
    assert triton_check.interpretable([dtype], open(rule.__file__).read()) is None
    gate, up = torch.randn(3, 700).to(dtype), torch.randn(3, 700).to(dtype)
    out = rule.replacement_func()(*rule.replacement_args(gate, up))
    torch.testing.assert_close(out, rule.pattern(gate.double(), up.double()).to(dtype))
"""


@needs_triton
def test_triton_interpreted(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERPRET, str(EXAMPLES / "triton" / "pass_dir")]
    environment = {"TRITON_INTERPRET": "1", "TRITON_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_triton
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_triton_compiles_without_a_gpu(load, dtype: torch.dtype) -> None:
    wrapper = load("triton", "SiluMul").replacement_func()
    gate, up = torch.randn(3, 700).to(dtype), torch.randn(3, 700).to(dtype)
    (info,) = triton_check.compile_launches(lambda: wrapper(gate, up))
    assert info.name == "silu_mul_kernel"
    assert info.grid == (3,)
    assert ".target sm_90" in info.ptx


@pytest.mark.gpu
@needs_triton
@needs_gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_triton(load, dtype: torch.dtype) -> None:
    rule = load("triton", "SiluMul")
    check(rule, torch.randn(3, 700, device="cuda").to(dtype), torch.randn(3, 700, device="cuda").to(dtype))
