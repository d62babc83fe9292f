"""The figures of the results in one page, made from `benchmarks/results/*.json` alone: writes `docs/figures.md`.

    python benchmarks/figures_table.py [--check]

The tables of other pages, between two comments each (`page_tables.py`), are written with it.

Nothing is measured. What a result file holds only in parts (the same tasks in two files, only the graphs where both are
right) is recomputed from its rows, with an interval that resamples tasks. `--check` writes nothing and ends with 1
where the page is not what the results say, or where a document says a figure in other words than the page.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import random
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from passnet.bench.record.protocol import make
from passnet.score import STRICT_T, GraphResult, Outcome, score_benchmark

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "figures.md"
PASSES, AGENT, USE, INTEGRITY, BENCH, DATA = (
    "docs/passes.md",
    "docs/agent.md",
    "docs/use.md",
    "docs/integrity.md",
    "docs/bench.md",
    "data/README.md",
)
REPORT_PAGE = "docs/report.md"
SCALE = "docs/scale.md"
README = "README.md"
Row = Mapping[str, Any]
# Who is measured in an author's result, and its name there.
SIDES = {"author": "passes", "Inductor": "inductor"}

# Settings of which less means less measured.
AMOUNTS = ("processes", "quads", "rounds", "verify_seeds", "spot_checks")
# What was the default while measuring went in rounds of a fixed size.
IN_ROUNDS = {
    "cpu": {"processes": 5, "quads": 12, "rounds": 5},
    "cuda": {"processes": 8, "quads": 60, "rounds": 3},
}
CHOSEN_BY_AUTHOR = "measured once, by evaluations that the author itself chose by"
MEASURED_BESIDE = "measured once, in the same run"
# The tasks of the sample that return indices (of argmin or max): no tolerance forgives another one.
INDEX_TASKS = frozenset({"5d47204f0175", "36aca65a16e3", "2e7adc1b76cf"})
RESAMPLES, SEED = 2000, 1024
CASES = "docs/cases.md"
COMPARE = "docs/compare.md"

HEAD = """\
# Figures

The figures of `benchmarks/results`, what they were measured with, and what stands against them. The page is made by
`benchmarks/figures_table.py`; a test fails where it, or a document that is named beside a figure, says something else.
A section is a result file. It says which script wrote it, on which device, when, by which code, and of what. All of
that holds for each of its figures.

Not all figures of the documents are here. The tables of [cases](cases.md) and of whole models in [use](use.md) have a
row for each graph or model, and are made by the same script from the same files; here are their means. Simulations
name their test where they stand ([compare](compare.md)). Sizes and import times of packages are in
[architecture](architecture.md), times of building in [the data](../data/README.md). Output under a command is an
example.

- **Brackets** hold a 95 % interval: of graphs, by resampling tasks; of times, the middle 95 % of rounds. Without
  brackets there is none.
- **Revision** is that of the code that measured; `+dirty` is with changes that were not committed. "Not recorded" means
  that nobody can say which code it was.
- **Protocol** names what differs from the default of `direct`. The oldest results were measured by a fixed amount,
  where measuring ends today when the interval is narrow. `processes` are pairs of fresh processes, `quads` groups of
  blocks in each, and all of it was done in so many `rounds`. In brackets stands the default of that time. Elsewhere a
  round is one turn of all ways.
- "Recomputed" is from the stored rows of the result file, which keep outcomes and speedups, not from which level on a
  graph is right; on a whole file this differs from the stored AS by less than 0.2 %.

