"""Reads a pass directory as data: manifest, rules and helper modules. They are hashed and checked but never run.

A set is the rules of its manifest and the files that they import, directly or through other files. No other file of the
directory is read.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from passnet import authored
from passnet.errors import UsageError
from passnet.rewrite.passes.source import ENTRY_POINTS, RESERVED_MODULES, PassFile, imported_modules, parse_pass_file
from passnet.writing import reading

OUTPUT_MANIFEST = "sorted_output_pass_rule_names.json"
INPUT_MANIFEST = "sorted_input_pass_rule_names.json"
MAX_FILE_BYTES = 256 * 1024
MAX_FILES = 1000
# Of all files, and nodes of syntax trees in one file and in all. The source policy reads them with no time limit.
MAX_BYTES = 8 * 1024 * 1024
MAX_FILE_NODES, MAX_NODES = 40_000, 60_000
_RULE_NAME = re.compile(r"\w[\w.-]*", re.ASCII)
_PYTHONS_NAME = re.compile(r"__.*__")  # a module has attributes of such names, and files become attributes too


@dataclass(frozen=True, slots=True)
class RuleSource:
    """One rule as text: its file, and the devices that it declares (None: every device)."""

    name: str
    file: PassFile
    devices: tuple[str, ...] | None

    def serves(self, device: str) -> bool:
        """Whether the rule is meant for graphs on `device` (`cpu`, `cuda`, `cuda:1`)."""
        return self.devices is None or device.split(":", 1)[0] in self.devices


@dataclass(frozen=True, slots=True)
class PassSet:
    """The rules of a pass directory in order of application, and the modules that they import.

    `content_hash` is a SHA-256 over the manifests and every file of the set. Two sets with the same content have one
    identity wherever they are on disk.
    """

    directory: Path
    rules: tuple[RuleSource, ...]
    helpers: tuple[PassFile, ...]
    content_hash: str

    @property
    def files(self) -> tuple[PassFile, ...]:
        """Every source file of the set, each once: rules first, then helpers."""
        return tuple(rule.file for rule in self.rules) + self.helpers

    def texts(self) -> dict[str, str]:
        """The judged bytes as one flat directory: every source file, and one manifest in order of application."""
        manifest = json.dumps([rule.name for rule in self.rules])
        return {f"{file.stem}.py": file.text for file in self.files} | {OUTPUT_MANIFEST: manifest}


@dataclass(frozen=True, slots=True)
class _Folder:
    """One directory: its manifest and the stems that this names (None: no manifest), and which Python files it has.

    `read`: gives the content of a file by its name.
    """

    path: Path
    stems: tuple[str, ...] | None
    manifest: bytes
    modules: frozenset[str]
    read: Callable[[str], bytes]


def read_pass_set(directory: Path | str, const_directory: Path | str | None = None) -> PassSet:
    """Read `directory` (and the optional directory of fixed passes) into a `PassSet`.

    Fixed passes come first, in the order of their own manifest. If the output manifest names them, its order counts.
    Raises `UsageError` with file and next step for every mistake that an author can make, and `MachineError` where the
    machine is to blame.
    """
    return _with_fixed(_read_folder(Path(directory), OUTPUT_MANIFEST, required=True), const_directory)


def pass_set_of(texts: Mapping[str, bytes], directory: Path, const_directory: Path | str | None = None) -> PassSet:
    """The `PassSet` of files in memory, by name. No file is written. Errors as those of `read_pass_set`.

    `directory`: stands for the directory that they are of, in messages.
    """

    def read(name: str) -> bytes:
        if len(texts[name]) > MAX_FILE_BYTES:
            raise _unreadable(directory / name, f"too large, more than {MAX_FILE_BYTES} bytes")
        return texts[name]

    raw = read(OUTPUT_MANIFEST) if OUTPUT_MANIFEST in texts else None
    output = _folder(directory, OUTPUT_MANIFEST, _stems_of(map(Path, texts)), raw, read, required=True)
    return _with_fixed(output, const_directory)


def _with_fixed(output: _Folder, const_directory: Path | str | None) -> PassSet:
    folders = [output]
    if const_directory is not None and Path(const_directory).is_dir():
        folders.append(_read_folder(Path(const_directory), INPUT_MANIFEST, required=False))
    order = _order(output.stems or (), folders[1].stems or () if len(folders) > 1 else ())
    known = frozenset[str]().union(*(folder.modules for folder in folders))
    for stem in order:
        if stem not in known:
            possible = _RULE_NAME.fullmatch(stem)
            raise UsageError(
                f"the manifest names {stem!r}, but there is no such file",
                path=output.path / OUTPUT_MANIFEST,
                expected=f"{stem}.py beside the manifest" if possible else "stems of files beside the manifest",
                hint=f"{f'write {stem}.py or ' if possible else ''}take {stem!r} out of the manifest",
            )
    sources = [dict[str, bytes]() for _ in folders]
    files = _read_files(order, folders, sources)
    rules = tuple(_rule(files[stem], frozenset(files)) for stem in order)
    helpers = tuple(files[stem] for stem in sorted(files) if stem not in order)
    return PassSet(output.path, rules, helpers, _hash(zip(folders, sources, strict=True)))


def _order(output: tuple[str, ...], const: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem for stem in const if stem not in output) + output


def _read_files(
    order: tuple[str, ...], folders: Sequence[_Folder], sources: Sequence[dict[str, bytes]]
) -> dict[str, PassFile]:
    """The rules' files and all that they import, by stem. The bytes that were read go to `sources`."""
    files: dict[str, PassFile] = {}
    nodes, size = 0, 0
    pending = list(order)
    while pending:
        stem = pending.pop(0)
        owners = [index for index, folder in enumerate(folders) if stem in folder.modules]
        if stem in files or not owners:
            continue
        path = folders[owners[0]].path / f"{stem}.py"
        if len(owners) > 1:
            raise UsageError(
                f"module {stem!r} is also in {folders[owners[0]].path}",
                path=folders[owners[1]].path / f"{stem}.py",
                hint="give one of the two files another name",
            )
        _check_name(path, named=stem in order)
        if len(files) >= MAX_FILES:
            raise UsageError("too many Python files", path=path.parent, expected=f"at most {MAX_FILES}")
        sources[owners[0]][stem] = folders[owners[0]].read(path.name)
        size += len(sources[owners[0]][stem])
        if size > MAX_BYTES:
            raise UsageError("the pass files are too large", path=path.parent, expected=f"at most {MAX_BYTES} bytes")
        files[stem] = parse_pass_file(path, sources[owners[0]][stem])
        nodes += _nodes(files[stem])
        if nodes > MAX_NODES:
            raise UsageError(
                "the pass files are too large",
                path=path.parent,
                expected=f"at most {MAX_NODES} nodes of syntax trees",
                hint="take rules out of the manifest",
            )
        pending += sorted(imported_modules(files[stem].tree))
    return files


