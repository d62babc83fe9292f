"""Texts and files that break a careless reader, by name; each entry point is given all of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

TEXTS: Mapping[str, bytes] = {
    "empty": b"",
    "open lists": b"[" * 50_000,
    "closed lists": b"[" * 5_000 + b"]" * 5_000,
    "open objects": b'{"a":' * 50_000,
    "parentheses": b"(" * 50_000,
    "digits": b"9" * 5_000,
    "digits in a list": b"[" + b"9" * 5_000 + b"]",
    "digits in a field": b"class A:\n    name = " + b"9" * 5_000,
    "digits in a log": b"[Processing] a\n[Datatype][eager]: float32\n[Speedup][e2e]: " + b"9" * 5_000,
    "signs": b"-" * 9_000 + b"1",
    "attributes": b"a" + b".b" * 30_000,
    "sums": b"1" + b"+1" * 30_000,
    "negations": b"not " * 20_000 + b"x",
    "lambdas": b"lambda:" * 5_000 + b"1",
    "subscripts": b"x" + b"[0]" * 20_000,
    "format strings": b'f"{' * 300,
    "branches": b"if x: pass\n" + b"elif x: pass\n" * 3_000,
    "unhashable devices": b"DEVICES = {[]: 1}",
    "lists of devices": b"DEVICES = ([], )",
    "digits that only hexadecimal can write": b"DEVICES = (0x" + b"f" * 6_000 + b",)",
    "a format string that cannot be written": b"DEVICES = f\"{'<\x01>'}\"",
    "NUL": b"x = 1\0",
    "half a character": b'["\\ud800"]',
    "no UTF-8": b"\xff\xfe\xff",
    "UTF-16": "[]".encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf[]",
    "not a number": b"[NaN]",
    "infinity": b"[1e999]",
    "a key twice": b'{"a":1,"a":2}',
    "numbers": b"[1, 2]",
    "object": b"{}",
    "null": b"null",
    "string": b'"x"',
    "terminal codes": b'["\\u001b[31m\\n"]',
    "many names": json.dumps([f"a{number}" for number in range(30_000)]).encode(),
    "many lines": b"\n" * 500_000,
    "a long line": b"x" * 20_000_000,
    "a long word in a path": b"graphs/" + b"a" * 300,
}
FILES: Mapping[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "directory": Path.mkdir,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "nothing": lambda path: path.symlink_to("/dev/null"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to nowhere": lambda path: path.symlink_to("nowhere"),
    "link out": lambda path: path.symlink_to("/etc/passwd"),
}
HOSTILE = (*TEXTS, *FILES)


def put(name: str, path: Path) -> None:
    """Make the hostile file of that name at a path, in place of what was there."""
    path.unlink(missing_ok=True)
    if name in TEXTS:
        path.write_bytes(TEXTS[name])
    else:
        FILES[name](path)
