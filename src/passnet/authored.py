"""Reads files of others: plain files of limited size, JSON and Python of limited depth. Any room may use it.

Every failure is an `OSError`, a `ValueError` or a `SyntaxError` with a short sentence. Where the machine is to blame,
it is a `MachineError`, which no reader takes for a mistake of the file.
"""

from __future__ import annotations

import ast
import errno
import json
import math
import os
import re
import symtable
import threading
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import CodeType
from typing import Any

from passnet.errors import blaming_machine, one_line
from passnet.score import files
from passnet.score.expressions import expression_text

__all__ = [
    "as_text", "check_integers", "compiled", "expression_text", "is_below", "is_name", "is_path", "is_text",
    "one_line", "opened", "parse_json", "parse_python", "read_bytes", "read_inside", "read_text", "refusal",
    "symbol_table", "symbols", "syntax_tree",
]  # fmt: skip

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
# Python allows a thousand frames. A visitor takes up to three for each level of a syntax tree.
MAX_TREE_DEPTH = 200
# Each of them is within float64, which ends between 1023 and 1024 bits. Masks, digests and seeds have 512 at most. Such
# an integer has 308 digits, and every Python writes it: it may be told to refuse from 640 on, and refuses from 4300 on
# by itself.
MAX_INTEGER_BITS = 1023
# A compiler may take so many steps beyond one for each node.
_MAX_MORE = 100_000
# Of these things it takes so many in one step: pairs of keywords, names and scopes; bytes of constants.
_PAIRS, _BYTES = 16, 1000
_LONGEST_REPEATED = 4096
_MAX_INTEGER = 2**64
# A string without an end reaches to the end of the text: a search from each of its quotes would take long.
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
# CPython 3.11 counts the depth of a parse for all threads together, and fails where two of them parse at once.
_PARSING = threading.RLock()
_NUL = "\0"
_LONGEST_PATH = 4096


@contextmanager
def opened(path: Path | str) -> Iterator[BufferedReader]:
    """A plain file, open to be read in parts. Errors as those of `read_bytes`."""
    with blaming_machine(path), files.opened(path) as file:
        yield file


def read_bytes(path: Path | str, limit: int = MAX_BYTES) -> bytes:
    """The content of a plain file. `OSError` for anything else, and for more than `limit` bytes."""
    with blaming_machine(path):
        return files.read_bytes(path, limit)


def read_text(path: Path | str, limit: int = MAX_BYTES) -> str:
    """The text of a plain file, without a byte order mark at its start. `UnicodeDecodeError` when not UTF-8."""
    return read_bytes(path, limit).decode("utf-8-sig")


def read_inside(path: Path, root: Path | None = None, limit: int = MAX_BYTES) -> bytes:
    """The content of a plain file of a directory of others. `OSError` for a link that leads out of `root`.

    `root`: the directory of the file where it is None. A link would make a file of this user a part of theirs.
    """
    try:
        real, home = os.path.realpath(path), os.path.realpath(path.parent if root is None else root)
    except ValueError:  # The name holds a NUL.
        raise OSError(errno.EINVAL, "not a path of this system", repr(path)) from None
    if not Path(real).is_relative_to(home):
        raise OSError(errno.EPERM, "it is a link that leaves the directory; copy the file instead", str(path))
    return read_bytes(real, limit)