def _nodes(file: PassFile) -> int:
    count = sum(1 for _ in ast.walk(file.tree))
    if count > MAX_FILE_NODES:
        raise UsageError(
            "the pass file is too large",
            path=file.path,
            expected=f"at most {MAX_FILE_NODES} nodes of its syntax tree",
            found=count,
            hint="split it; sources of kernels and tables may be text",
        )
    return count


def _read_folder(path: Path, manifest_name: str, *, required: bool) -> _Folder:
    if not path.is_dir():
        raise UsageError("no such directory of passes", path=path, hint="give the directory that holds the manifest")
    root, manifest = path.resolve(), path / manifest_name
    raw = read_inside(manifest, root) if manifest.exists() else None
    return _folder(
        path, manifest_name, _modules(path), raw, lambda name: read_inside(path / name, root), required=required
    )


def _folder(
    path: Path, manifest_name: str, modules: frozenset[str], raw: bytes | None, read: Callable[[str], bytes], *,
    required: bool,
) -> _Folder:  # fmt: skip
    """A folder from what was read of it. `raw`: its manifest, None where it has none."""
    if raw is None:
        if required or modules:
            raise UsageError(
                "the directory has no manifest" if modules else "the directory holds no passes",
                path=path,
                expected=manifest_name,
                hint='write it as a JSON list of file stems in order of application, for example ["FuseGelu"]',
            )
        return _Folder(path, None, b"", modules, read)
    return _Folder(path, _stems(path / manifest_name, raw), raw, modules, read)


