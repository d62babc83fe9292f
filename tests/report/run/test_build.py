"""The report of runs says what their records say, says what is missing, and never writes half a page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import math
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from passnet.agent.record.records import Final
from passnet.errors import UsageError
from passnet.report.run.build import write_report
from passnet.report.run.payload import Blocks, script_json
from passnet.score import Outcome, score_benchmark
from tests.report.run_directories import (
    Named,
    episode,
    named,
    record,
    tasks_at,
    timing,
    write_agent,
    write_episode,
    write_evaluation,
)

NASTY = "</script><script>window.hacked=1</script><img src=x onerror=hacked=1>"


def draw() -> random.Random:
    return random.Random(1)


def report(tmp_path: Path, *runs: Path, **options: Any) -> tuple[str, tuple[str, ...]]:
    written = write_report(list(runs), tmp_path / "out" / "report.html", root=tmp_path, **options)
    text = written.path.read_text(encoding="utf-8")
    assert written.bytes == len(text.encode())
    assert [path.name for path in written.path.parent.iterdir()] == ["report.html"]
    return text, written.missing


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def block_of(text: str, key: str) -> dict[str, Any]:
    found = re.search(rf'<script type="application/octet-stream" id="{key}">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def rows_of(text: str, table: str) -> list[dict[str, Any]]:
    spec = next(spec for spec in data_of(text)["tables"] if spec["id"] == table)
    return [dict(zip([column["key"] for column in spec["columns"]], row, strict=True)) for row in spec["rows"]]


def some_records(tasks: int = 4, graphs: int = 3) -> list[Any]:
    one = draw()
    return [record(Named(f"task{t}", f"float{16 * (1 + g % 2)}/{g}"), one) for t in range(tasks) for g in range(graphs)]


def test_the_figures_are_those_of_the_score_room(tmp_path: Path) -> None:

    records = some_records(6, 4)
    text, _ = report(tmp_path, write_evaluation(tmp_path / "run", records))
    expected = score_benchmark([one.result() for one in records]).figures["AS_gmean"]
    assert f"{expected.value:.3f} [{expected.low:.3f}, {expected.high:.3f}]" in text
    assert len(rows_of(text, "graphs")) == len(records)
    assert {row["task"] for row in rows_of(text, "tasks")} == {f"task{n}" for n in range(6)}


def test_every_row_is_what_its_record_says(tmp_path: Path) -> None:
    fast = record(Named("a", "g"), draw(), Outcome.CORRECT, timing=timing(2.0, draw(), speedup_ci=(1.9, 2.1)))
    wrong = record(Named("b", "g"), draw(), Outcome.ACCURACY, detail="output 0 is off by 3\nmore")
    void = record(Named("c", "g"), draw(), Outcome.UNSTABLE)
    text, missing = report(tmp_path, write_evaluation(tmp_path / "run", [fast, wrong, void]))
    by_task = {row["task"]: row for row in rows_of(text, "graphs")}
    assert (by_task["a"]["speedup"], by_task["a"]["interval"], by_task["a"]["verdict"]) == (
        2.0,
        [1.9, 2.1],
        "surely faster",
    )
    assert (by_task["b"]["speedup"], by_task["b"]["verdict"], by_task["b"]["why"]) == (
        None,
        "not right",
        "output 0 is off by 3",
    )
    assert by_task["c"]["verdict"] == "not judged"
    tasks = {row["task"]: row for row in rows_of(text, "tasks")}
    assert (tasks["a"]["correct run"], tasks["b"]["correct run"], tasks["c"]["correct run"]) == (1, 0, None)
    assert any("1 graph left out of the score" in note and "1 unstable" in note for note in missing)
    graph = block_of(text, data_of(text)["tasks"]["b"])["runs"][0]["graphs"][0]
    assert graph["detail"] == "output 0 is off by 3\nmore"


def test_passes_sources_and_pictures_are_those_that_were_judged(tmp_path: Path) -> None:
    directories = tasks_at(tmp_path / "tasks", 2)
    records = [record(one, draw(), Outcome.CORRECT) for one in named(directories, 2)]
    run = write_evaluation(tmp_path / "run", records, paths=["tasks"])
    text, missing = report(tmp_path, run)
    task = directories[0].name
    block = block_of(text, data_of(text)["tasks"][task])
    passes = block["runs"][0]["passes"]
    assert passes["sorted_output_pass_rule_names.json"]
    assert all(
        (directories[0] / "pass_dir" / name).read_text() == text
        for name, text in passes.items()
        if name.endswith(".py")
    )
    assert "class GraphModule" in block["sources"][0]["text"]
    assert block["sources"][0]["drawing"]["marks"]
    assert any("without a record yet" in note for note in missing)
    assert block["runs"][0]["command"].startswith(f"passnet eval tasks/{task} --device cpu")


def test_what_changed_since_the_run_is_not_shown_as_judged(tmp_path: Path) -> None:
    directory = tasks_at(tmp_path / "tasks", 1)[0]
    records = [record(one, draw(), Outcome.CORRECT) for one in named([directory], 1)]
    changed = next((directory / "pass_dir").glob("*.py"))
    text = changed.read_text()
    changed.unlink()
    changed.write_text(text + "\n# changed\n")
    page, _ = report(tmp_path, write_evaluation(tmp_path / "run", records, paths=["tasks"]))
    run = block_of(page, data_of(page)["tasks"][directory.name])["runs"][0]
    assert run["passes"] == {}
    assert run["passes_missing"] is True


def test_episodes_are_shown_with_their_files_as_diffs(tmp_path: Path) -> None:
    records = [record(Named("task0", "g"), draw(), Outcome.CORRECT)]
    text, missing = report(tmp_path, write_agent(tmp_path / "run", records, 2, draw()))
    assert all("not at hand" in n or "which tasks" in n or "the best of 2 attempts counts" in n for n in missing)
    assert any("the best of 2 attempts counts" in note for note in missing)
    row = rows_of(text, "episodes")[0]
    assert (row["episode"], row["end"], row["steps"]) == ("run/task0/attempt-0", "submitted", 21)
    block = block_of(text, data_of(text)["episodes"][row["episode"]]["block"])
    steps = [item for item in block["items"] if item["is"] == "step"]
    first, second = [step for step in steps if step["tool"] == "create"][:2]
    assert all(line.startswith(("+", "@")) for line in first["diff"]["lines"])
    assert any(line.startswith("-") for line in second["diff"]["lines"])
    assert "text =" not in first["arguments"]
    assert next(step["AS"] for step in steps if step["tool"] == "evaluate") == pytest.approx(0.1)
    times = block_of(text, data_of(text)["tasks"]["task0"])["times"][0]
    assert times["bound_us"] > 0 and times["statements"][0][1] >= times["statements"][-1][1]
    for words in ("best@k", "Best AS so far", "Expected best of k attempts", "How episodes ended"):
        assert words in text


def test_several_runs_stand_side_by_side_and_differences_are_said(tmp_path: Path) -> None:
    one = write_evaluation(tmp_path / "one", some_records(3))
    two = write_evaluation(tmp_path / "two", some_records(4), compiler="inductor", device="cuda")
    text, _ = report(tmp_path, one, two)
    assert "the runs judge different tasks; 3 tasks in all of them" in text
    assert "different kinds of device" in text
    assert "AS over 3 shared tasks" in text
    assert {row["run"] for row in rows_of(text, "graphs")} == {"one", "two"}
    tasks = {row["task"]: row for row in rows_of(text, "tasks")}
    assert tasks["task3"]["AS one"] is None and tasks["task3"]["AS two"] is not None


def test_runs_of_one_name_are_told_apart(tmp_path: Path) -> None:
    runs = [write_evaluation(tmp_path / name / "run", some_records(2)) for name in ("a", "b")]
    text, _ = report(tmp_path, *runs)
    assert {row["run"] for row in rows_of(text, "graphs")} == {"a/run", "b/run"}
    with pytest.raises(UsageError, match="given twice"):
        report(tmp_path, runs[0], runs[0])


# --- bad runs -----------------------------------------------------------------------------------------------------


def test_nothing_of_a_record_becomes_markup_or_script(tmp_path: Path) -> None:
    of = Named(f"task{NASTY}", f"graph{NASTY}\u2028\u202e\x00")
    records = [
        record(of, draw(), Outcome.INTEGRITY, detail=NASTY),
        record(of, draw(), Outcome.NO_MATCH, compiler="inductor"),
    ]
    run = write_agent(tmp_path / "run", records, 1, draw(), author=NASTY, device=NASTY)
    write_episode(run / "tasks" / "x" / "attempt-9", episode(NASTY, 0, draw(), opening=NASTY, author=NASTY))
    (run / "environment.json").write_text(json.dumps({NASTY: NASTY, "cpu": [NASTY]}))
    text, _ = report(tmp_path, run)
    tags = Tags()
    tags.feed(without_data(text))
    assert not {"img", "iframe", "object", "svg:script"} & set(tags.names)
    assert not [name for name in tags.attributes if name.startswith("on") or name in ("src", "style")]
    assert text.count("<script") == text.count("</script>") == 2 + len(re.findall("application/octet-stream", text))
    assert f"task{NASTY}" in data_of(text)["tasks"]


class Tags(HTMLParser):
    """The names of all elements and attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [name for name, _ in attrs]


