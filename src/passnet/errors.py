"""The exceptions that every room except `score` raises for its users. Each says whose fault the failure is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from passnet.score.files import is_of_machine

# A path, and anything that was found, is shown with so many characters. Messages repeat what others wrote.
_LONGEST = 400


def one_line(text: str) -> str:
    """Any text as one line for a terminal. Line ends and control characters are written out."""
    return text if text.isprintable() else "".join(_shown(character) for character in text)


def visible(text: str) -> str:
    """Any text for a page, its line ends and tabs as they are. Signs that turn the order of others are written out."""
    return "".join(each if each in "\n\t" else _shown(each) for each in text) if not text.isprintable() else text


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape", "backslashreplace").decode()


class PassNetError(Exception):
    """Base of all errors that the command line prints as one clear line instead of a traceback."""

    exit_code = 3


class UsageError(PassNetError):
    """A user's mistake: bad path, bad file, unknown option. The message says what to do next.

    Paths, fields and what was found are of others, so they are written as `one_line` does.
    """

    exit_code = 2

    def __init__(
        self,
        what: str,
        *,
        path: Path | str | None = None,
        field: str | None = None,
        expected: object = None,
        found: object = None,
        hint: str | None = None,
    ) -> None:
        where = ", ".join(shortened(one_line(str(part))) for part in (path, field) if part is not None)
        text = f"{where}: {what}" if where else what
        if expected is not None:
            text += f"; expected {expected}"
        if found is not None:
            text += f"{',' if expected is not None else ';'} found {shortened(one_line(str(found)))}"
        if hint is not None:
            text += f" ({hint})"
        super().__init__(text)
        self.path = Path(path) if path is not None else None
        self.field = field


def path_given(value: object, what: str) -> Path:
    """The path that a caller gave. UsageError for what is none, and for one that the system cannot look at.

    `what`: what it should be of, in words.
    """
    if not isinstance(value, str | os.PathLike):
        raise UsageError("is no path", field=what, expected="text or a pathlib.Path", found=type(value).__name__)
    path = Path(value)
    try:
        with blaming_machine(path):
            path.exists()
    except OSError as error:
        raise UsageError(f"cannot be looked at: {error.strerror}", path=path) from None
    return path


class InfrastructureError(PassNetError):
    """The fault of the machine or the harness: a worker that cannot start, or a device that is lost."""

    exit_code = 3


class MachineError(InfrastructureError):
    """The system has no more open files, memory or processes, or a disk fails. It may pass by itself.

    It says nothing of a path, of a file's content, or of who gave it.
    """


@contextmanager
def blaming_machine(path: Path | str) -> Iterator[None]:
    """Turns an `OSError` inside into a MachineError where the machine is to blame. All others go on as they are."""
    try:
        yield
    except OSError as error:
        if not is_of_machine(error):
            raise
        raise MachineError(f"{shortened(one_line(str(path)))}: cannot be read: {error.strerror}") from error


# Packages that only some commands need: the module -> the extra that installs it.
EXTRAS = {
    "pyarrow": "data",
    "jinja2": "data",
    "timm": "models",
    "transformers": "models",
    "torchvision": "models",
    "torch_geometric": "geometric",
    "openai": "model",
    "litellm": "litellm",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "anyio": "mcp",
    "starlette": "serve",
    "uvicorn": "serve",
    "ray": "ray",
    "verifiers": "verifiers",
    "datasets": "trl",
    "trl": "trl",
    "triton": "triton",
    "numba": "numba",
}


class MissingExtra(UsageError):
    """An optional package cannot be imported. The message has the command that installs it.

    `what` needs the package of `module`. `reason`: why it cannot be imported, if it is there.
    """

    def __init__(
        self, what: str, module: str, *, extra: str | None = None, field: str | None = None, reason: str | None = None
    ) -> None:
        package = module.replace("_", "-")
        why = "is not installed" if reason is None else f"cannot be imported: {reason}"
        hint = to_install(module, extra)
        super().__init__(f"{what} needs the package {package}, which {why}", field=field, hint=hint)


def to_install(module: str, extra: str | None = None) -> str:
    """The command that installs an optional package, by the extra that has it."""
    return f"pip install 'passnet[{extra or EXTRAS[module]}]'"


def optional_module(error: ImportError) -> str | None:
    """The optional package that an import failed for. None when it was another module."""
    name = (error.name or "").partition(".")[0]
    return name if name in EXTRAS and isinstance(error, ModuleNotFoundError) else None


def shortened(text: str, limit: int = _LONGEST) -> str:
    """The text, without its middle where it is longer than that: the end of a path tells the most."""
    if len(text) <= limit:
        return text
    half = (limit - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def first_line(error: BaseException | str) -> str:
    """The first line of a message; of an exception without one the name of its class."""
    lines = said(error).strip().splitlines()
    return lines[0] if lines else "" if isinstance(error, str) else type(error).__name__


def first_sentence(error: BaseException | str) -> str:
    """The first sentence of a message, without its full stop. Libraries add advice that is not for authors."""
    return re.split(r"\.\s", f"{first_line(error)} ", maxsplit=1)[0].strip()


def described(error: BaseException) -> str:
    """An exception in one line: its class and the first line of its message."""
    return f"{type(error).__name__}: {first_line(said(error))}"


def said(error: BaseException | str) -> str:
    """The message of an error of others, or that it has none: what writes it may be theirs too, and fail."""
    return error if isinstance(error, str) else str(_sayable(error))


def shown(value: object) -> str:
    """A value of others in a few words: itself where that is surely short to write, else its type."""
    short = type(value) is int and value.bit_length() <= 64
    if value is None or short or type(value) in (bool, float, complex, str):
        return shortened(repr(value))
    return type(value).__name__


def causes(error: BaseException) -> Iterator[BaseException]:
    """An error, what caused it, and so on. Errors of others may cause each other."""
    seen: set[int] = set()
    inner: BaseException | None = error
    while inner is not None and id(inner) not in seen:
        seen.add(id(inner))
        yield inner
        inner = inner.__cause__


class Unsayable(Exception):
    """Stands for an error of others whose own message cannot be written."""


@contextmanager
def foreign(ours: Callable[[BaseException], Exception], *passed: type[Exception]) -> Iterator[None]:
    """Runs code of others inside: a model, an operator, a kernel, a compiler. It may raise anything, an exit too.

    Raises what `ours` makes of that, with it as the cause. `passed` and Ctrl-C go on as they are. `ours` gets an
    `Unsayable` instead of an error whose message cannot be written.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except passed:
        raise
    except BaseException as error:  # nobody can name what code of others raises
        raise ours(_sayable(error)) from error


def _sayable(error: BaseException) -> BaseException:
    """The error, or an `Unsayable` from the same lines."""
    try:
        str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  numbers of too many digits, lists that lie too deep, methods of others
        text = f"a {type(error).__name__} whose message cannot be written"
        return Unsayable(text).with_traceback(error.__traceback__)
    return error


def counted(number: int, word: str, verb: tuple[str, str] | None = None) -> str:
    """A number with its noun: `1 graph`, `2,000 graphs`; with `verb`, its form for one and for several behind it."""
    noun = f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
    return noun if verb is None else f"{noun} {verb[number != 1]}"
