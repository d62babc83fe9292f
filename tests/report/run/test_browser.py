"""The page in a real browser: filters, sorting, links, themes, keyboard, accessibility, and hostile names."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from passnet.report.run.build import write_report
from passnet.score import Outcome
from tests.report.run.browser import Tab, chromium
from tests.report.run.test_build import NASTY
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

pytestmark = pytest.mark.browser
GRAPHS = "[data-table=graphs]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An author's run and a compiler's run of the same 4 tasks with 30 graphs each, one of them at hand."""
    place, draw = tmp_path_factory.mktemp("report"), random.Random(3)
    directory = tasks_at(place / "tasks", 1)[0]
    real = named([directory], 2)
    others = [Named(f"task{t}", f"float{16 * (1 + g % 2)}/{g}") for t in range(4) for g in range(30)]
    mine = [record(of, draw) for of in (*real, *others)]
    mine[0] = record(real[0], draw, Outcome.CORRECT, timing=timing(9.5, draw))
    mine[1] = record(real[1], draw, Outcome.ACCURACY, detail="output 0 is off by a mile")
    theirs = [record(of, draw, compiler="inductor") for of in others]
    runs = [
        write_agent(place / "author", mine, 2, draw, paths=["tasks"]),
        write_evaluation(place / "inductor", theirs, compiler="inductor"),
    ]
    return write_report(runs, place / "report.html", root=place).path


@pytest.fixture
def tab(browser: Any, page: Path) -> Iterator[Tab]:
    opened = Tab(browser, page)
    yield opened
    assert opened.problems == []
    assert opened.requests == [url for url in opened.requests if url.startswith("file://")]
    opened.close()


def column(tab: Tab, name: str) -> list[str]:
    heads = [head.rstrip(" ▲▼") for head in tab.texts(f"{GRAPHS} thead th")]
    return tab.texts(f"{GRAPHS} tbody td:nth-child({heads.index(name) + 1})")


def status(tab: Tab) -> str:
    return tab.texts(f"{GRAPHS} [role=status]")[0]


def test_search_and_filters_choose_rows_and_stand_in_the_address(tab: Tab) -> None:
    assert status(tab) == "242 rows"
    tab.page.fill(f"{GRAPHS} input", "task2 float32/1")
    assert status(tab).endswith("of 242 rows")
    assert set(column(tab, "task")) == {"task2"}
    tab.page.select_option(f"{GRAPHS} select[name=run]", "inductor")
    assert set(column(tab, "run")) == {"inductor"}
    found, address = status(tab), tab.page.url
    assert "q=task2+float32%2F1" in address and "f.run=inductor" in address
    tab.open("#summary")
    tab.page.goto(address)
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready]", state="attached")
    assert status(tab) == found
    assert tab.page.input_value(f"{GRAPHS} input") == "task2 float32/1"
    tab.page.click(f"{GRAPHS} button:text('Clear')")
    assert status(tab) == "242 rows"


def test_columns_sort_both_ways_and_rows_without_a_value_come_last(tab: Tab) -> None:
    head = f"{GRAPHS} thead th:has(button:text-is('speedup')) button"
    tab.page.click(head)
    falling = column(tab, "speedup")
    assert falling[0] == "9.500"
    assert tab.page.get_attribute(f"{GRAPHS} thead th[aria-sort]", "aria-sort") == "descending"
    tab.page.click(f"{GRAPHS} thead th[aria-sort] button")
    assert tab.page.get_attribute(f"{GRAPHS} thead th[aria-sort]", "aria-sort") == "ascending"
    rising = column(tab, "speedup")
    values = [float(value) for value in rising if value != "-"]
    assert values == sorted(values) and len(values) == 50
    tab.page.click(f"{GRAPHS} .pager button:has-text('Show all')")
    everything = column(tab, "speedup")
    assert len(everything) == 242
    assert "-" in everything and "-" not in everything[: everything.index("-")]
    assert set(everything[everything.index("-") :]) == {"-"}


