"""`Graph`: one captured computation on disk. It reads, writes and hashes itself, and makes its module and inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passnet.errors import UsageError
from passnet.graph.errors import GraphError
from passnet.graph.files import json_text, read_json_object, read_optional, read_text
from passnet.graph.tensors.constraints import Constraints, read_constraints
from passnet.graph.tensors.meta_text import read_specs, write_specs
from passnet.graph.tensors.spec import TensorSpec
from passnet.graph.text.program import Op, ParsedModel
from passnet.graph.text.syntax import parse_model
from passnet.writing import new_directory

if TYPE_CHECKING:
    import torch
    from torch import fx

    from passnet.graph.values.inputs import Distribution, Policy

# The files that define a computation and its inputs. All other files of a graph directory describe its origin.
CONTENT_FILES = ("model.py", "weight_meta.py", "input_meta.py", "input_tensor_constraints.py", "graph_net.json")
DEFAULT_LIMIT_BYTES = 4 * 1024**3


@dataclass(frozen=True)
class Graph:
    """One computation: its source text, the specs of its inputs in signature order, and its origin.

    - `source`: `model.py` verbatim.
    - `file_order`: the order of the names in `weight_meta.py`.
    - `input_specs`: the specs that stand in `input_meta.py` instead (none in torch samples).
    - `sources`: the content of `subgraph_sources.json`.
    - `stored_hash`: the content of `graph_hash.txt`. It is never trusted for identity.
    """

    name: str
    source: str
    specs: tuple[TensorSpec, ...]
    meta: Mapping[str, object] = field(default_factory=lambda: {"framework": "torch"})
    constraints: Constraints | None = None
    sources: Mapping[str, object] | None = None
    stored_hash: str | None = field(default=None, compare=False)
    file_order: tuple[str, ...] = ()
    input_specs: tuple[TensorSpec, ...] = ()

    def __post_init__(self) -> None:
        separate = {spec.name for spec in self.input_specs}
        order = tuple(spec.name for spec in self.specs if spec.name not in separate)
        # A graph made in memory has the order of its signature. So has a graph whose inputs were renamed.
        if set(order) != set(self.file_order):
            object.__setattr__(self, "file_order", order)

    def __hash__(self) -> int:
        return hash((self.name, self.source))

    @classmethod
    def read(cls, path: Path | str, *, name: str | None = None) -> Graph:
        """The graph of a directory.  `model.py` is parsed here, so a graph that was read can be built.

        Errors: `GraphError` with file, line or field when anything is missing, malformed, too large or refused.
        """
        path = Path(path)
        if not path.is_dir():
            raise GraphError("no such directory" if not path.exists() else "not a directory", path=path)
        meta = _read_meta(path)
        source = read_text(path / "model.py")
        weights = read_specs(read_text(path / "weight_meta.py"), path / "weight_meta.py")
        inputs = read_specs(read_optional(path / "input_meta.py"), path / "input_meta.py")
        constraints_path = path / "input_tensor_constraints.py"
        program = parse_model(source, path / "model.py")
        graph = cls(
            name=name or path.resolve().name,
            source=source,
            specs=_signature_order(program, (*weights, *inputs), path),
            meta=meta,
            constraints=read_constraints(read_optional(constraints_path), constraints_path),
            sources=_read_sources(path / "subgraph_sources.json"),
            stored_hash=read_optional(path / "graph_hash.txt").strip() or None,
            file_order=tuple(spec.name for spec in weights),
            input_specs=inputs,
        )
        graph.__dict__["program"] = program
        return graph

    def write(self, path: Path | str, *, overwrite: bool = False) -> None:
        """Writes the published layout into a new directory, all or nothing. `graph_hash.txt` is sha256(model.py).

        Errors: `GraphError` when the specs do not fit the source, `UsageError` when the directory is not empty.
        """
        _signature_order(self.program, self.specs, Path(path))
        with new_directory(Path(path), overwrite=overwrite) as directory:
            for name, text in self.files().items():
                (directory / name).write_bytes(text.encode("utf-8"))

    def files(self) -> dict[str, str]:
        """File name -> text in writing order. `graph_net.json` comes last: it marks a complete graph."""
        by_name = {spec.name: spec for spec in self.specs}
        files = {
            "model.py": self.source,
            "weight_meta.py": write_specs(by_name[name] for name in self.file_order),
            "input_meta.py": write_specs(self.input_specs),
            "input_tensor_constraints.py": self.constraints.text() if self.constraints else "",
            "graph_hash.txt": self.source_hash,
        }
        if self.sources is not None:
            files["subgraph_sources.json"] = json_text(self.sources)
        return files | {"graph_net.json": json_text(self.meta)}

    @cached_property
    def program(self) -> ParsedModel:
        """The parsed source."""
        return parse_model(self.source, Path(f"{self.name}/model.py"))

    def statements(self) -> tuple[Op, ...]:
        """The operations in order. Aliases and frees are resolved and left out."""
        return self.program.ops

    @property
    def source_hash(self) -> str:
        """sha256 of the exact source text. `graph_hash.txt` holds the same value."""
        return hashlib.sha256(self.source.encode("utf-8")).hexdigest()

    @cached_property
    def content_hash(self) -> str:
        """sha256 over everything that changes behaviour: the source text, and the metadata that changes the input
        values.
        """
        lines = [self.source_hash, *(repr(spec.behaviour()) for spec in self.specs)]
        return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()

    @cached_property
    def structure_hash(self) -> str:
        """sha256 of the computation alone, without names, devices and metadata."""
        return self.program.structure_hash()

    @property
    def nbytes(self) -> int:
        """Bytes of all inputs together."""
        return sum(spec.nbytes for spec in self.specs)

    def check_size(self, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        """Checks the size of the inputs before anything is allocated. Errors: `UsageError` above `limit_bytes`."""
        if self.nbytes > limit_bytes:
            largest = max(self.specs, key=lambda spec: spec.nbytes)
            raise UsageError(
                "the inputs are too large to allocate",
                path=self.name,
                expected=f"at most {limit_bytes} bytes",
                found=f"{self.nbytes} bytes in {len(self.specs)} tensors",
                hint=f"largest is {largest.name} {list(largest.shape)} {largest.dtype}; raise the limit to run it",
            )

    def renamed(self, name: str) -> Graph:
        """The same graph under another name."""
        return replace(self, name=name)

    def module(self, device: str | torch.device = "cpu", *, propagated: bool = True) -> fx.GraphModule:
        """The graph as Dynamo would have recorded it, on `device`. Calling it returns a tuple.

        With `propagated`, `node.meta["val"]` holds a fake tensor where shapes do not depend on data. The first call in
        a process spends about a second on imports. A caller can import `graph.values.propagation` earlier to avoid
        that.
        """
        from passnet.graph.text.build import build_module

        gm = build_module(self.program, device, path=Path(f"{self.name}/model.py"))
        if propagated:
            from passnet.graph.values.propagation import fake_inputs, propagate

            propagate(gm, fake_inputs(self.specs, device), self.name)
        return gm

    def inputs(
        self,
        seed: int,
        device: str | torch.device = "cpu",
        *,
        policy: Policy = "default",
        distribution: Distribution = "normal",
        limit_bytes: int = DEFAULT_LIMIT_BYTES,
    ) -> list[torch.Tensor]:
        """Fresh inputs in signature order. A seed gives the same values on every device (see `inputs`)."""
        from passnet.graph.values.inputs import make_inputs

        self.check_size(limit_bytes)
        return make_inputs(self, seed, device, policy=policy, distribution=distribution)

    def examples(
        self, seed: int, device: str | torch.device = "cpu", *, limit_bytes: int = DEFAULT_LIMIT_BYTES
    ) -> list[torch.Tensor]:
        """Inputs to trace and to compile with. They cost less than `inputs`: numbers of large tensors repeat."""
        from passnet.graph.values.inputs import make_inputs

        self.check_size(limit_bytes)
        return make_inputs(self, seed, device, repeating=True)

    def samples(
        self, seed: int, count: int, *, distribution: Distribution = "normal", every: bool = False
    ) -> list[torch.Tensor]:
        """For each input a flat tensor of `count` values with the distribution of its elements. Stored content stays as
        it is. `every`: see `make_inputs`.
        """
        from passnet.graph.values.inputs import make_inputs

        return make_inputs(self, seed, distribution=distribution, samples=count, every=every)

    def mutated_inputs(self) -> frozenset[int]:
        """Indices of the inputs that a call changes (see `mutation`). Computed once."""
        from passnet.graph.values.mutation import mutated_inputs

        if "_mutated" not in self.__dict__:
            self.__dict__["_mutated"] = mutated_inputs(self)
        found: frozenset[int] = self.__dict__["_mutated"]
        return found

    def index_bounds(self) -> Mapping[int, int]:
        """Input index -> number of entries that it may index (see `indexing`). Computed once."""
        from passnet.graph.values.indexing import index_bounds

        if "_index_bounds" not in self.__dict__:
            self.__dict__["_index_bounds"] = index_bounds(self)
        found: Mapping[int, int] = self.__dict__["_index_bounds"]
        return found

    @classmethod
    def from_fx(
        cls, gm: fx.GraphModule, specs: tuple[TensorSpec, ...], *, name: str, meta: Mapping[str, object] | None = None
    ) -> Graph:
        """A graph whose source is written from a GraphModule in Dynamo's torch-level form (see `emit`)."""
        from passnet.graph.emit import graph_from_fx

        return graph_from_fx(gm, specs, name=name, meta=meta)


