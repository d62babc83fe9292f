"""Rows and cards for the dataset tests: the bundled graphs, and small corpora with known families."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from passnet.dataset.tables.cards import Card
from passnet.dataset.tables.rows import Row
from passnet.graph import Graph, TensorSpec, find_graphs

ROOT = Path(__file__).parents[2]
TASKS = ROOT / "data" / "tasks"
FIXTURES = ROOT / "tests" / "fixtures" / "graphs"
SHAPES = ((1, 16), (16, 256))
_OPS = ("relu", "tanh", "sigmoid", "sin", "cos", "exp", "abs", "neg")


@cache
def bundled_rows() -> tuple[Row, ...]:
    """The bundled graphs as rows, at their places below `data/tasks`."""
    return tuple(
        Row.from_graph(Graph.read(path), path=path.relative_to(TASKS).as_posix()) for path in find_graphs(TASKS)
    )


def graph(
    ops: Sequence[str],
    *,
    model: str = "resnet18",
    family: str = "resnet",
    kind: str = "fusible",
    dtype: str = "float32",
    shape: Sequence[int] = (1, 16),
    shape_index: int = 9,
    others: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Graph:
    """A chain of unary operators of one input; `others` are further origins with their families."""
    lines = [f"        tmp_{i} = torch.{op}({f'tmp_{i - 1}' if i else 'in_0'})" for i, op in enumerate(ops)]
    head = "import torch\n\nclass GraphModule(torch.nn.Module):\n\n    def forward(self, in_0):\n"
    source = head + "\n".join([*lines, f"        return (tmp_{len(ops) - 1},)"])
    own = f"samples/timm/{model}"
    meta = {
        "framework": "torch",
        "num_devices_required": 1,
        "num_nodes_required": 1,
        "model_name": model,
        "source": "timm",
        "heuristic_tag": "computer_vision",
        "family": family,
        "kind": kind,
        "captured_dtype": "float32",
        "op_names": list(ops),
        "dtype": dtype,
        "shape_index": shape_index,
        "origin_families": {own: family, **(others or {})},
    }
    return Graph(
        name=name or f"{model}_start0_end{len(ops)}_0",
        source=source,
        specs=(TensorSpec("in_0", tuple(shape), dtype, mean=0.0, std=1.0),),
        meta=meta,
        sources={own: [[0, len(ops)]], **{origin: [[1, 1 + len(ops)]] for origin in others or {}}},
    )


def corpus(families: int = 8, pieces: int = 6) -> Iterator[Row]:
    """Each family has pieces of its own; the first piece of all families is one structure, kept by the first family."""
    names = [f"family{chr(97 + place)}" for place in range(families)]
    shared = {f"samples/timm/{name}_small": name for name in names[1:]}
    for place, family in enumerate(names):
        for piece in range(pieces):
            if piece == 0 and place > 0:
                continue
            ops = tuple(_OPS[(place * (step + 1) + piece * (step + 2)) % 8] for step in range(2 + piece % 3))
            ops += (_OPS[place], _OPS[piece]) if piece else ("relu",)
            for index, shape in enumerate(SHAPES):
                for dtype in ("float32", "bfloat16"):
                    yield Row.from_graph(
                        graph(
                            ops,
                            model=f"{family}_small",
                            family=family,
                            kind="fusible" if piece % 2 else "typical",
                            dtype=dtype,
                            shape=shape,
                            shape_index=index,
                            others=shared if piece == 0 else None,
                            name=f"{family}_small_start{piece}_end{piece + len(ops)}_0",
                        )
                    )


def card(
    ops: Sequence[str],
    *,
    uid: str,
    kind: str = "fusible",
    structure: str | None = None,
    family: str = "resnet",
    families: Sequence[str] | None = None,
    dtype: str = "float32",
    shape_index: int | None = 9,
    buckets: tuple[tuple[int, ...], ...] = ((0, 1),),
    split: str | None = None,
) -> Card:
    """A card with little to say."""
    return Card(
        uid=uid,
        path=f"samples/timm/{family}/_decomposed/{uid}",
        kind=kind,
        op_names=tuple(ops),
        structure_hash=structure or " ".join(ops),
        dtype=dtype,
        shape_index=shape_index,
        buckets=buckets,
        library="timm",
        family=family,
        families=tuple(sorted(families or (family,))),
        domain="other",
        split=split,
    )


@st.composite
def corpora(draw: st.DrawFn) -> list[Card]:
    """Any small corpus: sequences, structures and families overlap in every way."""
    letters = st.sampled_from("abcde")
    count = draw(st.integers(1, 25))
    cards = []
    for number in range(count):
        ops = draw(st.lists(letters, min_size=1, max_size=4))
        families = draw(st.lists(st.sampled_from(["f1", "f2", "f3", "f4", "f5", ""]), min_size=1, max_size=3))
        cards.append(
            card(
                ops,
                uid=f"u{number}",
                kind=draw(st.sampled_from(["fusible", "typical", "sole_op", "full"])),
                # Now and then another sequence has the same structure.
                structure=draw(st.sampled_from([None, None, None, "s1", "s2"])),
                family=families[0],
                families=families,
                dtype=draw(st.sampled_from(["float32", "float16", "bfloat16", "float64"])),
                buckets=((draw(st.integers(0, 3)),),),
            )
        )
    return cards
