"""Writes whole files, directories and lines, never half of one. Any room may use it.

A full or failing disk is the machine's fault (exit code 3), and so is a lack of open files or memory. The message gives
the path, the free bytes of a disk and what to do. Any other failure to write is a user's mistake (exit code 2).
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from passnet import authored
from passnet.errors import MachineError, PassNetError, UsageError, blaming_machine
from passnet.score.files import is_of_machine

_STORAGE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE})
_AGAIN = "make room there, then run the same command again: what was finished is kept"
# Bytes of a name that stand in the name beside it.
_LONGEST_NAME = 200
_MOST_WRITERS = 100
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# What systems of files of other machines say of a lock of a directory.
_NO_LOCKS = frozenset({errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS})
# An episode may hold whole files of passes. A line without an end would be read into memory.
MAX_LINE_BYTES = 1 << 26
_BLOCK_BYTES = 1 << 16
_MOST_EMPTY = 1_000_000
# What commands make of a run, and may lie in it.
_MADE_AGAIN = frozenset({".html", ".csv"})


class StorageError(MachineError):
    """The disk is full, a quota or a limit of file sizes is reached, or the disk fails."""


def is_storage(error: OSError) -> bool:
    """Whether a disk is to blame."""
    return error.errno in _STORAGE


def is_unwritable_here(error: OSError) -> bool:
    """Whether the machine is to blame for a failure to write, not the path."""
    return is_storage(error) or is_of_machine(error)


def unwritable(error: OSError, path: Path | str | None, hint: str | None = None) -> PassNetError:
    """The exception to raise when writing at `path` failed. `hint`: for mistakes in the path.

    None: the user does not know the path. It is standard output, or a temporary file of a library.
    """
    if not is_unwritable_here(error):
        in_the_way = error.errno in (errno.EEXIST, errno.ENOTDIR)
        reason = "a file is where a directory should be" if in_the_way else error.strerror or error
        return UsageError(f"cannot be written: {reason}", path=path, hint=hint)
    place = path if path is not None else f"standard output or a file in {tempfile.gettempdir()}"
    if not is_storage(error):
        return MachineError(f"{place}: cannot be used now: {error.strerror}")
    free = f", {_free(Path(path))}" if path is not None else ""
    return StorageError(f"{place}: cannot be written: {_reason(error)}{free}; {_AGAIN}")


@contextmanager
def writing(path: Path | str, hint: str | None = None) -> Iterator[None]:
    """Turns every `OSError` inside into the exception of `unwritable`."""
    try:
        yield
    except OSError as error:
        raise unwritable(error, path, hint) from error


@contextmanager
def storing(path: Path | str) -> Iterator[None]:
    """The same for errors of the machine only, because other files may be read inside."""
    try:
        yield
    except OSError as error:
        if not is_unwritable_here(error):
            raise
        raise unwritable(error, path) from error


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`. Its file takes the place of `path` when the block succeeds, else it is removed.

    No file exists there at first, and no other writer of `path` has it. `path` is whole or absent, even when this
    process is killed; of several writers at once, the last one counts. UsageError when something else than a file is
    there: a device or a pipe would be gone for everybody.
    """
    _refuse_special(path)
    with _own_directory(path) as own:
        partial = own / "new"
        with storing(path):
            yield partial
        with writing(path):
            partial.replace(path)


@contextmanager
def _own_directory(path: Path) -> Iterator[Path]:
    """An empty directory beside `path`, for one writer of `path`, until the block ends.

    A writer takes the first name that no other holds locked. So what a killed one left is emptied by the next.
    """
    with writing(path):
        own, fd = _first_free(path)
    try:
        yield own
    finally:
        with suppress(OSError):
            _empty(own)
            own.rmdir()
        os.close(fd)


def _first_free(path: Path) -> tuple[Path, int]:
    """The directory, and the descriptor that holds its lock. One of a random name where directories have no locks."""
    begin = os.fsdecode(os.fsencode(path.name)[:_LONGEST_NAME])
    try:
        for number in range(_MOST_WRITERS):
            own = path.with_name(f".{begin}{f'.{number}' if number else ''}.partial")
            fd = _held(own)
            if fd is not None:
                return own, fd
    except OSError as error:
        with suppress(OSError):  # it may be made already, and is empty
            own.rmdir()
        if error.errno not in _NO_LOCKS:
            raise
    own = Path(tempfile.mkdtemp(prefix=f".{begin}.", suffix=".partial", dir=path.parent))
    return own, os.open(own, _DIRECTORY)


