"""Why tasks and graphs are no win, as a reader has it: no reason contradicts the verdict, and counts add up."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from passnet.bench.record.records import GraphRecord
from passnet.bench.timing.captured import OTHER_OUTPUTS
from passnet.report.run.build import write_report
from passnet.report.run.caution import caution_grid
from passnet.report.run.figures import score_of
from passnet.report.run.losses import legend, losing_tables, losses_in_words, scores_in_words, worked_grid
from passnet.report.run.lost import BELOW, NOISE, PARTLY, lost_by
from passnet.report.run.reasons import reason
from passnet.report.run.sections import RunView, convention_grid, missing
from passnet.report.run.sentences import plain
from passnet.report.run.tables import task_table
from passnet.report.run.tasks import task_block
from passnet.report.run.titles import task_titles
from passnet.report.run.why import task_reason, task_whys
from passnet.score import Outcome
from tests.report.run.test_reading_a_run import TEXTS, cut_of, gpu_timing, on_gpu, view_of
from tests.report.run_directories import Named, record, timing, write_evaluation

HARD = "outputs are right only from t = -1, -5 is asked for: output 0 on hard draws: "


def accuracy(dtype: str, said: str, factor: float | None = None) -> str:
    return reason(record(Named("t", cut_of(dtype)), random.Random(0), Outcome.ACCURACY, detail=said), factor)


def test_an_older_reason_does_not_contradict_its_verdict() -> None:
    """Its element was nearer to the truth than eager's. So the limit was the fixed one."""
    old = "an element is 0.849 of its size off, eager's 3.614; RMS errors up to 1 times eager's"
    assert accuracy("float16", HARD + old) == (
        f"{HARD}an element is beyond the fixed limit (0.1 of its size), which holds where eager is too far off to be a "
        "measure: the record has 0.849, 8.49 times the limit; eager's 3.614"
    )
    other = "output 1: an element is 0.0876 of its size off, eager's 0.08745; RMS errors up to 1 times eager's"
    assert accuracy("float16", other).endswith("by how much was not recorded by the version that judged it")
    assert "fixed limit, which" in accuracy("bfloat16", HARD + old)


def test_an_older_reason_names_the_limit_where_the_rule_has_it() -> None:
    rms = "output 0: an element is 0.009 of its size off, eager's 0.0045; RMS errors up to 1.97 times eager's"
    assert accuracy("float32", rms).endswith(
        "RMS errors are up to 1.97 times eager's; on average 1.25 times are allowed"
    )
    far = "output 0: an element is 0.09 of its size off, eager's 0.01"
    assert accuracy("float32", far) == "output 0: an element is 0.09 of its size off, 9 times eager's 0.01"
    spread = "output 0: an RMS error of 0.002 spreads, eager's 0.0001"
    assert accuracy("float32", spread, 4.0) == (
        "output 0: an RMS error of 0.002 of the outputs' spread, 20 times eager's 0.0001; 4 times or the dtype's "
        "tolerance is allowed"
    )
    assert accuracy("float32", spread).endswith("20 times eager's 0.0001")
    for odd in ("an RMS error of 1.2.3 spreads, eager's 0", "an element is . of its size off, eager's -"):
        assert accuracy("float32", odd) == odd


def test_a_reason_is_not_cut_where_it_was() -> None:
    long = f"{'word ' * 60}the end"
    assert accuracy("float32", long).endswith("the end")
    assert accuracy("float32", "word " * 400).endswith("word…")


@pytest.fixture
def tied(tmp_path: Path) -> RunView:
    """A task whose graphs are ties, one with a tie beside a failure, and one slow graph beside a profiled one."""
    bound = {"bound_us": 9.7, "bound_by": "memory"}
    slow = {"kernels": ("a", "b", "c"), "kernel_us": {"a": 1.0, "b": 6.0, "c": 3.0}}
    rows = [
        on_gpu("tie", cut_of("float32"), timing=gpu_timing(0.99, 10.0, 10.0, speedup_ci=(0.95, 1.03), **bound)),
        on_gpu("tie", cut_of("float16"), timing=gpu_timing(1.0, 10.0, 10.0, speedup_ci=(0.96, 1.04), **bound)),
        on_gpu("mixed", cut_of("float32"), Outcome.NAN_INF, detail="1 NaN"),
        on_gpu("mixed", cut_of("float16"), timing=gpu_timing(1.01, 10.0, 10.0, speedup_ci=(0.96, 1.05))),
        on_gpu("mixed", cut_of("bfloat16"), timing=gpu_timing(3.0, 30.0, 10.0)),
        on_gpu("slow", cut_of("float32"), timing=gpu_timing(0.5, 10.0, 20.0)),
        on_gpu("slow", cut_of("float16"), timing=gpu_timing(0.6, 10.0, 18.0), **slow),
    ]
    return view_of(write_evaluation(tmp_path / "run", rows, device="cuda"))


