"""Runs over tasks: resumed after any interruption, never mixed with another's settings, every episode for itself."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.authors.base import Unusable
from passnet.agent.authors.registry import MAKERS
from passnet.agent.authors.replay import Fail, ReplayAuthor, ReplayedCall, Stop
from passnet.agent.env.env import PassEnv
from passnet.agent.record.budget import Budget
from passnet.agent.record.figures import Evaluation
from passnet.agent.record.journal import read_episode
from passnet.agent.record.names import ExitReason
from passnet.agent.record.records import EpisodeRecord
from passnet.agent.run.progress import RunProgress
from passnet.agent.run.session import dry_run, run_agent
from passnet.agent.run.summary import best_at_k, pass_at_k, pass_fail_pass, spread
from passnet.bench.record.rescore import Options, rescore
from passnet.errors import InfrastructureError, UsageError
from tests.agent.agent_helpers import (
    EPISODE,
    MANIFEST,
    SUBMIT,
    FakeWorkbench,
    actions_file,
    request_for,
    rule,
    substance,
    task_copy,
    trying,
    writing,
)
from tests.child import ROOT, environment


class Scripted(ReplayAuthor):
    """Plays one list of actions per attempt. `resumes` as told; counts its plays."""

    def __init__(self, *attempts: list, resumes: bool = False) -> None:
        super().__init__([])
        self.attempts, self.resumes, self.plays = attempts, resumes, 0

    def play(self, env: PassEnv) -> ExitReason | None:
        self.plays += 1
        self_actions = self.attempts[env.attempt % len(self.attempts)]
        return ReplayAuthor(self_actions).play(env)


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """Two tasks in a directory."""
    for name in ("bloom_gelu", "gpt2_gelu_new"):
        task_copy(tmp_path / "tasks", name)
    return tmp_path / "tasks"


@pytest.fixture
def bench() -> FakeWorkbench:
    return FakeWorkbench()


@pytest.fixture
def play(tasks: Path, tmp_path: Path, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict]:
    """Run an author, given by its actions or as an object, over the tasks or one of them."""

    def play(author: Any, *, path: Path = tasks, report: Callable = lambda progress: None, **fields: Any) -> dict:
        if isinstance(author, list):
            file = actions_file(tmp_path / "actions.json", author)
            spec = f"replay:{file}"
        else:
            monkeypatch.setitem(MAKERS, "scripted", lambda rest: author)
            spec = "scripted"
        return run_agent(request_for(path, tmp_path, spec, **fields), report, lambda *_: bench)

    return play


def episode(tmp_path: Path, task: str = "bloom_gelu", attempt: int = 0) -> list[EpisodeRecord]:
    return read_episode(tmp_path / "run" / "tasks" / task / f"attempt-{attempt}" / "episode.jsonl")


def test_a_run_leaves_scores_passes_records_and_exports(play: Callable, tmp_path: Path) -> None:
    found = play(EPISODE)
    assert [(row["task"], row["best_step"], row["exit_reason"]) for row in found["tasks"]] == [
        ("bloom_gelu", 9, "submitted"),
        ("gpt2_gelu_new", 9, "submitted"),
    ]
    assert found["AS"] == pytest.approx(1.5)
    assert found["first_share"] == pytest.approx(0.5 / 1.5)
    run = tmp_path / "run"
    assert json.loads((run / "summary.json").read_text()) == json.loads(json.dumps(found))
    for row in found["tasks"]:
        assert (Path(row["passes"]) / "A.py").read_text() == rule(1.5)
        score = json.loads((run / "tasks" / row["task"] / "aggregated_score.json").read_text())
        assert score == {"id": row["task"], "score": pytest.approx(1.5)}
        assert json.loads((run / "tasks" / row["task"] / "attempt-0" / "trajectory.json").read_text())["steps"]
    lines = (run / "messages.jsonl").read_text().splitlines()
    assert [json.loads(line)["metadata"]["task"] for line in lines] == ["bloom_gelu", "gpt2_gelu_new"]
    assert rescore(run, Options()).document["AS"] == pytest.approx(1.5)


def test_progress_counts_episodes_and_tells_the_best(play: Callable) -> None:
    seen: list[RunProgress] = []
    play(EPISODE, report=seen.append)
    assert seen[-1].done == seen[-1].total == 2
    assert [progress.best for progress in seen if progress.task == "bloom_gelu"][-1] == pytest.approx(1.5)
    assert seen[0].eta_s is None
    assert seen[-2].eta_s is not None
    assert seen[-2].eta_s > 0


def test_a_finished_run_is_only_read(play: Callable, bench: FakeWorkbench) -> None:
    first = play(EPISODE)
    bench.asked.clear()
    seen: list[RunProgress] = []
    assert play(EPISODE, report=seen.append) == first
    assert bench.asked == ["closed"]
    assert seen == []


@pytest.mark.parametrize(
    "change",
    [
        {"budget": Budget(steps=3)},
        {"attempts": 2},
        {"seed_from": "task"},
        {"graphs": 1},
        {"confirm": False},
        {"seed": 1},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_run_under_the_same_name_is_refused(play: Callable, tmp_path: Path, change: dict) -> None:
    play(EPISODE)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(UsageError, match="made with other settings"):
        play(EPISODE, **change)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_other_actions_are_other_settings(play: Callable) -> None:
    play(EPISODE)
    with pytest.raises(UsageError, match="author_settings"):
        play(EPISODE[:-1])


# --- interruptions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("records", range(1, len(EPISODE) + 3))
def test_a_run_goes_on_after_ctrl_c_at_any_record(
    play: Callable, tmp_path: Path, task: Path, make_env: Callable, records: int
) -> None:
    """Nothing recorded is lost or done again, and the end is the same as of a run in one go."""
    seen: list[RunProgress] = []

    def interrupt(progress: RunProgress) -> None:
        seen.append(progress)
        if len(seen) == records:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(EPISODE, report=interrupt)
    kept = [progress.record for progress in seen]
    assert episode(tmp_path)[: len(kept)] == kept

    assert play(EPISODE)["AS"] == pytest.approx(1.5)
    whole = make_env(budget=Budget(steps=0), author="replay")
    whole.reset(task)
    ReplayAuthor(EPISODE).play(whole)
    done = [record for record in substance(episode(tmp_path)) if record["kind"] == "step"]
    assert done == [record for record in substance(whole.records) if record["kind"] == "step"]


@pytest.mark.parametrize(
    "records", [3, 9, pytest.param(1, marks=pytest.mark.slow), pytest.param(14, marks=pytest.mark.slow)]
)
def test_a_killed_process_loses_nothing(play: Callable, tasks: Path, tmp_path: Path, records: int) -> None:
    file = actions_file(tmp_path / "actions.json", EPISODE)
    script = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from passnet.agent.run.session import run_agent
        from tests.agent.agent_helpers import FakeWorkbench, request_for
        seen = []
        def report(progress):
            seen.append(progress)
            if len(seen) == {records}:
                os.kill(os.getpid(), signal.SIGKILL)
        request = request_for(Path({str(tasks)!r}), Path({str(tmp_path)!r}), "replay:{file}")
        run_agent(request, report, lambda *_: FakeWorkbench())
    """)
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment(), check=False)
    assert done.returncode == -signal.SIGKILL
    before = episode(tmp_path)
    assert len(before) == records
    found = play(EPISODE)
    assert found["AS"] == pytest.approx(1.5)
    assert found["tasks_done"] == 2
    assert episode(tmp_path)[:records] == before