def _held(own: Path) -> int | None:
    """The lock of a directory, which is made, or emptied. None where another writer has it, or it is of others."""
    while True:
        with suppress(FileExistsError):
            own.mkdir()
        try:
            fd = os.open(own, _DIRECTORY)
        except FileNotFoundError:  # its writer ended and removed it
            continue
        except PermissionError:
            return None
        except OSError as error:
            if error.errno not in (errno.ENOTDIR, errno.ELOOP):
                raise
            own.unlink(missing_ok=True)  # a file of any kind, even a link
            continue
        with ExitStack() as undo:
            undo.callback(os.close, fd)
            if not _is_locked(fd) or not os.access(own, os.W_OK | os.X_OK):
                return None
            if _is_at(own, fd):
                _empty(own)
                undo.pop_all()
                return fd


def _is_locked(fd: int) -> bool:
    """Lock a directory, unless another has its lock."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(own: Path, fd: int) -> bool:
    """Whether a directory still has its name. Whoever held it before may have removed it."""
    try:
        return os.path.samestat(os.lstat(own), os.fstat(fd))
    except FileNotFoundError:
        return False


def _empty(own: Path) -> None:
    (own / "new").unlink(missing_ok=True)


def _refuse_special(path: Path, *, links: bool = False) -> None:
    """A link that is replaced itself is let pass; `links` refuses it too."""
    try:
        kind = os.lstat(path).st_mode
    except OSError:
        return
    if not stat.S_ISREG(kind) and (links or not stat.S_ISLNK(kind)):
        what = "a directory" if stat.S_ISDIR(kind) else "a link" if stat.S_ISLNK(kind) else "no plain file"
        raise UsageError("cannot be written", path=path, expected="the name of a file", found=what)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file that appears whole or not at all; the directory must be there."""
    data = content.encode() if isinstance(content, str) else content
    with new_file(path) as partial, writing(path), open(partial, "xb") as file:
        file.write(data)


def write_json(path: Path, data: object) -> None:
    """Write a JSON file all or nothing."""
    write_atomic(path, json.dumps(data, indent=2) + "\n")


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Other processes that ask for the same directory wait until the block ends. The directory must be there."""
    with writing(directory):
        fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with writing(directory):
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def append_line(path: Path, line: str) -> None:
    """Add one line to a plain file and wait until it is on disk. If that fails, no part of it stays.

    UsageError for a link, which would lead elsewhere, and for a pipe, which could block for ever.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    _refuse_special(path, links=True)
    with writing(path):
        fd = os.open(path, flags, 0o666)
        try:
            before = os.fstat(fd).st_size
            try:
                left = memoryview(line.encode() + b"\n")
                while left:
                    left = left[os.write(fd, left) :]
                os.fsync(fd)
            except OSError:
                os.ftruncate(fd, before)
                raise
        finally:
            os.close(fd)


@contextmanager
def reading(path: Path | str) -> Iterator[None]:
    """Turns every `OSError` inside into a UsageError: the file cannot be read. Those of the machine: MachineError."""
    try:
        with blaming_machine(path):
            yield
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from error


