"""The tools on a CUDA device: kernels in the profile, Triton as source, a bundled Triton pass from check to submit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from passnet.agent.budget import Budget
from passnet.agent.env import PassEnv
from passnet.agent.workbench import LiveWorkbench
from tests.agent.agent_helpers import BUNDLED, MANIFEST, SHORT

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device"),
]
PASS = "bloom_gelu_triton"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWorkbench]:
    rules = SHORT.model_copy(update={"first_call_s": 60.0, "build_s": 120.0})
    with LiveWorkbench("cuda", rules, tmp_path_factory.mktemp("run")) as bench:
        yield bench


@pytest.fixture
def env(bench: LiveWorkbench, task: Path, tmp_path: Path) -> PassEnv:
    env = PassEnv(bench, tmp_path / "episode", budget=Budget(steps=0))
    env.reset(task)
    return env


def test_the_profile_names_kernels_and_their_statements(env: PassEnv) -> None:
    seen = env.profile("0")
    assert [row["index"] for row in seen.data["statements"]] == list(range(9))
    assert all(row["us"] > 0 for row in seen.data["statements"])
    assert sum(kernel["count"] for kernel in seen.data["kernels"]) == 9
    assert any("tanh" in kernel["name"] for kernel in seen.data["kernels"])
    assert seen.data["total_us"] > 0
    for kernel in seen.data["kernels"]:
        assert kernel["registers"] > 0 and kernel["block"][0] > 0 and 0 <= kernel["occupancy_percent"] <= 100
    assert "registers" in seen.text


def test_the_source_is_triton(env: PassEnv) -> None:
    assert "tl.store(" in env.kernel_source().text


def test_a_bundled_pass_is_checked_measured_and_submitted(env: PassEnv) -> None:
    text = (BUNDLED / "bloom_gelu" / "pass_dir" / f"{PASS}.py").read_text()
    env.create(f"{PASS}.py", text)
    env.create(MANIFEST, f'["{PASS}"]')
    checked = env.check()
    assert checked.data["ok"], checked.text
    seen = env.evaluate()
    assert [row["outcome"] for row in seen.data["graphs"]] == ["correct", "correct"], seen.text
    assert seen.score is not None
    assert seen.score > 1.0
    assert env.submit().done
