"""`Row`: one graph as one row of a table, and the graph again from the row, with nothing lost.  No torch."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from sys import intern

from passnet.authored import is_name, is_text
from passnet.dataset import layout
from passnet.dataset.tables.codec import PackedSpecs, compact, pack, unpack
from passnet.dataset.tables.fitting import fitting
from passnet.graph import Graph, ParsedModel
from passnet.graph.tensors.constraints import read_constraints
from passnet.graph.text.allowed import DTYPE_BYTES
from passnet.op_classes import op_leaf

ORIGIN_FAMILIES = "origin_families"
# Fields that differ between the variants of one piece are stored apart. The rest is then one text for all variants.
_OWN_META = (
    "captured_dtype",
    "dtype",
    "shape_index",
    "dtype_generalization_target_dtype",
    "dtype_generalization_precision",
)
_NO_MATCH = "NO_VALID_MATCH_FOUND"


@dataclass(frozen=True)
class Row:
    """One graph: columns for queries, then the graph itself.

    - `uid`: names the graph at its place (32 hex, from path and content).
    - `split`: "train", "eval", "reserve" or None before splitting.
    - `task_id`: the task of the graph's operators. `in_task`: whether the task holds this very graph.
    - `families`: those of every origin.
    - `all_sources`: the provenance before `split` took held-out origins out of it (JSON).
    - `originals`: the files of an imported directory that differ from ours (JSON).
    """

    uid: str
    path: str
    name: str
    kind: str
    structure_hash: str
    content_hash: str
    op_names: tuple[str, ...]
    dtype: str
    shape_index: int | None
    library: str
    model: str
    family: str
    families: tuple[str, ...]
    domain: str
    source: str
    specs: PackedSpecs
    meta: str
    meta_own: str
    split: str | None = None
    task_id: str | None = None
    in_task: bool = False
    constraints: str = ""
    sources: str | None = None
    all_sources: str | None = None
    stored_hash: str | None = None
    originals: str | None = None

    @property
    def num_ops(self) -> int:
        """Number of operations."""
        return len(self.op_names)

    @property
    def num_inputs(self) -> int:
        """Number of inputs, weights among them."""
        return len(self.specs.shapes)

    @property
    def input_bytes(self) -> int:
        """Bytes of all inputs together."""
        with fitting(self.uid):
            sizes = zip(self.specs.shapes, self.specs.dtypes, strict=True)
            return sum(math.prod(shape) * DTYPE_BYTES[dtype] for shape, dtype in sizes)

    @property
    def group(self) -> tuple[str, tuple[str, ...]]:
        """The key of a task: the kind and the operators in order."""
        return self.kind, self.op_names

    @cached_property
    def sort_key(self) -> tuple[object, ...]:
        """The order of a store: variants of one piece stand together, so that their common parts are stored once."""
        at = self.path.find(f"{layout.SAMPLES}/")
        piece = self.path[at:]
        index = -1 if self.shape_index is None else self.shape_index
        with fitting(self.uid):
            kind = layout.KINDS.index(self.kind)
        return (kind, self.op_names, piece, index, self.structure_hash, self.dtype, self.uid)

    @classmethod
    def from_graph(
        cls,
        graph: Graph,
        *,
        path: str | None = None,
        families: Mapping[str, str] | None = None,
        originals: Mapping[str, str | None] | None = None,
    ) -> Row:
        """The row of a graph.

        `path` is its place in a published tree (default: from meta and provenance).  `families` maps origins
        (`samples/<source>/<model>`) to families. Those of the graph's origins are added to its meta as
        `origin_families`, because a tree or a list must be checkable without the table.  `originals` maps names of
        files to the text that an export writes instead of ours (None: the file was not there).
        """
        path = path or layout.path_of(graph)
        if families is not None:
            graph = with_origin_families(graph, families)
        place = layout.place_of(path)
        model = graph.meta.get("model_name")
        library = str(graph.meta.get("source") or place.library or "user")
        family = _own_family(graph, place)
        return cls(
            uid=uid_of(path, graph.content_hash),
            path=path,
            name=graph.name,
            kind=layout.kind_of(graph, place) or layout.FULL,
            structure_hash=graph.structure_hash,
            content_hash=graph.content_hash,
            op_names=op_names(graph.program),
            dtype=_dtype(graph, place),
            shape_index=_shape_index(graph, place),
            library=library,
            model=str(model) if model and model != _NO_MATCH else place.model or graph.name,
            family=family,
            families=tuple(sorted({family, *families_of(graph).values()})),
            domain=str(graph.meta.get("heuristic_tag") or "other"),
            source=intern(graph.source),
            specs=pack(graph),
            meta=shared_text({key: None if key in _OWN_META else value for key, value in graph.meta.items()}),
            meta_own=shared_text({key: graph.meta[key] for key in _OWN_META if key in graph.meta}),
            constraints=graph.constraints.text() if graph.constraints else "",
            sources=None if graph.sources is None else shared_text(graph.sources),
            stored_hash=graph.stored_hash,
            originals=compact(originals) if originals else None,
        )

    def graph(self) -> Graph:
        """The graph.  Errors: `GraphError` or `RowError` when the row does not fit itself (see `verify_store`)."""
        with fitting(self.uid):
            return self._graph()

    def _graph(self) -> Graph:
        own = json.loads(self.meta_own)
        specs = unpack(self.specs)
        return Graph(
            name=self.name,
            source=self.source,
            specs=specs.specs,
            meta={key: own.get(key, value) for key, value in json.loads(self.meta).items()},
            constraints=read_constraints(self.constraints, Path(self.path)) if self.constraints else None,
            sources=None if self.sources is None else json.loads(self.sources),
            stored_hash=self.stored_hash,
            file_order=specs.file_order,
            input_specs=specs.input_specs,
        )

    def files(self) -> dict[str, str]:
        """File name -> text of the graph's directory, of an imported one its own, byte for byte. Errors: as `graph`."""
        with fitting(self.uid):
            return self._files()

    def _files(self) -> dict[str, str]:
        files = self.graph().files()
        originals = {} if self.originals is None else json.loads(self.originals)
        if not isinstance(originals, dict) or not all(isinstance(text, str | None) for text in originals.values()):
            raise ValueError("the files of the imported directory are no texts by name")
        for name, text in originals.items():
            files.pop(name, None)
            if text is not None:
                files[name] = text
        odd = [name for name, text in files.items() if not is_name(name) or not is_text(text)]
        if odd:
            raise ValueError(f"no name of a file, or its text cannot be written: {odd[0]!r}")
        # The completion marker is written last.
        return {name: files[name] for name in sorted(files, key=lambda name: name == "graph_net.json")}

    def without_origins(self, families: frozenset[str]) -> Row:
        """The row as if no model of these families had been captured. The removed parts are stored apart.

        The graph's own model must not be one of them.
        """
        with fitting(self.uid):
            return self._without_origins(families)

    def _without_origins(self, families: frozenset[str]) -> Row:
        graph = self.graph()
        by_origin = families_of(graph)
        gone = {origin for origin, family in by_origin.items() if family in families}
        if not gone or graph.sources is None:
            return self
        stated = graph.meta.get(ORIGIN_FAMILIES)
        table = stated if isinstance(stated, dict) else None
        before = {
            "sources": graph.sources, ORIGIN_FAMILIES: table, "families": self.families, "originals": self.originals,
        }  # fmt: skip
        kept = {origin: ranges for origin, ranges in graph.sources.items() if origin not in gone}
        known = None if table is None else {k: v for k, v in table.items() if k not in gone}
        return replace(
            self,
            meta=self._meta_with(known),
            sources=shared_text(kept),
            families=tuple(sorted({self.family, *(by_origin[origin] for origin in kept)})),
            all_sources=shared_text(before),
            originals=_without_provenance(self.originals),
        )

    def with_all_origins(self) -> Row:
        """Undoes `without_origins`."""
        if self.all_sources is None:
            return self
        with fitting(self.uid):
            return self._with_all_origins(self.all_sources)

    def _with_all_origins(self, all_sources: str) -> Row:
        before = json.loads(all_sources)
        return replace(
            self,
            meta=self._meta_with(before[ORIGIN_FAMILIES]),
            sources=shared_text(before["sources"]),
            families=tuple(before["families"]),
            all_sources=None,
            originals=before["originals"],
        )

    def _meta_with(self, origin_families: object) -> str:
        """The shared meta with another table of families. None leaves it as it is."""
        if origin_families is None:
            return self.meta
        return shared_text(json.loads(self.meta) | {ORIGIN_FAMILIES: origin_families})