def test_an_author_that_cannot_go_on_begins_again_and_is_not_measured_again(
    play: Callable, tmp_path: Path, bench: FakeWorkbench
) -> None:
    author = Scripted(EPISODE)
    seen: list[RunProgress] = []

    def interrupt(progress: RunProgress) -> None:
        seen.append(progress)
        if len(seen) == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(author, report=interrupt)
    measured = dict(bench.measured)
    bench.noise = 1.0
    found = play(author, confirm=True)
    aside = tmp_path / "run" / "tasks" / "bloom_gelu" / "attempt-0" / "episode-1.jsonl"
    assert [record.kind for record in read_episode(aside)][-1] == "end"
    evaluations = [r for r in episode(tmp_path) if r.kind == "step" and r.tool == "evaluate"]
    assert [step.observation.data["repeated"] for step in evaluations] == [True, True, False]
    assert measured
    assert found["tasks_done"] == 2


def test_a_machine_that_fails_stops_the_run_which_then_goes_on(
    play: Callable, tmp_path: Path, bench: FakeWorkbench
) -> None:
    bench.fails = InfrastructureError("the device is gone")
    with pytest.raises(InfrastructureError, match="device is gone"):
        play(EPISODE)
    last = episode(tmp_path)[-1]
    assert last.kind == "end"
    assert last.exit_reason is ExitReason.INFRASTRUCTURE
    assert last.detail == "the device is gone"
    assert last.score is None
    bench.fails = None
    assert play(EPISODE)["AS"] == pytest.approx(1.5)
    assert "resume" in [record.kind for record in episode(tmp_path)]