"""
COLUMNS = ("figure", "value", "said in", "of these graphs", "protocol")


@dataclass(frozen=True)
class Figure:
    """One row. `value` stands in the documents `said_in` word for word."""

    what: str
    value: str
    said_in: tuple[str, ...] = ()
    chosen: str = ""
    recomputed: bool = False
    by_others: bool = False  # of a result of the author's, but nothing that it chose by


@dataclass(frozen=True)
class Source:
    """One result file: the script that wrote it, what it was measured on and how that was chosen, and its figures.

    `how`: the way of measuring, where that is not the bench's; `rounds`: the script's default, where it has one.
    """

    file: str
    script: str
    chosen: str
    figures: Callable[[Mapping[str, Any]], Iterable[Figure]]
    how: str = ""
    rounds: int = 0


# --- numbers -----------------------------------------------------------------------------------------------------


def interval(value: float, low: float, high: float, digits: int = 2) -> str:
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[round(share * (len(ordered) - 1))]


def spread(found: Mapping[str, float], digits: int = 2) -> str:
    return interval(found["median"], found["p2.5"], found["p97.5"], digits)


def geometric(rows: Iterable[Row], convention: str) -> float:
    logs = [math.log(row[convention]) for row in rows]
    return math.exp(math.fsum(logs) / len(logs))


def task_of(row: Row) -> str:
    return str(row["graph"]).partition("/")[0]


def result_of(row: Row, convention: str) -> GraphResult:
    """A stored row for scoring; the level from which it is right is the strict one, or what its detail says."""
    outcome = Outcome(row["outcome"])
    level = re.search(r"right only from t = (-?\d+)", row["detail"] or "")
    known = -5 if outcome is Outcome.CORRECT else int(level[1]) if level else None
    speedup = row[convention] or row["direct"]
    return GraphResult(row["graph"], outcome, speedup, known if speedup else None, task=task_of(row))


def aggregated(rows: Iterable[Row], convention: str = "direct") -> str:
    """AS with its interval, recomputed."""
    figure = score_benchmark([result_of(row, convention) for row in rows]).figures["AS_gmean"]
    if figure.value is None or figure.low is None or figure.high is None:
        raise ValueError("no interval: fewer than two tasks")
    return interval(figure.value, figure.low, figure.high)


def paired(ours: Iterable[Row], theirs: Iterable[Row], convention: str) -> str:
    """How many times faster one side is than the other on the graphs of both; the interval resamples tasks."""
    other = {row["graph"]: row[convention] for row in theirs}
    logs: dict[str, list[float]] = defaultdict(list)
    for row in ours:
        if row["graph"] in other:
            logs[task_of(row)].append(math.log(row[convention] / other[row["graph"]]))
    tasks, draw = [logs[name] for name in sorted(logs)], random.Random(SEED)

    def ratio(chosen: Sequence[Sequence[float]]) -> float:
        flat = [value for task in chosen for value in task]
        return math.exp(math.fsum(flat) / len(flat))

    draws = sorted(ratio(draw.choices(tasks, k=len(tasks))) for _ in range(RESAMPLES))
    return interval(ratio(tasks), quantile(draws, 0.025), quantile(draws, 0.975))


def span(values: Iterable[float], digits: int) -> str:
    ordered = sorted(values)
    return f"{ordered[0]:.{digits}f} to {ordered[-1]:.{digits}f}"


@cache
def load(file: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((RESULTS / f"{file}.json").read_text())
    return found


# --- figures of each file ----------------------------------------------------------------------------------------


def stored(side: Mapping[str, Any]) -> str:
    return interval(side["AS_gmean"], *side["AS_gmean_interval"])


def right(side: Mapping[str, Any]) -> str:
    found = side["outcomes"]
    scored = sum(count for outcome, count in found.items() if outcome != "unstable")
    void = f", {found['unstable']} unstable and not counted" if "unstable" in found else ""
    return f"{found['correct']} of {scored}{void}"


def authors(document: Mapping[str, Any]) -> Iterable[Figure]:
    """The author beside Inductor: on all graphs, and on those that Inductor got right."""
    sides = {name: document["compilers"][key] for name, key in SIDES.items()}
    both = f"{document['tasks_compared']} tasks that Inductor was measured on, {len(sides['author']['rows'])} graphs"
    for name, side in sides.items():
        beside = name != "author"
        deployed = aggregated(side["rows"], "deployed")
        pages = (AGENT, README)
        yield Figure(f"{name}, AS by `direct`", stored(side), pages, both, by_others=beside)
        yield Figure(f"{name}, AS by `deployed`", deployed, pages, both, recomputed=True, by_others=beside)
        yield Figure(f"{name}, graphs right", right(side), (AGENT,), both, by_others=beside)
        slower = percent(side["slower_than_eager"], 0)
        yield Figure(f"{name}, share slower than eager", slower, pages, both, by_others=beside)
    known = {row["graph"] for row in sides["Inductor"]["rows"] if row["outcome"] == "correct"}
    clean = {name: [row for row in side["rows"] if row["graph"] in known] for name, side in sides.items()}
    yield from on_the_same(clean, f"of these the {len(known)} graphs that Inductor got right")
    yield Figure(
        "author, minutes a task", f"{document['minutes_per_task']:.1f}", (AGENT,), f"{document['tasks']} tasks"
    )


def on_the_same(clean: Mapping[str, Sequence[Row]], chosen: str) -> Iterable[Figure]:
    """Speedups of both sides, and one over the other."""
    for convention in ("direct", "deployed"):
        for name, rows in clean.items():
            value, what = f"{geometric(rows, convention):.2f}", f"{name}, speedup by `{convention}`"
            yield Figure(what, value, (AGENT,), chosen, recomputed=True, by_others=name != "author")
        value = f"{paired(clean['author'], clean['Inductor'], convention)} times"
        yield Figure(f"author over Inductor by `{convention}`, paired", value, (AGENT,), chosen, recomputed=True)


def without_indices(document: Mapping[str, Any]) -> Iterable[Figure]:
    chosen = f"without the {len(INDEX_TASKS)} tasks whose outputs are indices"
    for name, side in SIDES.items():
        rows = [row for row in document["compilers"][side]["rows"] if task_of(row) not in INDEX_TASKS]
        for convention in ("direct", "deployed"):
            value, what = aggregated(rows, convention), f"{name}, AS by `{convention}`"
            yield Figure(what, value, (AGENT,), chosen, recomputed=True, by_others=name != "author")


def authors_now(document: Mapping[str, Any]) -> Iterable[Figure]:
    yield from authors(document)
    yield from without_indices(document)
    mine, before = document["compilers"]["passes"]["rows"], load("authors-40-cuda")["all"]["passes"]["rows"]
    tasks = {task_of(row) for row in mine}
    earlier = [row for row in before if task_of(row) in tasks]
    same = f"the {len(tasks)} tasks that both runs have, {len(earlier)} graphs"
    value = f"{geometric(earlier, 'direct'):.2f} to {geometric(mine, 'direct'):.2f}"
    yield Figure("author, speedup, from the version before to this one", value, (AGENT,), same, recomputed=True)
    value = f"{paired(mine, earlier, 'direct')} times"
    yield Figure("this version over the one before, paired", value, (AGENT,), same, recomputed=True)


def rejudged(document: Mapping[str, Any]) -> Iterable[Figure]:
    """The verdicts of today on graphs of an earlier result, and the scores with these; times are the earlier ones."""
    for name, key in SIDES.items():
        side = document["compilers"][key]
        untimed = len(side["right_without_time"])
        chosen = f"{side['judged_again']} graphs judged again"
        yield Figure(f"{name}, graphs right, judged again", right(side), (), chosen)
        less = f"{chosen}; without {untimed} right graphs that were not timed" if untimed else chosen
        for convention in ("direct", "deployed"):
            value = aggregated(
                [row for row in side["rows"] if row["graph"] not in side["right_without_time"]], convention
            )
            yield Figure(f"{name}, AS by `{convention}`, judged again", value, (), less, recomputed=True)


def authors_before(document: Mapping[str, Any]) -> Iterable[Figure]:
    every = f"all {document['tasks']} tasks, {len(document['all']['passes']['rows'])} graphs"
    yield Figure("earlier author, AS by `direct`", stored(document["all"]["passes"]), (AGENT,), every)
    value = aggregated(document["all"]["passes"]["rows"], "deployed")
    yield Figure("earlier author, AS by `deployed`", value, (AGENT,), every, recomputed=True)
    chosen = f"{document['tasks_compared']} tasks that Inductor was measured on"
    for name, key in SIDES.items():
        side, who, beside = document["compilers"][key], name.replace("author", "earlier author"), name != "author"
        yield Figure(f"{who}, AS by `direct`", stored(side), (), chosen, by_others=beside)
        value = aggregated(side["rows"], "deployed")
        yield Figure(f"{who}, AS by `deployed`", value, (), chosen, recomputed=True, by_others=beside)


def control(document: Mapping[str, Any]) -> Iterable[Figure]:
    yield Figure("eager judged as a candidate: ratio, middle 95 % of graphs", spread(document["ratio"], 3))
    yield Figure("of these within 1 % of 1", percent(document["within_1_percent"], 0))
    near = [abs(row["ratio"] - 1.0) <= 0.02 for row in document["rows"]]
    yield Figure("of these within 2 % of 1", percent(sum(near) / len(near), 0))
    yield Figure("of these whose interval holds 1", percent(document["interval_holds_1"]))


def control_cpu(document: Mapping[str, Any]) -> Iterable[Figure]:
    yield from control(document)
    times = [row["eager_us"] for row in document["rows"]]
    yield Figure("eager's time for a bundled graph, us", f"{min(times):.0f} to {max(times):.0f}", (DATA,))


def bundled(document: Mapping[str, Any], said_in: tuple[str, ...] = ()) -> Iterable[Figure]:
    names = {"passes": "bundled passes", "inductor": "Inductor"}
    for side, found in document["compilers"].items():
        name = names[side]
        yield Figure(f"{name}, AS by `direct`", stored(found), said_in)
        yield Figure(f"{name}, AS by `deployed`", aggregated(found["rows"], "deployed"), said_in, recomputed=True)
        yield Figure(f"{name}, graphs right", right(found), said_in)
        yield Figure(f"{name}, share slower than eager", percent(found["slower_than_eager"], 0), said_in)


def bundled_both(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Passes and Inductor, measured in one run: the rows of the README."""
    yield from bundled(document, (README,))


