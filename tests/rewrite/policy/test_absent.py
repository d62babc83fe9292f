"""Names that the installed torch or Triton lacks are told as mistakes, and stay refused."""

from __future__ import annotations

import subprocess
import sys

import pytest

from passnet.rewrite import check_policy
from passnet.rewrite.policy.absent import absent
from tests.rewrite.policy.test_check import body, passes, triton

pytest.importorskip("triton")

LACKED = {
    "triton.language.libdevice.tanh": ("has no triton.language.libdevice", "triton.language.extra import libdevice"),
    "triton.language.lod": ("has no triton.language.lod", "did you mean load?"),
    "triton.langage.load": ("has no triton.langage", "did you mean language?"),
    "triton.language.math.nothing": ("has no triton.language.math.nothing", "write a name that it has"),
    "torch.emptylike": ("has no torch.emptylike", "did you mean empty_like?"),
    "torch.nn.functional.gelo": ("has no torch.nn.functional.gelo", "write a name that it has"),
}
THERE = [
    "triton.language.core",
    "triton.runtime.driver.active",
    "triton.testing.do_bench",
    "triton.language.extra.cuda.globaltimer",
    "torch.relu",
    "torch.nn.functional.gelu",
    "torch.ops.aten.relu",
    "torch.backends.cuda.matmul.allow_tf32",
    "torch.Tensor.nothing",
    "math.nothing",
]
UNLOADED = """
import sys
from passnet.rewrite.policy.absent import absent
for name in sys.argv[1:]:
    print(absent(name))
assert not {"torch", "triton"} & sys.modules.keys()
"""


@pytest.mark.parametrize("name", LACKED)
def test_what_is_not_there_is_told(name: str) -> None:
    found = absent(name)
    assert found is not None and found.why.endswith(LACKED[name][0]) and LACKED[name][1] in found.fix


@pytest.mark.parametrize("name", THERE)
def test_of_what_is_there_nothing_is_said(name: str) -> None:
    assert absent(name) is None


def test_nothing_is_imported_to_tell() -> None:
    lacked = [name for name in LACKED if name.startswith("triton")]
    command = [sys.executable, "-c", UNLOADED, *lacked, *THERE]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == [str(absent(name)) for name in (*lacked, *THERE)]


def test_it_stays_a_breach(tmp_path) -> None:
    text = triton("@triton.jit\ndef k(p):\n    triton.language.lod(p)\n")
    text = text.replace("return out", "return torch.emptylike(out)")
    found = {v.rule: v for v in check_policy(passes(tmp_path, {"A.py": text}))}
    assert found.keys() == {"reference", "library-call"}
    assert found["library-call"].fix == "did you mean empty_like?"
    assert "has no triton.language.lod" in found["reference"].why
    (computes,) = check_policy(passes(tmp_path, {"A.py": body("torch.relu(x)")}))
    assert computes.why == "a pass must not call a library that computes"
