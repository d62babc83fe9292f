"""The real workbench on a bundled task with its own C++ pass: checks, measurements, and what a bad pass is told."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.workbench import live
from passnet.agent.workbench.live import LiveWorkbench, without_workers
from passnet.agent.workbench.variants import names_of
from passnet.bench.evaluate import pass_files, read_passes
from passnet.bench.record.records import GraphRecord
from passnet.bench.verdict.job import Job
from passnet.bench.verdict.judge import Judge
from passnet.score import Outcome
from tests.agent.agent_helpers import BUNDLED, MANIFEST, SHORT
from tests.growth import grows_in_proportion
from tests.job_fields import identity

PASS = "bloom_gelu_cpp"
GOOD = (BUNDLED / "bloom_gelu" / "pass_dir" / f"{PASS}.py").read_text()
NOTHING = GOOD.replace("0.79788456", "0.7")
RAISES = GOOD.replace("if not x.is_contiguous():", "if x.dtype == torch.float32:")
WRONG = GOOD.replace("1.59576912f", "1.6f")
MISSPELT = GOOD.replace("torch.tanh(", "torch.tanhh(")
COMPUTES = GOOD.replace("    return out\n", "    return torch.relu(out)\n")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWorkbench]:
    """Without the device lock: nothing here depends on a time, and others may hold it for minutes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "device_lock", lambda device: nullcontext())
        with LiveWorkbench("cpu", SHORT, tmp_path_factory.mktemp("run")) as bench:
            yield bench


@pytest.fixture
def env(bench: LiveWorkbench, task: Path, tmp_path: Path) -> PassEnv:
    env = PassEnv(bench, tmp_path / "episode", budget=Budget(steps=0))
    env.reset(task)
    env.create(MANIFEST, f'["{PASS}"]')
    return env


def test_a_right_pass_is_checked_measured_and_kept(env: PassEnv, task: Path) -> None:
    allowed = os.sched_getaffinity(0)
    env.create(f"{PASS}.py", GOOD)
    checked = env.check()
    assert checked.text.splitlines() == [
        f"{PASS}: loaded, matches 2 of 2 variants",
        "ok: every variant that matches is right",
    ]
    seen = env.evaluate()
    assert [row["outcome"] for row in seen.data["graphs"]] == ["correct", "correct"]
    assert seen.score == env.reward() > 0
    assert env.evaluate().data["repeated"]
    assert env.submit().done
    assert os.sched_getaffinity(0) == allowed
    assert PASS not in sys.modules
    assert not (task / "pass_dir" / f"{PASS}.py").exists()


@pytest.mark.slow
def test_where_a_second_measurement_tells_nothing_no_earlier_figure_stands_for_it(
    env: PassEnv, bench: LiveWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    class Unsteady(Judge):
        def judge(self, job: Job) -> GraphRecord:
            tries.append(job.name)
            return GraphRecord(**identity(job, self.protocol), outcome=Outcome.UNSTABLE, detail="too wide")

    env.create(f"{PASS}.py", WRONG)
    env.evaluate()
    monkeypatch.setattr(live, "Judge", Unsteady)
    again = bench.evaluate(env.task, names_of(env.task), quick=False, again=True)
    assert again.score is None
    assert {row.outcome for row in again.graphs} == {Outcome.UNSTABLE}
    assert len(tries) == 3 * len(again.graphs)
    known = bench.records(env.task, pass_files(read_passes(env.task)))
    assert {record.outcome for record in known} == {Outcome.UNSTABLE}
    env.create(f"{PASS}.py", WRONG + "# never measured\n")
    assert env.evaluate().score is None


def test_a_quick_look_measures_and_keeps_nothing(env: PassEnv) -> None:
    env.create(f"{PASS}.py", GOOD + "# quick\n")
    seen = env.evaluate(graphs="1", quick=True)
    assert [row["outcome"] for row in seen.data["graphs"]] == ["correct"]
    assert seen.data["graphs"][0]["speedup"] > 0
    assert seen.score is None
    assert env.best is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MISSPELT, "against the source policy"),
        (NOTHING, "near miss on 0 (float32/0)"),
        (RAISES, "runtime_error: ValueError: x must be contiguous"),
        (COMPUTES, "torch.relu"),
        (WRONG, "accuracy"),
    ],
    ids=["misspelt", "nothing", "raises", "computes", "wrong"],
)
def test_a_bad_pass_is_told_what_to_fix_first(env: PassEnv, text: str, words: str) -> None:
    env.create(f"{PASS}.py", text)
    seen = env.check()
    assert seen.ok
    assert seen.data["ok"] is False
    assert words in seen.text
    assert "/tmp" not in seen.text
    assert "fix first: " in seen.text


def test_graphs_are_inspected_with_what_a_pattern_can_match(env: PassEnv) -> None:
    seen = env.inspect_graph()
    assert "tmp_6 = torch.tanh(tmp_5)" in seen.text
    assert "tanh [0]" in seen.text
    assert [info["graph"] for info in seen.data["graphs"]] == [name for name, _, _ in env.task.graphs]
    assert len(env.inspect_graph("1").data["graphs"]) == 1


def test_every_statement_is_profiled(env: PassEnv) -> None:
    seen = env.profile("0")
    statements = seen.data["statements"]
    assert [row["index"] for row in statements] == list(range(9))
    assert all(row["us"] > 0 for row in statements)
    assert seen.data["total_us"] > 0
    assert "tmp_6 = torch.tanh(tmp_5)" in seen.text


def test_the_kernels_of_inductor_are_shown_for_a_graph_and_a_part(env: PassEnv) -> None:
    whole = env.kernel_source()
    assert "std::tanh" in whole.text
    assert "def call(" in whole.text
    part = env.kernel_source(first=0, last=1)
    assert part.ok
    assert "tanh" not in part.text
    assert not env.kernel_source(first=3, last=99).ok


def test_the_paths_of_workers_are_taken_out_of_texts() -> None:
    text = "in /tmp/passnet-x7_a/work-0-ab12/passes/A.py, line 3: '/tmp/passnet-x7_a/work-12-ab/cache'"
    assert without_workers({"a": [text]}) == {"a": ["in A.py, line 3: 'cache'"]}
    assert without_workers("of=/tmp/passnet-x/work-0-a/passes/B.py") == "of=B.py"


@pytest.mark.parametrize("text", ["/", "/passnet-x", "a/passnet-x/work-1-a "], ids=repr)
def test_paths_are_looked_for_in_proportion_to_a_text(text: str) -> None:
    assert grows_in_proportion(lambda count: without_workers(text * count), 1000)
