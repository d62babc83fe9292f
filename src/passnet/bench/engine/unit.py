"""A unit of work: graphs of one task to be judged with one pass set on one device. Plain data, so it may travel."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from passnet import authored
from passnet.bench.record.protocol import Protocol
from passnet.bench.verdict.job import Job
from passnet.bench.wire.requests import PassFiles
from passnet.graph import CONTENT_FILES, Graph
from passnet.writing import new_directory


class UnitGraph(BaseModel):
    """The files of one graph. `name`: in records. `called`: the name that it was read by. `directory`: of its files."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    name: str
    called: str
    directory: str
    files: dict[str, bytes]

    @classmethod
    def read(cls, name: str, path: Path, called: str) -> UnitGraph:
        """Read the files of a graph's directory."""
        present = [file for file in CONTENT_FILES if (path / file).exists()]
        files = {file: authored.read_inside(path / file) for file in present}
        return cls(name=name, called=called, directory=path.resolve().name or "graph", files=files)

    def write(self, root: Path) -> Path:
        """The directory of this graph below `root`. It is written once for all graphs with these bytes."""
        digest = hashlib.sha256(repr((self.name, sorted(self.files.items()))).encode()).hexdigest()[:24]
        target = root / digest / self.directory
        if not target.exists():
            with new_directory(target) as partial:
                for file, content in self.files.items():
                    (partial / file).write_bytes(content)
        return target


class EvaluationUnit(BaseModel):
    """Graphs of one task that are to be judged on one device.

    `id`: of the unit, unique in an engine. `graphs`: all variants of the task. `wanted`: the names of those to be
    judged, in order. `passes`: the admitted bytes; None for other compilers. `device`: cpu or cuda.
    `following`: the pass set that its device will probably judge next. Processes for it may be started early.
    `limit_s`: seconds that its candidates may take over all graphs. None: no bound but those of the protocol.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    task: str
    graphs: tuple[UnitGraph, ...]
    wanted: tuple[str, ...]
    passes: PassFiles | None
    compiler: str
    device: str
    protocol: Protocol
    following: PassFiles | None = None
    limit_s: float | None = None

    @classmethod
    def of(
        cls,
        id: str,
        jobs: Sequence[Job],
        variants: Sequence[tuple[str, Path, Graph]],
        protocol: Protocol,
        limit_s: float | None = None,
    ) -> EvaluationUnit:
        """The unit of some jobs of one task. `variants`: name, directory and content of all graphs of the task."""
        first = jobs[0]
        return cls(
            id=id,
            task=first.task,
            graphs=tuple(UnitGraph.read(name, path, graph.name) for name, path, graph in variants),
            wanted=tuple(job.name for job in jobs),
            passes=first.passes,
            compiler=first.compiler,
            device=first.device,
            protocol=protocol,
            limit_s=limit_s,
        )

    def without(self, names: Sequence[str]) -> EvaluationUnit:
        """The same without some graphs that are judged already."""
        return self.model_copy(update={"wanted": tuple(name for name in self.wanted if name not in names)})

    def jobs(self, root: Path) -> list[Job]:
        """Write the graphs below a directory and read them as jobs. UsageError for files that hold no graph."""
        found = [
            (graph.name, path, Graph.read(path, name=graph.called))
            for graph in self.graphs
            for path in [graph.write(root)]
        ]
        variants = tuple(graph for _, _, graph in found)
        return [
            Job(self.task, name, path, graph, self.compiler, self.device, self.passes, variants)
            for wanted in self.wanted
            for name, path, graph in found
            if name == wanted
        ]
