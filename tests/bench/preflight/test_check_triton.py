"""Which graphs the Triton rules of a set are interpreted on: those where the interpreter tells something."""

from __future__ import annotations

from pathlib import Path

import pytest

from passnet.bench.preflight.check_triton import _not_interpreted, _smallest
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.kernels import triton_check
from tests.graph.graph_helpers import graph_of, spec

PLAIN = "import triton\nimport triton.language as tl\n"


def job(*shape: int, dtype: str = "float32", text: str = PLAIN, name: str = "g") -> Job:
    graph = graph_of([spec("x", *shape, dtype=dtype)], "y = x * 2", "return (y,)", name=name)
    files = PassFiles({"rule.py": text, "helper.py": PLAIN, "sorted_output_pass_rule_names.json": '["rule"]'}, "hash")
    return Job("task", name, Path(name), graph, "passes", "cpu", files)


@pytest.mark.skipif(triton_check.available() is not None, reason=str(triton_check.available()))
@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (job(8), None),
        (job(8, dtype="float16"), None),
        (job(8, dtype="bfloat16"), "bfloat16"),
        (job(1 << 19), "2048 KiB are too slow"),
        (job(8, text=PLAIN + "from triton.language.extra import libdevice\n"), "no libdevice functions"),
        (job(8, text=PLAIN + "y = tl.inline_asm_elementwise\n"), "inline assembly"),
    ],
)
def test_what_is_not_interpreted_says_why(asked: Job, reason: str | None) -> None:
    said = _not_interpreted(asked)
    assert said is None if reason is None else reason in str(said)


def test_the_smallest_graph_of_each_dtype_stands_for_the_others() -> None:
    jobs = [job(64, name="a"), job(8, name="b"), job(9, dtype="float16", name="c"), job(16, name="d")]
    assert [each.name for each in _smallest(jobs)] == ["b", "c"]