def without_data(text: str) -> str:
    return re.sub(r'<script type="application/.*?</script>', "", text, flags=re.S)


def test_the_policy_of_the_page_admits_its_own_script_and_style_alone(tmp_path: Path) -> None:
    text, _ = report(tmp_path, write_evaluation(tmp_path / "run", some_records(2)))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1] and "unsafe" not in policy[1]
    for tag, part in (("style", "style-src"), ("script", "script-src")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{part} 'sha256-{digest}'" in policy[1]
    assert not re.search(r"""\son\w+=["']|\sstyle=["']|(?:src|href)=["'](?!#)""", without_data(text))


def test_broken_and_foreign_lines_are_left_out_and_said(tmp_path: Path) -> None:
    run = write_evaluation(tmp_path / "run", some_records(2))
    lines = (run / "records.jsonl").read_text().splitlines()
    lines[1:1] = ["{broken", '{"schema_version": 9, "kind": "graph"}']
    (run / "records.jsonl").write_text("\n".join(lines) + '\n{"task": "cut')
    text, missing = report(tmp_path, run)
    assert len(rows_of(text, "graphs")) == len(lines) - 2
    assert any("2 lines of records.jsonl not of this version" in note and "line 2" in note for note in missing)
    assert any("stopped while writing" in note for note in missing)
    assert "2 lines of records.jsonl" in without_data(text)


@pytest.mark.parametrize("place", [0, -1])
def test_a_record_of_another_schema_version_is_left_out_and_said(tmp_path: Path, place: int) -> None:
    run = write_evaluation(tmp_path / "run", some_records(2))
    lines = (run / "records.jsonl").read_text().splitlines()
    lines[place] = json.dumps(json.loads(lines[place]) | {"schema_version": 99})
    (run / "records.jsonl").write_text("\n".join(lines) + "\n")
    text, missing = report(tmp_path, run)
    assert len(rows_of(text, "graphs")) == len(lines) - 1
    number = range(1, len(lines) + 1)[place]
    words = f"line {number}: a record of another schema version; expected 1, found 99"
    (note,) = [note for note in missing if "1 line of records.jsonl not of this version" in note]
    assert words in note and words in without_data(text)


@pytest.mark.parametrize("fields", [{"correct_at": -1000}, {"timing": None}])
def test_a_record_that_cannot_be_scored_is_left_out_and_said(tmp_path: Path, fields: dict[str, Any]) -> None:
    run = write_evaluation(tmp_path / "run", some_records(2))
    lines = (run / "records.jsonl").read_text().splitlines()
    right = next(number for number, line in enumerate(lines) if json.loads(line)["outcome"] == "correct")
    lines[right] = json.dumps(json.loads(lines[right]) | fields)
    (run / "records.jsonl").write_text("\n".join(lines) + "\n")
    _, missing = report(tmp_path, run)
    assert any("1 line of records.jsonl not of this version" in note for note in missing)


@pytest.mark.parametrize(
    "change",
    [{"steps": 10**400}, {"tokens": 10**400}, {"cost_usd": 1e308}, {"wall_s": 1e308}, {"wall_s": float("inf")}],
)
def test_an_episode_that_used_more_than_there_is_cannot_be_shown(tmp_path: Path, change: dict[str, Any]) -> None:
    run = write_agent(tmp_path / "run", some_records(2), 2, draw())
    files = sorted((run / "tasks").rglob("episode.jsonl"))
    for file in files[:2]:
        *lines, end = file.read_text().splitlines()
        record = json.loads(end)
        record["used"] |= change
        file.write_text("\n".join([*lines, json.dumps(record)]) + "\n")
    _, missing = report(tmp_path, run)
    assert sum("cannot be shown" in note for note in missing) == 2


def test_settings_of_other_kinds_than_they_should_be_have_a_page(tmp_path: Path) -> None:
    protocol = {"sandbox": {"a": 1}, "preset": [], "policy": {}, "precision": [], "threads": {}}
    run = write_evaluation(tmp_path / "run", some_records(1), protocol=protocol, compiler=[], device={}, graphs="x")
    assert "sandbox not recorded" in report(tmp_path, run)[0]


def test_an_unfinished_run_of_an_author_says_what_is_open(tmp_path: Path) -> None:
    run = write_agent(tmp_path / "run", [record(Named("done", "g"), draw(), Outcome.CORRECT)], 1, draw())
    write_episode(run / "tasks" / "open" / "attempt-0", episode("open", 0, draw())[:9])
    (run / "summary.json").write_text(json.dumps({"tasks_total": 3}))
    text, missing = report(tmp_path, run)
    assert any("1 of 3 tasks are finished" in note for note in missing)
    assert any("1 open episode" in note for note in missing)
    assert {row["end"] for row in rows_of(text, "episodes")} == {"open", "submitted"}
    assert "open" in data_of(text)["tasks"]


def test_a_run_with_only_open_episodes_has_a_page(tmp_path: Path) -> None:
    run = write_agent(tmp_path / "run", [], 1, draw())
    write_episode(run / "tasks" / "open" / "attempt-0", episode("open", 0, draw())[:9])
    text, missing = report(tmp_path, run)
    assert any("no task is finished yet" in note for note in missing)
    assert [spec["id"] for spec in data_of(text)["tables"]] == ["episodes"]
    assert "Best AS so far" in text and 'id="summary"' not in text


def test_what_was_tried_again_is_listed(tmp_path: Path) -> None:
    run = write_evaluation(tmp_path / "run", some_records(1))
    line = {"at": 1, "task": "task0", "graph": "g", "device": "cuda:1", "attempt": 2, "reason": "the device was lost"}
    (run / "incidents.jsonl").write_text(json.dumps(line) + "\n")
    text, missing = report(tmp_path, run)
    assert "the device was lost" in text
    assert any("1 graph tried again" in note for note in missing)


def test_very_long_names_are_cut_and_stay_apart(tmp_path: Path) -> None:
    names = ["x" * 100_000 + end for end in ("a", "b")]
    records = [record(Named(name, name), draw(), Outcome.CORRECT) for name in names]
    text, _ = report(tmp_path, write_evaluation(tmp_path / "run", records, author="y" * 100_000, paths=["z" * 100_000]))
    assert len(data_of(text)["tasks"]) == 2
    assert len(text) < 200_000


def test_an_unreadable_episode_does_not_hide_the_others(tmp_path: Path) -> None:
    run = write_agent(tmp_path / "run", [record(Named("t", "g"), draw(), Outcome.CORRECT)], 1, draw())
    (run / "tasks" / "t" / "attempt-1").mkdir()
    (run / "tasks" / "t" / "attempt-1" / "episode.jsonl").write_text("no json\n{}\n")
    text, missing = report(tmp_path, run)
    assert any("attempt-1 cannot be shown" in note for note in missing)
    assert len(rows_of(text, "episodes")) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("control_ratio", math.inf),
        ("speedup_ci", [1.0, -math.inf]),
        *(("deployed_speedup", strange) for strange in ("nan", "inf", 0.0, -1.0, 1e308)),
    ],
)
def test_a_record_with_a_figure_that_is_none_cannot_be_shown(tmp_path: Path, field: str, value: object) -> None:
    run = write_evaluation(tmp_path / "run", some_records(4))
    rows = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    next(row for row in rows if row["timing"])["timing"][field] = value
    (run / "records.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    text, missing = report(tmp_path, run)
    assert any("1 line" in note for note in missing), missing
    assert len(rows_of(text, "graphs")) == len(rows) - 1


@pytest.mark.parametrize("score", ["inf", "nan", -1.0, 1.7e308])
def test_an_episode_with_a_score_that_is_none_cannot_be_shown(tmp_path: Path, score: object) -> None:
    run = write_agent(tmp_path / "run", [record(Named("t", "g"), draw(), Outcome.CORRECT)], 2, draw())
    file = run / "tasks" / "t" / "attempt-1" / "episode.jsonl"
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    step = next(row for row in rows if row["kind"] == "step")
    step["observation"]["score"] = score
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    text, missing = report(tmp_path, run)
    assert any("attempt-1 cannot be shown" in note for note in missing)
    assert len(rows_of(text, "episodes")) == 1


def test_links_in_a_run_are_not_followed(tmp_path: Path) -> None:
    secret = write_episode(tmp_path / "secret", episode("secret task", 0, draw()))
    run = write_agent(tmp_path / "run", [record(Named("t", "g"), draw(), Outcome.CORRECT)], 1, draw())
    (run / "tasks" / "t" / "attempt-1").symlink_to(secret)
    (run / "tasks" / "t" / "attempt-2").mkdir()
    (run / "tasks" / "t" / "attempt-2" / "episode.jsonl").symlink_to(secret / "episode.jsonl")
    (run / "environment.json").unlink()
    (run / "environment.json").symlink_to("/etc/passwd")
    text, _ = report(tmp_path, run)
    assert "secret task" not in text
    assert len(rows_of(text, "episodes")) == 1


@pytest.mark.parametrize(
    "content", ["empty", "no records", "other schema", "foreign", "no directory", "all broken", "all other"]
)
def test_what_is_no_run_is_one_clear_error_and_no_file(tmp_path: Path, content: str) -> None:
    run = tmp_path / "run"
    if content != "no directory":
        run.mkdir()
    if content == "foreign":
        (run / "settings.json").write_text("[1, 2]")
    if content in ("no records", "other schema", "all broken", "all other"):
        (run / "settings.json").write_text(json.dumps({"schema": 1 if content != "other schema" else 7}))
    if content == "all broken":
        (run / "records.jsonl").write_text("x\ny\n")
    if content == "all other":
        other = some_records(1)[0].model_copy(update={"schema_version": 99})
        (run / "records.jsonl").write_text(f"{other.model_dump_json(by_alias=True)}\n")
    with pytest.raises(UsageError) as error:
        write_report([run], tmp_path / "page.html", root=tmp_path)
    assert str(run) in str(error.value)
    assert not (tmp_path / "page.html").exists()


def test_a_run_of_too_many_graphs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from passnet.report.run import reading

    monkeypatch.setattr(reading, "MOST_RECORDS", 5)
    run = write_evaluation(tmp_path / "run", some_records(3))
    with pytest.raises(UsageError, match="too many graphs"):
        report(tmp_path, run)


def test_an_older_page_stays_whole_when_a_run_is_bad(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("older")
    with pytest.raises(UsageError):
        write_report([tmp_path], page, root=tmp_path)
    assert page.read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = write_evaluation(tmp_path / "run", some_records(1))
    with pytest.raises(UsageError, match="cannot be written"):
        write_report([run], tmp_path / "file" / "page.html", root=tmp_path)


def test_a_page_stays_below_its_limit_and_says_what_it_left_out(tmp_path: Path) -> None:
    records = [record(Named(f"t{n}", "g"), draw(), Outcome.CORRECT) for n in range(3)]
    run = write_agent(tmp_path / "run", records, 2, draw())
    whole, _ = report(tmp_path, run)
    small, missing = report(tmp_path, run, limit=40_000)
    assert len(small) < len(whole)
    assert any("fitted into the page" in note for note in missing)
    texts = [block_of(small, e["block"])["texts"] for e in data_of(small)["episodes"].values() if e["block"]]
    assert True in texts and False in texts


def test_blocks_count_what_they_hold() -> None:
    blocks = Blocks(limit=400)
    assert blocks.add("a", {"text": "short"})
    assert not blocks.add("b", {"text": "".join(random.Random(0).choices("abcdefghij", k=4000))})
    assert blocks.used == len(blocks.found["a"])
    assert list(blocks.found) == ["a"]


@pytest.mark.parametrize(
    "value", ["</script>", "<!--", "]]>", "\u2028", "&lt;", "\ud800", float("nan"), {"<a>": [1, float("inf")]}]
)
def test_json_in_a_script_cannot_end_it(value: object) -> None:
    text = script_json(value)
    assert text.isascii()
    assert not set("<>&'") & set(text)
    json.loads(text)


def test_figures_by_which_an_author_chose_are_said_to_be_too_high(tmp_path: Path) -> None:
    run = write_agent(tmp_path / "run", [record(Named("one", "g"), draw(), Outcome.CORRECT)], 1, draw())
    several = [
        line.model_copy(update={"files_hash": f"f{line.number}"}) if line.kind == "step" else line
        for line in episode("two", 0, draw())
    ]
    said = "best of several by the figures of this page, without a confirming measurement"
    assert not any(said in note for note in report(tmp_path, run)[1])
    write_episode(run / "tasks" / "two" / "attempt-0", several)
    (note,) = [note for note in report(tmp_path, run)[1] if said in note]
    assert note.startswith("1 episode whose passes")
    end = several[-1].model_copy(update={"confirmed": Final(score=1.0, graphs=())})
    (run / "tasks" / "two" / "attempt-0" / "episode.jsonl").unlink()
    (run / "tasks" / "two" / "attempt-0").rmdir()
    write_episode(run / "tasks" / "two" / "attempt-0", [*several[:-1], end])
    assert not any(said in note for note in report(tmp_path, run)[1])


def test_a_table_without_rows_is_left_out(tmp_path: Path) -> None:
    clean = record(Named("one", "g"), draw(), Outcome.CORRECT)
    text, _ = report(tmp_path, write_evaluation(tmp_path / "run", [clean]))
    assert "Integrity findings by layer" not in text
    assert "No integrity finding in any record." in text
    assert "<tbody>\n</tbody>" not in text
    cheat = record(Named("two", "g"), draw(), Outcome.INTEGRITY)
    text, _ = report(tmp_path, write_evaluation(tmp_path / "other", [clean, cheat]))
    assert "Integrity findings by layer" in text and "No integrity finding" not in text