@pytest.mark.parametrize("recovers", [True, False])
def test_a_machine_that_fails_after_the_best_leaves_the_best(
    play: Callable, tmp_path: Path, bench: FakeWorkbench, recovers: bool
) -> None:
    """The last evaluation fails: the best so far is on record and on disk, and measured once more if that works."""
    fails, lasts = [2], 1 if recovers else 9
    measure = bench.evaluate

    def evaluate(*arguments: Any, **options: Any) -> Evaluation:
        fails[0] -= 1
        if -lasts <= fails[0] < 0:
            raise InfrastructureError("cuMemAlloc failed")
        return measure(*arguments, **options)

    bench.evaluate = evaluate  # type: ignore[method-assign]
    with pytest.raises(
        InfrastructureError, match=r"cuMemAlloc failed; bloom_gelu stays open: AS 1\.500 of step 6, kept"
    ):
        play([*trying(0.5, 1.5, 1.2), SUBMIT])
    last = episode(tmp_path)[-1]
    assert (last.exit_reason, last.best_score, last.best_step) == (ExitReason.INFRASTRUCTURE, pytest.approx(1.5), 6)
    assert (last.confirmed is not None) == recovers
    (row, *_) = json.loads((tmp_path / "run" / "summary.json").read_text())["open"]
    assert (row["task"], row["best_AS"], row["exit_reason"]) == ("bloom_gelu", pytest.approx(1.5), "infrastructure")
    assert (Path(row["passes"]) / "A.py").read_text() == rule(1.5)
    bench.evaluate = measure  # type: ignore[method-assign]
    found = play([*trying(0.5, 1.5, 1.2), SUBMIT])
    assert found["open"] == []
    assert found["AS"] == pytest.approx(1.5)


def test_a_look_is_kept_when_the_machine_fails_before_anything_had_a_score(
    play: Callable, tmp_path: Path, bench: FakeWorkbench
) -> None:
    look = ReplayedCall(tool="evaluate", arguments={"quick": True})
    measure = bench.evaluate

    def evaluate(*arguments: Any, quick: bool, **options: Any) -> Evaluation:
        if not quick:
            raise InfrastructureError("cuMemAlloc failed")
        return measure(*arguments, quick=quick, **options)

    bench.evaluate = evaluate  # type: ignore[method-assign]
    with pytest.raises(InfrastructureError, match=r"the pass set of step 3 \(AS 2\.000 by a look"):
        play([*writing(2.0), look, *writing(1.1), look, ReplayedCall(tool="evaluate"), SUBMIT])
    last = episode(tmp_path)[-1]
    assert (last.score, last.look, last.look_step) == (None, pytest.approx(2.0), 3)
    (row, *_) = json.loads((tmp_path / "run" / "summary.json").read_text())["open"]
    assert (Path(row["passes"]) / "A.py").read_text() == rule(2.0)


@pytest.mark.parametrize("outcome", ["out_of_memory", "unstable"])
def test_what_the_machine_cannot_tell_is_no_failure_of_the_author(play: Callable, tmp_path: Path, outcome: str) -> None:
    found = play([*trying(outcome), SUBMIT])
    assert found["AS"] is None
    assert (found["solved"], found["solved_reason"]) == (None, "no graph is left to score")
    for row in found["tasks"]:
        assert (row["AS"], row["passes"]) == (None, None)
        assert {graph["outcome"] for graph in row["graphs"]} == {outcome}
    attempt = tmp_path / "run" / "tasks" / "bloom_gelu" / "attempt-0"
    assert (attempt / "unscored" / "A.py").read_text() == rule(outcome)


