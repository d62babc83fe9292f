"""`passnet check` where the device is missing, and on published rules, which name none: what is done and what not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from passnet.kernels import triton_check
from tests.cli.cli_runner import run
from tests.graph.graph_helpers import graph_of, spec

pytestmark = pytest.mark.skipif(
    triton_check.available() is not None or torch.cuda.is_available(), reason="for machines with Triton and no GPU"
)
RULE = """
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, out, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * scale, mask=at < n)


def pattern(x, s):
    return x.exp() * s


def replacement_args(x, s):
    return (x, s)


@torch.fx.wrap
def scaled(x, s):
    out = torch.empty_like(x)
    scale_kernel[(triton.cdiv(x.numel(), 128),)](x, out, x.numel(), s, BLOCK=128)
    return out


def replacement_func():
    return scaled
"""


def task(directory: Path, line: str, text: str = RULE) -> Path:
    """A task of one graph with one published rule, and a file beside it that nobody imports."""
    (directory / "graph_list.txt").parent.mkdir(parents=True)
    graph_of([spec("x", 4, 64)], "t = x.exp()", line, "return (y,)", name="g").write(directory / "g")
    (directory / "graph_list.txt").write_text("g\n")
    (directory / "pass_dir").mkdir()
    (directory / "pass_dir" / "scaled.py").write_text(text)
    (directory / "pass_dir" / "unfinished.py").write_text("import socket (")
    (directory / "pass_dir" / "sorted_output_pass_rule_names.json").write_text(json.dumps(["scaled"]))
    return directory


def test_a_device_that_is_missing_leaves_all_that_needs_none(tmp_path: Path) -> None:
    found = run("check", task(tmp_path / "t", "y = t * 0.0"), "--device", "cuda", "--json")
    document = found.document
    assert (found.code, document["problems"]) == (0, [])
    assert document["rules"][0]["matches"] == {"g": 1}
    assert any("scale_kernel compiles for sm_90" in note for note in document["notes"])
    assert any("no cuda device on this machine: nothing was run on it" in note for note in document["notes"])


@pytest.mark.slow
def test_a_miss_without_the_device_says_why(tmp_path: Path) -> None:
    found = run("check", task(tmp_path / "t", "y = t / 0.5"), "--device", "cuda", "--json")
    assert found.code == 1
    assert "mul" in found.document["rules"][0]["near_misses"][0]["reason"]


@pytest.mark.slow
def test_a_kernel_that_does_not_compile_is_a_problem_without_the_device(tmp_path: Path) -> None:
    text = RULE.replace("* scale, mask", "* scale.nothing, mask")
    found = run("check", task(tmp_path / "t", "y = t * 0.5", text), "--device", "cuda", "--json")
    assert found.code == 1
    assert "does not compile" in found.document["problems"][0]


@pytest.mark.slow
def test_published_triton_rules_on_the_cpu_are_no_error_and_their_numbers_count(tmp_path: Path) -> None:
    text = RULE.replace("tl.load(x + at, mask=at < n)", "tl.exp(tl.load(x + at, mask=at < n))")
    found = run("check", task(tmp_path / "right", "y = t * 0.5", text), "--json")
    assert (found.code, found.document["problems"]) == (0, [])
    assert "g: not run on the CPU: its Triton kernels need a GPU" in found.document["notes"]
    found = run("check", task(tmp_path / "wrong", "y = t * 0.5"), "--json")
    assert found.code == 1
    assert "g: interpreted: accuracy" in found.document["problems"][0]