def test_pages_turn(tab: Tab) -> None:
    first = column(tab, "graph")
    tab.page.click(f"{GRAPHS} .pager button:text('Next')")
    assert column(tab, "graph") != first
    assert tab.texts(f"{GRAPHS} .pager span") == ["page 2 of 5"]
    assert tab.page.url.endswith("page=2")


def test_a_row_leads_to_its_task_and_back(tab: Tab, page: Path) -> None:
    tab.page.fill(f"{GRAPHS} input", "bert_add_norm_000")
    tab.page.locator(f"{GRAPHS} tbody a").nth(1).click()
    tab.page.wait_for_selector("#detail article")
    assert tab.texts("#detail h2") == ["bert_add_norm_000"]
    assert not tab.page.is_visible("#overview")
    assert tab.page.locator("#detail svg.chart rect.node").count() > 3
    text = " ".join(tab.texts("#detail"))
    assert "output 0 is off by a mile" in text and "9.500" in text
    tab.page.locator("#detail summary", has_text="Pass file").first.click()
    assert "def pattern" in tab.page.locator("#detail pre code").first.inner_text()
    assert tab.page.locator("#detail .py-k").count() > 0
    tab.page.go_back()
    tab.page.wait_for_selector("#overview", state="visible")
    assert not tab.page.is_visible("#detail")


def test_an_episode_opens_with_its_steps_and_diffs(tab: Tab) -> None:
    tab.open("#episode?" + urlencode({"key": "author/task1/attempt-1"}))
    steps = tab.texts("#detail details.step > summary")
    assert any(step.startswith("1. inspect_graph") for step in steps)
    assert any("best so far" in step for step in steps)
    tab.page.click("button:text('Open all steps')")
    assert tab.page.locator("#detail .diff .add").count() > 3
    assert tab.page.locator("#detail .diff .del").count() > 0
    assert tab.page.locator("#detail svg path.curve").count() == 1
    tab.page.click("#detail a:text('task1')")
    tab.page.wait_for_selector("#detail h2:text-is('task1')")


