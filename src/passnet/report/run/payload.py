"""Data inside a page: JSON that no reader of HTML takes for markup, and compressed parts within a limit."""

from __future__ import annotations

import base64
import gzip
import json
import math
from dataclasses import dataclass, field
from typing import Final

from passnet.authored import as_text

# Of a page of the wanted size, the share that long parts may take. Tables and charts have the rest.
_SHARE: Final = 0.85
DEFAULT_BYTES: Final = int(30_000_000 * _SHARE)
_UNSAFE: Final = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", ord("'"): "\\u0027"}


def room_for(megabytes: float) -> int:
    """The bytes that long parts may have in a page of this size."""
    return int(megabytes * 1e6 * _SHARE)


def plain(value: object) -> object:
    """The value with only what JSON has: numbers that are not finite become words, half characters are written out."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, dict):
        return {as_text(str(key)): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def script_json(value: object) -> str:
    """JSON in ASCII without a character that could end a script or begin a tag."""
    return json.dumps(plain(value), allow_nan=False, separators=(",", ":")).translate(_UNSAFE)


@dataclass
class Blocks:
    """Compressed parts of a page, each under an id. Once `limit` bytes are used, further parts are left out."""

    limit: int = DEFAULT_BYTES
    used: int = 0
    found: dict[str, str] = field(default_factory=dict)

    def add(self, key: str, value: object) -> bool:
        """Keep a part. False when there is no room for it."""
        text = json.dumps(plain(value), allow_nan=False, separators=(",", ":"))
        data = base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()
        if self.used + len(data) > self.limit:
            return False
        self.used += len(data)
        self.found[key] = data
        return True