def test_a_tie_is_right_and_not_solved(play: Callable) -> None:
    found = play([*trying(1.0), SUBMIT])
    assert found["AS"] == pytest.approx(1.0)
    assert (found["solved"], found["AS_solved"]) == (0.0, pytest.approx(0.1))
    (attempt,) = found["tasks"][0]["attempts"]
    assert (attempt["all_right"], attempt["solved"]) == (True, False)


def test_a_fast_graph_whose_record_has_no_proof_is_not_known_to_be_solved(play: Callable, bench: FakeWorkbench) -> None:
    bench.own_kernels = None
    found = play([*trying(1.5), SUBMIT])
    assert (found["solved"], found["AS_solved"]) == (None, None)
    assert "does not say whether a kernel of the pass ran" in found["solved_reason"]
    bench.own_kernels = True


# --- ends --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "budget", "reason"),
    [
        (trying(1.5), {}, "author_stopped"),
        ([*trying(1.5), Stop(stop=ExitReason.NO_TOOL_CALL)], {}, "no_tool_call"),
        ([*trying(1.5), Stop(stop=ExitReason.ENDPOINT)], {}, "endpoint_error"),
        ([*trying(1.5), Fail(fail="a fault of the author")], {}, "author_error"),
        ([*trying(1.5), *[ReplayedCall(tool="view")] * 99], {"steps": 20}, "steps_exhausted"),
        ([*trying(1.5), *trying(1.1)], {"evaluations": 2}, "evaluations_exhausted"),
    ],
)
def test_every_way_to_end_is_told_apart_and_keeps_the_best(
    play: Callable, tmp_path: Path, actions: list, budget: dict, reason: str
) -> None:
    found = play(actions, budget=Budget(**({"steps": 0} | budget)))
    assert found["exit_reasons"] == {reason: 2}
    assert found["AS"] == pytest.approx(1.5)
    if reason == "author_error":
        assert episode(tmp_path)[-1].detail == "RuntimeError: a fault of the author"
        error = tmp_path / "run" / "tasks" / "bloom_gelu" / "attempt-0" / "error.txt"
        assert "Traceback" in error.read_text()


def test_an_author_that_cannot_work_ends_the_run(play: Callable, tmp_path: Path) -> None:
    class NoKey(Scripted):
        def play(self, env: PassEnv) -> None:
            raise Unusable("no key", hint="set OPENAI_API_KEY")

    with pytest.raises(UsageError, match="no key"):
        play(NoKey([]))
    assert not (tmp_path / "run" / "tasks" / "gpt2_gelu_new").exists()


def test_an_author_that_leaves_nothing_is_scored_as_nothing(play: Callable, tmp_path: Path) -> None:
    found = play([ReplayedCall(tool="view")])
    assert [row["AS"] for row in found["tasks"]] == [None, None]
    assert [row["passes"] for row in found["tasks"]] == [None, None]
    assert found["AS"] < 0.2
    assert rescore(tmp_path / "run", Options()).document["outcomes"] == {"compile_error": 4}