def shared_text(value: object) -> str:
    """JSON in one line, stored once for all rows with the same text: some operators have thousands of origins."""
    return intern(compact(value))


def uid_of(path: str, content_hash: str) -> str:
    """32 hex digits of sha256 over a graph's place (without the `graphs/` of task trees) and content."""
    return hashlib.sha256(f"{path.removeprefix('graphs/')}\n{content_hash}".encode()).hexdigest()[:32]


def op_names(program: ParsedModel) -> tuple[str, ...]:
    """The published names of the operations: `Tensor.<m>` for a method, the bare name for a function."""
    return tuple(f"Tensor.{op.target}" if op.kind == "method" else _bare(op.target) for op in program.ops)


def _bare(target: str) -> str:
    if target.startswith("torch.ops."):
        return ".".join(target.split(".")[3:])
    return op_leaf(target)


def with_origin_families(graph: Graph, families: Mapping[str, str]) -> Graph:
    """The graph with `origin_families` in its meta: origin -> family for each of its sources, sorted."""
    origins = sorted(graph.sources or [layout.first_origin(graph)])
    found = {origin: layout.family_of_origin(origin, families) for origin in origins}
    return replace(graph, meta={**graph.meta, ORIGIN_FAMILIES: found})


def families_of(graph: Graph) -> dict[str, str]:
    """Origin -> family of every source of the graph, by its meta where it says so, else by the model's name."""
    stated = graph.meta.get(ORIGIN_FAMILIES)
    table = {str(k): str(v) for k, v in stated.items()} if isinstance(stated, Mapping) else {}
    if graph.meta.get("family") and not table:
        table[layout.first_origin(graph)] = str(graph.meta["family"])
    return {origin: layout.family_of_origin(origin, table) for origin in graph.sources or ()}


