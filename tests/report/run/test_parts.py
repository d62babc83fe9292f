"""The parts of the report: pictures of graphs, edits of files, commands, names, figures of episodes and groups."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.env.env import PassEnv
from passnet.agent.record.records import EpisodeStep, steps_of
from passnet.graph import Graph, Task
from passnet.report.run import drawing
from passnet.report.run.build import write_report
from passnet.report.run.commands import measure_command, task_command
from passnet.report.run.episodes import FLOOR, at_k, figures_of, mean_course
from passnet.report.run.figures import FASTER, SLOWER, TIE, run_figures, verdict
from passnet.report.run.file_edits import EditedFiles, diff
from passnet.report.run.names import short_names
from passnet.report.run.reading import read_runs
from passnet.report.run.reasons import reason
from passnet.report.run.sections import RunView, regime_grid
from passnet.report.run.sources import find_sources
from passnet.report.run.tables import graph_table
from passnet.report.run.tasks import task_block
from passnet.score import Outcome
from tests.agent.agent_helpers import FakeWorkbench, task_copy
from tests.graph.graph_helpers import graph_of, spec
from tests.report.run_directories import BUNDLED, Named, named, record, tasks_at, timing, write_agent, write_evaluation

TEXTS = {"passes": True, "sources": True}


def graph(task: str = "bert_add_norm") -> Graph:
    return Task.read(BUNDLED / task).refs[0].load()


@pytest.mark.parametrize("task", sorted(path.name for path in BUNDLED.iterdir() if path.is_dir()))
def test_every_bundled_graph_has_a_picture_without_overlaps(task: str) -> None:
    picture = drawing.draw(graph(task))
    assert picture is not None
    boxes = [mark.at for mark in picture.marks if "node" in str(mark.at["class"])]
    ops = len(graph(task).statements())
    assert ops <= len(boxes) <= ops + len(graph(task).specs)
    for number, one in enumerate(boxes):
        assert float(one["x"]) >= 0 and float(one["x"]) + float(one["width"]) <= picture.width
        for other in boxes[number + 1 :]:
            apart = abs(float(one["x"]) - float(other["x"])) >= min(float(one["width"]), float(other["width"])) - 0.2
            assert one["y"] != other["y"] or apart


def test_edges_lead_downwards() -> None:
    picture = drawing.draw(graph())
    assert picture is not None
    edges = [str(mark.at["d"]) for mark in picture.marks if mark.at["class"] == "edge"]
    assert edges
    for edge in edges:
        numbers = [float(part) for part in edge[1:].replace("C", " ").split()]
        assert numbers[1] < numbers[-1]


def test_no_edge_runs_behind_the_box_of_another_operation() -> None:
    """`tanh` of the input meets the result of two operations on it, two layers below."""
    body = ("a = torch.tanh(y)", "b = x * 2", "c = b.detach()", "d = c.view(4)", "e = d * a", "return (e,)")
    picture = drawing.draw(graph_of([spec(name, 4) for name in "xy"], *body))
    assert picture is not None
    boxes = [mark.at for mark in picture.marks if "node" in str(mark.at["class"])]
    edges = [str(mark.at["d"]) for mark in picture.marks if mark.at["class"] == "edge"]
    assert len(edges) == 6 + 2 * 2
    for edge in edges:
        x, top, *_, to_x, bottom = (float(part) for part in edge[1:].replace("C", " ").split())
        for box in boxes:
            left, above = float(box["x"]), float(box["y"])
            passes = top < above + float(box["height"]) - 1 and bottom > above + 1
            inside = min(x, to_x) < left + float(box["width"]) and max(x, to_x) > left
            assert not (passes and inside), (edge, box)
    assert [str(box["class"]) for box in boxes].count("node view") == 2  # `detach` too


def test_windows_are_a_view_as_a_method_and_a_copy_as_a_function() -> None:
    copied = "b = torch.nn.functional.unfold(x, kernel_size=2)"
    for line, kind in (("b = x.unfold(3, 2, 1)", "view"), (copied, "pointwise")):
        picture = drawing.draw(graph_of([spec("x", 1, 2, 4, 4)], line, "return (b,)"))
        assert picture is not None
        classes = [str(mark.at["class"]) for mark in picture.marks]
        assert [name for name in classes if "output" in name] == [f"node {kind} output"]


def test_a_graph_too_large_to_be_read_has_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_NODES", 2)
    assert drawing.draw(graph()) is None


def test_edits_lead_to_the_files_that_the_environment_has(tmp_path: Path) -> None:
    seen: list[Any] = []
    env = PassEnv(FakeWorkbench(), tmp_path / "episode", sink=seen.append)
    env.reset(task_copy(tmp_path), {"B.py": "one\ntwo\n"})
    for name, arguments in [
        ("create", {"path": "A.py", "text": "a\nb\nc"}),
        ("str_replace", {"path": "A.py", "old": "b", "new": "x\ny"}),
        ("insert", {"path": "A.py", "line": 4, "text": "last"}),
        ("insert", {"path": "B.py", "line": 0, "text": "zero\n"}),
        ("str_replace", {"path": "B.py", "old": "nothing", "new": "x"}),
        ("create", {"path": "C.py", "text": "c"}),
        ("delete", {"path": "C.py"}),
    ]:
        env.call(name, arguments)
    files = EditedFiles(dict(seen[0].seed_files))
    changes = [files.apply(step) for step in seen if isinstance(step, EpisodeStep)]
    assert files.files == env.files()
    assert [change["path"] if change else None for change in changes] == [
        "A.py",
        "A.py",
        "A.py",
        "B.py",
        None,
        "C.py",
        "C.py",
    ]


def test_a_diff_has_signs_and_a_bound() -> None:
    assert diff("a\nb\nc\n", "a\nx\nc\n") == ["@ -1,3 +1,3", " a", "-b", "+x", " c"]
    assert diff("same\n", "same\n") == []
    assert "too long" in diff("a\n" * 5000, "b\n")[0]


def test_names_keep_what_tells_graphs_apart() -> None:
    names = [f"float{bits}/{n}/samples/Bert/Bert_{n}" for bits in (16, 32) for n in (0, 1)]
    assert list(short_names(names).values()) == ["float16/0", "float16/1", "float32/0", "float32/1"]
    same_dtype = ["float32/0/samples/Bert/x", "float32/1/samples/Bert/x"]
    assert list(short_names(same_dtype).values()) == ["float32/0", "float32/1"]
    cut = [f"fusible_subgraphs/{dtype}/5/samples/timm/vit/_decomposed/vit_1" for dtype in ("float32", "bfloat16")]
    assert list(short_names(cut).values()) == ["float32", "bfloat16"]
    assert list(short_names(cut[:1]).values()) == ["float32/5"]
    assert short_names(["a/b", "a"]) == {"a/b": "a/b", "a": "a"}
    assert short_names(["float32/0/samples/Bert/x"]) == {"float32/0/samples/Bert/x": "float32/0"}
    assert short_names(["x\u202e", "y"]) == {"x\u202e": "x\\u202e", "y": "y"}


def test_commands_have_the_settings_of_the_run(tmp_path: Path) -> None:
    directory = tasks_at(tmp_path / "my tasks", 2)[0]
    records = [record(one, random.Random(0)) for one in named([directory], 1)]
    settings = {"paths": [str(directory.parent)], "compiler": "passes+inductor", "graphs": 1}
    [run] = read_runs([write_evaluation(tmp_path / "run", records, **settings)])
    command = task_command(run, directory.name)
    assert command == f"passnet eval '{directory}' --device cpu --compiler passes+inductor --precision 2% --graphs 1"
    agent = {"author": "distill", "budget": {"steps": 9, "evaluations": 0}, "seed_from": "task"}
    [played] = read_runs([write_agent(tmp_path / "agent", records, 3, random.Random(0), **agent)])
    assert measure_command(played, ["a;b"]) == (
        "passnet agent 'a;b' --device cpu --author distill --attempts 3 --max-steps 9 --seed-from task --precision 2%"
    )


def test_a_task_of_a_list_has_a_command_of_its_own(tmp_path: Path) -> None:
    """The list names many. The task is where the list has it, below the directory from which the run was started."""
    directory = tasks_at(tmp_path / "tasks", 2)[0]
    (tmp_path / "tasks.txt").write_text("".join(f"tasks/{path.name}\n" for path in directory.parent.iterdir()))
    records = [record(one, random.Random(0)) for one in named([directory], 1)]
    [run] = read_runs([write_evaluation(tmp_path / "run", records, paths=["tasks.txt"])])
    sources = find_sources(run, tmp_path)
    command = task_command(run, directory.name, sources.place(directory.name))
    assert command.startswith(f"passnet eval tasks/{directory.name} --device cpu")
    assert sources.place("another") is None
    elsewhere = find_sources(run, tmp_path / "tasks")
    assert elsewhere.place(directory.name) is None


def test_the_course_of_an_episode_rises_from_the_floor(tmp_path: Path) -> None:
    records = [record(Named(f"t{n}", "g"), random.Random(0), Outcome.CORRECT) for n in range(2)]
    [run] = read_runs([write_agent(tmp_path / "run", records, 2, random.Random(5))])
    figures = [figures_of(run, episode) for episode in run.episodes]
    for one, episode in zip(figures, run.episodes, strict=True):
        values = [score for _, score in one.course]
        scores = [s.observation.score for s in steps_of(list(episode.records)) if s.observation.score is not None]
        assert values[0] == FLOOR and values == sorted(values) and values[-1] == max(scores) == one.score
    mean = mean_course(figures)
    assert mean[-1][1] == pytest.approx(sum(one.score or 0 for one in figures) / 4)
    k = at_k(run, figures)
    assert (len(k.best), k.tasks, k.passed) == (2, 2, (1.0, 1.0))
    assert k.best[0][0] == pytest.approx(mean[-1][1]) and k.best[0][0] < k.best[1][0]
    assert k.best[1][1] <= k.best[1][0] <= k.best[1][2]


def test_the_mean_course_of_many_steps_is_made_in_one_go(tmp_path: Path) -> None:
    records = [record(Named("t", "g"), random.Random(0), Outcome.CORRECT)]
    [run] = read_runs([write_agent(tmp_path / "run", records, 2, random.Random(5))])
    first, second = (figures_of(run, episode) for episode in run.episodes)
    count = 50_000
    courses = [tuple((step, float(step)) for step in range(count)), ((0, 0.0), (10, 4.0))]
    episodes = [replace(one, course=course) for one, course in zip((first, second), courses, strict=True)]
    mean = mean_course(episodes)
    assert len(mean) == count
    assert mean[9] == (9, 4.5) and mean[10] == (10, 7.0) and mean[-1] == (count - 1, (count - 1 + 4) / 2)


def test_conventions_count_the_graphs_that_have_them(tmp_path: Path) -> None:
    draw = random.Random(2)
    fast = timing(2.0, draw, deployed_speedup=1.5, cold_speedup=None)
    records = [
        record(Named("a", "g"), draw, Outcome.CORRECT, timing=fast),
        record(
            Named("b", "g"), draw, Outcome.CORRECT, timing=timing(8.0, draw, deployed_speedup=None, cold_speedup=None)
        ),
        record(Named("c", "g"), draw, Outcome.TIMEOUT),
    ]
    [run] = read_runs([write_evaluation(tmp_path / "run", records)])
    found = {row.name: row for row in run_figures(find_sources(run, tmp_path)).conventions}
    assert list(found) == ["direct", "deployed"]
    assert (found["deployed"].known, found["deployed"].right) == (1, 2)
    assert found["direct"].figures["speedup_gmean"].value == pytest.approx(4.0)
    assert found["deployed"].figures["speedup_gmean"].value == pytest.approx(1.5)


def test_conventions_are_split_by_regime_and_a_missing_one_says_so(tmp_path: Path) -> None:
    draw = random.Random(2)
    none = {"deployed_speedup": None, "cold_speedup": None}
    busy = {"captured_speedup": 1.5, "busy_speedup": 3.0, "eager_busy_us": 40.0, "compiled_busy_us": 20.0}
    work = timing(2.0, draw, launch_us=10.0, bound_us=10.0, bound_by="memory", **none, **busy)
    launch = timing(8.0, draw, launch_us=10.0, eager_busy_us=4.0, **none)
    records = [
        record(Named("a", "g"), draw, Outcome.CORRECT, timing=work).model_copy(update={"device": "cuda"}),
        record(Named("b", "g"), draw, Outcome.CORRECT, timing=launch).model_copy(update={"device": "cuda"}),
        record(Named("c", "g"), draw, Outcome.TIMEOUT),
    ]
    place = write_evaluation(tmp_path / "run", records)
    [run] = read_runs([place])
    sources = find_sources(run, tmp_path)
    view = RunView(0, run, sources, run_figures(sources), (), at_k(run, ()))
    grid = regime_grid([view])
    assert list(grid.columns) == ["convention", "all", "launch", "work"]
    rows = {row[0]: list(row[1:]) for row in grid.rows}
    assert rows["direct"][1:] == ["8.000", "2.000"] and rows["direct"][0].startswith("4.000 [")
    assert rows["deployed"] == ["not measured"] * 3
    assert rows["captured"] == ["1.500 (of 1)", "not measured", "1.500"]
    assert rows["device"] == ["3.000 (of 1)", "not measured", "3.000"]
    assert rows["bound: eager"] == ["25.0 % (of 1)", "not measured", "25.0 %"]
    assert rows["bound: candidate"] == ["50.0 % (of 1)", "not measured", "50.0 %"]
    assert rows["right graphs"] == ["2", "1", "1"]
    facts = dict(task_block("a", [sources], TEXTS)["runs"][0]["graphs"][0]["facts"])
    assert facts["regime"] == "work"
    assert facts["least time of the work"] == (
        "10 us by memory; 25 % of what eager takes, 50 % of what the candidate takes"
    )
    table = graph_table([sources])
    columns = {column.key: number for number, column in enumerate(table.columns)}
    by_task = {row[columns["task"]]: row for row in table.rows}
    assert [by_task["a"][columns[key]] for key in ("bound", "eager_bound", "regime")] == [0.5, 0.25, "work"]
    written = write_report([place], tmp_path / "page.html", root=tmp_path)
    assert "By convention and regime" in written.path.read_text()


def test_groups_are_by_what_the_graphs_say(tmp_path: Path) -> None:
    directories = tasks_at(tmp_path / "tasks", 3)
    records = [record(one, random.Random(1), Outcome.CORRECT) for one in named(directories, 6)]
    [run] = read_runs([write_evaluation(tmp_path / "run", records, paths=["tasks"])])
    sources = find_sources(run, tmp_path)
    groups = {(row.trait, row.value): row.graphs for row in run_figures(sources).groups}
    assert sum(count for (trait, _), count in groups.items() if trait == "dtype") == len(records)
    assert {value for trait, value in groups if trait == "dtype"} == {"float32", "float16", "bfloat16"}
    assert sources.traits(records[0]).library == "transformers"


@pytest.mark.parametrize(("low", "high", "word"), [(1.1, 1.2, FASTER), (0.8, 0.9, SLOWER), (0.9, 1.1, TIE)])
def test_a_verdict_is_by_the_whole_interval(low: float, high: float, word: str) -> None:
    draw = random.Random(0)
    found = record(Named("t", "g"), draw, Outcome.CORRECT, timing=timing(1.0, draw, speedup_ci=(low, high)))
    assert verdict(found) == word


def test_paths_of_a_hostile_run_are_not_searched(tmp_path: Path) -> None:
    """A run may name any path. Only a place that has tasks directly inside is read."""
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    tasks_at(deep, 1)
    for path in (str(tmp_path), "/proc", "/dev/zero", "\x00", "x" * 5000):
        [run] = read_runs(
            [write_evaluation(tmp_path / f"run{len(path)}", [record(Named("t", "g"), random.Random(0))], paths=[path])]
        )
        found = find_sources(run, tmp_path)
        assert found.targets == {}
        assert len(found.problems) == 1


def losing_run(path: Path) -> Any:
    """A run in which one task wins, one is slower, one has a wrong graph, and of one nobody knows anything."""
    draw = random.Random(4)
    rows = [
        record(Named("wins", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw)),
        record(Named("slower", "g"), draw, Outcome.CORRECT, timing=timing(0.5, draw)),
        record(Named("wrong", "g0"), draw, Outcome.ACCURACY, detail="output 0 is off by 3\nand more"),
        record(Named("wrong", "g1"), draw, Outcome.CORRECT, timing=timing(3.0, draw)),
        record(Named("unknown", "g"), draw, Outcome.UNSTABLE),
        record(Named("partly", "g0"), draw, Outcome.CORRECT, timing=timing(90.0, draw)),
        record(Named("partly", "g1"), draw, Outcome.CORRECT, timing=timing(0.5, draw)),
    ]
    return write_evaluation(path, rows)


def test_a_reader_is_told_which_tasks_lose_and_why(tmp_path: Path) -> None:
    text = write_report([losing_run(tmp_path / "mine")], tmp_path / "page.html", root=tmp_path).path.read_text()
    words = re.sub(r"<(a|/a)\b[^>]*>", "", text)
    said = (
        "2 of 4 scored tasks lose against eager (AS below 1): 1 because 1 graph fails (1 accuracy), 1 because 1 graph"
    )
    assert said in words
    places = [
        words.index(text) for text in (said, "What is missing, and what to beware of", "4 of 5 tasks: ", "Scores<")
    ]
    assert places == sorted(places)
    assert "1 more task has an AS of 1 and more, although 1 graph is surely slower." in words
    assert (
        "1 more task has no score, because the reference or the machine failed and not the candidate: unknown" in words
    )
    assert '<a href="#task?name=unknown">unknown</a>' in text
    table = text[text.index("<caption>4 of 5 tasks: 2 with an AS below 1, 1 more with a graph that fails") :].partition(
        "</table>"
    )[0]
    places = [table.index(f"#task?name={name}") for name in ("wrong", "slower", "partly", "unknown")]
    assert places == sorted(places)
    assert (
        'g0 <span class="badge wrong">accuracy</span> output 0 is off by 3</li><li>the other graphs: g1 3.00x<' in table
    )
    assert 'g <span class="badge wrong">surely slower</span> 2.00 times eager&#39;s time: ' in table
    assert "wins" not in table


def test_a_slow_graph_says_whether_its_kernels_or_its_host_are_slow() -> None:
    draw = random.Random(4)
    slow = timing(0.5, draw, eager_us=100.0, compiled_us=200.0)
    named = Named("t", "g")

    def said(**more: Any) -> str:
        return reason(record(named, draw, Outcome.CORRECT, timing=slow.model_copy(update=more)))

    call = "2.00 times eager's time: a call takes 200.0 us, eager's 100.0"
    busy = {"eager_busy_us": 50.0, "compiled_busy_us": 150.0}
    assert said(**busy) == f"{call}; its kernels take 150.0 us, eager's 50.0 (3.0 times)"
    on_cpu = said(**busy, bound_us=3.0, bound_by="memory")
    assert on_cpu.endswith("(3.0 times); the least time of its work is 1.5 % of its time, and 3 % of eager's")
    assert said(eager_busy_us=50.0, compiled_busy_us=60.0) == (
        f"{call}; its kernels take 60.0 us, eager's 50.0 (1.2 times), so most of it is the host's"
    )
    assert "its kernels take <= 0.3 us, too little to resolve, eager's 50.0, so" in said(
        eager_busy_us=50.0, compiled_busy_us=0.3
    )
    assert said(eager_busy_us=None, compiled_busy_us=None) == call
    fast = record(named, draw, Outcome.CORRECT, timing=timing(2.0, draw))
    assert reason(fast) == ""
    missed = record(named, draw, Outcome.NO_MATCH, detail="no rule matched")
    miss = {"rule": "fuse", "reason": "constant tensors differ"}
    assert reason(missed.model_copy(update={"near_misses": (miss,)})).endswith("fuse: constant tensors differ")


def test_a_run_in_which_nothing_loses_says_so(tmp_path: Path) -> None:
    draw = random.Random(4)
    run = write_evaluation(
        tmp_path / "good", [record(Named("wins", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw))]
    )
    text = write_report([run], tmp_path / "page.html", root=tmp_path).path.read_text()
    assert "None of 1 scored task loses against eager (AS below 1)." in text and "What loses" not in text


def test_a_graph_has_one_short_name_in_all_runs(tmp_path: Path) -> None:
    """One run judged less than the other. The link of each row leads to the same graph of the task."""
    draw = random.Random(4)
    both = [record(Named("t", f"float32/{n}/samples/x"), draw, Outcome.CORRECT) for n in (0, 1)]
    runs = read_runs([write_evaluation(tmp_path / "a", both[:1]), write_evaluation(tmp_path / "b", both)])
    table = graph_table([find_sources(run, tmp_path) for run in runs])
    place = [column.key for column in table.columns].index("graph")
    assert [row[place] for row in table.rows] == ["float32/0", "float32/0", "float32/1"]


def test_paths_without_tasks_are_one_sentence(tmp_path: Path) -> None:
    run = write_evaluation(tmp_path / "run", [record(Named("t", "g"), random.Random(1))], paths=list("vwxyz"))
    (found,) = read_runs([run])
    said = find_sources(found, tmp_path).problems
    assert said == ("the tasks of the run are not at hand: no task is now at v, w, x and 2 more",)


def test_bundled_tasks_are_at_hand_by_name(tmp_path: Path) -> None:
    run = write_evaluation(tmp_path / "run", [record(Named("bloom_gelu", "g"), random.Random(1))], paths=["bloom_gelu"])
    (found,) = read_runs([run])
    sources = find_sources(found, tmp_path)
    assert list(sources.targets) == ["bloom_gelu"] and sources.problems == ()