def test_the_best_of_several_is_measured_once_more(play: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    """It was chosen for a figure that may have been luck; what counts is the second one."""
    bench.noise = -0.2
    found = play(EPISODE)
    row = found["tasks"][0]["attempts"][0]
    assert row["confirmed"]
    assert row["best_measured_AS"] == pytest.approx(1.5)
    assert row["AS"] == pytest.approx(1.3)
    assert rescore(tmp_path / "run", Options()).document["AS"] == pytest.approx(1.3)


def test_without_a_choice_nothing_is_confirmed(play: Callable, bench: FakeWorkbench) -> None:
    bench.noise = -0.2
    found = play([*trying(1.5), SUBMIT])
    assert not found["tasks"][0]["attempts"][0]["confirmed"]
    assert bench.asked.count("evaluate") == 2


# --- attempts, seeds, threads ------------------------------------------------------------------------------------


def test_attempts_are_episodes_of_their_own_and_the_best_counts(play: Callable, tmp_path: Path) -> None:
    author = Scripted([*trying(1.2), SUBMIT], [*trying(1.8), SUBMIT], [*trying("runtime_error"), SUBMIT])
    found = play(author, attempts=3)
    row = found["tasks"][0]
    assert row["AS"] == pytest.approx(1.8)
    assert len(row["attempts"]) == 3
    assert row["pass_at_k"] == [pytest.approx(2 / 3), 1.0, 1.0]
    assert row["best_at_k"][2] == pytest.approx(1.8)
    assert (tmp_path / "run" / "tasks" / "bloom_gelu" / "passes" / "A.py").read_text() == rule(1.8)
    seeds = {episode(tmp_path, task, n)[0].seed for task in ("bloom_gelu", "gpt2_gelu_new") for n in range(3)}
    assert len(seeds) == 6


def test_the_best_of_several_attempts_is_measured_once_more(
    play: Callable, tmp_path: Path, bench: FakeWorkbench
) -> None:
    """The best of N figures is too high by chance, also where each attempt evaluated one set."""
    author = Scripted([*trying(1.2), SUBMIT], [*trying(1.8), SUBMIT])
    bench.noise = -0.2
    found = play(author, attempts=2)
    row = found["tasks"][0]
    assert [one["AS"] for one in row["attempts"]] == [pytest.approx(1.2), pytest.approx(1.8)]
    assert row["best_at_k"][1] == pytest.approx(1.8)
    assert row["measured_again"] and row["AS"] == pytest.approx(1.6)
    assert found["AS"] == rescore(tmp_path / "run", Options()).document["AS"] == pytest.approx(1.6)
    asked = bench.asked.count("evaluate")
    assert play(author, attempts=2)["tasks"] == found["tasks"]
    assert bench.asked.count("evaluate") == asked, "a run that is finished measures nothing"


def test_attempts_without_a_choice_are_not_measured_again(play: Callable, bench: FakeWorkbench) -> None:
    bench.noise = -0.2
    author = Scripted([*trying(1.8), SUBMIT], [ReplayedCall(tool="view")])
    assert not play(author, attempts=2)["tasks"][0]["measured_again"]


def test_the_spread_is_of_scores_that_are_there() -> None:
    assert spread([2.0, None]) is None
    assert spread([1.0, 4.0, None]) == {"low": 1.0, "high": 4.0, "log2_std": pytest.approx(2**0.5)}


@pytest.mark.parametrize(
    ("right", "times"),
    [("", 0), ("0", 0), ("0101", 1), ("111", 0), ("101", 1), ("1001", 1), ("10101", 2), ("0110", 0), ("010", 0)],
)
def test_right_wrong_right_is_counted(right: str, times: int) -> None:
    assert pass_fail_pass([letter == "1" for letter in right]) == times


def test_best_and_pass_at_k_are_means_over_all_draws() -> None:
    from itertools import combinations
    from statistics import mean

    scores = [0.5, None, 2.0, 1.0]
    solved = [True, False, True, False]
    for k in range(1, 5):
        draws = list(combinations(range(4), k))
        assert best_at_k(scores)[k - 1] == pytest.approx(mean(max(scores[i] or 0.0 for i in draw) for draw in draws))
        assert pass_at_k(solved)[k - 1] == pytest.approx(mean(any(solved[i] for i in draw) for draw in draws))
    assert best_at_k([None, None]) == [None, None]


def test_episodes_begin_with_the_passes_they_are_given(play: Callable, tasks: Path, tmp_path: Path) -> None:
    own = tasks / "bloom_gelu" / "pass_dir"
    (own / "A.py").write_text(rule(1.1))
    (own / MANIFEST).write_text('["A"]')
    found = play([ReplayedCall(tool="evaluate"), SUBMIT], path=tasks / "bloom_gelu", seed_from="task")
    assert found["tasks"][0]["AS"] == pytest.approx(1.1)
    assert episode(tmp_path)[0].seed_files == {"A.py": rule(1.1), MANIFEST: '["A"]'}


@pytest.mark.parametrize("named", [True, False])
def test_episodes_begin_with_the_best_of_another_run(play: Callable, tmp_path: Path, named: bool) -> None:
    play(EPISODE)
    (tmp_path / "run").rename(tmp_path / "before")
    found = play([ReplayedCall(tool="evaluate"), SUBMIT], seed_from="before" if named else str(tmp_path / "before"))
    assert found["AS"] == pytest.approx(1.5)


def test_another_author_makes_what_episodes_begin_with(
    play: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Scripted([*trying(1.4), SUBMIT])
    monkeypatch.setitem(MAKERS, "first", lambda rest: first)
    found = play([ReplayedCall(tool="evaluate"), *trying(1.6), SUBMIT], seed_from="first", attempts=2)
    assert found["AS"] == pytest.approx(1.6)
    assert first.plays == 2  # once per task, whatever the number of attempts
    row = found["tasks"][0]
    assert row["seed"]["AS"] == pytest.approx(1.4)
    assert row["steps"] == sum(one["steps"] for one in (*row["attempts"], row["seed"]))
    assert episode(tmp_path)[0].seed_files["A.py"] == rule(1.4)
    assert read_episode(tmp_path / "run" / "tasks" / "bloom_gelu" / "seed" / "episode.jsonl")[
        -1
    ].score == pytest.approx(1.4)


def test_in_threads_the_device_stays_in_the_first(play: Callable, bench: FakeWorkbench) -> None:
    threads: dict[str, set[threading.Thread]] = {"author": set(), "bench": set()}
    measure = bench.evaluate

    def evaluate(*arguments: Any, **options: Any) -> Any:
        threads["bench"].add(threading.current_thread())
        return measure(*arguments, **options)

    class Watched(Scripted):
        concurrent = True

        def play(self, env: PassEnv) -> ExitReason | None:
            threads["author"].add(threading.current_thread())
            barrier.wait(20)  # all are at work at once
            return super().play(env)

    barrier = threading.Barrier(4)
    bench.evaluate = evaluate  # type: ignore[method-assign]
    found = play(Watched(EPISODE), jobs=4, attempts=2)
    assert found["AS"] == pytest.approx(1.5)
    assert threads["bench"] == {threading.main_thread()}
    assert len(threads["author"]) == 4


def test_ctrl_c_stops_all_threads_and_the_run_goes_on(play: Callable, tmp_path: Path, bench: FakeWorkbench) -> None:
    bench.fails = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        play(EPISODE, jobs=2)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("episode-")]
    ends = [episode(tmp_path, task)[-1] for task in ("bloom_gelu", "gpt2_gelu_new")]
    assert {end.exit_reason for end in ends} == {ExitReason.INTERRUPTED}
    bench.fails = None
    assert play(EPISODE, jobs=2)["AS"] == pytest.approx(1.5)


def test_a_machine_that_fails_in_threads_stops_the_run(play: Callable, bench: FakeWorkbench) -> None:
    bench.fails = InfrastructureError("the device is gone")
    with pytest.raises(InfrastructureError, match="device is gone"):
        play(EPISODE, jobs=2)
    bench.fails = None
    assert play(EPISODE, jobs=2)["tasks_done"] == 2


def test_authors_that_compute_play_one_at_a_time(play: Callable) -> None:
    author = Scripted(EPISODE)
    author.concurrent = False
    with pytest.raises(UsageError, match="one episode at a time"):
        play(author, jobs=2)


# --- bad input and dry runs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (lambda tasks: tasks / "nowhere", "no such directory"),
        (lambda tasks: next(tasks.rglob("model.py")).parent, "is a graph, not a task"),
    ],
)
def test_paths_that_hold_no_task_are_refused_before_anything_is_written(
    play: Callable, tasks: Path, tmp_path: Path, where: Callable, words: str
) -> None:
    with pytest.raises(UsageError) as failed:
        play(EPISODE, path=where(tasks))
    assert words in str(failed.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("seed", ["nowhere", "other-run"])
def test_seeds_that_are_none_are_refused_before_anything_is_written(play: Callable, tmp_path: Path, seed: str) -> None:
    (tmp_path / "other-run" / "tasks" / "gpt2_gelu_new").mkdir(parents=True)
    with pytest.raises(UsageError, match=r"no such seed|has no task bloom_gelu"):
        play(EPISODE, seed_from=str(tmp_path / seed))
    assert not (tmp_path / "run").exists()


def test_a_dry_run_says_what_is_left_and_writes_nothing(play: Callable, tasks: Path, tmp_path: Path) -> None:
    file = actions_file(tmp_path / "actions.json", EPISODE)
    request = request_for(tasks, tmp_path, f"replay:{file}")
    assert [row["attempts"] for row in dry_run(request)["tasks"]] == [["new"], ["new"]]
    assert not (tmp_path / "run").exists()

    def interrupt(progress: RunProgress) -> None:
        if progress.task == "gpt2_gelu_new":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(EPISODE, report=interrupt)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert [row["attempts"] for row in dry_run(request)["tasks"]] == [["finished"], ["unfinished"]]
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
