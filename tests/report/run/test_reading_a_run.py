"""What a reader of a run asks first: which tasks lose, by what, and which figures are worth nothing."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from passnet.bench.record.records import LEAST_BUSY_US, GraphRecord
from passnet.report.run.build import write_report
from passnet.report.run.caution import caution_grid
from passnet.report.run.data import page_data
from passnet.report.run.episodes import AtK
from passnet.report.run.figures import run_figures, verdict
from passnet.report.run.kernels import kernel_times, why_no_times
from passnet.report.run.losses import against_eager, losing_tables, losses_in_words
from passnet.report.run.lost import BELOW, FAILS, PARTLY, SLOW, UNSCORED, column_of, lost_by
from passnet.report.run.payload import Blocks
from passnet.report.run.reading import RunData, read_runs
from passnet.report.run.reasons import reason
from passnet.report.run.sections import (
    RunView,
    convention_grid,
    environment_grid,
    group_grid,
    regime_grid,
    summary_grid,
)
from passnet.report.run.sections import missing as missing_of
from passnet.report.run.sentences import Link, Sentence, plain
from passnet.report.run.sources import NOT_CAPTURED, NOT_TIMED, find_sources
from passnet.report.run.tables import DataTable, graph_table, task_table
from passnet.report.run.tasks import task_block
from passnet.report.run.titles import task_titles
from passnet.report.run.units import in_units, ranges
from passnet.score import Outcome
from tests.report.run_directories import Named, named, record, tasks_at, timing, write_evaluation

TEXTS = {"passes": True, "sources": True}
SLOW_WAYS = {"deployed_speedup": 0.9, "cold_speedup": 0.8}


def view_of(path: Path, root: Path | None = None, number: int = 0) -> RunView:
    [run] = read_runs([path])
    sources = find_sources(run, root or path.parent)
    return RunView(number, run, sources, run_figures(sources), (), AtK((), (), 0))


def cut_of(dtype: str, model: str = "llama4") -> str:
    return f"fusible_subgraphs/{dtype}/5/samples/transformers/{model}/_decomposed/{model}_start280_end286_0"


def on_gpu(task: str, graph: str, outcome: Outcome = Outcome.CORRECT, **fields: Any) -> GraphRecord:
    return record(Named(task, graph), random.Random(0), outcome, **fields).model_copy(update={"device": "cuda"})


def gpu_timing(speedup: float, eager: float | None, compiled: float | None, **more: Any) -> Any:
    busy = eager / compiled if eager is not None and compiled is not None else None
    fields = {"eager_busy_us": eager, "compiled_busy_us": compiled, "busy_speedup": busy, "launch_us": 100.0}
    return timing(speedup, random.Random(0), **(fields | more))


@pytest.fixture
def losing(tmp_path: Path) -> RunView:
    """Tasks that lose in every way: by failing, by being slower, by some graphs, by one way of calling, or unjudged."""
    draw = random.Random(4)
    rows = [
        record(Named("wins", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw)),
        record(Named("slower", "g"), draw, Outcome.CORRECT, timing=timing(0.5, draw, **SLOW_WAYS)),
        record(Named("wrong", "g0"), draw, Outcome.ACCURACY, detail="output 0 is off by 3\nand more"),
        record(Named("wrong", "g1"), draw, Outcome.CORRECT, timing=timing(0.9, draw)),
        record(Named("cold", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw, cold_speedup=0.5)),
        record(Named("unknown", "g"), draw, Outcome.UNSTABLE),
        record(Named("partly", "g0"), draw, Outcome.CORRECT, timing=timing(90.0, draw)),
        record(Named("partly", "g1"), draw, Outcome.CORRECT, timing=timing(0.5, draw)),
    ]
    return view_of(write_evaluation(tmp_path / "run", rows))


def cells(table: DataTable, key: str) -> dict[str, Any]:
    """Task -> its cell in a column."""
    keys = [column.key for column in table.columns]
    return {str(row[keys.index("task")]): row[keys.index(key)] for row in table.rows}


def test_each_task_says_by_what_it_loses(losing: RunView) -> None:
    assert lost_by(losing.run) == {
        "wins": [],
        "slower": [BELOW, SLOW, "slower, direct", "slower, deployed", "slower, cold"],
        "wrong": [BELOW, FAILS, "slower, direct", "slower, deployed", "slower, cold"],
        "cold": ["slower, cold"],
        "unknown": [UNSCORED],
        "partly": [PARTLY],
    }


def test_every_count_of_a_sentence_leads_to_as_many_rows(losing: RunView) -> None:
    column = cells(task_table([losing.sources]), column_of(losing.run))
    sentences: list[Sentence] = [*losses_in_words([losing]), *against_eager([losing])]
    links = [part for sentence in sentences for part in sentence if isinstance(part, Link)]
    counts = [link for link in links if link.address.startswith("#tasks?")]
    assert len(counts) == 3
    for link in counts:
        given = parse_qs(link.address.partition("?")[2])
        [word], shown = given.pop(f"f.{column_of(losing.run)}"), given.pop("show", [])
        assert not given and shown == ([f"{word.removeprefix('slower, ')} run"] if word != "slower, direct" else [])
        assert int(link.text) == sum(word in words for words in column.values()) > 0
    assert "2 of 5 scored tasks lose" in plain(sentences[0])
    places = [link for link in links if link.address.startswith("#losing-0")]
    assert [link for link in links if link not in (*counts, *places)] == [Link("unknown", "#task?name=unknown")]
    [table] = losing_tables([losing])
    rows = {f"#{group.id}": len(group.tasks) for group in table.groups}
    below = Link("2", f"#{table.id}")
    assert {link.address: int(link.text) for link in places if link != below} == rows and below in places
    assert table.title == (
        "4 of 6 tasks: 2 with an AS below 1, 1 more with a graph that fails or is surely slower, 1 without a score"
    )


def test_failures_of_others_lead_to_their_graphs(losing: RunView) -> None:
    [note] = [note for note in missing_of(losing, several=False) if "left out of the score" in plain(note)]
    assert Link("1", "#graphs?f.outcome=unstable") in note
    [note] = [note for note in missing_of(losing, several=True) if "left out of the score" in plain(note)]
    assert Link("1", "#graphs?f.outcome=unstable&f.run=run") in note


def test_the_table_of_tasks_begins_with_the_losers_and_says_why(losing: RunView) -> None:
    table = task_table([losing.sources])
    assert table.sort == "AS run"
    assert [column.key for column in table.columns if column.rising] == ["AS run"]
    why, worst = cells(table, "why"), cells(table, "worst")
    assert why["wins"] is None and why["cold"] is None
    assert why["unknown"].startswith("g: unstable: ")
    assert why["wrong"].startswith("g0: accuracy: output 0 is off by 3; ")
    assert why["slower"].startswith("g: surely slower: 2.00 times eager's time")
    assert worst == {
        "wins": "surely faster", "slower": "surely slower", "wrong": "accuracy", "cold": "surely faster",
        "unknown": "unstable", "partly": "surely slower",
    }  # fmt: skip


def test_the_table_of_graphs_shows_what_matters_and_hides_the_rest(losing: RunView) -> None:
    table = graph_table([losing.sources])
    shown = [column.key for column in table.columns if not column.optional]
    assert shown == ["task", "graph", "speedup", "why", "outcome", "verdict", "interval"]
    assert table.sort == "AS"
    assert [str(row[0]) for row in table.rows] == sorted(str(row[0]) for row in table.rows)


def test_a_card_gives_the_reason_of_the_table(tmp_path: Path) -> None:
    draw = random.Random(4)
    slow = record(Named("t", "g"), draw, Outcome.CORRECT, timing=timing(0.5, draw), detail="a note of the bench")
    view = view_of(write_evaluation(tmp_path / "run", [slow]))
    [card] = task_block("t", [view.sources], TEXTS)["runs"][0]["graphs"]
    assert card["why"] == reason(slow) and card["detail"] == "a note of the bench"
    assert verdict(slow) == "surely slower"


def test_a_task_has_a_name_that_a_person_knows(tmp_path: Path) -> None:
    directories = tasks_at(tmp_path / "tasks", 1)
    here = [record(one, random.Random(0), Outcome.CORRECT) for one in named(directories, 1)]
    cut = [record(Named("0cf98198dfbc", cut_of("float32")), random.Random(0), Outcome.CORRECT)]
    plain_one = [record(Named("t", "g"), random.Random(0), Outcome.CORRECT)]
    view = view_of(write_evaluation(tmp_path / "run", [*here, *cut, *plain_one], paths=["tasks"]), tmp_path)
    titles = task_titles([view.sources])
    assert titles["0cf98198dfbc"] == "llama4_start280_end286_0"
    assert "layer_norm" in titles[directories[0].name]
    assert "t" not in titles
    assert page_data([view], Blocks())[0]["titles"] == titles
    assert cells(graph_table([view.sources]), "graph")["0cf98198dfbc"] == "float32/5"


def test_the_losing_table_names_the_model(tmp_path: Path) -> None:
    draw = random.Random(0)
    lost = record(Named("0cf98198dfbc", cut_of("float32")), draw, Outcome.CORRECT, timing=timing(0.5, draw))
    run = write_evaluation(tmp_path / "run", [lost])
    text = write_report([run], tmp_path / "page.html", root=tmp_path).path.read_text()
    [found] = losing_tables([view_of(run)])
    assert found.groups[0].tasks[0].title == "llama4_start280_end286_0"
    table = text[text.index('id="losses"') :].partition("</table>")[0]
    assert '>0cf98198dfbc</a><span class="title">llama4_start280_end286_0</span>' in table


@pytest.fixture
def on_device(tmp_path: Path) -> RunView:
    """Graphs of a GPU: two that can be resolved, one whose device time is too short, a failure, and one uncaptured."""
    work = {"bound_us": 5.0, "bound_by": "memory"}
    rows = [
        on_gpu("a", cut_of("float32"), timing=gpu_timing(2.0, 40.0, 20.0, **work)),
        on_gpu("a", cut_of("float16"), timing=gpu_timing(2.0, 40.0, 4.0, **work)),
        on_gpu("b", cut_of("float32"), timing=gpu_timing(3.0, 12.6, LEAST_BUSY_US, **work)),
        on_gpu("c", cut_of("float32"), timing=gpu_timing(3.0, 40.0, 20.0, **work)),
        on_gpu("d", cut_of("float32"), Outcome.COMPILE_ERROR),
        on_gpu("e", cut_of("float32"), timing=gpu_timing(1.5, None, None, not_captured="eager: no copy in a capture")),
    ]
    return view_of(write_evaluation(tmp_path / "run", rows, device="cuda"))


def test_a_device_time_that_is_too_short_has_no_figure(on_device: RunView) -> None:
    device = {row[0]: row[1:] for row in convention_grid([on_device]).rows}["device (3 of 5 right graphs)"]
    assert device[0].startswith("3.420 [")  # of 2, 10 and 2
    said = "1 right graph is left out of device: a device time of at most 0.3 us is too little to resolve."
    assert said in convention_grid([on_device]).note and said not in regime_grid([on_device]).note
    table = graph_table([on_device.sources])
    assert cells(table, "device")["b"] == "<= 0.3 us" and cells(table, "bound")["b"] is None
    assert cells(table, "device")["c"] == 2.0 and cells(table, "bound")["c"] == 0.25
    [card] = task_block("b", [on_device.sources], TEXTS)["runs"][0]["graphs"]
    facts = dict(card["facts"])
    assert facts["device time"] == "eager 12.6 us, the candidate <= 0.3 us, too little to resolve"
    assert facts["least time of the work"] == "5 us by memory; 40 % of what eager takes"
    assert card["speeds"]["device"] == "<= 0.3 us"


def test_what_is_above_the_bound_is_a_line_and_no_rows(on_device: RunView) -> None:
    grid = caution_grid([on_device])
    assert "1 candidate is above 100 % of the bound: it counts the device's memory, and a cache" in grid.note
    assert not any("bound" in row[-1] for row in grid.rows)


def test_one_quantity_has_one_interval(on_device: RunView) -> None:
    summary = {row[0]: row[1] for row in summary_grid([on_device]).rows}["speedup"]
    conventions = {row[0]: row[1] for row in convention_grid([on_device]).rows}["direct"]
    regimes = {row[0]: row[1:] for row in regime_grid([on_device]).rows}["direct"]
    assert summary == conventions == regimes[0] and "[" in summary
    launch = {row[0]: row[3] for row in group_grid([on_device]).rows}["regime launch"]
    heads = regime_grid([on_device]).columns[1:]
    assert regimes[list(heads).index("launch")] == launch and "[" in launch


def test_a_regime_that_nobody_knows_says_why(on_device: RunView) -> None:
    regimes = cells(graph_table([on_device.sources]), "regime")
    assert regimes["d"] == NOT_TIMED == "not timed"
    assert regimes["e"] == NOT_CAPTURED == "not captured"
    note = group_grid([on_device]).note
    assert note == (
        "Not timed: the graph failed before a time was measured. Not captured: no CUDA graph could be made, so nobody "
        "knows the regime: 1 because eager: no copy in a capture."
    )
    assert "unknown" not in regimes.values()
    assert list(regime_grid([on_device]).columns) == ["convention", "all", "launch", "not captured"]


def test_many_doubtful_graphs_are_counted_and_some_shown(tmp_path: Path) -> None:
    draw = random.Random(1)
    wide = {"speedup_ci": (1.0, 4.0), "precision": 0.02, "ended": "limit"}
    rows = [
        record(Named(f"t{n}", cut_of(dtype)), draw, Outcome.CORRECT, timing=timing(2.0, draw, **wide))
        for n in range(8)
        for dtype in ("float32", "float16")
    ]
    run = write_evaluation(tmp_path / "run", rows)
    grid = caution_grid([view_of(run)])
    assert grid.title == "16 graphs to read with care; the 12 with the most doubts, the table of graphs has all"
    assert [row[1] for row in grid.rows[:2]] == ["float32", "float16"]
    text = write_report([run], tmp_path / "page.html", root=tmp_path).path.read_text()
    box = text[text.index('id="missing"') :].partition("</ul>")[0]
    assert '<a href="#care">16 graphs to read with care</a>' in box
    assert '<a href="#graphs?f.care=read+with+care&amp;show=care">16</a>' in box
    keys = [column.key for column in graph_table([view_of(run).sources]).columns]
    found = [row[keys.index("care")] for row in graph_table([view_of(run).sources]).rows]
    assert found == [["read with care", "wide interval"]] * 16


def test_one_run_is_named_once(losing: RunView, tmp_path: Path) -> None:
    text = write_report([losing.run.path], tmp_path / "page.html", root=tmp_path).path.read_text()
    body = text[text.index("<main") : text.index("<script")]
    lines = re.findall(r"<(?:li|caption|figcaption)>(.*?)</", body)
    assert lines and not any("run: " in line or line.endswith(": run") for line in lines)
    assert not re.search(r'<th scope="col">run</th><th scope="col">(group|graphs)', body)
    two = write_evaluation(tmp_path / "two", [record(Named("wins", "g"), random.Random(4), Outcome.CORRECT)])
    both = write_report([losing.run.path, two], tmp_path / "both.html", root=tmp_path).path.read_text()
    assert "run: " in both and '<th scope="col">run</th>' in both


def test_a_speedup_stands_right_beside_its_way_of_calling_and_run(losing: RunView, tmp_path: Path) -> None:
    two = view_of(write_evaluation(tmp_path / "two", losing.run.records), number=1)
    for make in (convention_grid, regime_grid):
        assert make([losing]).rows[0][0].startswith("direct")
        grid = make([losing, two])
        assert grid.columns[0] == "convention" and grid.rows[0][0].startswith("run: direct")
        assert grid.columns[1] in ("speedup", "all") and grid.rows[0][1][0].isdigit()
        assert any(row[0].startswith("two: direct") for row in grid.rows)


def test_kinds_are_groups_also_where_no_metadata_is_at_hand(tmp_path: Path) -> None:
    piece = "float32/0/samples/timm/a/_decomposed/x"
    names = [piece, f"fusible_subgraphs/{piece}"]
    rows = [record(Named(f"t{n}", name), random.Random(n), Outcome.CORRECT) for n, name in enumerate(names)]
    run = write_evaluation(tmp_path / "run", rows)
    assert {"kind subgraph", "kind fusible"} <= {row[0] for row in group_grid([view_of(run)]).rows}
    text = write_report([run], tmp_path / "page.html", root=tmp_path).path.read_text()
    assert "Speedups by kind" in text


def kernels_of(found: Any, compiler: str = "passes", protocol: Any = None) -> tuple[Any, Any]:
    run = RunData(Path("run"), "run", {"protocol": protocol}, {}, (found,), (), (), ())
    found = found.model_copy(update={"compiler": compiler})
    return kernel_times(found), why_no_times(run, found)


def test_time_by_kernel_stands_beside_the_least_time_of_the_work() -> None:
    figures = gpu_timing(2.0, 40.0, 20.0, bound_us=4.0, bound_by="memory")
    seen = {"kernels": ("short", "long"), "kernel_us": {"short": 2.0, "long": 8.0}}
    times, why = kernels_of(on_gpu("task", "graph", timing=figures, **seen))
    assert why is None
    assert times["kernels"] == [["long", 8.0], ["short", 2.0]] and times["left_out"] == 0
    assert (times["sum_us"], times["device_us"], times["bound_us"], times["bound_by"]) == (10.0, 20.0, 4.0, "memory")
    short = gpu_timing(2.0, 40.0, LEAST_BUSY_US, bound_us=4.0, bound_by="memory")
    assert kernels_of(on_gpu("task", "graph", timing=short, **seen))[0]["device_us"] is None
    many = {f"kernel_{number}": 1.0 for number in range(50)}
    times, _ = kernels_of(on_gpu("task", "graph", timing=figures, kernels=tuple(many), kernel_us=many))
    assert (len(times["kernels"]), times["left_out"], times["sum_us"]) == (40, 10, 50.0)


def test_why_there_is_no_time_by_kernel() -> None:
    graph = on_gpu("task", "graph", timing=gpu_timing(2.0, 40.0, 20.0))
    on_cpu = record(Named("task", "graph"), random.Random(0), Outcome.CORRECT)
    wrong = on_gpu("task", "graph", Outcome.ACCURACY)
    said = {
        "none on a CPU": kernels_of(on_cpu),
        "none: of each task one graph is profiled": kernels_of(graph, protocol={"profiled": "one"}),
        "none: the record has no profile": kernels_of(graph),
        "none: only passes run under the profiler, not inductor": kernels_of(graph, "inductor"),
        "none: it ended as accuracy before a profile was made": kernels_of(wrong, protocol={"profiled": "one"}),
        "none: the record is older than this figure": kernels_of(graph.model_copy(update={"kernels": ("k",)})),
        "none: the profiler saw no kernel in the wrappers of the passes": kernels_of(
            graph.model_copy(update={"kernels": ()})
        ),
    }
    assert said == {words: (None, words) for words in said}


def test_a_drawing_says_for_which_graphs_it_stands(tmp_path: Path) -> None:
    [directory] = tasks_at(tmp_path / "tasks", 1)
    records = [record(one, random.Random(0), Outcome.CORRECT) for one in named([directory], 3)]
    view = view_of(write_evaluation(tmp_path / "run", records, paths=["tasks"]), tmp_path)
    sources = task_block(directory.name, [view.sources], TEXTS)["sources"]
    names = [name for source in sources for name, _ in source["variants"]]
    drawn = [source["stands_for"] for source in sources if source["drawing"] is not None]
    assert len(names) == 3 and [name for some in drawn for name in some] == names
    assert all(source["stands_for"] == [] for source in sources if source["drawing"] is None)


def test_facts_of_the_machine_have_units(tmp_path: Path) -> None:
    assert ranges([3, 0, 1, 2, 8]) == "0-3, 8"
    assert in_units("allowed_cores", list(range(16, 64))) == "16-63 (48 cores)"
    assert in_units("memory_bytes", 540908769280) == "503.8 GiB"
    assert in_units("malloc", {"MALLOC_TOP_PAD_": "268435456"}) == "MALLOC_TOP_PAD_ 256 MiB"
    assert in_units("malloc", {"MALLOC_TOP_PAD_": "1" * 5000}) == f"MALLOC_TOP_PAD_ {'1' * 5000}"
    assert in_units("memory_bytes", 10**400) == str(10**400)
    strange = {"allowed_cores": ["x"], "memory_bytes": True, "malloc": [1], "cpu_bytes": "many"}
    assert [in_units(name, value) for name, value in strange.items()] == ["['x']", "True", "[1]", "many"]
    assert in_units("cpu", None) == "-"
    run = write_evaluation(tmp_path / "run", [record(Named("t", "g"), random.Random(0))])
    (run / "environment.json").write_text('{"memory_bytes": 1024, "allowed_cores": [0, 1]}')
    rows = {row[0]: row[1] for row in environment_grid([view_of(run)]).rows}
    assert rows["memory_bytes"] == "1 KiB" and rows["allowed_cores"] == "0-1 (2 cores)"