def _own_family(graph: Graph, place: layout.Place) -> str:
    if graph.meta.get("family"):
        return str(graph.meta["family"])
    own = layout.first_origin(graph) if graph.sources or place.origin is None else place.origin
    return families_of(graph).get(own) or layout.family_of_name(own)


def _dtype(graph: Graph, place: layout.Place) -> str:
    """The variant's dtype: stated, else that of most bytes of the floating inputs, else that of the first input."""
    stated = graph.meta.get("dtype") or place.dtype or graph.meta.get("captured_dtype")
    if stated:
        return str(stated).removeprefix("torch.")
    sizes: dict[str, int] = {}
    for spec in graph.specs:
        if spec.is_floating:
            sizes[spec.dtype] = sizes.get(spec.dtype, 0) + spec.nbytes
    if sizes:
        return max(sorted(sizes), key=sizes.__getitem__)
    return graph.specs[0].dtype if graph.specs else layout.DTYPES[0]


def _shape_index(graph: Graph, place: layout.Place) -> int | None:
    stated = graph.meta.get("shape_index")
    return stated if isinstance(stated, int) else place.shape_index


def _without_provenance(originals: str | None) -> str | None:
    """An imported graph's own spelling is dropped for the parts that `without_origins` changes."""
    if originals is None:
        return None
    kept = {k: v for k, v in json.loads(originals).items() if k not in {"subgraph_sources.json", "graph_net.json"}}
    return compact(kept) if kept else None