@pytest.mark.parametrize(
    "place",
    ["#task?name=nobody", "#episode?key=nobody", "#nowhere", "#task?name=%E0%A4%A", "#graphs?sort=x&page=-9&f.x=1"],
)
def test_addresses_that_lead_nowhere_do_no_harm(tab: Tab, place: str) -> None:
    tab.open(place)
    assert tab.page.is_visible("#overview") or "no run of this page has this" in " ".join(tab.texts("#detail"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_both_themes_fit_wide_and_narrow_windows(browser: Any, page: Path, scheme: str, width: int) -> None:
    tab = Tab(browser, page, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for place in ("", "#task?name=bert_add_norm_000", "#episode?key=author%2Ftask1%2Fattempt-0"):
        tab.open(place)
        for card in tab.page.locator("#detail details").all():
            card.evaluate("node => { node.open = true; }")
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width, place
    colour = tab.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    assert tab.problems == []
    tab.close()


def test_a_phone_shows_the_figures_of_both_runs(browser: Any, page: Path) -> None:
    tab = Tab(browser, page, viewport={"width": 390, "height": 800})
    table = tab.page.locator("table", has=tab.page.locator("caption:text-is('Scores')")).first
    for cell in table.locator("td").all():
        box = cell.bounding_box()
        assert box is not None and box["x"] + box["width"] <= 390
    assert not tab.page.is_visible(".hint >> nth=0")
    meaning = tab.page.locator("details.narrow").first
    meaning.locator("summary").click()
    assert "geometric mean over graphs, tasks and tolerance levels" in meaning.inner_text()
    tab.close()


def test_the_keyboard_reaches_and_uses_the_table(tab: Tab) -> None:
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.textContent") == "Skip to the content"
    tab.page.focus(f"{GRAPHS} thead th:has(button:text-is('speedup')) button")
    tab.page.keyboard.press("Enter")
    assert column(tab, "speedup")[0] == "9.500"
    assert tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_it_prints_without_its_controls(tab: Tab) -> None:
    tab.page.emulate_media(media="print", color_scheme="dark")
    tab.page.set_viewport_size({"width": 780, "height": 1100})
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 780
    assert tab.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not tab.page.is_visible(f"{GRAPHS} input")
    assert tab.page.is_visible(f"{GRAPHS} tbody tr >> nth=0")


def test_without_a_script_the_figures_are_there(browser: Any, page: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"file://{page}")
    assert tab.is_visible("svg.chart >> nth=0")
    assert "need JavaScript" in tab.inner_text("noscript, main")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["", "#task?name=bert_add_norm_000", "#episode?key=author%2Ftask1%2Fattempt-0"])
def test_axe_finds_nothing(browser: Any, page: Path, place: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    # The page admits no other script, so the checker gets a context that does not ask its policy.
    tab = Tab(browser, page, place, color_scheme=scheme, bypass_csp=True)
    for card in tab.page.locator("details").all():
        card.evaluate("node => { node.open = true; }")
    found = axe.Axe().run(tab.page).response["violations"]
    assert not found, json.dumps(
        [(v["id"], v["help"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found], indent=1
    )
    tab.close()


def test_hostile_names_are_shown_and_never_run(browser: Any, tmp_path: Path) -> None:
    draw = random.Random(1)
    of = Named(f"task{NASTY}", f"graph{NASTY}\u202e")
    records = [record(of, draw, Outcome.INTEGRITY, detail=NASTY), record(Named("b", NASTY), draw, Outcome.NO_MATCH)]
    run = write_agent(tmp_path / "run", records, 1, draw, author=NASTY, device=NASTY)
    write_episode(run / "tasks" / "x" / "attempt-9", episode(NASTY, 0, draw, opening=NASTY, author=NASTY))
    (run / "environment.json").write_text(json.dumps({NASTY: NASTY}))
    page = write_report([run], tmp_path / "page.html", root=tmp_path).path
    tab = Tab(browser, page)
    assert f"task{NASTY}" in tab.texts("[data-table=tasks] tbody a")
    tab.page.locator("[data-table=tasks] tbody a", has_text="task<").first.click()
    tab.page.wait_for_selector("#detail article")
    assert tab.texts("#detail h2") == [f"task{NASTY}"]
    for key in tab.page.evaluate("Object.keys(DATA.episodes)"):
        tab.open("#episode?" + urlencode({"key": key}))
        assert tab.texts("#detail h2") == [key]
    assert tab.page.evaluate("window.hacked") is None
    assert tab.page.locator("img").count() == 0
    assert tab.problems == []
    tab.close()


def test_a_foreign_script_would_not_run(browser: Any, page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8").replace(
        "</main>", "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'></main>"
    )
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    tab = Tab(browser, tmp_path / "page.html")
    assert tab.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in problem for problem in tab.problems)
    tab.close()


def test_a_bar_of_ranked_speedups_names_its_graph_and_leads_to_it(tab: Tab) -> None:
    area = tab.page.locator("svg[aria-labelledby^=ranked-0] .hit")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    tab.page.mouse.move(box["x"] + 1, box["y"] + 5)
    assert tab.texts(".tip:not([hidden])")[0].endswith("9.500")
    tab.page.mouse.click(box["x"] + 1, box["y"] + 5)
    tab.page.wait_for_selector("#detail article")
    assert tab.texts("#detail h2") == ["bert_add_norm_000"]
    tab.page.go_back()
    tab.page.locator("figure a", has_text="the same as a table").first.click()
    tab.page.wait_for_selector("#overview", state="visible")
    assert column(tab, "speedup")[0] == "9.500"
    assert set(column(tab, "run")) == {"author"}


def model_run(place: Path, tasks: int = 60) -> Path:
    """A run of tasks with ids of hex digits: the first ones lose. Their graphs name a model."""
    draw, records = random.Random(5), []
    for number in range(tasks):
        model, task = ("llama4", "volo_d1_224")[number % 2], f"{number * 7919:012x}"
        for dtype in ("float32", "float16", "bfloat16"):
            graph = f"fusible_subgraphs/{dtype}/5/samples/timm/{model}/_decomposed/{model}_start{number}_end9_0"
            speedup = 0.4 + number / 4
            made = timing(speedup, draw, cold_speedup=0.9 if number > 50 else speedup)
            records.append(record(Named(task, graph), draw, Outcome.CORRECT, timing=made))
    return write_evaluation(place / "run", records)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models")
    return write_report([model_run(place)], place / "report.html", root=place).path


def test_a_search_for_a_model_finds_its_tasks_and_graphs(browser: Any, models: Path) -> None:
    tab = Tab(browser, models)
    for table, rows in (("tasks", "30 of 60 rows"), ("graphs", "90 of 180 rows")):
        tab.page.fill(f"[data-table={table}] input[type=search]", "llama4")
        assert tab.texts(f"[data-table={table}] [role=status]") == [rows]
        assert tab.texts(f"[data-table={table}] tbody .title")[0].startswith("llama4_start0")
    assert tab.problems == []
    tab.close()


def test_a_count_leads_to_its_rows_and_a_task_back_to_them(browser: Any, models: Path) -> None:
    tab = Tab(browser, models)
    for link in tab.page.locator(".points a[href^='#tasks?']").all():
        count = link.inner_text()
        link.click()
        assert tab.texts("[data-table=tasks] [role=status]") == [f"{count} of 60 rows"]
        tab.page.go_back()
    tab.page.locator(".points a", has_text="12").click()  # 3 that are slower everywhere, and 9 cold
    address = tab.page.url
    tab.page.locator("[data-table=tasks] tbody a").nth(4).click()
    tab.page.wait_for_selector("#detail article")
    assert "llama4" in tab.texts("#detail h2 + .lead")[0] or "volo" in tab.texts("#detail h2 + .lead")[0]
    back = tab.page.locator("#detail a", has_text="back to Tasks")
    back.click()
    tab.page.wait_for_selector("#overview", state="visible")
    assert tab.page.url == address and tab.texts("[data-table=tasks] [role=status]") == ["12 of 60 rows"]
    tab.page.locator(".losing a").first.click()
    tab.page.wait_for_selector("#detail article")
    assert tab.texts("#detail article > p a")[0] == "← back to What loses, and why"
    tab.close()


def test_losers_come_first_and_a_column_can_be_added(browser: Any, models: Path) -> None:
    tab = Tab(browser, models)
    assert tab.texts("[data-table=tasks] tbody a")[:2] == ["000000000000", "000000001eef"]
    assert tab.texts(f"{GRAPHS} tbody td:first-child a")[:4] == ["000000000000"] * 3 + ["000000001eef"]
    assert "cold" not in tab.texts(f"{GRAPHS} thead th")
    tab.page.locator(f"{GRAPHS} .columns summary").click()
    tab.page.check(f"{GRAPHS} .columns label:has-text('cold') input")
    assert "cold" in tab.texts(f"{GRAPHS} thead th") and "show=cold" in tab.page.url
    tab.page.reload()
    assert "cold" in tab.texts(f"{GRAPHS} thead th") and column(tab, "cold")[0] == "0.400"
    head = "[data-table=tasks] thead button:text-matches('^AS')"
    tab.page.click(head)
    assert tab.page.get_attribute("[data-table=tasks] thead th[aria-sort]", "aria-sort") == "descending"
    tab.page.locator("[data-table=tasks] thead button", has_text="speedup").click()
    tab.page.click(head)
    assert tab.page.get_attribute("[data-table=tasks] thead th[aria-sort]", "aria-sort") == "ascending"
    tab.close()


def test_tables_fit_a_screen_and_a_phone_shows_speedup_and_why(browser: Any, models: Path) -> None:
    tab = Tab(browser, models, viewport={"width": 1400, "height": 900})
    for table in ("tasks", "graphs"):
        box = tab.page.locator(f"[data-table={table}] .scroll")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), table
    tab.close()
    tab = Tab(browser, models, viewport={"width": 390, "height": 900})
    for place, name in ((3, "speedup"), (4, "why")):
        cell = tab.page.locator(f"{GRAPHS} tbody tr").first.locator(f"td:nth-child({place})").bounding_box()
        assert cell is not None and cell["x"] + min(cell["width"], 90) <= 390, name
    box = tab.page.locator(f"{GRAPHS} .scroll")
    box.evaluate("box => { box.scrollLeft = 400; }")
    first = tab.page.locator(f"{GRAPHS} tbody td").first.bounding_box()
    assert first is not None and 0 <= first["x"] < 30
    for chart in tab.page.locator("svg.chart").all():
        found = chart.bounding_box()
        assert found is not None and found["x"] + found["width"] <= 390
    tab.close()


def test_a_drawing_of_a_graph_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    """This one is 1008 px wide. It stands for all dtypes, and says so."""
    wide = tasks_at(tmp_path / "tasks", 2)[1]
    records = [record(of, random.Random(3), Outcome.CORRECT) for of in named([wide], 3)]
    run = write_evaluation(tmp_path / "run", records, paths=["tasks"])
    page = write_report([run], tmp_path / "page.html", root=tmp_path).path
    tab = Tab(browser, page, f"#task?name={wide.name}", viewport={"width": 390, "height": 900})
    assert any("The drawing stands for" in words for words in tab.texts("#detail p"))
    found = tab.page.locator("#detail .drawing svg").first.bounding_box()
    assert found is not None and found["x"] + found["width"] <= 390
    tab.close()


def test_time_by_kernel_is_a_table_with_bars(browser: Any, tmp_path: Path) -> None:
    draw = random.Random(2)
    figures = {"eager_busy_us": 40.0, "compiled_busy_us": 20.0, "bound_us": 4.0, "bound_by": "memory", "launch_us": 9.0}
    found = record(Named("t", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw, **figures))
    seen = {"device": "cuda", "kernels": ("one", "two"), "kernel_us": {"one": 2.0, "two": 8.0}}
    run = write_evaluation(tmp_path / "run", [found.model_copy(update=seen)], device="cuda")
    page = write_report([run], tmp_path / "page.html", root=tmp_path).path
    tab = Tab(browser, page, "#task?name=t", viewport={"width": 390, "height": 900})
    tab.page.locator("#detail details").first.evaluate("node => { node.open = true; }")
    rows = [row.split("\t") for row in tab.texts("#detail table.times tbody tr")]
    assert [row[:3] for row in rows] == [
        ["two", "8.00", "80"], ["one", "2.00", "20"], ["sum of these kernels", "10.00", "100"],
        ["the candidate's device time, all kernels", "20.00"],
        ["least time of the work, by memory", "4.00"],
    ]  # fmt: skip
    for bar in tab.page.locator("#detail table.times .bar").all():
        box = bar.bounding_box()
        assert box is not None and box["width"] > 1 and box["x"] + box["width"] <= 390
    assert tab.problems == []
    tab.close()


def test_the_link_to_doubtful_graphs_opens_their_table(browser: Any, tmp_path: Path) -> None:
    draw = random.Random(1)
    wide = timing(2.0, draw, speedup_ci=(1.0, 4.0), precision=0.02, ended="limit")
    run = write_evaluation(tmp_path / "run", [record(Named("t", "g"), draw, Outcome.CORRECT, timing=wide)])
    tab = Tab(browser, write_report([run], tmp_path / "page.html", root=tmp_path).path)
    assert not tab.page.is_visible("#care table")
    tab.page.click(".missing a[href='#care']")
    tab.page.wait_for_selector("#care table", state="visible")
    tab.close()


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task that loses in each way, one with a long reason, and a graph that was profiled beside one that was not."""
    place, draw = tmp_path_factory.mktemp("lost"), random.Random(6)
    seen = {"device": "cuda", "kernels": ("one",), "kernel_us": {"one": 2.0}}
    rows = [
        record(Named("fails", "float32/0"), draw, Outcome.ACCURACY, detail=f"{'many words ' * 30}at the end"),
        record(Named("fails", "float16/0"), draw, Outcome.NAN_INF, detail="1 NaN"),
        record(Named("fails", "float64/0"), draw, Outcome.CORRECT, timing=timing(2.0, draw)),
        record(Named("slow", "float32/0"), draw, Outcome.CORRECT, timing=timing(0.5, draw)).model_copy(update=seen),
        record(Named("slow", "float16/0"), draw, Outcome.CORRECT, timing=timing(0.6, draw)),
        record(Named("tie", "g"), draw, Outcome.CORRECT, timing=timing(0.99, draw, speedup_ci=(0.9, 1.1))),
        record(Named("partly", "a"), draw, Outcome.CORRECT, timing=timing(90.0, draw)),
        record(Named("partly", "b"), draw, Outcome.NAN_INF),
        record(Named("0123456789ab", "g"), draw, Outcome.REFERENCE_ERROR, detail="eager: CUDA error"),
        *(record(Named(f"wins{n}", "g"), draw, Outcome.CORRECT, timing=timing(2.0, draw)) for n in range(60)),
    ]
    run = write_evaluation(place / "run", rows, device="cuda")
    return write_report([run], place / "report.html", root=place).path


def test_the_counts_of_the_summary_lead_to_groups_that_have_as_many_tasks(browser: Any, lost: Path) -> None:
    tab = Tab(browser, lost)
    links = tab.page.locator(".points a[href^='#losing-0-']").all()
    assert [link.inner_text() for link in links] == ["1"] * 5
    for link in links:
        link.click()
        group = tab.page.locator((link.get_attribute("href") or "").replace("#", "tbody#"))
        assert group.locator("th[scope=row]").count() == 1
        heading = group.locator(".group").bounding_box()
        bar = tab.page.locator("nav").bounding_box()
        assert (
            heading is not None and bar is not None and heading["y"] >= bar["y"] + bar["height"] - 1 and bar["y"] == 0
        )
    assert tab.texts(".losing .group")[2].endswith("so within the noise of eager: 1 task")
    tab.page.locator("tbody[id$=unscored] a").click()
    assert "eager: CUDA error" in " ".join(tab.texts("#detail"))
    tab.close()


def test_what_fails_or_is_slower_is_open_and_the_rest_is_closed(browser: Any, lost: Path) -> None:
    tab = Tab(browser, lost, "#task?name=fails")
    cards = "#detail section > details.card"
    opened = [card.evaluate("node => node.open") for card in tab.page.locator(cards).all()]
    assert opened[:3] == [True, True, False]
    tab.open("#task?name=slow")
    assert [card.evaluate("node => node.open") for card in tab.page.locator(cards).all()][:2] == [True, True]
    tab.page.locator("#detail a", has_text="float32").click()
    assert tab.page.wait_for_selector("#detail .asked table.times") is not None
    tab.open("#task?name=tie")
    assert "tie" in tab.texts("#detail .badge")
    tab.close()


def test_a_long_reason_opens_to_the_whole_by_keyboard(browser: Any, lost: Path) -> None:
    tab = Tab(browser, lost)
    row = tab.page.locator("[data-table=tasks] tbody tr", has_text="fails").first
    assert "at the end" not in row.inner_text() and "more" in row.inner_text()
    row.locator("summary").focus()
    tab.page.keyboard.press("Enter")
    assert "at the end" in row.inner_text() and "less" in row.inner_text()
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["#losses", "#task?name=slow"])
@pytest.mark.parametrize("width", [1400, 390])
def test_what_loses_fits_and_axe_finds_nothing(browser: Any, lost: Path, width: int, place: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    tab = Tab(browser, lost, place, color_scheme=scheme, viewport={"width": width, "height": 844}, bypass_csp=True)
    for box in tab.page.locator("#losses ~ .scroll").all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    for cell in tab.page.locator(".losing a:visible, .losing td.n:visible").all():
        height = cell.bounding_box()
        assert height is not None and (width > 400 or height["height"] < 30)
    for card in tab.page.locator("details").all():
        card.evaluate("node => { node.open = true; }")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(tab.page).response["violations"]
    assert not found, json.dumps([(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found], indent=1)
    tab.close()