def test_a_tie_is_counted_apart_from_what_is_slower_and_has_a_reason(tied: RunView) -> None:
    assert {BELOW, NOISE} < set(lost_by(tied.run)["tie"])
    [score] = map(plain, scores_in_words([tied]))
    assert score.startswith("AS 0.") and score.endswith(" by device time.")
    assert re.search(r"; speedup of right graphs over eager: 0\.\d{3} \[.*\] called directly, ", score)
    [said] = map(plain, losses_in_words([tied]))
    assert said == (
        "3 of 3 scored tasks lose against eager (AS below 1): 1 because 1 graph fails (1 nan_inf), 1 because 2 graphs "
        "are surely slower, 1 within the noise of eager (no graph is surely slower)."
    )
    [why] = task_whys(tied.sources, "tie")
    assert (why.graphs, why.badge, why.kind) == ("float32, float16", "tie", "void")
    assert why.words == (
        "at worst (float32) no measurable difference: speedup 0.990, and its interval 0.950 to 1.030 holds 1; the "
        "least time of its work is 97 % of its time, and 97 % of eager's"
    )


def test_the_other_graphs_stand_apart_from_the_reason(tied: RunView) -> None:
    assert task_reason(tied.sources, "mixed") == (
        "float32: nan_inf: 1 NaN; the other graphs: bfloat16 3.00x, float16 1.01x (tie)"
    )


def test_a_slow_task_names_its_slowest_kernels_and_the_graph_that_was_profiled(tied: RunView) -> None:
    [why] = task_whys(tied.sources, "slow")
    assert why.words.endswith("slowest kernels of float16, which was profiled: b 60 %, c 30 %")


def test_one_task_is_worked_through_to_its_score(tied: RunView) -> None:
    grid = worked_grid([tied])
    assert grid is not None and grid.folded and "task mixed worked through" in grid.title
    assert list(grid.columns) == ["tolerance", "weight", "float32", "float16", "bfloat16", "mean"]
    rows = {row[0]: list(map(float, row[1:])) for row in grid.rows}
    assert len(rows) == 15 and rows["t = -5, the level asked for"][1] == 0.1
    total = sum(weight for weight, *_ in rows.values())
    made = 1.0
    for weight, *_, mean in rows.values():
        made *= mean ** (weight / total)
    score = score_of([r for r in tied.run.records if r.task == "mixed"])["AS_gmean"].value
    assert score is not None and made == pytest.approx(score, rel=2e-3) and f"{score:.3f}. So a task" in grid.note


def test_the_words_of_the_table_are_explained_by_the_protocol_of_the_run(tied: RunView) -> None:
    tied.run.settings["protocol"]["fp64_factor"] = 7.0  # type: ignore[index]
    found = legend([tied])
    assert "7.0 times eager's own" in found["RMS error of the spread"]
    assert {"AS", "t", "hard draws", "of its size", "tie, within noise"} <= set(found)


def test_all_losing_tasks_are_reached_where_only_some_are_shown(tmp_path: Path) -> None:
    draw = random.Random(1)
    rows = [record(Named(f"t{n:03d}", "g"), draw, Outcome.CORRECT, timing=timing(0.5, draw)) for n in range(70)]
    [table] = losing_tables([view_of(write_evaluation(tmp_path / "run", rows))])
    assert [len(group.tasks) for group in table.groups] == [60]
    assert plain(table.groups[0].more) == "60 of them are shown here, all 70 in the table of tasks."


def test_a_convention_that_no_row_has_is_not_explained(tied: RunView) -> None:
    note = convention_grid([tied]).note
    assert "Direct:" in note and "Published" not in note


def test_ways_of_calling_are_columns_of_tasks(tied: RunView) -> None:
    table = task_table([tied.sources])
    keys = [column.key for column in table.columns]
    row = next(row for row in table.rows if row[0] == "slow")
    assert row[keys.index("device run")] == pytest.approx((0.5 * 10 / 18) ** 0.5)
    assert next(column.label for column in table.columns if column.key == "speedup run") == "speedup, right graphs"


