"""The site: complete or absent, without requests, with every text of a record escaped."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from pathlib import Path

import pytest

from passnet.bench.record.rescore import PUBLISHED
from passnet.errors import UsageError
from passnet.report.leaderboard.site import DATA, PAGE, ROWS, write_site
from tests.report.recorded_runs import MACHINE, NASTY, benchmark, record, timing, write_run
from tests.report.test_page import Checker

NAMES = (NASTY, "</style><script>x</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}", "javascript:alert(1)")


def checked(html: str) -> Checker:
    """The page, every element of which is closed in order."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert len(set(checker.ids)) == len(checker.ids)
    return checker


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    bad = write_run(tmp_path / "bad", benchmark(tamper_proof=False))
    return [write_run(tmp_path / "good", benchmark(), author="distill"), bad]


def test_the_files_say_the_same(runs: list[Path], tmp_path: Path) -> None:
    write_site(runs, tmp_path / "site")
    document = json.loads((tmp_path / "site" / DATA).read_text())
    assert document["schema"] == 1
    (board,) = document["boards"]
    assert [row["system"] for row in board["ranked"]] == ["distill"]
    assert [row["run"] for row in board["not_ranked"]] == ["bad"]
    rows = list(csv.DictReader((tmp_path / "site" / ROWS).open()))
    assert [row["rank"] for row in rows[:2]] == ["1", ""]
    assert float(rows[0]["AS_gmean"]) == pytest.approx(board["ranked"][0]["AS_gmean"]["value"])
    page = checked((tmp_path / "site" / PAGE).read_text())
    cells = [text.strip() for tag, text in page.texts if tag in ("td", "th", "small")]
    assert {"good", "author distill", "tamper-proof", "20 of 20", "revision 0123456789ab"} <= set(cells)


def test_why_a_row_has_no_rank_stands_where_it_is_needed(runs: list[Path], tmp_path: Path) -> None:
    write_site(runs, tmp_path / "one")
    text = (tmp_path / "one" / PAGE).read_text()
    assert "why not ranked" not in text
    assert text.count("No rank for the row below: tamper-proof: 20 records are not tamper-proof") == 1
    other = write_run(tmp_path / "other", benchmark(tamper_proof=False), machine=MACHINE | {"revision": "a+dirty"})
    write_site([*runs, other], tmp_path / "two")
    text = (tmp_path / "two" / PAGE).read_text()
    assert text.count("why not ranked") == 1 and text.count("No rank for the rows below: tamper-proof") == 1
    checked(text)


def test_a_row_leads_to_a_report_beside_its_run(runs: list[Path], tmp_path: Path) -> None:
    place = tmp_path / "a b: c" / "good?"
    place.parent.mkdir()
    runs[0].rename(place)
    (place / "report.html").write_text("of a stranger")
    write_site([place, runs[1]], tmp_path / "before")
    assert "a%20b" not in (tmp_path / "before" / PAGE).read_text()
    (place.parent / "good?.html").write_text("ours")
    (tmp_path / "bad.html").symlink_to(place / "report.html")
    write_site([place, runs[1]], tmp_path / "after")
    page = checked((tmp_path / "after" / PAGE).read_text())
    links = [found["href"] for tag, found in page.elements if tag == "a"]
    assert [link for link in links if str(link).startswith("..")] == ["../a%20b%3A%20c/good%3F.html"]


def test_published_rows_stand_apart(runs: list[Path], tmp_path: Path) -> None:
    write_site(runs, tmp_path / "site")
    document = json.loads((tmp_path / "site" / DATA).read_text())
    assert [row["system"] for row in document["published"]["rows"]] == [row.system for row in PUBLISHED]
    assert not any(row["run"] == "eager" for board in document["boards"] for row in board["ranked"])
    rows = list(csv.DictReader((tmp_path / "site" / ROWS).open()))
    assert [row["published"] for row in rows] == ["false"] * 2 + ["true"] * len(PUBLISHED)
    page = (tmp_path / "site" / PAGE).read_text()
    assert page.count('<span class="mark">published</span>') == len(PUBLISHED)


