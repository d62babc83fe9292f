"""The graphs of a model, a data set or tasks on which a compiler is tried: found, drawn by a seed, written once."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from passnet import authored
from passnet.dataset.layout import FULL, FUSIBLE, KINDS, TYPICAL
from passnet.errors import PassNetError, UsageError, described, foreign
from passnet.graph import Graph
from passnet.graph.targets import find_targets
from passnet.writing import new_directory, write_json, writing

if TYPE_CHECKING:
    from passnet.dataset.pipeline.settings import BuildStep

SELECTION, GRAPHS, CAPTURE = "selection.json", "graphs", "capture"
MODEL_KINDS = (FULL, TYPICAL, FUSIBLE)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_WORKERS = 2


@dataclass(frozen=True)
class Selection:
    """What is asked for. `graphs`: at most so many; 0: all.

    `kinds`, `splits`: empty for any; of a model `MODEL_KINDS`.
    `targets`: paths of tasks, graphs, lists and data sets, or models: MODULE:FACTORY, SOURCE:MODEL.
    """

    targets: tuple[str, ...]
    graphs: int = 50
    seed: int = 0
    kinds: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Found:
    """A graph that may be drawn. `identity`: the same in every command, so that a seed always draws the same graphs.

    `graph`: None for a row of the data set at `path`, which is read when it was drawn. Its identity is its uid.
    """

    identity: str
    name: str
    graph: Graph | None = None
    path: Path | None = None


def selected(selection: Selection, directory: Path, report: Callable[[BuildStep], None]) -> Path:
    """The directory of the drawn graphs, one below it for each. It is written once; the same selection finds it again.

    Errors: UsageError for what cannot be read or captured, and where `directory` has another selection.
    """
    graphs = directory / GRAPHS
    if _known(selection, directory) and graphs.exists():
        return graphs
    several = (_of_target(target, selection, directory, report) for target in selection.targets)
    found = {one.identity: one for some in several for one in some}
    if not found:
        raise UsageError("no graph is of these kinds and splits", field=", ".join(selection.targets))
    drawn = sorted(found.values(), key=lambda one: _rank(selection.seed, one.identity))[: selection.graphs or None]
    rows = _rows(drawn)
    _begin(selection, directory)
    with new_directory(graphs) as inside:
        for number, one in enumerate(drawn):
            graph = one.graph or rows[one.path, one.identity]
            graph.write(inside / f"{number:05d}-{_UNSAFE.sub('_', one.name)[-80:]}")
    return graphs


def _begin(selection: Selection, directory: Path) -> None:
    """Make the directory, once it is clear that there is something to write."""
    with writing(directory, "choose another with --runs DIR"):
        directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / SELECTION, asdict(selection))


def _known(selection: Selection, directory: Path) -> bool:
    """Whether the directory was begun with this selection. UsageError where it was begun with another one."""
    path = directory / SELECTION
    if not path.exists():
        if directory.exists() and any(directory.iterdir()):
            raise UsageError("the run directory holds something else", path=directory, hint="give another --run name")
        return False
    try:
        before = authored.parse_json(authored.read_bytes(path))
    except (OSError, ValueError) as error:
        raise UsageError(f"unreadable: {error}", path=path, hint="give another --run name") from error
    if before != json.loads(json.dumps(asdict(selection))):
        raise UsageError(
            "this run was made of other graphs", path=directory, hint="give another --run name, or the same targets"
        )
    return True


def _rank(seed: int, identity: str) -> str:
    return hashlib.sha256(f"{seed}/{identity}".encode()).hexdigest()


def _of_target(
    target: str, selection: Selection, directory: Path, report: Callable[[BuildStep], None]
) -> Iterator[_Found]:
    path = Path(target)
    if selection.splits and not _is_data_set(path):
        raise UsageError("only a data set has splits", path=target, field="--split")
    if not path.exists() and ":" in target:
        yield from _of_model(target, selection, directory / CAPTURE / _rank(0, target)[:12], report)
    elif _is_data_set(path):
        yield from _of_data_set(path, selection)
    else:
        yield from _of_tasks(path, selection)


def _of_tasks(path: Path, selection: Selection) -> Iterator[_Found]:
    for task in find_targets([path]):
        for name, _, graph in task.graphs:
            kind = str(graph.meta.get("kind") or "")
            if not selection.kinds or kind in selection.kinds:
                yield _Found(f"{task.name}/{graph.content_hash}", f"{task.name}.{name}", graph)


def _is_data_set(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.parquet")) or any((path / "graphs").glob("*.parquet"))
    return path.is_file() and path.suffix == ".parquet"


def _of_data_set(path: Path, selection: Selection) -> Iterator[_Found]:
    """The rows of a data set, by name."""
    with foreign(_without_parquet, PassNetError):
        from passnet.dataset.tables.store import Where, read_records
    where = Where(
        kinds=frozenset(selection.kinds) if selection.kinds else None,
        splits=frozenset(selection.splits) if selection.splits else None,
    )
    for record in read_records(path, ["uid", "name"], where):
        uid = str(record["uid"])
        yield _Found(uid, str(record["name"]), path=path)


def _rows(drawn: Sequence[_Found]) -> dict[tuple[Path | None, str], Graph]:
    """The graphs of the drawn rows, each data set read once. UsageError for a row that does not fit itself."""
    found: dict[tuple[Path | None, str], Graph] = {}
    for path in {one.path for one in drawn if one.path is not None}:
        from passnet.dataset.tables.fitting import rows_of
        from passnet.dataset.tables.store import Where, read_rows

        with rows_of(path):
            for row in read_rows(path, Where(uids=frozenset(one.identity for one in drawn if one.path == path))):
                found[path, row.uid] = row.graph()
    return found


def _without_parquet(error: BaseException) -> UsageError:
    return UsageError(f"a data set cannot be read here: {described(error)}", hint="pip install 'passnet[data]'")


def _of_model(
    target: str, selection: Selection, directory: Path, report: Callable[[BuildStep], None]
) -> Iterator[_Found]:
    """The whole graphs of a model and its pieces, captured and cut by the stages of a data set, without variants."""
    from passnet.dataset.build import Build, BuildSettings, Machine, subjects
    from passnet.dataset.pipeline import units, workfiles
    from passnet.dataset.pipeline.directory import WORK, claimed
    from passnet.dataset.pipeline.stages import Stages

    kinds = selection.kinds or MODEL_KINDS
    settings = BuildSettings(targets=(target,), kinds=tuple(kind for kind in kinds if kind != FULL))
    with foreign(lambda error: _not_loaded(error, target), PassNetError):
        models = subjects([target])
    _begin(selection, directory.parents[1])
    with claimed(directory, settings):
        units.prepare()
        stages = Stages(directory / WORK, Machine(workers=_WORKERS, retry=True), report)
        build = Build(models, settings, stages, directory)
        captured = build.capture()
        if not captured:
            raise UsageError(f"the model cannot be captured: {_reason(directory)}", field=target)
        whole, parents = build.whole_graphs(frozenset(captured))
        pieces = build.pieces(build.cut(parents), parents)
    for data in [*(whole.values() if FULL in kinds else ()), *pieces.values()]:
        graph = workfiles.graph_from_json(data)
        yield _Found(f"{target}/{graph.name}/{graph.content_hash}", graph.name, graph)


def _not_loaded(error: BaseException, target: str) -> UsageError:
    return UsageError(f"the model cannot be loaded: {described(error)}", field=target)


def _reason(directory: Path) -> str:
    from passnet.dataset.capture.record import read_records
    from passnet.dataset.pipeline.directory import RECORDS

    reasons = [record.reason for record in read_records(directory / RECORDS).values() if record.reason]
    return reasons[0].removeprefix(f"{UsageError.__name__}: ") if reasons else "no reason is known"


def check_kinds(kinds: tuple[str, ...]) -> None:
    """UsageError for a kind of graph that does not exist."""
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError("no such kind", field="--kind", expected=f"one of {', '.join(KINDS)}", found=repr(kind))
