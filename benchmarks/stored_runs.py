"""Run directories as one small file of `benchmarks/results`: packed without what only the machine needs, and unpacked.

    python benchmarks/stored_runs.py RUN... --to benchmarks/results/NAME.tar.xz [--episodes]
    python benchmarks/stored_runs.py benchmarks/results/NAME.tar.xz --to build/runs

Kept are settings, environment, records and summary, enough for `score`, `compare` and `leaderboard`. `--episodes`
keeps episodes and pass sets too, for `report`. The same runs give the same bytes.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from passnet.errors import UsageError
from passnet.writing import new_directory, write_atomic

SUFFIX = ".tar.xz"
KEPT = ("settings.json", "environment.json", "records.jsonl", "summary.json")
EPISODES = ("tasks/*/passes/*", "tasks/*/attempt-*/episode.jsonl")
MOST_BYTES = 300_000
# What a damaged or hostile file may unpack to.
_MOST_UNPACKED = 1 << 30


def pack(runs: Sequence[Path], file: Path, *, episodes: bool = False, most: int = MOST_BYTES) -> int:
    """Write runs to one file and return its bytes.

    Errors: `UsageError` for a path that is no run, two runs of one name, a text that names a directory of this machine,
    and a file that would be larger than `most`.
    """
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise UsageError("two runs have one name", found=", ".join(names))
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:xz", preset=9) as archive:
        for run in runs:
            for path in _files(run, episodes):
                data = path.read_bytes()
                _refuse_places(data, path)
                entry = tarfile.TarInfo(f"{run.name}/{path.relative_to(run).as_posix()}")
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    size = held.getbuffer().nbytes
    if size > most:
        raise UsageError("too large to be kept", path=file, expected=f"at most {most} bytes", found=size)
    write_atomic(file, held.getvalue())
    return size


def unpack(file: Path, out: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the runs of a file below a new directory, completely or not at all, and return their directories.

    Errors: `UsageError` for a file of another kind, and for an entry that is no plain file or leads out.
    """
    try:
        with tarfile.open(file, "r:xz") as archive, new_directory(out, overwrite=overwrite) as directory:
            left = _MOST_UNPACKED
            for entry in archive:
                left -= entry.size
                if not entry.isfile() or left < 0:
                    raise UsageError("holds what is no run", path=file, found=entry.name)
                archive.extract(entry, directory, filter="data")
            names = sorted(path.name for path in directory.iterdir())
    except (tarfile.TarError, EOFError) as error:
        raise UsageError(f"is no file of runs: {error}", path=file) from error
    return [out / name for name in names]


def _files(run: Path, episodes: bool) -> Iterator[Path]:
    if not (run / KEPT[0]).is_file() or not (run / "records.jsonl").is_file():
        raise UsageError("is no run", path=run, expected="settings.json and records.jsonl")
    yield from (run / name for name in KEPT if (run / name).is_file())
    if episodes:
        yield from sorted(path for pattern in EPISODES for path in run.glob(pattern) if path.is_file())


def _refuse_places(data: bytes, path: Path) -> None:
    """A result says nothing of the directories of the machine that made it."""
    for place in (Path.cwd(), Path(__file__).resolve().parents[1]):
        if len(place.parts) > 1 and str(place).encode() in data:
            raise UsageError(f"names the directory {place}", path=path, hint="give tasks by name, and --run relative")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, required=True, help="a file to write, or a directory to unpack into")
    parser.add_argument("--episodes", action="store_true", help="keep episodes and pass sets too")
    parser.add_argument("--most", type=int, default=MOST_BYTES, help="the largest file that is written, in bytes")
    options = parser.parse_args()
    try:
        if options.to.name.endswith(SUFFIX):
            size = pack(options.paths, options.to, episodes=options.episodes, most=options.most)
            print(f"{len(options.paths)} runs in {options.to}, {size} bytes")
            return
        if len(options.paths) != 1:
            parser.error(f"one file ending in {SUFFIX} is unpacked at a time")
        for run in unpack(options.paths[0], options.to):
            print(run)
    except UsageError as error:
        sys.exit(f"stored_runs.py: {error}")


if __name__ == "__main__":
    main()