def put_aside(path: Path) -> None:
    """Give what is at `path` the first free name of `NAME-1`, `NAME-2`, ... A link is renamed itself."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.stem}-{number}{path.suffix}")):
        number += 1
    with writing(path):
        path.rename(aside)


def lines_of(path: Path, most: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes, bool]]:
    """Number and bytes of each line that holds something, and whether it is a last one without its newline.

    UsageError for a line of more than `most` bytes.
    """
    try:
        with authored.opened(path) as file:
            number = full = 0
            while line := file.readline(most + 1):
                number += 1
                if number - full > _MOST_EMPTY:
                    raise UsageError(f"{_MOST_EMPTY} empty lines from line {full + 1} on", path=path)
                full = number if line.strip() else full
                if len(line) > most:
                    raise UsageError(f"line {number} is no record: it is too long", path=path)
                if line.strip():
                    yield number, line.removesuffix(b"\n"), not line.endswith(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from error


def end_broken_line(path: Path) -> None:
    """Cut off a last line that a crash left without its newline, so that the next record starts on its own."""
    try:
        with authored.opened(path) as file:
            end = place = file.seek(0, os.SEEK_END)
            while place:
                before, place = place, max(0, place - _BLOCK_BYTES)
                file.seek(place)
                found = file.read(before - place).rfind(b"\n")
                if found >= 0:
                    place += found + 1
                    break
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", path=path) from error
    if place < end:
        os.truncate(path, place)


def inside(directory: Path, name: str) -> Path:
    """The place of a name below a directory, whoever chose the name. `name`: what is joined to it, whole.

    UsageError when it leads elsewhere, or no file can have it.
    """
    if not authored.is_below(name):
        expected = "a relative path of one line, with no `..` and no part of more than 255 bytes"
        raise UsageError("cannot be the place of a file", field=name, expected=expected)
    return directory / name


def make_new(directory: Path, name: str) -> Path:
    """Make a directory of that name (see `inside`), and those above it. UsageError when something lies there."""
    path = inside(directory, name)
    with _nothing_at(name):
        path.mkdir(parents=True)
    return path


def write_new(directory: Path, name: str, content: str | bytes) -> Path:
    """Write a file of that name (see `inside`). UsageError when something lies there. Texts keep their line ends."""
    path = inside(directory, name)
    with _nothing_at(name):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    return path


@contextmanager
def _nothing_at(name: str) -> Iterator[None]:
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        raise UsageError("two things would have this place", field=name, hint="their names must differ") from None


def refuse_replacing(path: Path, read: Collection[Path]) -> None:
    """UsageError when replacing the directory `path` would remove what a command reads, a part of it, or where it was
    started.
    """
    place = Path(os.path.realpath(path))
    held = [(each, "this command reads it") for each in read if place.is_relative_to(os.path.realpath(each))]
    around = (*((each, "this command reads it") for each in read), (Path.cwd(), "it was started there"))
    held += [(each, why) for each, why in around if Path(os.path.realpath(each)).is_relative_to(place)]
    for kept, why in held[:1]:
        raise UsageError(
            "--overwrite would remove what is needed", path=path, found=f"{kept}: {why}", hint="choose another path"
        )


def refuse_file_of(path: Path, read: Iterable[Path]) -> None:
    """UsageError when `path` is a file of one of the directories that a command reads, and no earlier page or table."""
    place = Path(os.path.realpath(path))
    for kept in read:
        if place.is_file() and place.suffix not in _MADE_AGAIN and place.is_relative_to(os.path.realpath(kept)):
            raise UsageError("is a file of what this command reads", path=path, found=kept, hint="choose another name")


@contextmanager
def new_directory(path: Path, *, overwrite: bool = False, read: Collection[Path] = ()) -> Iterator[Path]:
    """A temporary directory beside `path`. It takes the place of `path` when the block succeeds, else it is removed.

    `read`: paths that the command reads. Errors: `UsageError` when `path` exists and is not empty (unless `overwrite`),
    is no directory, holds what is read, or cannot be written, `StorageError` when the disk is full.
    """
    refuse_taken(path, overwrite=overwrite, read=read)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{path.name[:60]}.", dir=path.parent))
    except OSError as error:
        raise unwritable(error, path) from None
    try:
        with storing(path):
            inside = staging / "new"
            inside.mkdir()
            yield inside
            if path.exists():
                path.replace(staging / "old")
            inside.replace(path)
    except StorageError as error:  # It names a file in the temporary directory, unknown to the user.
        raise StorageError(str(error).replace(str(staging / "new"), str(path))) from error
    finally:
        _put_back(staging / "old", path)
        shutil.rmtree(staging, ignore_errors=True)


def _put_back(old: Path, path: Path) -> None:
    """What was moved away from `path` lies there again, if nothing has taken its place. A signal may have come between.

    It is asked of the disk, because a signal may come before a move is noted. Where this fails, `old` is not removed.
    """
    if os.path.lexists(old) and not os.path.lexists(path):
        with writing(path, f"what was there is now {old}"):
            old.replace(path)


def refuse_taken(path: Path, *, overwrite: bool = False, read: Collection[Path] = ()) -> None:
    """The errors of `new_directory` for a path that holds something. For commands that work for long before it."""
    if path.exists() and not path.is_dir():
        what = "a file" if path.is_file() else "no plain file"
        raise UsageError("cannot be written", path=path, expected="the name of a directory", found=what)
    if overwrite and path.exists():
        refuse_replacing(path, read)
    if path.exists() and not overwrite and any(path.iterdir()):
        raise UsageError("already exists", path=path, hint="choose another path, or give --overwrite")


def copy_tree(source: Path, to: Path, *, without: Collection[str] = (), links: bool = False) -> None:
    """Copy the files below `source` to below `to`, which may be there.

    `without`: patterns of names that are left out. `links`: links are copied, not what they lead to. Errors: those of
    `unwritable`, for the first file that cannot be copied; what was copied before it stays.
    """

    def copied(file: str, place: str) -> None:
        with writing(to):
            shutil.copy2(file, place, follow_symlinks=not links)

    with writing(to):
        shutil.copytree(
            source, to, symlinks=links, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*without),
            copy_function=copied,
        )  # fmt: skip


def _reason(error: OSError) -> str:
    return {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the quota of this user is used up",
        errno.EFBIG: "the limit of file sizes is reached",
    }.get(error.errno or 0, error.strerror or str(error))


def _free(path: Path) -> str:
    """The free bytes at the path, or at the place where it would be."""
    for place in (path, *path.absolute().parents):
        try:
            found = os.statvfs(place)
        except OSError:
            continue
        return f"{found.f_bavail * found.f_frsize} bytes are free"
    return "nobody knows how much is free"
