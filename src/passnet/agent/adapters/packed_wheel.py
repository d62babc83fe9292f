"""Packs the PassNet that runs here into a wheel, since images cannot count on an index that has it."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from passnet import __version__
from passnet.errors import InfrastructureError
from passnet.graph import bundled
from passnet.writing import storing

_PACKAGES = ("passnet", "passnet_verifiers")
_DATA = Path("passnet", "data")
_INFO = f"passnet-{__version__}.dist-info"
_WHEEL = "Wheel-Version: 1.0\nGenerator: passnet\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(directory: Path) -> Path:
    """A wheel of the installed packages, their data and their metadata, whether installed or run from a repository.

    Errors: `InfrastructureError` when this PassNet has no metadata (it was never installed), `StorageError`.
    """
    path = directory / f"passnet-{__version__}-py3-none-any.whl"
    records = []
    with storing(path), zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in [*_sources(), *_metadata()]:
            wheel.writestr(name, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(data)}\n")
        wheel.writestr(f"{_INFO}/RECORD", "".join([*records, f"{_INFO}/RECORD,,\n"]))
    return path


def _sources() -> Iterator[tuple[str, bytes]]:
    for package in _PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise InfrastructureError(f"the package {package} is not here; install PassNet again")
        root = Path(spec.origin).parent
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root.parent)
            if path.is_file() and _DATA not in name.parents and "__pycache__" not in name.parts:
                yield name.as_posix(), path.read_bytes()
    for path in _data():
        yield (_DATA / path.relative_to(bundled.home())).as_posix(), path.read_bytes()


def _data() -> Iterator[Path]:
    """Bundled tasks only: in a repository, other data lies beside them."""
    for place in (bundled.INDEX, *bundled.SETS.values()):
        root = bundled.home() / place
        paths = sorted(root.rglob("*")) if root.is_dir() else [root]
        yield from (path for path in paths if path.is_file() and "__pycache__" not in path.parts)


def _metadata() -> Iterator[tuple[str, bytes]]:
    try:
        found = distribution("passnet")
    except PackageNotFoundError as error:
        raise InfrastructureError("PassNet runs here without being installed; give its wheel with --wheel") from error
    # A repository in which a wheel was built has the second name.
    metadata = found.read_text("METADATA") or found.read_text("PKG-INFO")
    entries = found.read_text("entry_points.txt")
    if metadata is None or entries is None:
        raise InfrastructureError("PassNet was installed without metadata; give its wheel with --wheel")
    yield f"{_INFO}/METADATA", metadata.encode()
    yield f"{_INFO}/entry_points.txt", entries.encode()
    yield f"{_INFO}/WHEEL", _WHEEL.encode()