def _modules(path: Path) -> frozenset[str]:
    with reading(path):
        return _stems_of(path.iterdir())


def _stems_of(files: Iterable[Path]) -> frozenset[str]:
    return frozenset(file.stem for file in files if file.suffix == ".py")


def _check_name(file: Path, *, named: bool) -> None:
    """Rules are found by the manifest, so their names need not be importable."""
    possible = file.stem.isidentifier() or (named and _RULE_NAME.fullmatch(file.stem))
    if not possible or file.stem in RESERVED_MODULES or _PYTHONS_NAME.fullmatch(file.stem):
        raise UsageError(
            "the file's name cannot be used as a module name",
            path=file,
            expected="letters, digits, _, . and -, no __name__, and no module of Python, torch or triton"
            if named
            else "an identifier, no __name__, that hides no module of Python, torch or triton",
            found=repr(file.stem),
            hint="rename the file",
        )


def read_inside(file: Path, root: Path) -> bytes:
    """A file of a pass set. UsageError for a link that leads out of `root`, and for anything but a plain file."""
    try:
        return authored.read_inside(file, root, MAX_FILE_BYTES)
    except OSError as error:
        raise _unreadable(file, error.strerror or str(error)) from None


def _unreadable(file: Path, reason: str) -> UsageError:
    return UsageError(f"cannot be read: {reason}", path=file, hint="put a plain file there")


def _stems(manifest: Path, raw: bytes) -> tuple[str, ...]:
    try:
        names = authored.parse_json(raw)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UsageError(
            "the manifest is not JSON", path=manifest, found=str(error), hint="write a JSON list"
        ) from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UsageError(
            "the manifest has the wrong form", path=manifest, expected="a JSON list of strings", hint="list file stems"
        )
    if not names:
        raise UsageError("the manifest is empty", path=manifest, hint="list the stems of the pass files in order")
    if len(names) > MAX_FILES:
        raise UsageError("too many passes", path=manifest, expected=f"at most {MAX_FILES}", found=len(names))
    stems = tuple(name.removesuffix(".py") for name in names)
    repeated = sorted(stem for stem, count in Counter(stems).items() if count > 1)
    if repeated:
        raise UsageError("the manifest names a pass twice", path=manifest, found=repeated, hint="name each pass once")
    return stems


def _rule(file: PassFile, modules: frozenset[str]) -> RuleSource:
    for name in ENTRY_POINTS:
        file.require_entry_point(name, modules)
    _require_arity(file)
    return RuleSource(file.path.stem, file, file.devices())


def _require_arity(file: PassFile) -> None:
    pattern, arguments, factory = (file.arity(name) for name in ENTRY_POINTS)
    if pattern is not None and arguments is not None and pattern[1] not in range(arguments[0], arguments[1] + 1):
        raise UsageError(
            "pattern and replacement_args take different numbers of arguments",
            path=file.path,
            field="replacement_args",
            expected=f"{pattern[1]} as in pattern",
            found=arguments[1],
            hint="give both the same parameters in the same order",
        )
    if factory is not None and factory[0]:
        raise UsageError(
            "replacement_func takes arguments",
            path=file.path,
            field="replacement_func",
            expected="no parameters",
            found=factory[1],
            hint="return the wrapper function; its arguments come from replacement_args",
        )


def _hash(folders: Iterable[tuple[_Folder, dict[str, bytes]]]) -> str:
    digest = hashlib.sha256()
    for folder, sources in folders:
        parts = [("manifest", folder.manifest), *sorted(sources.items())]
        for name, data in parts:
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
        digest.update(b"\0folder\0")
    return digest.hexdigest()