def cases(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Each case: geometric means over its dtypes, of the graphs that have a figure."""
    names = {"passes": "our pass", "inductor": "Inductor"}
    judged = document["compilers"]["passes"]["rows"]
    right_at = [row["correct_at"] for row in judged if row["correct_at"] is not None and row["correct_at"] <= STRICT_T]
    yield Figure("our passes: graphs right at t = -5", f"{len(right_at)} of {len(judged)}", (CASES,))
    for task in sorted({task_of(row) for row in document["compilers"]["passes"]["rows"]}):
        for side, found in document["compilers"].items():
            rows = [row for row in found["rows"] if task_of(row) == task]
            timed, chosen = [row for row in rows if row["direct"]], "those that have a figure"
            for convention in ("direct", "deployed"):
                value = f"{geometric(timed, convention):.2f} (of {len(timed)} of {len(rows)})" if timed else "none"
                yield Figure(f"{task}, {names[side]}: speedup by `{convention}`", value, (), chosen, recomputed=True)


def overhead(document: Mapping[str, Any]) -> Iterable[Figure]:
    found = document["summary"]
    tasks = {name: task["overhead"] for name, task in found["tasks"].items()}
    times = {task["repeats"] for task in found["tasks"].values()}
    chosen = f"one graph of each of {len(tasks)} tasks, {span(times, 0) if len(times) > 1 else max(times)} times"
    over = sorted(found["over_wanted"], key=lambda name: -tasks[name])
    yield Figure("cost of the layers, largest of all tasks", percent(max(tasks.values())), (INTEGRITY,), chosen)
    yield Figure("the same over all tasks", percent(found["overhead_of_sum"]), (INTEGRITY,), chosen)
    value = f"{len(over)} of {len(tasks)}" + (f": {', '.join(over)}" if over else "")
    yield Figure(f"tasks above the wanted {percent(found['wanted'], 0)}", value, (INTEGRITY,), chosen)


def evaluation_time(document: Mapping[str, Any]) -> Iterable[Figure]:
    found = document["summary"]
    before, after = (re.sub(r"^(\w{12})\w*", r"\1", document["revisions"][side]) for side in ("before", "after"))
    chosen = f"{before} and {after}, {found['pairs']} pairs"
    for what, words in (("judging", "seconds of a record"), ("wall", "the whole command")):
        value = interval(found[what]["ratio"], *found[what]["ci"], 3)
        yield Figure(f"evaluation time by two checkouts, after / before: {words}", value, (), chosen)


def episodes_of_two(document: Mapping[str, Any]) -> Iterable[Figure]:
    """How much sooner the embedded author ends than with an earlier checkout, and what its episodes bring."""
    before, after = (document["revisions"][side][:12] for side in ("before", "after"))
    asked = document.get("precision") or "its own precision"
    at = f"{before} and {after}, {document['repeats']} times each; the latter at {asked}"
    for what, words in (("wall", "the whole command"), ("episode", "an episode")):
        ratio = document[f"{what}_before_over_after"]
        value = interval(ratio["figure"], ratio["low"], ratio["high"], 2)
        yield Figure(f"seconds of the embedded author, before / after: {words}, median", value, (), at)
    for task, own in document["after"]["episodes"].items():
        other = document["before"]["episodes"][task]
        seconds, scores = (f"{other[key]:.1f} and {own[key]:.1f}" for key in ("seconds", "AS"))
        yield Figure(f"{task}: seconds, before and after", seconds, (), at)
        yield Figure(f"{task}: AS, before and after", scores, (), at)


def seconds_of_two(document: Mapping[str, Any]) -> Iterable[Figure]:
    """How much sooner a verdict comes than with an earlier checkout, at one precision, and whether both agree."""
    found, before, after = document["compared"], document["before"], document["after"]
    at = f"{before['precision']:.0%}, {document['revisions']['before']} and {document['revisions']['after']}"
    known = {
        "judged": "seconds of a record",
        "judged_at_equal_width": "seconds of a record, wide ones until their interval is as narrow as wanted",
        "wall": "the whole command",
    }
    for what, words in known.items():
        ratio = found.get(f"{what}_old_over_new")  # older results have two
        if ratio is None:
            continue
        value = interval(ratio["figure"], ratio["low"], ratio["high"], 2)
        yield Figure(f"seconds of a verdict by two checkouts, before / after: {words}, median", value, (), at)
    medians = " and ".join(f"{side['judged']['median']:.1f}" for side in (before, after))
    yield Figure("seconds of a record, median: before and after", medians, (), at)
    yield Figure("graphs whose intervals overlap", percent(found["intervals_overlap"]), (), at)
    within = "graphs whose two speedups are within both half widths, added in quadrature; of equal judges about 95 %"
    yield Figure(within, percent(found["paired_within"]), (), at)
    shift = found["speedup_new_over_old"]
    value = interval(shift["figure"], shift["low"], shift["high"])
    yield Figure("speedup after / before, geometric mean; 1 where both checkouts agree", value, (), at)


def seconds_of_one(document: Mapping[str, Any]) -> Iterable[Figure]:
    """How long a verdict takes, of the graphs that were timed before the time was up."""
    found = document
    at = f"{found['timed']} timed of {found['graphs']} judged graphs, {found['lanes']} lanes"
    for what, words in (("judged", "from the first request for a graph to its verdict"), ("wall", "between verdicts")):
        value = f"{found[what]['median']:.1f}; mean {found[what]['mean']:.1f}"
        yield Figure(f"seconds {words}, median", value, (), at)
    yield Figure("half width of the interval, median", percent(found["half_width"]["median"]), (), at)
    for near, share in found.get("within", {}).items():
        yield Figure(f"eager judged as a candidate: share within {near} of 1", percent(share), (), at)
    if "interval_holds_1" in found:
        yield Figure("eager judged as a candidate: intervals that hold 1", percent(found["interval_holds_1"]), (), at)


def whole_run(document: Mapping[str, Any]) -> Iterable[Figure]:
    """What judging many tasks whole costs, and what first drafts bring there."""
    of = f"{document['scored']} of {document['graphs']} graphs that count"
    benchmark, found = document["benchmark"], document["conventions"]["all"]
    yield Figure("first drafts, AS by `direct`", of_row(benchmark, "AS_gmean"), (AGENT,), of)
    yield Figure("first drafts, graphs right", f"{document['outcomes']['correct']} of {document['scored']}", (AGENT,))
    yield Figure("first drafts, share slower than eager", percent(benchmark["slower"]["value"]), (AGENT,), of)
    for convention in ("direct", "deployed", "captured", "device"):
        told = f"{found[convention]['graphs']} graphs that are right and have it"
        what = f"first drafts, speedup by {convention}"
        yield Figure(what, of_row(found, convention), (AGENT,) if convention in ("direct", "device") else (), told)
    for number, part in enumerate(document["parts"], 1):
        at = f"{part['graphs']} graphs, {part['gpus']} GPUs, {part['lanes']} lanes each"
        value = f"{part['seconds']['median']:.1f}; mean {part['mean_s']:.1f}"
        yield Figure(f"part {number}: seconds judged, median", value, (SCALE,), at)
        yield Figure(f"part {number}: seconds of a GPU for a graph", f"{part['gpu_s_per_graph']:.1f}", (SCALE,), at)
    if other := document["beside"]:
        at = f"in {other['span_s']} s on one machine, {other['graphs']} and {document['parts'][0]['graphs']} graphs"
        what = f"{document['parts'][0]['gpus']} GPUs over {other['gpus']}, graphs a second"
        yield Figure(what, f"{other['times_as_fast']:.2f} times", (SCALE,), at)


def agreement_outside(document: Mapping[str, Any]) -> Iterable[Figure]:
    """The bench's ratios in units of those of plain timing."""
    of = f"{document['graphs']} graphs"
    value = interval(document["bench_over_outside"], *document["interval"], 3)
    yield Figure("the bench's speedup over that of plain timing, geometric mean", value, (), of)
    for width in ("5%", "10%", "20%"):
        yield Figure(f"of these within {width[:-1]} %", percent(document[f"within_{width}"]), (), of)


def where_it_loses(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Shares of graphs on which a compiler loses, in both conventions, and where."""
    said, of = ("docs/compilers.md",), f"{document['judged']} graphs"
    for name, ends in document["slower_ci"].items():
        if ends is not None:
            value = interval(100 * document["slower"][name], *(100 * end for end in ends), 1)
            yield Figure(f"Inductor, slower than eager by `{name}`, %", value, said, of)
            mean = document["conventions"]["all"][name]
            yield Figure(f"Inductor, speedup by `{name}`", interval(mean["value"], mean["low"], mean["high"]), said, of)
    for what, parts in (("operators", document["by_operators"]), ("of eager's time", document["by_eager_time"])):
        for part, found in parts.items():
            shares = f"{percent(found['deployed'])} and {percent(found['direct'])}"
            of = f"{found['graphs']} graphs with {part} {what}"
            yield Figure(
                "Inductor, slower than eager by `deployed` and by `direct`", shares, said[: what == "operators"], of
            )


def load_of_a_trainer(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Rewards while several are asked for at a time, some of them for planted pass sets."""
    of = f"{document['evaluations']} pass sets, {document['at']} at a time, {document['planted']} of them planted"
    yield Figure("rewards a minute", f"{document['rewards_per_minute']:.1f}", (), of)
    yield Figure("false rewards", str(len(document["false_rewards"])), (), of)
    yield Figure(
        "the largest reward of a planted set, where eager has 1", f"{document['most_for_planted']:.2f}", (), of
    )
    yield Figure("seconds of judging an honest set, median", f"{document['honest']['median_judged_s']:.1f}", (), of)
    memory = document["memory"][0]
    parts = " and ".join(f"{memory['pss'][part]:.0f}" for part in ("second_quarter", "last_quarter"))
    yield Figure("MiB of the service and its children, second and last quarter", parts, (), of)


def corpus(document: Mapping[str, Any]) -> Iterable[Figure]:
    counts = {"passed": 0, "other": 0}
    for outcomes in document["tests"].values():
        for outcome, count in outcomes.items():
            counts["passed" if outcome == "passed" else "other"] += count
    yield Figure("tests of the corpus that passed", f"{counts['passed']} of {sum(counts.values())}")


def catch_rates(document: Mapping[str, Any]) -> Iterable[Figure]:
    through, all_verdicts = document["all_through"], document["all_verdicts"]
    yield Figure("verdicts that called a cheat of values right", f"{through} of {all_verdicts}", (INTEGRITY,))
    for name, count in document["came_through"].items():
        yield Figure(f"of these, `{name}`", f"{count} of {document['verdicts'][name]}")


def wrong_statements(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Graphs with one wrong statement: refused, no other than the graph as far as anybody found, or missed."""
    of, mutants = f"{document['graphs']} graphs", document["mutants"]
    told = (INTEGRITY,)
    yield Figure("graphs with one wrong statement that are refused", f"{document['refused']} of {mutants}", told, of)
    beside = f"{document['others']} inputs of each that no draw made"
    yield Figure("others, which stay near it on other inputs too", str(document["alike"]), told, beside)
    yield Figure("others, which differ there: missed", str(len(document["missed"])), told, beside)
    for each in document["missed"]:
        yield Figure(
            f"missed: `{each['op']}` {each['wrong']}", f"{each['differs']} of {document['others']}", (), each["graph"]
        )


def right_forms(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Real graphs in other forms that are right: how often a verdict refuses one."""
    for form, found in document["forms"].items():
        if found["graphs"]:
            of = f"{found['refused']} of {found['verdicts']}"
            said = (INTEGRITY,) if form in ("inductor", "kernels") else ()
            yield Figure(f"right forms that are refused: `{form}`", of, said, f"{found['graphs']} graphs")
    for each in document["refused"]:
        yield Figure(f"refused: `{each['form']}`", f"{len(each['objections'])} verdicts", (), each["graph"])


def device_time(document: Mapping[str, Any], said: tuple[str, ...] = ()) -> Iterable[Figure]:
    """Inductor's time over the passes' by the device, as CUDA graphs, and as plain calls."""

    def row(what: str, found: Mapping[str, Any], said: tuple[str, ...] = ()) -> Figure:
        beyond = f"slower beyond the interval on {found['slower']}, faster on {found['faster']}"
        name = f"first drafts beside Inductor, {what}, geometric mean; {beyond}"
        return Figure(name, f"{found['gmean']:.2f} times", said, f"{found['of']} graphs")

    for what in ("device", "captured", "direct", "deployed"):
        yield row(what, document["all"][what], said)
    for regime, rows in document["by_regime"].items():
        yield row(f"device, regime `{regime}`", rows["device"])
    for side, name in (("passes", "first drafts"), ("inductor", "Inductor")):
        outcomes = document["outcomes"][side]
        yield Figure(f"{name}, graphs right", f"{outcomes['correct']} of {sum(outcomes.values())}", said)
    for side, name in (("passes", "first drafts"), ("inductor", "Inductor")):
        yield Figure(f"{name}, device time over eager", f"{document['all'][f'{side}_device_over_eager']:.2f}")


def launch_settings(document: Mapping[str, Any]) -> Iterable[Figure]:
    """What the author takes first, beside the fastest of the settings that Inductor would try."""
    ways = {
        "other_tasks": "first of the author, by weights of other tasks' kernels",
        "fastest": "fastest of all that were timed",
    }
    for name, family in document["families"].items():
        for key, what in ways.items():
            row = family[key]
            said = (AGENT,) if key == "other_tasks" else ()
            named = f"{name}: {what}, in units of Inductor's fastest; worst twentieth {row['worst_twentieth']:.2f}"
            yield Figure(named, f"{row['gmean']:.2f} times", said, f"{family['kernels']} kernels")


def calls_cpu(document: Mapping[str, Any]) -> Iterable[Figure]:
    rows = document["cases"].values()
    yield Figure("frozen program over its kernel by hand, us", each(rows, "frozen", "above_by_hand_us"), (USE,))
    yield Figure("the same behind its guard, us", each(rows, "deployed", "above_by_hand_us"), (USE,))


def calls_cuda(document: Mapping[str, Any]) -> Iterable[Figure]:
    rows = list(document["cases"].values())
    ways = {
        "frozen program": "frozen",
        "the same behind its guard": "deployed",
        "eager": "eager",
        "Inductor, called directly": "inductor",
        "`torch.compile` as users call it": "torch.compile",
        "CUDA graph, inputs and results copied": "CUDA graph",
        "CUDA graph, in place": "CUDA graph, in place",
    }
    for what, way in ways.items():
        value = span((row[way]["above_empty_us"]["median"] for row in rows), 1)
        yield Figure(f"{what}: over the empty call, least and most median, us", value, (USE,))


def each(rows: Iterable[Mapping[str, Any]], way: str, key: str) -> str:
    return " and ".join(spread(row[way][key]) for row in rows)


def guards(document: Mapping[str, Any], said_in: tuple[str, ...] = ()) -> Iterable[Figure]:
    ways = {
        "guards of a call": "applied",
        "the same as a backend of `torch.compile`": "backend",
        "`torch.compile` with Inductor": "torch.compile",
        "eager": "eager",
    }
    for what, way in ways.items():
        value = spread(document["rows"][way]["over_graph_us"])
        yield Figure(f"{what}, over the bare graph, us", value, said_in if way in ("applied", "backend") else ())


def guards_cpu(document: Mapping[str, Any]) -> Iterable[Figure]:
    yield from guards(document, (USE,))
    over = {name: document["rows"][name]["over_graph_us"]["median"] for name in ("applied", "of 300 parts")}
    value = f"{1e3 * (over['of 300 parts'] - over['applied']) / 300:.0f} ns"
    yield Figure("looking for replaced parts, for each of 300", value, (USE,))


def whole_models(document: Mapping[str, Any]) -> Iterable[Figure]:
    models = document["models"].values()
    ways = {
        "passes as a backend": "passnet",
        "passes applied": "applied",
        "both, as a backend": "passnet+inductor",
        "both, applied": "applied+inductor",
        "Inductor": "inductor",
        "eager again (the spread of a ratio of 1)": "eager_again",
    }
    for what, way in ways.items():
        value = span((model["ways"][way]["speedup"]["median"] for model in models), 2)
        yield Figure(f"whole model, {what}: speedup, least and most median of the models", value, (USE,))


def optimised(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Of `passnet optimize` on whole models, against the best mode of torch.compile. Documents say the same of both."""
    models = document["models"]
    told = {name: model for name, model in models.items() if model.get("best") and not model.get("modes_without_time")}
    of_all = f"of {len(models) + len(document.get('not_measured', ()))} models"
    over = {name: over_best_mode(model) for name, model in told.items()}
    largest = max(over, key=over.__getitem__)
    rest = [ratio for name, ratio in over.items() if name != largest]
    gmean = "best form over the best mode of torch.compile, geometric mean"
    yield Figure(gmean, f"{mean(over.values()):.2f}", (USE, README), f"{len(over)} {of_all}")
    yield Figure("the same without the largest", f"{mean(rest):.2f}", (USE, README), f"all but {largest}")
    yield Figure("least and most of the models", span(over.values(), 2), (USE,), f"{len(over)} {of_all}")
    for what, names in told_apart(told).items():
        if names:
            yield Figure(what, f"{len(names)} of {len(told)}", (USE,), ", ".join(names) if len(names) < 4 else "")
    for name in slower_than_eager(told):
        yield Figure(f"{name}: best form over eager", f"{told[name]['best']['speedup_over_eager']:.2f}", (USE,))
    yield from tries(models, of_all)
    lacks = sum(bool(model.get("modes_without_time")) for model in models.values())
    yield Figure("models for which a mode of torch.compile has no time", str(lacks))


def told_apart(models: Mapping[str, Row]) -> Mapping[str, Sequence[str]]:
    """Names of the models of which more must be known than a ratio."""
    best = {name: model["best"] for name, model in models.items()}
    return {
        "models for which the answer is a mode of torch.compile": [
            name for name, each in best.items() if each["form"] == each["best_torch_compile"]
        ],
        "models for which no mode of torch.compile was faster than eager": slower_than_eager(models),
        "models with a note that the machine was unsteady": [
            name for name, model in models.items() if any("machine was unsteady" in note for note in model["notes"])
        ],
    }


def slower_than_eager(models: Mapping[str, Row]) -> Sequence[str]:
    """Those for which even the best mode of torch.compile is."""
    best = {name: model["best"] for name, model in models.items()}
    return [name for name, each in best.items() if each["speedup_over_eager"] < each["speedup_over_best_torch_compile"]]


def tries(models: Mapping[str, Row], of_all: str) -> Iterable[Figure]:
    """What each model was given. A second try, where the first did not reach every mode, stands for the first."""
    again = {name: model["first_try"] for name, model in models.items() if "first_try" in model}
    known = {name: model["minutes"] for name, model in models.items() if model.get("minutes")}
    ended = [minutes + again.get(name, {}).get("minutes", 0.0) for name, minutes in known.items()]
    yield Figure("minutes that a model took", span(ended, 1), (USE,), "both tries where there are two" if again else "")
    given = [each["minutes_allowed"] for each in (*models.values(), *again.values()) if "minutes_allowed" in each]
    if given:
        yield Figure("minutes that a try was given", span(given, 1), (USE,))
    if again:
        first = [{**model, **again.get(name, {})} for name, model in models.items()]
        found = [over_best_mode(each) for each in first if each["best"] and not each["modes_without_time"]]
        yield Figure("models of which a second try counts", f"{len(again)} of {len(models)}", (USE,), ", ".join(again))
        for name, tried in again.items():
            before = f"{over_best_mode(tried):.2f}" if tried["best"] else "no answer"
            both = f"{before}, then {over_best_mode(models[name]):.2f}"
            lacked = ", ".join(tried["modes_without_time"])
            yield Figure(f"{name}: over the best mode measured, both tries", both, (USE,), f"first without {lacked}")
        yield Figure("geometric mean by first tries", f"{mean(found):.2f}", (USE,), f"{len(found)} {of_all}")


def over_best_mode(model: Row) -> float:
    return float(model["best"]["speedup_over_best_torch_compile"])


def mean(ratios: Iterable[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def whole_models_cuda(document: Mapping[str, Any]) -> Iterable[Figure]:
    yield from whole_models(document)
    text = [model for name, model in document["models"].items() if name.startswith(("gpt2", "bloom", "llama"))]
    value = span((model["ways"][way]["fp64_ratio"] for model in text for way in ("passnet", "applied")), 2)
    chosen = "GPT-2, BLOOM and Llama of 4 layers, float32 and float16, random weights"
    yield Figure("distance from float64, in eager's own", value, (USE,), chosen)


def agreement(document: Mapping[str, Any]) -> Iterable[Figure]:
    for pair, found in document["agreement"].items():
        yield Figure(f"kernels counted, {pair}: steps equal", percent(found["steps_equal"]), ())
        yield Figure(
            f"kernels counted, {pair}: graphs with all counts equal", percent(found["graphs_with_all_counts_equal"])
        )


def scale(document: Mapping[str, Any]) -> Iterable[Figure]:
    for row in document["rows"]:
        spent = {stage: found["cpu_seconds"] for stage, found in row["stages"].items()}
        words = ", ".join(f"{stage} {seconds / 60:.0f} min" for stage, seconds in spent.items())
        yield Figure(f"{row['models']:,} models: graphs stored", f"{row['graphs_stored']:,}", (DATA,))
        yield Figure(f"{row['models']:,} models: processor time", words)


def respelled(document: Mapping[str, Any]) -> Iterable[Figure]:
    for what, key in (("in its own words", "own"), ("re-spelled", "siblings")):
        found = document[key]
        yield Figure(f"rules {what} that match", f"{found['matched']:,} of {found['rules']:,}")


def looks(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Blocks by the look after them, and how long they took."""
    for row in document["bands"]:
        answer = "the core is slow" if row["slow"] else "the core is quiet"
        what = f"look of {row['from']:g} to {row['to']:g} times, {answer}: share of the blocks, and their times"
        yield Figure(what, f"{percent(row['share'])}; {row['p50']:.2f}, nine of ten up to {row['p90']:.2f}")


def comparing(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Milliseconds of a call's comparison in both ways."""
    for row in document["rows"]:
        what = f"comparing one of {document['calls']} {row['kind']} calls of {row['elements']:,} elements, one by one"
        ratio, alone, together = row["ratio"], row["one by one_ms"], row["together_ms"]
        times = f"{ratio['median']:.1f} times [{ratio['least']:.1f}, {ratio['most']:.1f}]"
        yield Figure(f"{what} and together", f"{alone:.2f} and {together:.2f} ms: {times}")


def matching(document: Mapping[str, Any]) -> Iterable[Figure]:
    for row in document["rows"]:
        value = f"{row['ratio']['fx_over_first']['median']:.1f} and {row['ratio']['fx_over_rule']['median']:.1f} times"
        what = f"torch.fx's matching time over ours, {row['calls']:,} calls: first rule and a further one"
        yield Figure(what, value)


def published_graphs(document: Mapping[str, Any]) -> Iterable[Figure]:
    done, most = f"{document['examined']:,}", document["settings"]["max_mb"]
    yield Figure("published graphs examined", f"{done} of {document['samples']:,}")
    yield Figure("of these: files complete and read", f"{document['read']:,} of {done}")
    yield Figure("of these: shapes propagated to the end", f"{document['propagated']:,} of {done}")
    yield Figure("of these: written and read again the same", f"{document['written']:,} of {done}")
    tried = f"{document['tried_to_run']:,}"
    yield Figure(f"published graphs of at most {most:g} MB run", f"{document['ran']:,} of {tried}")
    yield Figure(
        "of these: the copy draws the same inputs, gives the same values", f"{document['same_values']:,} of {tried}"
    )
    yield Figure("of these: outputs that tell, by the default inputs", f"{document['telling']:,} of {tried}")


def published_passes(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Published pass sets, unchanged: what the default policy says, and where they match."""
    for what, key in (
        ("published pass sets", "all"),
        ("published pass sets that score at least 1", "score_at_least_1"),
    ):
        found = document[key]
        counts = [f"{found.get(state, 0)} {state}" for state in ("admitted", "refused", "unreadable")]
        yield Figure(f"{what}: by the default policy", f"{', '.join(counts)} of {found['sets']}", (PASSES,))
    cells = document["matching"]
    chosen = f"{cells['sets']} admitted sets that score above {cells['score_above']}, with the graphs of their lists"
    value = f"{cells['matched']} of {cells['cells']}"
    yield Figure("published pass sets: set and graph pairs that match", value, (PASSES,), chosen)
    yield Figure("the same by identical spelling", f"{cells['as_published']} of {cells['cells']}", (), chosen)


def ablated(document: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """A row of the page's table for each author: ratios over the whole one, its speedup, what became of graphs."""
    for name, way in document["ways"].items():
        ratios = ("1", "1") if name == "whole" else (of_mean(way[key]["over_whole"]) for key in ("direct", "deployed"))
        states = way["states"]
        judged = sum(count for state, count in states.items() if state not in ("eager", "unknown"))
        unknown = f", {states['unknown']} not told" if states.get("unknown") else ""
        counted = f"{states.get('correct', 0)} of {judged}{unknown}"
        left = str(states.get("eager", 0))
        yield name, *ratios, of_mean(way["direct"]["speedup"]), counted, left, f"{way['minutes_per_task']:.1f}"


def ablations(document: Mapping[str, Any]) -> Iterable[Figure]:
    """What is left of the author's speedup without a part of it, graph by graph."""
    for name, way in document["ways"].items():
        for convention in ("direct", "deployed"):
            what = f"author, {name}: speedup by `{convention}`"
            yield Figure(what, of_mean(way[convention]["speedup"]), (AGENT,) if convention == "direct" else ())
            if name != "whole":
                found = way[convention]["over_whole"]
                chosen = f"{found['graphs']} graphs of {found['tasks']} tasks, right by both" if found else ""
                yield Figure(f"author, {name}, over the whole one by `{convention}`", of_mean(found), (AGENT,), chosen)


def leaderboard(document: Mapping[str, Any]) -> Iterable[Figure]:
    """The rows of the leaderboard, with and without a rank."""
    for board in document["boards"]:
        chosen = f"the first graph of each of {board['tasks']} tasks"
        for row in (*board["ranked"], *board["not_ranked"]):
            yield Figure(f"leaderboard, {row['run']}: AS", of_row(row, "AS_gmean"), (COMPARE,), chosen)
            correct = percent(row["subgraph_correct"]["value"], 0) if row["scored"] else "none"
            yield Figure(f"leaderboard, {row['run']}: graphs right", correct, (COMPARE,), chosen)


def of_row(row: Mapping[str, Any], name: str) -> str:
    """A figure of a row of the leaderboard, with its interval where it has one."""
    found = row[name]
    if found["value"] is None:
        return "none"
    whole = found["low"] is not None and found["high"] is not None
    return interval(found["value"], found["low"], found["high"]) if whole else f"{found['value']:.2f}"


def of_mean(found: Mapping[str, Any] | None) -> str:
    """A geometric mean with its interval over tasks, where there is one."""
    if found is None:
        return "none"
    return interval(found["value"], *found["interval"]) if found["interval"] else f"{found['value']:.2f}"


def coverage(document: Mapping[str, Any]) -> Iterable[Figure]:
    """Simulated intervals of runs that end when the interval is narrow: how often they hold the truth."""
    rows = [row for row in document["rows"] if row["question"] == "width"]
    for nasty, laws in ((False, "laws like those of machines"), (True, "worse laws")):
        found = [row["coverage"] for row in rows if row["nasty"] is nasty]
        what = f"intervals of 95 % at {rows[0]['precision']} that hold the truth: least of {len(found)} {laws}"
        yield Figure(what, percent(min(found)), (BENCH,), f"{document['runs']} runs of each law")


def large_report(document: Mapping[str, Any]) -> Iterable[Figure]:
    what = f"report of {document['runs']} runs of {document['graphs']:,} graphs, {document['episodes']} episodes"
    yield Figure(f"{what}: MB", f"{document['bytes'] / 1e6:.1f} MB", (REPORT_PAGE,))
    times = document["open_ms"]
    value = f"{document['open_median_ms']:.0f} ms"
    yield Figure(f"the same: opened, median of {len(times)}", value, (REPORT_PAGE,))
    yield Figure("the same: opened, longest", f"{document['open_most_ms']:.0f} ms")


WHOLE = Source(
    "fusible-run-cuda", "fusible_run.py",
    "200 fusible tasks of one shape in three dtypes, in an order drawn with seed 20; first drafts that nothing chose",
    whole_run,
)  # fmt: skip
WHOLE_BEFORE = Source(
    "fusible-run-before-cuda", "fusible_run.py", "the same tasks and earlier drafts of them; records not stored",
    whole_run,
)  # fmt: skip
SAMPLE = "of a sample of 40 evaluation tasks (even steps through the split), in three dtypes"
DONE = f"{SAMPLE}; those done, in random order, when the machine's time was over"
TWELVE = "12 of the 20 bundled tasks, chosen in a way that was not recorded, six variants each"
ONE_OF_EACH = "the first graph of each of the 20 bundled tasks"
BY_HAND = "of one kernel, chosen by hand"
CHAIN = "one model with one replaced chain, 1 x 64"
MODELS = "models of timm and transformers, random weights"
DRAWN = "captured graphs drawn with seed 0, at most 16 operators"
SMALL = "the first 1,000 computations of the dataset up to 512 KiB"
SMALL_DRAWN = "drawn with a seed after the code was fixed, at most 60,000 numbers in all inputs and in one value"
TURNS = "all ways in turn in one process"
HELD_OUT = (
    "{} fusible pieces of the reserve that nothing had used, one graph each, drawn with {} after the code was fixed; "
    "drafts that nothing chose"
)
LAUNCHED = (
    "kernels of first drafts of 200 fusible tasks, of 170 pieces of the reserve drawn with seed 31, of 129 pieces at "
    "sizes where the device works (seeds 61 and 62), of 100 reductions and norms over drawn shapes, and of 91 "
    "convolutions of single channels; each kernel alone, as replays of a CUDA graph"
)
ON_TWO = "`direct` at 5%, two GPUs with two lanes each, both compilers one after the other"
REAL = "the first of twelve models at their own sizes, six of them drawn with seed 11; random weights"
ON_TWO_GPUS = (
    "twelve models at their own sizes, six of them drawn with seed 11; random weights; several at a time, each on a "
    "GPU of its own; rows of several runs, joined; `benchmarks/README.md` says what was dirty"
)
REACHED = "one checkout in random order, as far as the machine's time went"
ALTERNATING = "both checkouts in turn"
COUNTED = "counted, not timed"
SIMULATED = "simulated"
CHROMIUM = "each time in a fresh context of headless Chromium, on a busy machine"
BUSY = "once, on a busy machine"
BESIDE = "beside another job on other cores and another GPU"
REJUDGED = Source("rejudged-authors-cuda", "rejudge.py", DONE, rejudged)
TWO_CHECKOUTS = Source("evaluation-time-cpu", "evaluation_time.py", ONE_OF_EACH, evaluation_time, ALTERNATING)
EPISODES = [
    Source(name, "episode_time.py", "the tasks of `make demo`, one graph each", episodes_of_two, ALTERNATING)
    for name in ("episode-time-cpu", "episode-5-time-cpu")
]
SOONER = Source(
    "seconds-5-both-cpu", "seconds.py --against",
    "all graphs of ten of the 20 bundled tasks, drawn with seed 20; two tasks a turn",
    seconds_of_two, ALTERNATING,
)  # fmt: skip
SOONER_ON_A_GPU = Source(
    "seconds-5-both-cuda", "seconds.py --against",
    "fusible tasks with first drafts; four tasks a turn, in an order drawn with seed 31, until the time was up",
    seconds_of_two, ALTERNATING,
)  # fmt: skip
AGAINST_ITSELF = Source(
    "seconds-1-aa-cuda", "seconds.py --aa",
    "fusible tasks, one graph each, in an order drawn with seed 41, until the time was up",
    seconds_of_one,
)  # fmt: skip
OUTSIDE = Source("outside-cpu", "outside.py", "two graphs of each of the 20 bundled tasks", agreement_outside)
LOSSES = Source("slowdown-cpu", "slowdown.py", "all graphs of the 20 bundled tasks", where_it_loses)
LOAD = Source("training-load-cpu", "training_load.py", "one shape of one task; stopped by the time", load_of_a_trainer)
ON_A_GPU = [
    Source(f"seconds-passes-{given}-cuda", "seconds.py", "fusible tasks in an order drawn with seed 20, first drafts",
           seconds_of_one)
    for given in (5, 2)
]  # fmt: skip
LARGE_REPORT = Source("report-scale", "report_scale.py", "records made from a seed", large_report, CHROMIUM)
ABLATED = "ablations-cpu"
BOARD = "leaderboard-cpu"
LEADERBOARD = Source(BOARD, "leaderboard.py", "the first graph of each of the 20 bundled tasks", leaderboard)
ABLATIONS = Source(
    ABLATED,
    "ablations.py",
    "those of the first 12 `typical` evaluation tasks of the wheel, launch-bound, that were done",
    ablations,
)
COVERAGES = [Source(f"coverage-{given}", "coverage.py", "", coverage, SIMULATED) for given in (5, 2, 1)]
SOURCES = (
    Source("authors-cuda", "authors.py --once", DONE, authors_now),
    Source("authors-40-cuda", "authors.py --once", SAMPLE, authors_before),
    *(
        source
        for source in (
            WHOLE,
            WHOLE_BEFORE,
            REJUDGED,
            ABLATIONS,
            LEADERBOARD,
            TWO_CHECKOUTS,
            *EPISODES,
            SOONER,
            OUTSIDE,
            LOSSES,
            LOAD,
            *ON_A_GPU,
            SOONER_ON_A_GPU,
            AGAINST_ITSELF,
            LARGE_REPORT,
        )
        if (RESULTS / f"{source.file}.json").exists()
    ),
    *COVERAGES,
    Source(
        "device-time-cuda",
        "device_time.py",
        HELD_OUT.format(70, "seeds 61, 63 (40 pieces of much work) and 64"),
        functools.partial(device_time, said=(AGENT,)),
        ON_TWO,
    ),
    Source(
        "device-time-max-autotune-cuda",
        "device_time.py --beside inductor-max-autotune-no-cudagraphs",
        "14 of the same, 3 of them of much work, drafts and Inductor on two machines",
        functools.partial(device_time, said=(AGENT,)),
        ON_TWO,
    ),
    Source(
        "device-time-before-cuda",
        "device_time.py",
        HELD_OUT.format(60, "seed 51"),
        device_time,
        "`direct` at 5%, two machines in turn with four GPUs and two lanes each, both compilers one after the other",
    ),
    Source("launch-settings-cuda", "launch_settings.py", LAUNCHED, launch_settings),
    Source("authors-cpu", "authors.py --once", TWELVE, authors),
    Source("compilers-cuda", "compilers.py", ONE_OF_EACH, bundled_both),
    Source("compilers-passes-cuda", "compilers.py --only passes", ONE_OF_EACH, bundled),
    Source("cases-cpu", "cases.py", "two tasks of three dtypes, one core, while other programs ran", cases),
    Source("aa-cpu", "aa.py", "two graphs of each of the 20 bundled tasks", control_cpu),
    Source("aa-cuda", "aa.py", ONE_OF_EACH, control),
    Source("program-overhead-cuda", "program_overhead.py", f"three programs {BY_HAND}", calls_cuda, TURNS, 60),
    Source("program-overhead-cpu", "program_overhead.py", f"two shapes of a program {BY_HAND}", calls_cpu, TURNS, 60),
    Source("use-overhead-cpu", "use_overhead.py", CHAIN, guards_cpu, TURNS, 60),
    Source("use-overhead-cuda", "use_overhead.py", CHAIN, guards, TURNS, 60),
    Source("whole-model-cuda", "whole_model.py", f"9 {MODELS}", whole_models_cuda, TURNS, 40),
    Source("whole-model-cpu", "whole_model.py", f"8 {MODELS}", whole_models, TURNS, 40),
    Source("whole-models-best-cpu", "whole_models_best.py --real", REAL, optimised, "`passnet optimize`"),
    Source("whole-models-best-cuda", "whole_models_best.py --real", ON_TWO_GPUS, optimised, "`passnet optimize`"),
    Source("integrity-overhead-cpu", "integrity_overhead.py", "", overhead),
    Source("mutants-cpu", "mutants.py", "drawn with a seed, inputs of at most 3 million numbers", wrong_statements),
    Source("mutants-cuda", "mutants.py", "of the drafted tasks, drawn with a seed", wrong_statements),
    Source("right-forms-cpu", "right_forms.py", SMALL_DRAWN, right_forms, COUNTED),
    Source("catch-rates-cpu", "catch_rates.py", "all cheats in `cheats/shortcut`", catch_rates),
    Source("integrity-cpu", "integrity_corpus.py", "all that needs no GPU, but inside Inductor", corpus),
    Source("integrity-cuda", "integrity_corpus.py", "all that needs a GPU", corpus),
    Source("core-looks-cuda", "core_looks.py", "one graph of each of four drafted tasks", looks, BESIDE),
    Source("comparing-cuda", "comparing.py", "float32 outputs that are right", comparing, "median of turns"),
    Source("dataset-scale", "dataset_scale.py", "the first models of one build in turn", scale, BUSY),
    Source("fusible-agreement-cuda", "fusible_agreement.py", f"300 {DRAWN}", agreement, COUNTED),
    Source("fusible-agreement-cpu", "fusible_agreement.py", f"60 {DRAWN}", agreement, COUNTED),
    Source("published-graphs", "published_graphs.py", REACHED, published_graphs, COUNTED),
    Source("respelling-cpu", "respelling.py --run", "one graph of each bundled computation", respelled, COUNTED),
    Source("respelling-dataset-cpu", "respelling.py data/dataset --run", SMALL, respelled, COUNTED),
    Source("published-passes", "published_passes.py", "drawn with seed 1024", published_passes, COUNTED),
    Source("matching-cpu", "matching.py", "chains of operators made for it", matching, TURNS, 7),
)


# --- the page ----------------------------------------------------------------------------------------------------


def protocol_of(document: Mapping[str, Any], figure: Figure, source: Source | None = None) -> str:
    """What a reader must know of how it was measured: who chose, what was shorter, how many rounds."""
    words = [MEASURED_BESIDE if figure.by_others else CHOSEN_BY_AUTHOR] if document.get("measured_once") else []
    if settings := document.get("protocol"):
        device = document["environment"]["device"]
        default = IN_ROUNDS[device] | make("direct", device=device).model_dump()
        known = [key for key in AMOUNTS if key in settings and key in default]
        less = [f"{key} {settings[key]} ({default[key]})" for key in known if settings[key] < default[key]]
        asked = f" at {settings['precision']:.0%}" if "precision" in settings else ""
        words.append(f"shorter protocol: {', '.join(less)}" if less else f"`direct`{asked}")
    if document["benchmark"] in ("integrity", "catch_rates"):
        words.append(f"{document.get('protocol_of_tests', 'short')} protocol")
    if document["benchmark"] == "integrity-overhead":
        words.append("one round")
    words += [source.how] if source and source.how else []
    words += [rounds_of(document, source.rounds)] if source and source.rounds else []
    return "; ".join(words)


def rounds_of(document: Mapping[str, Any], default: int) -> str:
    """How often everything was measured, and by default is."""
    done = document.get("rounds", document.get("blocks"))
    if done is None:
        return "the number of rounds was not recorded"
    return f"shorter protocol: {done} rounds ({default})" if done < default else f"{done} rounds"


def device_of(environment: Mapping[str, Any]) -> str:
    return str(environment.get("gpu") or f"{environment['cpu']}, {environment['cores']} cores")


def cells(source: Source, figure: Figure) -> tuple[str, ...]:
    return (
        figure.what,
        figure.value + (" (recomputed)" if figure.recomputed else ""),
        ", ".join(f"[{Path(name).stem}]({link(name)})" for name in figure.said_in) or "only here",
        figure.chosen or "all",
        protocol_of(load(source.file), figure, source) or "as by default",
    )


def origin(source: Source) -> str:
    """What all figures of a file have in common."""
    document = load(source.file)
    revision = document["environment"]["revision"] or "not recorded"
    facts = [f"`{source.script}`", device_of(document["environment"]), document["date"], f"revision {revision}"]
    return "; ".join([*facts, *([source.chosen] if source.chosen else [])]) + "."


def section(source: Source) -> str:
    """A heading, what the figures have in common, and a table of them. What all protocols say stands above it."""
    rows = [cells(source, figure) for figure in source.figures(load(source.file))]
    said = [row[-1].split("; ") for row in rows]
    common = [part for part in said[0] if all(part in parts for parts in said)]
    rows = [
        (*row[:-1], "; ".join(part for part in parts if part not in common))
        for row, parts in zip(rows, said, strict=True)
    ]
    shown = [number for number in range(len(COLUMNS)) if any(row[number] not in ("", "all") for row in rows)]
    table = [[COLUMNS[number] for number in shown], ["---"] * len(shown)]
    lines = [f"| {' | '.join(row)} |" for row in [*table, *([row[number] for number in shown] for row in rows)]]
    same = f" Protocol: {'; '.join(common)}." if common else ""
    return "\n".join([f"## {source.file}", "", origin(source) + same, "", *lines, ""])


def link(name: str) -> str:
    return name.removeprefix("docs/") if name.startswith("docs/") else f"../{name}"


def page() -> str:
    return HEAD + "\n".join(section(source) for source in SOURCES)


def unsaid() -> list[str]:
    """Figures that a document is said to hold and does not, in these words."""
    texts: dict[str, str] = {}
    missing = []
    for source in SOURCES:
        for figure in source.figures(load(source.file)):
            for name in figure.said_in:
                text = texts.setdefault(name, " ".join((ROOT / name).read_text().split()))
                if figure.value not in text:
                    missing.append(f"{name} does not say `{figure.value}` ({figure.what}, {source.file})")
    return missing


def without_a_row() -> list[str]:
    """Result files that no source of the table reads."""
    known = {source.file for source in SOURCES}
    return [
        f"no row of the table is of {path.name}" for path in sorted(RESULTS.glob("*.json")) if path.stem not in known
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where something differs")
    options = parser.parse_args()
    import page_tables

    wrong = without_a_row()

    pages = {PAGE: page()} | {ROOT / name: page_tables.written(name) for name in page_tables.PAGES}
    for path, text in pages.items():
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            name = path.relative_to(ROOT)
            wrong.append(f"{name} is not what the results say: run python benchmarks/figures_table.py")
    wrong += unsaid()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