def _read_meta(path: Path) -> dict[str, object]:
    if not (path / "graph_net.json").exists():
        hint = "a complete graph directory holds graph_net.json, model.py and weight_meta.py"
        if (path / "graph_list.txt").exists():
            hint = "this is a task directory, not a graph directory"
        raise GraphError("file is missing", path=path / "graph_net.json", hint=hint)
    meta = read_json_object(path / "graph_net.json")
    framework = meta.get("framework", "torch")
    if framework != "torch":
        raise GraphError(
            f"framework {framework!r} is not supported", path=path / "graph_net.json", field="framework",
            expected="torch", found=framework,
        )  # fmt: skip
    return meta


def _read_sources(path: Path) -> dict[str, object] | None:
    return read_json_object(path) if path.exists() else None


def _signature_order(program: ParsedModel, specs: tuple[TensorSpec, ...], path: Path) -> tuple[TensorSpec, ...]:
    """The specs in the order of the parameters, each parameter described exactly once."""
    where = path / "weight_meta.py"
    by_name = {spec.name: spec for spec in specs}
    if len(by_name) != len(specs):
        raise GraphError("a tensor is described in both weight_meta.py and input_meta.py", path=where)
    missing = [param for param in program.params if param not in by_name]
    if missing:
        raise GraphError(
            f"no class describes {len(missing)} parameter(s) of forward", path=where, field=f"name = {missing[0]!r}",
            expected=f"one class per parameter ({len(program.params)})", found=len(specs), hint="file truncated?",
        )  # fmt: skip
    known = set(program.params)
    extra = [name for name in by_name if name not in known]
    if extra:
        raise GraphError(
            "class describes no parameter of forward", path=where, field=f"name = {extra[0]!r}",
            expected="a parameter of forward in model.py",
        )  # fmt: skip
    return tuple(by_name[param] for param in program.params)