def test_differences_say_what_they_are_relative_to(tmp_path: Path) -> None:
    error: Any = {"abs": 708.75, "rel": 5248.0, "fp64_ratio": 1.0, "scaled": 0.0155}
    found = record(Named("t", "g"), random.Random(0), Outcome.CORRECT).model_copy(update={"max_error": None})
    found = type(found).model_validate({**found.model_dump(by_alias=True), "max_error": error})
    view = view_of(write_evaluation(tmp_path / "run", [found]))
    facts = dict(task_block("t", [view.sources], TEXTS)["runs"][0]["graphs"][0]["facts"])
    assert facts["largest difference from eager"].endswith("(elements near zero make this large and say nothing)")
    said = facts["largest error against float64"]
    assert said == "0.0155 of the outputs' spread (RMS), at most 1 times eager's own in a call"


def test_the_errors_of_a_graph_that_failed_otherwise_are_of_earlier_calls(tmp_path: Path) -> None:
    """They were right, so the graph must not read as right from any level on."""
    error: Any = {"abs": 2e-4, "rel": 1e-3, "fp64_ratio": 3.9e5, "scaled": 1e-5}
    known = record(Named("t", "g"), random.Random(0), Outcome.NAN_INF, detail="1 NaN").model_dump(by_alias=True)
    found = GraphRecord.model_validate(known | {"max_error": error, "correct_at": -5})
    view = view_of(write_evaluation(tmp_path / "run", [found]))
    facts = dict(task_block("t", [view.sources], TEXTS)["runs"][0]["graphs"][0]["facts"])
    assert "right from t" not in facts
    said = facts["largest error against float64, in calls before it failed"]
    assert said.endswith("at most 3.9e+05 times eager's own in a call (one in which eager's is next to nothing)")


def test_a_speedup_that_is_a_low_end_says_so_among_doubtful_ones(tmp_path: Path) -> None:
    draw = random.Random(1)
    wide = timing(1.0, draw, speedup_ci=(1.0, 4.0), precision=0.02, ended="limit", scored_at="low")
    view = view_of(write_evaluation(tmp_path / "run", [record(Named("t", "g"), draw, Outcome.CORRECT, timing=wide)]))
    assert caution_grid([view]).rows[0][2] == "1.000 [1.000, 4.000], scored at its low end"


def test_the_first_line_names_the_device(tied: RunView, tmp_path: Path) -> None:
    text = write_report([tied.run.path], tmp_path / "page.html", root=tmp_path).path.read_text()
    assert "passes on a device (cuda): 7 graphs of 3 tasks" in text
    assert text.count(">Environment<") == 2  # in the list of sections, and above it


def test_rare_operators_are_named_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from passnet.report.run import titles

    leaves = {"float32/0": ["mul", "add", "sub", "sum"], "float32/1": ["mul", "add", "sub", "sum", "grid_sample"]}
    monkeypatch.setattr(titles, "_main", lambda graph: leaves[graph])
    rows = [record(Named(f"t{name[-1]}", name), random.Random(0), Outcome.CORRECT) for name in leaves]
    view = view_of(write_evaluation(tmp_path / "run", rows))
    monkeypatch.setattr(type(view.sources), "graph", lambda _, found: found.graph)
    monkeypatch.setattr(titles, "_model", lambda found, graph: "")
    assert task_titles([view.sources])["t1"] == "mul, sum, grid_sample"


def test_a_score_of_1_and_more_with_a_failing_graph_is_said_apart(tmp_path: Path) -> None:
    draw = random.Random(1)
    rows = [
        record(Named("t", "a"), draw, Outcome.CORRECT, timing=timing(90.0, draw)),
        record(Named("t", "b"), draw, Outcome.NAN_INF),
    ]
    view = view_of(write_evaluation(tmp_path / "run", rows))
    assert PARTLY in lost_by(view.run)["t"]
    assert [plain(said) for said in losses_in_words([view])] == [
        "None of 1 scored task loses against eager (AS below 1).",
        "1 more task has an AS of 1 and more, although 1 graph fails (1 nan_inf).",
    ]


def test_a_graph_that_must_not_be_captured_is_named_among_what_to_beware_of(tmp_path: Path) -> None:
    row = on_gpu("t", cut_of("float32"), timing=gpu_timing(2.0, 20.0, 10.0, not_captured=OTHER_OUTPUTS))
    view = view_of(write_evaluation(tmp_path / "run", [row], device="cuda"))
    assert "1 graph gives other outputs replayed as a CUDA graph: t float32" in map(plain, missing(view, several=False))
