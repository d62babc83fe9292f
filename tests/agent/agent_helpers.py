"""What the tests of the agent room share: a workbench without a device, tasks, a clock that stands still, actions."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from passnet.agent.authors.replay import Action, ReplayedCall
from passnet.agent.record.budget import Budget
from passnet.agent.record.figures import Evaluation
from passnet.agent.record.records import End, EpisodeRecord
from passnet.agent.run.request import AgentRequest
from passnet.agent.workbench.live import evaluation_of
from passnet.bench.evaluate import pass_files, read_passes, record_key
from passnet.bench.layers import LAYERS
from passnet.bench.record.protocol import Protocol
from passnet.bench.record.records import GraphRecord, MaxError, ProcessTiming, Timing
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.graph.targets import Target
from passnet.score import Outcome
from tests.job_fields import identity

BUNDLED = Path(__file__).parents[2] / "data" / "tasks"
MANIFEST = "sorted_output_pass_rule_names.json"
SHORT = Protocol(
    precision=0.05,
    least_pairs=2,
    most_pairs=2,
    open_pairs=2,
    visit_groups=2,
    most_groups=2,
    deployed_groups=2,
    block_us=300.0,
    warmup_calls=5,
    verify_seeds=2,
    spot_checks=2,
    max_half_width=1e9,
    control_band=1e9,
    build_s=60.0,
    first_call_s=30.0,
    ghost_draws=1,
)
RULE = '''"""speed {speed}"""


def pattern(x):
    return x


def replacement_args(x):
    return (x,)


def replacement_func():
    return print
'''


def rule(speed: float | str) -> str:
    """A pass file whose speedup, as the fake workbench has it, is written in it; or an outcome."""
    return RULE.format(speed=speed)


def writing(speed: float | str) -> list[Action]:
    """Write a pass set of one rule."""
    return [
        ReplayedCall(tool="create", arguments={"path": "A.py", "text": rule(speed)}),
        ReplayedCall(tool="create", arguments={"path": MANIFEST, "text": '["A"]'}),
    ]


def trying(*speeds: float | str) -> list[Action]:
    """Write and evaluate one pass set after the other."""
    return [action for speed in speeds for action in (*writing(speed), ReplayedCall(tool="evaluate"))]


SUBMIT = ReplayedCall(tool="submit")
EPISODE: list[Action] = [
    ReplayedCall(tool="inspect_graph"),
    ReplayedCall(tool="create", arguments={"path": "A.py"}),
    *trying(0.5),
    ReplayedCall(tool="check"),
    *trying(1.5),
    ReplayedCall(tool="nonsense", arguments={"a": 1}),
    *trying(1.2),
    SUBMIT,
]


def actions_file(path: Path, actions: Sequence[Action] | dict[str, Sequence[Action]]) -> Path:
    def rows(some: Sequence[Action]) -> list[dict[str, Any]]:
        return [action.model_dump(mode="json", exclude_none=True) for action in some]

    found = {task: rows(some) for task, some in actions.items()} if isinstance(actions, dict) else rows(actions)
    path.write_text(json.dumps(found))
    return path


class FakeWorkbench:
    """Reads from a pass file how fast it is. Keeps what it measured and counts what it was asked for.

    `noise`: added to the speedup of each further measurement of the same bytes; `fails`: raised instead of measuring.
    """

    def __init__(self, device: str = "cpu", rules: Protocol = SHORT, home: Path | None = None) -> None:
        self.device, self.rules = device, rules
        self.waited_s = 0.0
        self.asked: list[str] = []
        self.noise = 0.0
        self.fails: BaseException | None = None
        self.own_kernels: bool | None = True
        self.kept: dict[tuple[str, ...], GraphRecord] = {}
        self.measured: dict[str, int] = {}

    def __enter__(self) -> FakeWorkbench:
        return self

    def __exit__(self, *_: object) -> None:
        self.asked.append("closed")

    def check(self, target: Target) -> dict[str, Any]:
        self.asked.append("check")
        names = [rule.name for rule in read_passes(target).rules]
        rules = [
            {"rule": name, "policy": [], "loaded": True, "devices": None, "matches": {}, "near_misses": []}
            for name in names
        ]
        return {"ok": True, "rules": rules, "problems": [], "notes": [], "graphs": []}

    def evaluate(self, target: Target, names: frozenset[str], *, quick: bool, again: bool = False) -> Evaluation:
        self.asked.append("evaluate")
        if self.fails is not None:
            raise self.fails
        pass_set = read_passes(target)
        files = pass_files(pass_set)
        jobs = [
            Job(target.name, name, path, graph, "passes", self.device, files)
            for name, path, graph in target.graphs
            if name in names
        ]
        known = {} if again or quick else {job.name: self.kept.get(record_key(job)) for job in jobs}
        kept = [name for name, record in known.items() if record is not None]
        if len(kept) == len(jobs):
            return evaluation_of(files, [self.kept[record_key(job)] for job in jobs], kept=kept)
        key = f"{target.name} {files.content_hash}"
        times = self.measured[key] = self.measured.get(key, 0) + 1
        text = pass_set.files[0].text
        records = [known.get(job.name) or self._record(job, text, times - 1) for job in jobs]
        if not quick:
            self.kept |= {record.key(): record for record in records}
        return evaluation_of(files, records, kept=kept)

    def inspect(self, target: Target, name: str) -> dict[str, Any]:
        self.asked.append("inspect")
        return json.loads(json.dumps(_inspection(target, name)))

    def profile(self, target: Target, name: str) -> dict[str, Any]:
        self.asked.append("profile")
        return {"graph": name, "device": "cpu", "total_us": 1.0, "statements": [], "kernels": []}

    def kernel_source(self, target: Target, name: str, first: int | None, last: int | None) -> str:
        self.asked.append("kernel_source")
        return f"kernel of {name} {first} {last}"

    def records(self, target: Target, passes: PassFiles) -> list[GraphRecord]:
        jobs = [
            Job(target.name, name, path, graph, "passes", self.device, passes) for name, path, graph in target.graphs
        ]
        return [self.kept[key] for job in jobs if (key := record_key(job)) in self.kept]

    def _record(self, job: Job, text: str, times: int) -> GraphRecord:
        found = re.search(r"speed ([\w.]+)", text)
        assert found is not None
        word = found.group(1)
        if not word[0].isdigit():
            return GraphRecord(**identity(job, self.rules), outcome=Outcome(word), detail=f"{word} it is")
        speed = float(word) + times * self.noise
        timing = Timing(
            speedup=speed,
            speedup_ci=(speed * 0.99, speed * 1.01),
            eager_us=100.0,
            compiled_us=100.0 / speed,
            control_ratio=1.0,
            processes=tuple(
                ProcessTiming(
                    quads=9, calls=40, ratio=speed * off, eager_us=100.0 * off, compiled_us=100.0 / speed,
                    control_ratio=1.0, harness_us=0.1,
                )
                for off in (1 / 1.001, 1.0, 1.001)
            ),
        )  # fmt: skip
        judged = {
            "correct_at": -10, "timing": timing, "own_kernels": self.own_kernels, "compared_calls": 40,
            "sandbox": LAYERS, "max_error": MaxError(abs=0.0, rel=0.0), "seconds": 4.0,
        }  # fmt: skip
        return GraphRecord(**identity(job, self.rules), outcome=Outcome.CORRECT, **judged)


def _inspection(target: Target, name: str) -> dict[str, Any]:
    from passnet.agent.workbench.variants import graph_of

    graph = graph_of(target, name)
    ops = [
        {"index": index, "outputs": [{"shape": [1], "dtype": "float32"}], "kernels": 1, "bytes": 4}
        for index, _ in enumerate(graph.statements())
    ]
    matchable = [{"operation": op.target, "reason": None, "library": False, "run": 0} for op in graph.statements()]
    figures = {"bound_us": 1.0, "limited_by": "memory", "launch_us": 1.0}
    return {
        "graph": name, "ops": ops, "op_counts": {"mul": len(ops)}, "matchable": matchable, "kernels": 1,
        "bytes": {"total": 1, "eager": 2}, "flops": {"total": 3}, "roofline": figures, "mutated_inputs": [],
    }  # fmt: skip


class Clock:
    """Seconds as a test wants them."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def task_copy(directory: Path, name: str = "bloom_gelu", variants: int = 2) -> Path:
    """A bundled task with fewer variants and no passes."""
    path = directory / name
    shutil.copytree(BUNDLED / name, path, ignore=shutil.ignore_patterns("pass_dir"))
    lines = (path / "graph_list.txt").read_text().split()[:variants]
    (path / "graph_list.txt").write_text("\n".join(lines) + "\n")
    (path / "pass_dir").mkdir()
    return path


def request_for(path: Path, directory: Path, author: str, **fields: Any) -> AgentRequest:
    fields = {"budget": Budget(steps=0), "protocol": SHORT, "device": "cpu"} | fields
    return AgentRequest(path=path, author=author, run_path=directory / "run", **fields)


def substance(records: Sequence[EpisodeRecord]) -> list[dict[str, Any]]:
    """Records without what depends on time."""
    return [record.without_time() for record in records if not isinstance(record, End) or record.exit_reason.final]