def test_the_page_asks_for_nothing_and_runs_only_its_own_script(runs: list[Path], tmp_path: Path) -> None:
    write_site(runs, tmp_path / "site")
    text = (tmp_path / "site" / PAGE).read_text()
    page = checked(text)
    places = [value for _, found in page.elements for name, value in found.items() if name in ("src", "href", "action")]
    assert sorted(map(str, places)) == ["#boards", "leaderboard.csv", "leaderboard.json"]
    policy = next(str(found["content"]) for tag, found in page.elements if found.get("http-equiv"))
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, flags=re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'" in policy
    assert not [found for _, found in page.elements if any(name.startswith("on") or name == "style" for name in found)]


def test_it_can_be_read_without_seeing_it_and_without_a_mouse(runs: list[Path], tmp_path: Path) -> None:
    write_site(runs, tmp_path / "site")
    page = checked((tmp_path / "site" / PAGE).read_text())
    tags = [tag for tag, _ in page.elements]
    assert tags.count("table") == tags.count("caption") == 3
    regions = [found for _, found in page.elements if found.get("role") == "region"]
    assert len(regions) == 3
    assert all(
        found["tabindex"] == "0" and (found.get("aria-label") or found.get("aria-labelledby")) for found in regions
    )
    heads = [found for tag, found in page.elements if tag == "th"]
    assert all(found.get("scope") in ("col", "row") for found in heads)
    assert ("html", {"lang": "en"}) in page.elements


@pytest.mark.parametrize("name", NAMES)
def test_texts_of_records_are_escaped(name: str, tmp_path: Path) -> None:
    machine = dict.fromkeys([*MACHINE, "revision", "date"], name)
    settings = {"author": name, "author_settings": {"model": name}}
    records = [record(name, name, outcome="unstable"), record("ok", "x")]
    write_site([write_run(tmp_path / "run", records, machine=machine, **settings)], tmp_path / "site")
    text = (tmp_path / "site" / PAGE).read_text()
    page = checked(text)
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert not any(tag == "img" for tag, _ in page.elements)
    assert "49" not in re.findall(r"<th scope=\"row\">(.*?)</th>", text)
    assert any(name in shown for _, shown in page.texts)


def test_a_site_is_complete_or_not_there(runs: list[Path], tmp_path: Path) -> None:
    empty = write_run(tmp_path / "empty", [])
    with pytest.raises(UsageError, match="no records"):
        write_site([*runs, empty], tmp_path / "site")
    assert not (tmp_path / "site").exists()
    write_site(runs, tmp_path / "site")
    with pytest.raises(UsageError, match="already exists"):
        write_site(runs, tmp_path / "site")
    write_site(runs[:1], tmp_path / "site", overwrite=True)
    (board,) = json.loads((tmp_path / "site" / DATA).read_text())["boards"]
    assert board["not_ranked"] == []
    assert sorted(path.name for path in (tmp_path / "site").iterdir()) == sorted([PAGE, DATA, ROWS])


def test_a_run_given_twice_is_refused(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="given twice"):
        write_site([*runs, runs[0]], tmp_path / "site")


def test_figures_by_other_conventions_are_shown_where_they_were_recorded(tmp_path: Path) -> None:
    both = {"deployed_speedup": 1.1, "cold_speedup": 0.9}
    records = [record(graph=name, timing=timing(1.2, **both)) for name in "xy"]
    records.append(record(graph="z", timing=timing(1.2, deployed_speedup=1.1)))
    full, bare = write_run(tmp_path / "full", records), write_run(tmp_path / "bare", [record(graph=n) for n in "xyz"])
    write_site([full, bare], tmp_path / "site")
    (board,) = json.loads((tmp_path / "site" / DATA).read_text())["boards"]
    rows = {row["run"]: row for row in (*board["ranked"], *board["not_ranked"])}
    assert rows["full"]["deployed"]["value"] == pytest.approx(1.1) and rows["full"]["deployed"]["graphs"] == 3
    assert rows["full"]["cold"]["value"] == pytest.approx(0.9) and rows["full"]["cold"]["graphs"] == 2
    assert rows["bare"]["cold"] == {"value": None, "low": None, "high": None, "graphs": 0}
    table = {row["run"]: row for row in csv.DictReader((tmp_path / "site" / ROWS).open()) if row["run"]}
    assert (table["full"]["cold"][:3], table["bare"]["cold"]) == ("0.9", "")
    page = (tmp_path / "site" / PAGE).read_text()
    checked(page)
    assert page.count("- <small>not recorded</small>") == 2
    assert "<small>2 of 3 graphs</small>" in page and "A dash stands where no record has the figure" in page
