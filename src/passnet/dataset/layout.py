"""The place of a graph in a published tree, and the facts in its path and provenance.  No torch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from passnet.dataset.models.families import of_model
from passnet.graph import Graph
from passnet.op_classes import word_set

FULL, SOLE_OP, TYPICAL, FUSIBLE = "full", "sole_op", "typical", "fusible"
# A piece of a model, cut in an unknown way (trees of other makers).
SUBGRAPH = "subgraph"
KINDS = (FULL, SOLE_OP, TYPICAL, FUSIBLE, SUBGRAPH)
# How a graph was captured that was not captured here: its statistics are those of real tensors.
PUBLISHED = "published"
TASK_KINDS = (SOLE_OP, TYPICAL, FUSIBLE, SUBGRAPH)
DTYPES = ("float32", "float16", "bfloat16")
# The shape index of the captured sizes. Smaller indices are the published combinations.
ORIGINAL = 9
SAMPLES = "samples"
_DECOMPOSED = "_decomposed"
_GROUP = re.compile(r"(sole_op|typical|fusible)_subgraphs")
_BREAK = re.compile(r"subgraph(_\d+)?")
_FAMILY = re.compile(r"[a-z]+")
# The part of the published tree whose models are named by owner and model.
HUB = "transformers-auto-model"
_SAY_NOTHING = word_set("tiny mini small base medium large random dummy test my hf the")


@dataclass(frozen=True)
class Place:
    """Facts from a path. None where it has no such fact.  `origin` is `samples/<source>/<model>`."""

    kind: str | None = None
    dtype: str | None = None
    shape_index: int | None = None
    library: str | None = None
    model: str | None = None
    origin: str | None = None
    decomposed: bool = False


def place_of(path: str) -> Place:
    """Reads `[<kind>_subgraphs/][<dtype>/][<0..9>/]samples/<source>/<model>[/_decomposed/...]`, wherever it begins."""
    parts = PurePosixPath(path).parts
    if SAMPLES not in parts:
        groups = [found[1] for part in parts if (found := _GROUP.fullmatch(part))]
        return Place(kind=groups[0] if groups else None, decomposed=_DECOMPOSED in parts)
    at = parts.index(SAMPLES)
    before, after = parts[:at], parts[at + 1 :]
    cut = after.index(_DECOMPOSED) if _DECOMPOSED in after else len(after)
    model = after[1:cut]
    groups = [found[1] for part in before if (found := _GROUP.fullmatch(part))]
    dtypes = [part for part in before if part in DTYPES]
    indexes = [int(part) for part in before if re.fullmatch(r"\d", part)]
    whole = "/".join((SAMPLES, *after[:cut]))
    return Place(
        kind=groups[-1] if groups else None,
        dtype=dtypes[-1] if dtypes else None,
        shape_index=indexes[-1] if indexes else None,
        library=after[0] if after else None,
        model="/".join(part for part in model if not _BREAK.fullmatch(part)) or None,
        origin=whole if model else None,
        decomposed=_DECOMPOSED in after,
    )


def kind_of(graph: Graph | None, place: Place) -> str | None:
    """The kind that a graph states, or that its path tells. None where neither does. `graph`: None: not at hand."""
    stated = graph.meta.get("kind") if graph is not None else None
    if stated in KINDS:
        return str(stated)
    if place.kind is not None:
        return place.kind
    if place.decomposed or (graph is not None and graph.sources is not None):
        return SUBGRAPH
    return FULL if graph is not None else None


def naming_root(directory: Path, root: Path) -> Path:
    """The directory from which published paths below `root` count: the parent of `samples`, wherever `root` itself
    lies.
    """
    parts = directory.resolve().parts
    if SAMPLES not in parts or SAMPLES in directory.relative_to(root).parts:
        return root
    last = len(parts) - 1 - parts[::-1].index(SAMPLES)
    return Path(*parts[:last])


def path_of(graph: Graph) -> str:
    """The published path of a graph that this room made, from its meta and provenance.

    A name that is a path already (it holds `samples/`) is kept.  Pieces lie below their first origin.
    """
    if f"{SAMPLES}/" in f"{graph.name}/" and "/" in graph.name:
        return graph.name
    meta = graph.meta
    kind = str(meta.get("kind") or FULL)
    origin = first_origin(graph)
    if kind == FULL:
        return origin
    group = [f"{kind}_subgraphs"] if kind in (SOLE_OP, TYPICAL, FUSIBLE) else []
    head = [*group, str(meta.get("dtype") or meta.get("captured_dtype") or "float32")]
    if kind != SOLE_OP:
        head.append(str(meta.get("shape_index", ORIGINAL)))
    elif meta.get("shape_index", ORIGINAL) != ORIGINAL:
        # Published single operators have no index. Ours have several shapes, which need one.
        head.append(str(meta["shape_index"]))
    return "/".join((*head, origin, _DECOMPOSED, graph.name))


def first_origin(graph: Graph) -> str:
    """The graph's own model: where its sources, or its meta, say that it comes from."""
    own = f"{SAMPLES}/{graph.meta.get('source') or 'user'}/{graph.meta.get('model_name') or graph.name}"
    sources = list(graph.sources or ())
    mine = [origin for origin in sources if origin == own or origin.startswith(own + "/")]
    return mine[0] if mine else (sources[0] if sources else own)


def family_of_name(origin: str) -> str:
    """The family of a model from its name alone: the first word that names a family, with spellings merged.

    `samples/timm/resnet18` and `samples/torchvision/resnext50_32x4d` are both "resnet". The names of a model hub begin
    with an owner: `samples/transformers-auto-model/someone_tiny-random-bert` is "bert". Empty when there is no such
    word.
    """
    place = place_of(origin)
    model = PurePosixPath(place.model or origin).name
    if place.library == HUB and "/" not in (place.model or ""):
        # An underscore stands for the slash after the owner.
        model = model.partition("_")[2] or model
    words = _FAMILY.findall(model.lower())
    found = next((word for word in words if word not in _SAY_NOTHING), words[0] if words else "")
    return of_model(model, found) if found else ""


def family_of_origin(origin: str, families: Mapping[str, str]) -> str:
    """The family of `samples/<source>/<model>[/subgraph_<n>]` by the table, else by its name."""
    stem = re.sub(r"/subgraph(_\d+)?$", "", origin)
    return families.get(origin) or families.get(stem) or family_of_name(origin)
