"""Tables of results in pages, each between two comments: `<!-- NAME -->` and `<!-- /NAME -->`. Nothing is measured.

`figures_table.py` writes and checks them, together with `docs/figures.md`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from figures_table import (
    ABLATED,
    BOARD,
    RESULTS,
    ROOT,
    Row,
    ablated,
    aggregated,
    device_of,
    load,
    of_row,
    percent,
    right,
    stored,
    task_of,
)

Table = list[tuple[str, ...]]
WIDTH = 120
NOT_ABLATED = (
    "What each of these parts brings was not measured. `benchmarks/ablations.py` measures it. On two shared cores "
    "three of its twelve tasks took a quarter of an hour, with one variant of each."
)


@dataclass(frozen=True)
class Block:
    """What stands between two comments: a paragraph, and a table below it. Either may be missing."""

    table: Table
    words: str = ""


def results() -> Block:
    """Who was measured where, and what it scored. What was not chosen by these very figures comes first."""
    head = ("who", "where", "right", "AS, `direct`", "AS, `deployed`", "slower than eager")
    rows = scored("compilers-cuda", "passes written by hand")
    chosen = (scored(file, "the embedded author, chosen by these figures") for file in ("authors-cuda", "authors-cpu"))
    return Block([head, *rows, *chain.from_iterable(chosen)])


def scored(file: str, who: str) -> Iterable[tuple[str, ...]]:
    """Passes and Inductor on the same graphs of one result file."""
    document = load(file)
    device = device_of(document["environment"]).partition(",")[0]
    for name, key in ((who, "passes"), ("TorchInductor", "inductor")):
        side = document["compilers"][key]
        tasks, counted = len({task_of(row) for row in side["rows"]}), right(side).partition(",")[0]
        slower, deployed = percent(side["slower_than_eager"], 0), aggregated(side["rows"], "deployed")
        yield name, f"{device}, {tasks} tasks", counted, stored(side), deployed, slower


def case(task: str) -> Block:
    """One case: each dtype's time in eager, and both compilers' speedups with intervals."""
    sides = load("cases-cpu")["compilers"]
    head = ("dtype", "eager, us", "our pass, `direct`", "`deployed`", "Inductor, `direct`", "`deployed`")
    ours, theirs = ({row["graph"]: row for row in sides[key]["rows"]} for key in ("passes", "inductor"))
    graphs = [graph for graph in ours if graph.startswith(f"{task}/")]
    rows = ((graph.split("/")[1], us(ours[graph]), *both(ours[graph]), *both(theirs[graph])) for graph in graphs)
    return Block([head, *rows])


def ablations() -> Block:
    """The embedded author without some of its parts. Until that is measured, the words that it was not."""
    if not (RESULTS / f"{ABLATED}.json").exists():
        return Block([], NOT_ABLATED)
    document = load(ABLATED)
    head = (
        "author",
        "over the whole one, `direct`",
        "`deployed`",
        "speedup, `direct`",
        "right",
        "left to eager",
        "minutes",
    )
    device = device_of(document["environment"]).partition(",")[0]
    graphs = document["ways"]["whole"]["graphs"]
    words = (
        f"**What the parts bring.** Four authors on the same {document['tasks']} evaluation tasks, {graphs} graphs, on "
        f"one core of {device}. Their pass sets were judged afterwards in fresh runs that selected nothing "
        "(`benchmarks/ablations.py`). A graph that an author left to eager counts as 1."
    )
    return Block([head, *ablated(document)], words)


def us(row: Row) -> str:
    return f"{row['eager_us']:.0f}" if row["eager_us"] else "not measured"


def both(row: Row) -> tuple[str, str]:
    """The two conventions, or the outcome where there is no figure. A low end that counts is called so."""
    if row["direct"] is None:
        return row["outcome"], row["outcome"]
    low, high = row["interval"]
    direct = (
        f"at least {low:.2f} (to {high:.2f})"
        if row["direct"] == low
        else f"{row['direct']:.2f} [{low:.2f}, {high:.2f}]"
    )
    deployed = f"{row['deployed']:.2f}" if row["deployed"] else "not measured"
    return direct, deployed


def whole_models() -> Block:
    """What `passnet optimize` found for each model, against the best mode of torch.compile."""
    document = load("whole-models-best-cpu")
    head = ("model", "eager, ms", "best mode of `torch.compile`", "best form of all", "over that mode")
    rows = [
        (name, f"{us_of(model, 'eager') / 1e3:.0f}", *of_model(model)) for name, model in document["models"].items()
    ]
    return Block([head, *rows])


def whole_models_cuda() -> Block:
    """The same on GPUs, where models had other cards and minutes, and two had a second try."""
    document = load("whole-models-best-cuda")
    head = ("model", "GPU", "minutes given", "eager, ms", "best mode of `torch.compile`", "best form of all",
            "over that mode")  # fmt: skip
    rows = [
        (name, gpu_of(model), given(model), f"{us_of(model, 'eager') / 1e3:.1f}", *of_model(model))
        for name, model in document["models"].items()
    ]
    return Block([head, *rows])


def gpu_of(model: Row) -> str:
    """The card without its maker and memory: `H100`."""
    return str(model["gpu"]).removeprefix("NVIDIA ").partition(" ")[0]


def given(model: Row) -> str:
    """Minutes that it was allowed, the first try before the second."""
    tried = [model["first_try"], model] if "first_try" in model else [model]
    return ", then ".join(f"{each['minutes_allowed']:g}" for each in tried)


def us_of(model: Row, form: str) -> float:
    return float(next(row["us"] for row in model["forms"] if row["form"] == form))


def of_model(model: Row) -> tuple[str, str, str]:
    best = model["best"]
    if not best:
        return "not measured", "none", "no answer"
    ratio, (low, high) = best["speedup_over_best_torch_compile"], best["ci"]
    mode = best["best_torch_compile"]
    lacks = " (not all were measured)" if model["modes_without_time"] else ""
    return f"{mode}{lacks}", best["form"], f"{ratio:.2f} [{low:.2f}, {high:.2f}]"


def leaderboard() -> Block:
    """The board that is stored, best AS first. Nothing until there is one."""
    if not (RESULTS / f"{BOARD}.json").exists():
        return Block([])
    document = load(BOARD)
    head = ("rank", "system", "AS, `direct`", "right", "slower than eager", "why it has no rank")
    board, *others = document["boards"]
    told = [(str(row["rank"]), row, "") for row in board["ranked"]]
    told += [("", row, "; ".join(row["problems"])) for row in board["not_ranked"]]
    told += [("", row, "other graphs than above") for one in others for row in (*one["ranked"], *one["not_ranked"])]
    rows = [(rank, row["run"], of_row(row, "AS_gmean"), *shares(row), why) for rank, row, why in told]
    table = [head, *rows] if any(why for _, _, why in told) else [line[:-1] for line in (head, *rows)]
    device = device_of(document["environment"]).partition(",")[0]
    words = (
        f"**What we ran.** One graph of each of {board['tasks']} bundled tasks, with a precision of 5 %, on one core "
        f"of {device}. `python benchmarks/leaderboard.py --rebuild --site build/leaderboard` makes the site again from "
        "the runs in `benchmarks/results`, and measures nothing. Their protocol is that of the day: blocks have other "
        "sizes since. The site ranks these rows on a board of their own and says so above it. `submit check` warns of "
        "that, and refuses the runs for having one graph of each task."
    )
    return Block(table, words)


def shares(row: Row) -> tuple[str, str]:
    """Graphs right, and slower than eager."""
    if not row["scored"]:
        return "none", "none"
    return percent(row["subgraph_correct"]["value"], 0), percent(row["slower"]["value"], 0)


PAGES: Mapping[str, Mapping[str, Callable[[], Block]]] = {
    "README.md": {"results": results},
    "README.zh-CN.md": {"results": results},
    "docs/agent.md": {"ablations": ablations},
    "docs/compare.md": {"leaderboard": leaderboard},
    "docs/use.md": {"whole_models": whole_models, "whole_models_cuda": whole_models_cuda},
    "docs/cases.md": {
        "maskformer_roll": lambda: case("maskformer_roll"),
        "masked_mean_pooling": lambda: case("masked_mean_pooling"),
    },
}


def written(name: str) -> str:
    """The page with its tables as the results have them. ValueError where a comment is missing."""
    text = (ROOT / name).read_text()
    for table, made in PAGES[name].items():
        text = between(text, table, made())
    return text


def between(text: str, name: str, block: Block) -> str:
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"expected {begin} and {end}, once each and in this order; add them where the table belongs")
    lines = []
    if block.words:
        lines += [*textwrap.wrap(block.words, WIDTH, break_long_words=False, break_on_hyphens=False), ""]
    if block.table:
        head, *rows = block.table
        lines += [*(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)), ""]
    return "\n".join([f"{before}{begin}", "", *lines, f"{end}{after}"])
