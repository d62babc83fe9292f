"""Tables of results in pages, each between two comments: `<!-- NAME -->` and `<!-- /NAME -->`. Nothing is measured.

`figures_table.py` writes and checks them, together with `docs/figures.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from figures_table import ROOT, Row, aggregated, device_of, load, percent, right, stored, task_of

Table = list[tuple[str, ...]]


def results() -> Table:
    """Who was measured where, and what it scored."""
    head = ("who", "where", "right", "AS, `direct`", "AS, `deployed`", "slower than eager")
    authors = "the embedded author"
    rows = [*scored("authors-cuda", authors), *scored("authors-cpu", authors)]
    return [head, *rows, *scored("compilers-cuda", "passes written by hand")]


def scored(file: str, who: str) -> Iterable[tuple[str, ...]]:
    """Passes and Inductor on the same graphs of one result file."""
    document = load(file)
    device = device_of(document["environment"]).partition(",")[0]
    for name, key in ((who, "passes"), ("TorchInductor", "inductor")):
        side = document["compilers"][key]
        tasks, counted = len({task_of(row) for row in side["rows"]}), right(side).partition(",")[0]
        slower, deployed = percent(side["slower_than_eager"], 0), aggregated(side["rows"], "deployed")
        yield name, f"{device}, {tasks} tasks", counted, stored(side), deployed, slower


def case(task: str) -> Table:
    """One case: each dtype's time in eager, and both compilers' speedups with intervals."""
    sides = load("cases-cpu")["compilers"]
    head = ("dtype", "eager, us", "our pass, `direct`", "`deployed`", "Inductor, `direct`", "`deployed`")
    ours, theirs = ({row["graph"]: row for row in sides[key]["rows"]} for key in ("passes", "inductor"))
    graphs = [graph for graph in ours if graph.startswith(f"{task}/")]
    return [
        head,
        *((graph.split("/")[1], us(ours[graph]), *both(ours[graph]), *both(theirs[graph])) for graph in graphs),
    ]


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


PAGES: Mapping[str, Mapping[str, Callable[[], Table]]] = {
    "README.md": {"results": results},
    "README.zh-CN.md": {"results": results},
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


def between(text: str, name: str, table: Table) -> str:
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"expected {begin} and {end}, once each and in this order; add them where the table belongs")
    lines = [f"| {' | '.join(row)} |" for row in (table[0], ("---",) * len(table[0]), *table[1:])]
    return "\n".join([f"{before}{begin}", "", *lines, "", f"{end}{after}"])