def parse_json(text: str | bytes, *, key_twice: bool = False) -> Any:
    """The value of a JSON text. `json.JSONDecodeError`, or `UnicodeDecodeError` for bytes that are no text.

    This is stricter than Python: no NaN or infinity, no number beyond 64 bits, and at most `MAX_DEPTH` levels. A key
    may not appear twice, unless `key_twice` is set: then the last one counts.
    """
    text = text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")
    _check_nesting(text)

    def pairs(rows: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(rows)
        if len(found) < len(rows) and not key_twice:
            raise json.JSONDecodeError("an object has a key twice", text, 0)
        return found

    def constant(name: str) -> None:
        raise json.JSONDecodeError(f"{name} is no number of JSON", text, 0)

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError:
        raise
    except ValueError:  # The number has more digits than Python converts.
        raise json.JSONDecodeError("a number is too large", text, 0) from None
    problem = refusal(value)
    if problem is not None:
        raise json.JSONDecodeError(problem, text, 0)
    return value


def _check_nesting(text: str) -> None:
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise json.JSONDecodeError(f"nested deeper than {MAX_DEPTH} levels", text, token.start())


def refusal(value: object) -> str | None:
    """Why a value of JSON's types is refused, or None. Reasons: depth, numbers, lone surrogates, other types."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for item in level:
            problem = _leaf_problem(item) if not isinstance(item, dict | list | tuple) else None
            if problem is not None:
                return problem
            if isinstance(item, dict):
                inner += [*item.keys(), *item.values()]
            elif isinstance(item, list | tuple):
                inner += item
        if not inner:
            return None
        level = inner
    return f"nested deeper than {MAX_DEPTH} levels"


def _leaf_problem(item: object) -> str | None:
    if item is None or isinstance(item, bool):
        return None
    if isinstance(item, str):
        return None if is_text(item) else "a string holds half a character"
    if isinstance(item, int):
        return None if -_MAX_INTEGER <= item <= _MAX_INTEGER else "a number is too large"
    if isinstance(item, float):
        return None if math.isfinite(item) else "a number is not finite"
    return f"{type(item).__name__} is no type of JSON"


def is_text(text: str) -> bool:
    """Whether a string can be written as UTF-8: it holds no lone surrogate."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def is_path(text: str) -> bool:
    """Whether this system could have a file of that name."""
    parts = text.split("/")
    return is_text(text) and _NUL not in text and len(text.encode()) < _LONGEST_PATH and max(map(_size, parts)) <= 255


def is_name(text: str) -> bool:
    """Whether a file could have that name: it is of one line, and leads to no other directory."""
    return "/" not in text and is_below(text)


def is_below(text: str) -> bool:
    """Whether a text is a place below the directory that it is relative to. A list can hold it as one of its lines."""
    parts = text.split("/")
    leads_out = text.startswith("/") or ".." in parts or "\\" in text or not {*parts} - {"", "."}
    return not leads_out and is_path(text) and text.splitlines() == [text]


def _size(text: str) -> int:
    return len(text.encode())


def as_text(text: str) -> str:
    """The same text with lone surrogates written out as escapes."""
    return text if is_text(text) else text.encode("utf-8", "backslashreplace").decode("utf-8")


def syntax_tree(text: str) -> ast.Module:
    """What `ast.parse` makes of a text, with its errors, in any thread."""
    with _silent_parser():
        return ast.parse(text)


def symbol_table(text: str, filename: str) -> symtable.SymbolTable:
    """What `symtable` makes of a text that `parse_python` reads, in any thread."""
    with _silent_parser():
        return symtable.symtable(text, filename, "exec")


def symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """The names of one scope, without the scopes that have them.

    `get_symbols` compares each name with each scope inside.
    """
    for name, flags in table._table.symbols.items():  # type: ignore[attr-defined]  # nothing else tells these alone
        yield symtable.Symbol(name, flags)


@contextmanager
def _silent_parser() -> Iterator[None]:
    """Keeps other threads from Python's parser, and its warnings from the terminal.

    A warning shows a line of the author's as it is, with whatever a terminal does at its bytes.
    """
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def parse_python(text: str) -> ast.Module:
    """The syntax tree of a text. `SyntaxError` whenever the parser or a visitor of the tree would fail."""
    if _NUL in text:
        raise SyntaxError("the text holds a NUL byte")
    try:
        tree = syntax_tree(as_text(text))
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise SyntaxError(f"cannot be parsed ({str(error) or type(error).__name__})") from None
    check_integers(tree)
    level: Iterable[ast.AST] = [tree]
    for _ in range(MAX_TREE_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise SyntaxError(f"nested deeper than {MAX_TREE_DEPTH} levels")


def compiled(tree: ast.Module, filename: str) -> CodeType:
    """The code of a tree from `parse_python`. Errors: `SyntaxError`, `ValueError`, RecursionError and MemoryError."""
    if _cost(tree).more > _MAX_MORE:
        raise SyntaxError(
            "compiling takes far more than in proportion to the text; what grows faster: `finally` within `finally`, "
            "`case` with many patterns, calls with many keywords, functions that hold many names and functions, long "
            "names of what holds much, sums of long constants"
        )
    with _silent_parser():
        return compile(tree, filename, "exec", dont_inherit=True)


@dataclass(frozen=True, slots=True)
class _Cost:
    """What a part of a tree costs a compiler. `more`: steps beyond one for each of its `nodes`.

    `exits`: nodes that leave what is around them. `scopes`: functions, classes and comprehensions, which have `held`
    nodes. `constant`: bytes of the constant that it is made to, 0 for what is none.
    """

    nodes: int = 0
    more: int = 0
    exits: int = 0
    scopes: int = 0
    held: int = 0
    constant: int = 0

    def __add__(self, other: _Cost) -> _Cost:
        nodes, more, exits = self.nodes + other.nodes, self.more + other.more, self.exits + other.exits
        return _Cost(nodes, more, exits, self.scopes + other.scopes, self.held + other.held)


_NOTHING = _Cost()
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS)


def _cost(node: ast.AST) -> _Cost:
    parts: dict[str, list[_Cost]] = {}
    for name, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        parts[name] = [_cost(child) for child in children if isinstance(child, ast.AST)]
    last = sum(parts.pop("finalbody", ()), _NOTHING)
    inner = sum((part for found in parts.values() for part in found), _NOTHING)
    times = inner.exits + 2  # its body is written where the others end, where they raise, and at each exit
    again = times * (last.nodes + last.more) - last.nodes
    constant, whole = _constant(node, parts), inner + last
    nodes, is_scope = 1 + whole.nodes, isinstance(node, _SCOPES)
    return _Cost(
        nodes,
        inner.more + again + _own_steps(node, whole) + constant // _BYTES,
        inner.exits + times * last.exits + isinstance(node, ast.Return | ast.Break | ast.Continue),
        whole.scopes + is_scope,
        nodes if is_scope else whole.held,
        constant,
    )


def _own_steps(node: ast.AST, inner: _Cost) -> int:
    """The steps that grow with the square of what one node holds."""
    if isinstance(node, ast.match_case):
        return sum(isinstance(part, ast.pattern) for part in ast.walk(node.pattern)) ** 2 // 4
    if isinstance(node, ast.Call | ast.ClassDef | ast.MatchClass):
        keywords = node.kwd_attrs if isinstance(node, ast.MatchClass) else node.keywords
        pairs = len(keywords) ** 2
    else:
        pairs = 0
    if isinstance(node, ast.Module):  # each scope is given all names that are declared global
        pairs += inner.scopes * sum(len(part.names) for part in ast.walk(node) if isinstance(part, ast.Global))
    elif isinstance(node, ast.ClassDef):  # private names, and those of scopes, are written with its own
        pairs += len(node.name) * inner.nodes
    elif isinstance(node, _SCOPES):  # each inner scope is given its names, and has its name in its own
        pairs += inner.scopes * (inner.nodes - inner.held + len(getattr(node, "name", "")))
    return pairs // _PAIRS


def _constant(node: ast.AST, parts: Mapping[str, Sequence[_Cost]]) -> int:
    """Bytes of the constant that a compiler makes of a node. It keeps those of each sum within a sum."""
    if isinstance(node, ast.Constant):
        return len(node.value) if isinstance(node.value, str | bytes) else 1
    if isinstance(node, ast.Tuple):
        return 8 * len(parts["elts"]) if all(part.constant for part in parts["elts"]) else 0
    if isinstance(node, ast.BinOp):
        left, right = parts["left"][0].constant, parts["right"][0].constant
        repeats = isinstance(node.op, ast.Mult)
        return 0 if not left or not right else max(left, right, _LONGEST_REPEATED) if repeats else left + right
    return 0


def check_integers(tree: ast.AST) -> None:
    """`SyntaxError` with the line of an integer above `MAX_INTEGER_BITS`: Python reads some that it cannot write."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, int):
            continue
        bits = node.value.bit_length()
        if bits > MAX_INTEGER_BITS:
            what = f"an integer has {bits} bits; at most {MAX_INTEGER_BITS} are read"
            raise SyntaxError(what, (None, node.lineno, None, None))
