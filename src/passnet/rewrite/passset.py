"""Read a pass directory as data: manifest, rules and helper modules, hashed and checked without running anything."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from passnet import authored
from passnet.errors import UsageError
from passnet.rewrite.source import ENTRY_POINTS, RESERVED_MODULES, PassFile, parse_pass_file

OUTPUT_MANIFEST = "sorted_output_pass_rule_names.json"
INPUT_MANIFEST = "sorted_input_pass_rule_names.json"
MAX_FILE_BYTES = 256 * 1024
MAX_FILES = 1000


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
    """The rules of a pass directory in order of application, and the modules that they may import.

    `content_hash` is a SHA-256 over the manifests and every `.py` file, so two sets that behave alike by
    construction have one identity wherever they lie on disk.
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
    """One directory read into memory: its manifest's stems (None: no manifest) and its Python files by stem."""

    path: Path
    stems: tuple[str, ...] | None
    sources: dict[str, bytes]
    manifest: bytes


def read_pass_set(directory: Path | str, const_directory: Path | str | None = None) -> PassSet:
    """Read `directory` (and the optional directory of fixed passes) into a `PassSet`.

    Fixed passes come first, in the order of their own manifest, unless the output manifest names them: then it gives
    their place. Raises `UsageError` that names file and next step for everything an author can get wrong.
    """
    output = _read_folder(Path(directory), OUTPUT_MANIFEST, required=True)
    folders = [output]
    if const_directory is not None and Path(const_directory).is_dir():
        folders.append(_read_folder(Path(const_directory), INPUT_MANIFEST, required=False))
    owners = _owners(folders)
    order = _order(output.stems or (), folders[1].stems or () if len(folders) > 1 else ())
    files = {stem: parse_pass_file(folder.path / f"{stem}.py", folder.sources[stem]) for stem, folder in owners.items()}
    for stem in order:
        if stem not in files:
            raise UsageError(
                f"the manifest names {stem!r}, but there is no such file",
                path=output.path / OUTPUT_MANIFEST,
                expected=f"{stem}.py beside the manifest",
                hint=f"write {stem}.py or take {stem!r} out of the manifest",
            )
    rules = tuple(_rule(files[stem], frozenset(files)) for stem in order)
    helpers = tuple(files[stem] for stem in sorted(files) if stem not in order)
    return PassSet(output.path, rules, helpers, _hash(folders))


def _order(output: tuple[str, ...], const: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem for stem in const if stem not in output) + output


def _owners(folders: list[_Folder]) -> dict[str, _Folder]:
    owners: dict[str, _Folder] = {}
    for folder in folders:
        for stem in folder.sources:
            if stem in owners:
                raise UsageError(
                    f"module {stem!r} is also in {owners[stem].path}",
                    path=folder.path / f"{stem}.py",
                    hint="give one of the two files another name",
                )
            owners[stem] = folder
    return owners


def _read_folder(path: Path, manifest_name: str, *, required: bool) -> _Folder:
    if not path.is_dir():
        raise UsageError("no such directory of passes", path=path, hint="give the directory that holds the manifest")
    root = path.resolve()
    sources = {file.stem: read_inside(file, root) for file in _python_files(path)}
    manifest = path / manifest_name
    if not manifest.exists():
        if required or sources:
            raise UsageError(
                "the directory has no manifest" if sources else "the directory holds no passes",
                path=path,
                expected=manifest_name,
                hint='write it as a JSON list of file stems in order of application, for example ["FuseGelu"]',
            )
        return _Folder(path, None, sources, b"")
    raw = read_inside(manifest, root)
    return _Folder(path, _stems(manifest, raw), sources, raw)


def _python_files(path: Path) -> list[Path]:
    try:
        files = sorted(file for file in path.iterdir() if file.suffix == ".py")
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from None
    if len(files) > MAX_FILES:
        raise UsageError("too many Python files", path=path, expected=f"at most {MAX_FILES}", found=len(files))
    for file in files:
        if not file.stem.isidentifier() or file.stem in RESERVED_MODULES:
            raise UsageError(
                "the file's name cannot be used as a module name",
                path=file,
                expected="an identifier that hides no module of Python, torch or triton",
                found=repr(file.stem),
                hint="rename the file",
            )
    return files


def read_inside(file: Path, root: Path) -> bytes:
    """A file of a pass set. UsageError for a link that leads out of `root`, and for what is no plain file."""
    try:
        resolved = file.resolve()
    except (OSError, RuntimeError):
        raise UsageError("the file is a link that leads nowhere", path=file, hint="copy the file instead") from None
    if root not in resolved.parents:
        raise UsageError("the file is a link that leaves the directory", path=file, hint="copy the file instead")
    try:
        return authored.read_bytes(resolved, MAX_FILE_BYTES)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=file, hint="put a plain file there") from None


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
    if pattern is not None and arguments is not None and pattern != arguments:
        raise UsageError(
            "pattern and replacement_args take different numbers of arguments",
            path=file.path,
            field="replacement_args",
            expected=f"{pattern} as in pattern",
            found=arguments,
            hint="give both the same parameters in the same order",
        )
    if factory:
        raise UsageError(
            "replacement_func takes arguments",
            path=file.path,
            field="replacement_func",
            expected="no parameters",
            found=factory,
            hint="return the wrapper function; its arguments come from replacement_args",
        )


def _hash(folders: Iterable[_Folder]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        parts = [("manifest", folder.manifest), *sorted(folder.sources.items())]
        for name, data in parts:
            digest.update(f"{name}\0{len(data)}\0".encode())
            digest.update(data)
        digest.update(b"\0folder\0")
    return digest.hexdigest()
