"""The files between the stages of a build: one compressed JSON document a unit, and graphs in it.  No torch."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from passnet.dataset.tables.codec import PackedSpecs, compact, pack, unpack
from passnet.errors import UsageError, blaming_machine
from passnet.graph import Graph

# What a JSON file of a build holds.
Document = Mapping[str, Any]

_SUFFIX = ".json.gz"
# A unit is what came of one model. It is read whole.
_UNIT_BYTES = 256 * 1024 * 1024


def unit_path(directory: Path, key: str) -> Path:
    """The file of a unit: its key in safe letters, and a digest, since keys may differ only in the unsafe ones."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    return directory / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', key)[:80]}-{digest}{_SUFFIX}"


def packed(document: Document) -> bytes:
    """The bytes of a unit's file. The same document gives the same bytes."""
    return gzip.compress(compact(document).encode(), compresslevel=5, mtime=0)


def read(path: Path) -> dict[str, Any]:
    """A unit's document.  Errors: UsageError for a damaged file."""
    try:
        with blaming_machine(path), gzip.open(path) as file:
            text = file.read(_UNIT_BYTES + 1)
        if len(text) > _UNIT_BYTES:
            raise ValueError(f"expected at most {_UNIT_BYTES} bytes unpacked, found more")
        document = json.loads(text)
        if not isinstance(document, dict):
            raise ValueError("expected an object of JSON")
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise UsageError(
            f"not a finished unit of a build: {error}", path=path, hint="delete the file and run the build again"
        ) from None
    return document


def digest(parts: Iterable[object]) -> str:
    """A short hash over JSON values. It shows whether a unit's result still belongs to its input."""
    return hashlib.sha256(compact(list(parts)).encode()).hexdigest()[:16]


def graph_to_json(graph: Graph) -> dict[str, object]:
    """A graph made by this room as JSON data (constraints and an imported one's file order aside)."""
    specs = pack(graph)
    return {
        "name": graph.name,
        "source": graph.source,
        "shared": specs.shared,
        "shapes": specs.shapes,
        "dtypes": specs.dtypes,
        "values": specs.values,
        "meta": graph.meta,
        "sources": graph.sources,
    }


def graph_from_json(data: Document) -> Graph:
    """The inverse of `graph_to_json`."""
    shapes = tuple(tuple(shape) for shape in data["shapes"])
    specs = unpack(PackedSpecs(data["shared"], shapes, tuple(data["dtypes"]), data["values"]))
    return Graph(
        name=data["name"],
        source=data["source"],
        specs=specs.specs,
        meta=data["meta"],
        sources=data["sources"],
        file_order=specs.file_order,
        input_specs=specs.input_specs,
    )


def structure_of(data: Document) -> str:
    """The structure hash of a graph as JSON data."""
    return graph_from_json(data).structure_hash
